package atomicfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

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

func TestLogOfTheSystem(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "history")
	l := openLog(t, atomicfile.OS(), path)
	add(t, l, "one", true)
	add(t, l, "two", false)
	other := openLog(t, atomicfile.OS(), path)
	if err := other.Rewrite([]byte("ONE\nTWO\n")); err != nil {
		t.Fatal(err)
	}
	add(t, l, "three", true) // through the descriptor of the old file
	if b, err := os.ReadFile(path); err != nil || string(b) != "ONE\nTWO\nthree\n" {
		t.Errorf("it holds %q, %v", b, err)
	}
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
	if _, err := atomicfile.OpenLog(atomicfile.OS(), filepath.Join(dir, "history", "x")); code(err) != "link-loop" &&
		code(err) != "folder-gone" &&
		err == nil {
		t.Errorf("%v, want a problem", err)
	}
}

// TestTornLineSpoilsNoOther ends a line that a crash left unfinished before the next.
func TestTornLineSpoilsNoOther(t *testing.T) {
	d := crashdisk.New(map[string]string{history: "one\ntw"})
	l := openLog(t, d, history)
	add(t, l, "three", true)
	if got := d.Files()[history]; got != "one\ntw\nthree\n" {
		t.Errorf("it holds %q", got)
	}
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
			if got != "one\n" && got != "one\ntwo\n" || got == "one\n" && err == nil ||
				err != nil && code(err) != want {
				t.Errorf("%v at %s: %v, %q", errno, d.Trace()[n-1], err, got)
			}
			if synced && (l.Append([]byte("three"), true) == nil || l.Rewrite(nil) == nil || len(d.Resyncs()) > 0) {
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
		err := l.Rewrite([]byte("two\n"))
		if d.Ops() < before+n {
			break
		}
		if got := d.Files()[history]; err == nil || code(err) != "no-space" || got != "one\n" && got != "two\n" ||
			len(d.Files()) != 1 {
			t.Errorf("at %s: %v, %q", d.Trace()[before+n-1], err, d.Files())
		}
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
	if err := l.Rewrite([]byte("first\nline 0\nline 1\nline 2\n")); err != nil {
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

// TestWhatWasLeftHalfWrittenIsRemoved, and nothing else.
func TestWhatWasLeftHalfWrittenIsRemoved(t *testing.T) {
	state, elsewhere := t.TempDir(), t.TempDir()
	kept := []string{"state.json", "drafts/lesson-1.txt", "stores/a/deep/x.new", "linked"}
	for _, name := range append([]string{"state.json.new", "learn/key.new", "stores/a/history.new"}, kept[:3]...) {
		path := filepath.Join(state, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, age := range map[string]time.Duration{
		".winnow-0123456789abcdef.tmp": time.Minute,
		".winnow-fedcba9876543210.tmp": 0,
	} {
		path := filepath.Join(state, "learn", name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	kept = append(kept, "learn/.winnow-fedcba9876543210.tmp") // somebody may be writing it
	victim := filepath.Join(elsewhere, "victim.new")
	if err := os.WriteFile(victim, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(state, "linked")); err != nil {
		t.Skip(err)
	}
	atomicfile.RemoveUnfinished(state, time.Now())
	atomicfile.RemoveUnfinished(filepath.Join(state, "missing"), time.Now())
	var left []string
	_ = filepath.WalkDir(state, func(path string, d os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(state, path); err == nil && !d.IsDir() {
			left = append(left, filepath.ToSlash(rel))
		}
		return err
	})
	if slices.Sort(kept); !slices.Equal(left, kept) {
		t.Errorf("%q are left, want %q", left, kept)
	}
	if _, err := os.Stat(victim); err != nil {
		t.Error("a link was followed")
	}
}

// starting is a disk on which another process starts before a rename, so often as it says.
type starting struct {
	atomicfile.Disk
	state  string
	starts *int
}

func (d starting) Folder(path string) (atomicfile.Folder, error) {
	dir, err := d.Disk.Folder(path)
	return startingFolder{dir, d}, err
}

type startingFolder struct {
	atomicfile.Folder
	disk starting
}

func (f startingFolder) Rename(from, to string) error {
	if *f.disk.starts > 0 {
		*f.disk.starts--
		atomicfile.RemoveUnfinished(f.disk.state, time.Now())
	}
	return f.Folder.Rename(from, to)
}

func TestAStartDisturbsNoWriter(t *testing.T) {
	for starts := range 4 {
		state := t.TempDir()
		path := filepath.Join(state, "state.json")
		if err := atomicfile.Rewrite(starting{atomicfile.OS(), state, &starts}, path, []byte("new")); err != nil {
			t.Error(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != "new" || starts != 0 {
			t.Errorf("it holds %q (%v), %d starts were not made", got, err, starts)
		}
	}
}
