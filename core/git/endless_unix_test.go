//go:build unix

package git

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestGitIsNotStartedWhereItWouldWaitForEver: it reads these files before it answers.
func TestGitIsNotStartedWhereItWouldWaitForEver(t *testing.T) {
	g, err := Find()
	if err != nil {
		t.Skip("git is not on this machine")
	}
	for _, name := range []string{".gitignore", ".gitattributes", "sub/.gitignore", ".git/info/exclude", ".git/config"} {
		top := t.TempDir()
		for _, dir := range []string{".git/info", "sub"} {
			if err := os.MkdirAll(filepath.Join(top, dir), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := syscall.Mkfifo(filepath.Join(top, name), 0o600); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(top, "sub")
		var f *Failure
		if _, err := g.Run(t.Context(), dir, "ls-files", "--others", "--exclude-standard"); !errors.As(err, &f) ||
			!f.Endless() {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := g.Start(t.Context(), dir, false, "log"); !errors.As(err, &f) || !f.Endless() {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestGitThatListsFoldersEndsAtAPipeBelow: it reads the file of each folder when it comes to it.
func TestGitThatListsFoldersEndsAtAPipeBelow(t *testing.T) {
	g, err := Find()
	if err != nil {
		t.Skip("git is not on this machine")
	}
	top := t.TempDir()
	if _, err := g.Run(t.Context(), top, "init", "-q"); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(top, "a", "b", ".gitignore")
	if err := errors.Join(os.MkdirAll(filepath.Dir(pipe), 0o700), syscall.Mkfifo(pipe, 0o600)); err != nil {
		t.Fatal(err)
	}
	var f *Failure
	_, err = g.Run(t.Context(), top, "ls-files", "--others", "--exclude-standard")
	if !errors.As(err, &f) || !f.Endless() || !strings.Contains(f.Line(), pipe) {
		t.Errorf("run: %v", err)
	}
	p, err := g.Start(t.Context(), top, false, "ls-files", "--others", "--exclude-standard")
	if err == nil {
		err = p.Each(0, func([]byte) error { return nil })
	}
	if !errors.As(err, &f) || !f.Endless() { // it is ended before or after it started
		t.Errorf("started: %v", err)
	}
}

// TestGitIsNotStartedWithSettingsThatNeverEnd: it reads them before anything else.
func TestGitIsNotStartedWithSettingsThatNeverEnd(t *testing.T) {
	g, err := Find()
	if err != nil {
		t.Skip("git is not on this machine")
	}
	home := t.TempDir()
	for name, vars := range map[string][]string{
		".gitconfig":         {"HOME=" + home},
		".config/git/config": {"HOME=" + home},
		".config/git/ignore": {"HOME=" + home, "GIT_CONFIG_GLOBAL=" + os.DevNull},
		"own/git/config":     {"HOME=/nowhere", "XDG_CONFIG_HOME=" + filepath.Join(home, "own")},
		"named":              {"GIT_CONFIG_GLOBAL=" + filepath.Join(home, "named")},
		"system":             {"GIT_CONFIG_SYSTEM=" + filepath.Join(home, "system")},
	} {
		ctx := WithVariables(t.Context(), vars)
		if _, err := g.Run(ctx, home, "version"); err != nil {
			t.Errorf("%s: without a pipe: %v", name, err)
		}
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		var f *Failure
		if _, err := g.Run(ctx, home, "version"); !errors.As(err, &f) || !f.Endless() {
			t.Errorf("%s: %v", name, err)
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
}
