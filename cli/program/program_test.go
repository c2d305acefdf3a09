package program

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFolderIsRemovedWithTheDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	path, remove, err := unpack(time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	remove()
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}
