//go:build agents

package agents_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/cli/e2e/agents"
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/all"
)

// scene is a session whose end is known.
type scene struct {
	name  string
	steps func(a agents.Agent) []agents.Step
	// during happens while the agent works; nil for a run to its end.
	during func(s *stage)
	want   session.State
	// failed and recovered say whether a step failed, and whether the session got over it.
	failed, recovered, resumed bool
	// silent are the agents that leave no mark of such an end on the disk: their session is unknown.
	silent []agents.Agent
}

// stage is a running scene.
type stage struct {
	t       *testing.T
	agent   agents.Agent
	home    string
	project string
	model   *agents.Model
	process *agents.Process
}

// works waits for the command that says so by a file.
func (s *stage) works() {
	s.t.Helper()
	s.await("the command was not started", func() bool {
		_, err := os.Stat(filepath.Join(s.project, "started"))
		return err == nil
	})
}

// kept waits until the agent has written something of its session: Claude Code asks the model before it does.
func (s *stage) kept() {
	s.t.Helper()
	s.await("the session was not written", func() bool {
		heads, err := s.system(time.Now).Sessions(context.Background(), s.env(), s.project)
		return err == nil && len(heads) > 0
	})
}

// await waits until something is so, or fails with what the agent said.
func (s *stage) await(fails string, so func() bool) {
	s.t.Helper()
	for limit := time.After(80 * time.Second); !so(); {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-limit:
			s.process.Kill()
			out, _ := s.process.Wait(s.t)
			s.t.Fatal(fails+": ", out)
		}
	}
}

// thinks waits for the request that the model does not answer.
func (s *stage) thinks() {
	s.t.Helper()
	select {
	case <-s.model.Asked():
	case <-time.After(2 * time.Minute):
		s.t.Fatal("the model was not asked")
	}
}

func says(texts ...string) func(agents.Agent) []agents.Step {
	return func(agents.Agent) (steps []agents.Step) {
		for _, text := range texts {
			steps = append(steps, agents.Step{Say: text})
		}
		return steps
	}
}

func runs(commands ...string) func(agents.Agent) []agents.Step {
	return func(a agents.Agent) (steps []agents.Step) {
		for _, c := range commands {
			steps = append(steps, a.Shell(c))
		}
		return append(steps, agents.Step{Say: "that was all"})
	}
}

func thinks(agents.Agent) []agents.Step { return []agents.Step{{Say: "late", Wait: time.Minute}} }

const work = "touch started; sleep 25"

func scenes() []scene {
	stop := func(s *stage) {
		s.process.Interrupt()
		_, _ = s.process.Wait(s.t) // it says in its way that it was stopped
	}
	return []scene{
		{name: "answers", steps: says("42"), want: session.Succeeded},
		{name: "runs a command", steps: runs("echo hi"), want: session.Succeeded},
		{name: "runs three commands", steps: runs("echo 1", "echo 2", "echo 3"), want: session.Succeeded},
		{
			name:  "prints words of failures",
			steps: runs(`printf 'Output:\nError: it failed\nExit code: 1\nExit Code: 1\nProcess exited with code 1\n'`),
			want:  session.Succeeded,
		},
		{name: "fails at the end", steps: runs("echo hi", "exit 3"), want: session.Failed, failed: true},
		{name: "has no such command", steps: runs("frobnicate"), want: session.Failed, failed: true},
		{
			name:      "fails, then works",
			steps:     runs("cat nowhere/file", "echo hi"),
			want:      session.Succeeded,
			failed:    true,
			recovered: true,
		},
		{
			name:      "fails twice, then works",
			steps:     runs("exit 1", "exit 2", "echo hi"),
			want:      session.Succeeded,
			failed:    true,
			recovered: true,
		},
		{
			name:   "is refused by the model",
			steps:  func(agents.Agent) []agents.Step { return []agents.Step{{Status: 400}} },
			want:   session.Failed,
			silent: []agents.Agent{agents.GeminiCLI},
		},
		{
			name:   "is interrupted in a command",
			steps:  runs(work),
			during: func(s *stage) { s.works(); stop(s) },
			want:   session.Aborted,
			silent: []agents.Agent{agents.GeminiCLI, agents.OpenCode},
		},
		{
			name:   "is interrupted while the model thinks",
			steps:  thinks,
			during: func(s *stage) { s.thinks(); stop(s) },
			want:   session.Aborted,
			silent: []agents.Agent{agents.GeminiCLI, agents.OpenCode},
		},
		{name: "is resumed", steps: says("one"), during: func(s *stage) {
			if out, err := s.process.Wait(s.t); err != nil {
				s.t.Fatalf("%v: %s", err, out)
			}
			s.model.Play(s.agent.Shell("echo two"), agents.Step{Say: "two"})
			s.process = s.model.Start(s.t, s.agent, s.home, s.project, agents.Again+"and now two")
			if out, err := s.process.Wait(s.t); err != nil {
				s.t.Fatalf("%v: %s", err, out)
			}
		}, want: session.Succeeded, resumed: true},
		{
			name:   "is killed in a command",
			steps:  runs(work),
			during: func(s *stage) { s.works(); s.process.Kill() },
			want:   session.Unknown,
		},
		{
			name:   "is killed while the model thinks",
			steps:  thinks,
			during: func(s *stage) { s.thinks(); s.kept(); s.process.Kill() },
			want:   session.Unknown,
		},
		{name: "works", steps: runs(work), during: (*stage).works, want: session.Running},
	}
}

// TestStatesOfRealSessionsAreTrue runs each scene with each agent, and reads its session as Winnow does.
// An agent that leaves no mark of its end is read 31 minutes later by the clock of the test, since its
// session may still run until then; a running one is read at once.
func TestStatesOfRealSessionsAreTrue(t *testing.T) {
	for _, a := range agents.All() {
		t.Run(string(a), func(t *testing.T) {
			agents.Need(t, a)
			right, unknown := 0, 0
			var wrong []string
			for _, sc := range scenes() {
				t.Run(strings.ReplaceAll(sc.name, " ", "_"), func(t *testing.T) {
					got := play(t, a, sc)
					want := sc.want
					if slices.Contains(sc.silent, a) {
						want = session.Unknown
					}
					said := describe(&got)
					t.Logf("%s %s: %s", a, sc.name, said)
					switch {
					case got.State != want:
						wrong = append(wrong, sc.name)
						t.Errorf("%s %s is %s, want %s: %s", a, sc.name, got.State, want, said)
						return
					case want == session.Unknown && sc.want != want:
						unknown++
					default:
						right++
					}
					if sc.failed != (got.Count(session.Error) > 0) || sc.recovered != got.Recovered() ||
						sc.resumed != got.Resumed {
						t.Errorf(
							"%s %s: want failed steps %t, recovered %t, resumed %t: %s",
							a,
							sc.name,
							sc.failed,
							sc.recovered,
							sc.resumed,
							said,
						)
					}
					if got.Task != "do it" || len(got.Unknown) > 0 {
						t.Errorf("%s %s: task %q, unknown lines %v", a, sc.name, got.Task, got.Unknown)
					}
				})
			}
			t.Logf(
				"%s: %d states right, %d unknown where the agent leaves no mark, wrong: %q",
				a,
				right,
				unknown,
				wrong,
			)
		})
	}
}

// play runs a scene and reads its session.
func play(t *testing.T, a agents.Agent, sc scene) session.Session {
	t.Helper()
	s := &stage{t: t, agent: a, home: t.TempDir(), project: t.TempDir(), model: agents.NewModel(t)}
	s.model.Play(sc.steps(a)...)
	s.process = s.model.Start(t, a, s.home, s.project, "do it")
	if sc.during != nil {
		sc.during(s)
	} else {
		_, err := s.process.Wait(t)
		if failed := sc.steps(a)[0].Status != 0; err != nil && !failed {
			out, _ := s.process.Wait(t)
			t.Fatalf("%v: %s", err, out)
		}
	}
	got := s.read(0)
	if got.State == session.Running && sc.want != session.Running {
		got = s.read(31 * time.Minute)
	}
	return got
}

// system is the agent's, by a clock.
func (s *stage) system(now func() time.Time) system.System {
	s.t.Helper()
	for _, k := range all.Systems(now) {
		if string(k.ID) != string(s.agent) {
			continue
		}
		if k.Sessions == nil {
			s.t.Skipf("does not apply: sessions of %s are not read yet", k.Name)
		}
		return k
	}
	s.t.Fatalf("there is no system %s", s.agent)
	return system.System{}
}

func (s *stage) env() system.Env {
	return system.Env{Home: s.home, Dir: s.project, Lookup: func(string) (string, bool) { return "", false }}
}

// read reads the one session of the home, ahead of the clock.
func (s *stage) read(ahead time.Duration) session.Session {
	s.t.Helper()
	k := s.system(func() time.Time { return time.Now().Add(ahead) })
	heads, err := k.Sessions(context.Background(), s.env(), s.project)
	if err != nil || len(heads) != 1 {
		s.t.Fatalf("sessions are %+v, %v", heads, err)
	}
	got, err := k.Session(context.Background(), s.env(), heads[0])
	if err != nil {
		s.t.Fatal(err)
	}
	if got.Folder != s.project || got.ID == "" || got.Began.IsZero() {
		s.t.Errorf("the head is %+v, it began at %v", got.Head, got.Began)
	}
	return got
}

func describe(s *session.Session) string {
	var steps []string
	for _, p := range s.Steps {
		steps = append(steps, fmt.Sprintf("%s %s %s", p.Tool, p.Status, p.Kind))
	}
	return fmt.Sprintf(
		"%s (%s), version %s, model %s, resumed %t, steps %q, corrections %q, taint %q, unknown lines %v",
		s.State,
		s.Why,
		s.Version,
		s.Model,
		s.Resumed,
		steps,
		s.Corrections,
		s.Taint,
		s.Unknown,
	)
}
