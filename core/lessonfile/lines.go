package lessonfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

const (
	readBuffer = 64 << 10
	maxLine    = 1 << 20  // a longer line is not decoded
	keptOfLong = 64 << 10 // so much of it is kept to be looked at
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
func (l *line) blank() bool {
	return l.Len == int64(len(l.Text)) && len(bytes.TrimLeftFunc(l.Text, jstext.IsSpace)) == 0
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
	in   *bufio.Reader
	off  int64  // of the next line
	no   int    // of the line read last
	long []byte // a line that is longer than the buffer of in
}

func linesFrom(src io.Reader) *lines { return &lines{in: bufio.NewReaderSize(src, readBuffer)} }

// record returns the next line that is not blank. The error is io.EOF after the last.
func (r *lines) record(ctx context.Context) (line, error) {
	for {
		if l, err := r.next(ctx); err != nil || !l.blank() {
			return l, err
		}
	}
}

// next returns the next line. The error is io.EOF after the last one.
func (r *lines) next(ctx context.Context) (line, error) {
	text, size, err := quietread.ReadLine(ctx, r.in, &r.long, maxLine)
	if ctx.Err() != nil {
		return line{}, ctx.Err()
	}
	if err != nil && !errors.Is(err, io.EOF) || size == 0 {
		return line{}, err
	}
	r.no++
	r.off += int64(size)
	l := line{No: r.no, Len: int64(size), Text: text, Closed: err == nil}
	if l.Closed {
		l.Len--
		l.Text = bytes.TrimSuffix(text, []byte("\n"))
	}
	if l.Len > maxLine {
		l.Text = l.Text[:keptOfLong]
	}
	return l, nil
}

// copied is a copy of a line that is a record.
type copied struct {
	text   string
	no     int
	size   int          // of a line that is too long, else 0
	parsed *lesson.Line // by the loader, or nil
}

// copied copies what is needed of a line.
func (l *line) copied() copied {
	if l.Len > int64(len(l.Text)) {
		return copied{text: string(l.Text), no: l.No, size: int(l.Len)}
	}
	return copied{text: string(l.raw()), no: l.No}
}

// serves reports whether an agent may be given the line.
func (c *copied) serves(approved func(*memory.Record) bool) bool {
	if approved == nil {
		return true
	}
	title, outcome, body, ok := lesson.Words(c.text)
	return ok && c.size == 0 && approved(&memory.Record{Title: title, Outcome: outcome, Body: body})
}

// says reports whether the line has the words of a record that an agent was given.
func (c *copied) says(r *system.Served) bool {
	title, outcome, body, ok := lesson.Words(c.text)
	return ok && c.size == 0 && title == r.Title && string(outcome) == r.Outcome && body == r.Body
}

// load passes the line on to a loader and reports whether an agent reads on.
func (c *copied) load(to *lesson.Loader) (more bool) {
	if c.size > 0 {
		return to.Skip(c.no)
	}
	parsed, more := to.Add(c.text, c.no)
	c.parsed = &parsed
	return more
}

// decode returns the record in the line.
func (c *copied) decode() memory.Record {
	switch {
	case c.size > 0:
		return lesson.TooLong(c.text, c.size, c.no)
	case c.parsed != nil:
		return c.parsed.Record()
	}
	return lesson.Record(c.text, c.no)
}
