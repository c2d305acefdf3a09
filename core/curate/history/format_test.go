package history

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// ofFormat1 returns a history in format 1: two deletions and a redaction, which does not say what
// it removed.
func ofFormat1() string {
	text := string(Encode(Event{Kind: Header, ID: "1", Format: 1, Store: "/s", At: now}))
	for _, e := range append(change("1", "a"), change("2", "b")...) {
		text += string(Encode(e))
	}
	redaction := Event{Kind: Begin, ID: "3", At: now, Who: memory.You, Do: memory.Redact, Final: true, Temp: ".t",
		Changes: []memory.Change{{Do: memory.Editing, ID: "c", Before: "[REDACTED]", After: "[REDACTED]"}}}
	return text + string(Encode(redaction)) + string(Encode(Event{Kind: Done, ID: "3"}))
}

func TestFormat1IsReadAndWrittenAnewBeforeAnAppend(t *testing.T) {
	f := on(t, ofFormat1())
	locked(t, f, func() error { return f.Append(change("4", "d")[0], true) })
	locked(t, f, func() error { return f.Append(change("4", "d")[1], true) })
	again := Open(atomicfile.OS(), f.dir, "/s")
	if err := again.Refresh(false); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*State{f.State, again.State} {
		if s.Format != Format || len(s.Items) != 4 || s.Damaged != 0 || s.Promises["a"] == nil || s.Promises["d"] == nil || len(s.Undo) != 3 {
			t.Fatalf("state is %+v", s)
		}
		if want := []Redaction{{Entry: "3", At: now}}; !reflect.DeepEqual(s.Redactions, want) {
			t.Fatalf("redactions are %+v, want %+v", s.Redactions, want)
		}
	}
	text, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	if lines := bytes.SplitAfter(text, []byte("\n")); !bytes.Equal(lines[1], noticeLine()) || bytes.Count(text, noticeLine()) != 1 {
		t.Fatalf("the notice is not the second line: %s", text)
	}
	locked(t, f, func() error { return f.Scrub(strings.Clone, change("5", "e")[0]) })
	if text, _ = os.ReadFile(f.Path()); bytes.Count(text, noticeLine()) != 1 {
		t.Fatalf("after it was written anew there is not one notice: %s", text)
	}
}

// TestTheNoticeIsUndoneForFormat1 reads the notice like a version that does not know it: something
// that should be there is not, so that version tries to write.
func TestTheNoticeIsUndoneForFormat1(t *testing.T) {
	e, ok := Decode(bytes.TrimSuffix(noticeLine(), []byte("\n")), false)
	if !ok {
		t.Fatal("it cannot be read")
	}
	s := NewState()
	s.fold(&e, place{})
	if len(s.Promises)+len(s.Items) != 0 {
		t.Fatalf("this version takes it for a change: %+v", s)
	}
	s.addApplied(&e, place{})
	if p := s.Promises[e.Changes[0].ID]; p == nil || p.Mine == "" || len(s.Undo) != 0 {
		t.Fatalf("format 1 reads %+v", s)
	}
}

func TestWhatARedactionTookOutIsWatchedOverForGood(t *testing.T) {
	f := on(t, ofFormat1())
	scrubs := []Scrub{{ScrubText, 40, 7, "sum"}}
	begin := Event{Kind: Begin, ID: "4", At: now, Who: memory.You, Do: memory.Redact, Final: true, Key: "k", Scrubs: scrubs,
		Changes: []memory.Change{{Do: memory.Editing, ID: "d", Before: "x", After: "x"}}}
	locked(t, f, func() error { return f.Scrub(strings.Clone, begin) })
	locked(t, f, func() error { return f.Append(Event{Kind: Done, ID: "4"}, true) })
	for _, record := range []memory.ID{"d", "e", "e"} {
		seen := Event{Kind: Undone, ID: "4", Record: record, How: memory.SecretBack, State: "s", At: now}
		locked(t, f, func() error { return f.Append(seen, true) })
	}
	if n := f.State.Redactions[1].Sighted("e"); n.Times != 1 {
		t.Fatalf("one state is noted %d times", n.Times)
	}
	locked(t, f, func() error {
		return f.Append(Event{Kind: Decided, ID: "5", At: now, Decided: map[memory.ID]memory.Decision{"d": memory.Accepted}}, true)
	})
	later := now.AddDate(1, 0, 0)
	locked(t, f, func() error { return f.Keep(later, later, 0) })
	noted := Noted{1, []string{"s"}, now}
	want := []Redaction{{Entry: "3", At: now}, {"4", now, "k", scrubs, []memory.ID{"d"}, []Sighting{{"e", noted}}}}
	if got := f.State.Redactions; !reflect.DeepEqual(got, want) {
		t.Fatalf("after all entries left\n%+v, want\n%+v", got, want)
	}
	locked(t, f, func() error {
		return f.Append(Event{Kind: Decided, ID: "6", At: later, Decided: map[memory.ID]memory.Decision{RedactionID("3"): memory.Accepted}}, true)
	})
	locked(t, f, func() error { return f.Purge(later) })
	if got := f.State.Redactions; !reflect.DeepEqual(got, want[1:]) {
		t.Fatalf("after a purge\n%+v, want\n%+v", got, want[1:])
	}
}

func TestAKeyThatIsLostIsNotReplacedUnseen(t *testing.T) {
	f := on(t, ofFormat1())
	zeros, ones := bytes.NewReader(make([]byte, keySize)), bytes.NewReader(bytes.Repeat([]byte{1}, keySize))
	first, err := f.NewestKey(zeros)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.NewestKey(nil); err != nil || again.Sum("text") != first.Sum("text") {
		t.Fatalf("the key is made twice: %+v, %v", again, err)
	}
	if info, err := os.Stat(f.dir + "/" + keysName); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the key is %v, %v", info, err)
	}
	if err := os.WriteFile(f.dir+"/"+keysName, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := f.NewestKey(ones)
	if err != nil || second.Name == first.Name || second.Sum("text") == first.Sum("text") {
		t.Fatalf("the second key is %+v, %v", second, err)
	}
	keys, err := f.Keys()
	if _, ok := keys.Named(first.Name); ok || err != nil {
		t.Fatalf("the lost key is known (%v)", err)
	}
	if _, ok := keys.Named(second.Name); !ok {
		t.Fatal("the new key is unknown")
	}
}
