package curate

import (
	"bytes"
	"maps"
	"os"
	"reflect"
	"strings"
	"testing"

	"winnow/core/atomicfile"
	"winnow/core/memory"
)

// older returns a history in the format before: three deletions, a pin, a decision, a redaction and what is undone.
func older() string {
	text := string(encodeEvent(event{Kind: kindHeader, ID: "1", Format: historyFormat - 1, Store: "/s", At: now}))
	notice := event{
		Kind:    kindDid,
		ID:      "0",
		Who:     memory.Guard,
		Changes: []memory.Change{{Do: memory.Adding, ID: "n", After: "n"}},
	}
	redaction := event{Kind: kindBegin, ID: "3", At: now, Who: memory.You, Do: memory.Redact, Final: true, Key: "k",
		Scrubs:  []scrub{{scrubText, 40, 7, "sum"}},
		Changes: []memory.Change{{Do: memory.Editing, ID: "c", Before: "[REDACTED]", After: "[REDACTED]"}}}
	all := append([]event{notice}, change("1", "a")...)
	all = append(all, change("2", "b")...)
	all = append(all, redaction, event{Kind: kindDone, ID: "3"}, pin(4, memory.Pinning, "p"))
	all = append(all, event{Kind: kindDecided, ID: "5", At: now, Decided: decisions{"b": memory.TrustLesson}})
	for _, e := range all {
		text += string(encodeEvent(e))
	}
	return text + string(encodeEvent(event{Kind: kindMark, Pins: []memory.ID{"p"}}))
}

// carries checks the state that an older history leaves.
func carries(t *testing.T, s *historyState) {
	t.Helper()
	if len(s.Items)+len(s.Undo)+len(s.Redo) > 0 || s.next() != "6" {
		t.Errorf("entries %v, undo %v, redo %v, next %s", s.Items, s.Undo, s.Redo, s.next())
	}
	want := memory.Forms{{Before: `{"lesson":"a"}`}}
	if p := s.Promises["a"]; p == nil || !p.Gone || !reflect.DeepEqual(p.Forms, want) || s.Promises["n"] != nil {
		t.Errorf("a is watched as %+v, the notice as %+v", p, s.Promises["n"])
	}
	if !maps.Equal(s.Pins, map[memory.ID]bool{"p": true}) || s.Decided["b"] != memory.TrustLesson {
		t.Errorf("pins %v, decisions %v", s.Pins, s.Decided)
	}
	if len(s.Redactions) != 1 || len(s.Redactions[0].Scrubs) != 1 {
		t.Errorf("redactions %+v", s.Redactions)
	}
}

func TestAnOlderHistoryIsMovedAsideAndWhatTheGuardWatchesStays(t *testing.T) {
	f := on(t, older())
	if err := f.refresh(false); err != nil {
		t.Fatal(err)
	}
	carries(t, f.state)
	if _, ok, err := openHistory(atomicfile.OS(), f.dir, "/s").pins(); ok || err != nil {
		t.Errorf("the mark of an older history is taken for one of this format (%v)", err)
	}
	locked(t, f, func() error {
		moved, err := f.moveOlder(now)
		if !moved {
			t.Error("it is not moved")
		}
		return err
	})
	if text, err := os.ReadFile(f.olderPath()); err != nil || string(text) != older() {
		t.Errorf("aside lies %q, %v", text, err)
	}
	again := openHistory(atomicfile.OS(), f.dir, "/s")
	locked(t, again, func() error {
		moved, err := again.moveOlder(now)
		if moved {
			t.Error("it is moved twice")
		}
		return err
	})
	carries(t, f.state)
	carries(t, again.state)
	if has, err := again.hasOlder(); !has || err != nil {
		t.Errorf("the older history is not found: %v", err)
	}
}

func TestAnUnfinishedChangeOfAnOlderHistoryIsKnown(t *testing.T) {
	begin := change("6", "d")[0]
	begin.Splices = &memory.Splices{From: "f", To: "t", Parts: []memory.Splice{{Old: "o"}}}
	f := on(t, older()+string(encodeEvent(begin)))
	locked(t, f, func() error {
		e, err := f.begun()
		if f.state.Pending == nil || e.ID != "6" || e.Splices == nil || len(e.Splices.Parts) != 1 {
			t.Errorf("pending is %+v, begun %+v", f.state.Pending, e)
		}
		return err
	})
}

func TestTheMoveGoesOnAfterACrash(t *testing.T) {
	f := on(t, older())
	if err := os.WriteFile(f.olderPath(), []byte(older()), 0o600); err != nil {
		t.Fatal(err)
	}
	locked(t, f, func() error { _, err := f.moveOlder(now); return err })
	carries(t, f.state)
}

func TestAnOlderHistoryIsNeverReplacedByAnother(t *testing.T) {
	f := on(t, older())
	if err := os.WriteFile(f.olderPath(), []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	locked(t, f, func() error {
		if moved, err := f.moveOlder(now); moved || err == nil {
			t.Errorf("moved: %v, %v", moved, err)
		}
		return nil
	})
	if text, err := os.ReadFile(f.olderPath()); string(text) != "another" {
		t.Errorf("aside lies %q, %v", text, err)
	}
	if text, err := os.ReadFile(f.path()); string(text) != older() {
		t.Errorf("the history is %q, %v", text, err)
	}
}

func TestAnOlderHistoryOfAnotherStoreLosesARedactedSecretWithAllItHas(t *testing.T) {
	for secret, want := range map[string]bool{`{"lesson":"b"}`: true, "nowhere": false} {
		f := on(t, older())
		clean := func(text string) string { return strings.ReplaceAll(text, secret, "[REDACTED]") }
		held, err := cleanHistory(t.Context(), atomicfile.OS(), f.dir, clean, now)
		if err != nil || held != want {
			t.Errorf("%s: held %v, %v", secret, held, err)
		}
		if _, err := os.Stat(f.olderPath()); (err != nil) != want {
			t.Errorf("%s: the older history: %v", secret, err)
		}
		if text, _ := os.ReadFile(f.path()); want && strings.Contains(string(text), `lesson\":\"b`) {
			t.Errorf("%s is in the new history: %s", secret, text)
		}
	}
}

func TestWhatARedactionTookOutIsWatchedOverForGood(t *testing.T) {
	f := on(t, string(encodeEvent(event{Kind: kindHeader, ID: "1", Format: historyFormat, Store: "/s", At: now})))
	scrubs := []scrub{{scrubText, 40, 7, "sum"}}
	begin := event{
		Kind:    kindBegin,
		ID:      "4",
		At:      now,
		Who:     memory.You,
		Do:      memory.Redact,
		Final:   true,
		Key:     "k",
		Scrubs:  scrubs,
		Changes: []memory.Change{{Do: memory.Editing, ID: "d", Before: "x", After: "x"}},
	}
	locked(t, f, func() error { return f.scrub(strings.Clone, begin) })
	locked(t, f, func() error { return f.append(event{Kind: kindDone, ID: "4"}, true) })
	for _, record := range []memory.ID{"d", "e", "e"} {
		seen := event{Kind: kindUndone, ID: "4", Record: record, How: memory.SecretBack, State: "s", At: now}
		locked(t, f, func() error { return f.append(seen, true) })
	}
	if n := f.state.Redactions[0].sighted("e"); n.Times != 1 {
		t.Fatalf("one state is noted %d times", n.Times)
	}
	locked(t, f, func() error {
		return f.append(
			event{Kind: kindDecided, ID: "5", At: now, Decided: map[memory.ID]memory.Decision{"d": memory.Accepted}},
			true,
		)
	})
	later := now.AddDate(1, 0, 0)
	locked(t, f, func() error { return f.keep(later, later, 0) })
	noted := noted{1, []string{"s"}, now}
	want := []redaction{{"4", now, "k", scrubs, []memory.ID{"d"}, []sighting{{"e", noted}}}}
	if got := f.state.Redactions; !reflect.DeepEqual(got, want) {
		t.Fatalf("after all entries left\n%+v, want\n%+v", got, want)
	}
	locked(t, f, func() error { return f.purge(later) })
	if got := f.state.Redactions; !reflect.DeepEqual(got, want) {
		t.Fatalf("after a purge\n%+v, want\n%+v", got, want)
	}
}

func TestARedactionThatTookNothingOutIsNotWatched(t *testing.T) {
	f := on(t, string(encodeEvent(event{Kind: kindHeader, ID: "1", Format: historyFormat, Store: "/s", At: now})))
	begin := event{Kind: kindBegin, ID: "4", At: now, Who: memory.You, Do: memory.Redact, Final: true, Key: "k",
		Changes: []memory.Change{{Do: memory.Editing, ID: "d", Before: "x", After: "x"}}}
	locked(t, f, func() error { return f.scrub(strings.Clone, begin) })
	locked(t, f, func() error { return f.append(event{Kind: kindDone, ID: "4"}, true) })
	if len(f.state.Redactions) > 0 {
		t.Errorf("redactions are %+v", f.state.Redactions)
	}
}

func TestAKeyThatIsLostIsNotReplacedUnseen(t *testing.T) {
	f := on(t, string(encodeEvent(event{Kind: kindHeader, ID: "1", Format: historyFormat, Store: "/s", At: now})))
	zeros, ones := bytes.NewReader(make([]byte, keySize)), bytes.NewReader(bytes.Repeat([]byte{1}, keySize))
	first, err := f.newestKey(zeros)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.newestKey(nil); err != nil || again.sum("text") != first.sum("text") {
		t.Fatalf("the key is made twice: %+v, %v", again, err)
	}
	if info, err := os.Stat(f.dir + "/" + keysName); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the key is %v, %v", info, err)
	}
	if err := os.WriteFile(f.dir+"/"+keysName, []byte("torn"), 0o600); err != nil {
		t.Fatal(err)
	}
	second, err := f.newestKey(ones)
	if err != nil || second.Name == first.Name || second.sum("text") == first.sum("text") {
		t.Fatalf("the second key is %+v, %v", second, err)
	}
	keys, err := f.keys()
	if _, ok := keys.named(first.Name); ok || err != nil {
		t.Fatalf("the lost key is known (%v)", err)
	}
	if _, ok := keys.named(second.Name); !ok {
		t.Fatal("the new key is unknown")
	}
}
