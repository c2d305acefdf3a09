package filestore

import (
	"os"
	"path/filepath"
	"testing"
)

func TestRealPathFollowsLinksAnywhere(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "b", "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"a/up": "../a/b", "abs": filepath.Join(dir, "a", "up"), "a/b/loop": "loop", "a/b/twice": "../../abs/file"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"/a/b/file": "/a/b/file", "/abs/file": "/a/b/file", "/a/up/../b/twice": "/a/b/file", "/abs/none/x": "/a/b/none/x",
		"/abs/../none": "/a/none", "/a//b/./file": "/a/b/file", "/a/b/file/x": "/a/b/file/x", "/a/b/loop/x": "/a/b/loop/x", "": "",
	} {
		if got := realPath(dir + path); got != dir+want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := realPath("/../.."); got != "/" {
		t.Errorf("above the root is %s", got)
	}
}
