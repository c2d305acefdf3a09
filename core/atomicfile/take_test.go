package atomicfile_test

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
)

// holding returns a function that wants a file to hold text.
func holding(text string) func([]byte) error {
	return func(data []byte) error {
		if string(data) != text {
			return atomicfile.ErrOther
		}
		return nil
	}
}

func TestTakenFileComesBackAsItWas(t *testing.T) {
	for _, plain := range []bool{false, true} {
		d := crashdisk.New(map[string]string{store: "was"})
		d.NoExchange = plain
		before, err := atomicfile.Look(d, store)
		if err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.Take(d, store, temp, holding("other")); !errors.Is(err, atomicfile.ErrOther) ||
			d.Files()[store] != "was" {
			t.Errorf("taken though it holds something else: %v, %q", err, d.Files())
		}
		if err := atomicfile.Take(d, store, temp, holding("was")); err != nil || d.Files()[store] != "" {
			t.Fatalf("not taken: %v, %q", err, d.Files())
		}
		if err := atomicfile.Return(d, store, temp); err != nil || d.Files()[store] != "was" {
			t.Fatalf("not returned: %v, %q", err, d.Files())
		}
		after, err := atomicfile.Look(d, store)
		if err != nil || after.Info != before.Info || string(after.Data) != "was" || len(d.Files()) != 1 {
			t.Errorf("it was %+v and is %+v, %v", before, after, err)
		}
	}
}

func TestTakenFileStaysAwayWhereAnotherStands(t *testing.T) {
	d := crashdisk.New(map[string]string{store: "was"})
	if err := atomicfile.Take(d, store, temp, holding("was")); err != nil {
		t.Fatal(err)
	}
	d.Put(store, "theirs")
	if err := atomicfile.Return(d, store, temp); err != nil || d.Files()[store] != "theirs" {
		t.Errorf("returned: %v, %q", err, d.Files())
	}
	if err := atomicfile.Drop(d, store, temp); err != nil || len(d.Files()) != 1 {
		t.Errorf("dropped: %v, %q", err, d.Files())
	}
}

// TestFileSavedRightBeforeItIsTakenStays lets another writer save before each operation.
func TestFileSavedRightBeforeItIsTakenStays(t *testing.T) {
	for n := 1; ; n++ {
		d := crashdisk.New(map[string]string{store: "was"})
		d.Before(func(op crashdisk.Op) {
			if op.N == n {
				d.Put(store, "theirs")
			}
		})
		err := atomicfile.Take(d, store, temp, holding("was"))
		if d.Ops() < n {
			return
		}
		if got := d.Files(); got[store] != "theirs" && !maps.Equal(got, map[string]string{"/s/" + temp: "was"}) ||
			err != nil && len(got) != 1 {
			t.Errorf("before operation %d (%s): %v, %q", n, d.Trace()[n-1], err, got)
		}
	}
}

func TestWhatWasKeptIsRestored(t *testing.T) {
	for theirs, want := range map[string]string{"": "was", "theirs": "theirs"} {
		d := crashdisk.New(map[string]string{store: "was"})
		u := atomicfile.Update{Temp: temp, Keep: true, Next: func([]byte) ([]byte, error) { return []byte("is"), nil }}
		r, err := atomicfile.Replace(t.Context(), d, store, u)
		if err != nil || r.Kept != temp || d.Files()["/s/"+temp] != "was" {
			t.Fatalf("kept %q, %v: %q", r.Kept, err, d.Files())
		}
		if theirs != "" {
			d.Put(store, theirs)
		}
		err = atomicfile.Restore(d, store, r.Kept, holding("is"))
		if err != nil || !maps.Equal(d.Files(), map[string]string{store: want}) {
			t.Errorf("restored with %v: %q", err, d.Files())
		}
	}
}

// TestWhatIsSavedWhileAFileIsRestoredStays has another writer save before each exchange. What it saved last stands
// there, or is kept beside the file, and then the error says so.
func TestWhatIsSavedWhileAFileIsRestoredStays(t *testing.T) {
	for saves := range 9 {
		d := crashdisk.New(map[string]string{store: "is", "/s/" + temp: "was"})
		exchanges, newest := 0, "was"
		d.Before(func(op crashdisk.Op) {
			if op.Do != "exchange" {
				return
			}
			if exchanges++; exchanges <= saves {
				newest = fmt.Sprint("saved ", exchanges)
				d.Put(store, newest)
			}
		})
		err := atomicfile.Restore(d, store, temp, holding("is"))
		got := d.Files()
		isThere := maps.Equal(got, map[string]string{store: newest})
		isKept := code(err) == "busy" && got["/s/"+temp] == newest
		if !isKept && (err != nil || !isThere) || exchanges > 5 {
			t.Errorf("%d saves, %d exchanges: %v, %q", saves, exchanges, err, got)
		}
	}
}

func TestTimeOfTheLastChangeIsKeptOrSet(t *testing.T) {
	d := crashdisk.New(map[string]string{store: "was"})
	was, err := atomicfile.Look(d, store)
	if err != nil {
		t.Fatal(err)
	}
	replace := func(u atomicfile.Update, text string) int64 {
		t.Helper()
		u.Temp, u.Next = temp, func([]byte) ([]byte, error) { return []byte(text), nil }
		if _, err := atomicfile.Replace(t.Context(), d, store, u); err != nil {
			t.Fatal(err)
		}
		now, err := atomicfile.Look(d, store)
		if err != nil {
			t.Fatal(err)
		}
		return now.Info.Mtime
	}
	if got := replace(atomicfile.Update{KeepTime: true}, "one"); got != was.Info.Mtime {
		t.Errorf("kept, it is %d, want %d", got, was.Info.Mtime)
	}
	if got := replace(atomicfile.Update{}, "two"); got <= was.Info.Mtime {
		t.Errorf("not kept, it is %d", got)
	}
	if got := replace(atomicfile.Update{Time: 12345}, "three"); got != 12345 {
		t.Errorf("set, it is %d", got)
	}
}
