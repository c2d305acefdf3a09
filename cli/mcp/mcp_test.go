package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"sync"
	"testing"

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
			if l.Lesson == "long" {
				return "", errors.New(strings.Repeat("é", mostError))
			}
			return "waiting for a person", nil
		},
		Pending: func(_ context.Context, o memory.Origin) (string, error) { return "0 proposals", nil },
	}
}

func none(string) (string, bool) { return "", false }

type reply struct {
	ID     any             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *problem        `json:"error"`
}

// asked returns the replies to requests in a session.
func asked(t testing.TB, r *record, lines ...string) (all []reply) {
	t.Helper()
	for _, line := range serve(t, r, hello+strings.Join(lines, "\n"))[1:] {
		var one reply
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		all = append(all, one)
	}
	return all
}

func TestToolsAreAnnotatedAndBounded(t *testing.T) {
	var list struct{ Tools []map[string]any }
	replies := asked(t, &record{}, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	if err := json.Unmarshal(replies[0].Result, &list); err != nil || len(list.Tools) != 3 {
		t.Fatalf("%d tools, %v", len(list.Tools), err)
	}
	for _, tool := range list.Tools {
		name, about := tool["name"], tool["description"].(string)
		want := map[string]any{
			"title": tool["title"], "readOnlyHint": name != "propose_lesson", "idempotentHint": true,
			"destructiveHint": false, "openWorldHint": false,
		}
		if !reflect.DeepEqual(tool["annotations"], want) {
			t.Errorf("%s is annotated %v", name, tool["annotations"])
		}
		schema := tool["inputSchema"].(map[string]any)
		properties := schema["properties"].(map[string]any)
		if required := schema["required"].([]any); len(required) != len(properties) ||
			schema["additionalProperties"] != false {
			t.Errorf("%s requires %v of %v", name, required, properties)
		}
		for property, p := range properties {
			p := p.(map[string]any)
			if p["type"] != "string" || p["maxLength"] == nil && p["enum"] == nil {
				t.Errorf("%s: %s has no limit: %v", name, property, p)
			}
		}
		if tool["outputSchema"] != nil || len(about) > 250 {
			t.Errorf("%s: output %v, description of %d bytes", name, tool["outputSchema"], len(about))
		}
	}
}

// TestResultsAreTextAlone and errors do not repeat what was sent.
func TestResultsAreTextAlone(t *testing.T) {
	lesson := func(text, outcome string) map[string]any {
		return map[string]any{"task": "t", "lesson": text, "outcome": outcome, "evidence": ""}
	}
	for _, c := range []struct {
		name string
		args any
		want string
		bad  bool
	}{
		{"recall", map[string]any{"task": "deploy"}, "the block for deploy", false},
		{"recall", map[string]any{"task": "panic"}, "winnow failed: boom", true},
		{"propose_lesson", lesson("use make", "failed"), "waiting for a person", false},
		{"propose_lesson", lesson("fail", "failed"), "propose: no room", true},
		{"propose_lesson", lesson("long", "failed"), strings.Repeat("é", mostError/2) + "…", true},
		{"propose_lesson", lesson("x", "s3cret"), `argument outcome: want one of ["succeeded" "failed"]`, true},
		{
			"propose_lesson",
			lesson(strings.Repeat("s3cret", 200), "failed"),
			"argument lesson: want 1 to 1000 characters, got 1200",
			true,
		},
		{
			"propose_lesson",
			map[string]any{"lesson": "x", "outcome": "failed", "evidence": ""},
			"argument task is missing",
			true,
		},
		{"recall", map[string]any{"task": "x", "s3cret": "mine"}, `unknown argument: want these alone: ["task"]`, true},
		{"recall", map[string]any{"Task": "s3cret"}, `unknown argument: want these alone: ["task"]`, true},
		{"recall", map[string]any{"task": []string{"s3cret"}}, "argument task: want a string", true},
		{"recall", map[string]any{"task": nil}, "argument task: want a string", true},
		{"recall", map[string]any{"task": ""}, "argument task: want 1 to 4000 characters, got 0", true},
		{
			"recall",
			map[string]any{"task": strings.Repeat("é", 400_000)},
			"argument task: want 1 to 4000 characters, got 400000",
			true,
		},
		{
			"recall",
			map[string]any{"task": strings.Repeat("é", 4000)},
			"the block for " + strings.Repeat("é", 4000),
			false,
		},
		{"recall", []string{"s3cret"}, "the arguments are no object", true},
		{"recall", nil, "argument task is missing", true},
		{"list_pending", nil, "0 proposals", false},
		{"list_pending", map[string]any{"s3cret": 1}, "unknown argument: want these alone: []", true},
	} {
		params := map[string]any{"name": c.name, "arguments": c.args}
		line, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": params})
		want, _ := json.Marshal(result{nil, []content{{"text", c.want}}, c.bad})
		if got := asked(t, &record{}, string(line))[0]; string(got.Result) != string(want) {
			t.Errorf("%s %.99v: %.999s, want %.999s", c.name, c.args, got.Result, want)
		}
	}
}

// TestRequestsAreAnsweredAsTheProtocolSays, also those that it forbids. Errors do not repeat what was sent.
func TestRequestsAreAnsweredAsTheProtocolSays(t *testing.T) {
	for request, want := range map[string]string{
		`"id":2,"method":"ping"`:                                                   `2: {}`,
		`"id":"a\u00e9","method":"ping","params":{"x":1}`:                          `"a\u00e9": {}`,
		`"id":123456789012345678901,"method":"ping"`:                               `123456789012345678901: {}`,
		`"id":1.50,"method":"ping"`:                                                `1.50: {}`,
		`"id":"","method":"ping","params":null`:                                    `"": {}`,
		`"id":2,"method":"ping","params":"s3cret"`:                                 `2: -32602`,
		`"id":2,"method":"ping","params":["s3cret"]`:                               `2: -32602`,
		`"id":2,"method":"s3cret"`:                                                 `2: -32601`,
		`"id":2,"method":"prompts/list"`:                                           `2: -32601`,
		`"id":2,"method":"notifications/cancelled"`:                                `2: -32601`,
		`"id":2,"method":"server/discover"`:                                        `2: -32601`,
		`"id":2,"method":"initialize","params":{"protocolVersion":"s3cret"}`:       `2: -32600`,
		`"id":2,"method":"tools/list","params":{"cursor":"s3cret"}`:                `2: -32602`,
		`"id":2,"method":"tools/call"`:                                             `2: -32602`,
		`"id":2,"method":"tools/call","params":{"name":"s3cret"}`:                  `2: -32602`,
		`"id":2,"method":"tools/call","params":{"name":["s3cret"]}`:                `2: -32602`,
		`"id":2,"method":"tools/call","params":{"name":"recall","_meta":"s3cret"}`: `2: -32602`,
		`"id":null,"method":"ping"`:                                                `null: -32600`,
		`"id":{"a":"s3cret"},"method":"ping"`:                                      `null: -32600`,
		`"id":true,"method":"ping"`:                                                `null: -32600`,
		`"id":2,"method":["s3cret"]`:                                               `2: -32600`,
		`"id":2,"Method":"ping"`:                                                   `2: -32600`,
		`"id":2`:                                                                   `2: -32600`,
		`"id":2,"result":{}`:                                                       ``,
		`"id":2,"error":{"code":1,"message":"s3cret"}`:                             ``,
		`"method":"s3cret"`:                                                        ``,
		`"method":"tools/call","params":{"name":"recall"}`:                         ``,
		`"method":"notifications/cancelled","params":{"requestId":"s3cret"}`:       ``,
		`"method":"notifications/cancelled","params":7`:                            ``,
	} {
		answers(t, hello, `{"jsonrpc":"2.0",`+request+`}`, want)
	}
	for line, want := range map[string]string{
		`hello s3cret`: `null: -32700`, `{"jsonrpc":"2.0","id":2,"method":"ping"} s3cret`: `null: -32700`,
		"\"\xff\"": `null: -32700`,
		`[{"jsonrpc":"2.0","id":2,"method":"ping"}]`: `null: -32600`, `[]`: `null: -32600`, `7`: `null: -32600`,
		`null`: `null: -32600`,
		`{"jsonrpc":"s3cret","id":2,"method":"ping"}`: `2: -32600`, `{"id":2,"method":"ping"}`: `null: -32600`,
	} {
		answers(t, hello, line, strings.Replace(want, "2: ", "null: ", 1))
	}
}

// answers checks what one line is answered with behind others: the ID, and the result or the code of an error.
func answers(t *testing.T, before, line, want string) {
	t.Helper()
	got := serve(t, &record{}, before+line)
	last := ""
	if len(got) > strings.Count(before, `"id"`) {
		last = got[len(got)-1]
	}
	if want == "" && last == "" {
		return
	}
	var r struct {
		ID     json.RawMessage `json:"id"`
		Result json.RawMessage `json:"result"`
		Error  *problem        `json:"error"`
	}
	_ = json.Unmarshal([]byte(last), &r)
	said := string(r.ID) + ": " + string(r.Result)
	if r.Error != nil {
		said = fmt.Sprintf("%s: %d", r.ID, r.Error.Code)
	}
	if said != want || strings.Contains(last, "s3cret") {
		t.Errorf("%s: answered with %q, want %s", line, got, want)
	}
}

func TestSessionIsInitializedWithAVersionThatBothSpeak(t *testing.T) {
	for asked, want := range map[string]string{
		`"2024-11-05"`: "2024-11-05", `"2025-03-26"`: "2025-03-26", `"2025-06-18"`: "2025-06-18",
		`"2025-11-25"`: "2025-11-25",
		`"2026-07-28"`: "2025-11-25", `"1999-01-01"`: "2025-11-25", `"9999-01-01"`: "2025-11-25", `""`: "2025-11-25", // there is no session in later ones
	} {
		answers(t, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":`+asked+`}}`,
			`1: {"capabilities":{"tools":{}},"instructions":"`+instructions+`","protocolVersion":"`+want+
				`","serverInfo":{"name":"winnow","title":"Winnow","version":"1"}}`)
	}
	for _, params := range []string{``, `,"params":null`, `,"params":{}`, `,"params":{"protocolVersion":["s3cret"]}`, `,"params":[]`} {
		answers(t, "", `{"jsonrpc":"2.0","id":1,"method":"initialize"`+params+`}`, `1: -32602`)
	}
	answers(t, "", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, `1: {}`)
	answers(t, "", `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `1: -32600`)
	answers(t, "", callOf(1, "x"), `1: -32600`)
}

// TestStatelessRequestsNeedNoSession but each names the version, and each result says that it is complete.
func TestStatelessRequestsNeedNoSession(t *testing.T) {
	request := func(method, version, more string) string {
		return `{"jsonrpc":"2.0","id":"n","method":"` + method + `","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":` +
			version + more + `}}`
	}
	const able = `,"io.modelcontextprotocol/clientCapabilities":{}`
	const complete = `"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"winnow","title":"Winnow","version":"1"}`
	const v = `"2026-07-28"`
	answers(t, "", request("server/discover", v, able+`}`), `"n": {`+complete+`},"ttlMs":0,"cacheScope":"public",`+
		`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"tools":{}},`+
		`"instructions":"`+instructions+`"}`)
	answers(t, "", request("tools/call", v, able+`},"name":"list_pending"`),
		`"n": {`+complete+`},"content":[{"type":"text","text":"0 proposals"}]}`)
	answers(
		t,
		`{"jsonrpc":"2.0","method":"x"}`+"\n",
		request("subscriptions/listen", v, able+`},"notifications":{"toolsListChanged":true}`),
		`"n": {`+complete+`,"io.modelcontextprotocol/subscriptionId":"n"}}`,
	)
	for _, c := range []struct{ request, want string }{
		{request("ping", v, able+`}`), `"n": -32601`},
		{request("initialize", v, able+`}`), `"n": -32601`},
		{request("tools/list", v, `}`), `"n": -32602`},
		{request("tools/list", v, `,"io.modelcontextprotocol/clientCapabilities":"s3cret"}`), `"n": -32602`},
		{request("tools/list", v, able+`,"io.modelcontextprotocol/clientInfo":"s3cret"}`), `"n": -32602`},
		{request("tools/list", `"2027-01-01"`, able+`}`), `"n": -32022`},
		{request("tools/list", `"s3cret"`, able+`}`), `"n": -32022`},
		{request("tools/list", `"2025-11-25"`, able+`}`), `"n": -32600`},
		{request("subscriptions/listen", v, able+`}`), `"n": -32602`},
	} {
		answers(t, "", c.request, c.want)
	}
}

// TestCancelledCallIsNotAnswered and its tool learns that it was cancelled.
func TestCancelledCallIsNotAnswered(t *testing.T) {
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	begun := make(chan struct{})
	tools := (&record{}).tools()
	tools.Recall = func(ctx context.Context, _ memory.Origin, task string) (string, error) {
		close(begun)
		<-ctx.Done()
		return "late", nil
	}
	done := make(chan error, 1)
	go func() { done <- Serve(t.Context(), in, out, "1", none, tools); out.Close() }()
	lines := bufio.NewScanner(fromServer)
	write := func(text string) { _, _ = io.WriteString(toServer, text) }
	write(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}` + "\n")
	lines.Scan()
	write(callOf("a", "x"))
	<-begun
	go write(callOf("a", "y"))
	if lines.Scan(); !strings.Contains(lines.Text(), "is not answered yet") {
		t.Errorf("a call with the same id is answered with %s", lines.Text())
	}
	write(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0061"}}` + "\n")
	toServer.Close()
	if lines.Scan() {
		t.Errorf("answered with %s", lines.Text())
	}
	if err := <-done; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// TestServerEndsWithItsContext although a call is not answered and the input stays open.
func TestServerEndsWithItsContext(t *testing.T) {
	in, toServer := io.Pipe()
	defer toServer.Close()
	ctx, cancel := context.WithCancel(t.Context())
	tools := (&record{}).tools()
	never := make(chan struct{})
	defer close(never)
	tools.Recall = func(context.Context, memory.Origin, string) (string, error) {
		cancel()
		<-never
		return "", nil
	}
	go func() { _, _ = io.WriteString(toServer, hello+callOf(2, "x")) }()
	if err := Serve(ctx, in, io.Discard, "1", none, tools); !errors.Is(err, context.Canceled) {
		t.Errorf("the server ended with %v", err)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestServerEndsWhenNobodyReads(t *testing.T) {
	in, toServer := io.Pipe()
	defer toServer.Close()
	go func() { _, _ = io.WriteString(toServer, hello) }()
	if err := Serve(t.Context(), in, brokenPipe{}, "1", none, (&record{}).tools()); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the server ended with %v", err)
	}
}

func TestWhoProposesIsNotTakenFromArguments(t *testing.T) {
	claude := map[string]string{"CLAUDE_CODE_SESSION_ID": "s1", "CLAUDE_PROJECT_DIR": "/p", "OPENCODE_PID": "7"}
	for _, c := range []struct {
		env  map[string]string
		meta map[string]any
		want memory.Origin
	}{
		{
			claude,
			map[string]any{"claudecode/toolUseId": "x"},
			memory.Origin{Agent: "claudecode", Session: "s1", Folder: "/p"},
		},
		// started by a command of the other
		{claude, map[string]any{"sessionId": "c1"}, memory.Origin{Agent: "codex", Session: "c1"}},
		{claude, nil, memory.Origin{Agent: "opencode"}},
		{nil, map[string]any{"claudecode/toolUseId": "x", "sessionId": 7}, memory.Origin{}},
		{nil, nil, memory.Origin{}},
	} {
		d := callerFinder{func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }}
		if got := d.caller(c.meta); got.Agent != c.want.Agent || got.Session != c.want.Session ||
			got.Folder != c.want.Folder {
			t.Errorf("%v %v: %+v, want %+v", c.env, c.meta, got, c.want)
		}
	}
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

func callOf(id any, task string) string {
	line, _ := json.Marshal(
		map[string]any{
			"jsonrpc": "2.0",
			"id":      id,
			"method":  "tools/call",
			"params":  map[string]any{"name": "recall", "arguments": map[string]any{"task": task}},
		},
	)
	return string(line) + "\n"
}

// served returns what the server writes for an input, a line each.
func served(t testing.TB, input string) []string {
	t.Helper()
	return serve(t, &record{}, input)
}

func serve(t testing.TB, r *record, input string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := Serve(t.Context(), strings.NewReader(input), &out, "1", none, r.tools()); err != nil {
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
		"hello\n", "\n\n \t\n", "[]\n", "[" + strings.TrimSpace(callOf(5, "x")) + "]\n", "{}\n", "null\n", "7\n",
		"\xff\xfe\x00\n", `{"jsonrpc":"1.0","id":5,"method":"ping"}` + "\n",
		`{"jsonrpc":"2.0","id":{},"method":"ping"}` + "\n", `{"jsonrpc":"2.0","id":5}` + "\n",
		`{"jsonrpc":"2.0","id":5,"result":{}}` + "\n", `{"jsonrpc":"2.0","method":"nothing"}` + "\n",
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":7}` + "\n",
		`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"none"}}` + "\n",
		strings.Repeat("x", 3*maxLine) + "\n", callOf(5, strings.Repeat("y", 17<<20)),
		strings.Repeat("[", 1<<18) + "\n", strings.Repeat("{\"a\":", 1<<17) + "\n",
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
	if lines := served(t, hello+callOf("a", "x")[:40]); len(lines) != 2 ||
		!strings.Contains(strings.Join(lines, ""), `"code":-32700`) {
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
