package audit_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/tui/pages/audit"
)

// line returns the line of the screen that the cursor is in, or -1.
func line(p *program) int {
	for i, l := range strings.Split(p.Screen(), "\n") {
		if strings.HasPrefix(l, "│>") {
			return i
		}
	}
	return -1
}

// TestSettlingGoesToTheNextOfTheOrderThatWasShown, whatever the list is sorted to once
// the store was written.
func TestSettlingGoesToTheNextOfTheOrderThatWasShown(t *testing.T) {
	three := []memory.Record{
		record(1, "a "+key()),
		record(2, "b "+key()),
		record(3, "c "+key()),
		record(4, "d hunter2"),
	}
	start(
		t,
		func(s *started) { s.b.Change(func(s *memory.Snapshot) { s.Records = three }) },
		func(t *testing.T, p *program) {
			first := true
			p.b.Find = func(records []memory.Record) []memory.Finding {
				list := find(records)
				for i := range list { // the last comes first once somebody wrote
					if list[i].ID == "id3" && !first {
						list[i].Line = 0
					}
				}
				return list
			}
			wantChosen(t, p, "#1 ")
			first = false
			p.Press("r", "y")
			wantChosen(t, p, "#2 ", "open")
			p.Press("k")
			p.WantText("redacted", "session s_1", "Enter open lesson", "d delete") // its lesson is still there
			p.Press("j")
			p.Press("r", "y") // #3 is above it by now
			wantChosen(t, p, "url-password", "#4", "open")
		},
	)
}

// TestLastOneGoesBackToOneThatCounts: below it nothing is left.
func TestLastOneGoesBackToOneThatCounts(t *testing.T) {
	start(
		t,
		func(s *started) { s.b.Change(func(s *memory.Snapshot) { s.Records = typical()[:5] }) },
		func(t *testing.T, p *program) {
			p.Press("G", "i")
			p.Type("meant")
			p.Press("enter")
			wantChosen(t, p, "url-password", "#5", "open")
			p.Press("r", "y")
			wantChosen(t, p, "prompt-override", "#3", "open")
		},
	)
}

// TestCursorStaysWhenAnotherSettles: what a key would act on is what the person chose.
func TestCursorStaysWhenAnotherSettles(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j")
		wantChosen(t, p, "github-pat", "#4")
		name := "github-pat/" + typical()[3].Title
		if err := p.b.Ignore(t.Context(), []memory.Ignore{{Fingerprint: name, Reason: "elsewhere"}}, nil); err != nil {
			t.Fatal(err)
		}
		p.Advance(time.Millisecond)
		wantChosen(t, p, "github-pat", "#4", "ignored: elsew")
	})
}

// TestEditedTextKeepsTheCursor: an agent that edits around a key makes it another
// finding of the same kind in the same place.
func TestEditedTextKeepsTheCursor(t *testing.T) {
	start(t, nil, func(t *testing.T, p *program) {
		p.Press("j")
		wantChosen(t, p, "github-pat", "#4")
		p.change(func(s *memory.Snapshot) {
			records := typical()
			records[3] = record(4, "told otherwise "+key())
			s.Records = append(records, record(0, "new "+key()))
		})
		wantChosen(t, p, "github-pat", "#4", "high")
	})
}

// TestListStandsStillWhileAnAgentSaves: neither the cursor nor its line of the screen
// nor the detail moves, and the count is on the tab of every page.
func TestListStandsStillWhileAnAgentSaves(t *testing.T) {
	start(t, func(s *started) {
		s.h = 24
		records := make([]memory.Record, 40)
		for i := range records {
			records[i] = record(i+1, fmt.Sprintf("%d %s %s", i, strings.Repeat("words ", 200), key()))
		}
		s.b.Change(func(s *memory.Snapshot) { s.Records = records })
	}, func(t *testing.T, p *program) {
		for range 20 {
			p.Press("j")
		}
		p.Press("tab", "j", "j", "tab")
		at, shown := line(p), chosen(p)
		for i := range 10 {
			p.b.Unaudited = true
			p.change(func(s *memory.Snapshot) {
				added := record(100+i, "new "+key())
				added.Line = 0
				s.Records = append([]memory.Record{added}, s.Records...)
			})
			p.WantText("!]")
			p.b.Unaudited = false
			p.change(func(*memory.Snapshot) {})
			p.WantText(fmt.Sprintf("[3 Audit %d!]", 41+i))
			if chosen(p) != shown || line(p) != at {
				t.Fatalf(
					"save %d moved the cursor from %q in line %d to %q in line %d",
					i,
					shown,
					at,
					chosen(p),
					line(p),
				)
			}
		}
	})
}

// TestKeysThatWriteAreNotOfferedWhenNothingMay: with --readonly they would only say no.
func TestKeysThatWriteAreNotOfferedWhenNothingMay(t *testing.T) {
	start(t, func(s *started) {
		s.c.ReadOnly = true
		s.c.Pages[2] = audit.New(context.Background(), audit.Config{Keys: s.c.Keys, ReadOnly: true})
	}, func(t *testing.T, p *program) {
		p.WantNoText("i ignore", "E export report", "r redact")
		p.WantText("f fail level", "y copy line")
	})
}

// TestVerdictIsOfWhatWasLookedAt: a part of a store, and lines that are held in part, are
// no clean store.
func TestVerdictIsOfWhatWasLookedAt(t *testing.T) {
	long := record(2, "harmless")
	long.RawLen = 2 << 20
	start(t, func(s *started) {
		s.b.Find = func([]memory.Record) []memory.Finding { return nil }
		s.b.Change(func(s *memory.Snapshot) { s.Records = []memory.Record{record(1, "harmless"), long} })
	}, func(t *testing.T, p *program) {
		p.WantText("Not covered: 1 line that is too long to be held whole, git history, backups.")
		p.Press("E", "enter")
		if r := p.b.Reports(); len(r) != 1 || !strings.HasPrefix(r[0].Audit.Uncovered[0], "1 line") {
			t.Errorf("reported %+v", r)
		}
	})
}
