package crashdisk

import (
	"errors"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile"
)

// save replaces /s/store in the way that a test chooses, right or wrong.
func save(t *testing.T, d *Disk, text string, syncFile, syncFolder bool) {
	t.Helper()
	dir, err := d.Folder("/s")
	must(t, err)
	f, err := dir.Create("temp", 0o600)
	must(t, err)
	_, err = f.Write([]byte(text))
	must(t, err)
	if syncFile {
		must(t, f.Sync())
	}
	must(t, dir.Rename("temp", "store"))
	if syncFolder {
		must(t, dir.Sync())
	}
	d.Mark("saved")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// faults counts crashes after which the store is torn, and those after which a
// reported save is missing.
func faults(d *Disk, was, now string) (torn, missing int) {
	for s := range d.Crashes(1000) {
		got, ok := s.Files()["/s/store"]
		if !ok || got != was && got != now {
			torn++
		}
		if s.Reached("saved") && got != now {
			missing++
		}
	}
	return torn, missing
}

func TestCrashesShowWhatAWriterForgot(t *testing.T) {
	was, now := "old\n", strings.Repeat("new\n", 2000)
	for _, c := range []struct {
		name                 string
		syncFile, syncFolder bool
		torn, missing        bool
	}{
		{"right", true, true, false, false},
		{"no sync of the file", false, true, true, true},
		{"no sync of the folder", true, false, false, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := New(map[string]string{"/s/store": was})
			save(t, d, now, c.syncFile, c.syncFolder)
			torn, missing := faults(d, was, now)
			if torn > 0 != c.torn || missing > 0 != c.missing {
				t.Errorf("%d torn, %d missing; want some: %v, %v", torn, missing, c.torn, c.missing)
			}
		})
	}
}

func TestCrashesAreDistinctAndTheSameEachTime(t *testing.T) {
	d := New(map[string]string{"/s/store": "old\n"})
	save(t, d, strings.Repeat("new\n", 2000), false, true)
	count := func() (n int, sum int) {
		for s := range d.Crashes(500) {
			n++
			sum += len(s.Files()["/s/store"]) * n
		}
		return n, sum
	}
	n, sum := count()
	again, sumAgain := count()
	if n < 500 || n != again || sum != sumAgain {
		t.Errorf("%d states with sum %d, then %d with %d", n, sum, again, sumAgain)
	}
}

func TestNamesKeepTheirOrderWhereTheyTouch(t *testing.T) {
	d := New(map[string]string{"/s/a": "1", "/s/b": "2"})
	dir, err := d.Folder("/s")
	must(t, err)
	must(t, dir.Rename("a", "c"))
	must(t, dir.Remove("c"))
	must(t, dir.Rename("b", "e"))
	got := map[string]bool{}
	for s := range d.Crashes(100) {
		var names string
		for _, n := range []string{"a", "b", "c", "e"} {
			if _, ok := s.Files()["/s/"+n]; ok {
				names += n
			}
		}
		got[names] = true
	}
	for _, want := range []string{"ab", "bc", "b", "ae", "ce", "e"} {
		if !got[want] {
			t.Errorf("no crash leaves %q", want)
		}
		delete(got, want)
	}
	if len(got) > 0 {
		t.Errorf("a crash leaves %v", got)
	}
}

func TestFaults(t *testing.T) {
	d := New(map[string]string{"/s/": ""})
	dir, err := d.Folder("/s") // 1
	must(t, err)
	f, err := dir.Create("x", 0o600) // 2
	must(t, err)
	d.Fail(3, Fault{Err: syscall.ENOSPC, Short: 2})
	d.Fail(4, Fault{Short: 1})
	d.Fail(5, Fault{Err: syscall.EIO})
	if n, err := f.Write([]byte("abc")); n != 2 || err != syscall.ENOSPC {
		t.Errorf("write: %d, %v", n, err)
	}
	if n, err := f.Write([]byte("cd")); n != 1 || err != nil {
		t.Errorf("short write: %d, %v", n, err)
	}
	if err := f.Sync(); !errors.Is(err, syscall.EIO) {
		t.Errorf("sync: %v", err)
	}
	must(t, f.Sync())
	if got := d.Resyncs(); len(got) != 1 {
		t.Errorf("resyncs %q, want one", got)
	}
	if got := d.Files()["/s/x"]; got != "abc" {
		t.Errorf("content %q", got)
	}
}

var _ atomicfile.Disk = (*Disk)(nil)
