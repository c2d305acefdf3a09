package atomicfile

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
)

// addLine returns an update that adds a line, and adopts lines.
func addLine(t testing.TB, line string) Update {
	t.Helper()
	temp, err := NewTemp(nil)
	if err != nil {
		t.Fatal(err)
	}
	return Update{Temp: temp, Adopt: adoptLines, Next: func(now []byte) ([]byte, error) {
		if slices.Contains(strings.Split(string(now), "\n"), line) {
			return nil, ErrUnchanged
		}
		return append(slices.Clone(now), line+"\n"...), nil
	}}
}

// adoptLines adds the lines that found has more than base.
func adoptLines(mine, base, found []byte) ([]byte, error) {
	has := map[string]bool{}
	for _, b := range [][]byte{mine, base} {
		for line := range bytes.Lines(b) {
			has[string(line)] = true
		}
	}
	out := slices.Clone(mine)
	for line := range bytes.Lines(found) {
		if !has[string(line)] {
			out = append(out, line...)
		}
	}
	return out, nil
}

// read returns what stands at path; a missing file is "-".
func read(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "-"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// onlyFiles fails when the folder of a test holds anything else.
func onlyFiles(t testing.TB, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s holds %q, want %q", dir, got, want)
	}
}

// code returns the code of a problem, and how err reads when it is none.
func code(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	if err == nil {
		return ""
	}
	return "no problem: " + err.Error()
}

func TestReplaceReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	put(t, path, "a\n")
	r, err := Replace(t.Context(), OS(), path, addLine(t, "b"))
	if err != nil || r.Rounds != 1 || r.Foreign != 0 || string(r.From) != "a\n" || string(r.To) != "a\nb\n" {
		t.Errorf("report %+v, error %v", r, err)
	}
	if got := read(t, path); got != "a\nb\n" {
		t.Errorf("the file holds %q", got)
	}
	onlyFiles(t, dir, "store")
}

func TestMissingFileAndFoldersAreMade(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x", "y", "store")
	if _, err := Replace(t.Context(), OS(), path, addLine(t, "b")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "b\n" {
		t.Errorf("the file holds %q", got)
	}
	for p, want := range map[string]os.FileMode{"x": 0o700, "x/y": 0o700, "x/y/store": 0o600} {
		if info, err := os.Stat(filepath.Join(dir, p)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want mode %o", p, info, err, want)
		}
	}
}

func TestUnchangedWritesNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	put(t, path, "b\n")
	before, _ := os.Stat(path)
	r, err := Replace(t.Context(), OS(), path, addLine(t, "b"))
	after, _ := os.Stat(path)
	if err != nil || r.Rounds != 0 || !os.SameFile(before, after) {
		t.Errorf("report %+v, error %v", r, err)
	}
}
