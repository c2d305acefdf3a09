//go:build unix

package sqlite

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipesAreNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("this file system makes no pipes:", err)
	}
	_, err := tryCount(t.Context(), path, "a")
	problem(t, err, "not-a-file")
	problem(t, Change(t.Context(), path, Patience, insert), "not-a-file")
	for _, suffix := range []string{walSuffix, journalSuffix} {
		sound := made(t, "", 1)
		if err := syscall.Mkfifo(sound+suffix, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := tryCount(t.Context(), sound, "a")
		problem(t, err, "not-a-file")
	}
}
