package karnevil9

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sort"
)

// markEvery is how many records lie between two marks of an index: 16 bytes of
// memory for each 10,000 records.
const markEvery = 10_000

// mark is the place of a record in its file.
type mark struct {
	records int // before it
	line    int // its number, from 1
	off     int64
}

// index counts the lines of a file and remembers the place of some of them.
type index struct {
	records int // lines that are not blank, so far
	lines   int // lines that are complete
	off     int64
	marks   []mark

	open, solid bool  // inside a line; which is not blank
	begin       int64 // of that line
}

// add counts a line that is a record, and all lines before it.
func (x *index) add(l *line) {
	x.off = l.Off + l.Len
	if l.Closed {
		x.off++
	}
	x.lines = l.No
	x.record(l.No, l.Off)
}

func (x *index) record(no int, off int64) {
	if x.records%markEvery == 0 {
		x.marks = append(x.marks, mark{x.records, no, off})
	}
	x.records++
}

// near returns the last mark at or before the record with that many before it.
// Without one it returns the beginning.
func (x *index) near(records int) mark {
	i := sort.Search(len(x.marks), func(i int) bool { return x.marks[i].records > records })
	if i == 0 {
		return mark{line: 1}
	}
	return x.marks[i-1]
}

// count counts the rest of src, and calls progress after each chunk. Holes are
// not read: they are full of zeros, which end no line.
func (x *index) count(ctx context.Context, src source, progress func()) error {
	var buf []byte
	for size := endBuffer; ; size = countChunk {
		if len(buf) != size {
			buf = make([]byte, size)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if next := src.NextData(x.off); next > x.off && x.skip(src, next) {
			break
		}
		n, err := src.ReadAt(buf, x.off)
		x.feed(buf[:n])
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		progress()
	}
	x.finish()
	return nil
}

// skip steps over a hole that ends at next, and reports whether the file ends
// with it.
func (x *index) skip(src source, next int64) bool {
	var one [1]byte
	if !x.open {
		x.open, x.begin = true, x.off
	}
	x.solid = true
	x.off = next
	n, _ := src.ReadAt(one[:], next)
	return n == 0
}

// feed counts the lines of chunk, which lies at x.off.
func (x *index) feed(chunk []byte) {
	for len(chunk) > 0 {
		if !x.open {
			x.open, x.solid, x.begin = true, false, x.off
		}
		i := bytes.IndexByte(chunk, '\n')
		text := chunk
		if i >= 0 {
			text = chunk[:i]
		}
		if !x.solid {
			x.solid = !isBlank(text)
		}
		if i < 0 {
			x.off += int64(len(chunk))
			return
		}
		x.off += int64(i) + 1
		x.close()
		chunk = chunk[i+1:]
	}
}

// finish counts a last line that has no line feed.
func (x *index) finish() {
	if x.open {
		x.close()
	}
}

func (x *index) close() {
	x.lines++
	if x.solid {
		x.record(x.lines, x.begin)
	}
	x.open = false
}
