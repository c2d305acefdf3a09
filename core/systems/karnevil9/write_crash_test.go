package karnevil9

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
	"winnow/core/jsonl"
	"winnow/core/lesson"
	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/system"
)

const memoryPath = "/home/agent/memory.jsonl"

// recorded is a Write on a disk that records it.
type recorded struct {
	disk    *crashdisk.Disk
	was     []memory.Record
	staged  []system.Staged
	written system.Written
	from    string
	last    string // what stood there before the last exchange
	to      string
}

// record makes some changes on a disk in memory, while two agents in turn save as
// often as saves says, right before an exchange, each time with a lesson that the
// other does not know.
func record(t *testing.T, saves int) recorded {
	t.Helper()
	w := recorded{from: string(lessons(4)) + "\n"}
	w.disk = crashdisk.New(map[string]string{memoryPath: w.from})
	s := onDiskOf(w.disk)
	w.was = allOn(w.disk)
	title := "By hand"
	added := composed(t, s, "", memory.Edit{Title: &title})
	held, saved := [2]string{w.from, w.from}, 0
	w.last = w.from
	w.disk.Before(func(op crashdisk.Op) {
		if op.Do != "exchange" || saved == saves {
			return
		}
		saved++
		theirs := fmt.Sprint("Theirs ", saved)
		agent := &held[saved%2]
		*agent += composed(t, s, "", memory.Edit{Title: &theirs}) + "\n"
		w.disk.Put(memoryPath, *agent)
		w.last = *agent
	})
	written, err := s.Write(t.Context(), system.Write{
		Changes: []memory.Change{
			deletion(w.was[0]), titled(t, s, w.was[1], "Mine"),
			{Do: memory.Adding, ID: s.Decode(added).ID, Record: s.Decode(added), After: added},
		},
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
	w.written = written
	w.to = w.disk.Files()[memoryPath]
	if atomicfile.Digest([]byte(w.to)) != written.Splices.To {
		t.Fatal("the disk does not hold what was written")
	}
	return w
}

func onDiskOf(d *crashdisk.Disk) *Store {
	k := kind()
	k.Disk = d
	return lessonfile.Open(k, memoryPath, now)
}

// allOn returns the records that are on a disk.
func allOn(d *crashdisk.Disk) (records []memory.Record) {
	for form := range strings.Lines(d.Files()[memoryPath]) {
		records = append(records, lesson.Record(strings.TrimSuffix(form, "\n"), len(records)+1))
	}
	return records
}

// settle starts again after a crash. It returns what the store then holds, and
// whether the changes are said to stand.
func (w recorded) settle(t *testing.T, crashed *crashdisk.Disk) (titles []string, stands bool) {
	t.Helper()
	s := onDiskOf(crashed)
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
		if path != memoryPath {
			t.Errorf("%s is left", path)
		}
	}
	for _, r := range allOn(crashed) {
		if r.Problem != nil {
			t.Errorf("a damaged record: %q", r.Raw)
		}
		titles = append(titles, r.Title)
	}
	return titles, stands
}

func TestAgentsThatSaveInTheSameInstantLoseNothing(t *testing.T) {
	for saves := 1; saves <= 4; saves++ {
		w := record(t, saves)
		titles, stands := w.settle(t, w.disk)
		slices.Sort(titles)
		want := []string{"By hand", "Mine", w.was[2].Title, w.was[3].Title}
		for i := range saves {
			want = append(want, fmt.Sprint("Theirs ", i+1))
		}
		if !slices.Equal(titles, want) || !stands || w.written.Adopted != saves {
			t.Errorf("%d saves: the store holds %q, %d adopted; want %q", saves, titles, w.written.Adopted, want)
		}
		final := w.staged[len(w.staged)-1].Splices
		if out, ok := jsonl.Splice(w.last, final.Parts); !ok || final.From != atomicfile.Digest([]byte(w.last)) ||
			out != w.to {
			t.Errorf("%d saves: the parts do not make of the last save what the store holds: %+v", saves, final)
		}
	}
}

func TestCrashLeavesTheOldStoreOrTheNew(t *testing.T) {
	w := record(t, 0)
	n := 0
	for crashed := range w.disk.Crashes(64) {
		n++
		_, stands := w.settle(t, crashed)
		want := w.from
		if stands {
			want = w.to
		}
		if got := crashed.Files()[memoryPath]; got != want {
			t.Errorf("crash %d: the changes stand: %v, and the store holds\n%s", n, stands, got)
		}
		if crashed.Reached("done") && !stands {
			t.Errorf("crash %d: the changes were done and do not stand", n)
		}
	}
	if n < 10 {
		t.Errorf("%d crashes, want more", n)
	}
}

// TestCrashWhileAgentsSaveLosesNothing counts what must be there: what an agent saved
// can be lost by the crash as long as nobody synced it, but not by us, who did.
func TestCrashWhileAgentsSaveLosesNothing(t *testing.T) {
	for saves := 1; saves <= 3; saves++ {
		w := record(t, saves)
		n := 0
		for crashed := range w.disk.Crashes(64) {
			n++
			titles, stands := w.settle(t, crashed)
			mine := slices.Contains(titles, "Mine") && slices.Contains(titles, "By hand")
			old := slices.Contains(titles, w.was[0].Title)
			if mine != stands || old == stands {
				t.Errorf("%d saves, crash %d: the changes stand: %v, and the store holds %q", saves, n, stands, titles)
			}
			if !slices.Contains(titles, w.was[2].Title) || !slices.Contains(titles, w.was[3].Title) {
				t.Errorf("%d saves, crash %d: a lesson is lost: %q", saves, n, titles)
			}
			if crashed.Reached("done") && (!stands || len(titles) != 4+saves) {
				t.Errorf("%d saves, crash %d: after it was done the store holds %q (%v)", saves, n, titles, stands)
			}
			slices.Sort(titles)
			if slices.Contains(titles, "Mine") && len(slices.Compact(titles)) != len(titles) {
				t.Errorf("%d saves, crash %d: a lesson is doubled: %s", saves, n, strings.Join(titles, ", "))
			}
		}
		t.Logf("%d saves: %d crashes", saves, n)
		if n < 10 {
			t.Errorf("%d crashes, want more", n)
		}
	}
}
