package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

// Hooks is what the hooks of agents need from the core.
type Hooks interface {
	// HookRecall returns the block to add to what the person asks for, or to what is said of a call of a tool, or
	// "" for none, of what could be read until ctx is done, and keeps other hooks of the session from giving it too.
	// Once it is printed, note counts it. Problems hide no block.
	HookRecall(ctx context.Context, h memory.Hook) (block string, note func(context.Context) error, err error)
	// HookLearn queues a finished session to be learnt from.
	HookLearn(ctx context.Context, h memory.Hook) error
	// NoteHook writes an error of a hook to the log of hooks, unless ctx is done before it begins.
	NoteHook(ctx context.Context, what string, cause error)
	// HookHealth says what recently went wrong in hooks.
	HookHealth() []memory.Health
	// AgentSettings returns the text of an agent's settings file, or "" if there is none, and the
	// note of its last change by ChangeSettings. A file of the project must not lead out of it.
	AgentSettings(path string, inProject bool) (text, note string, err error)
	// ChangeSettings replaces the text of such a file if it is still was. An empty text means what
	// was there before the first change: no file, or an empty one.
	ChangeSettings(ctx context.Context, path string, inProject bool, was, to, note string) error
}

// hookVerbs are what agent-hook does.
func hookVerbs() []string { return []string{"recall", "call", "learn"} }

const (
	hookName = "agent-hook"
	// HookTime is how long a hook may take from the start of the program, because an agent waits for
	// it. What is read by then is printed.
	HookTime = 300 * time.Millisecond
	// The parts of that time in which a hook may begin to note and count what it gave, to queue a
	// session, and to log an error. What has begun can then end in time, and where many hooks run at
	// once most only read.
	lastCount = 0.2
	lastWrite = 0.5
	lastLog   = 0.7
	// maxHookInput is the number of bytes read of an agent's JSON. A prompt can contain a pasted
	// file.
	maxHookInput = 8 << 20
	// maxCallInput is for a call of a tool, which can contain what the tool printed. An agent waits at each call.
	maxCallInput = 1 << 20
)

// hookInput is the JSON that agents send to a hook. All agents use the same names for these fields.
type hookInput struct {
	Agent      string `json:"agent"` // set by our own plugin
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Folder     string `json:"cwd"`
	Event      string `json:"hook_event_name"`
	Source     string `json:"source"`
	Prompt     string `json:"prompt"`

	Tool     string          `json:"tool_name"`
	Input    json.RawMessage `json:"tool_input"`
	Response json.RawMessage `json:"tool_response"`
	Error    string          `json:"error"`
	Status   string          `json:"status"` // set by our own plugin: "failed" or "succeeded"
}

// call returns the call of a tool that a hook is about.
func (in *hookInput) call() *memory.ToolCall {
	c := &memory.ToolCall{Tool: in.Tool, Input: in.Input, Output: in.Response, Error: in.Error}
	switch in.Event {
	case "PreToolUse", "BeforeTool":
		c.Output = nil
		return c
	}
	c.Over, c.Status = true, in.status()
	return c
}

// status returns how a call ended. An agent that passes on nothing but the text that was printed does not say; one
// that passes on an object names an error or an exit status in it, or has an event of its own for failures.
func (in *hookInput) status() memory.CallStatus {
	var r struct {
		Content json.RawMessage `json:"llmContent"`
		Error   json.RawMessage `json:"error"`
	}
	isObject := json.Unmarshal(in.Response, &r) == nil
	exits := bytes.Contains(r.Content, []byte(`\nExit Code: `)) // only if it is not 0
	switch {
	case in.Status == "failed", in.Event == "PostToolUseFailure", r.Error != nil, exits:
		return memory.CallFailed
	case in.Status == "succeeded", isObject:
		return memory.CallSucceeded
	}
	return memory.CallUnknown
}

// hookOutput is the JSON that adds a text to an agent's context.
type hookOutput struct {
	Specific struct {
		Event   string `json:"hookEventName"`
		Context string `json:"additionalContext"`
	} `json:"hookSpecificOutput"`
}

// agentHooking is one call of agent-hook, with its flags.
type agentHooking struct {
	*program
	agent string
	plain bool
}

func (p *program) agentHook() command {
	f := agentHooking{program: p}
	verbs := hookVerbs()
	return command{
		use: hookName + " recall|call|learn", short: "Handle an agent's hook (reads JSON on stdin)",
		long: `Handles an agent's hook, whose JSON it reads from standard input. winnow setup adds it to
an agent's settings.

recall prints the approved lessons, of this project and your own, that fit the prompt
best: at most 3, and 2 kB; at the start of a session those that are told always, at most 8
and 1 kB. It prints nothing if none fits, and does not repeat a lesson within a session
unless its context was compacted or resumed. Each lesson's recall count goes up by one,
once per session. --plain prints the bare text instead of JSON.

call prints the lessons about a call of a tool: before it those about its command or its
file, and after it those about its error. A lesson is repeated only after its command
failed again. It never decides whether the call is made.

learn puts a session that is over into the queue that winnow learn --queue reads.

It takes 300 ms at most, and then prints what is approved and read. Whatever goes wrong, it
exits with 0, so that memory never stops an agent. winnow doctor says what went wrong.`,
		examples: []string{
			"winnow agent-hook recall --agent SYSTEM < prompt.json",
			"winnow agent-hook learn --agent SYSTEM < end.json",
			`echo '{"prompt":"deploy the docs"}' | winnow agent-hook recall --plain`,
		},
		args: cobra.ExactArgs(1), offer: offerOf(verbs...),
		flags: []flag{
			{to: &f.agent, name: "agent", help: "the agent is system `NAME`"},
			{to: &f.plain, name: "plain", help: "print the text alone, not JSON"},
		},
		check: func(args []string) error {
			if !slices.Contains(verbs, args[0]) {
				return usage("see winnow agent-hook --help", "agent-hook: %q: want recall, call or learn", args[0])
			}
			return nil
		},
		run: f.run,
	}
}

func (f *agentHooking) run(ctx context.Context, args []string) error {
	ctx, cancel := context.WithDeadline(ctx, f.hookTime(1))
	defer cancel()
	end, tells := lastWrite, args[0] != "learn"
	if tells {
		end = lastCount
	}
	writing, cancel := context.WithDeadline(ctx, f.hookTime(end))
	defer cancel()
	h, err := await(ctx, func() (memory.Hook, error) { return f.hook(args[0]) })
	if err != nil || f.has(memory.DistilVariable) { // the session is one that winnow learn started
		return err
	}
	note := func(ctx context.Context) error { return f.Hooks.HookLearn(ctx, h) }
	if tells {
		var block string
		block, note, err = f.Hooks.HookRecall(ctx, h)
		encodeErr := f.give(h.Event, block)
		if encodeErr != nil || note == nil || writing.Err() != nil {
			return errors.Join(err, encodeErr)
		}
	}
	_, noteErr := await(ctx, func() (struct{}, error) { return struct{}{}, unlessPanic(writing, note) })
	if errors.Is(noteErr, context.DeadlineExceeded) && tells { // as where many hooks run at once
		noteErr = nil
	}
	return errors.Join(err, noteErr)
}

// hookCall returns the hook of a command line as setup writes it, or nil. An agent waits for it, and to make
// all commands would take a tenth of the time.
func (p *program) hookCall(args []string) *agentHooking {
	if len(args) < 2 || args[0] != hookName || !slices.Contains(hookVerbs(), args[1]) {
		return nil
	}
	f, rest := &agentHooking{program: p}, args[2:]
	if len(rest) > 0 && rest[0] == "--plain" {
		f.plain, rest = true, rest[1:]
	}
	if len(rest) != 2 || rest[0] != "--agent" {
		return nil
	}
	f.agent = rest[1]
	return f
}

// hookTime returns when a part of the time of a hook is over.
func (e *Env) hookTime(part float64) time.Time {
	limit := cmp.Or(e.HookTime, HookTime)
	return e.Started.Add(time.Duration(part * float64(limit)))
}

// unlessPanic calls do, and returns a panic as an error.
func unlessPanic(ctx context.Context, do func(context.Context) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return do(ctx)
}

// hook reads the hook's JSON. It does not wait for the end of the input. An input that is too long is
// read to its end, because some agents stop when they cannot write it.
func (f *agentHooking) hook(verb string) (h memory.Hook, err error) {
	limited := &io.LimitedReader{R: f.In, N: maxHookInput}
	if verb == "call" {
		limited.N = maxCallInput
	}
	var in hookInput
	err = json.NewDecoder(limited).Decode(&in)
	switch {
	case limited.N <= 0 && err != nil:
		for part, more := make([]byte, 64<<10), error(nil); more == nil; {
			_, more = f.In.Read(part)
		}
		if verb == "call" { // nothing is told of it; it is no fault
			return h, nil
		}
		return h, fmt.Errorf("read standard input: %w", tooLong(maxHookInput))
	case errors.As(err, new(*fs.PathError)):
		return h, fmt.Errorf("read standard input: %w", err)
	case err != nil:
		return h, errors.New("read standard input: not the JSON of a hook") // the error text stays out of the log
	}
	h = memory.Hook{
		Agent: memory.SystemID(cmp.Or(f.agent, in.Agent)), Event: in.Event, Source: in.Source,
		Session: in.Session, Transcript: in.Transcript, Folder: in.Folder, Prompt: in.Prompt,
	}
	if verb == "call" {
		h.Call, h.Prompt, h.Source = in.call(), "", ""
	}
	return h, nil
}

// give prints a block for the agent.
func (f *agentHooking) give(event, block string) error {
	if block != "" && !f.plain {
		var out hookOutput
		out.Specific.Event, out.Specific.Context = event, block
		text, err := json.Marshal(out)
		if err != nil {
			return err
		}
		block = string(text) + "\n"
	}
	f.out.Encoded(block)
	f.out.Flush()
	return nil
}

// reportEnd reports how a command ended, and returns its exit status. A failed hook is not reported to
// the agent: the agent might stop, or bother the person with it.
func (p *program) reportEnd(ctx context.Context, args []string, err error) int {
	first := firstWord(args)
	if err == nil || !IsHook(args) || p.Hooks == nil {
		return p.report(err)
	}
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), p.hookTime(lastLog))
	defer cancel()
	p.Hooks.NoteHook(ctx, strings.Join(args[first+1:min(len(args), first+4)], " "), err)
	if p.ErrTTY {
		p.report(err)
	}
	return exitOK
}

// IsHook reports whether a command line is that of an agent's hook.
func IsHook(args []string) bool {
	first := firstWord(args)
	return first >= 0 && args[first] == hookName
}

// firstWord returns the index of the first argument that is not a flag, or -1.
func firstWord(args []string) int {
	return slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
}
