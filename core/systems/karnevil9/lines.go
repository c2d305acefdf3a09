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
)

// line is one line of a file, without its line feed.
type line struct {
	No     int // from 1
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

// lines reads a store line by line in bounded memory.
type lines struct {
	src        io.ReaderAt
	buf        []byte
	start, end int   // of the unread part of buf
	off        int64 // of buf[start]
	no         int   // of the line read last
	eof        bool
}

func linesFrom(src io.ReaderAt) *lines { return &lines{src: src} }

// record returns the next line that is not blank. The error is io.EOF after the last.
func (r *lines) record(ctx context.Context) (line, error) {
	for {
		if err := ctx.Err(); err != nil {
			return line{}, err
		}
		if l, err := r.next(ctx); err != nil || !l.blank() {
			return l, err
		}
	}
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
	l := line{No: r.no, Len: int64(n), Text: r.buf[r.start : r.start+n], Closed: closed}
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
// with the beginning of its text.
func (r *lines) skipLong(ctx context.Context) (line, error) {
	r.no++
	l := line{No: r.no, Text: bytes.Clone(r.buf[r.start : r.start+keptOfLong])}
	begin := r.off
	for off := begin + int64(r.end-r.start); ; {
		if err := ctx.Err(); err != nil {
			return line{}, err
		}
		n, err := r.src.ReadAt(r.buf, off)
		r.eof = errors.Is(err, io.EOF)
		if err != nil && !r.eof {
			return line{}, err
		}
		i := bytes.IndexByte(r.buf[:n], '\n')
		if i < 0 && !r.eof {
			off += int64(n)
			continue
		}
		if l.Closed = i >= 0; !l.Closed {
			i = n
		}
		l.Len = off + int64(i) - begin
		r.start, r.end = min(i+1, n), n
		r.off = off + int64(r.start)
		return l, nil
	}
}
