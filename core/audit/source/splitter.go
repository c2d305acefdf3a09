package source

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"
	"unsafe"

	"winnow/core/audit/judge"
)

// sizes say how a document is split.
type sizes struct {
	piece   int // target bytes of whole lines in a piece
	line    int // a longer line comes in parts
	overlap int // overlap of two parts
}

// usual are the sizes documented at [Each].
const (
	pieceSize = 256 << 10
	lineSize  = 1 << 20
	overlap   = 8 << 10
)

// splitter splits a document into pieces.
type splitter struct {
	sizes
	ctx  context.Context
	room *[]byte // its first n bytes are the text read; it grows for long lines
	n    int     // number of bytes in room
	src  io.Reader
	// skip skips bytes of src that are known to be zeros, and returns how many. It may be nil.
	skip func() int64
	gap  int64 // bytes skipped after the text in room
	err  error // error from src, including io.EOF

	offset      int64 // offset of the first byte in room
	row, column int   // position of the first byte in room, from 1
	pages       bool  // the document has no lines
	inLine      bool  // the text in room belongs to a line that comes in parts
	carried     int   // how many of its bytes were also in the previous part
}

// pieces yields the pieces of the document, and last an error if reading failed. The text of a
// piece is in room and is overwritten by the next piece.
func (s *splitter) pieces(yield func(judge.Piece, error) bool) {
	s.inLine = s.inLine || s.pages
	for s.n > 0 || s.gap > 0 || s.err == nil {
		if err := s.ctx.Err(); err != nil {
			s.err = err
			break
		}
		s.fill()
		size, ends := s.next()
		if size > s.carried && !yield(s.part(size), nil) {
			return
		}
		s.advance(size, ends)
	}
	if err := s.failure(); err != nil {
		yield(judge.Piece{}, err)
	}
}

// failure returns why the document could not be read to its end, or nil.
func (s *splitter) failure() error {
	if errors.Is(s.err, io.EOF) {
		return nil
	}
	return s.err
}

// ended reports whether no bytes directly follow those that were read.
func (s *splitter) ended() bool { return s.err != nil || s.gap > 0 }

// fill reads until there is enough for a piece, and further to the end of a line that is not too
// long.
func (s *splitter) fill() {
	for s.n < s.piece && !s.ended() {
		s.read(s.piece)
	}
	for !s.inLine && s.n < s.line && !s.ended() && bytes.IndexByte((*s.room)[:s.n], '\n') < 0 {
		s.read(min(s.line, s.n+s.piece))
	}
}

// readHead reads enough to find out what the document is.
func (s *splitter) readHead() {
	for s.n < headSize && !s.ended() {
		s.read(headSize)
	}
}

// read reads once, until there are about `most` bytes.
func (s *splitter) read(most int) {
	const spare = utf8.UTFMax // leaves room for one more character
	if len(*s.room) < most+spare {
		grown := make([]byte, most+spare)
		copy(grown, (*s.room)[:s.n])
		*s.room = grown
	}
	if s.skip != nil {
		if s.gap = s.skip(); s.gap > 0 {
			return
		}
	}
	n, err := s.src.Read((*s.room)[s.n : most+spare])
	s.n += n
	s.err = err
}

// next returns the size of the next piece, and whether it ends a line that comes in parts.
func (s *splitter) next() (size int, ends bool) {
	text := (*s.room)[:s.n]
	first := text[:min(s.n, s.piece)]
	if !s.inLine {
		if s.ended() && s.n <= s.piece {
			return s.n, false
		}
		if i := bytes.LastIndexByte(first, '\n'); i >= 0 {
			return beforeKey(first[:i+1]), false
		}
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			return i + 1, false
		}
		if s.n < s.line {
			return s.n, false // the last line
		}
		s.inLine = true
	}
	if !s.pages {
		if i := bytes.IndexByte(first[s.carried:], '\n'); i >= 0 {
			return s.carried + i + 1, true
		}
	}
	if len(first) < s.n || !s.ended() {
		return charBoundary(first, len(first)), false
	}
	return len(first), false
}

// part returns the first size bytes as a piece.
func (s *splitter) part(size int) judge.Piece {
	p := judge.Piece{Line: s.row, Column: s.column, Offset: s.offset, InLine: s.inLine}
	if s.pages {
		p.Line, p.Column = 0, 0
	}
	p.Text = unsafe.String(&(*s.room)[0], size)
	return p
}

// advance drops a piece of that size, except the overlap with the next one.
func (s *splitter) advance(size int, ends bool) {
	text := (*s.room)[:s.n]
	drop := size
	s.carried = 0
	switch {
	case ends:
		s.inLine = s.pages
	case s.inLine && !(s.ended() && size == s.n):
		drop = charBoundary(text, max(1, size-s.overlap))
		s.carried = size - drop
	}
	s.movePosition(text[:drop])
	s.n = copy(*s.room, text[drop:])
	if s.n == 0 && s.gap > 0 {
		s.offset += s.gap
		s.column += int(s.gap)
		s.gap = 0
	}
}

// movePosition moves the position of the first byte past the text.
func (s *splitter) movePosition(text []byte) {
	s.offset += int64(len(text))
	if i := bytes.LastIndexByte(text, '\n'); i >= 0 {
		s.row += bytes.Count(text, []byte{'\n'})
		s.column = 1
		text = text[i+1:]
	}
	s.column += len(text)
}

// charBoundary returns the largest index up to `at` that is not inside a character.
func charBoundary(text []byte, at int) int {
	for i := at - 1; i > max(0, at-utf8.UTFMax); i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:at]) {
				return i
			}
			break
		}
	}
	return at
}

// beforeKey returns where to split whole lines so that no private key is split: before the header
// of a key that does not end in them.
func beforeKey(lines []byte) int {
	const keySize = 16 << 10
	tail := max(0, len(lines)-keySize)
	begin := bytes.LastIndex(lines[tail:], []byte("-----BEGIN "))
	if begin < 0 || bytes.Contains(lines[tail+begin:], []byte("-----END ")) {
		return len(lines)
	}
	if start := bytes.LastIndexByte(lines[:tail+begin], '\n') + 1; start > 0 {
		return start
	}
	return len(lines)
}
