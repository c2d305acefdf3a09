package source

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/system"
)

// headSize is how much of a file is looked at to tell what it is.
const headSize = 16 << 10

// candidate reports whether the name of a file lets a form fit. The path has / between
// its parts.
func (r *run) candidate(path string) bool {
	for i := range r.Forms {
		f := &r.Forms[i]
		if f.Named != nil && f.Named(path) || f.Stale != nil && f.Stale(path) || looksAlone(f) && couldLook(path) {
			return true
		}
	}
	return false
}

// onlyTracked reports whether a file is read by its name only where git tracks it.
func (r *run) onlyTracked(path string) (tracked bool) {
	path = filepath.ToSlash(path)
	for i := range r.Forms {
		if f := &r.Forms[i]; f.Named != nil && f.Named(path) {
			if !f.Tracked {
				return false
			}
			tracked = true
		}
	}
	return tracked
}

// form returns the first form that fits; nil when none does. A file that is left over
// from a save, and fits no form, has that of the save.
func (r *run) form(path string, head []byte) (stale *system.Form) {
	for i := range r.Forms {
		f := &r.Forms[i]
		named := f.Named != nil && f.Named(path)
		switch {
		case f.Both && named && f.Looks != nil && f.Looks(head),
			!f.Both && (named || looksAlone(f) && couldLook(path) && f.Looks(head)):
			return f
		case stale == nil && f.Stale != nil && f.Stale(path):
			stale = f
		}
	}
	return stale
}

// shaped returns the first form that a text without a name looks like; nil when there
// is none.
func (r *run) shaped(head []byte) *system.Form {
	for i := range r.Forms {
		if f := &r.Forms[i]; f.Looks != nil && f.Looks(head) {
			return f
		}
	}
	return nil
}

// looksAlone reports whether the shape is enough for the form.
func looksAlone(f *system.Form) bool { return f.Looks != nil && !f.Both }

// couldLook reports whether a file whose name has no form is worth a look at its shape.
func couldLook(path string) bool {
	return slices.Contains(lookedAt, strings.ToLower(filepath.Ext(path)))
}

var lookedAt = []string{"", ".jsonl", ".ndjson", ".json", ".md", ".txt", ".log", ".db", ".sqlite", ".sqlite3", ".bak", ".tmp"}

// isText reports whether a file that begins like this is text. Few zero bytes among much text
// do not make it binary: somebody may have put them there so that it is skipped.
func isText(head []byte, enc encoding) bool {
	head = head[:min(len(head), 8<<10)]
	if enc != utf8Text || bytes.IndexByte(head, 0) < 0 {
		return true
	}
	odd := 0
	for _, c := range string(head) {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == utf8.RuneError {
			odd++
		}
	}
	return odd*8 < len(head)
}

// isPointer reports whether a file is what git LFS keeps in place of a large one. The
// first line is of https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md.
func isPointer(head []byte) bool {
	return bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/v1\n"))
}
