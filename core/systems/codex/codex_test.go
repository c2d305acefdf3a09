package codex

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

// readAt reads a session when its file has been silent for age.
func readAt(t *testing.T, path string, age time.Duration, held bool) session.Session {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := read(context.Background(), session.Head{Path: path}, info.ModTime().Add(age), func() bool { return held })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readLines reads a session of lines, long after its end.
func readLines(t *testing.T, lines ...string) session.Session {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return readAt(t, path, time.Hour, false)
}

func TestRealSessionsEndAsTheyDid(t *testing.T) {
	for _, c := range []struct {
		file    string
		age     time.Duration
		held    bool
		want    session.State
		task    string
		steps   string
		resumed bool
	}{
		{
			"recovered", 0, true, session.Succeeded, "list the folder",
			"exec_command error exit 1, exec_command ok", false,
		},
		{"aborted", 0, false, session.Aborted, "run it", "exec_command declined", false},
		{"failed", 0, false, session.Failed, "run it", "", false},
		{"resumed", 0, false, session.Succeeded, "one", "", true},
		{"killed", 0, false, session.Running, "run it", "exec_command pending", false},
		{"killed", time.Hour, true, session.Running, "run it", "exec_command pending", false},
		{"killed", time.Hour, false, session.Unknown, "run it", "exec_command pending", false},
	} {
		s := readAt(t, filepath.Join("testdata", c.file+".jsonl"), c.age, c.held)
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
		if len(s.Unknown) > 0 || s.Folder != "/home/ada/shop" || s.Version != "0.169.0" || s.Model != "m" ||
			len(s.ID) != 36 ||
			s.Began.IsZero() ||
			s.Ended.Before(s.Began) {
			t.Errorf(
				"%s: unknown %v, head %+v, version %s, model %s, from %v to %v",
				c.file,
				s.Unknown,
				s.Head,
				s.Version,
				s.Model,
				s.Began,
				s.Ended,
			)
		}
	}
	s := readAt(t, "testdata/resumed.jsonl", 0, false)
	if fmt.Sprint(s.Corrections) != "[two]" {
		t.Errorf("corrections are %q", s.Corrections)
	}
	if fmt.Sprintf("%q", s.Turns) != `["person: one" "agent: first" "person: two" "agent: again"]` {
		t.Errorf("turns are %q", s.Turns)
	}
	s = readAt(t, "testdata/failed.jsonl", 0, false)
	if !strings.Contains(s.Why, "stub says no") {
		t.Errorf("it failed because of %q", s.Why)
	}
}

func TestSessionSaysThatItsMemoryIsOff(t *testing.T) {
	mode := func(id, mode string) string {
		return `{"type":"session_meta","payload":{"id":"` + id + `","memory_mode":"` + mode + `"}}`
	}
	for name, c := range map[string]struct {
		lines []string
		want  bool
	}{
		"not said":              {[]string{meta}, false},
		"off":                   {[]string{mode("s1", "disabled")}, true},
		"on":                    {[]string{mode("s1", "enabled")}, false},
		"switched off":          {[]string{meta, mode("s1", "disabled"), started}, true},
		"switched on again":     {[]string{mode("s1", "disabled"), mode("s1", "enabled")}, false},
		"a line without it":     {[]string{mode("s1", "disabled"), meta}, true},
		"of the forked session": {[]string{meta, mode("s0", "disabled")}, false},
	} {
		if s := readLines(t, c.lines...); s.MemoryOff != c.want || s.ID != "s1" {
			t.Errorf("%s: %t of %s", name, s.MemoryOff, s.ID)
		}
	}
}

func TestInstructionsAreGivenAndAreNoRequest(t *testing.T) {
	s := readAt(t, "testdata/recovered.jsonl", 0, false)
	if len(s.Given) != 1 || s.Given[0].Source != "AGENTS.md" || !strings.Contains(s.Given[0].Text, "be kind") {
		t.Errorf("given is %+v", s.Given)
	}
	if fmt.Sprint(s.Taint) != "[file outside the project: /nope]" {
		t.Errorf("taint is %q", s.Taint)
	}
}

// stepsOf returns the steps in words.
func stepsOf(s *session.Session) string {
	var all []string
	for _, p := range s.Steps {
		all = append(all, strings.TrimSpace(p.Tool+" "+string(p.Status)+" "+p.Kind))
	}
	return strings.Join(all, ", ")
}

const (
	meta     = `{"timestamp":"2026-02-01T10:00:00Z","type":"session_meta","payload":{"id":"s1","cwd":"/home/ada/shop","cli_version":"0.128.0","source":"cli"}}`
	started  = `{"timestamp":"2026-02-01T10:00:01Z","type":"event_msg","payload":{"type":"task_started"}}`
	complete = `{"timestamp":"2026-02-01T10:00:09Z","type":"event_msg","payload":{"type":"task_complete"}}`
)

func event(payload string) string {
	return `{"timestamp":"2026-02-01T10:00:05Z","type":"event_msg","payload":` + payload + `}`
}
func response(payload string) string {
	return `{"timestamp":"2026-02-01T10:00:05Z","type":"response_item","payload":` + payload + `}`
}

// shell returns the lines of a call of a shell and its output.
func shell(output string) []string {
	b, _ := json.Marshal(output)
	return []string{
		response(`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"c"}`),
		response(`{"type":"function_call_output","call_id":"c","output":` + string(b) + `}`),
	}
}

func TestOutputsSayHowACallEnded(t *testing.T) {
	for output, want := range map[string]string{
		`{"output":"x","metadata":{"exit_code":0,"duration_seconds":0.1}}`:                                                "shell ok",
		`{"output":"x","metadata":{"exit_code":2,"duration_seconds":0.1}}`:                                                "shell error exit 2",
		`{"output":"command timed out after 10 milliseconds\nx","metadata":{"exit_code":124}}`:                            "shell error timeout",
		"Exit code: 1\nWall time: 0.1 seconds\nTotal output lines: 4\nOutput:\nno":                                        "shell error exit 1",
		"Exit code: 0\nWall time: 0.1 seconds\nOutput:\nExit code: 1":                                                     "shell ok",
		"Chunk ID: 12\nWall time: 0.1 seconds\nProcess exited with code 127\nOriginal token count: 3\nOutput:\nnot found": "shell error exit 127",
		"Wall time: 10.0 seconds\nProcess running with session ID 7\nOutput:\n":                                           "shell pending",
		"command timed out after 1000 milliseconds":                                                                       "shell error timeout",
		"failed to parse function arguments: x":                                                                           "shell error bad arguments",
		"apply_patch verification failed: x":                                                                              "shell error patch does not apply",
		"exec command rejected by user":                                                                                   "shell declined",
		// a text, without the frame
		"Process exited with code 1": "shell ok",
		"anything":                   "shell ok",
		"":                           "shell ok",
	} {
		s := readLines(t, append([]string{meta, started}, shell(output)...)...)
		if got := stepsOf(&s); got != want {
			t.Errorf("%q: %s, want %s", output, got, want)
		}
	}
}

func TestCommandThatGoesOnEndsWithALaterCall(t *testing.T) {
	lines := append(
		[]string{meta, started},
		shell("Wall time: 10 seconds\nProcess running with session ID 7\nOutput:\n")...)
	lines = append(
		lines,
		response(`{"type":"function_call","name":"write_stdin","arguments":"{\"session_id\":7}","call_id":"d"}`),
		response(
			`{"type":"function_call_output","call_id":"d","output":"Wall time: 1 seconds\nProcess exited with code 3\nOutput:\nboom"}`,
		),
		complete,
	)
	s := readLines(t, lines...)
	if got := stepsOf(&s); got != "shell error exit 3, write_stdin error exit 3" || s.Steps[0].Error != "boom" ||
		s.State != session.Failed {
		t.Errorf("%s, %q, %s", got, s.Steps[0].Error, s.State)
	}
}

// TestFixturesAreReadWhole reads recorded sessions that are kept elsewhere.
func TestFixturesAreReadWhole(t *testing.T) {
	dir := os.Getenv("WINNOW_SESSIONS")
	if dir == "" {
		t.Skip("does not apply: WINNOW_SESSIONS names no folder of recorded sessions")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "codex", "*.jsonl*"))
	if len(files) == 0 {
		t.Fatal("there are no recorded sessions in it")
	}
	for _, path := range files {
		s := readAt(t, path, time.Hour, false)
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
		for kind := range s.Unknown {
			if !strings.HasSuffix(kind, " without its call") { // shortened files lack some
				t.Errorf("%s: unknown lines %v", path, s.Unknown)
			}
		}
	}
}

func TestTurnsThatWereTakenBackAreNotTold(t *testing.T) {
	lines := []string{
		meta,
		started,
		event(`{"type":"user_message","message":"first"}`),
		complete,
		started,
		event(`{"type":"user_message","message":"second"}`),
	}
	lines = append(lines, shell("Exit code: 1\nOutput:\n")...)
	s := readLines(t, append(lines, complete, event(`{"type":"thread_rolled_back","num_turns":1}`))...)
	if s.Task != "first" || len(s.Corrections) > 0 || len(s.Steps) > 0 || s.State != session.Succeeded {
		t.Errorf("task %q, corrections %q, steps %s, %s", s.Task, s.Corrections, stepsOf(&s), s.State)
	}
}

func TestSessionsOfAgentsAreNotThePersons(t *testing.T) {
	for source, want := range map[string]bool{
		`"cli"`: false, `"exec"`: false, `"vscode"`: false, `{"custom":"x"}`: false,
		`{"subagent":{"thread_spawn":{"parent_thread_id":"a","depth":1}}}`: true,
		`{"subagent":"memory_consolidation"}`:                              true,
		`{"internal":"memory_consolidation"}`:                              true,
	} {
		s := readLines(t, strings.Replace(meta, `"cli"`, source, 1))
		if s.Subagent != want {
			t.Errorf("%s: %t", source, s.Subagent)
		}
	}
}

func TestTaintSaysWhatWasReadFromElsewhere(t *testing.T) {
	s := readLines(
		t,
		meta,
		started,
		response(`{"type":"web_search_call","id":"w","status":"completed","action":{"type":"search","query":"x"}}`),
		event(
			`{"type":"mcp_tool_call_end","call_id":"m","invocation":{"server":"github","tool":"issues","arguments":{}},"result":{"Err":"no network"}}`,
		),
		response(`{"type":"function_call","namespace":"mcp__winnow","name":"recall","arguments":"{}","call_id":"r"}`),
		response(`{"type":"function_call_output","call_id":"r","output":"Wall time: 0.1 seconds\nOutput:\na lesson"}`),
		response(
			`{"type":"function_call","name":"shell","arguments":"{\"command\":[\"curl\",\"https://a.example\"]}","call_id":"h"}`,
		),
		complete,
	)
	if got := strings.Join(s.Taint, ", "); got != "web: web_search, mcp: github, web: a command" {
		t.Errorf("taint is %s", got)
	}
	if len(s.Given) != 1 || s.Given[0] != (session.Given{Source: "mcp winnow", Text: "a lesson"}) {
		t.Errorf("given is %+v", s.Given)
	}
	if got := stepsOf(&s); got != "web_search ok, mcp__github__issues error tool error, mcp__winnow__recall ok, shell pending" {
		t.Errorf("steps are %s", got)
	}
}

func TestUnknownLinesAreCountedAndNeverFatal(t *testing.T) {
	s := readLines(
		t,
		meta,
		`{"type":"hologram","payload":{}}`,
		response(`{"type":"dream"}`),
		event(`{"type":"wink"}`),
		event(`{"type":"wink"}`),
		`{"torn`,
		"",
		`[1]`,
		`null`,
		event(
			`{"type":"item_completed","item":{"type":"Smell"}}`,
		),
		response(`{"type":"function_call_output","call_id":"nobody","output":"x"}`),
		`{"type":"response_item","payload":7}`,
	)
	want := map[string]int{
		"hologram":                              1,
		"response_item dream":                   1,
		"event_msg wink":                        2,
		"line that is no JSON":                  3,
		"item_completed Smell":                  1,
		"function_call_output without its call": 1,
	}
	for kind, n := range want {
		if s.Unknown[kind] != n {
			t.Errorf("%s counts %d, want %d: %v", kind, s.Unknown[kind], n, s.Unknown)
		}
	}
	if s.ID != "s1" {
		t.Errorf("the id is %q", s.ID)
	}
}

func TestOldestFormsAreRead(t *testing.T) {
	s := readLines(t, `{"timestamp":"2025-09-10T12:00:00Z","role":"user","content":"translate"}`,
		`{"timestamp":"2025-09-10T12:00:01Z","type":"tool_call","function":{"name":"translate"},"arguments":"{}"}`,
		`{"timestamp":"2025-09-10T12:00:01Z","type":"tool_result","name":"translate","result":"hola"}`,
		`{"timestamp":"2025-09-10T12:00:02Z","role":"assistant","content":"hola"}`)
	if s.Task != "translate" || stepsOf(&s) != "translate ok" || s.State != session.Succeeded || len(s.Unknown) > 0 {
		t.Errorf("task %q, steps %s, %s, unknown %v", s.Task, stepsOf(&s), s.State, s.Unknown)
	}
	s = readLines(
		t,
		`{"id":"old","timestamp":"2025-06-01T10:00:00Z","instructions":null}`,
		`{"record_type":"state"}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n</environment_context>"}]}`,
		`{"type":"message","role":"user","content":[{"type":"input_text","text":"fix it"}]}`,
		`{"type":"local_shell_call","call_id":"a","status":"completed","action":{"type":"exec","command":["ls"]}}`,
		`{"type":"function_call","name":"shell","arguments":"{}","call_id":"b"}`,
	)
	if s.ID != "old" || s.Task != "fix it" || stepsOf(&s) != "local_shell ok, shell pending" ||
		s.State != session.Unknown ||
		len(s.Unknown) > 0 {
		t.Errorf("%s, task %q, steps %s, %s, unknown %v", s.ID, s.Task, stepsOf(&s), s.State, s.Unknown)
	}
}

// zstdFrame returns a Zstandard frame that stores a text in one block.
func zstdFrame(text string) string {
	frame := binary.LittleEndian.AppendUint32([]byte("\x28\xb5\x2f\xfd\xa0"), uint32(len(text)))
	frame = binary.LittleEndian.AppendUint32(frame, uint32(len(text)<<3|1))
	return string(frame[:len(frame)-1]) + text
}

// TestListNamesEachSessionOnce: a plain file wins over its compressed copy, and both forms are read.
func TestListNamesEachSessionOnce(t *testing.T) {
	home := t.TempDir()
	day := filepath.Join(home, ".codex", "sessions", "2026", "02", "01")
	archive := filepath.Join(home, ".codex", "archived_sessions")
	write := func(dir, name, text string) {
		if err := errorsOf(os.MkdirAll(dir, 0o700),
			os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	packed := zstdFrame(strings.Replace(meta, "s1", "s2", 1) + "\n" + started + "\n" + complete + "\n")
	write(day, "rollout-2026-02-01T10-00-00-s1.jsonl", meta+"\n")
	write(day, "rollout-2026-02-01T10-00-00-s1.jsonl.zst", packed)
	write(archive, "rollout-2026-01-01T10-00-00-s2.jsonl.zst", packed)
	write(day, "rollout-2026-02-01T10-00-00-torn.jsonl.zst", packed[:len(packed)/2])
	write(day, "notes.txt", "no session")
	env := system.Env{Home: home, Lookup: func(string) (string, bool) { return "", false }}
	heads, err := sessions(context.Background(), env, "/home/ada")
	var got []string
	for _, h := range heads {
		got = append(got, h.ID+" "+filepath.Ext(h.Path))
	}
	if err != nil || len(got) != 3 ||
		!strings.Contains(strings.Join(got, ","), "s1 .jsonl,") &&
			!strings.HasSuffix(strings.Join(got, ","), "s1 .jsonl") {
		t.Errorf("sessions are %q, %v", got, err)
	}
	for _, h := range heads {
		s, err := read(context.Background(), h, h.Changed.Add(time.Hour), func() bool { return false })
		if err != nil ||
			h.ID == "s2" && s.State != session.Succeeded ||
			h.ID == "torn" && len(s.Unknown) == 0 {
			t.Errorf("%s: %s, unknown %v, %v", h.ID, s.State, s.Unknown, err)
		}
	}
	if heads, err = sessions(context.Background(), env, "/home/bob"); err != nil ||
		len(heads) != 1 { // the torn one says no folder
		t.Errorf("sessions of another folder are %+v, %v", heads, err)
	}
}

func errorsOf(all ...error) error {
	for _, err := range all {
		if err != nil {
			return err
		}
	}
	return nil
}

func FuzzRolloutIsRead(f *testing.F) {
	for _, name := range []string{"recovered", "aborted", "failed"} {
		b, err := os.ReadFile(filepath.Join("testdata", name+".jsonl"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Add(strings.Join(shell("Exit code: 1\nOutput:\nx"), "\n"))
	f.Fuzz(func(t *testing.T, text string) {
		r := newReader(session.Head{})
		for line := range strings.Lines(text) {
			r.line([]byte(line))
		}
		s := r.session(time.Now(), func() bool { return false })
		for _, p := range s.Steps {
			if p.Tool == undone || len(p.Arguments) > session.MostText+100 || len(p.Error) > session.MostText+100 {
				t.Errorf("step %+v", p)
			}
		}
		if s.State == "" || len(s.Unknown) > 51 {
			t.Errorf("state %q, %d unknown", s.State, len(s.Unknown))
		}
	})
}

func TestSecondVersionOfMemoriesIsUsedUnlessTheFirstExists(t *testing.T) {
	home := t.TempDir()
	env := system.Env{Home: home, Dir: home, Lookup: func(string) (string, bool) { return "", false }}
	second := filepath.Join(home, ".codex", "memories_v2")
	put(t, filepath.Join(second, "memory_summary.md"), "Use tabs.\n")
	put(t, filepath.Join(home, ".codex", "config.toml"), "[features]\nmemories = true\n")
	given := func(dir string) string {
		t.Helper()
		r, err := agent().Open(env, time.Now, dir).Recall(t.Context(), memory.Task{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Block.Text
	}
	if places := System(env, time.Now).Find(t.Context(), env).Places; len(places) != 1 || places[0].Path != second {
		t.Errorf("found %+v, want %s", places, second)
	}
	if !strings.Contains(given(second), "Use tabs.") {
		t.Error("sessions are given nothing of the second version")
	}
	first := filepath.Join(home, ".codex", "memories")
	put(t, filepath.Join(first, "memory_summary.md"), "v1\nUse spaces.\n")
	if given(second) != "" || !strings.Contains(given(first), "Use spaces.") {
		t.Error("the first version does not take the place of the second")
	}
	put(t, filepath.Join(home, ".codex", "config.toml"), "[features]\nmemories = true\n[memories]\nversion = \"v2\"\n")
	if given(first) != "" || !strings.Contains(given(second), "Use tabs.") {
		t.Error("the settings do not choose the second version")
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLongTextOfTheSecondVersionOfMemoriesComesInParts(t *testing.T) {
	home := t.TempDir()
	env := system.Env{Home: home, Dir: home, Lookup: func(string) (string, bool) { return "", false }}
	put(t, filepath.Join(home, ".codex", "config.toml"), "[features]\nmemories = true\n")
	for name, want := range map[string]string{
		secondName: "developer message, in 2 parts of at most 8900 bytes", memoriesName: "developer message",
	} {
		dir := filepath.Join(home, ".codex", name)
		put(t, filepath.Join(dir, summaryFile), strings.Repeat("word ", 1900))
		r, err := agent().Open(env, time.Now, dir).Recall(t.Context(), memory.Task{})
		if err != nil || r.Block.Where != want {
			t.Errorf("%s comes in %q, %v, want %q", name, r.Block.Where, err, want)
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}
