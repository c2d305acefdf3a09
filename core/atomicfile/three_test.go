package atomicfile_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"syscall"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/atomicfile/crashdisk"
	"winnow/core/memory"
)

// reader is another writer that saves once, before the operation at: it reads what stands there, adds its line and
// renames the result over the file. One that is slow has read when the last one before it saved.
type reader struct {
	at   int
	line string
	slow bool
}

// meet lets other writers save before their operations. It returns the lines that they saved.
func meet(d *crashdisk.Disk, others ...reader) (saved func() []string) {
	var lines []string
	seen := d.Files()[store]
	d.Before(func(op crashdisk.Op) {
		for _, o := range others {
			if o.at != op.N {
				continue
			}
			text := d.Files()[store]
			if o.slow {
				text = seen
			}
			seen = text + o.line + "\n"
			d.Put(store, seen)
			lines = append(lines, o.line)
		}
	})
	return func() []string { return lines }
}

// hasOnce fails unless a text has each of the lines once.
func hasOnce(t *testing.T, what, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if n := strings.Count(text, line+"\n"); n != 1 {
			t.Fatalf("%s: %q is there %d times: %q", what, line, n, text)
		}
	}
}

// moments calls try for each pair of operations of a replacement, until it reports that there are no more.
func moments(try func(first, second int) (more bool)) {
	for first := 1; ; first++ {
		for second := first; try(first, second); second++ {
		}
		if !try(first, first) {
			return
		}
	}
}

// TestThreeWritersAtOnceLoseNoLine lets two others save before any two operations of a replacement. The second has
// read what stood there: also our version right after it was put in place, and before it was looked at what it
// displaced.
func TestThreeWritersAtOnceLoseNoLine(t *testing.T) {
	for _, slow := range []bool{false, true} {
		tried := 0
		moments(func(first, second int) bool {
			d := crashdisk.New(map[string]string{store: "a\n"})
			saved := meet(d, reader{first, "b", false}, reader{second, "c", slow})
			r, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", new([]staged)))
			if d.Ops() < second {
				return false
			}
			tried++
			what := "before " + d.Trace()[first-1] + " and " + d.Trace()[second-1]
			got := d.Files()[store]
			hasOnce(t, what, got, append(saved(), "a")...)
			if err != nil && code(err) != "busy" || len(r.Left) > 0 || len(leftovers(d)) > 0 {
				t.Fatalf("%s: %v, left %q", what, err, leftovers(d))
			}
			if mine := strings.Contains(got, "mine\n"); mine != (err == nil) && !r.Overtaken && !slow {
				t.Fatalf("%s: error %v, and the file holds %q", what, err, got)
			}
			return true
		})
		if tried < 300 {
			t.Errorf("%d pairs of moments were tried, want at least 300", tried)
		}
	}
}

// TestAKillBesideTwoOtherWritersLosesNoLine ends a replacement at each operation after two others saved. Before the
// recovery an agent may save what it read after the kill.
func TestAKillBesideTwoOtherWritersLosesNoLine(t *testing.T) {
	tried := 0
	moments(func(first, second int) bool {
		for dead := second + 1; ; dead++ {
			for _, saves := range []bool{false, true} {
				if !killed(t, first, second, dead, saves) {
					return dead > second+1
				}
				tried++
			}
		}
	})
	if tried < 5000 {
		t.Errorf("%d kills were tried, want at least 5000", tried)
	}
}

// killed ends one replacement and recovers. It reports whether the replacement reached that operation.
func killed(t *testing.T, first, second, dead int, saves bool) bool {
	t.Helper()
	d := crashdisk.New(map[string]string{store: "a\n"})
	saved := meet(d, reader{first, "b", false}, reader{second, "c", false})
	d.FailFrom(dead, syscall.EIO)
	var log []staged
	_, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", &log))
	if d.Ops() < dead {
		return false
	}
	d.FailFrom(0, nil)
	d.Before(nil)
	what := "before " + d.Trace()[first-1] + " and " + d.Trace()[second-1] + ", dead at " + d.Trace()[dead-1]
	lines := append(saved(), "a")
	if saves {
		d.Put(store, d.Files()[store]+"later\n")
		lines = append(lines, "later")
	}
	if len(log) > 0 {
		last := log[len(log)-1]
		u := addLine("mine", new([]staged))
		stands, recErr := atomicfile.Recover(t.Context(), d, store, last.temp, last.from, last.to, u)
		if recErr != nil || err == nil && !stands {
			t.Fatalf("%s: recovered %v, %v", what, stands, recErr)
		}
	}
	hasOnce(t, what, d.Files()[store], lines...)
	if l := leftovers(d); len(l) > 0 {
		t.Fatalf("%s: %q left", what, l)
	}
	return true
}

// ofEarlier are files that changes of an earlier Winnow may have left beside a store.
func ofEarlier() map[string]string {
	const other = "/s/.winnow-ffeeddccbbaa9988"
	return map[string]string{
		other + ".tmp": "a\nnot of this change\n", other + ".tmp.2": "a\n", other + ".tmp.3.part": "a\nmi",
		other + ".tmp.in": "a\nb\n", other + ".tmp.in+": "a\n", other + "-1.tmp": "one of several\n",
		"/s/store.lock": "", "/s/store.winnow.lock": "123\n", "/s/store.winnow-journal": "begin 7\n",
	}
}

func TestFilesOfAnotherChangeStayAsTheyAre(t *testing.T) {
	for _, theirs := range [][]string{nil, {"a\nb\n"}} {
		was := ofEarlier()
		was[store] = "a\n"
		d := crashdisk.New(was)
		intrude(d, "exchange", theirs...)
		var log []staged
		if _, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", &log)); err != nil {
			t.Fatal(err)
		}
		last := log[len(log)-1]
		u := addLine("mine", new([]staged))
		stands, err := atomicfile.Recover(t.Context(), d, store, last.temp, last.from, last.to, u)
		if err != nil || !stands {
			t.Errorf("recovered %v, %v", stands, err)
		}
		hasOnce(t, "saved", d.Files()[store], "a", "mine")
		got := d.Files()
		delete(got, store)
		if !maps.Equal(got, ofEarlier()) {
			t.Errorf("beside it there is %q", got)
		}
	}
}

// TestEachVersionThatAnEarlierWinnowDisplacedIsTakenIn has a change that was killed in its third round, while it
// was taking in what others saved.
func TestEachVersionThatAnEarlierWinnowDisplacedIsTakenIn(t *testing.T) {
	for stands, text := range map[bool]string{true: "a\nb\nc\nmine\n", false: "a\nlater\n"} {
		d := crashdisk.New(map[string]string{
			store: text, "/s/" + temp: "a\nb\n", "/s/" + temp + ".2": "a\nc\n", "/s/" + temp + ".3": "a\nd\n",
			"/s/" + temp + ".in.part": "a\nb\nc\nd\nmi", "/s/" + temp + ".in+": "a\n",
		})
		from, to := atomicfile.Digest([]byte("a\n")), atomicfile.Digest([]byte("a\nb\nc\nmine\n"))
		made, err := atomicfile.Recover(t.Context(), d, store, temp+".3", from, to, addLine("mine", new([]staged)))
		if err != nil || made != strings.Contains(d.Files()[store], "mine\n") {
			t.Errorf("recovered %v, %v: %q", made, err, d.Files())
		}
		hasOnce(t, "recovered", d.Files()[store], "a", "d")
		if !stands {
			hasOnce(t, "recovered", d.Files()[store], "b", "c", "later")
		}
		if l := leftovers(d); len(l) > 0 {
			t.Errorf("%q left", l)
		}
	}
}

// busyWriter saves before each of a number of exchanges, once begin says so: it adds a line to what stands there.
type busyWriter struct {
	saves, exchanges int
	isOn             bool
	saved            []string
}

func (w *busyWriter) meet(d *crashdisk.Disk, begin func(op crashdisk.Op) bool) {
	d.Before(func(op crashdisk.Op) {
		w.isOn = w.isOn || begin(op)
		if !w.isOn || op.Do != "exchange" {
			return
		}
		if w.exchanges++; w.exchanges <= w.saves {
			line := fmt.Sprint("line", w.exchanges)
			d.Put(store, d.Files()[store]+line+"\n")
			w.saved = append(w.saved, line)
		}
	})
}

// TestRollingBackBesideABusyWriterLosesNoLine fails the syncs of the folder, so that a change is taken back, while
// another writer saves before each exchange of that. What it saved is there, or is kept beside the file until a sync
// works.
func TestRollingBackBesideABusyWriterLosesNoLine(t *testing.T) {
	for _, saves := range []int{0, 1, 2, 3, 4, 5, 6, 7, 40} {
		d := crashdisk.New(map[string]string{store: "a\n"})
		w := &busyWriter{saves: saves}
		w.meet(d, func(op crashdisk.Op) bool { return op.Do == "sync folder" })
		d.FailEvery("sync folder", 1, syscall.EIO)
		r, err := atomicfile.Replace(t.Context(), d, store, addLine("mine", new([]staged)))
		if code(err) != "io-error" || w.exchanges > saves+2 || w.exchanges > 5 {
			t.Errorf("%d saves: %v, %d exchanges", saves, err, w.exchanges)
		}
		d.FailEvery("", 0, nil)
		d.Before(nil)
		takeLeft(t, d, r, addLine("mine", new([]staged)))
		hasOnce(t, fmt.Sprintf("%d saves", saves), d.Files()[store], append(w.saved, "a")...)
		if l := leftovers(d); len(l) > 0 {
			t.Errorf("%d saves: %q left", saves, l)
		}
	}
}

// TestRefusingBesideABusyWriterLosesNoLine refuses what another writer saved right before the exchange, while it goes
// on to save before each exchange that puts its version back.
func TestRefusingBesideABusyWriterLosesNoLine(t *testing.T) {
	for _, saves := range []int{1, 2, 3, 4, 5, 6, 7, 40} {
		d := crashdisk.New(map[string]string{store: "a\n"})
		w := &busyWriter{saves: saves}
		w.meet(d, func(op crashdisk.Op) bool { return op.Do == "exchange" })
		u := addLine("mine", new([]staged))
		next := u.Next
		u.Next = func(now []byte) ([]byte, error) {
			if bytes.Contains(now, []byte("line1\n")) {
				return nil, memory.ErrConflict
			}
			return next(now)
		}
		r, err := atomicfile.Replace(t.Context(), d, store, u)
		if err != memory.ErrConflict || len(r.Left) > 0 {
			t.Errorf("%d saves: %v, left %q", saves, err, r.Left)
		}
		hasOnce(t, fmt.Sprintf("%d saves", saves), d.Files()[store], append(w.saved, "a")...)
		if l := leftovers(d); len(l) > 0 {
			t.Errorf("%d saves: %q left", saves, l)
		}
	}
}
