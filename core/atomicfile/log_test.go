package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
)

const history = "/state/winnow/history"

// openLog opens a log that the test closes.
func openLog(t *testing.T, d atomicfile.Disk, path string) *atomicfile.Log {
	t.Helper()
	l, err := atomicfile.OpenLog(d, path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func add(t *testing.T, l *atomicfile.Log, line string, sync bool) {
	t.Helper()
	if err := l.Append([]byte(line), sync); err != nil {
		t.Fatal(err)
	}
}

// holds checks the content from an offset, and the size.
func holds(t *testing.T, l *atomicfile.Log, off int64, want string) {
	t.Helper()
	b, err := l.ReadFrom(off)
	size, sizeErr := l.Size()
	if err != nil || sizeErr != nil || string(b) != want || len(want) > 0 && size != off+int64(len(b)) {
		t.Errorf("from %d: %q, %v; size %d, %v; want %q", off, b, err, size, sizeErr, want)
	}
}

func TestLogOfTheSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "history")
	l := openLog(t, atomicfile.OS(), path)
	add(t, l, "one", true)
	add(t, l, "two", false)
	holds(t, l, 0, "one\ntwo\n")
	holds(t, l, 4, "two\n")
	holds(t, l, 99, "")
	if err := l.Sync(); err != nil {
		t.Error(err)
	}
	other := openLog(t, atomicfile.OS(), path)
	upper := func(old []byte) ([]byte, error) { return bytes.ToUpper(old), nil }
	if err := other.Rewrite(upper); err != nil {
		t.Fatal(err)
	}
	add(t, l, "three", true) // through the descriptor of the old file
	holds(t, other, 0, "ONE\nTWO\nthree\n")
	for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want mode %o", p, info, err, want)
		}
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Errorf("%v, %v; want the history alone", entries, err)
	}
}

func TestLogIsNotALink(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("elsewhere", filepath.Join(dir, "history")); err != nil {
		t.Skip("links cannot be made here: ", err)
	}
	if _, err := atomicfile.OpenLog(atomicfile.OS(), filepath.Join(dir, "history")); code(err) != "is-link" {
		t.Errorf("%v, want is-link", err)
	}
	if _, err := atomicfile.OpenLog(atomicfile.OS(), filepath.Join(dir, "history", "x")); code(err) != "link-loop" && code(err) != "folder-gone" && err == nil {
		t.Errorf("%v, want a problem", err)
	}
}

// TestTornLineSpoilsNoOther ends a line that a crash left unfinished before the next.
func TestTornLineSpoilsNoOther(t *testing.T) {
	d := crashdisk.New(map[string]string{history: "one\ntw"})
	l := openLog(t, d, history)
	add(t, l, "three", true)
	holds(t, l, 0, "one\ntw\nthree\n")
}

// TestFailedAppendLeavesNothing fails each operation of an append.
func TestFailedAppendLeavesNothing(t *testing.T) {
	for errno, want := range errnos {
		for n := 1; ; n++ {
			d := crashdisk.New(map[string]string{history: "one\n"})
			d.Fail(n, crashdisk.Fault{Err: errno, Short: 2})
			l, err := atomicfile.OpenLog(d, history)
			if err == nil {
				err = l.Append([]byte("two"), true)
			}
			if d.Ops() < n {
				break
			}
			got := d.Files()[history]
			synced := strings.Contains(d.Trace()[n-1], " sync ")
			if got != "one\n" && got != "one\ntwo\n" || got == "one\n" && err == nil || err != nil && code(err) != want {
				t.Errorf("%v at %s: %v, %q", errno, d.Trace()[n-1], err, got)
			}
			if synced && (l.Append([]byte("three"), true) == nil || l.Sync() == nil || len(d.Resyncs()) > 0) {
				t.Errorf("%v: the log goes on after a failed sync; %q", errno, d.Resyncs())
			}
		}
	}
}

// TestFailedRewriteChangesNothing fails each operation of a rewriting.
func TestFailedRewriteChangesNothing(t *testing.T) {
	for n := 1; ; n++ {
		d := crashdisk.New(map[string]string{history: "one\n"})
		l := openLog(t, d, history)
		d.Fail(d.Ops()+n, crashdisk.Fault{Err: syscall.ENOSPC, Short: 1})
		before := d.Ops()
		err := l.Rewrite(func([]byte) ([]byte, error) { return []byte("two\n"), nil })
		if d.Ops() < before+n {
			break
		}
		if got := d.Files()[history]; err == nil || code(err) != "no-space" || got != "one\n" && got != "two\n" || len(d.Files()) != 1 {
			t.Errorf("at %s: %v, %q", d.Trace()[before+n-1], err, d.Files())
		}
	}
	own := errors.New("own")
	l := openLog(t, crashdisk.New(nil), history)
	if err := l.Rewrite(func([]byte) ([]byte, error) { return nil, own }); !errors.Is(err, own) {
		t.Errorf("%v, want %v", err, own)
	}
}

// TestCrashLosesNoSyncedLine tries every crash of a log that is made, added to and
// rewritten.
func TestCrashLosesNoSyncedLine(t *testing.T) {
	d := crashdisk.New(nil)
	l := openLog(t, d, history)
	for i := range 3 {
		add(t, l, fmt.Sprint("line ", i), true)
		d.Mark(fmt.Sprint("line ", i))
	}
	if err := l.Rewrite(func(old []byte) ([]byte, error) { return append([]byte("first\n"), old...), nil }); err != nil {
		t.Fatal(err)
	}
	d.Mark("first")
	add(t, l, "line 3", true)
	d.Mark("line 3")
	n := 0
	for s := range d.Crashes(500) {
		n++
		got := s.Files()[history]
		for _, line := range []string{"line 0", "line 1", "line 2", "line 3", "first"} {
			if s.Reached(line) && !strings.Contains(got, line+"\n") {
				t.Fatalf("%q is lost: %q", line, got)
			}
		}
		after := openLog(t, s, history)
		add(t, after, "last", true)
		if got := s.Files()[history]; !strings.HasSuffix(got, "\nlast\n") && got != "last\n" {
			t.Fatalf("%q after %q", got, s.Files())
		}
	}
	if n < 40 {
		t.Errorf("%d crashes were tried, want at least 40", n)
	}
}
