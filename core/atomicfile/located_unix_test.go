//go:build linux || darwin || freebsd || netbsd || openbsd

package atomicfile

import (
	"os"
	"path/filepath"
	"testing"
)

func TestOpenFolderIsWhereItWasMovedTo(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	was, now := filepath.Join(root, "was", "folder"), filepath.Join(root, "now", "folder")
	makeFolder := func(path string) {
		t.Helper()
		if err := os.MkdirAll(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	makeFolder(was)
	open, err := OS().Folder(was)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if !open.(located).isAt(was) {
		t.Error("the folder is not where it was opened")
	}
	if err := os.Rename(filepath.Dir(was), filepath.Dir(now)); err != nil {
		t.Fatal(err)
	}
	makeFolder(was)
	if open.(located).isAt(was) {
		t.Error("the folder is taken for the new one in its place")
	}
	if !open.(located).isAt(now) {
		t.Error("the folder is not where it was moved to")
	}
}
