package quietread

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
)

func put(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRegularFileIsReadThroughALink(t *testing.T) {
	path := put(t, "text")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(path, link); err != nil {
		link = path // links cannot be created here
	}
	f, err := Open(link)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if text, err := io.ReadAll(f); string(text) != "text" || err != nil || f.Info.Size() != 4 {
		t.Errorf("read %q, %v; size %d", text, err, f.Info.Size())
	}
}

func TestFolderIsNotOpened(t *testing.T) {
	_, err := Open(t.TempDir())
	if !errors.Is(err, ErrNotAFile) {
		t.Errorf("Open = %v, want %v", err, ErrNotAFile)
	}
	if p := Problem(err); p.Code != CodeFolder || p.What == "" || p.Hint == "" {
		t.Errorf("problem = %+v", p)
	}
}

func TestMissingFileIsMissing(t *testing.T) {
	path := put(t, "")
	for _, gone := range []string{path + "-not", filepath.Join(path, "below a file")} {
		_, err := Open(gone)
		if p := Problem(err); p.Code != CodeMissing {
			t.Errorf("problem of %v = %+v", err, p)
		}
	}
}

func TestEveryCauseHasASentenceAndAHint(t *testing.T) {
	for code, err := range map[string]error{
		CodeMissing:    fs.ErrNotExist,
		CodeUnreadable: &fs.PathError{Op: "open", Path: "x", Err: fs.ErrPermission},
		CodeNotAFile:   &fs.PathError{Op: "open", Path: "x", Err: &Irregular{Mode: fs.ModeSocket}},
		CodeReadError:  io.ErrUnexpectedEOF,
	} {
		if p := Problem(err); p.Code != code || p.What == "" || p.Hint == "" {
			t.Errorf("problem of %v = %+v, want the code %s and words", err, p, code)
		}
	}
}

func TestWriteToAnOpenFileIsSeen(t *testing.T) {
	path := put(t, "one")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Changed() {
		t.Error("changed before anybody wrote")
	}
	if err := os.WriteFile(path, []byte("longer"), 0o600); err != nil {
		t.Fatal(err)
	}
	if !f.Changed() {
		t.Error("a write to the open file is not seen")
	}
}

func TestNextDataStaysInTheFile(t *testing.T) {
	path := put(t, "begin")
	if err := os.Truncate(path, 1<<30); err != nil {
		t.Skip("the file system has no room for the size of the file:", err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	next := f.NextData(64 << 20)
	if next < 64<<20 || next > 1<<30 {
		t.Errorf("next data at %d, want it between the asked place and the end", next)
	}
	if got := f.NextData(0); got != 0 {
		t.Errorf("next data from the beginning at %d, want 0", got)
	}
}

func TestHolesAreReadAsZeros(t *testing.T) {
	path := put(t, "begin")
	want := make([]byte, 3<<20)
	copy(want, "begin")
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	for at, text := range map[int64]string{1<<20 + 7: "middle", 3<<20 - 3: "end"} {
		copy(want[at:], text)
		if _, err := f.WriteAt([]byte(text), at); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	quiet, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer quiet.Close()
	for range 2 { // each reader starts at the beginning
		if got, err := io.ReadAll(quiet.Whole()); err != nil || !bytes.Equal(got, want) {
			t.Errorf("read %d bytes, %v; want %d as they were written", len(got), err, len(want))
		}
	}
	if err := iotest.TestReader(quiet.Whole(), want); err != nil {
		t.Error(err)
	}
}

func TestLimitOfOpenFilesIsNoFaultOfTheDisk(t *testing.T) {
	p := Problem(&fs.PathError{Op: "open", Path: "memory.jsonl", Err: syscall.EMFILE})
	if !strings.Contains(p.Hint, "ulimit -n") || strings.Contains(p.Hint, "disk") {
		t.Errorf("hint %q", p.Hint)
	}
}

func TestFirstLineSurvivesAByteOrderMark(t *testing.T) {
	for text, want := range map[string]string{
		"\ufeff{1}\n\ufeff{2}": "{1}\n|\ufeff{2}|", "\ufeff": "", "": "", "\ufeff\n": "\n|", "\xef\xbb": "\xef\xbb|",
		"a\n": "a\n|",
	} {
		got := ""
		for _, r := range []io.Reader{strings.NewReader(text), iotest.OneByteReader(strings.NewReader(text))} {
			got = ""
			err := Lines(t.Context(), r, 100, func(line []byte) bool { got += string(line) + "|"; return true })
			if err != nil || got != want {
				t.Errorf("%q has the lines %q, %v; want %q", text, got, err, want)
			}
		}
	}
	broken := errors.New("broken")
	err := Lines(t.Context(), iotest.ErrReader(broken), 100, func([]byte) bool { return true })
	if !errors.Is(err, broken) {
		t.Errorf("a reader that breaks at once: %v", err)
	}
}
