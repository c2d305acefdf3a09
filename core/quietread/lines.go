package quietread

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// byteOrderMark is what some editors and shells put before the text of a file.
var byteOrderMark = []byte("\ufeff")

// Lines calls each for each line of r, including its line end, until each returns false. A byte order mark is no
// part of the first line. The last line may have no line end. The bytes are only valid during the call. A line of
// more than most bytes is passed as nil. The error is that of r or of ctx.
func Lines(ctx context.Context, r io.Reader, most int, each func(line []byte) (more bool)) error {
	const once = 64 << 10
	in, long := bufio.NewReaderSize(r, once), []byte(nil)
	if begin, _ := in.Peek(len(byteOrderMark)); bytes.Equal(begin, byteOrderMark) { // an error comes again
		_, _ = in.Discard(len(begin))
	}
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

// ReadLine returns the next line of r, including its line end, and its total size. If a line does
// not fit into r's buffer, it is collected in long, which keeps little more than the first most
// bytes. The text is valid until the next call. The error is that of r; if ctx is done, the line is
// incomplete.
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
