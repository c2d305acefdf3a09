package karnevil9

import (
	"winnow/core/lesson"
	"winnow/core/memory"
)

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
