package cli

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"winnow/cli/output"
	"winnow/core/filter"
	"winnow/core/memory"
)

// Learning is what the command learn needs from the core.
type Learning interface {
	// Learn turns sessions into proposals and puts them into the inbox. On an error it returns what
	// became of the sessions before it.
	Learn(ctx context.Context, o memory.LearnOrder) ([]memory.Learnt, error)
	// Review approves what the settings allow without a person.
	Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error)
	// PlanDistil returns what the program of [learn] distil would be given of the sessions of an order; it is empty
	// if none is set. Distil gives it that, and puts its proposals into the inbox.
	PlanDistil(ctx context.Context, o memory.LearnOrder) (memory.Distilling, error)
	Distil(ctx context.Context, d memory.Distilling, tell func(n, of int)) ([]memory.Learnt, error)
	// Digest returns what that program would be given of a session beside the prompt, as JSON on one line.
	Digest(ctx context.Context, id string) ([]byte, error)
	// DistilPrompt returns the prompt, and the file that it is in; "" for the built-in one.
	DistilPrompt() (text, path string, err error)
}

// learning is one call of learn, with its flags.
type learning struct {
	*program
	latest, queue, dryRun bool
	digest, prompt, yes   bool
	since, from           string
}

func (p *program) learn() command {
	f := learning{program: p}
	return command{
		use: "learn [SESSION]", short: "Propose lessons from finished sessions",
		long: `Proposes lessons from finished sessions: the same error in several sessions of a project and
what then worked; a call that failed and worked without its first word, behind command,
corepack or npx, or with a variable; and a call that you refused three times. Where an agent
has an engine that makes lessons, its session leaves that one. What a source of the project
says already is not proposed, nor what a session was given. Proposals wait in the inbox until
a person decides; agents are told none of them before that. A session is learnt from once,
even if it is resumed.

First it prints what failed in several sessions of this project in the last 90 days, whether
or not a lesson comes of it: see winnow failures. A named session and --queue leave that out.

SESSION is the id of a session or a prefix of it: see winnow session list. The default,
and --latest, is the newest finished session of this project. --since takes all sessions
on this machine that ended since a time: 7d, 12h, or a date such as 2026-05-30. --queue
takes those that agents' hooks put into the queue; a running session stays there.

Sessions that are running, that the person stopped, or that another session started are
skipped; so are those with an unknown outcome, unless you name one by its id.

A program can judge each proposal first: set filter = "PROGRAM ARGUMENT..." under [learn]
in config.toml (see winnow config path). It gets the proposal as JSON, and within two
seconds prints JSON that rewrites it, or nothing to drop it. Words are separated by white
space; there are no quotes and no shell.

Another program, such as your own agent, can write proposals of what you corrected: set
distil = ["PROGRAM", "ARGUMENT"...] there. You are asked first, with the number of bytes
that it would be given; --yes agrees. It gets the prompt and a digest of a session on
standard input, and prints at most 3 lessons as JSON. A lesson is dropped unless the
session shows it. --digest prints such a digest, and --prompt the prompt; to change it:

    winnow learn --prompt > distil.md    beside config.toml`,
		examples: []string{
			"winnow learn", "winnow learn 4f1c --dry-run", "winnow learn --since 7d --from SYSTEM",
			"winnow learn --queue --json",
		},
		args:  atMost(1),
		offer: p.offerSessions,
		flags: []flag{
			{to: &f.latest, name: "latest", help: "learn from the newest finished session of this project"},
			{to: &f.since, name: "since", help: "learn from all sessions that ended since `TIME`: 7d, 2026-05-30"},
			{to: &f.queue, name: "queue", help: "learn from the sessions that hooks put into the queue"},
			p.agentFlag(&f.from, "learn only from sessions of `AGENT`"),
			{to: &f.yes, name: "yes", help: "give sessions to the program of distil without asking"},
			{to: &f.digest, name: "digest", help: "print what that program would be given of SESSION, as JSON"},
			{to: &f.prompt, name: "prompt", help: "print the prompt that it would be given"},
			{to: &f.dryRun, name: "dry-run", help: "print what would be proposed without keeping it"},
			p.jsonFlag(),
		},
		exclusive: [][]string{{"latest", "since", "queue", "digest", "prompt"}, {"yes", "dry-run"}},
		check: func(args []string) error {
			_, known := sinceTime(f.since, p.Now(), p.Zone)
			return refuse(
				refusal{
					len(args) > 0 && (f.latest || f.queue || f.since != ""),
					"leave out one of them",
					"learn: a session is named, and others are asked for",
				},
				refusal{
					len(args) == 0 && f.digest || len(args) > 0 && f.prompt,
					"see winnow learn --help",
					"learn: --digest wants a session, and --prompt none",
				},
				refusal{len(args) > 0 && args[0] == "", "see the ids: winnow session list", "learn: which session?"},
				refusal{
					f.since != "" && !known,
					"give a time like 7d, 12h, 2026-05-30 or 2026-05-30T15:04:05Z",
					"--since " + f.since + ": not a time",
				},
				p.refuseAgent(f.from),
			)
		},
		run: f.run,
	}
}

// sinceTime parses a time: an age such as 2d, or a date.
func sinceTime(text string, now time.Time, zone *time.Location) (time.Time, bool) {
	if ago, ok := filter.ParseAge(text); ok {
		return now.Add(-time.Duration(ago)), true
	}
	for _, form := range [...]string{time.DateOnly, "2006-01-02 15:04", time.RFC3339} {
		if at, err := time.ParseInLocation(form, text, zone); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

func (f *learning) run(ctx context.Context, args []string) error {
	o := memory.LearnOrder{
		Latest: f.since == "" && !f.queue,
		Queue:  f.queue,
		From:   memory.SystemID(f.from),
		DryRun: f.dryRun,
	}
	if len(args) > 0 {
		o.Session, o.Latest = args[0], false
	}
	o.Since, _ = sinceTime(f.since, f.Now(), f.Zone)
	if f.digest || f.prompt {
		return f.show(ctx, o.Session)
	}
	if f.readOnly && !f.dryRun {
		return fmt.Errorf("learn: %w", memory.ErrReadOnly)
	}
	if problem := f.Library.SettingsProblem(); problem != nil && f.dryRun {
		f.notef("%s", problem)
	}
	bar := f.progress()
	o.Tell = func(n, of int) {
		bar.show(func() string { return fmt.Sprintf("reading session %d of %d", n, of) })
	}
	failures := f.failures(ctx, &o, bar)
	list, err := f.Learning.Learn(ctx, o)
	bar.end()
	var alone memory.InboxResult
	if err == nil && !f.dryRun {
		alone, err = f.Learning.Review(ctx, memory.InboxOrder{Do: memory.InboxApprove, Alone: true})
	}
	given := distilled{}
	if err == nil {
		given, err = f.distil(ctx, o)
	}
	if f.json {
		f.printJSON(&failures, list, &alone, &given)
	} else if len(list) > 0 || err == nil {
		f.print(list)
		f.printApproved(alone.What)
		f.printDistilled(&given)
	}
	return err
}

func (f *learning) printJSON(
	failures *memory.Failures, list []memory.Learnt, alone *memory.InboxResult, given *distilled,
) {
	f.out.JSON(learntJSON{
		Schema:   schemaVersion,
		DryRun:   f.dryRun,
		Failures: output.Each(failures.List, f.failure),
		Sessions: output.Each(list, f.learnt),
		Approved: f.out.Text(alone.What),
		Distil:   f.distilled(given),
	})
}

// learntJSON is what became of sessions.
type learntJSON struct {
	Schema   int                 `json:"schema"`
	DryRun   bool                `json:"dry_run"`
	Failures []failureJSON       `json:"failures"`
	Sessions []learntSessionJSON `json:"sessions"`
	Approved text                `json:"approved"` // by the settings alone
	Distil   distilledJSON       `json:"distil"`
}

type learntSessionJSON struct {
	Agent     text           `json:"agent"`
	Session   text           `json:"session"`
	Proposals []proposalJSON `json:"proposals"`
	Skipped   []text         `json:"skipped"`
}

// proposalJSON is a lesson that nobody approved yet.
type proposalJSON struct {
	ID      text   `json:"id,omitempty"`
	Title   text   `json:"title"`
	Outcome text   `json:"outcome"`
	Body    text   `json:"body"`
	Tools   []text `json:"tools"`
	Rule    text   `json:"rule"`
	Steps   []int  `json:"steps,omitempty"`
	Taint   []text `json:"taint"`
	Notes   []text `json:"notes"`
}

// failuresDays is how far back winnow learn looks for what failed again and again, and mostFailures how many it prints.
const failuresDays, mostFailures = 90, 5

// failures prints what failed again and again in this project, unless one session or the queue is asked for, and
// returns it.
func (f *learning) failures(ctx context.Context, o *memory.LearnOrder, bar *progress) (list memory.Failures) {
	if o.Queue || o.Session != "" {
		return list
	}
	since := f.Now().AddDate(0, 0, -failuresDays)
	list, err := f.Failing.Failures(ctx, memory.FailureOrder{Since: since, Tell: o.Tell})
	bar.end()
	if err != nil && ctx.Err() == nil {
		f.notef("What failed before is not known: %s", err)
	}
	if !f.json {
		f.printFailures(&list)
	}
	return list
}

// printFailures prints the commonest failures.
func (f *learning) printFailures(list *memory.Failures) {
	if len(list.List) == 0 {
		return
	}
	p := &failuresListing{program: f.program}
	f.out.Line("%s", p.heading(list))
	for i := range list.List[:min(len(list.List), mostFailures)] {
		p.printFailure(&list.List[i])
	}
	more := output.When(len(list.List) > mostFailures, fmt.Sprintf("All %d, and where", len(list.List)))
	f.out.Line("%s: winnow failures", cmp.Or(more, "Where it was"))
	f.out.Line("")
}

func (p *program) proposal(e *memory.InboxEntry) proposalJSON {
	o := p.out
	return proposalJSON{
		ID:      text(e.ID),
		Title:   o.Text(e.Record.Title),
		Outcome: text(e.Record.Outcome),
		Body:    o.Text(e.Record.Body),
		Tools:   o.Texts(e.Record.Tools),
		Rule:    text(e.Origin.Rule),
		Steps:   e.Origin.Steps,
		Taint:   o.Texts(e.Origin.Taint),
		Notes:   output.Each(e.Reasons, func(r *memory.Reason) text { return o.Text(r.Text) }),
	}
}

// printApproved prints what the settings approved without a person.
func (f *learning) printApproved(what string) {
	if what != "" {
		f.out.Line("%s", what)
		f.out.Printf("To take that back: winnow inbox undo\n")
	}
}

// learnt returns what became of a session.
func (f *learning) learnt(l *memory.Learnt) learntSessionJSON {
	return learntSessionJSON{
		Agent:     text(l.Agent),
		Session:   f.out.Text(l.Session),
		Proposals: output.Each(l.Proposals, f.proposal),
		Skipped:   f.out.Texts(l.Skipped),
	}
}

// print prints what became of each session.
func (f *learning) print(list []memory.Learnt) {
	proposals, sessions := 0, 0
	for _, l := range list {
		f.out.Line("%s %s: %s", string(l.Agent), l.Session, output.Plural(len(l.Proposals), "proposal"))
		for i := range l.Proposals {
			e := &l.Proposals[i]
			f.out.Hang(
				"  + ",
				"%s[%s] %s: %s",
				output.When(e.ID != "", e.ID+" "),
				string(e.Record.Outcome),
				e.Record.Title,
				e.Record.Body,
			)
			for _, r := range e.Reasons {
				f.out.Hang("    ", "note: %s", r.Text)
			}
			for _, t := range e.Origin.Taint {
				f.out.Hang("    ", "taint: %s", t)
			}
		}
		for _, why := range l.Skipped {
			f.out.Hang("  - ", "%s", why)
		}
		if proposals += len(l.Proposals); len(l.Proposals) > 0 {
			sessions++
		}
	}
	switch {
	case proposals == 0 && f.queue && len(list) == 0:
		f.out.Printf("Nothing to learn: no session waits in the queue.\n")
	case proposals == 0 && len(list) == 0:
		f.out.Printf("Nothing to learn: no session was found.\n")
	case proposals == 0:
		f.out.Printf("Nothing to learn from %s.\n", output.Plural(len(list), "session"))
	case f.dryRun:
		f.out.Printf(
			"%s of %s would wait in the inbox; nothing was kept.\n",
			output.Plural(proposals, "proposal"),
			output.Plural(sessions, "session"),
		)
	default:
		f.out.Printf(
			"%s of %s in the inbox: winnow inbox\n",
			output.Plural(proposals, "proposal"),
			output.Plural(sessions, "session"),
		)
	}
}
