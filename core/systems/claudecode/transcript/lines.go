package transcript

import (
	"bufio"
	"context"
	"errors"
	"io"

	"winnow/core/quietread"
)

// What is read of a transcript: at once, and at the most.
const (
	fileRead = 64 << 10
	mostFile = 1 << 30
	mostLine = 32 << 20 // bytes of a line; a longer one holds images or files
)

// lines calls each for the lines of the transcript at path, of which it reads most bytes, until
// each returns false. The bytes are valid until then. Lines that are too long are left out. The
// error is that of the context, or a *memory.Problem.
func lines(ctx context.Context, path string, once int, most int64, each func(line []byte) (more bool)) error {
	f, err := quietread.Open(path)
	if err != nil {
		return quietread.Problem(err)
	}
	defer f.Close() // nothing was written
	r := bufio.NewReaderSize(io.LimitReader(f, most), once)
	var long []byte
	for ctx.Err() == nil {
		line, size, err := quietread.ReadLine(ctx, r, &long, mostLine)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !errors.Is(err, io.EOF):
			return quietread.Problem(err)
		case size > mostLine:
			line = nil
		}
		if !each(line) || err != nil {
			return nil
		}
	}
	return ctx.Err()
}
