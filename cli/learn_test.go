package cli

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// noLearning learns nothing.
type noLearning struct{}

func (noLearning) Learn(context.Context, memory.LearnOrder) ([]memory.Learnt, error) { return nil, nil }
func (noLearning) Review(context.Context, memory.InboxOrder) (memory.InboxResult, error) {
	return memory.InboxResult{}, nil
}

func (noLearning) SettingsProblem() *memory.Problem { return nil }

// fakeLearner returns what it holds, and keeps the order.
type fakeLearner struct {
	noLearning
	list  []memory.Learnt
	err   error
	order *memory.LearnOrder
}

func (l fakeLearner) Learn(_ context.Context, o memory.LearnOrder) ([]memory.Learnt, error) {
	*l.order = o
	return l.list, l.err
}

func TestSinceTakesAnAgeOrADate(t *testing.T) {
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"7d": "2026-11-16T12:00:00Z", "12h": "2026-11-23T00:00:00Z", "2": "2026-11-21T12:00:00Z", "1w": "2026-11-16T12:00:00Z",
		"2026-05-30": "2026-05-30T00:00:00Z", "2026-05-30 10:20": "2026-05-30T10:20:00Z", "2026-05-30T10:20:00+02:00": "2026-05-30T08:20:00Z",
		"": "", "yesterday": "", "-7d": "", "2026-13-01": "",
	} {
		at, ok := sinceTime(text, now, time.UTC)
		if got := at.UTC().Format(time.RFC3339); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %s %t, want %s", text, got, ok, want)
		}
	}
}

func TestLearnPrintsWhatWasProposedAndWhyNot(t *testing.T) {
	w := newWorld(standard())
	key := "ghp_" + strings.Repeat("a1B2", 9)
	var o memory.LearnOrder
	w.Learning = fakeLearner{order: &o, err: errors.New("list sessions of Other: broken"), list: []memory.Learnt{
		{Agent: "claudecode", Session: "s1", Skipped: []string{"loop: it only repeats what the session was given"}, Proposals: []memory.InboxEntry{{
			ID: "p7k2m", Origin: memory.Origin{Rule: "outcome", Taint: []string{"web: WebFetch"}}, Reasons: []memory.Reason{{Text: "the filter failed: exit status 1"}},
			Record: memory.Record{Title: "Fix \x1b[2J" + key, Outcome: memory.Failed, Body: "Failed: x"},
		}}},
		{Agent: "claudecode", Session: "s2", Skipped: []string{"it still runs"}},
	}}
	out := w.run(t, 1, "learn", "--since", "7d") + w.err.String()
	for _, want := range []string{
		"claudecode s1: 1 proposal\n  + p7k2m [failed] Fix <ESC>[2J", ": Failed: x\n    note: the filter failed: exit status 1\n    taint: web: WebFetch\n  - loop: it only repeats what",
		"claudecode s2: 0 proposals\n  - it still runs\n", "1 proposal of 1 session in the inbox: winnow inbox\n", "list sessions of Other: broken",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, key) || o.Since.IsZero() || o.Latest || o.Queue {
		t.Errorf("order %+v, printed\n%s", o, out)
	}
}
