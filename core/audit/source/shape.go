package source

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/system"
)

// headSize is how many bytes of a file are examined to find out what it is.
const headSize = 16 << 10

// candidate reports whether the name of a file allows some form. The path is separated by /.
func (r *run) candidate(path string) bool {
	for i := range r.Forms {
		f := &r.Forms[i]
		if f.Named != nil && f.Named(path) || f.Stale != nil && f.Stale(path) || looksAlone(f) && couldLook(path) {
			return true
		}
	}
	return false
}

// onlyTracked reports whether a file may be read for its name only if git tracks it.
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

// form returns the first form that fits, or nil. A file left over from a save that fits no form
// gets the form of the saved file.
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

// guessForm returns the first form that the content alone suggests, or nil.
func (r *run) guessForm(head []byte) *system.Form {
	for i := range r.Forms {
		if f := &r.Forms[i]; f.Looks != nil && f.Looks(head) {
			return f
		}
	}
	return nil
}

// looksAlone reports whether the content alone is enough to recognize the form.
func looksAlone(f *system.Form) bool { return f.Looks != nil && !f.Both }

// couldLook reports whether to examine the content of a file whose name fits no form.
func couldLook(path string) bool {
	return slices.Contains(lookedAt, strings.ToLower(filepath.Ext(path)))
}

var lookedAt = []string{"", ".jsonl", ".ndjson", ".json", ".md", ".txt", ".log", ".db", ".sqlite", ".sqlite3", ".bak", ".tmp"}

// isText reports whether a file with this beginning is text. A few zero bytes in much text do not
// make it binary, because they may be there to avoid the audit.
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

// isPointer reports whether a file is a git LFS pointer, which replaces a large file. Its first
// line is defined in https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md.
func isPointer(head []byte) bool {
	return bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/v1\n"))
}
