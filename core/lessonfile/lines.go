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
	maxLine    = 1 << 20  // longer lines are not decoded
	keptOfLong = 64 << 10 // bytes of a longer line to keep for display
)

// line is one line of a file that is a record, that is, not only white space.
type line struct {
	text   string       // without its line end; only the beginning if the line is too long
	no     int          // from 1
	size   int          // length of a line that is too long, otherwise 0
	parsed *lesson.Line // by the loader, or nil
}

// lines reads a store line by line in bounded memory.
type lines struct {
	in   *bufio.Reader
	off  int64  // offset of the next line
	no   int    // number of the last line read
	long []byte // buffer for a line longer than that of in
}

func linesFrom(src io.Reader) *lines { return &lines{in: bufio.NewReaderSize(src, readBuffer)} }

// all returns the lines, and the error that stops reading before the end.
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

// record returns the next line. After the last one the error is io.EOF.
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

// mayServe reports whether an agent may be given the line.
func (c *line) mayServe(approved func(*memory.Record) bool) bool {
	if approved == nil {
		return true
	}
	r, ok := lesson.Words(c.text)
	return ok && c.size == 0 && approved(&r)
}

// hasWordsOf reports whether the line has the words of a record that an agent was given.
func (c *line) hasWordsOf(r *system.Served) bool {
	words, ok := lesson.Words(c.text)
	return ok && c.size == 0 && words.Title == r.Title && string(words.Outcome) == r.Outcome && words.Body == r.Body &&
		memory.SameWhen(words.When) == memory.SameWhen(r.When)
}

// load passes the line to a loader and reports whether an agent would read on.
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
