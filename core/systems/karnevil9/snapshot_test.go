package karnevil9

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

// aged returns a store that was written long ago, so that what is known of it
// is used again.
func aged(t *testing.T, text []byte) *Store {
	t.Helper()
	path := write(t, text)
	old := now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	return openStore(t, path)
}

func TestOnlyTheBeginningOfALargeStoreIsShownAndItIsNotWritten(t *testing.T) {
	text := append(lessons(maxRecords+10), '\n')
	s := aged(t, text)
	snap := snapshot(t, s)
	if len(snap.Records) != maxRecords || snap.Total != maxRecords+10 || snap.Held != 200 || snap.ReadOnly == "" ||
		!strings.Contains(codes(snap), "over-limit") {
		t.Errorf(
			"%d records of %d, %d held, read-only %q, health %s",
			len(snap.Records),
			snap.Total,
			snap.Held,
			snap.ReadOnly,
			codes(snap),
		)
	}
	if n := len(all(t, s)); n != maxRecords+10 {
		t.Errorf("%d records are listed, want all %d", n, maxRecords+10)
	}
	_, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(snap.Records[0])}})
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != "over-limit" {
		t.Errorf("Write = %v", err)
	}
	if now, _ := os.ReadFile(s.Info().Place.Path); !bytes.Equal(now, text) {
		t.Error("the store was written to")
	}
}

func TestAStoreAtTheLimitIsHeldWholeAndWritten(t *testing.T) {
	if os.Getenv("WINNOW_LONG") == "" {
		t.Skip("does not apply: WINNOW_LONG is not set")
	}
	s := aged(t, append(lessons(maxRecords), '\n'))
	snap := snapshot(t, s)
	if len(snap.Records) != maxRecords || snap.ReadOnly != "" || s.CanWrite() != nil {
		t.Errorf("%d records, read-only %q, %v", len(snap.Records), snap.ReadOnly, s.CanWrite())
	}
	if _, err := s.Write(t.Context(), system.Write{Changes: []memory.Change{deletion(snap.Records[0])}}); err != nil {
		t.Error(err)
	}
}

func TestPartsComeBeforeTheWholeAndStayAsTheyWere(t *testing.T) {
	const n = 20_000
	text := lessons(n)
	first, _, _ := bytes.Cut(text, []byte("\n"))
	s := openStore(t, write(t, append(append(text, '\n'), first...))) // the first id comes again at the end
	var parts, copies []memory.Snapshot
	whole, err := s.Snapshot(t.Context(), func(p memory.Snapshot) {
		parts = append(parts, p)
		p.Records = slices.Clone(p.Records)
		copies = append(copies, p)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) == 0 {
		t.Fatal("no part came before the whole")
	}
	p := parts[0]
	if len(p.Records) < firstPart || len(p.Records) >= n || !p.Partial || p.Held != 200 || len(p.Health) == 0 {
		t.Errorf("first part: %d records, partial %v, %d held, health %v", len(p.Records), p.Partial, p.Held, p.Health)
	}
	if f := p.Records[0].Forecast; f.Rank == 0 {
		t.Errorf("first record of the first part has no forecast: %+v", f)
	}
	for i := range parts {
		for j := range parts[i].Records {
			a, b := &parts[i].Records[j], &copies[i].Records[j]
			if a.ID != b.ID || a.Flags != b.Flags || a.Forecast != b.Forecast {
				t.Fatalf("record %d of part %d changed after it was handed over", j, i)
			}
		}
	}
	if whole.Partial || whole.Total != n+1 || whole.Records[0].Flags&memory.FlagDuplicate == 0 {
		t.Errorf(
			"whole: partial %v, %d in all, flags of the first %b",
			whole.Partial,
			whole.Total,
			whole.Records[0].Flags,
		)
	}
}

func TestRecallUsesWhatAnAgentHolds(t *testing.T) {
	text := bytes.ReplaceAll(lessons(250), []byte(`"task_summary":"Repair`), []byte(`"task_summary":"Zebra repair`))
	s := openStore(t, write(t, text))
	r, err := s.Recall(t.Context(), memory.Task{Text: "zebra"})
	if err != nil {
		t.Fatal(err)
	}
	if r.Searched != 200 || r.Found != 200 {
		t.Errorf("searched %d and found %d, want 200 each", r.Searched, r.Found)
	}
	before := fmt.Sprint(r.Hits)
	if r, err = s.Recall(t.Context(), memory.Task{Text: "zebra"}); err != nil || fmt.Sprint(r.Hits) != before {
		t.Errorf("the second recall differs from the first (%v)", err)
	}
}

func TestStoreRewrittenWhileItIsReadIsReadAgain(t *testing.T) {
	path := write(t, lessons(20_000))
	for name, text := range map[string][]byte{"shorter": lessons(7), "longer": lessons(21_000), "empty": nil} {
		if err := os.WriteFile(path, lessons(20_000), 0o600); err != nil {
			t.Fatal(err)
		}
		rewritten := false
		snap, err := openStore(t, path).Snapshot(t.Context(), func(memory.Snapshot) {
			if rewritten {
				return
			}
			rewritten = true
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Error(err)
			}
		})
		if want := bytes.Count(text, []byte("{\"lesson_id\"")); err != nil || !rewritten || snap.Total != want ||
			len(snap.Records) != want {
			t.Errorf("%s: %d records of %d (%v), want %d", name, len(snap.Records), snap.Total, err, want)
		}
	}
}

func TestStoreReplacedWhileItIsReadIsShownAsItWas(t *testing.T) {
	path := write(t, lessons(20_000))
	snap, err := openStore(t, path).Snapshot(t.Context(), func(memory.Snapshot) {
		if err := os.Rename(write(t, lessons(7)), path); err != nil {
			t.Error(err)
		}
	})
	if err != nil || snap.Total != 20_000 {
		t.Errorf("%d records (%v), want the 20000 that were opened", snap.Total, err)
	}
}
