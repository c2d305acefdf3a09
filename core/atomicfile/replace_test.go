package atomicfile

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"winnow/core/memory"
)

var campaign = flag.String("campaign", "", "full: all of the races and crashes, not a tenth")

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

// TestOddPlacesAreNamed refuses what is not a file that can be replaced, leaving all
// as it is.
func TestOddPlacesAreNamed(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	put(t, at("file"), "a\n")
	put(t, at("closed"), "a\n")
	for _, err := range []error{
		os.Mkdir(at("folder"), 0o755), os.Symlink("loop2", at("loop")), os.Symlink("loop", at("loop2")),
		os.Symlink("file", at("link")), os.Chmod(at("closed"), 0),
	} {
		if err != nil {
			t.Skip("links cannot be made here: ", err)
		}
	}
	if err := os.Truncate(at("file"), 0); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, code string }{
		{"folder", "is-folder"}, {"loop", "link-loop"}, {"loop/x", "link-loop"}, {"file/x", "folder-gone"},
		{strings.Repeat("n", 300), "name-too-long"}, {strings.Repeat("n", 300) + "/x", "name-too-long"},
		{"closed", "permission"},
	} {
		_, err := Replace(t.Context(), OS(), at(c.name), addLine(t, "b"))
		if can := CanReplace(OS(), at(c.name)); code(err) != c.code || code(can) != c.code {
			t.Errorf("%.20s: %v, before: %v; want %s", c.name, err, can, c.code)
		}
	}
	u := addLine(t, "b")
	u.Real = true
	if _, err := Replace(t.Context(), OS(), at("link"), u); code(err) != "is-link" {
		t.Errorf("link: %v, want is-link", err)
	}
	onlyFiles(t, dir, "closed", "file", "folder", "link", "loop", "loop2")
}

func TestLinkToMissingFileIsFilled(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("new/file", filepath.Join(dir, "link")); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	if real, err := Resolve(OS(), filepath.Join(dir, "link")); code(err) != "folder-gone" {
		t.Errorf("resolved to %q, %v", real, err)
	}
	if _, err := Replace(t.Context(), OS(), filepath.Join(dir, "link"), addLine(t, "b")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dir, "new", "file")); got != "b\n" {
		t.Errorf("the file holds %q", got)
	}
	if real, err := Resolve(OS(), filepath.Join(dir, "link")); err != nil || real != filepath.Join(dir, "new", "file") {
		t.Errorf("resolved to %q, %v", real, err)
	}
}

func TestVanishedFolderIsNamed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "store")
	put(t, path, "a\n")
	u := addLine(t, "b")
	u.Stage = func(string, []byte, []byte) error { return os.RemoveAll(dir) }
	if _, err := Replace(t.Context(), OS(), path, u); code(err) != "folder-gone" {
		t.Errorf("%v, want folder-gone", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
}

func TestTooLargeIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store")
	put(t, path, "")
	if err := os.Truncate(path, MaxSize+1); err != nil {
		t.Skip("a large file cannot be made here: ", err)
	}
	if _, err := Replace(t.Context(), OS(), path, addLine(t, "b")); code(err) != "too-large" {
		t.Errorf("%v, want too-large", err)
	}
}

// TestOwnErrorsAndTheContextEndAReplacement leaves all as it was.
func TestOwnErrorsAndTheContextEndAReplacement(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "store")
	put(t, path, "a\n")
	own := errors.New("own")
	refusing, failing, ending := addLine(t, "b"), addLine(t, "b"), addLine(t, "b")
	refusing.Next = func([]byte) ([]byte, error) { return nil, own }
	failing.Stage = func(string, []byte, []byte) error { return own }
	ctx, cancel := context.WithCancel(t.Context())
	ending.Stage = func(string, []byte, []byte) error { cancel(); return nil }
	for _, c := range []struct {
		u    Update
		want error
	}{{refusing, own}, {failing, own}, {ending, context.Canceled}, {addLine(t, "b"), context.Canceled}} {
		if _, err := Replace(ctx, OS(), path, c.u); err != c.want {
			t.Errorf("error %v, want %v", err, c.want)
		}
	}
	if _, err := Replace(t.Context(), OS(), filepath.Join(dir, "new", "file"), failing); err != own {
		t.Errorf("error %v, want %v", err, own)
	}
	if got := read(t, path); got != "a\n" {
		t.Errorf("the file holds %q", got)
	}
	onlyFiles(t, dir, "store")
}

func TestProblemsReachTheirCause(t *testing.T) {
	err := failed("save", "/x/store", &os.PathError{Op: "write", Path: "/x/store", Err: syscall.ENOSPC})
	var p *memory.Problem
	if !errors.Is(err, syscall.ENOSPC) || !errors.As(err, &p) || p.Hint == "" ||
		err.Error() != "save store: no space left on device" {
		t.Errorf("%v, %+v", err, p)
	}
	more := withHint(err, "and more")
	if !errors.Is(more, syscall.ENOSPC) || !errors.As(more, &p) || !strings.HasSuffix(p.Hint, "; and more") {
		t.Errorf("%v, %+v", more, p)
	}
}
