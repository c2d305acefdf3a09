package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
)

// Failures is what the command failures needs from the core.
type Failures interface {
	// Failures returns what failed in the sessions of the project around the working folder.
	Failures(ctx context.Context, o memory.FailureOrder) (memory.Failures, error)
	// LearnFailure puts a lesson of the failure with that id, or a prefix of it, into the inbox.
	LearnFailure(ctx context.Context, id string, since time.Time) (memory.InboxEntry, error)
}

// failuresListing is one call of failures, with its flags.
type failuresListing struct {
	*program
	since       string
	all, lesson bool
}

func (p *program) failures() command {
	f := failuresListing{program: p}
	return command{
		paged: true, use: "failures [ID]", short: "Show what failed again and again in the sessions of this project",
		long: `Shows what failed in several sessions of this project, from the transcripts that its agents
keep on this machine and without any model: what was called, the error without paths, numbers,
ids and times, in how many sessions and calls, when last, and what then worked. With ID it
shows where: the sessions, the steps, and the error's line with the one before and after.

Left out are errors of the agent's own tools, of permissions and of hooks that block on
purpose, and lint and tests of work that is not done yet. --all also lists those, each with
its reason, and what failed in one session only.

--lesson puts a lesson of failure ID into the inbox. Where a source of the project says
already what worked, that is its own statement, told before the call.

What was read is kept, redacted, so that the next call is quick; winnow forget clears it.

When the output is not a terminal, each line has eleven tab-separated columns: id, what was
called, error, sessions, of how many, calls, last time, what worked, where a source says it,
the rule that proposes it, and why it is left out.`,
		examples: []string{
			"winnow failures", "winnow failures f3a91c2", "winnow failures f3a91c2 --lesson",
			"winnow failures --since 30d --all --json",
		},
		args: atMost(1),
		flags: []flag{
			{to: &f.since, name: "since", help: "only sessions since `TIME`: 30d, 2026-05-30; 90d without it"},
			{to: &f.all, name: "all", help: "also what failed in one session, and what is left out, with the reason"},
			{to: &f.lesson, name: "lesson", help: "put a lesson of failure ID into the inbox"},
			p.jsonFlag(),
		},
		check: func(args []string) error {
			_, known := sinceTime(f.sinceOr(), p.Now(), p.Zone)
			return refuse(
				refusal{!known, "give a time like 30d, 12h or 2026-05-30", "--since " + f.since + ": not a time"},
				refusal{
					f.lesson && len(args) == 0,
					"see the ids: winnow failures --all",
					"failures --lesson: of which failure?",
				},
				refusal{
					f.lesson && p.readOnly,
					"leave out --readonly",
					"failures: --readonly forbids proposing a lesson",
				},
			)
		},
		run: f.run,
	}
}

// sinceOr returns the time as typed, or the default.
func (f *failuresListing) sinceOr() string {
	if f.since == "" {
		return "90d"
	}
	return f.since
}

func (f *failuresListing) run(ctx context.Context, args []string) error {
	since, _ := sinceTime(f.sinceOr(), f.Now(), f.Zone)
	if f.lesson {
		e, err := f.Failing.LearnFailure(ctx, args[0], since)
		if err != nil {
			return f.unknown(args[0], err)
		}
		if f.json {
			f.out.JSON(proposedJSON{schemaVersion, f.proposal(&e)})
			return nil
		}
		f.out.Line("%s waits in the inbox: %s", e.ID, e.Record.Body)
		f.out.Printf("To decide: winnow inbox show %s\n", e.ID)
		return nil
	}
	bar := f.progress()
	o := memory.FailureOrder{Since: since, All: f.all || len(args) > 0}
	o.Tell = func(n, of int) {
		bar.show(func() string { return fmt.Sprintf("reading session %d of %d", n, of) })
	}
	list, err := f.Failing.Failures(ctx, o)
	bar.end()
	if err != nil {
		return err
	}
	if len(args) > 0 {
		at, err := memory.Find(args[0], output.Each(list.List, func(e *memory.Failure) memory.Named {
			return memory.Named{ID: e.ID}
		}))
		if err != nil {
			return f.unknown(args[0], err)
		}
		list.List = list.List[at : at+1]
	}
	for _, n := range list.Notes {
		f.notef("%s", n)
	}
	if f.json {
		f.out.JSON(failuresJSON{
			Schema:   schemaVersion,
			Since:    output.Instant(list.Since),
			Sessions: list.Sessions,
			Unread:   list.Unread,
			Failures: output.Each(list.List, f.failure),
		})
		return nil
	}
	f.print(&list, len(args) > 0)
	return nil
}

// unknown says that no failure has an id.
func (f *failuresListing) unknown(id string, err error) error {
	if errors.Is(err, memory.ErrNotFound) {
		return failed(exitNotFound, "see the ids: winnow failures --all", "failures %s: no such failure", id)
	}
	return during("failures", err)
}

// proposedJSON is the lesson that was proposed for a failure.
type proposedJSON struct {
	Schema   int          `json:"schema"`
	Proposal proposalJSON `json:"proposal"`
}

// failuresJSON is what failed in several sessions in the same way.
type failuresJSON struct {
	Schema   int           `json:"schema"`
	Since    *time.Time    `json:"since"`
	Sessions int           `json:"sessions"`
	Unread   int           `json:"unread"`
	Failures []failureJSON `json:"failures"`
}

type failureJSON struct {
	ID       text               `json:"id"`
	Called   text               `json:"called"`
	Error    text               `json:"error"`
	Sessions int                `json:"sessions"`
	Of       int                `json:"of"`
	Calls    int                `json:"calls"`
	Last     *time.Time         `json:"last"`
	Command  text               `json:"command"`
	Worked   text               `json:"worked"`
	When     text               `json:"when"`
	Told     toldJSON           `json:"told"`
	Rule     text               `json:"rule"`
	LeftOut  text               `json:"left_out"`
	Places   []failurePlaceJSON `json:"places"`
}

// toldJSON is the source that says it already. It is empty if none does.
type toldJSON struct{ *spotOfTextJSON }

type spotOfTextJSON struct {
	Path text `json:"path"`
	Line int  `json:"line"`
	Text text `json:"text"`
}

// failurePlaceJSON is a step of a session that failed.
type failurePlaceJSON struct {
	Agent   text       `json:"agent"`
	Session text       `json:"session"`
	Step    int        `json:"step"`
	Then    int        `json:"then"` // the step that worked
	At      *time.Time `json:"at"`
	Command text       `json:"command"`
	Worked  text       `json:"worked"`
	Lines   []text     `json:"lines"`
}

func (p *program) failure(e *memory.Failure) failureJSON {
	o := p.out
	j := failureJSON{
		ID:       text(e.ID),
		Called:   o.Text(e.Called),
		Error:    o.Text(e.Error),
		Sessions: e.Sessions,
		Of:       e.Of,
		Calls:    e.Calls,
		Last:     output.Instant(e.Last),
		Command:  o.Text(e.Command),
		Worked:   o.Text(e.Worked),
		When:     o.Text(e.When),
		Rule:     text(e.Rule),
		LeftOut:  text(e.Left),
		Places: output.Each(e.Places, func(p *memory.FailurePlace) failurePlaceJSON {
			return failurePlaceJSON{
				Agent:   text(p.Agent),
				Session: o.Text(p.Session),
				Step:    p.Step,
				Then:    p.Then,
				At:      output.Instant(p.At),
				Command: o.Text(p.Command),
				Worked:  o.Text(p.Worked),
				Lines:   o.Texts(p.Lines),
			}
		}),
	}
	if e.Told != nil {
		j.Told.spotOfTextJSON = &spotOfTextJSON{o.Text(e.Told.Path), e.Told.Line, o.Text(e.Told.Text)}
	}
	return j
}

// print prints the failures; with places also where each happened.
func (f *failuresListing) print(list *memory.Failures, places bool) {
	o := f.out
	if o.Width == 0 && !places {
		for i := range list.List {
			e := &list.List[i]
			last := f.moment(memory.Moment{Time: e.Last})
			o.Row(e.ID, e.Called, e.Error, e.Sessions, e.Of, e.Calls, last, e.Worked, toldAt(e), e.Rule, e.Left)
		}
		return
	}
	if !places {
		o.Line("%s", f.heading(list))
	}
	for i := range list.List {
		o.Line("")
		f.printFailure(&list.List[i])
		if places {
			f.places(&list.List[i])
		}
	}
	if !places && len(list.List) > 0 {
		o.Line("")
		o.Line("%s", "Where it was: winnow failures ID. A lesson of it: winnow failures ID --lesson")
	}
}

// heading says how much was read.
func (f *failuresListing) heading(list *memory.Failures) string {
	what := "What failed in several"
	switch {
	case f.all:
		what = "What failed in"
	case len(list.List) == 0:
		what = "Nothing failed in several"
	}
	return fmt.Sprintf("%s of %s of this project since %s.", what, output.Plural(list.Sessions, "session"),
		list.Since.In(f.Zone).Format("2 January 2006"))
}

// printFailure prints a failure.
func (f *failuresListing) printFailure(e *memory.Failure) {
	o := f.out
	o.Hang("", "%s  %s: %s of %s, %s, last %s", e.ID, e.Called, fmt.Sprint(e.Sessions),
		output.Plural(e.Of, "session"), output.Plural(e.Calls, "call"), e.Last.In(f.Zone).Format("2 January 2006"))
	o.Hang("  ", "%s", e.Error)
	if e.Worked != "" {
		o.Hang("  ", "then worked: %s", e.Worked)
	}
	if e.Told != nil {
		o.Hang("  ", "told in %s, and fails all the same: %s", toldAt(e), e.Told.Text)
	}
	if e.Left != "" {
		o.Hang("  ", "left out: %s", e.Left)
	}
}

// places prints where a failure happened.
func (f *failuresListing) places(e *memory.Failure) {
	o := f.out
	for i := range e.Places {
		p := &e.Places[i]
		o.Line("")
		at := f.moment(memory.Moment{Time: p.At})
		o.Hang("  ", "%s %s, step %s, %s", string(p.Agent), p.Session, fmt.Sprint(p.Step), at)
		o.Hang("    $ ", "%s", p.Command)
		for _, line := range p.Lines {
			o.Hang("      ", "%s", line)
		}
		if p.Worked != "" {
			o.Hang("    $ ", "%s  (step %s, worked)", p.Worked, fmt.Sprint(p.Then))
		}
	}
}

// toldAt names where a source says what worked, or "".
func toldAt(e *memory.Failure) string {
	if e.Told == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", e.Told.Path, e.Told.Line)
}
