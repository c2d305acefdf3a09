package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
)

// Lesson is a lesson that an agent proposes.
type Lesson struct{ Task, Lesson, Outcome, Evidence string }

// Tools answer the calls of an agent, each with a text for the model. The origin passed to each
// says who calls, as far as the environment and the call's metadata tell.
type Tools struct {
	Recall  func(ctx context.Context, who memory.Origin, task string) (string, error)
	Propose func(ctx context.Context, who memory.Origin, l Lesson) (string, error)
	Pending func(ctx context.Context, who memory.Origin) (string, error)
}

// tool is a tool as the client sees it, and what answers its calls.
type tool struct {
	name, title, about string
	readOnly           bool
	args               []argument
	do                 func(ctx context.Context, who memory.Origin, args map[string]string) (string, error)
}

// argument is a required text.
type argument struct {
	name     string
	min, max int      // characters
	oneOf    []string // if set, the only valid texts
	about    string
}

func (t Tools) list() []tool {
	return []tool{
		{
			name: "list_pending", title: "List waiting proposals", readOnly: true,
			about: "Says how many proposed lessons wait for a person, and which of them this session proposed.",
			do: func(ctx context.Context, who memory.Origin, _ map[string]string) (string, error) {
				return t.Pending(ctx, who)
			},
		},
		{
			name: "propose_lesson", title: "Propose a lesson",
			about: "Proposes a lesson for later sessions. It waits for a person, who approves or rejects it; no agent sees it " +
				"before that. Propose what you have seen to work or fail here, in one or two sentences, without secrets.",
			args: []argument{
				{name: "task", min: 1, max: 200, about: "What was asked for, in a sentence."},
				{name: "lesson", min: 1, max: 1000, about: "What to do or avoid next time."},
				{name: "outcome", oneOf: []string{"succeeded", "failed"}, about: "How the task ended."},
				{name: "evidence", max: 1000, about: "What shows it: a command and what it printed."},
			},
			do: func(ctx context.Context, who memory.Origin, args map[string]string) (string, error) {
				return t.Propose(ctx, who, Lesson{args["task"], args["lesson"], args["outcome"], args["evidence"]})
			},
		},
		{
			name: "recall", title: "Recall lessons", readOnly: true,
			about: "Returns lessons from earlier sessions that fit a task. A person approved each. Call it once, before you begin.",
			args:  []argument{{name: "task", min: 1, max: 4000, about: "What you are asked to do."}},
			do: func(ctx context.Context, who memory.Origin, args map[string]string) (string, error) {
				return t.Recall(ctx, who, args["task"])
			},
		},
	}
}

// toolInfo is what tools/list says about a tool.
type toolInfo struct {
	Annotations annotations `json:"annotations"`
	Description string      `json:"description"`
	InputSchema schema      `json:"inputSchema"`
	Name        string      `json:"name"`
	Title       string      `json:"title"`
}

type annotations struct {
	Destructive bool   `json:"destructiveHint"`
	Idempotent  bool   `json:"idempotentHint"`
	OpenWorld   bool   `json:"openWorldHint"`
	ReadOnly    bool   `json:"readOnlyHint"`
	Title       string `json:"title"`
}

type schema struct {
	Type       string              `json:"type"`
	Properties map[string]property `json:"properties"`
	Required   []string            `json:"required"`
	More       bool                `json:"additionalProperties"`
}

type property struct {
	Type        string   `json:"type"`
	Description string   `json:"description"`
	Min         int      `json:"minLength,omitempty"`
	Max         int      `json:"maxLength,omitempty"`
	OneOf       []string `json:"enum,omitempty"`
}

func (t tool) info() toolInfo {
	s := schema{Type: "object", Properties: map[string]property{}, Required: t.names()}
	for _, a := range t.args {
		s.Properties[a.name] = property{"string", a.about, a.min, a.max, a.oneOf}
	}
	return toolInfo{annotations{Idempotent: true, ReadOnly: t.readOnly, Title: t.title}, t.about, s, t.name, t.title}
}

// names returns the names of the arguments, which is not nil.
func (t tool) names() []string {
	names := []string{}
	for _, a := range t.args {
		names = append(names, a.name)
	}
	return names
}

// run answers a call. A panic becomes an error.
func (t tool) run(ctx context.Context, who memory.Origin, given json.RawMessage) (text string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("winnow failed: %v", v)
		}
	}()
	args, err := t.arguments(given)
	if err != nil {
		return "", err
	}
	return t.do(ctx, who, args)
}

// arguments returns the arguments of a call. Its errors say what is wanted, not what was given.
func (t tool) arguments(given json.RawMessage) (map[string]string, error) {
	var fields map[string]json.RawMessage
	if given != nil && json.Unmarshal(given, &fields) != nil {
		return nil, errors.New("the arguments are no object")
	}
	known := t.names()
	for name := range fields {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("unknown argument: want these alone: %q", known)
		}
	}
	args := map[string]string{}
	for _, a := range t.args {
		value, ok := fields[a.name]
		if !ok {
			return nil, fmt.Errorf("argument %s is missing", a.name)
		}
		text, err := a.text(value)
		if err != nil {
			return nil, fmt.Errorf("argument %s: %w", a.name, err)
		}
		args[a.name] = text
	}
	return args, nil
}

// text returns the text of a value that is valid for the argument.
func (a argument) text(value json.RawMessage) (text string, err error) {
	if value[0] != '"' || json.Unmarshal(value, &text) != nil {
		return "", errors.New("want a string")
	}
	if a.oneOf != nil {
		if !slices.Contains(a.oneOf, text) {
			return "", fmt.Errorf("want one of %q", a.oneOf)
		}
		return text, nil
	}
	if n := utf8.RuneCountInString(text); n < a.min || n > a.max {
		return "", fmt.Errorf("want %d to %d characters, got %d", a.min, a.max, n)
	}
	return text, nil
}

// result is the result of a call. It is text alone, because some clients show the model structured
// content instead of text.
type result struct {
	*era
	Content []content `json:"content"`
	IsError bool      `json:"isError,omitempty"`
}

type content struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// mostError limits the error text sent to an agent, in bytes.
const mostError = 500

func called(e *era, text string, err error) result {
	if err != nil {
		if text = err.Error(); len(text) > mostError {
			text = strings.ToValidUTF8(text[:mostError], "") + "…"
		}
	}
	return result{e, []content{{"text", text}}, err != nil}
}

// callerFinder identifies the caller.
type callerFinder struct{ lookup func(string) (string, bool) }

// caller returns the session that a call comes from, based on the call's metadata and the environment
// that the agent gave the server. An agent started by another one inherits its environment, so the
// environment counts only together with metadata of the same agent.
func (d callerFinder) caller(meta map[string]any) (o memory.Origin) {
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
