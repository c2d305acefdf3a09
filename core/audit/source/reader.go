package source

import (
	"context"
	"io"

	"winnow/core/audit/judge"
	"winnow/core/quietread"
)

// fileReader reads a file up to the size it had when it was opened.
type fileReader struct {
	*run
	file     *quietread.File
	off, end int64
	counted  bool  // the file is judged, so its bytes count
	before   int64 // bytes read before counted was set
	holes    bool  // it has holes, and they were reported
}

// count starts counting the bytes read, including those read before.
func (f *fileReader) count() {
	f.counted = true
	f.tally.bytes.Add(f.before)
}

// Read implements [io.Reader].
func (f *fileReader) Read(p []byte) (int, error) {
	if f.off >= f.end {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), f.end-f.off)]
	n, err := f.file.ReadAt(p, f.off)
	f.off += int64(n)
	if !f.counted {
		f.before += int64(n)
		return n, err
	}
	f.tally.bytes.Add(int64(n))
	if f.off%(16*pieceSize) < int64(n) {
		f.tally.progress()
	}
	return n, err
}

// skip skips a hole in the file.
func (f *fileReader) skip() int64 {
	const worth = 64 << 10
	if f.off >= f.end {
		return 0
	}
	hole := min(f.file.NextData(f.off), f.end) - f.off
	if hole < worth {
		return 0
	}
	f.off += hole
	if !f.holes {
		f.holes = true
		f.tally.uncover("the holes of " + f.Short(f.file.Name()) + ", in which nothing is stored")
	}
	return hole
}

// readStdin is the job that reads standard input.
func readStdin(ctx context.Context, w *worker) {
	if w.In == nil || ctx.Err() != nil {
		return
	}
	in := &countedReader{run: w.run, src: interruptible(ctx, w.In)}
	s, head := w.readBeginning(ctx, in)
	d := judge.Doc{Path: "-", Form: w.guessForm(head)}
	w.tally.files.Add(1)
	w.visit(&d, s)
	if err := s.failure(); err != nil && ctx.Err() == nil {
		w.tally.fail("-", quietread.Problem(err))
	}
	w.tally.progress()
}

// countedReader counts the bytes read from a stream.
type countedReader struct {
	*run
	src io.Reader
}

// Read implements [io.Reader].
func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.src.Read(p)
	if before := c.tally.bytes.Add(int64(n)) - int64(n); before>>22 != (before+int64(n))>>22 {
		c.tally.progress()
	}
	return n, err
}

// interruptible returns a reader that ends with ctx, even while r has nothing to read. The
// goroutine that reads r ends only when r does, because a read from a terminal cannot be cancelled.
func interruptible(ctx context.Context, r io.Reader) io.Reader {
	out, in := io.Pipe()
	go func() {
		_, err := io.Copy(in, r)
		_ = in.CloseWithError(err) // never returns an error
	}()
	context.AfterFunc(ctx, func() { _ = out.CloseWithError(context.Cause(ctx)) })
	return out
}
