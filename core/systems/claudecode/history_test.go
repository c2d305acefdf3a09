package claudecode

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	agents "winnow/core/session"
	"winnow/core/system"
)

// transcriptHome is a home folder in which transcripts of real sessions lie. They are all of one day.
type transcriptHome struct {
	dir  string
	now  time.Time
	live map[int]bool
}

// dayOfSessions is after the last line of all transcripts.
var dayOfSessions = time.Date(2026, 11, 23, 17, 8, 0, 0, time.UTC)

func newWorked(t *testing.T) *transcriptHome {
	return &transcriptHome{dir: t.TempDir(), now: dayOfSessions.Add(2 * time.Hour), live: map[int]bool{}}
}

// put writes a transcript with lines at its end.
func (w *transcriptHome) put(t *testing.T, name string, more ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "sessions", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(w.dir, ".claude", "projects", "-home-dev-work-app", name+".jsonl")
	w.write(t, path, string(data)+strings.Join(more, "\n"))
	if err := os.Chtimes(path, dayOfSessions, dayOfSessions); err != nil {
		t.Fatal(err)
	}
	return path
}

func (w *transcriptHome) write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// noted makes Claude Code note that a process holds a session.
func (w *transcriptHome) noted(t *testing.T, id string, alive bool) {
	w.write(t, filepath.Join(w.dir, ".claude", "sessions", "77.json"), fmt.Sprintf(`{"pid":77,"sessionId":%q}`, id))
	w.live[77] = alive
}

// system returns Claude Code in that home.
func (w *transcriptHome) system() (system.System, system.Env) {
	env := system.Env{Home: w.dir, Lookup: func(string) (string, bool) { return "", false }}
	sys := systemOn(func() time.Time { return w.now }, func() machine {
		m := machineOf(env.Home, env.Lookup)
		m.managed, m.alive = filepath.Join(w.dir, "etc"), func(pid int) bool { return w.live[pid] }
		return m
	})
	return sys, env
}

// read returns the only session.
func (w *transcriptHome) read(t *testing.T) agents.Session {
	t.Helper()
	sys, env := w.system()
	all, err := sys.Sessions(t.Context(), env, "")
	if err != nil || len(all) != 1 {
		t.Fatalf("got %+v, %v", all, err)
	}
	s, err := sys.Session(t.Context(), env, all[0])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const (
	idle     = `{"type":"assistant","timestamp":"2026-11-23T17:07:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}}`
	stopped  = `{"type":"user","timestamp":"2026-11-23T17:07:00.000Z","message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}}`
	lastLine = `{"type":"last-prompt","lastPrompt":"x"}`
)

func TestStatesOfRealSessions(t *testing.T) {
	for name, c := range map[string]struct {
		file  string
		more  []string
		after time.Duration // since the last line
		live  string        // "alive" or "died"; nothing for a session that is not noted
		over  bool
		want  agents.State
		why   string
	}{
		"finished by its own mark":            {file: "recovered", want: agents.Succeeded},
		"marked, and the process still lives": {file: "recovered", live: "alive", want: agents.Running},
		"a turn that ended is no session":     {file: "recovered", more: []string{idle}, want: agents.Running},
		"silent after the end of a turn": {
			file:  "recovered",
			more:  []string{idle},
			after: time.Hour,
			want:  agents.Succeeded,
		},
		"the hook said that it is over": {
			file: "recovered",
			more: []string{idle},
			over: true,
			want: agents.Succeeded,
		},
		"a hook said so, the process lives on": {
			file: "recovered",
			more: []string{idle},
			over: true,
			live: "alive",
			want: agents.Succeeded,
		},
		"its process died after a turn": {
			file: "recovered",
			more: []string{idle},
			live: "died",
			want: agents.Succeeded,
		},
		"resumed":                    {file: "resumed", want: agents.Succeeded},
		"killed at a tool, just now": {file: "killed", want: agents.Running},
		"killed at a tool, noted": {
			file: "killed",
			live: "died",
			want: agents.Unknown,
			why:  "Its last turn has no end: the process was killed, or it crashed.",
		},
		"killed at a tool, long ago": {
			file:  "killed",
			after: time.Hour,
			want:  agents.Unknown,
			why:   "Its last turn has no end: the process was killed, or it crashed.",
		},
		"waits for a tool since long": {
			file:  "killed",
			after: time.Hour,
			live:  "alive",
			want:  agents.Running,
		},
		"closed at a tool": {
			file: "killed",
			more: []string{lastLine},
			want: agents.Aborted,
			why:  "It was closed in the middle of a turn.",
		},
		"an error of the service": {
			file: "api_error",
			want: agents.Failed,
			why:  "API Error: Unable to connect to API (ConnectionRefused)",
		},
		"interrupted, and then done": {file: "interrupted", want: agents.Succeeded},
		"interrupted last": {
			file: "interrupted",
			more: []string{stopped, lastLine},
			want: agents.Aborted,
		},
		"interrupted last, and may go on":       {file: "interrupted", more: []string{stopped}, want: agents.Running},
		"torn last line":                        {file: "recovered", more: []string{`{"type":"user","mess`}, want: agents.Succeeded},
		"a line of a kind that nobody knows of": {file: "recovered", more: []string{`{"type":"odd"}`, `{"type":"system","subtype":"odd"}`}, want: agents.Succeeded},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorked(t)
			w.put(t, c.file, c.more...)
			w.now = dayOfSessions.Add(time.Minute + c.after)
			sys, env := w.system()
			all, err := sys.Sessions(t.Context(), env, "")
			if err != nil || len(all) != 1 {
				t.Fatalf("got %+v, %v", all, err)
			}
			if c.live != "" {
				w.noted(t, all[0].ID, c.live == "alive")
			}
			if c.over {
				all[0].Over = dayOfSessions
			}
			s, err := sys.Session(t.Context(), env, all[0])
			if err != nil || s.State != c.want || s.Why != c.why {
				t.Errorf("got %s, %q, %v", s.State, s.Why, err)
			}
			if s.Resumed != (c.file == "resumed") || s.Recovered() && c.file != "recovered" {
				t.Errorf("resumed %v, recovered %v", s.Resumed, s.Recovered())
			}
			if n := len(s.Unknown); n > 0 != (strings.Contains(name, "line")) {
				t.Errorf("unknown: %v", s.Unknown)
			}
		})
	}
}

func TestStepsAndTextsOfASession(t *testing.T) {
	w := newWorked(t)
	path := w.put(t, "recovered")
	s := w.read(t)
	type step struct {
		tool, arguments string
		status          agents.Status
		err, kind       string
	}
	var steps []step
	for _, x := range s.Steps {
		steps = append(steps, step{x.Tool, x.Arguments, x.Status, x.Error, x.Kind})
	}
	want := []step{
		{"Bash", `{"command":"false; exit 3","description":"fail"}`, agents.Error, "Exit code 3", "exit 3"},
		{"Read", `{"file_path":"/home/dev/work/app/sub/a.txt"}`, agents.OK, "", ""},
		{"Read", `{"file_path":"/etc/hostname"}`, agents.OK, "", ""},
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps: got %+v", steps)
	}
	given := []agents.Given{
		{Source: "hook SessionStart", Text: "PAST EXPERIENCE: run go vet"},
		{Source: "hook UserPromptSubmit", Text: "plain prompt text"},
		{Source: "CLAUDE.md", Path: "/home/dev/work/app/sub/CLAUDE.md", Text: "Nested rule.\n"},
	}
	if !reflect.DeepEqual(s.Given, given) {
		t.Errorf("given: got %+v", s.Given)
	}
	if want := []string{"file outside the project: /etc/hostname"}; !slices.Equal(s.Taint, want) {
		t.Errorf("taint: got %q", s.Taint)
	}
	if fmt.Sprintf("%q", s.Turns) != `["person: fix the build" "agent: all done"]` {
		t.Errorf("turns are %q", s.Turns)
	}
	if s.Task != "fix the build" || len(s.Corrections) > 0 || s.Path != path || s.Folder != "/home/dev/work/app" ||
		s.Version != "2.1.197" ||
		s.Model != "claude-opus-4-8" ||
		s.Began.IsZero() ||
		!s.Ended.After(s.Began) ||
		s.ID != "recovered" {
		t.Errorf("got %+v", s)
	}
}

func TestLaterRequestsAreCorrections(t *testing.T) {
	for name, want := range map[string][]string{
		"interrupted": {"second request", "and then this", "[with an image]"},
		"resumed":     {"say it again", "and then this", "[with an image]"},
	} {
		w := newWorked(t)
		w.put(
			t,
			name,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":"and then this"}}`,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","prompt":[{"type":"image"},{"type":"text","text":"[with an image]"}]}}`,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"task-notification","prompt":"not this"}}`,
			`{"type":"attachment","attachment":{"type":"queued_command","commandMode":"prompt","origin":{"kind":"task"},"prompt":"not this"}}`,
		)
		if s := w.read(t); !slices.Equal(s.Corrections, want) {
			t.Errorf("%s: got %q", name, s.Corrections)
		}
	}
}

func TestWhatASessionReadOfOthersIsTaint(t *testing.T) {
	use := func(tool, input string) string {
		return `{"type":"assistant","cwd":"/home/dev/work/app","message":{"content":[{"type":"tool_use","id":"` + tool + `","name":"` + tool + `","input":` + input + `}]}}`
	}
	w := newWorked(t)
	w.put(
		t,
		"resumed",
		use("WebFetch", `{}`),
		use("mcp__github__search", `{}`),
		use("mcp__winnow__recall", `{}`),
		`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"mcp__winnow__recall","content":[{"type":"text","text":"- a lesson"}]}]}}`,
		use(
			"Read",
			`{"file_path":"`+filepath.Join(w.dir, ".claude", "CLAUDE.md")+`"}`,
		),
		use("Bash", `{"command":"wget -q x"}`),
		`{"type":"attachment","attachment":{"type":"prompt_snapshot","systemPrompt":["You are","an agent"]}}`,
		`{"type":"api-request-blob","message":{"role":"system","content":"frame"}}`,
		`{"type":"api-request-blob","message":{"role":"user","content":"not this"}}`,
	)
	s := w.read(t)
	if want := []string{"web: WebFetch", "mcp: github", "web: a command"}; !slices.Equal(s.Taint, want) {
		t.Errorf("taint: got %q", s.Taint)
	}
	want := []agents.Given{
		{Source: "mcp winnow", Text: "- a lesson"},
		{Source: "system prompt", Text: "You are"},
		{Source: "system prompt", Text: "an agent"},
		{Source: "system prompt", Text: "frame"},
	}
	if !reflect.DeepEqual(s.Given, want) {
		t.Errorf("given: got %+v", s.Given)
	}
}

func TestSubagentsTranscriptIsMarked(t *testing.T) {
	w := newWorked(t)
	path := filepath.Join(w.dir, "agent-a1.jsonl")
	w.write(t, path, `{"type":"user","isSidechain":true,"sessionId":"s","message":{"content":"look around"}}`+"\n"+
		`{"type":"assistant","isSidechain":true,"message":{"content":[{"type":"tool_use","id":"1","name":"Grep","input":{}}]}}`+"\n")
	sys, env := w.system()
	s, err := sys.Session(t.Context(), env, agents.Head{ID: "a1", Path: path})
	if err != nil || !s.Subagent || s.Task != "look around" || len(s.Steps) != 1 {
		t.Errorf("got %+v, %v", s, err)
	}
}

func TestSessionsOfAFolderComeAlone(t *testing.T) {
	w := newWorked(t)
	w.put(t, "resumed")
	w.write(
		t,
		filepath.Join(w.dir, ".claude", "projects", "-home-dev-other", "x.jsonl"),
		`{"type":"user","cwd":"/home/dev/other"}`+"\n",
	)
	sys, env := w.system()
	for folder, want := range map[string]int{
		"":                       2,
		"/home/dev/work/app":     1,
		"/home/dev/work":         1,
		"/home/dev/work/app/sub": 0,
		"/elsewhere":             0,
	} {
		if all, err := sys.Sessions(t.Context(), env, folder); err != nil || len(all) != want {
			t.Errorf("%s: got %+v, %v", folder, all, err)
		}
	}
}

func TestReadingSessionsChangesNothing(t *testing.T) {
	w := newWorked(t)
	w.put(t, "recovered")
	w.noted(t, "recovered", true)
	before := treeOf(t, w.dir)
	w.read(t)
	if after := treeOf(t, w.dir); !slices.Equal(before, after) {
		t.Errorf("%q became %q", before, after)
	}
}

// treeOf lists what is below a folder, with sizes and dates.
func treeOf(t *testing.T, dir string) (all []string) {
	t.Helper()
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		all = append(all, fmt.Sprint(path, info.Size(), info.ModTime()))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestSharedTranscriptsHaveNoUnknownLines reads transcripts of others where they are.
func TestSharedTranscriptsHaveNoUnknownLines(t *testing.T) {
	dir := os.Getenv("WINNOW_SESSIONS")
	if dir == "" {
		t.Skip("does not apply: WINNOW_SESSIONS names no folder of transcripts")
	}
	w := newWorked(t)
	sys, env := w.system()
	read := 0
	err := filepath.Walk(filepath.Join(dir, "claudecode"), func(path string, _ os.FileInfo, err error) error {
		if filepath.Ext(path) == ".jsonl" && err == nil {
			read++
			s, err := sys.Session(t.Context(), env, agents.Head{Path: path})
			if err != nil || s.Unknown != nil || s.State == "" {
				t.Errorf("%s: %v, %v", path, s.Unknown, err)
			}
		}
		return err
	})
	if err != nil || read == 0 {
		t.Error(read, err)
	}
}
