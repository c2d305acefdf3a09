package lessonfile

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"iter"

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

// line is one line of a file that is a record: one that holds more than white space.
type line struct {
	text   string       // without its line end; the beginning of a line that is too long
	no     int          // from 1
	size   int          // of a line that is too long, else 0
	parsed *lesson.Line // by the loader, or nil
}

// lines reads a store line by line in bounded memory.
type lines struct {
	in   *bufio.Reader
	off  int64  // of the next line
	no   int    // of the line read last
	long []byte // a line that is longer than the buffer of in
}

func linesFrom(src io.Reader) *lines { return &lines{in: bufio.NewReaderSize(src, readBuffer)} }

// all returns the lines, and the error that ends them before the last.
func (r *lines) all(ctx context.Context) iter.Seq2[line, error] {
	return func(yield func(line, error) bool) {
		for {
			l, err := r.record(ctx)
			if errors.Is(err, io.EOF) || !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// record returns the next line. The error is io.EOF after the last.
func (r *lines) record(ctx context.Context) (line, error) {
	for {
		text, size, err := quietread.ReadLine(ctx, r.in, &r.long, maxLine)
		if ctx.Err() != nil {
			return line{}, ctx.Err()
		}
		if err != nil && !errors.Is(err, io.EOF) || size == 0 {
			return line{}, err
		}
		r.no++
		r.off += int64(size)
		closed := err == nil
		if closed {
			size--
			text = bytes.TrimSuffix(text, []byte("\n"))
		}
		switch {
		case size > maxLine:
			return line{text: string(text[:keptOfLong]), no: r.no, size: size}, nil
		case len(bytes.TrimLeftFunc(text, jstext.IsSpace)) == 0:
			continue
		case closed:
			text = bytes.TrimSuffix(text, []byte("\r"))
		}
		return line{text: string(text), no: r.no}, nil
	}
}

// serves reports whether an agent may be given the line.
func (c *line) serves(approved func(*memory.Record) bool) bool {
	if approved == nil {
		return true
	}
	title, outcome, body, ok := lesson.Words(c.text)
	return ok && c.size == 0 && approved(&memory.Record{Title: title, Outcome: outcome, Body: body})
}

// says reports whether the line has the words of a record that an agent was given.
func (c *line) says(r *system.Served) bool {
	title, outcome, body, ok := lesson.Words(c.text)
	return ok && c.size == 0 && title == r.Title && string(outcome) == r.Outcome && body == r.Body
}

// load passes the line on to a loader and reports whether an agent reads on.
func (c *line) load(to *lesson.Loader) (more bool) {
	if c.size > 0 {
		return to.Skip(c.no)
	}
	parsed, more := to.Add(c.text, c.no)
	c.parsed = &parsed
	return more
}

// decode returns the record in the line.
func (c *line) decode() memory.Record {
	switch {
	case c.size > 0:
		return lesson.TooLong(c.text, c.size, c.no)
	case c.parsed != nil:
		return c.parsed.Record()
	}
	return lesson.Record(c.text, c.no)
}
