package journal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// ErrNotAFile reports that a journal's path leads to a folder, pipe or device.
var ErrNotAFile = errors.New("not a regular file")

// ReadFile reads the journal at path. A missing file is fs.ErrNotExist.
func ReadFile(ctx context.Context, path string, o Options) (Report, error) {
	f, info, err := open(path)
	if err != nil {
		return Report{}, fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	// What an agent appends meanwhile is left for the next reading.
	return Read(ctx, io.LimitReader(f, info.Size()), info.Size(), o)
}

// open opens a regular file for reading, without waiting for a pipe's writer.
func open(path string) (*os.File, os.FileInfo, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &os.PathError{Op: "open", Path: path, Err: ErrNotAFile}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// Holder is who holds the lock of a journal.
type Holder struct {
	Text string // what the lock file says, at most 64 bytes of it
	PID  int    // the process it names; 0 when it names none
}

// LockPath returns the path of the lock file of the journal at path.
func LockPath(path string) string { return path + ".lock" }

// LockHolder returns who holds the lock of the journal at path. The holder may
// have died without removing it. No lock, or none that can be read, is false.
func LockHolder(path string) (Holder, bool) {
	f, _, err := open(LockPath(path))
	if err != nil {
		return Holder{}, false
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 64))
	if err != nil {
		return Holder{}, false
	}
	h := Holder{Text: string(b)}
	if pid, err := strconv.Atoi(strings.TrimSpace(h.Text)); err == nil && pid > 0 {
		h.PID = pid
	}
	return h, true
}
