// Package statefile changes Winnow's own small files of state: it locks, reads, changes and replaces
// one, so that two processes that change it at once lose nothing.
package statefile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// Waiting times for a lock that another process holds. ForChange is for what must be written.
// ForLook is for what a person only looks at, and for what may be left out.
const (
	ForChange = 20 * time.Second
	ForLook   = 300 * time.Millisecond
)

// File is a file in the state folder, with mode 0600 in folders of mode 0700. Links are followed.
// The zero File cannot be used.
type File struct {
	Path string
	// Most is the maximum size in bytes; a larger file is refused. 0 means [atomicfile.MaxSize].
	Most int
	// Lock is the file that is locked, for several files under one lock; empty means Path with .lock
	// added.
	Lock string
}

// Hold locks the file against other processes, and waits for them at most wait. The error is that of
// ctx, or a *memory.Problem whose code is Busy if another process keeps the lock. Release may be
// called once.
func (f File) Hold(ctx context.Context, wait time.Duration) (release func(), err error) {
	path := f.Lock
	if path == "" {
		path = f.Path + ".lock"
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	release, err = atomicfile.Lock(limited, path)
	if err != nil && ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) {
		return nil, &memory.Problem{
			Code: busy, What: "another winnow is changing " + filepath.Base(f.Path) + " in " + filepath.Dir(f.Path),
			Hint: "try again in a moment; a winnow that was stopped (Ctrl+Z) must go on or end first",
		}
	}
	return release, err
}

// busy is the code of the problem that another process keeps a lock.
const busy = "state-busy"

// IsBusy reports whether an error means that another process kept the lock.
func IsBusy(err error) bool {
	var p *memory.Problem
	return errors.As(err, &p) && p.Code == busy
}

// Read returns the content of the file without locking it, or nil if it is missing. Its reading time
// stays as it was. The error is a *memory.Problem.
func (f File) Read() ([]byte, error) {
	data, cut, err := quietread.ReadFile(f.Path, int64(f.most()))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		p := *quietread.Problem(err)
		p.What = "read " + f.Path + ": " + p.What
		return nil, &p
	case cut:
		return nil, &memory.Problem{
			Code: "state-too-large", What: fmt.Sprintf("read %s: it has more than %d bytes", f.Path, f.most()),
			Hint: "move the file away: winnow begins a new one",
		}
	}
	return data, nil
}

func (f File) most() int {
	if f.Most == 0 {
		return atomicfile.MaxSize
	}
	return f.Most
}

// Write replaces the file in one step and durably. The lock must be held.
func (f File) Write(data []byte) error {
	path, err := f.resolved()
	if err != nil {
		return err
	}
	return atomicfile.Rewrite(atomicfile.OS(), path, data)
}

// Append appends lines to a log. If it then has more than most bytes, its older half is dropped; 0 keeps all.
// With sync the lines are durable when it returns. The lock must be held.
func (f File) Append(most int, sync bool, lines ...string) error {
	if most == 0 {
		most = math.MaxInt
	}
	path, err := f.resolved()
	if err != nil {
		return err
	}
	return atomicfile.AppendBounded(atomicfile.OS(), path, most, sync, lines...)
}

// resolved creates the folder of the file, and returns its path without links.
func (f File) resolved() (string, error) {
	if err := atomicfile.MakeFolder(atomicfile.OS(), filepath.Dir(f.Path)); err != nil {
		return "", err
	}
	return atomicfile.Resolve(atomicfile.OS(), f.Path)
}

// Change locks the file, reads it, and replaces it with what next makes of its content, which is nil
// for a missing file. An error of next ends it without a change, [atomicfile.ErrUnchanged] without an
// error. It waits for another process at most wait; see Hold.
func (f File) Change(ctx context.Context, wait time.Duration, next func(now []byte) ([]byte, error)) error {
	release, err := f.Hold(ctx, wait)
	if err != nil {
		return err
	}
	defer release()
	now, err := f.Read()
	if err != nil {
		return err
	}
	data, err := next(now)
	if errors.Is(err, atomicfile.ErrUnchanged) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Write(data)
}
