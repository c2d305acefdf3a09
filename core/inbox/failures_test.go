package inbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/home"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

// fails sets the steps of a session: a program that is not there, and its other name.
func fails(s *session.Session, secret string) {
	s.Steps = []session.Step{
		{Tool: "Bash", Arguments: `{"command":"python a.py ` + secret + `"}`, Status: session.Error, Error: "python: command not found"},
		{Tool: "Bash", Arguments: `{"command":"python3 a.py"}`, Status: session.OK},
	}
}

func TestFailureOfSeveralSessionsIsProposedOnce(t *testing.T) {
	s := newSchool(t)
	fails(s.add("alpha", 1, session.Succeeded), "")
	want(t, s.learnt(t, memory.LearnOrder{Session: "alpha"}), "alpha: 0 ")
	fails(s.add("bravo", 2, session.Failed), "")
	want(t, s.learnt(t, memory.LearnOrder{Session: "bravo"}), "bravo: 1 ")
	fails(s.add("delta", 3, session.Succeeded), "")
	got := s.learnt(t, memory.LearnOrder{Session: "delta"})
	if !strings.HasPrefix(got, "delta: 0 recurring: the same proposal already waits as ") {
		t.Error(got)
	}
	b, err := s.quarantine.Look()
	if err != nil || len(b.Waiting) != 1 {
		t.Fatal(err, len(b.Waiting))
	}
	w := &b.Waiting[0]
	if w.Seen.Sessions != 2 || w.Seen.Of != 2 || w.When != "command: python" || w.Seen.Lines[0] != "python: command not found" {
		t.Errorf("%+v", w.Proposal)
	}
}

func TestSourceThatSaysItLeavesNoProposal(t *testing.T) {
	s := newSchool(t)
	fails(s.add("alpha", 1, session.Succeeded), "")
	fails(s.add("bravo", 2, session.Succeeded), "")
	rules := filepath.Join(s.dir, "RULES.md")
	if err := os.WriteFile(rules, []byte("# Rules\n* Use python3 for scripts.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Library.Machine().Systems[0].Sources = func(context.Context, system.Env, bool) []memory.AgentSources {
		return []memory.AgentSources{{System: "one", Agent: "One", List: []memory.Source{{Path: rules}}}}
	}
	want(t, s.learnt(t, memory.LearnOrder{Since: at(0)}), "bravo: 0 \nalpha: 0 ")
	fs, err := s.Failures(t.Context(), memory.FailureOrder{Since: at(0)})
	if err != nil || len(fs.List) != 1 || fs.List[0].Told == nil || fs.List[0].Told.Line != 2 || fs.Sessions != 2 {
		t.Fatalf("%v: %+v", err, fs)
	}
	home, err := home.New(s.Library).Home(t.Context(), memory.HomeOrder{Failing: true}, nil)
	if err != nil || home.Failing != "python in 2 of 2 sessions: python: command not found" {
		t.Errorf("Home says %q, %v", home.Failing, err)
	}
	e, err := s.LearnFailure(t.Context(), fs.List[0].ID, at(0))
	if err != nil || e.Record.Body != "Use python3 for scripts." || e.Origin.Rule != "told" {
		t.Errorf("%v: %+v", err, e)
	}
}

func TestSessionIsReadOnceAndForgotten(t *testing.T) {
	s := newSchool(t)
	key := "ghp_" + strings.Repeat("a1B2", 9)
	fails(s.add("alpha", 1, session.Succeeded), key)
	fails(s.add("bravo", 2, session.Running), "")
	look := func() memory.Failures {
		fs, err := s.Failures(t.Context(), memory.FailureOrder{Since: at(0), All: true})
		if err != nil {
			t.Fatal(err)
		}
		return fs
	}
	first := look()
	delete(s.sessions, "bravo")
	alpha := s.sessions["alpha"]
	alpha.Steps = nil // it would say nothing if it were read again
	if again := look(); len(first.List) != 1 || len(again.List) != 1 || first.List[0].Sessions != 2 || again.List[0].Sessions != 1 {
		t.Errorf("%+v, then %+v", first.List, again.List)
	}
	file := filepath.Join(s.dir, "state", "learn", "traces")
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), key) || strings.Contains(string(data), "bravo") {
		t.Errorf("%v: %s", err, data)
	}
	alpha.Size++
	if changed := look(); len(changed.List) != 0 {
		t.Errorf("a session that changed is not read again: %+v", changed.List)
	}
	if err := s.Forget(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Error("what was read is still there")
	}
}

func TestReadOnlyLibraryKeepsNothing(t *testing.T) {
	s := newSchool(t)
	fails(s.add("alpha", 1, session.Succeeded), "")
	s.Library = s.Library.ReadOnly()
	s.Reviewer = New(s.Library)
	if _, err := s.Failures(t.Context(), memory.FailureOrder{Since: at(0)}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(s.dir, "state")); !os.IsNotExist(err) {
		t.Error("the state folder was made")
	}
}

func TestHostileTracesAreReadAgain(t *testing.T) {
	s := newSchool(t)
	fails(s.add("alpha", 1, session.Succeeded), "")
	if _, err := s.Failures(t.Context(), memory.FailureOrder{Since: at(0)}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.dir, "state", "learn", "traces")
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	name, _, _ := strings.Cut(string(data), " ")
	for _, text := range []string{name + " {", name + "\n", "\x00\xff" + name, name + " " + strings.Repeat("x", 1<<20), name + ` {"failed":7}`} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		fs, err := s.Failures(t.Context(), memory.FailureOrder{Since: at(0), All: true})
		if err != nil || len(fs.List) != 1 {
			t.Errorf("%.20q: %v, %+v", text, err, fs.List)
		}
	}
}
