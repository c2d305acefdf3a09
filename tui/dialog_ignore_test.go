package tui

import (
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
)

var ignoredAt = time.Date(2026, 3, 10, 15, 4, 5, 0, time.FixedZone("east", 2*60*60))

func TestUntilIsADayOrANumberOfDays(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "  ": "", "30d": "2026-04-09 15:04", " 1d ": "2026-03-11 15:04", "2026-03-11": "2026-03-11 00:00",
		"2027-01-31": "2027-01-31 00:00",
		"3650d":      "2036-03-07 15:04",
	} {
		end, err := parseEnd(text, ignoredAt)
		got := ""
		if !end.IsZero() {
			got = end.Format("2006-01-02 15:04")
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, err, want)
		}
	}
	for _, text := range []string{
		"0d", "-3d", "d", "3651d", "99999999999999999999d", "soon", "2026-03-10", "2020-01-01", "2026-13-01",
		"2026-02-30", "30", "1.5d", "30 d",
	} {
		if end, err := parseEnd(text, ignoredAt); err == nil {
			t.Errorf("%q is %v", text, end)
		}
	}
}

func FuzzUntil(f *testing.F) {
	for _, s := range []string{"", "30d", "2027-01-31", "-1d", "+5d", "2026-02-29"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end, err := parseEnd(text, ignoredAt)
		if err == nil && !end.IsZero() && !end.After(ignoredAt) {
			t.Fatalf("%q is in the past: %v", text, end)
		}
		if err != nil && !end.IsZero() {
			t.Fatalf("%q is both %v and wrong", text, end)
		}
	})
}

// TestEscAsksOnceBeforeItThrowsAwayWhatWasTyped, in every dialog for texts.
func TestEscAsksOnceBeforeItThrowsAwayWhatWasTyped(t *testing.T) {
	k := keymap.Default()
	for name, open := range map[string]func() dialog{
		"edit": func() dialog {
			return newEdit(k, memory.Record{ID: "a", Title: "x"}, memory.Noun{}, memory.Edit{}, nil)
		},
		"ignore": func() dialog { return newIgnore(k, memory.Finding{Rule: "r"}, time.Now) },
	} {
		s := &dialogStack{}
		s.push(open())
		if pressKeys(s, "esc"); !s.empty() {
			t.Errorf("%s: nothing was typed, and Esc asks", name)
		}
		s.push(open())
		if pressKeys(s, "d", "esc"); s.empty() || !strings.Contains(stackScreen(s), "Esc again") {
			t.Errorf("%s: what was typed is gone", name)
		}
		pressKeys(s, "e", "esc") // typed on: it asks again
		if s.empty() {
			t.Errorf("%s: what was typed later is gone", name)
		}
		if pressKeys(s, "esc"); !s.empty() {
			t.Errorf("%s: the second Esc does not close", name)
		}
	}
}
