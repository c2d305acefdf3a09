package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

// Hooks is what the hooks of agents need from the core.
type Hooks interface {
	// HookRecall returns the block to add to what the person asks for, or "" for none. Other
	// problems are reported in the block.
	HookRecall(ctx context.Context, h memory.Hook) (string, error)
	// HookLearn queues a finished session to be learnt from.
	HookLearn(ctx context.Context, h memory.Hook) error
	// NoteHook writes an error of a hook to the log of hooks.
	NoteHook(ctx context.Context, what string, cause error)
	// HookHealth says what recently went wrong in hooks.
	HookHealth() []memory.Health
	// AgentSettings returns the text of an agent's settings file, or "" if there is none, and the
	// note of its last change by ChangeSettings.
	AgentSettings(path string) (text, note string, err error)
	// ChangeSettings replaces the text of such a file if it is still was. An empty text means no
	// file.
	ChangeSettings(ctx context.Context, path, was, to, note string) error
}

const (
	hookName = "agent-hook"
	// hookTime is the time limit of a hook, since an agent waits for it.
	hookTime = 2 * time.Second
	// maxHookInput is the number of bytes read of an agent's JSON. A prompt can contain a pasted
	// file.
	maxHookInput = 8 << 20
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
	verbs := []string{"recall", "learn"}
	return command{
		use: hookName + " recall|learn", short: "Handle an agent's hook (reads JSON on stdin)",
		long: `Handles an agent's hook, whose JSON it reads from standard input. winnow setup adds it to
an agent's settings.

recall prints the approved lessons, of this project and your own, that fit the prompt
best: at most 3, and 2 kB. It prints nothing if none fits, and does not repeat a lesson
within a session unless its context was compacted or resumed. Each lesson's recall count
goes up by one, once per session. --plain prints the bare text instead of JSON.

learn puts a session that is over into the queue that winnow learn --queue reads.

If anything goes wrong, it prints nothing and exits with 0, so that memory never stops an
agent. winnow doctor says what went wrong.`,
		examples: []string{
			"winnow agent-hook recall --agent SYSTEM < prompt.json", "winnow agent-hook learn --agent SYSTEM < end.json",
			`echo '{"prompt":"deploy the docs"}' | winnow agent-hook recall --plain`,
		},
		args: cobra.ExactArgs(1), offer: offerOf(verbs...),
		flags: []flag{
			{to: &f.agent, name: "agent", help: "the agent is system `NAME`"},
			{to: &f.plain, name: "plain", help: "print the text alone, not JSON"},
		},
		check: func(args []string) error {
			if !slices.Contains(verbs, args[0]) {
				return usage("see winnow agent-hook --help", "agent-hook: %q: want recall or learn", args[0])
			}
			return nil
		},
		run: f.run,
	}
}

func (f *agentHooking) run(ctx context.Context, args []string) error {
	ctx, cancel := context.WithTimeout(ctx, hookTime)
	defer cancel()
	answer, err := await(ctx, func() (answer string, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("panic: %v", r)
			}
		}()
		return f.answer(ctx, args[0])
	})
	if answer != "" {
		f.out.Encoded(answer)
	}
	return err
}

// answer returns what to print for the hook's JSON.
func (f *agentHooking) answer(ctx context.Context, verb string) (string, error) {
	raw, err := readAll(f.In, maxHookInput)
	if err != nil {
		return "", fmt.Errorf("read standard input: %w", err)
	}
	var in hookInput
	if err := json.Unmarshal(raw, &in); err != nil {
		return "", errors.New("read standard input: not the JSON of a hook") // the error text stays out of the log
	}
	h := memory.Hook{
		Agent: memory.SystemID(cmp.Or(f.agent, in.Agent)), Event: in.Event, Source: in.Source,
		Session: in.Session, Transcript: in.Transcript, Folder: in.Folder, Prompt: in.Prompt,
	}
	if verb == "learn" {
		return "", f.Hooks.HookLearn(ctx, h)
	}
	block, err := f.Hooks.HookRecall(ctx, h)
	if block == "" || f.plain {
		return block, err
	}
	var out hookOutput
	out.Specific.Event, out.Specific.Context = in.Event, block
	text, encodeErr := json.Marshal(out)
	return string(text) + "\n", errors.Join(err, encodeErr)
}

// reportEnd reports how a command ended, and returns its exit status. A failed hook is not reported to
// the agent: the agent might stop, or bother the person with it.
func (p *program) reportEnd(ctx context.Context, args []string, err error) int {
	first := slices.IndexFunc(args, func(a string) bool { return !strings.HasPrefix(a, "-") })
	if err == nil || first < 0 || args[first] != hookName || p.Hooks == nil {
		return p.report(err)
	}
	p.Hooks.NoteHook(ctx, strings.Join(args[first+1:min(len(args), first+4)], " "), err)
	if p.ErrTTY {
		p.report(err)
	}
	return exitOK
}
