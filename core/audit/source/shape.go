package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/zstd"
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

var lookedAt = []string{
	"",
	".jsonl",
	".ndjson",
	".json",
	".md",
	".txt",
	".log",
	".db",
	".sqlite",
	".sqlite3",
	".bak",
	".tmp",
}

// ownFolders are where Claude Code keeps what it said and saved before, and its own list of changes: no agent reads
// them again by itself. Only secrets are looked for there, and in licences.
var ownFolders = []string{
	"/.claude/cache/", "/.claude/backups/", "/.claude/file-history/", "/.claude/paste-cache/",
	"/.claude/shell-snapshots/", "/.claude/debug/",
}

// isRead reports whether a model may read a file that has the name of an agent's.
func isRead(name string) bool {
	name = "/" + strings.ToLower(filepath.ToSlash(name))
	base := name[strings.LastIndexByte(name, '/')+1:]
	stem := strings.TrimSuffix(base, filepath.Ext(base))
	if slices.Contains([]string{"license", "licence", "copying", "notice", "third_party_notices"}, stem) {
		return false
	}
	return !slices.ContainsFunc(ownFolders, func(folder string) bool { return strings.Contains(name, folder) })
}

// isText reports whether a file with this beginning is text. A few zero bytes in much text do not
// make it binary, because they may be there to avoid the audit.
func isText(head []byte) bool {
	head = head[:min(len(head), 8<<10)]
	return bytes.IndexByte(head, 0) < 0 || isMostlyText(head)
}

// isTextWithZeros reports whether a file with this beginning is text once its zero bytes are left out, however many
// there are: a model reads such a text all the same.
func isTextWithZeros(head []byte) bool { return isMostlyText(bytes.ReplaceAll(head, []byte{0}, nil)) }

func isMostlyText(head []byte) bool {
	odd := 0
	for _, c := range string(head) {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' || c == utf8.RuneError {
			odd++
		}
	}
	return odd*8 <= len(head)
}

// isPointer reports whether a file is a git LFS pointer, which replaces a large file. Its first
// line is defined in https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md.
func isPointer(head []byte) bool {
	return bytes.HasPrefix(head, []byte("version https://git-lfs.github.com/spec/v1\n"))
}

// isPacked reports whether the name of a file is that of a memory file which an agent compressed.
func (r *run) isPacked(path string) bool {
	plain, packed := strings.CutSuffix(filepath.ToSlash(path), zstdSuffix)
	return packed && r.candidate(plain)
}

// Limits of a compressed file: the memory for its window, and what it may unpack to.
const (
	mostWindow   = 32 << 20
	mostUnpacked = 1 << 30
)

// zstdSuffix ends the name of a file that an agent compressed.
const zstdSuffix = ".zst"

// unpacked returns what a file at path holds, and zstdSuffix if that had to be unpacked. A file that an agent
// did not compress is as it is, unless it was named.
func (w *worker) unpacked(path string, named bool, src io.Reader) (text io.Reader, suffix string) {
	if !named && !w.AllText && !w.isPacked(path) {
		return src, ""
	}
	in := bufio.NewReader(src)
	if head, _ := in.Peek(len(zstdMagic)); string(head) != zstdMagic {
		return in, ""
	}
	return &unpacking{from: zstd.NewReader(in, mostWindow), left: mostUnpacked}, zstdSuffix
}

// unpacking reads a compressed file up to a limit, and fails there: the rest is not read.
type unpacking struct {
	from io.Reader
	left int64
}

// Read implements [io.Reader].
func (u *unpacking) Read(p []byte) (int, error) {
	if u.left <= 0 {
		return 0, &memory.Problem{
			Code: codeCompressed,
			What: fmt.Sprintf("It unpacks to more than %d GiB: the rest was not read.", mostUnpacked>>30),
			Hint: "unpack it, and audit what it holds",
		}
	}
	n, err := u.from.Read(p[:min(int64(len(p)), u.left)])
	u.left -= int64(n)
	if err != nil && err != io.EOF {
		err = &memory.Problem{
			Code: codeCompressed, What: "It is compressed, and cannot be unpacked to its end: " + err.Error() + ".",
			Hint: "look whether its agent can still read it; what was read before is not lost",
		}
	}
	return n, err
}

// isUnpackable reports whether a document is compressed in a way that is not unpacked here, and was to be read: its
// name says that it holds what an agent wrote, or a person named it.
func (w *worker) isUnpackable(path string, named bool, form *system.Form, head []byte) bool {
	written := form != nil && isNamedText(path) || w.isPackedText(path)
	return isCompressed(head) && (named || w.AllText || written || w.isPacked(path))
}

// isPackedText reports whether a name is that of a compressed text of an agent, as memory.jsonl.gz.
func (w *worker) isPackedText(name string) bool {
	end := filepath.Ext(name)
	text := filepath.ToSlash(strings.TrimSuffix(name, end))
	isPacked := slices.Contains([]string{".gz", ".bz2", ".xz"}, end) && filepath.Ext(text) != ".tar"
	return isPacked && w.form(text, nil) != nil
}

// compressed is the problem of a document that is compressed.
func compressed() *memory.Problem {
	return &memory.Problem{
		Code: codeCompressed, What: "It is compressed, and was not read.", Hint: "unpack it, and audit what it holds",
	}
}

// codeCompressed is the code of a compressed file that was not read, or not to its end.
const codeCompressed = "compressed"

// zstdMagic begins a file of Zstandard, by RFC 8878.
const zstdMagic = "\x28\xb5\x2f\xfd"

// bzip2Magic begins a file of bzip2; a digit follows, and the number of a block (pi) or of the end (its root).
const bzip2Magic = "BZh"

// compressedMagic begins files of zstd, gzip, zip, xz, bzip2, 7z, lz4 and RAR. The numbers are from RFC 8878, RFC
// 1952, the APPNOTE of PKWARE, and the descriptions of these formats.
var compressedMagic = []string{
	zstdMagic,
	"\x1f\x8b",
	"PK\x03\x04",
	"\xfd7zXZ\x00",
	bzip2Magic,
	"7z\xbc\xaf\x27\x1c",
	"\x04\x22\x4d\x18",
	"Rar!\x1a\x07",
}

// isCompressed reports whether a file begins as one of these. Text can begin
// with bzip2Magic, but not go on as bzip2 does.
func isCompressed(head []byte) bool {
	return slices.ContainsFunc(compressedMagic, func(magic string) bool {
		rest, ok := bytes.CutPrefix(head, []byte(magic))
		isBlock := len(rest) > 2 && (rest[1] == '1' && rest[2] == 'A' || rest[1] == 0x17 && rest[2] == 'r')
		return ok && (magic != bzip2Magic || isBlock)
	})
}
