package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"winnow/core/quietread"
)

// What is read of a transcript at most.
const (
	mostLine = 32 << 20 // bytes of a line; a longer one holds images or files
	mostFile = 1 << 30
)

// walk is the reading of a transcript.
type walk struct {
	long, broken int  // lines that were left out
	torn         bool // the last line has no end
	cut          bool // there is more than mostFile
}

// lines calls each for the lines of the transcript at path that are not blank. The bytes
// are valid until each returns; it returns whether the line is a whole object. The error
// is that of the context, or a *memory.Problem.
func lines(ctx context.Context, path string, each func(line []byte) bool) (walk, error) {
	var w walk
	f, err := quietread.Open(path)
	if err != nil {
		return w, quietread.Problem(err)
	}
	defer f.Close() // nothing was written
	r := bufio.NewReaderSize(io.LimitReader(f, mostFile), 64<<10)
	w.cut = f.Info.Size() > mostFile
	var long []byte
	for {
		if err := ctx.Err(); err != nil {
			return w, err
		}
		line, tooLong, err := next(r, &long)
		if err != nil && !errors.Is(err, io.EOF) {
			return w, quietread.Problem(err)
		}
		ended := err == nil
		switch {
		case tooLong:
			w.long++
		case len(bytes.TrimSpace(line)) == 0:
		case !each(line) && ended:
			w.broken++
		}
		if !ended {
			w.torn = len(line) > 0 || tooLong
			return w, nil
		}
	}
}

// next returns the next line, without its end, or that it was too long. The error is
// io.EOF for a line that has no end. Long is space for those longer than the buffer.
func next(r *bufio.Reader, long *[]byte) (line []byte, tooLong bool, err error) {
	part, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return bytes.TrimSuffix(part, []byte("\n")), false, err
	}
	*long = append((*long)[:0], part...)
	for errors.Is(err, bufio.ErrBufferFull) {
		part, err = r.ReadSlice('\n')
		if len(*long)+len(part) > mostLine {
			tooLong = true
			*long = (*long)[:0]
		}
		if !tooLong {
			*long = append(*long, part...)
		}
	}
	line = bytes.TrimSuffix(*long, []byte("\n"))
	if tooLong || cap(*long) > 1<<20 {
		*long = nil
	}
	return line, tooLong, err
}

// notes says what was left out.
func (w walk) notes() []string {
	var out []string
	if w.long > 0 {
		out = append(out, fmt.Sprintf("%s longer than %d MB left out.", were(w.long), mostLine>>20))
	}
	if w.broken > 0 {
		out = append(out, fmt.Sprintf("%s not JSON left out.", were(w.broken)))
	}
	if w.cut {
		out = append(out, fmt.Sprintf("The transcript is longer than %d MB; the rest was not read.", mostFile>>20))
	}
	return out
}

func were(n int) string {
	if n == 1 {
		return "1 line that is"
	}
	return fmt.Sprintf("%d lines that are", n)
}
