package journal

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"

	"winnow/core/quietread"
)

// ReadFile reads the journal at path, and changes nothing by that. A missing file is
// fs.ErrNotExist, and what is not a regular file [quietread.ErrNotAFile].
func ReadFile(ctx context.Context, path string, o Options) (Report, error) {
	f, err := quietread.Open(path)
	if err != nil {
		return Report{}, fmt.Errorf("open journal: %w", err)
	}
	defer f.Close()
	// What an agent appends meanwhile is left for the next reading.
	return Read(ctx, io.LimitReader(f, f.Info.Size()), f.Info.Size(), o)
}

// Holder is who holds the lock of a journal.
type Holder struct {
	Text string // what the lock file says, at most 64 bytes of it
	PID  int    // the process it names; 0 when it names none
}

// Alive reports whether the process that holds the lock runs.
func (h Holder) Alive() bool { return h.PID > 0 && alive(h.PID) }

// LockPath returns the path of the lock file of the journal at path.
func LockPath(path string) string { return path + ".lock" }

// LockHolder returns who holds the lock of the journal at path. The holder may
// have died without removing it. No lock, or none that can be read, is false.
func LockHolder(path string) (Holder, bool) {
	text, _, err := quietread.ReadFile(LockPath(path), 64)
	if err != nil {
		return Holder{}, false
	}
	h := Holder{Text: string(text)}
	if pid, err := strconv.Atoi(strings.TrimSpace(h.Text)); err == nil && pid > 0 {
		h.PID = pid
	}
	return h, true
}
