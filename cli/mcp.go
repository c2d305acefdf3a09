package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"winnow/cli/mcp"
	"winnow/cli/output"
	"winnow/core/memory"
)

// Proposing is what the server for agents needs from the core.
type Proposing interface {
	// HookRecall returns the block of approved lessons for the task of an agent, empty for none. note
	// then records that the session was given it.
	HookRecall(ctx context.Context, h memory.Hook) (block string, note func(context.Context) error, err error)
	// ProposeLesson puts a lesson into the inbox. If it returns an ID, the lesson is stored
	// durably. Otherwise why says why it was not accepted.
	ProposeLesson(
		ctx context.Context,
		o memory.Origin,
		title, outcome, body, evidence string,
	) (id, why string, err error)
	// Pending returns what waits for a person, without the texts.
	Pending() (memory.Inbox, error)
}

func (p *program) mcp() command {
	return command{
		use: "mcp", short: "Run the MCP server for agents (stdio)",
		long: `Runs the Model Context Protocol server for an agent, over standard input and output:
recall returns approved lessons for a task, propose_lesson puts a lesson into the inbox,
where it waits for a person, and list_pending says what is waiting. winnow setup AGENT
--mcp adds it to an agent's settings.

The proposer is taken from the environment and the metadata of a call, never from what the
agent says. The server opens no network connection, and exits at the end of its input.`,
		examples: []string{"winnow mcp"}, args: atMost(0),
		check: func([]string) error {
			return refuse(refusal{p.readOnly, "leave out --readonly", "mcp: --readonly forbids keeping proposals"})
		},
		run: func(ctx context.Context, _ []string) error {
			return mcp.Serve(
				ctx,
				p.In,
				p.Out,
				p.Version,
				p.Lookup,
				mcp.Tools{Recall: p.recallFor, Propose: p.propose, Pending: p.pending},
			)
		},
	}
}

// recallFor returns the approved lessons for an agent's task, as its hook would.
func (p *program) recallFor(ctx context.Context, who memory.Origin, task string) (string, error) {
	block, note, err := p.Proposing.HookRecall(
		ctx,
		memory.Hook{Agent: who.Agent, Session: who.Session, Folder: who.Folder, Prompt: task},
	)
	if note != nil {
		err = errors.Join(err, note(ctx))
	}
	if err != nil && block == "" {
		return "", p.modelError("recall", err)
	}
	if block == "" {
		return "No approved lesson fits this task that the session was not given already.", nil
	}
	return block, nil
}

// propose puts an agent's lesson into the inbox.
func (p *program) propose(ctx context.Context, who memory.Origin, l mcp.Lesson) (string, error) {
	who.Folder = cmp.Or(who.Folder, p.Dir) // agents start servers in the session's folder
	id, why, err := p.Proposing.ProposeLesson(ctx, who, l.Task, l.Outcome, l.Lesson, l.Evidence)
	switch {
	case err != nil:
		return "", p.modelError("propose", err)
	case id == "":
		return "Not taken: " + p.out.Hidden(why) + ".", nil
	}
	return fmt.Sprintf("Proposal %s is waiting for a person, who approves or rejects it.", id), nil
}

// pending says what waits, without quoting any proposal.
func (p *program) pending(_ context.Context, who memory.Origin) (string, error) {
	in, err := p.Proposing.Pending()
	if err != nil {
		return "", p.modelError("list", err)
	}
	var own []string
	for i := range in.Entries {
		if o := &in.Entries[i].Origin; who.Session != "" && o.Agent == who.Agent && o.Session == who.Session {
			own = append(own, in.Entries[i].ID)
		}
	}
	text := output.Plural(len(in.Entries), "proposal") + output.When(len(in.Entries) == 1, " is") +
		output.When(len(in.Entries) != 1, " are") + " waiting for a person."
	if len(own) > 0 {
		text += " Of this session: " + output.Joined(", ", own...) + "."
	}
	return text, nil
}

// modelError returns an error for a model: with secrets masked, and without the paths of causes.
func (p *program) modelError(op string, err error) error {
	var problem *memory.Problem
	if errors.As(err, &problem) {
		return errors.New(op + ": " + p.out.Hidden(clause(problem.What)))
	}
	return errors.New(op + ": " + p.out.Hidden(err.Error()))
}
