package journal

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"winnow/core/jstext"
)

var errTooLong = errors.New("line is too long")

// lines splits a journal as node's line reader does: at LF, CR LF and a lone CR, and on request at
// U+2028 and U+2029. Each line is decoded on its own. That gives the same result as decoding the
// whole, because no line end is part of a broken sequence.
type lines struct {
	in         *bufio.Scanner
	separators bool
	skipped    bool   // the beginning of the line was skipped, because it is too long
	text       string // the line; empty if it is too long
	long       bool
}

func newLines(r io.Reader, separators bool) *lines {
	l := &lines{in: bufio.NewScanner(r), separators: separators}
	l.in.Buffer(make([]byte, 64<<10), maxLine+8) // room for a line end
	l.in.Split(l.split)
	return l
}

// next reads the next line. It returns false at the end and after an error.
func (l *lines) next() bool {
	more := l.in.Scan()
	l.long = l.skipped || len(l.in.Bytes()) > maxLine
	l.skipped, l.text = false, ""
	if !l.long {
		l.text = jstext.Decode(l.in.Bytes())
	}
	return more
}

// blank reports whether the line is only white space.
func (l *lines) blank() bool { return !l.long && jstext.Trim(l.text) == "" }

// failed returns the error that stopped reading.
func (l *lines) failed() error {
	if err := l.in.Err(); err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	return nil
}

// split finds the end of a line.
func (l *lines) split(data []byte, last bool) (int, []byte, error) {
	end, size := l.end(data, last)
	switch {
	case size > 0:
		return end + size, data[:end], nil
	case last && (len(data) > 0 || l.skipped):
		return len(data), append([]byte{}, data...), nil
	case len(data) > maxLine:
		l.skipped = true
		return end, nil, nil
	}
	return 0, nil, nil
}

// end returns where a line ends, and the size of the line end. A size of 0 means that more data is
// needed; a line end may then begin at end.
func (l *lines) end(data []byte, last bool) (end, size int) {
	for i, c := range data {
		switch rest := data[i:]; {
		case c == '\n':
			return i, 1
		case c != '\r' && (c != 0xE2 || !l.separators):
		case len(rest) < len("\u2028") && !last:
			return i, 0
		case bytes.HasPrefix(rest, []byte("\r\n")):
			return i, 2
		case c == '\r':
			return i, 1
		case bytes.HasPrefix(rest, []byte("\u2028")), bytes.HasPrefix(rest, []byte("\u2029")):
			return i, 3
		}
	}
	return len(data), 0
}
