package quietread

import (
	"bufio"
	"context"
	"errors"
	"io"
)

// Lines calls each for the lines of r, with their ends and the last one also without, until each
// returns false. The bytes are valid until then; a line of more than most bytes is passed as nil. The
// error is that of r or of ctx.
func Lines(ctx context.Context, r io.Reader, most int, each func(line []byte) (more bool)) error {
	const once = 64 << 10
	in, long := bufio.NewReaderSize(r, once), []byte(nil)
	for ctx.Err() == nil {
		line, size, err := ReadLine(ctx, in, &long, most)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case size > most:
			line = nil
		}
		if size > 0 && !each(line) || err != nil {
			return nil
		}
	}
	return ctx.Err()
}

// ReadLine returns the next line of r, with its end and the size of all of it. Of a line that does
// not fit the buffer of r it keeps no more than the first most bytes and a buffer, in long. The text is
// valid until the next call. The error is that of r; when ctx is done the line is not whole.
func ReadLine(ctx context.Context, r *bufio.Reader, long *[]byte, most int) (text []byte, size int, err error) {
	text, err = r.ReadSlice('\n')
	if size = len(text); !errors.Is(err, bufio.ErrBufferFull) {
		return text, size, err
	}
	*long = append((*long)[:0], text...)
	for errors.Is(err, bufio.ErrBufferFull) && ctx.Err() == nil {
		text, err = r.ReadSlice('\n')
		if size += len(text); len(*long) <= most {
			*long = append(*long, text...)
		}
	}
	return *long, size, err
}
