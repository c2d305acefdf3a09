package quietread

import (
	"bufio"
	"context"
	"errors"
)

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
