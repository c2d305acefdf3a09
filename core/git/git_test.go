package git

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// repository creates a git repository with one commit.
func repository(t *testing.T) (Git, string) {
	t.Helper()
	g, err := Find()
	if err != nil {
		t.Skip("this test needs git")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "text\n")
	for _, args := range []string{"init -q", "add file", "commit -q -m one"} {
		prepare(t, dir, args)
	}
	return g, dir
}

// prepare runs git with words that have no spaces.
func prepare(t *testing.T, dir, args string) {
	t.Helper()
	cmd := exec.Command("git", strings.Fields("-c user.name=n -c user.email=e@e "+args)...)
	cmd.Dir, cmd.Env = dir, Environment(os.Environ())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v\n%s", args, err, out)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestOutputIsReturned(t *testing.T) {
	g, dir := repository(t)
	out, err := g.Run(t.Context(), dir, "ls-files", "-z")
	if string(out) != "file\x00" || err != nil {
		t.Errorf("Run = %q, %v", out, err)
	}
}

func TestRefusalIsAFailureThatSaysWhy(t *testing.T) {
	g, dir := repository(t)
	_, err := g.Run(t.Context(), dir, "cat-file", "-p", "no-such-thing")
	var f *Failure
	if !errors.As(err, &f) || f.Status != 128 || f.Line() != "Not a valid object name no-such-thing" {
		t.Errorf("Run = %v", err)
	}
	if want := "git cat-file: Not a valid object name no-such-thing"; err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	if f := (&Failure{Command: "log", Status: 3}); f.Error() != "git log: ended with status 3" {
		t.Errorf("a failure without words says %q", f)
	}
}

func TestTalkWithARunningGit(t *testing.T) {
	g, dir := repository(t)
	p, err := g.Start(t.Context(), dir, true, "cat-file", "--batch")
	if err != nil {
		t.Fatal(err)
	}
	want := "8e27be7d6154a1f68ea9160ef0e18691d20560dc blob 5\ntext\n\n"
	if _, err := io.WriteString(p.In, "HEAD:file\n"); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len(want))
	if _, err := io.ReadFull(p.Out, got); string(got) != want || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("Wait = %v", err)
	}
}

func TestEndOfTheContextEndsGit(t *testing.T) {
	g, dir := repository(t)
	ctx, cancel := context.WithCancel(t.Context())
	p, err := g.Start(ctx, dir, true, "cat-file", "--batch")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if out, _ := io.ReadAll(p.Out); len(out) > 0 {
		t.Errorf("read %q", out)
	}
	if err := p.Wait(); err == nil {
		t.Error("Wait returned no error for a git that was killed")
	}
}

func TestMissingProgramIsAFailure(t *testing.T) {
	g := Git{program: filepath.Join(t.TempDir(), "gone")}
	if _, err := g.Run(t.Context(), ".", "version"); err == nil {
		t.Error("Run of a missing program returned no error")
	}
	if _, err := g.Start(t.Context(), ".", true, "version"); err == nil {
		t.Error("Start of a missing program returned no error")
	}
}

func TestVariablesThatPointElsewhereDoNotLeak(t *testing.T) {
	leaks := []string{
		"GIT_DIR=/x", "GIT_WORK_TREE=/x", "GIT_INDEX_FILE=/x", "GIT_EXTERNAL_DIFF=/x", "GIT_PAGER=/x", "GIT_TRACE=/x",
		"GIT_ALTERNATE_OBJECT_DIRECTORIES=/x", "GIT_CONFIG_PARAMETERS='core.fsmonitor'='/x'", "GIT_LITERAL_PATHSPECS=1",
		"git_dir=/x",
	}
	stay := []string{
		"HOME=/h",
		"PATH=/p",
		"GIT_CONFIG_GLOBAL=/g",
		"GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=safe.directory",
		"GIT_CONFIG_VALUE_0=*",
	}
	env := Environment(slices.Concat(leaks, stay))
	for _, kv := range leaks {
		if slices.Contains(env, kv) {
			t.Errorf("%s reaches git", kv)
		}
	}
	for _, kv := range stay {
		if !slices.Contains(env, kv) {
			t.Errorf("%s does not reach git", kv)
		}
	}
}

func TestSettingsOfARepositoryStartNothing(t *testing.T) {
	g, dir := repository(t)
	sprung := filepath.Join(t.TempDir(), "sprung")
	trap := filepath.Join(t.TempDir(), "trap")
	put(t, trap, "#!/bin/sh\ntouch '"+sprung+"'\n")
	var config bytes.Buffer
	for section, key := range map[string]string{
		"core": "fsmonitor", "log": "showSignature = true\n[gpg]\n\tprogram", "diff": "external",
		`diff "x"`: "textconv", `filter "x"`: "clean", "pager": "log",
	} {
		config.WriteString("[" + section + "]\n\t" + key + " = " + filepath.ToSlash(trap) + "\n")
	}
	f, err := os.OpenFile(filepath.Join(dir, ".git", "config"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = f.Write(config.Bytes()); err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, ".gitattributes"), "* filter=x diff=x\n")
	for _, args := range [][]string{
		{"ls-files", "--cached", "--others", "--exclude-standard"},
		{"log", "--all", "--raw"},
		{"diff", "--cached", "--raw"},
	} {
		if _, err := g.Run(t.Context(), dir, args...); err != nil {
			t.Errorf("git %v: %v", args, err)
		}
	}
	if _, err := os.Lstat(sprung); err == nil {
		t.Error("a program that the repository names was run")
	}
}

func TestOutputThatIsTooLongIsCut(t *testing.T) {
	l := limited{most: 4}
	for _, s := range []string{"abc", "def", "ghi"} {
		if n, err := l.Write([]byte(s)); n != 3 || err != nil {
			t.Errorf("Write = %d, %v", n, err)
		}
	}
	if l.text.String() != "abcd" {
		t.Errorf("kept %q", l.text.String())
	}
}

func TestNameOfTheCommandIsFound(t *testing.T) {
	for args, want := range map[string]string{"--literal-pathspecs ls-files -z": "ls-files", "log": "log", "--version": ""} {
		if got := command(strings.Fields(args)); got != want {
			t.Errorf("command of %q = %q, want %q", args, got, want)
		}
	}
}
