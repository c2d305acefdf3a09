package opencode

import (
	"io"
	"io/fs"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/peek"
)

// maxFile is how much is read of a file of instructions. OpenCode knows no limit.
const maxFile = 4 << 20

// file is a file as it was read.
type file struct {
	path string
	text string
	raw  string        // the bytes as they are
	info fs.FileInfo     // nil when it could not be opened
	cut  bool            // there is more than maxFile
	bad  *memory.Problem // why it could not be read; the text is then empty
}

// read reads a file in a way that changes nothing. The text is as OpenCode decodes it:
// bytes that are no UTF-8 are U+FFFD.
func read(path string) file {
	f := file{path: path}
	raw, err := f.bytes(maxFile)
	if err != nil {
		f.bad = peek.Problem(err)
		return f
	}
	f.text, f.raw = jstext.Decode(raw), string(raw)
	return f
}

func (f *file) bytes(most int64) ([]byte, error) {
	src, err := peek.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	f.info = src.Info
	raw, err := io.ReadAll(io.LimitReader(src, most+1))
	if err != nil {
		return nil, err
	}
	if f.cut = int64(len(raw)) > most; f.cut {
		raw = raw[:most]
	}
	return raw, nil
}
