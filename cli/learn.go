package cli

import (
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
	// SettingsProblem says what is wrong with config.toml, or returns nil.
	SettingsProblem() *memory.Problem
}

// learning is one call of learn, with its flags.
type learning struct {
	*program
	latest, queue, dryRun bool
	since, from           string
}

func (p *program) learn() command {
	f := learning{program: p}
	return command{
		use: "learn [SESSION]", short: "Propose lessons from finished sessions",
		long: `Proposes lessons from finished sessions: how a session ended, what failed and then worked,
and calls that failed again and again. Proposals wait in the inbox until a person decides;
agents are told none of them before that. A session gives at most five proposals, and is
learnt from once, even if it is resumed.

SESSION is the id of a session or a prefix of it: see winnow session list. The default,
and --latest, is the newest finished session of this project. --since takes all sessions
on this machine that ended since a time: 7d, 12h, or a date such as 2026-05-30. --queue
takes those that agents' hooks put into the queue; a running session stays there.

Sessions that are running, that the person stopped, or that another session started are
skipped; so are those with an unknown outcome, unless you name one by its id.

A program can judge each proposal first: set filter = "PROGRAM ARGUMENT..." under [learn]
in config.toml (see winnow config path). It gets the proposal as JSON, and within two
seconds prints JSON that rewrites it, or nothing to drop it. Words are separated by white
space; there are no quotes and no shell.`,
		examples: []string{
			"winnow learn", "winnow learn 4f1c --dry-run", "winnow learn --since 7d --from SYSTEM", "winnow learn --queue --json",
		},
		args:  atMost(1),
		offer: p.offerSessions,
		flags: []flag{
			{to: &f.latest, name: "latest", help: "learn from the newest finished session of this project"},
			{to: &f.since, name: "since", help: "learn from all sessions that ended since `TIME`: 7d, 2026-05-30"},
			{to: &f.queue, name: "queue", help: "learn from the sessions that hooks put into the queue"},
			p.agentFlag(&f.from, "learn only from sessions of `AGENT`"),
			{to: &f.dryRun, name: "dry-run", help: "print what would be proposed without keeping it"},
			p.jsonFlag(),
		},
		exclusive: [][]string{{"latest", "since", "queue"}},
		check: func(args []string) error {
			_, known := sinceTime(f.since, p.Now(), p.Zone)
			return refuse(
				refusal{len(args) > 0 && (f.latest || f.queue || f.since != ""), "leave out one of them", "learn: a session is named, and others are asked for"},
				refusal{len(args) > 0 && args[0] == "", "see the ids: winnow session list", "learn: which session?"},
				refusal{f.since != "" && !known, "give a time like 7d, 12h, 2026-05-30 or 2026-05-30T15:04:05Z", "--since " + f.since + ": not a time"},
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
	o := memory.LearnOrder{Latest: f.since == "" && !f.queue, Queue: f.queue, From: memory.SystemID(f.from), DryRun: f.dryRun}
	if len(args) > 0 {
		o.Session, o.Latest = args[0], false
	}
	o.Since, _ = sinceTime(f.since, f.Now(), f.Zone)
	if f.readOnly && !f.dryRun {
		return fmt.Errorf("learn: %w", memory.ErrReadOnly)
	}
	if problem := f.Learning.SettingsProblem(); problem != nil {
		f.notef("%s", problem)
	}
	bar := f.progress()
	o.Tell = func(n int, id string) {
		bar.show(func() string { return fmt.Sprintf("learning from session %d: %s", n, id) })
	}
	list, err := f.Learning.Learn(ctx, o)
	bar.end()
	var alone memory.InboxResult
	if err == nil && !f.dryRun {
		alone, err = f.Learning.Review(ctx, memory.InboxOrder{Do: memory.InboxApprove, Alone: true})
	}
	if f.json {
		f.out.JSON(object{"schema", schemaVersion, "dry_run", f.dryRun, "sessions", output.Each(list, func(l *memory.Learnt) object {
			return object{"agent", string(l.Agent), "session", f.out.Text(l.Session), "proposals", output.Each(l.Proposals, f.proposal), "skipped", f.out.Texts(l.Skipped)}
		}), "approved", f.out.Text(alone.What)})
	} else if len(list) > 0 || err == nil {
		f.print(list)
		if alone.What != "" {
			f.out.Line("%s", alone.What)
			f.out.Printf("To take that back: winnow inbox undo\n")
		}
	}
	return err
}

func (f *learning) proposal(e *memory.InboxEntry) object {
	o := f.out
	return object{
		"id", output.Some(e.ID), "title", o.Text(e.Record.Title), "outcome", string(e.Record.Outcome), "body", o.Text(e.Record.Body),
		"tools", o.Texts(e.Record.Tools), "rule", e.Origin.Rule, "steps", output.SomeOf(e.Origin.Steps),
		"taint", o.Texts(e.Origin.Taint), "notes", output.Each(e.Reasons, func(r *memory.Reason) output.Text { return o.Text(r.Text) }),
	}
}

// print prints what became of each session.
func (f *learning) print(list []memory.Learnt) {
	proposals, sessions := 0, 0
	for _, l := range list {
		f.out.Line("%s %s: %s", string(l.Agent), l.Session, output.Plural(len(l.Proposals), "proposal"))
		for i := range l.Proposals {
			e := &l.Proposals[i]
			f.out.Hang("  + ", "%s[%s] %s: %s", output.When(e.ID != "", e.ID+" "), string(e.Record.Outcome), e.Record.Title, e.Record.Body)
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
		f.out.Printf("%s of %s would wait in the inbox; nothing was kept.\n", output.Plural(proposals, "proposal"), output.Plural(sessions, "session"))
	default:
		f.out.Printf("%s of %s in the inbox: winnow inbox\n", output.Plural(proposals, "proposal"), output.Plural(sessions, "session"))
	}
}
