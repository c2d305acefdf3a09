//go:build unix

package filestore_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

func TestPipeInTheWayIsNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x.md")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip("this file system makes no pipes:", err)
	}
	if f := filestore.Read(path, 10); f.Problem == nil || f.Problem.Code != "not-a-file" {
		t.Errorf("read %+v", f)
	}
	if _, _, p := filestore.Names(path, 10); p == nil || p.Code != "no-folder" {
		t.Errorf("names %+v", p)
	}
	for _, do := range []memory.ChangeKind{memory.Editing, memory.Deleting, memory.Adding} {
		_, err := on(
			dir,
		).Write(t.Context(), system.Write{Changes: []memory.Change{{Do: do, ID: "x.md", Before: "a", After: "b"}}})
		hinted(t, err, "not-a-file")
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("it is %v, %v", info, err)
	}
}

func TestFolderThatCannotBeWrittenHasItsSentence(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("does not apply: root writes everywhere")
	}
	dir := t.TempDir()
	put(t, filepath.Join(dir, "x.md"), "text")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	hinted(t, filestore.CanWrite(on(dir).Disk, dir), "permission")
}
