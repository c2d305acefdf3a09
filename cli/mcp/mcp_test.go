package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"winnow/core/memory"
)

// record are tools that note what they are called with.
type record struct {
	mu    sync.Mutex
	calls []string
}

func (r *record) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls = append(r.calls, fmt.Sprintf(format, args...))
}

func (r *record) tools() Tools {
	return Tools{
		Recall: func(_ context.Context, o memory.Origin, task string) (string, error) {
			r.note("recall %s/%s %s", o.Agent, o.Session, task)
			if task == "panic" {
				panic("boom")
			}
			return "the block for " + task, nil
		},
		Propose: func(_ context.Context, o memory.Origin, l Lesson) (string, error) {
			r.note("propose %s/%s %s", o.Agent, o.Session, l.Lesson)
			if l.Lesson == "fail" {
				return "", errors.New("propose: no room")
			}
			return "waiting for a person", nil
		},
		Pending: func(_ context.Context, o memory.Origin) (string, error) { return "0 proposals", nil },
	}
}

func none(string) (string, bool) { return "", false }

// connect returns a client of a server.
func connect(t *testing.T, r *record) *mcp.ClientSession {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- Serve(context.WithoutCancel(t.Context()), in, out, "1", none, r.tools()); out.Close() }()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	s, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: toServer}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return s
}

func TestToolsAreAnnotatedAndBounded(t *testing.T) {
	s := connect(t, &record{})
	list, err := s.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 3 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	for _, tool := range list.Tools {
		a := tool.Annotations
		if a == nil || a.ReadOnlyHint == (tool.Name == "propose_lesson") || a.DestructiveHint == nil || *a.DestructiveHint || a.OpenWorldHint == nil || *a.OpenWorldHint {
			t.Errorf("%s is annotated %+v", tool.Name, a)
		}
		schema, _ := json.Marshal(tool.InputSchema)
		if n := strings.Count(string(schema), `"type":"string"`); strings.Count(string(schema), "maxLength")+strings.Count(string(schema), "enum") != n {
			t.Errorf("%s has texts without a limit: %s", tool.Name, schema)
		}
		if tool.OutputSchema != nil || len(tool.Description) > 250 {
			t.Errorf("%s: output %v, description of %d bytes", tool.Name, tool.OutputSchema, len(tool.Description))
		}
	}
	if caps, err := json.Marshal(s.InitializeResult().Capabilities); err != nil || string(caps) != `{"tools":{}}` {
		t.Errorf("capabilities %s, %v; want tools alone", caps, err)
	}
}

func TestResultsAreTextAlone(t *testing.T) {
	s := connect(t, &record{})
	call := func(name string, args map[string]any) (*mcp.CallToolResult, error) {
		return s.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: args})
	}
	lesson := func(text, outcome string) map[string]any {
		return map[string]any{"task": "t", "lesson": text, "outcome": outcome, "evidence": ""}
	}
	for _, c := range []struct {
		name string
		args map[string]any
		want string
		bad  bool
	}{
		{"recall", map[string]any{"task": "deploy"}, "the block for deploy", false},
		{"recall", map[string]any{"task": "panic"}, "winnow failed: boom", true},
		{"propose_lesson", lesson("use make", "failed"), "waiting for a person", false},
		{"propose_lesson", lesson("fail", "failed"), "propose: no room", true},
		{"propose_lesson", lesson("x", "maybe"), "outcome", true},
		{"propose_lesson", lesson(strings.Repeat("x", 1001), "failed"), "lesson", true},
		{"recall", map[string]any{"task": "x", "session": "mine"}, "session", true},
		{"recall", nil, "task", true},
		{"recall", map[string]any{"task": strings.Repeat("é", 400_000)}, "maxLength", true},
		{"list_pending", nil, "0 proposals", false},
	} {
		r, err := call(c.name, c.args)
		if err != nil && c.bad && strings.Contains(err.Error(), c.want) {
			continue
		}
		if err != nil || len(r.Content) != 1 || r.StructuredContent != nil || r.IsError != c.bad || c.bad && len(r.Content[0].(*mcp.TextContent).Text) > mostError+len("…") {
			t.Errorf("%s %.99v: %.999v, %v", c.name, c.args, r, err)
			continue
		}
		if text := r.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, c.want) {
			t.Errorf("%s %v: %q, want %q", c.name, c.args, text, c.want)
		}
	}
}

func TestWhoProposesIsNotTakenFromArguments(t *testing.T) {
	claude := map[string]string{"CLAUDE_CODE_SESSION_ID": "s1", "CLAUDE_PROJECT_DIR": "/p", "OPENCODE_PID": "7"}
	for _, c := range []struct {
		env  map[string]string
		meta mcp.Meta
		want memory.Origin
	}{
		{claude, mcp.Meta{"claudecode/toolUseId": "x"}, memory.Origin{Agent: "claudecode", Session: "s1", Folder: "/p"}},
		{claude, mcp.Meta{"sessionId": "c1"}, memory.Origin{Agent: "codex", Session: "c1"}}, // started by a command of the other
		{claude, nil, memory.Origin{Agent: "opencode"}},
		{nil, mcp.Meta{"claudecode/toolUseId": "x", "sessionId": 7}, memory.Origin{}},
		{nil, nil, memory.Origin{}},
	} {
		d := callerFinder{func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }}
		if got := d.caller(c.meta); got.Agent != c.want.Agent || got.Session != c.want.Session || got.Folder != c.want.Folder {
			t.Errorf("%v %v: %+v, want %+v", c.env, c.meta, got, c.want)
		}
	}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func callOf(id any, task string) string {
	line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": "recall", "arguments": map[string]any{"task": task}}})
	return string(line) + "\n"
}

// served returns what the server writes for an input, a line each.
func served(t testing.TB, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(input), &out, "1", none, (&record{}).tools()); err != nil {
		t.Errorf("%.200q: the server ended with %v", input, err)
	}
	var lines []string
	for s := bufio.NewScanner(&out); s.Scan(); {
		lines = append(lines, s.Text())
	}
	return lines
}

func TestGarbageIsAnsweredAndTheServerGoesOn(t *testing.T) {
	for _, garbage := range []string{
		"hello\n", "\n\n \t\n", "[]\n", "[" + strings.TrimSpace(callOf(5, "x")) + "]\n", "{}\n", "null\n", "7\n", "\xff\xfe\x00\n", `{"jsonrpc":"1.0","id":5,"method":"ping"}` + "\n",
		`{"jsonrpc":"2.0","id":{},"method":"ping"}` + "\n", `{"jsonrpc":"2.0","id":5}` + "\n", `{"jsonrpc":"2.0","id":5,"result":{}}` + "\n", `{"jsonrpc":"2.0","method":"nothing"}` + "\n",
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":7}` + "\n", `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"none"}}` + "\n",
		strings.Repeat("x", 3*maxLine) + "\n", callOf(5, strings.Repeat("y", 17<<20)), strings.Repeat("[", 1<<18) + "\n", strings.Repeat("{\"a\":", 1<<17) + "\n",
		hello, // again
	} {
		lines := served(t, hello+garbage+callOf(9, "deploy"))
		answered := false
		for _, line := range lines {
			var m struct {
				Version string `json:"jsonrpc"`
				ID      any    `json:"id"`
			}
			if err := json.Unmarshal([]byte(line), &m); err != nil || m.Version != "2.0" {
				t.Errorf("%.80q: wrote %.200q", garbage, line)
			}
			answered = answered || m.ID == 9.0 && strings.Contains(line, "the block for deploy")
		}
		if !answered {
			t.Errorf("%.80q: the call behind it was not answered: %.300q", garbage, lines)
		}
	}
}

func TestEveryCallIsAnsweredBeforeTheEnd(t *testing.T) {
	input := hello
	const n = 500
	for i := range n {
		input += callOf(i+10, fmt.Sprint("task ", i))
	}
	if lines := served(t, strings.TrimSuffix(input, "\n")); len(lines) != n+1 {
		t.Errorf("%d answers to %d calls", len(lines)-1, n)
	}
	// Answers come in any order.
	if lines := served(t, hello+callOf("a", "x")[:40]); len(lines) != 2 || !strings.Contains(strings.Join(lines, ""), `"code":-32700`) {
		t.Errorf("a torn line is answered with %q", lines)
	}
}

func FuzzLines(f *testing.F) {
	for _, s := range []string{"", hello, hello + callOf(1, "x") + callOf(1, "x"), "[{}]\n{", `{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"jsonrpc":"2.0","id":3,"method":"server/discover"}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		for _, line := range served(t, string(input)) {
			if !json.Valid([]byte(line)) {
				t.Fatalf("%q: wrote %q", input, line)
			}
		}
	})
}
