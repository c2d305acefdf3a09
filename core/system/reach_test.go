package system_test

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/core/system"
)

func TestResolvedFollowsLinksAnywhere(t *testing.T) {
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
	for link, to := range map[string]string{
		"a/up":      "../a/b",
		"abs":       filepath.Join(dir, "a", "up"),
		"a/b/loop":  "loop",
		"a/b/twice": "../../abs/file",
		"a/gone":    "../missing/deep",
	} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"/a/b/file": "/a/b/file", "/abs/file": "/a/b/file", "/a/up/../b/twice": "/a/b/file",
		"/abs/none/x":  "/a/b/none/x",
		"/abs/../none": "/a/none", "/a//b/./file": "/a/b/file", "/a/b/file/x": "/a/b/file/x",
		"/a/b/loop/x": "/a/b/loop/x", "": "",
		"/a/gone": "/missing/deep", "/a/gone/x/y": "/missing/deep/x/y",
	} {
		if got := system.Resolved(dir + path); got != dir+want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := system.Resolved("/../.."); got != "/" {
		t.Errorf("above the root is %s", got)
	}
}

func TestChangesStayInTheProject(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	project := filepath.Join(top, "project")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{top}, parts...)...) }
	r := system.Reach{
		Project: project,
		Folders: []string{at("dotfiles"), at("home", "kept")},
		Files:   []string{at("named.jsonl")},
	}
	for path, want := range map[string]bool{
		at("project", "x"): true, at("project", "a", "b", "x"): true, project: true,
		at("projects"): false, at("x"): false, top: false, "/": false, "": false,
		at("project", ".git", "config"): false, at("project", "sub", ".GIT", "hooks", "x"): false,
		at("project", ".github", "x"): true,
		at("dotfiles", "x"):           true, at("dotfiles", ".git", "config"): false, at("dotfiles2", "x"): false,
		// home is missing, and has to be made
		at("home"): true, at("home", "kept", "x"): true, at("home", "other"): false,
		at("named.jsonl"): true, at(".winnow-1.tmp"): true, at("named.jsonl.bak"): false,
	} {
		if err := r.May(path); (err == nil) != want {
			t.Errorf("%q: %v, want allowed %v", path, err, want)
		}
	}
	if err := (&system.Reach{Anywhere: true, Project: project}).May(at("x")); err != nil {
		t.Errorf("what the person names: %v", err)
	}
}
