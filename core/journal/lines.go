package journal

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"winnow/core/jstext"
)

var errTooLong = errors.New("line is too long")

// lines splits a journal as node's line reader does: at LF, CR LF and a lone CR,
// and where asked for at U+2028 and U+2029. Lines are decoded on their own, which
// is the same as decoding the whole: no line end is part of a broken sequence.
type lines struct {
	in         *bufio.Reader
	separators bool
	raw        []byte
	text       string // the line, empty when it is too long
	long       bool
	skipLF     bool
	err        error
}

func newLines(r io.Reader, separators bool) *lines {
	return &lines{in: bufio.NewReaderSize(r, 64<<10), separators: separators}
}

// blank reports whether the line is white space alone.
func (l *lines) blank() bool { return !l.long && jstext.Trim(l.text) == "" }

// next reads the next line. It returns false at the end and after an error.
func (l *lines) next() bool {
	l.raw, l.long, l.text = l.raw[:0], false, ""
	ended := false
	for !ended {
		chunk, err := l.chunk()
		if err != nil {
			if err != io.EOF {
				l.err = err
				return false
			}
			break
		}
		n := l.end(chunk)
		if n < 0 {
			l.keep(chunk)
			l.in.Discard(len(chunk))
			continue
		}
		size := l.terminator(chunk[n:])
		if size == 0 {
			if n == 0 || len(chunk) >= n+3 {
				n++ // no separator; else look again when all of it is here
			}
			l.keep(chunk[:n])
			l.in.Discard(n)
			continue
		}
		l.keep(chunk[:n])
		l.skipLF = chunk[n] == '\r'
		l.in.Discard(n + size)
		ended = true
	}
	if !ended && len(l.raw) == 0 && !l.long {
		return false
	}
	if !l.long {
		l.text = jstext.Decode(l.raw)
	}
	return true
}

// chunk returns what can be looked at without reading more than is needed, at
// least 3 bytes unless the end is near.
func (l *lines) chunk() ([]byte, error) {
	if l.skipLF {
		if c, err := l.in.Peek(1); err == nil && c[0] == '\n' {
			l.in.Discard(1)
		}
		l.skipLF = false
	}
	if b, err := l.in.Peek(3); len(b) == 0 {
		return nil, err
	}
	return l.in.Peek(l.in.Buffered())
}

// end returns the index of the first byte that may begin a line end, or -1.
func (l *lines) end(b []byte) int {
	n := bytes.IndexAny(b, "\r\n")
	if l.separators {
		if i := bytes.Index(b, []byte{0xE2}); i >= 0 && (n < 0 || i < n) {
			return i
		}
	}
	return n
}

// terminator returns the length of the line end that b begins with, or 0.
func (l *lines) terminator(b []byte) int {
	switch {
	case b[0] == '\n', b[0] == '\r':
		return 1
	case len(b) >= 3 && b[1] == 0x80 && (b[2] == 0xA8 || b[2] == 0xA9):
		return 3
	}
	return 0
}

// keep adds bytes to the line, unless it is too long to be kept.
func (l *lines) keep(b []byte) {
	if l.long || len(l.raw)+len(b) > maxLine {
		l.long, l.raw = true, l.raw[:0]
		return
	}
	l.raw = append(l.raw, b...)
}
