package gemini

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/session"
	"winnow/core/system"
)

// readAt reads a session when its file has been silent for age.
func readAt(t *testing.T, path string, age time.Duration) session.Session {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(context.Background(), session.Head{Path: path}, info.ModTime().Add(age))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readLines reads a session of lines, long after its end.
func readLines(t *testing.T, lines ...string) session.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "session-a.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return readAt(t, path, time.Hour)
}

// stepsOf returns the steps in words.
func stepsOf(s *session.Session) string {
	var all []string
	for _, p := range s.Steps {
		all = append(all, strings.TrimSpace(p.Tool+" "+string(p.Status)+" "+p.Kind))
	}
	return strings.Join(all, ", ")
}

func TestRealSessionsEndAsTheyDid(t *testing.T) {
	for _, c := range []struct {
		file    string
		age     time.Duration
		want    session.State
		task    string
		steps   string
		resumed bool
	}{
		{
			"recovered", 0, session.Running, "list the folder",
			"run_shell_command error exit 1, run_shell_command ok", false,
		},
		{
			"recovered", time.Hour, session.Succeeded, "list the folder",
			"run_shell_command error exit 1, run_shell_command ok", false,
		},
		{
			"tool-errors", time.Hour, session.Failed, "fix",
			"read_file error tool error, replace error tool error", false,
		},
		{"resumed", time.Hour, session.Succeeded, "one", "", true},
		{"killed", time.Hour, session.Unknown, "run it", "", false},
		{"refused", time.Hour, session.Unknown, "do it", "", false},
	} {
		s := readAt(t, filepath.Join("testdata", c.file+".jsonl"), c.age)
		if s.State != c.want || s.Task != c.task || stepsOf(&s) != c.steps || s.Resumed != c.resumed {
			t.Errorf(
				"%s after %v: %s, task %q, steps %q, resumed %t",
				c.file,
				c.age,
				s.State,
				s.Task,
				stepsOf(&s),
				s.Resumed,
			)
		}
		if len(s.Unknown) > 0 || s.Folder != "/home/ada/shop" || s.Model != "gemini-2.5-flash" && c.file != "refused" ||
			len(s.ID) != 36 ||
			s.Began.IsZero() ||
			s.Ended.Before(s.Began) {
			t.Errorf(
				"%s: unknown %v, head %+v, model %s, from %v to %v",
				c.file,
				s.Unknown,
				s.Head,
				s.Model,
				s.Began,
				s.Ended,
			)
		}
	}
	s := readAt(t, "testdata/recovered.jsonl", time.Hour)
	want := session.Given{Source: "GEMINI.md", Path: "/home/ada/shop/GEMINI.md", Text: "be kind"}
	if len(s.Given) != 1 || s.Given[0] != want {
		t.Errorf("given is %+v", s.Given)
	}
	if !strings.HasPrefix(s.Steps[0].Error, "cat: /nope: No such file") {
		t.Errorf("the error is %q", s.Steps[0].Error)
	}
}

// TestSessionThatItsAgentEndedIsNotRunning: a hook told that it was over.
func TestSessionThatItsAgentEndedIsNotRunning(t *testing.T) {
	path := "testdata/recovered.jsonl"
	over := readAt(t, path, 0).Ended
	for after, want := range map[time.Duration]session.State{
		time.Second: session.Succeeded,
		-time.Hour:  session.Running,
	} {
		s, err := read(context.Background(), session.Head{Path: path, Over: over.Add(after)}, over.Add(time.Minute))
		if err != nil || s.State != want {
			t.Errorf("%v after its last line: %s, %v", after, s.State, err)
		}
	}
}

const (
	head   = `{"sessionId":"s1","projectHash":"h","startTime":"2026-02-01T10:00:00Z","kind":"main"}`
	asked  = `{"id":"u","timestamp":"2026-02-01T10:00:01Z","type":"user","content":[{"text":"fix it"}]}`
	answer = `{"id":"z","timestamp":"2026-02-01T10:00:09Z","type":"gemini","content":"done","model":"m"}`
)

func TestLastMessageTellsTheEnd(t *testing.T) {
	calls := func(status string) string {
		return `{"id":"c","type":"gemini","content":"","toolCalls":[{"id":"1","name":"replace","args":{},"status":"` + status + `"}]}`
	}
	for _, c := range []struct {
		name  string
		lines []string
		want  session.State
	}{
		{"answer", []string{answer}, session.Succeeded},
		{"answer behind a notice", []string{answer, `{"id":"i","type":"info","content":"saved"}`}, session.Succeeded},
		{"no answer", nil, session.Unknown},
		{"call that did not return", []string{`{"id":"c","type":"gemini","content":""}`}, session.Unknown},
		{"calls without an answer to them", []string{calls("success")}, session.Unknown},
		{"failed call, answer", []string{calls("error"), answer}, session.Failed},
		{"cancelled call", []string{calls("cancelled")}, session.Aborted},
		{"cancelled request", []string{`{"id":"i","type":"info","content":"Request cancelled."}`}, session.Aborted},
		{"error", []string{`{"id":"e","type":"error","content":"[API Error: overloaded]"}`}, session.Failed},
		{"answer taken back", []string{answer, `{"$rewindTo":"z"}`}, session.Unknown},
		{"request taken back", []string{`{"$set":{"messages":[]}}`}, session.Unknown},
		{"request taken back, and another answered", []string{`{"$set":{"messages":[]}}`, answer}, session.Succeeded},
		{"work taken back", []string{calls("success"), `{"$set":{"messages":[]}}`}, session.Aborted},
		{"all messages replaced", []string{answer, `{"$set":{"messages":[` + asked + `]}}`}, session.Unknown},
	} {
		if s := readLines(t, append([]string{head, asked}, c.lines...)...); s.State != c.want || s.Task != "fix it" {
			t.Errorf("%s: %s, task %q", c.name, s.State, s.Task)
		}
	}
}

func TestExitCodeIsThatOfTheTool(t *testing.T) {
	for _, c := range []struct{ output, display, want string }{
		{"Output: hi\nProcess Group PGID: 3", "hi", ""},
		{"Output: no\nExit Code: 2\nProcess Group PGID: 3", "no", "2"},
		{"Output: no\nError: spawn\nExit Code: 2\nSignal: 15\nProcess Group PGID: 3", "no", "2"},
		{"Output: no\nSignal: 9\nProcess Group PGID: 3", "no", signalled},
		{"Output: Exit Code: 1\nall fine\nProcess Group PGID: 3", "Exit Code: 1\nall fine", ""},
		{"Output: x\nExit Code: 1\nProcess Group PGID: 3", "x\nExit Code: 1", ""},
		{"Command: x\nStdout: a\nStderr: (empty)\nError: (none)\nExit Code: 1\nSignal: (none)\nBackground PIDs: (none)\nProcess Group PGID: 3", "a", "1"},
		{"", "", ""},
	} {
		if got := exitCode(c.output, c.display); got != c.want {
			t.Errorf("%q: %q, want %q", c.output, got, c.want)
		}
	}
}

func TestRequestsAreWhatThePersonTyped(t *testing.T) {
	s := readLines(
		t,
		head,
		`{"id":"1","type":"user","content":[{"text":"/help"}]}`,
		`{"id":"2","type":"user","content":[{"text":"look at the file"},{"text":"--- Content from referenced files ---\nsecret"}],"displayContent":[{"text":"look at @a.txt"}]}`,
		`{"id":"3","type":"user","content":[{"functionResponse":{"name":"x","response":{"output":"y"}}}]}`,
		`{"id":"4","type":"user","content":[{"text":"and then"},{"text":"<hook_context>a lesson</hook_context>"}]}`,
		answer,
	)
	if s.Task != "look at @a.txt" || fmt.Sprint(s.Corrections) != "[and then]" {
		t.Errorf("task %q, corrections %q", s.Task, s.Corrections)
	}
	if fmt.Sprintf("%q", s.Turns) != `["person: look at @a.txt" "person: and then" "agent: done"]` {
		t.Errorf("turns are %q", s.Turns)
	}
	if len(s.Given) != 1 || s.Given[0] != (session.Given{Source: "hook", Text: "a lesson"}) {
		t.Errorf("given is %+v", s.Given)
	}
}

// TestWhatAHookAddsToAResultIsGiven has a command that failed, as Gemini CLI 0.61.0 writes it with a hook at AfterTool.
func TestWhatAHookAddsToAResultIsGiven(t *testing.T) {
	const output = `<untrusted_context>\nOutput: <hook_context>no</hook_context>\nExit Code: 2\nProcess Group PGID: 3\n` +
		`</untrusted_context>\n\n<hook_context>a lesson</hook_context>`
	s := readLines(t, head, asked, `{"id":"1","type":"gemini","content":"","toolCalls":[{"id":"1","name":"run_shell_command",`+
		`"args":{"command":"make"},"status":"success","result":[{"functionResponse":{"response":{"output":"`+output+`"}}}]}]}`)
	if len(s.Given) != 1 || s.Given[0] != (session.Given{Source: "hook", Text: "a lesson"}) {
		t.Errorf("given is %+v", s.Given)
	}
	if len(s.Steps) != 1 || s.Steps[0].Kind != "exit 2" || strings.Contains(s.Steps[0].Error, "a lesson") {
		t.Errorf("the steps are %+v", s.Steps)
	}
}

func TestTaintSaysWhatWasReadFromElsewhere(t *testing.T) {
	tool := func(id, name, args string) string {
		return `{"id":"` + id + `","type":"gemini","content":"","toolCalls":[{"id":"1","name":"` + name + `","args":` + args + `,"status":"success","result":[{"functionResponse":{"response":{"output":"a lesson"}}}]}]}`
	}
	s := readLines(
		t,
		strings.Replace(head, `"kind"`, `"directories":["/home/ada/shop"],"kind"`, 1),
		asked,
		tool("1", "google_web_search", `{}`),
		tool("2", "mcp_github_issues", `{}`),
		tool(
			"3",
			"mcp_winnow_recall",
			`{}`,
		),
		tool("4", "read_file", `{"file_path":"/etc/hosts"}`),
		tool("5", "read_file", `{"absolute_path":"/home/ada/shop/a"}`),
		tool("6", "run_shell_command", `{"command":"curl https://a.example"}`),
		answer,
	)
	if got := strings.Join(s.Taint, ", "); got != "web: google_web_search, mcp: github, file outside the project: /etc/hosts, web: a command" {
		t.Errorf("taint is %s", got)
	}
	if len(s.Given) != 1 || s.Given[0] != (session.Given{Source: "mcp winnow", Text: "a lesson"}) {
		t.Errorf("given is %+v", s.Given)
	}
}

func TestUnknownLinesAreCountedAndNeverFatal(t *testing.T) {
	s := readLines(
		t,
		head,
		asked,
		`{"type":"hologram"}`,
		`{"torn`,
		`[1]`,
		`null`,
		`{"id":"x","type":"wink"}`,
		"",
		`{"id":7,"type":"user"}`,
	)
	if s.Unknown["line hologram"] != 1 || s.Unknown["line that is no JSON"] != 3 || s.Unknown["message wink"] != 1 ||
		s.Task != "fix it" {
		t.Errorf("unknown %v, task %q", s.Unknown, s.Task)
	}
}

func TestOldFileIsOneObject(t *testing.T) {
	path := filepath.Join(t.TempDir(), "session-a.json")
	text := "{\n \"sessionId\": \"s1\",\n \"projectHash\": \"h\",\n \"messages\": [" + asked + "," + answer + "]}"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if s := readAt(t, path, time.Hour); s.ID != "s1" || s.Task != "fix it" || s.State != session.Succeeded {
		t.Errorf("%s, task %q, %s", s.ID, s.Task, s.State)
	}
	if got := idIn(text[:40]); got != "s1" {
		t.Errorf("the beginning names %q", got)
	}
}

func TestListKnowsTheProjectOfEachSession(t *testing.T) {
	home := t.TempDir()
	sum := sha256.Sum256([]byte("/home/ada/old"))
	for path, text := range map[string]string{
		"shop/.project_root":                                 "/home/ada/shop",
		"shop/chats/session-a.jsonl":                         head + "\n",
		"shop/chats/session-a.json":                          head, // was moved to the other by a resume
		"shop/chats/s1/sub.jsonl":                            strings.Replace(head, "s1", "sub", 1),
		"shop/logs.json":                                     "[]",
		hex.EncodeToString(sum[:]) + "/chats/session-b.json": strings.Replace(head, "s1", "s2", 1),
	} {
		path = filepath.Join(home, ".gemini", "tmp", filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := system.Env{Home: home, Lookup: func(string) (string, bool) { return "", false }}
	for folder, want := range map[string]string{
		"":               "s1 /home/ada/shop false, s2  false, sub /home/ada/shop true",
		"/home/ada/shop": "s1 /home/ada/shop false, s2  false, sub /home/ada/shop true",
		"/home/ada/old":  "s2 /home/ada/old false",
	} {
		heads, err := sessions(context.Background(), env, folder)
		got := map[string]string{}
		for _, h := range heads {
			got[h.ID] = fmt.Sprint(h.ID, " ", h.Folder, " ", h.Subagent)
		}
		var all []string
		for _, id := range []string{"s1", "s2", "sub"} {
			if got[id] != "" {
				all = append(all, got[id])
			}
		}
		if strings.Join(all, ", ") != want || err != nil || len(heads) != len(all) {
			t.Errorf("in %q: %q, %v", folder, all, err)
		}
	}
}

// TestFixturesAreReadWhole reads recorded sessions that are kept elsewhere.
func TestFixturesAreReadWhole(t *testing.T) {
	dir := os.Getenv("WINNOW_SESSIONS")
	if dir == "" {
		t.Skip("does not apply: WINNOW_SESSIONS names no folder of recorded sessions")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "gemini", "*.json*"))
	if len(files) == 0 {
		t.Fatal("there are no recorded sessions in it")
	}
	for _, path := range files {
		s := readAt(t, path, time.Hour)
		t.Logf(
			"%s: %s %q, %s, steps %s, taint %q, unknown %v",
			filepath.Base(path),
			s.ID,
			s.Task,
			s.State,
			stepsOf(&s),
			s.Taint,
			s.Unknown,
		)
		if len(s.Unknown) > 0 {
			t.Errorf("%s: unknown lines %v", path, s.Unknown)
		}
	}
}

func FuzzChatIsRead(f *testing.F) {
	for _, name := range []string{"recovered", "tool-errors", "resumed"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(head + "\n" + asked + "\n" + `{"$rewindTo":"u"}` + "\n" + answer)
	f.Fuzz(func(t *testing.T, text string) {
		c := &chat{at: map[string]int{}}
		for line := range strings.Lines(text) {
			c.line([]byte(line))
		}
		idIn(text)
		s := c.session(time.Now())
		for _, p := range s.Steps {
			if len(p.Arguments) > session.MostText+100 || len(p.Error) > session.MostText+100 {
				t.Errorf("step %+v", p)
			}
		}
		if s.State == "" || len(s.Unknown) > 51 {
			t.Errorf("state %q, %d unknown", s.State, len(s.Unknown))
		}
	})
}
