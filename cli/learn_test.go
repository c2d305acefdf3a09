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

func (noLearning) Failures(context.Context, memory.FailureOrder) (memory.Failures, error) {
	return memory.Failures{}, nil
}

func (noLearning) LearnFailure(context.Context, string, time.Time) (memory.InboxEntry, error) {
	return memory.InboxEntry{}, nil
}

func (noLearning) PlanDistil(context.Context, memory.LearnOrder) (memory.Distilling, error) {
	return memory.Distilling{}, nil
}

func (noLearning) Distil(context.Context, memory.Distilling, func(n, of int)) ([]memory.Learnt, error) {
	return nil, nil
}
func (noLearning) Digest(context.Context, string) ([]byte, error) { return nil, nil }
func (noLearning) DistilPrompt() (string, string, error)          { return "", "", nil }

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
		"7d": "2026-11-16T12:00:00Z", "12h": "2026-11-23T00:00:00Z", "2": "2026-11-21T12:00:00Z",
		"1w":         "2026-11-16T12:00:00Z",
		"2026-05-30": "2026-05-30T00:00:00Z", "2026-05-30 10:20": "2026-05-30T10:20:00Z",
		"2026-05-30T10:20:00+02:00": "2026-05-30T08:20:00Z",
		"":                          "", "yesterday": "", "-7d": "", "2026-13-01": "",
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
		{
			Agent:   "claudecode",
			Session: "s1",
			Skipped: []string{"loop: it only repeats what the session was given"},
			Proposals: []memory.InboxEntry{{
				ID:      "p7k2m",
				Origin:  memory.Origin{Rule: "outcome", Taint: []string{"web: WebFetch"}},
				Reasons: []memory.Reason{{Text: "the filter failed: exit status 1"}},
				Record:  memory.Record{Title: "Fix \x1b[2J" + key, Outcome: memory.Failed, Body: "Failed: x"},
			}},
		},
		{Agent: "claudecode", Session: "s2", Skipped: []string{"it still runs"}},
	}}
	out := w.run(t, 1, "learn", "--since", "7d") + w.err.String()
	for _, want := range []string{
		"claudecode s1: 1 proposal\n  + p7k2m [failed] Fix <ESC>[2J",
		": Failed: x\n    note: the filter failed: exit status 1\n    taint: web: WebFetch\n  - loop: it only repeats what",
		"claudecode s2: 0 proposals\n  - it still runs\n", "1 proposal of 1 session in the inbox: winnow inbox\n",
		"list sessions of Other: broken",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if strings.Contains(out, key) || o.Since.IsZero() || o.Latest || o.Queue {
		t.Errorf("order %+v, printed\n%s", o, out)
	}
}

// failingLibrary knows a failure.
type failingLibrary struct {
	noLearning
	asked *memory.FailureOrder
}

func (l failingLibrary) Failures(_ context.Context, o memory.FailureOrder) (memory.Failures, error) {
	*l.asked = o
	return memory.Failures{Sessions: 97, Since: o.Since, List: []memory.Failure{{
		ID: "f3a91c2", Called: "rtk bun", Error: "rtk: command not found", Sessions: 62, Of: 97, Calls: 68,
		Worked: "bun test",
	}}}, nil
}

func TestLearnSaysFirstWhatFailedAgainAndAgain(t *testing.T) {
	w := newWorld(standard())
	var order memory.LearnOrder
	var asked memory.FailureOrder
	w.Failing = failingLibrary{asked: &asked}
	w.Learning = fakeLearner{order: &order, list: []memory.Learnt{{Agent: "codex", Session: "s1"}}}
	out := w.run(t, 0, "learn")
	failed, session := strings.Index(out, "62 of 97 sessions, 68 calls"), strings.Index(out, "codex s1")
	if failed < 0 || session < failed || !strings.Contains(out, "then worked: bun test") {
		t.Errorf("the failures do not come first:\n%s", out)
	}
	if asked.Since.IsZero() || asked.All {
		t.Errorf("asked for %+v", asked)
	}
	if out := w.run(t, 0, "learn", "--json"); !strings.Contains(out, `"called": "rtk bun"`) {
		t.Errorf("the JSON has no failures:\n%s", out)
	}
	for _, args := range [][]string{{"learn", "--queue"}, {"learn", "s1"}} {
		if out := w.run(t, 0, args...); strings.Contains(out, "rtk") {
			t.Errorf("%v prints failures:\n%s", args, out)
		}
	}
}
