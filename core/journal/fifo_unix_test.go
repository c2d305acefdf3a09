//go:build unix

package journal

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"winnow/core/quietread"
)

func TestPipeIsRefusedWithoutWaiting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	for _, p := range [...]string{path, LockPath(path)} {
		if err := syscall.Mkfifo(p, 0o600); err != nil {
			t.Skip("this file system makes no pipes: " + err.Error())
		}
	}
	if _, err := Lessons(t.Context(), path, 1); !errors.Is(err, quietread.ErrNotAFile) {
		t.Errorf("got %v", err)
	}
	if h, ok := LockHolder(path); ok {
		t.Errorf("lock: got %+v", h)
	}
}
