//go:build unix

package git

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// TestProgramsThatGitStartedEndWithIt opens a pipe that ends when the last of them has ended.
func TestProgramsThatGitStartedEndWithIt(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("this test needs sleep")
	}
	dir := t.TempDir()
	pipe, script := filepath.Join(dir, "pipe"), filepath.Join(dir, "git")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("this file system makes no pipes: " + err.Error())
	}
	put(t, script, "#!/bin/sh\nsleep 1000 >'"+pipe+"' &\nwait\n")
	p, err := Git{program: script}.Start(t.Context(), dir, false, "log")
	if err != nil {
		t.Fatal(err)
	}
	held, err := os.Open(pipe)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	p.Stop()
	if text, err := io.ReadAll(held); len(text) > 0 || err != nil {
		t.Errorf("read %q, %v", text, err)
	}
}
