package quietread

import (
	"context"
	"io"
)

// Until returns a reader of r whose reads end with the error of ctx when ctx is done, even if r does
// not answer, as on a disk that hangs. Its reads may not overlap.
func Until(ctx context.Context, r io.Reader) io.Reader { return &until{ctx: ctx, r: r} }

type until struct {
	ctx    context.Context
	r      io.Reader
	buffer []byte
}

// Read implements [io.Reader].
func (u *until) Read(p []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	if len(u.buffer) < len(p) {
		u.buffer = make([]byte, len(p))
	}
	type result struct {
		n   int
		err error
	}
	buffer, done := u.buffer[:len(p)], make(chan result, 1)
	go func() {
		n, err := u.r.Read(buffer)
		done <- result{n, err}
	}()
	select {
	case got := <-done:
		return copy(p, buffer[:got.n]), got.err
	case <-u.ctx.Done(): // there is no later read, so a read that hangs may keep the buffer
		return 0, u.ctx.Err()
	}
}
