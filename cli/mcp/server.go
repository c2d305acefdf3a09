// Package mcp serves agents over standard input and output. It gives them approved lessons and lets
// them propose new ones. Only this package uses the protocol library. It writes nothing but
// protocol messages.
package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"winnow/core/memory"
)

// Lesson is a lesson that an agent proposes.
type Lesson struct {
	Task     string `json:"task"`
	Lesson   string `json:"lesson"`
	Outcome  string `json:"outcome"`
	Evidence string `json:"evidence"`
}

// Tools answer the calls of an agent, each with a text for the model. The origin passed to each
// says who calls, as far as the environment and the call's metadata tell.
type Tools struct {
	Recall  func(ctx context.Context, who memory.Origin, task string) (string, error)
	Propose func(ctx context.Context, who memory.Origin, l Lesson) (string, error)
	Pending func(ctx context.Context, who memory.Origin) (string, error)
}

// Serve answers the messages from in on out, until in ends or ctx is done.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string, lookup func(string) (string, bool), t Tools) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "winnow", Title: "Winnow", Version: version}, &mcp.ServerOptions{
		Instructions: "Lessons from earlier sessions that a person approved, and a way to propose new ones.",
		Capabilities: &mcp.ServerCapabilities{Tools: &mcp.ToolCapabilities{}},
	})
	d := callerFinder{lookup}
	add(s, d, "recall", "Recall lessons", true,
		"Returns lessons from earlier sessions that fit a task. A person approved each. Call it once, before you begin.",
		`{"task":{"type":"string","minLength":1,"maxLength":4000,"description":"What you are asked to do."}}`, `["task"]`,
		func(ctx context.Context, who memory.Origin, l Lesson) (string, error) {
			return t.Recall(ctx, who, l.Task)
		})
	add(s, d, "propose_lesson", "Propose a lesson", false,
		"Proposes a lesson for later sessions. It waits for a person, who approves or rejects it; no agent sees it before that. Propose what you have seen to work or fail here, in one or two sentences, without secrets.",
		`{"task":{"type":"string","minLength":1,"maxLength":200,"description":"What was asked for, in a sentence."},
		"lesson":{"type":"string","minLength":1,"maxLength":1000,"description":"What to do or avoid next time."},
		"outcome":{"type":"string","enum":["succeeded","failed"],"description":"How the task ended."},
		"evidence":{"type":"string","maxLength":1000,"description":"What shows it: a command and what it printed."}}`,
		`["task","lesson","outcome","evidence"]`, t.Propose)
	add(s, d, "list_pending", "List waiting proposals", true,
		"Says how many proposed lessons wait for a person, and which of them this session proposed.",
		`{}`, `[]`, func(ctx context.Context, who memory.Origin, _ Lesson) (string, error) { return t.Pending(ctx, who) })
	s.AddReceivingMiddleware(shortErrors)
	if err := s.Run(ctx, transport{in, out}); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// mostError limits the error text sent to an agent, because the protocol library repeats an
// argument that is too long.
const mostError = 500

func shortErrors(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, r)
		if called, ok := result.(*mcp.CallToolResult); ok && err == nil && called.IsError {
			for _, c := range called.Content {
				if t, ok := c.(*mcp.TextContent); ok && len(t.Text) > mostError {
					t.Text = strings.ToValidUTF8(t.Text[:mostError], "") + "…"
				}
			}
		}
		return result, err
	}
}

// callerFinder identifies the caller.
type callerFinder struct{ lookup func(string) (string, bool) }

// add adds a tool whose result is text only, because some clients show the model structured content
// instead of text.
func add(s *mcp.Server, d callerFinder, name, title string, readOnly bool, about, fields, required string, do func(context.Context, memory.Origin, Lesson) (string, error)) {
	no := false
	mcp.AddTool(s, &mcp.Tool{
		Name: name, Title: title, Description: about,
		InputSchema: json.RawMessage(`{"type":"object","properties":` + fields + `,"required":` + required + `,"additionalProperties":false}`),
		Annotations: &mcp.ToolAnnotations{Title: title, ReadOnlyHint: readOnly, IdempotentHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}, func(ctx context.Context, r *mcp.CallToolRequest, l Lesson) (result *mcp.CallToolResult, none any, err error) {
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("winnow failed: %v", v)
			}
		}()
		text, err := do(ctx, d.caller(r.Params.Meta), l)
		if err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
	})
}

// caller returns the session that a call comes from, based on the call's metadata and the environment
// that the agent gave the server. An agent started by another one inherits its environment, so the
// environment counts only together with metadata of the same agent.
func (d callerFinder) caller(meta mcp.Meta) (o memory.Origin) {
	text := func(key string) string {
		s, _ := meta[key].(string)
		return s
	}
	variable := func(name string) string {
		s, _ := d.lookup(name)
		return s
	}
	_, claude := meta["claudecode/toolUseId"]
	switch {
	case claude && variable("CLAUDE_CODE_SESSION_ID") != "":
		o.Agent, o.Session, o.Folder = "claudecode", variable("CLAUDE_CODE_SESSION_ID"), variable("CLAUDE_PROJECT_DIR")
	case text("sessionId") != "":
		o.Agent, o.Session = "codex", text("sessionId")
	case variable("OPENCODE_PID") != "":
		o.Agent = "opencode"
	}
	return o
}
