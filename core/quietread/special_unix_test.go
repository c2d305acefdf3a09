//go:build unix

package quietread

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("this file system makes no pipes: " + err.Error())
	}
	for _, p := range []string{path, os.DevNull} {
		if _, err := Open(p); !errors.Is(err, ErrNotAFile) || Problem(err).Code != CodeNotAFile {
			t.Errorf("Open of %s = %v, want %v", p, err, ErrNotAFile)
		}
	}
}

func TestLinkToItselfHasItsSentence(t *testing.T) {
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(loop); Problem(err).Code != CodeLinkLoop {
		t.Errorf("problem of %v = %+v", err, Problem(err))
	}
}
