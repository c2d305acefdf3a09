package curate

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// full is an event with every field set.
func full() event {
	return event{
		Kind: kindBegin, ID: "7", At: now, Who: memory.You, Do: memory.Delete, What: "Deleted \"1\" lesson\n\x00\xff",
		Final: true, Omitted: 3, Undoes: "5", Redoes: "6", Temp: ".winnow-1.tmp",
		Changes: []memory.Change{
			{
				Do:     memory.Deleting,
				ID:     "a",
				Before: "{\"x\":\"\\u0041\\\\\"}\r\t",
				Line:   4,
				Behind: "z",
				Why:    "old",
				Twins:  2,
				Position: &memory.Position{
					Above:  "d1",
					Under:  3,
					Beside: 2,
					Alike:  1,
					Mode:   0o640,
					Date:   time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC),
				},
			},
			{Do: memory.Editing, Companion: true, ID: "\xed\xa0\x80", Before: "\xff", After: "ü\u2028</script>"},
		},
		Key: "k", Scrubs: []scrub{{scrubText, 40, 7, "s"}, {scrubWord, 4, 65535, "t"}}, Kept: []memory.ID{"held"},
		Splices: &memory.Splices{
			From:  "f",
			To:    "t",
			Parts: []memory.Splice{{At: 12, Old: "o\n"}, {At: 1 << 40, New: "n\xfe"}},
		},
		Decided: map[memory.ID]memory.Decision{"": memory.TrustStore, "a": memory.Accepted},
		Record:  "r", How: memory.Evicted, State: "s",
		Sum: &summary{
			Number: 9, Pins: []memory.ID{"p", "q"}, Undo: []undoStep{{"1", "2"}}, Redo: []undoStep{{"3", "4"}},
			Decided: map[memory.ID]memory.Decision{"d": memory.TrustLesson},
			Promises: []promise{{
				ID:     "a",
				Gone:   true,
				Forms:  memory.Forms{{After: "1"}, {Before: "\xff", After: "n"}},
				Mine:   "m",
				Entry:  "3",
				At:     now,
				Line:   2,
				Behind: "b",
				Twins:  1, Pinned: true, Unsaved: true, noted: noted{2, []string{"x"}, now}, Ruled: "x",
			}},
			Redactions: []redaction{
				{
					"8",
					now,
					"k",
					[]scrub{{scrubForm, 9, 1, "u"}},
					[]memory.ID{"h"},
					[]sighting{{"i", noted{1, []string{"y"}, now}}},
				},
			},
		},
	}
}

func TestEveryFieldComesBack(t *testing.T) {
	e := full()
	got, ok := decodeEvent(encodeEvent(e)[:len(encodeEvent(e))-1], false)
	if !ok || !reflect.DeepEqual(got, e) {
		t.Fatalf("read\n%+v\nwant\n%+v", got, e)
	}
}

func TestALineWithAnyByteChangedIsDamaged(t *testing.T) {
	l := encodeEvent(full())
	l = l[:len(l)-1]
	for i := range l {
		for _, x := range []byte{1, 0x20, 0x80} {
			l[i] ^= x
			if _, ok := decodeEvent(l, false); ok {
				t.Fatalf("byte %d of %q", i, l)
			}
			l[i] ^= x
		}
	}
}

// change returns the events of a deletion that was made.
func change(id memory.EntryID, record memory.ID) []event {
	return []event{
		{Kind: kindBegin, ID: id, At: now, Who: memory.You, Do: memory.Delete, What: "Deleted 1 lesson", Temp: ".t",
			Changes: []memory.Change{
				{Do: memory.Deleting, ID: record, Before: `{"lesson":"` + string(record) + `"}`, Line: 1},
			}},
		{Kind: kindDone, ID: id, At: now},
	}
}

// lines returns a history of some entries.
func lines(n int) (text string, ends []int) {
	text = string(encodeEvent(event{Kind: kindHeader, ID: "1", Format: historyFormat, Store: "/s", At: now}))
	ends = append(ends, len(text))
	for i := range n {
		for _, e := range change(memory.EntryID(rune('1'+i)), memory.ID(rune('a'+i))) {
			text += string(encodeEvent(e))
			ends = append(ends, len(text))
		}
	}
	return text, ends
}

// on returns the history with text as its content.
func on(t testing.TB, text string) *historyFile {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, historyName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return openHistory(atomicfile.OS(), dir, "/s")
}

func TestATornLastEntrySpoilsNoOther(t *testing.T) {
	text, ends := lines(3)
	for cut := range len(text) + 1 {
		near := text[max(0, cut-3):min(len(text), cut+3)]
		if cut%7 > 0 && !strings.Contains(near, "\n") { // each append is synced
			continue
		}
		f := on(t, text[:cut])
		unlock, err := f.lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		whole := 0
		for _, end := range ends {
			// A line that lacks only its line end is complete.
			if cut >= end-1 {
				whole++
			}
		}
		want := max(0, whole-1) / 2
		if n := len(f.state.Items); n != want {
			t.Fatalf("cut at %d: %d entries, want %d", cut, n, want)
		}
		if p := f.state.Pending; p != nil && entryNumber(f.state.next()) != entryNumber(p.ID)+1 {
			t.Fatalf("cut at %d: %s is pending, next is %s", cut, p.ID, f.state.next())
		}
		for _, e := range change("9", "z") {
			if err := f.append(e, true); err != nil {
				t.Fatal(err)
			}
		}
		unlock()
		again := openHistory(atomicfile.OS(), f.dir, "/s")
		if err := again.refresh(false); err != nil {
			t.Fatal(err)
		}
		if it := again.state.item("9"); it == nil || again.state.Damaged > 1 ||
			again.state.Damaged != f.state.Damaged ||
			len(again.state.Items) != len(f.state.Items) {
			t.Fatalf(
				"cut at %d: after an append %+v, %d damaged, before %d",
				cut,
				again.state.Items,
				again.state.Damaged,
				f.state.Damaged,
			)
		}
	}
}

func TestAReaderWaitsForTheEndOfALine(t *testing.T) {
	text, ends := lines(2)
	f := on(t, text[:ends[1]+20])
	if err := f.refresh(false); err != nil || f.state.Damaged != 0 || f.state.Pending == nil {
		t.Fatalf("%+v, %v", f.state, err)
	}
	if err := os.WriteFile(f.path(), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.refresh(false); err != nil || f.state.Damaged != 0 || len(f.state.Items) != 2 {
		t.Fatalf("%+v, %v", f.state, err)
	}
}

func TestWhatAnotherProcessWroteAnewIsReadAgain(t *testing.T) {
	text, _ := lines(4)
	f := on(t, text)
	other := openHistory(atomicfile.OS(), f.dir, "/s")
	if err := other.refresh(false); err != nil || len(other.state.Items) != 4 {
		t.Fatalf("%+v, %v", other.state.Items, err)
	}
	locked(t, f, func() error { return f.purge(now) })
	locked(t, f, func() error { return f.append(change("5", "e")[0], true) })
	locked(t, f, func() error { return f.append(change("5", "e")[1], true) })
	if err := other.refresh(false); err != nil || len(other.state.Items) != 1 || other.state.next() != "6" {
		t.Fatalf("%+v, %v", other.state.Items, err)
	}
}

func locked(t testing.TB, f *historyFile, fn func() error) {
	t.Helper()
	unlock, err := f.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	if err := fn(); err != nil {
		t.Fatal(err)
	}
}

func TestOldEntriesLeaveAndWhatTheyCameToStays(t *testing.T) {
	f := on(t, "")
	add := func(e event) { locked(t, f, func() error { return f.append(e, false) }) }
	for i, record := range []memory.ID{"a", "b", "c", "d"} {
		for _, e := range change(memory.EntryID(rune('1'+i)), record) {
			e.At = now.AddDate(0, 0, i)
			add(e)
		}
	}
	add(
		event{
			Kind:    kindDid,
			ID:      "5",
			At:      now.AddDate(0, 0, 4),
			Who:     memory.You,
			Do:      memory.Pin,
			Changes: []memory.Change{{Do: memory.Pinning, ID: "p", Before: "{}"}},
		},
	)
	add(
		event{
			Kind:    kindDecided,
			ID:      "6",
			At:      now.AddDate(0, 0, 4),
			Decided: map[memory.ID]memory.Decision{"d": memory.TrustLesson},
		},
	)
	for i := range leastKept - 2 {
		add(event{Kind: kindOthers, ID: memory.EntryID(strconv.Itoa(7 + i)), At: now.AddDate(0, 0, 4), Who: memory.Others})
	}
	locked(t, f, func() error { return f.keep(now.AddDate(0, 0, 5), now.AddDate(0, 0, 2), 0) })
	again := openHistory(atomicfile.OS(), f.dir, "/s")
	if err := again.refresh(false); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*historyState{f.state, again.state} {
		if len(s.Items) != 2+leastKept || s.Items[0].ID != "3" || !s.Pins["p"] ||
			s.Decided["d"] != memory.TrustLesson ||
			s.next() != "25" ||
			s.Damaged != 0 {
			t.Fatalf("state is %+v", s)
		}
		if !reflect.DeepEqual(s.Undo, []undoStep{{"3", "3"}, {"4", "4"}, {"5", "5"}}) {
			t.Fatalf("undo is %v", s.Undo)
		}
		if s.Promises["a"] != nil || s.Promises["c"] == nil || s.Promises["p"] == nil {
			t.Fatalf("promises are %v", s.Promises)
		}
	}
	locked(t, f, func() error { return f.purge(now) })
	if s := f.state; len(s.Items) != 0 || !s.Pins["p"] || s.Decided["d"] == "" || len(s.Promises) != 1 ||
		len(s.Undo) != 0 ||
		s.next() != "25" {
		t.Fatalf("after a purge %+v", s)
	}
}

func TestALargeHistoryIsCut(t *testing.T) {
	f := on(t, "")
	big := strings.Repeat("x", 1000)
	for i := range 90 {
		id := memory.EntryID(strconv.Itoa(i + 10))
		e := event{
			Kind:    kindOthers,
			ID:      id,
			At:      now,
			Who:     memory.Others,
			Changes: []memory.Change{{Do: memory.Adding, ID: "a", After: big}},
		}
		locked(t, f, func() error { return f.append(e, false) })
		locked(t, f, func() error { return f.keep(now, now.AddDate(0, 0, -1), 20_000) })
		if f.size > 20_000 {
			t.Fatalf("%d bytes after entry %s", f.size, id)
		}
	}
	if n := len(f.state.Items); n < 5 || f.state.Items[n-1].ID != "99" {
		t.Fatalf("%d entries are left, the last is %s", n, f.state.Items[n-1].ID)
	}
}

func TestTheLimitIsNotMetAgainWithTheNextEntries(t *testing.T) {
	for _, promises := range []int{0, 30} { // these stay, and take more than the limit
		f := on(t, "")
		for i := range promises {
			id := strconv.Itoa(i + 1)
			for _, e := range change(memory.EntryID(id), memory.ID(id+strings.Repeat("p", 1000))) {
				locked(t, f, func() error { return f.append(e, false) })
			}
		}
		rewritten := 0
		for i := range 400 {
			e := event{
				Kind: kindOthers,
				ID:   memory.EntryID(strconv.Itoa(100 + i)),
				At:   now,
				Who:  memory.Others,
				What: strings.Repeat("x", 200),
			}
			locked(t, f, func() error { return f.append(e, false) })
			was := f.size
			locked(t, f, func() error { return f.keep(now, now.AddDate(0, 0, -1), 20_000) })
			if f.size == was {
				continue
			}
			rewritten++
			if promises == 0 && f.size > 16_000 {
				t.Errorf("%d bytes are left of 20000", f.size)
			}
		}
		if rewritten == 0 || rewritten > 40 {
			t.Errorf("with %d promises the file is written anew %d times", promises, rewritten)
		}
	}
}

func TestTheFileIsForItsOwnerOnly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	f := openHistory(atomicfile.OS(), dir, "/s")
	locked(t, f, func() error { return f.append(change("1", "a")[0], true) })
	for path, mode := range map[string]os.FileMode{dir: 0o700 | os.ModeDir, f.path(): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode(), mode, err)
		}
	}
}

func TestASummaryWithoutAStateIsADamagedLine(t *testing.T) {
	if _, ok := decodeEvent(bytes.TrimSuffix(encodeEvent(event{Kind: kindSum}), []byte{'\n'}), true); ok {
		t.Error("it is read")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(encodeEvent(full())[9:])
	f.Add(
		[]byte(
			`{"kind":"others","x":[{"y":[1,true,"\ud83d\ude00"]}],"changes":[{"do":"add","id":"\u00ff"}],"bytes":true}`,
		),
	)
	f.Add([]byte("{\"kind\":\"begin\"}\t{\"parts\":[]}"))
	f.Add([]byte(strings.Repeat(`{"":`, 100)))
	f.Add([]byte(`{"sum":{"promises":{"":""}}}`))
	f.Add([]byte(`{"sum":{"promises":[""],"pins":{"a":"b"}}}`))
	f.Add([]byte(`{"changes":[{},{"do":"add","was":"a"}],"sum":{"promises":[{},{"mine":"a","was":["b"]},{}]}}`))
	f.Add([]byte(`{"changes":[1],"decided":{"a":{}},"splices":[]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		body = []byte(strings.ReplaceAll(string(body), "\n", " "))
		line := append(append(checksum(body), ' '), body...)
		e, ok := decodeEvent(line, false)
		brief, okBrief := decodeEvent(line, true)
		if ok {
			// Whatever can be read is written so that it reads the same, and is then stable.
			again := encodeEvent(e)
			e2, ok2 := decodeEvent(again[:len(again)-1], false)
			if !ok2 || string(encodeEvent(e2)) != string(again) {
				t.Fatalf("%q reads as %+v, that as %+v", body, e, e2)
			}
			if !okBrief || brief.ID != e.ID || len(brief.Changes) != len(e.Changes) {
				t.Fatalf("%q reads as %+v, in brief as %+v", body, e, brief)
			}
		}
		s := newState()
		if ok {
			s.fold(&e, place{})
		}
		s.fold(&event{Kind: kindDone, ID: e.ID}, place{})
		s.summary(0, now)
	})
}

func FuzzFile(f *testing.F) {
	text, ends := lines(3)
	f.Add([]byte(text), []byte("x"))
	f.Add([]byte(text[:ends[3]-4]), []byte("\n\n"))
	// An entry that is incomplete when the first read stops, and then continues with bytes that
	// spoil it.
	f.Add([]byte(text[:ends[2]-1]+strings.Repeat("x", ends[2]-1)), []byte("x"))
	f.Fuzz(func(t *testing.T, b, more []byte) {
		h := openHistory(atomicfile.OS(), "", "")
		h.foldLines(b, true)
		if h.off != int64(len(b)) {
			t.Fatalf("%d of %d bytes taken", h.off, len(b))
		}
		n := len(h.state.Items)
		// A reader that reads in between gets the same result.
		r := openHistory(atomicfile.OS(), "", "")
		r.foldLines(b[:len(b)/2], false)
		r.foldLines(b[r.off:], false)
		r.foldLines(b[r.off:], true)
		if len(r.state.Items) != n || r.state.Damaged != h.state.Damaged {
			t.Fatalf(
				"%d entries, %d damaged; in two looks %d and %d",
				n,
				h.state.Damaged,
				len(r.state.Items),
				r.state.Damaged,
			)
		}
	})
}

func BenchmarkReplay10MB(b *testing.B) {
	var text []byte
	stored := `{"lesson_id":"0b9d3c52-1a7e-4f6e-8a55-000000000000","task_summary":"` + strings.Repeat("a word ", 20) +
		`","lesson":"` + strings.Repeat("some words ", 15) + `"}`
	for i := 1; len(text) < 10<<20; i++ {
		e := change(memory.EntryID(strconv.Itoa(i)), memory.ID(strconv.Itoa(i%500)))
		e[0].Changes[0].Before = stored
		e[0].Splices = &memory.Splices{
			From:  strings.Repeat("a", 64),
			To:    strings.Repeat("b", 64),
			Parts: []memory.Splice{{At: 1, Old: stored + "\n"}},
		}
		text = append(append(text, encodeEvent(e[0])...), encodeEvent(e[1])...)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f := openHistory(atomicfile.OS(), "", "")
		f.foldLines(text, true)
		if len(f.state.Items) == 0 {
			b.Fatal("nothing was read")
		}
	}
}
