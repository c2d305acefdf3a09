package opencode

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
	agents "winnow/core/session"
	"winnow/core/system"
)

// home is a home folder with a database of sessions.
type home struct {
	dir   string
	now   time.Time
	runs  []memory.Running // processes that hold the database
	blind bool             // nobody can tell which processes hold it
}

func newHome(t *testing.T) *home { return &home{dir: t.TempDir(), now: time.UnixMilli(1795454600000)} }

func (h *home) data() string     { return filepath.Join(h.dir, ".local", "share", "opencode") }
func (h *home) database() string { return filepath.Join(h.data(), "opencode.db") }

func (h *home) system() (system.System, system.Env) {
	env := system.Env{Home: h.dir, Lookup: func(string) (string, bool) { return "", false }}
	m := testMachine(h.dir, nil)
	if !h.blind {
		m.holding = func(...string) []memory.Running { return h.runs }
	}
	return systemOn(func() time.Time { return h.now }, m), env
}

// read reads the session of an id.
func (h *home) read(t *testing.T, id string) agents.Session {
	t.Helper()
	sys, env := h.system()
	all, err := sys.Sessions(t.Context(), env, "")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(h agents.Head) bool { return h.ID == id })
	if i < 0 {
		t.Fatalf("%s is not among %+v", id, all)
	}
	s, err := sys.Session(t.Context(), env, all[i])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// As OpenCode 1.18.33 wrote them, with fewer members.
const (
	firstAsked = `{"role":"user","time":{"created":1795454524663},"agent":"build","model":{"providerID":"mock","modelID":"m"},"summary":{"diffs":[]}}`
	toolTurn   = `{"role":"assistant","path":{"cwd":"/w","root":"/"},"modelID":"m","providerID":"mock","time":{"created":1795454527544,"completed":1795454530350},"finish":"tool-calls"}`
	lastTurn   = `{"role":"assistant","modelID":"m","providerID":"mock","time":{"created":1795454551296,"completed":1795454554422},"finish":"stop"}`
	openTurn   = `{"role":"assistant","modelID":"m","providerID":"mock","time":{"created":1795454564254}}`
	failedBash = `{"type":"tool","tool":"bash","callID":"call_2","state":{"status":"completed","input":{"command":"exit 3"},"output":"(no output)","metadata":{"output":"(no output)","exit":3},"time":{"start":1795454528950,"end":1795454530319}}}`
	doneBash   = `{"type":"tool","tool":"bash","callID":"call_3","state":{"status":"completed","input":{"command":"true"},"output":"","metadata":{"exit":0},"time":{"start":1795454528950,"end":1795454530319}}}`
	refused    = `{"type":"tool","tool":"read","callID":"call_3","state":{"status":"error","input":{"filePath":"/etc/hostname"},"error":"The user rejected permission to use this specific tool call.","time":{"start":1795454530659,"end":1795454530683}}}`
	openBash   = `{"type":"tool","tool":"bash","callID":"call_2","state":{"status":"running","input":{"command":"sleep 60"},"time":{"start":1795454565115}}}`
	brokeTurn  = `{"role":"assistant","time":{"created":1795454551296,"completed":1795454554422},"error":{"name":"APIError","data":{"message":"no quota"}}}`
	stoppedBy  = `{"role":"assistant","time":{"created":1795454551296,"completed":1795454554422},"error":{"name":"MessageAbortedError","data":{"message":"Aborted"}}}`
)

func request(text string) []string { return []string{fmt.Sprintf(`{"type":"text","text":%q}`, text)} }

func TestStatesOfSessions(t *testing.T) {
	first := messageJSON{firstAsked, request(`"fix the build"`)}
	done := []messageJSON{first, {toolTurn, []string{failedBash, doneBash}}, {lastTurn, nil}}
	open := []messageJSON{first, {openTurn, []string{openBash}}}
	process := func(at int64) []memory.Running { return []memory.Running{{PID: 7, Since: time.UnixMilli(at)}} }
	const began = 1795454520000
	for name, c := range map[string]struct {
		messages []messageJSON
		runs     []memory.Running
		blind    bool
		after    time.Duration
		over     bool
		want     agents.State
		why      string
	}{
		"succeeded":                      {messages: done, want: agents.Succeeded},
		"its turn ended, and it is open": {messages: done, runs: process(began), want: agents.Running},
		"open and silent": {
			messages: done,
			runs:     process(began),
			after:    time.Hour,
			want:     agents.Succeeded,
		},
		"open, and told to be over":   {messages: done, runs: process(began), over: true, want: agents.Succeeded},
		"another process began later": {messages: done, runs: process(1795454599000), want: agents.Succeeded},
		"nobody can tell, just ended": {messages: done, blind: true, want: agents.Running},
		"nobody can tell, silent":     {messages: done, blind: true, after: time.Hour, want: agents.Succeeded},
		"failed at its last step": {
			messages: []messageJSON{first, {toolTurn, []string{failedBash}}, {lastTurn, nil}},
			want:     agents.Failed,
		},
		"an error of the service": {messages: []messageJSON{first, {brokeTurn, nil}}, want: agents.Failed, why: "no quota"},
		"aborted":                 {messages: []messageJSON{first, {stoppedBy, nil}}, want: agents.Aborted},
		"the person said no": {
			messages: []messageJSON{first, {toolTurn, []string{refused}}},
			want:     agents.Aborted,
		},
		"killed":                  {messages: open, want: agents.Unknown, why: "Its last turn has no end, and no process of OpenCode is known that runs it."},
		"killed, nobody can tell": {messages: open, blind: true, want: agents.Unknown, why: "Its last turn has no end, and no process of OpenCode is known that runs it."},
		"running":                 {messages: open, runs: process(began), after: time.Hour, want: agents.Running},
		"no answer":               {messages: []messageJSON{first}, want: agents.Unknown, why: "Its last turn has no end, and no process of OpenCode is known that runs it."},
		"nothing asked":           {want: agents.Unknown, why: "Nobody asked for anything."},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHome(t)
			newDatabase(t, h.database(), func(w *written) { w.session("ses_1", "/w", 1795454554490, c.messages...) })
			// The rows of the helper have dates of their own, and OpenCode those of the messages.
			write(t, h.database(), func(w *written) {
				w.do("UPDATE message SET time_created = json_extract(data, '$.time.created')")
			})
			h.runs, h.blind, h.now = c.runs, c.blind, h.now.Add(c.after)
			sys, env := h.system()
			all, err := sys.Sessions(t.Context(), env, "/w")
			if err != nil || len(all) != 1 {
				t.Fatalf("got %+v, %v", all, err)
			}
			if c.over {
				all[0].Over = time.UnixMilli(1795454554500)
			}
			s, err := sys.Session(t.Context(), env, all[0])
			if err != nil || s.State != c.want || s.Why != c.why || s.Recovered() != (s.State == agents.Succeeded) ||
				s.Unknown != nil {
				t.Errorf("got %s, %q, %v, %v", s.State, s.Why, s.Unknown, err)
			}
		})
	}
}

func TestStepsAndTextsOfASession(t *testing.T) {
	h := newHome(t)
	loaded := "text\n\n<system-reminder>\nInstructions from: /w/sub/AGENTS.md\nbe brief\n</system-reminder>"
	newDatabase(t, h.database(), func(w *written) {
		w.session("ses_1", "/w", 1795454554490,
			messageJSON{firstAsked, append(request(`"fix the build"`), `{"type":"text","text":"not this","synthetic":true}`)},
			messageJSON{toolTurn, []string{`{"type":"step-start"}`, failedBash, refused,
				tool("webfetch", `{"status":"error","input":{"url":"http://x"},"error":"Transport error"}`),
				tool("invalid", `{"status":"completed","input":{"tool":"shell","error":"unknown"},"output":"The arguments are invalid"}`),
				tool("read", fmt.Sprintf(`{"status":"completed","input":{"filePath":"/w/sub/a.go"},"output":%q,"metadata":{"loaded":["/w/sub/AGENTS.md"]}}`, loaded)),
				tool("github_search", `{"status":"completed","input":{}}`), tool("winnow_recall", `{"status":"completed","input":{},"output":"- a lesson"}`),
				`{"type":"text","text":"Fixed."}`, `{"type":"odd"}`, `{"type":`}},
			messageJSON{firstAsked, request(`say "no" twice`)}, messageJSON{lastTurn, nil})
		w.do("UPDATE message SET time_created = json_extract(data, '$.time.created')")
		w.do("INSERT INTO session(id,project_id,parent_id,directory,title,version,time_created,time_updated) VALUES('ses_2','p','ses_1','/w/sub','x','1',1,2)")
	})
	s := h.read(t, "ses_1")
	var steps []string
	for _, x := range s.Steps {
		steps = append(steps, fmt.Sprintf("%s %s %q %q", x.Tool, x.Status, x.Error, x.Kind))
	}
	want := []string{
		`bash error "(no output)" "exit 3"`, `read declined "" ""`, `webfetch error "Transport error" ""`,
		`shell error "The arguments are invalid" "unknown tool"`, `read ok "" ""`, `github_search ok "" ""`, `winnow_recall ok "" ""`,
	}
	if !slices.Equal(steps, want) {
		t.Errorf("steps: got %q", steps)
	}
	if want := []string{
		"file outside the project: /etc/hostname",
		"web: webfetch",
		"mcp: github",
	}; !slices.Equal(s.Taint, want) {
		t.Errorf("taint: got %q", s.Taint)
	}
	given := []agents.Given{
		{Source: "instructions of a folder", Path: "/w/sub/AGENTS.md", Text: loaded[strings.Index(loaded, "<system"):]},
		{Source: "mcp winnow", Text: "- a lesson"},
	}
	if !reflect.DeepEqual(s.Given, given) {
		t.Errorf("given: got %+v", s.Given)
	}
	if fmt.Sprintf("%q", s.Turns) != `["person: fix the build" "person: say \"no\" twice" "agent: Fixed."]` {
		t.Errorf("turns are %q", s.Turns)
	}
	unknown := map[string]int{"part odd": 1, "a part that is no JSON": 1}
	if s.Task != "fix the build" || !slices.Equal(s.Corrections, []string{`say "no" twice`}) || !reflect.DeepEqual(s.Unknown, unknown) ||
		s.Model != "mock/m" || s.Version != "1.18.33" || s.Ended.UnixMilli() != 1795454554422 || s.Subagent || s.Folder != "/w" {
		t.Errorf("got %+v", s)
	}
	if child := h.read(t, "ses_2"); !child.Subagent {
		t.Errorf("got %+v", child)
	}
}

func TestSessionThatWentOnAfterASilenceIsResumed(t *testing.T) {
	later := strings.ReplaceAll(firstAsked, "1795454524663", "1795464524663")
	h := newHome(t)
	newDatabase(t, h.database(), func(w *written) {
		w.session(
			"ses_1",
			"/w",
			1795464554490,
			messageJSON{firstAsked, request("a")},
			messageJSON{lastTurn, nil},
			messageJSON{later, request("b")},
			messageJSON{strings.ReplaceAll(lastTurn, "17954545", "17954645"), nil},
		)
		w.do("UPDATE message SET time_created = json_extract(data, '$.time.created')")
	})
	if s := h.read(t, "ses_1"); !s.Resumed || s.State != agents.Succeeded {
		t.Errorf("got %+v", s)
	}
}

func TestSecondRequestToARunOfOneRequestResumesIt(t *testing.T) {
	const asks = `{"permission":"question","pattern":"*","action":"deny"}`
	for permission, want := range map[string]bool{
		"": false, "[" + asks + "]": false,
		"[" + asks + `,{"permission":"plan_enter","pattern":"*","action":"deny"},{"permission":"plan_exit","pattern":"*","action":"deny"}]`: true,
	} {
		for _, requests := range []int{1, 2} {
			h := newHome(t)
			newDatabase(t, h.database(), func(w *written) {
				messages := []messageJSON{
					{firstAsked, request("a")},
					{lastTurn, nil},
					{firstAsked, request("b")},
					{lastTurn, nil},
				}
				w.session("ses_1", "/w", 1795454554490, messages[:2*requests]...)
				w.do("ALTER TABLE session ADD COLUMN permission TEXT")
				w.do("UPDATE session SET permission = nullif(?, '')", permission)
			})
			if s := h.read(t, "ses_1"); s.Resumed != (want && requests == 2) || s.Task != "a" {
				t.Errorf("%s, %d requests: got %+v", permission, requests, s)
			}
		}
	}
}

func TestSessionsOfTheFixtureHaveTheirStates(t *testing.T) {
	h := newHome(t)
	text, err := os.ReadFile(filepath.Join(stores, "opencode.db"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, h.database(), string(text))
	states := map[string][]agents.State{
		"finished":           {agents.Succeeded, agents.Failed},
		"aborted":            {agents.Aborted},
		"failed:APIError":    {agents.Failed},
		"empty":              {agents.Unknown},
		"running_or_crashed": {agents.Unknown},
	}
	for name, e := range expectations(t) {
		s := h.read(t, e.Session)
		if !slices.Contains(states[e.State], s.State) || s.Unknown != nil || len(s.Steps) != len(e.Tools) ||
			e.Task != nil && s.Task != *e.Task {
			t.Errorf("%s: got %s, %q, %+v, %v", name, s.State, s.Task, s.Steps, s.Unknown)
		}
		failed := 0
		if failed = len(e.Errors) + len(e.Soft); s.Count(agents.Error) != failed {
			t.Errorf("%s: %d failed, want %d", name, s.Count(agents.Error), failed)
		}
	}
}

func TestReadingSessionsLeavesNoTrace(t *testing.T) {
	h := newHome(t)
	if err := os.CopyFS(h.data(), os.DirFS(filepath.Join(stores, "opencode-wal"))); err != nil {
		t.Fatal(err)
	}
	list := func() (all []string) {
		entries, _ := os.ReadDir(h.data())
		for _, e := range entries {
			info, _ := e.Info()
			all = append(all, fmt.Sprint(e.Name(), info.Size(), info.ModTime()))
		}
		return all
	}
	before := list()
	sys, env := h.system()
	all, err := sys.Sessions(t.Context(), env, "")
	if err != nil || len(all) == 0 {
		t.Fatalf("got %+v, %v", all, err)
	}
	h.read(t, all[0].ID)
	if after := list(); !slices.Equal(before, after) {
		t.Errorf("%q became %q", before, after)
	}
}

func FuzzHistory(f *testing.F) {
	f.Add(lastTurn, failedBash)
	f.Add(openTurn, tool("read", `{"status":"completed","output":"<system-reminder>\nInstructions from: x","metadata":{"loaded":["/a"]}}`))
	f.Add(`{"role":7}`, `{"type":"tool","state":[]}`)
	f.Fuzz(func(t *testing.T, data, part string) {
		r := historyReader{
			m:        testMachine(t.TempDir(), nil),
			messages: []message{decodeMessage("1", 1, firstAsked), decodeMessage("2", 2, data)},
		}
		if err := r.each(func(m *message) error { r.part(m, part, false); return nil }); err != nil {
			t.Fatal(err)
		}
		if r.finish(time.Now()); r.State == "" {
			t.Errorf("no state: %+v", r.Session)
		}
	})
}
