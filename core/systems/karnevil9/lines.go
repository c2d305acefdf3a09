package karnevil9

import (
	"bytes"
	"context"
	"errors"
	"io"
	"unicode/utf8"

	"winnow/core/jstext"
)

const (
	firstBuffer = 64 << 10
	maxLine     = 1 << 20  // a longer line is not decoded
	keptOfLong  = 64 << 10 // so much of it is kept to be looked at
	countChunk  = 1 << 20
	endBuffer   = 4 << 10 // enough to see that nothing is left to count
)

// line is one line of a file, without its line feed.
type line struct {
	No     int   // from 1
	Off    int64 // of its first byte
	Len    int64
	Text   []byte // valid until the next call of next; cut if Len is more than maxLine
	Closed bool   // it ends with a line feed
}

// blank reports whether the line holds nothing but white space. Such lines are
// no records.
func (l *line) blank() bool { return l.Len == int64(len(l.Text)) && isBlank(l.Text) }

func isBlank(text []byte) bool {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == ' ' || '\t' <= c && c <= '\r':
			i++
		case c < utf8.RuneSelf:
			return false
		default:
			n := jstext.Space(string(text[i:min(i+utf8.UTFMax, len(text))]))
			if n == 0 {
				return false
			}
			i += n
		}
	}
	return true
}

// raw returns the text of the line without the carriage return of its end.
func (l *line) raw() []byte {
	if n := len(l.Text); l.Closed && n > 0 && l.Text[n-1] == '\r' && l.Len == int64(n) {
		return l.Text[:n-1]
	}
	return l.Text
}

// source is what lines are read from. NextData returns the first offset from
// off on at which something but a hole is stored, or the size when nothing is.
type source interface {
	io.ReaderAt
	NextData(off int64) int64
}

// lines reads a source line by line in bounded memory, from a place that is
// the beginning of a line.
type lines struct {
	src        source
	buf        []byte
	start, end int   // of the unread part of buf
	off        int64 // of buf[start]
	no         int   // of the line read last
	eof        bool
}

// linesFrom returns a reader that begins at offset off, the first byte of line
// no.
func linesFrom(src source, off int64, no int) *lines {
	return &lines{src: src, off: off, no: no - 1}
}

// next returns the next line. The error is io.EOF after the last one.
func (r *lines) next(ctx context.Context) (line, error) {
	for {
		unread := r.buf[r.start:r.end]
		if i := bytes.IndexByte(unread, '\n'); i >= 0 {
			return r.take(i, true), nil
		}
		if r.eof {
			if len(unread) == 0 {
				return line{}, io.EOF
			}
			return r.take(len(unread), false), nil
		}
		if len(unread) > maxLine {
			return r.skipLong(ctx)
		}
		if err := r.fill(ctx); err != nil {
			return line{}, err
		}
	}
}

// take returns the next n bytes as a line, and steps over its line feed.
func (r *lines) take(n int, closed bool) line {
	r.no++
	l := line{No: r.no, Off: r.off, Len: int64(n), Text: r.buf[r.start : r.start+n], Closed: closed}
	if n > maxLine {
		l.Text = l.Text[:keptOfLong]
	}
	if closed {
		n++
	}
	r.start += n
	r.off += int64(n)
	return l
}

// fill reads more bytes behind the unread ones.
func (r *lines) fill(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	unread := r.buf[r.start:r.end]
	switch {
	case r.buf == nil:
		r.buf = make([]byte, firstBuffer)
	case len(unread) > len(r.buf)/2:
		bigger := make([]byte, min(2*len(r.buf), maxLine+firstBuffer))
		copy(bigger, unread)
		r.buf = bigger
	default:
		copy(r.buf, unread)
	}
	r.start, r.end = 0, len(unread)
	n, err := r.src.ReadAt(r.buf[r.end:], r.off+int64(r.end))
	r.end += n
	if errors.Is(err, io.EOF) {
		r.eof, err = true, nil
	}
	return err
}

// skipLong returns the line that begins in the buffer and is longer than it,
// with the beginning of its text. Holes in the file are not read.
func (r *lines) skipLong(ctx context.Context) (line, error) {
	r.no++
	l := line{No: r.no, Off: r.off, Text: bytes.Clone(r.buf[r.start : r.start+keptOfLong])}
	off := r.off + int64(r.end-r.start)
	for {
		if err := ctx.Err(); err != nil {
			return line{}, err
		}
		next := r.src.NextData(off)
		n, err := r.src.ReadAt(r.buf, next)
		if err != nil && !errors.Is(err, io.EOF) {
			return line{}, err
		}
		i := bytes.IndexByte(r.buf[:n], '\n')
		if i < 0 && err == nil {
			off = next + int64(n)
			continue
		}
		if i < 0 {
			i = n
		} else {
			l.Closed = true
		}
		l.Len = next + int64(i) - r.off
		r.resume(next, i, n, l.Closed, err != nil)
		return l, nil
	}
}

// resume continues after a long line that ended at buf[i], with n bytes of the
// buffer filled from offset off.
func (r *lines) resume(off int64, i, n int, closed, eof bool) {
	if closed {
		i++
	}
	r.start, r.end, r.off, r.eof = i, n, off+int64(i), eof
}
