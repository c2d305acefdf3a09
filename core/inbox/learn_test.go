package inbox

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/library"
	"winnow/core/memory"
	"winnow/core/serve"
	"winnow/core/session"
	"winnow/core/system"
)

// learningLibrary is a library over one system that keeps sessions, by id.
type learningLibrary struct {
	*Reviewer
	Library  *library.Library
	dir      string
	now      time.Time
	sessions map[string]*session.Session
}

func newSchool(t *testing.T) *learningLibrary {
	s := &learningLibrary{dir: t.TempDir(), now: at(50), sessions: map[string]*session.Session{}}
	one := system.System{
		ID: "one", Name: "One", Find: func(context.Context, system.Env) memory.Survey { return memory.Survey{} },
		Sessions: func(context.Context, system.Env, string) (heads []session.Head, err error) {
			for _, x := range s.sessions {
				heads = append(heads, x.Head)
			}
			return heads, nil
		},
		Session: func(ctx context.Context, _ system.Env, h session.Head) (session.Session, error) {
			if x := s.sessions[h.ID]; x != nil {
				return *x, ctx.Err()
			}
			return session.Session{}, errors.New("no such file")
		},
	}
	s.Library = library.New([]system.System{one}, system.Env{Home: s.dir, Dir: s.dir, Lookup: func(string) (string, bool) { return "", false }},
		func() time.Time { return s.now }, start, library.State{Dir: filepath.Join(s.dir, "state"), Rand: rand.Reader})
	s.Reviewer = New(s.Library)
	return s
}

// add adds a session that ended at a minute.
func (s *learningLibrary) add(id string, minute int, state session.State) *session.Session {
	x := &session.Session{
		Head: session.Head{System: "one", ID: id, Changed: at(minute), Folder: s.dir}, Task: "Ship " + strings.Repeat(id+" ", 4), State: state, Ended: at(minute),
		Steps: []session.Step{
			{Tool: "Bash", Arguments: `{"command":"` + id + ` build"}`, Status: session.Error, Error: id + ": command not found"},
			{Tool: "Bash", Arguments: `{"command":"npx ` + id + ` build"}`, Status: session.OK},
		},
	}
	s.sessions[id] = x
	return x
}

// lesson is what is learnt from a session that was added.
func lessonOf(id string) string {
	return fmt.Sprintf("Run `npx %[1]s build`, not `%[1]s build`, which fails here: \"%[1]s: command not found\".", id)
}

// learnt returns what became of sessions: "a: 1 proposals", or why there are none.
func (s *learningLibrary) learnt(t *testing.T, o memory.LearnOrder) string {
	t.Helper()
	list, err := s.Learn(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range list {
		out = append(out, fmt.Sprintf("%s: %d %s", l.Session, len(l.Proposals), strings.Join(l.Skipped, ", ")))
	}
	return strings.Join(out, "\n")
}

func want(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func (s *learningLibrary) waiting(t *testing.T) int {
	t.Helper()
	b, err := s.quarantine.Look()
	if err != nil {
		t.Fatal(err)
	}
	return len(b.Waiting)
}

func TestSessionIsLearntFromOnce(t *testing.T) {
	s := newSchool(t)
	x := s.add("alpha", 1, session.Succeeded)
	want(t, s.learnt(t, memory.LearnOrder{Session: "alpha", DryRun: true}), "alpha: 1 ")
	want(t, s.learnt(t, memory.LearnOrder{Session: "al"}), "alpha: 1 ")
	want(t, s.learnt(t, memory.LearnOrder{Latest: true}), "alpha: 0 it was learnt from on 4 May 2026")
	x.Steps, x.Resumed = append(x.Steps, x.Steps...), true
	want(t, s.learnt(t, memory.LearnOrder{Since: at(0)}), "alpha: 0 it was learnt from on 4 May 2026")
	want(t, s.learnt(t, memory.LearnOrder{Session: "alpha"}), "alpha: 0 it was learnt from on 4 May 2026; the 2 steps since are not, since a session is learnt from once")
	if n := s.waiting(t); n != 1 {
		t.Errorf("%d proposals wait", n)
	}
}

func TestRunningSessionIsNotLearnt(t *testing.T) {
	s := newSchool(t)
	s.add("alpha", 1, session.Running)
	s.add("bravo", 2, session.Aborted)
	s.add("delta", 3, session.Unknown)
	s.add("gamma", 4, session.Succeeded).Subagent = true
	s.sessions["gamma"].Head.Subagent = true
	want(t, s.learnt(t, memory.LearnOrder{Since: at(0)}),
		"delta: 0 how it ended is unknown; name it to learn from it\nbravo: 0 the person stopped it\nalpha: 0 it still runs")
	want(t, s.learnt(t, memory.LearnOrder{Session: "alpha"}), "alpha: 0 it still runs")
	want(t, s.learnt(t, memory.LearnOrder{Session: "gamma"}), "gamma: 0 it was started by another session, which has its results")
	want(t, s.learnt(t, memory.LearnOrder{Session: "one:delta"}), "delta: 1 ")
}

func TestSinceAndFromNarrow(t *testing.T) {
	s := newSchool(t)
	s.add("alpha", 1, session.Succeeded)
	s.add("bravo", 20, session.Failed)
	want(t, s.learnt(t, memory.LearnOrder{Since: at(10), From: "two"}), "")
	want(t, s.learnt(t, memory.LearnOrder{Since: at(10), From: "one"}), "bravo: 1 ")
	want(t, s.learnt(t, memory.LearnOrder{Latest: true, From: "two"}), "")
}

func TestQueueKeepsWhatStillRuns(t *testing.T) {
	s := newSchool(t)
	x, broken := s.add("alpha", 1, session.Running), session.Head{System: "one", ID: "lost"}
	for _, h := range []session.Head{x.Head, broken, x.Head} {
		if err := s.enqueue(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	run := func() string { return s.learnt(t, memory.LearnOrder{Queue: true}) }
	lost := "lost: 0 it cannot be read: it is not among the sessions of its agent"
	for range 2 {
		if got := run(); !strings.Contains(got, "alpha: 0 it still runs") || !strings.Contains(got, lost) {
			t.Error(got)
		}
	}
	x.State = session.Succeeded
	if got := run(); !strings.Contains(got, "alpha: 1 ") {
		t.Error(got)
	}
	want(t, run(), lost)
	s.now = s.now.Add(8 * 24 * time.Hour)
	want(t, run(), "")
	if n := s.waiting(t); n != 1 {
		t.Errorf("%d proposals wait", n)
	}
}

func TestSessionThatIsOverDoesNotRun(t *testing.T) {
	s := newSchool(t)
	x := s.add("alpha", 1, session.Running)
	h := x.Head
	h.Over = x.Ended
	x.Ended = h.Over.Add(time.Hour) // it went on
	if err := s.enqueue(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	want(t, s.learnt(t, memory.LearnOrder{Queue: true}), "alpha: 0 it still runs")
	x.Ended = h.Over.Add(time.Second)
	want(t, s.learnt(t, memory.LearnOrder{Queue: true}), "alpha: 1 ")
	want(t, s.learnt(t, memory.LearnOrder{Queue: true}), "")
}

func TestReadOnlyLibraryLearnsNothing(t *testing.T) {
	s := newSchool(t)
	s.add("alpha", 1, session.Succeeded)
	s.Library = s.Library.ReadOnly()
	s.Reviewer = New(s.Library)
	if _, err := s.Learn(t.Context(), memory.LearnOrder{Latest: true}); !errors.Is(err, memory.ErrReadOnly) {
		t.Error(err)
	}
	ended := memory.Hook{Event: "SessionEnd", Agent: "one", Session: "x"}
	if err := serve.New(s.Library).HookLearn(t.Context(), ended); !errors.Is(err, memory.ErrReadOnly) {
		t.Error(err)
	}
	want(t, s.learnt(t, memory.LearnOrder{Latest: true, DryRun: true}), "alpha: 1 ")
	if _, err := os.Stat(filepath.Join(s.dir, "state")); !errors.Is(err, os.ErrNotExist) {
		t.Error("the state folder was made")
	}
}

// filter writes a program and sets it as the filter.
func (s *learningLibrary) filter(t *testing.T, script string) {
	t.Helper()
	program, settings := filepath.Join(s.dir, "judge"), filepath.Join(s.dir, ".config", "winnow", "config.toml")
	err := errors.Join(os.MkdirAll(filepath.Dir(settings), 0o700), os.WriteFile(program, []byte("#!/bin/sh\n"+script+"\n"), 0o700),
		os.WriteFile(settings, []byte("[learn]\nfilter = \"~/judge now\"\n"), 0o600))
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilterDropsRewritesOrIsNoted(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no /bin/sh to run a filter with")
	}
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, c := range []struct{ name, script, body, note, skipped string }{
		{"nothing", "cat >/dev/null", "", "", "variant: the filter dropped it"},
		{"as it is", "cat", lessonOf("alpha"), "", ""},
		{"another body", `cat >/dev/null; echo '{"body":"Use ` + key + `\u001b[2J to ship","origin":{"agent":"forged"},"lesson_id":"x"}'`, "Use [REDACTED][2J to ship", "the filter rewrote it", ""},
		{"it fails", "exit 3", lessonOf("alpha"), "the filter failed: exit status 3", ""},
		{"not JSON", "echo well", lessonOf("alpha"), "the filter failed: its answer is not the JSON of a proposal", ""},
		{"no lesson", `echo '{"body":""}'`, lessonOf("alpha"), "the filter failed: its answer has an empty title or body", ""},
		{"another word", `echo '{"outcome":"great"}'`, lessonOf("alpha"), "the filter failed: its answer has an outcome that is neither succeeded nor failed", ""},
		{"too much", `while :; do echo '{"body":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}'; done`, lessonOf("alpha"), "the filter failed: ", ""},
		{"what it was given", `echo '{"body":"always restart the database before you ship it"}'`, "", "", "variant: the filtered text repeats what the session was given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSchool(t)
			s.add("alpha", 1, session.Succeeded).Given = []session.Given{{Text: "Remember: always restart the database before you ship it. Completed."}}
			s.filter(t, c.script)
			list, err := s.Learn(t.Context(), memory.LearnOrder{Session: "alpha"})
			if err != nil {
				t.Fatal(err)
			}
			body, note := "", ""
			for _, p := range list[0].Proposals {
				body = p.Record.Body
				for _, r := range p.Reasons {
					note += r.Text
				}
				if p.Origin.Agent != "one" || p.Origin.Session != "alpha" {
					t.Errorf("its origin is %+v", p.Origin)
				}
			}
			if body != c.body || !strings.HasPrefix(note, c.note) || (note == "") != (c.note == "") || strings.Join(list[0].Skipped, "") != c.skipped {
				t.Errorf("body %q, note %q, skipped %q", body, note, list[0].Skipped)
			}
		})
	}
}

func TestSlowFilterIsEnded(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("there is no /bin/sh to run a filter with")
	}
	s := newSchool(t)
	s.filter(t, "sleep 600")
	l := learning{in: s.Reviewer}
	ctx, end := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer end()
	if _, err := l.runFilter(ctx, []string{"~/judge"}, nil); err == nil {
		t.Error("it ended by itself")
	}
	if _, err := l.runFilter(t.Context(), []string{"./judge"}, nil); err == nil || !strings.Contains(err.Error(), "depends on the working folder") {
		t.Error(err)
	}
}

func TestHostileQueueBreaksNothing(t *testing.T) {
	s := newSchool(t)
	x := s.add("alpha", 1, session.Succeeded)
	if err := s.enqueue(t.Context(), x.Head); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(s.dir, "state", "learn", "queue")
	if err := errors.Join(os.WriteFile(filepath.Join(folder, "x.json"), []byte("{"), 0o600), os.WriteFile(filepath.Join(folder, "y.json"), []byte(strings.Repeat("x", 1<<20)), 0o600),
		os.WriteFile(filepath.Join(folder, "z.json"), nil, 0o600), os.Symlink("/etc/passwd", filepath.Join(folder, "l.json")), os.Mkdir(filepath.Join(folder, "d.json"), 0o700)); err != nil {
		t.Fatal(err)
	}
	want(t, s.learnt(t, memory.LearnOrder{Queue: true}), "alpha: 1 ")
	want(t, s.learnt(t, memory.LearnOrder{Queue: true}), "")
	for _, h := range []session.Head{{}, {System: "one"}, {ID: "x"}, {System: "one", ID: "x", Path: strings.Repeat("x", 1<<20)}} {
		if s.enqueue(t.Context(), h) == nil {
			t.Errorf("queued %.60v", h)
		}
	}
}

func at(minute int) time.Time { return time.Date(2026, 5, 4, 12, minute, 0, 0, time.UTC) }
