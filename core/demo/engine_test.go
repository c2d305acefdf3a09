package demo

import (
	"testing"
	"time"

	"winnow/core/lesson"
	"winnow/core/memory"
)

// load reads the store like an agent that starts at noon.
func load(t *testing.T) *lesson.List {
	t.Helper()
	_, text := unpack(t)
	return lesson.Load(text, noon, time.UTC)
}

func TestTheAgentWorksWithTheStore(t *testing.T) {
	l := load(t)
	if p := l.Problem(); p != nil {
		t.Fatal(p)
	}
	if n := l.Len(); n < 80 || n > 91 {
		t.Errorf("%d lessons are held, want 80 to 91", n)
	}
	if s := l.Stats(); s.Damaged.Count != 2 || s.Pruned.Count != 1 || s.Beyond.Count != 0 {
		t.Errorf("damaged %d, pruned %d, beyond %d; want 2, 1, 0", s.Damaged.Count, s.Pruned.Count, s.Beyond.Count)
	}
	for _, mode := range []memory.Mode{memory.Single, memory.Agentic} {
		r := lesson.Explain(
			l,
			memory.Task{
				Text:  "Fetch the release notes with a retry and a timeout",
				Mode:  mode,
				Tools: []string{"http-request"},
			},
		)
		if r.Stop != nil || r.Empty != "" || r.Found <= r.Limit {
			t.Errorf("%s: stop %v, empty %q, found %d", mode, r.Stop, r.Empty, r.Found)
		}
	}
}

func TestTheEngineSeesTheTrouble(t *testing.T) {
	l := load(t)
	seen := map[memory.Flags]int{}
	for i := range l.Len() {
		r := l.Record(i)
		if r.Problem != nil {
			t.Errorf("line %d: %v", r.Line, r.Problem)
		}
		for flag := memory.FlagSecret; flag <= memory.FlagPruned; flag <<= 1 {
			if r.Flags&flag != 0 {
				seen[flag]++
			}
		}
	}
	for flag, least := range map[memory.Flags]int{
		memory.FlagSecret:     5,
		memory.FlagInjection:  5,
		memory.FlagPrunesSoon: 4,
	} {
		if seen[flag] < least {
			t.Errorf("%d lessons carry flag %b, want %d", seen[flag], flag, least)
		}
	}
}
