package kimchi

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

const notesPath = "/home/ada/memory/MEMORY.md"

// recorded is a Write on a disk that records it.
type recorded struct {
	disk     *crashdisk.Disk
	staged   []system.Staged
	written  system.Written
	from, to string
}

func onDisk(t *testing.T, disk *crashdisk.Disk) filestore.OneFile {
	t.Helper()
	w := storeAt(t, kimchi(), notesPath).Writer()
	w.Disk, w.Readable, w.Lock = disk, nil, nil
	return w
}

// record makes some changes on a disk in memory, while agents save as often as saves
// says, right before an exchange, each time with an entry more than stands there.
func record(t *testing.T, saves int) recorded {
	t.Helper()
	w := recorded{from: "A\n§\nB\n§\nC\n§\nD\n"}
	w.disk = crashdisk.New(map[string]string{notesPath: w.from})
	s := onDisk(t, w.disk)
	saved, theirs := 0, strings.TrimSuffix(w.from, "\n")
	w.disk.Before(func(op crashdisk.Op) {
		if op.Do == "exchange" && saved < saves {
			saved++
			theirs += fmt.Sprint(delimiter, "Theirs ", saved)
			w.disk.Put(notesPath, theirs)
		}
	})
	written, err := s.Write(t.Context(), system.Write{
		Changes: []memory.Change{deletion("A", 1), editing("B", "Mine", 2), adding("By hand")},
		Stage: func(st system.Staged) error {
			w.disk.Mark(fmt.Sprint("staged ", len(w.staged)))
			w.staged = append(w.staged, st)
			return nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	w.disk.Mark("done")
	w.written, w.to = written, w.disk.Files()[notesPath]
	if atomicfile.Digest([]byte(w.to)) != written.Splices.To {
		t.Fatal("the disk does not hold what was written")
	}
	return w
}

// settle starts again after a crash. It returns the entries that are there then, and
// whether the changes are said to stand.
func (w recorded) settle(t *testing.T, crashed *crashdisk.Disk) (entries []string, stands bool) {
	t.Helper()
	s := onDisk(t, crashed)
	for i := len(w.staged) - 1; i >= 0; i-- {
		if !crashed.Reached(fmt.Sprint("staged ", i)) {
			continue
		}
		var err error
		if stands, err = s.Recover(t.Context(), w.staged[i]); err != nil {
			t.Fatal(err)
		}
		break
	}
	for path := range crashed.Files() {
		if path != notesPath {
			t.Errorf("%s is left", path)
		}
	}
	return kimchi().split(crashed.Files()[notesPath]).Raws(), stands
}

func TestCrashLeavesTheOldNotesOrTheNew(t *testing.T) {
	w := record(t, 0)
	if w.to != "Mine\n§\nC\n§\nD\n§\nBy hand\n" {
		t.Fatalf("the file holds %q", w.to)
	}
	n := 0
	for crashed := range w.disk.Crashes(64) {
		n++
		_, stands := w.settle(t, crashed)
		want := w.from
		if stands {
			want = w.to
		}
		if got := crashed.Files()[notesPath]; got != want || crashed.Reached("done") && !stands {
			t.Errorf("crash %d: the changes stand: %v, and the file holds %q", n, stands, got)
		}
	}
	if n < 10 {
		t.Errorf("%d crashes, want more", n)
	}
}

func TestCrashWhileAgentsSaveLosesNoEntry(t *testing.T) {
	for saves := 1; saves <= 3; saves++ {
		w := record(t, saves)
		n := 0
		for crashed := range w.disk.Crashes(64) {
			n++
			entries, stands := w.settle(t, crashed)
			mine := slices.Contains(entries, "Mine") && slices.Contains(entries, "By hand")
			if mine != stands || slices.Contains(entries, "A") == stands || !slices.Contains(entries, "C") ||
				!slices.Contains(entries, "D") {
				t.Errorf("%d saves, crash %d: the changes stand: %v, and the file holds %q", saves, n, stands, entries)
			}
			if crashed.Reached("done") && (!stands || len(entries) != 4+saves) {
				t.Errorf("%d saves, crash %d: after it was done the file holds %q (%v)", saves, n, entries, stands)
			}
			slices.Sort(entries)
			if len(slices.Compact(slices.Clone(entries))) != len(entries) {
				t.Errorf("%d saves, crash %d: an entry is doubled: %q", saves, n, entries)
			}
		}
		if n < 10 {
			t.Errorf("%d crashes, want more", n)
		}
	}
}
