package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"winnow/cli/output"
	"winnow/core/memory"
	"winnow/views/safe"
)

// Inbox is what the commands about the inbox need from the core.
type Inbox interface {
	// Inbox returns everything that waits for a person.
	Inbox(ctx context.Context) (memory.Inbox, error)
	// InboxForm returns the text of an entry for an editor.
	InboxForm(ctx context.Context, id string) (string, error)
	// Review carries out a decision. If one entry is refused, the others are still decided.
	Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error)
	// Replay returns how often each moment would have come in past sessions, in the order asked for.
	Replay(ctx context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error)
	// Rules returns what was decided about the proposals of each rule.
	Rules() ([]memory.RuleCount, error)
	// SwitchOn lets a rule propose again. A rule that nothing was decided about is not found.
	SwitchOn(ctx context.Context, rule string) error
	// Forget empties the inbox. What was approved or rejected stays so.
	Forget(ctx context.Context) error
}

// reviewing is one call of inbox, with its flags.
type reviewing struct {
	change
	clean, all, check bool
	sets              []string
	when              string
	form, into        string
	edit              memory.Edit
	reason, on        string
	why               memory.RejectionReason
}

// inboxActs are the words for what can be done with an entry.
func inboxActs() []string {
	acts := []string{"list", "show", "stats"}
	for _, a := range []memory.InboxAct{
		memory.InboxApprove, memory.InboxReject, memory.InboxEdit, memory.InboxMerge, memory.InboxLater,
		memory.InboxPin, memory.InboxBoth, memory.InboxRestore, memory.InboxUndo, memory.InboxRedo,
	} {
		acts = append(acts, string(a))
	}
	return acts
}

func (p *program) inbox() command {
	f := reviewing{change: p.changing()}
	return command{
		use: "inbox [ACTION] [ID...]", short: "Review proposals and changed records",
		long: `ACTION is list, show, stats, approve, reject, edit, merge, later, pin, restore, undo or redo.

Lists what is waiting for you: proposals, which are not in any store yet, and records that
another writer added, changed, brought back or removed since you last saw them. Whatever a
store holds when Winnow first looks at it counts as seen.

approve writes a proposal to a store: by default the agent's own store of lessons, or else
the project's; --store chooses another. A record is in its store already: approved, it stays
as it is and waits no more. reject drops a proposal for good, and deletes a record; --reason
notes why: not-true, not-general, known-already or harmful. edit lets you change the text
first, with --set, --when, --form or the editor, and then approves it. merge adds a proposal
to a record that says nearly the same, or to the one named by --into. later postpones an
entry until tomorrow, pin approves and pins, restore brings back a record that is gone, undo
reverts the last decision, and redo repeats an undone one.

stats says how many proposals of each rule you approved. A rule of whose last 20 proposals
you approved fewer than 8 proposes no more, until you switch it on: stats --on RULE.

ID is an entry's id or a unique prefix, or the id of its record; A..B is the range of list
entries from A to B, and --clean all entries without objections. --check prints nothing
and exits with 1 if anything is waiting.

When the output is not a terminal, each line of the list has six tab-separated columns:
id, kind, agent, arrival, title, and objections.`,
		examples: []string{
			"winnow inbox", "winnow inbox show p7k2m", "winnow inbox approve --clean",
			"winnow inbox edit p7k2m --set lesson='Run make first.'",
			"winnow inbox reject p7k2m --reason not-general", "winnow inbox stats", "winnow inbox undo",
		},
		offer: p.offerWaiting,
		flags: append(f.change.flags()[1:], f.allowFlag(), setFlag(&f.sets), whenFlag(&f.when),
			flag{to: &f.form, name: "form", help: "read the editor form from `FILE` instead of opening the editor; - is standard input"},
			flag{to: &f.into, name: "into", help: "merge into record `ID` of the store"},
			flag{to: &f.reason, name: "reason", help: "note `WHY` it is rejected: not-true, not-general, known-already, harmful"},
			flag{to: &f.on, name: "on", help: "let `RULE` propose again, whatever was decided before"},
			flag{to: &f.clean, name: "clean", help: "select all entries without objections"},
			flag{to: &f.all, name: "all", help: "also list postponed entries"},
			flag{to: &f.check, name: "check", help: "print nothing; exit with 1 if anything is waiting"}),
		exclusive: [][]string{{"set", "form"}, {"when", "form"}, {"check", "json"}},
		check:     f.verify,
		run:       f.run,
	}
}

// verify refuses invalid arguments.
func (f *reviewing) verify(args []string) (err error) {
	act := append(args, "list")[0]
	f.sets = withWhen(f.sets, f.when)
	f.edit, err = parseSets("inbox", f.sets)
	if f.reason != "" && err == nil {
		if f.why, err = memory.ParseRejectionReason(f.reason); err != nil {
			err = usage("leave it out, or give one of them", "inbox: %w", err)
		}
	}
	return cmp.Or(f.refuseNames(act, len(args)), f.refuseFlags(act), err)
}

// refuseNames refuses an action that does not exist, and names of entries that are missing or too many.
func (f *reviewing) refuseNames(act string, args int) error {
	namesEntry := act == "show" || act == "edit"
	none := slices.Contains([]string{"list", "stats", string(memory.InboxUndo), string(memory.InboxRedo)}, act)
	lacks := !none && !namesEntry && !f.clean && args < 2
	return refuse(
		refusal{
			!slices.Contains(inboxActs(), act),
			"give one of: " + strings.Join(inboxActs(), ", "),
			"inbox " + act + ": no such action",
		},
		refusal{none && args > 1, "leave it out", "inbox " + act + ": unexpected argument"},
		refusal{namesEntry && (args != 2 || f.clean), "see the ids: winnow inbox", "inbox " + act + ": which entry?"},
		refusal{lacks, "see the ids: winnow inbox; or add --clean", "inbox " + act + ": which entries?"},
		refusal{f.clean && args > 1, "leave out one of them", "inbox: --clean names the entries already"},
	)
}

// refuseFlags refuses flags that are for another action.
func (f *reviewing) refuseFlags(act string) error {
	looks := slices.Contains([]string{"list", "show", "stats"}, act) && f.on == ""
	return refuse(
		refusal{f.readOnly && !looks, "leave out --readonly", "inbox: --readonly forbids deciding"},
		refusal{f.check && act != "list", "leave it out", "inbox: --check only looks"},
		refusal{f.reason != "" && act != "reject", "use winnow inbox reject", "inbox: --reason is for reject"},
		refusal{f.on != "" && act != "stats", "use winnow inbox stats", "inbox: --on is for stats"},
		refusal{
			act != "edit" && len(f.sets)+len(f.form) > 0,
			"use winnow inbox edit",
			"inbox: --set and --form are for edit",
		},
	)
}

// leavesOut reports whether an action does not concern an entry: with --clean one that has a finding or is gone, in
// the list one that was put off.
func (f *reviewing) leavesOut(e *memory.InboxEntry, act string) bool {
	if f.clean && (!e.Clean || e.Kind == memory.GoneRecord) {
		return true
	}
	return act == "list" && !f.all && e.Later.After(f.Now())
}

func (f *reviewing) run(ctx context.Context, args []string) error {
	act := append(args, "list")[0]
	switch do := memory.InboxAct(act); do {
	case memory.InboxUndo, memory.InboxRedo:
		return f.decide(ctx, memory.InboxOrder{Do: do, Anyway: f.anyway})
	case "stats":
		return f.stats(ctx)
	}
	in, err := f.Inbox.Inbox(ctx)
	if err != nil {
		return during("inbox", err)
	}
	in.Entries = slices.DeleteFunc(in.Entries, func(e memory.InboxEntry) bool { return f.leavesOut(&e, act) })
	if f.check {
		if in.Waiting(f.Now()) > 0 {
			return silentExit(exitFailure)
		}
		return nil
	}
	if act == "list" {
		f.list(in)
		return nil
	}
	ids, err := f.chosen(in, args[1:])
	if err != nil {
		return err
	}
	if act == "show" {
		return f.show(ctx, in, ids[0])
	}
	o := memory.InboxOrder{
		Do:     memory.InboxAct(act),
		IDs:    ids,
		Edit:   f.edit,
		Into:   memory.ID(f.into),
		Allow:  f.allow,
		Anyway: f.anyway,
		Why:    f.why,
	}
	if err = f.complete(ctx, &o); err == nil && len(ids) > 1 && !f.yes {
		err = f.confirmed(ctx, fmt.Sprintf("%s %s?", verb(memory.Act(act)), entries(len(ids))))
	}
	if err != nil {
		return err
	}
	return f.decide(ctx, o)
}

// complete adds to an order the chosen store and what the person typed.
func (f *reviewing) complete(ctx context.Context, o *memory.InboxOrder) (err error) {
	if f.store != "" || f.system != "" {
		place, err := f.choose(ctx, choice{writes: true})
		if err != nil {
			return err
		}
		o.Store = place.Store
	}
	if o.Do != memory.InboxEdit || len(f.sets) > 0 {
		return nil
	}
	if f.form != "" {
		o.Form, err = f.readForm(ctx, f.form)
		return err
	}
	form, err := f.Inbox.InboxForm(ctx, o.IDs[0])
	if err != nil {
		return during("inbox", err)
	}
	draft, err := f.Draft("lesson", form)
	if err == nil {
		if o.Form, err = draft.Read(draft.Run()); err != nil {
			err = errors.Join(err, draft.Keep())
		}
	}
	if err != nil {
		return failed(exitFailure, "VISUAL or EDITOR names the editor; or use --set", "inbox edit: %w", err)
	}
	return draft.Done()
}

// chosen returns the IDs of the named entries; a name is a prefix or a range. Without names it
// returns the whole inbox.
func (f *reviewing) chosen(in memory.Inbox, names []string) (ids []string, err error) {
	if len(names) == 0 {
		ids = output.Each(in.Entries, func(e *memory.InboxEntry) string { return e.ID })
		if len(ids) == 0 {
			return nil, failed(exitNotFound, "", "inbox: nothing waits that nothing speaks against")
		}
		return ids, nil
	}
	for _, name := range names {
		from, to, err := entriesAt(in, name)
		if err != nil {
			return nil, err
		}
		for i := min(from, to); i <= max(from, to); i++ {
			if !slices.Contains(ids, in.Entries[i].ID) {
				ids = append(ids, in.Entries[i].ID)
			}
		}
	}
	return ids, nil
}

// entriesAt returns the indexes of the first and the last entry that a name or a range A..B means. An ID may
// contain dots as well.
func entriesAt(in memory.Inbox, name string) (from, to int, err error) {
	from, err = entryAt(in, name)
	first, last, ranged := strings.Cut(name, "..")
	if err == nil || !ranged {
		return from, from, err
	}
	if from, err = entryAt(in, first); err == nil {
		to, err = entryAt(in, last)
	}
	return from, to, err
}

// entryAt returns the index of the entry that is named by its ID or by that of its record.
func entryAt(in memory.Inbox, name string) (int, error) {
	at, err := memory.Find(name, output.Each(in.Entries, entryNames))
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return 0, failed(exitNotFound, "see what is waiting: winnow inbox", "inbox %s: no such entry is waiting", name)
	case err != nil:
		return 0, unclearName("inbox", "give more of the id", err)
	}
	return at, nil
}

// entryNames returns what an entry is called: its ID, and the IDs of its records.
func entryNames(e *memory.InboxEntry) memory.Named {
	n := memory.Named{ID: e.ID}
	for _, r := range []*memory.Record{&e.Record, e.Mine} {
		if r != nil && r.ID != "" {
			n.Also = append(n.Also, string(r.ID), safe.Line(string(r.ID)))
		}
	}
	return n
}

// decide carries out an order, and says what became of each entry.
func (f *reviewing) decide(ctx context.Context, o memory.InboxOrder) error {
	r, err := f.Inbox.Review(ctx, o)
	if err != nil {
		f := during("inbox", err)
		if errors.Is(err, memory.ErrNothing) {
			f.code, f.hint = exitNotFound, ""
		}
		return f
	}
	r.Notes = append(r.Notes, f.NotRead(&r)...)
	refused := slices.Sorted(maps.Keys(r.Refused))
	if f.json {
		f.out.JSON(decidedJSON{
			Schema: schemaVersion,
			What:   f.out.Text(r.What),
			Notes:  f.out.Texts(slices.Concat(r.Notes, r.Aside)),
			Refused: output.Each(refused, func(id *string) refusedJSON {
				return refusedJSON{text(*id), f.out.Text(r.Refused[*id].Error())}
			}),
		})
	} else {
		if r.What != "" {
			f.out.Line("%s", r.What)
		}
		for _, n := range slices.Concat(r.Notes, r.Aside) {
			f.notef("%s", n)
		}
	}
	if len(refused) == 0 {
		return nil
	}
	first := *asFailure(r.Refused[refused[0]])
	first.err = fmt.Errorf("inbox: %s refused", entries(len(refused)))
	for _, id := range refused {
		first.more = append(first.more, "  "+id+": "+f.out.Hidden(r.Refused[id].Error()))
	}
	switch cause := r.Refused[refused[0]]; {
	case errors.Is(cause, memory.ErrConflict):
		first.code, first.hint = exitConflict, "see what is there now: winnow inbox show "+refused[0]
	case errors.Is(cause, memory.ErrNotFound):
		first.hint = "see what waits: winnow inbox"
	}
	var rules []string
	for _, found := range r.Findings {
		first.more = append(first.more, "  "+f.finding(found))
		rules = append(rules, found.Rule)
	}
	if len(rules) > 0 {
		first.code, first.hint = exitRefused, "edit it, or approve it as it is with"+allowFlags(rules)
	}
	return &first
}

// list prints what waits.
func (f *reviewing) list(in memory.Inbox) {
	o := f.out
	if f.json {
		o.JSON(inboxJSON{
			Schema:   schemaVersion,
			Since:    output.Instant(in.Since),
			Done:     in.Done,
			Approved: in.Approved,
			Rejected: in.Rejected,
			Edited:   in.Edited,
			Queued:   in.Queued,
			Notes:    o.Texts(in.Notes),
			Waiting:  in.Waiting(f.Now()),
			Entries:  output.Each(in.Entries, f.entryOf),
		})
		return
	}
	for i := range in.Entries {
		e := &in.Entries[i]
		r := o.Shown(&e.Record)
		var against []string
		for _, reason := range e.Reasons {
			if reason.Against {
				against = append(against, reason.Text)
			}
		}
		if o.Width == 0 {
			o.Row(
				e.ID,
				e.Kind,
				e.Origin.Agent,
				f.moment(memory.Moment{Time: e.Arrived}),
				headline(r),
				strings.Join(against, " "),
			)
			continue
		}
		o.Line(
			"%s  %s  %s  %s  %s",
			o.Cell(e.ID, 7),
			o.Cell(e.Kind, 8),
			o.Cell(cmp.Or(e.Origin.Agent, "unknown"), 10),
			o.Cell(output.When(len(against) > 0, "!"), 1),
			headline(r),
		)
	}
	if o.Width > 0 && len(in.Entries) == 0 {
		o.Line("Nothing waits.")
	}
	for _, n := range in.Notes {
		f.notef("%s", n)
	}
}

// show prints everything about an entry.
func (f *reviewing) show(ctx context.Context, in memory.Inbox, id string) error {
	i, err := entryAt(in, id)
	if err != nil {
		return err
	}
	o, e := f.out, &in.Entries[i]
	if e.Kind == memory.Proposal {
		order := memory.ReplayOrder{Folder: e.Origin.Folder, When: e.Record.When}
		fired, err := f.Inbox.Replay(ctx, []memory.ReplayOrder{order})
		if err == nil { // else the entry is shown without
			e.Firing = &fired[0]
		}
	}
	if f.json {
		o.JSON(waitingJSON{schemaVersion, f.entryOf(e)})
		return nil
	}
	r := o.Shown(&e.Record)
	steps := strings.Trim(fmt.Sprint(e.Origin.Steps), "[]")
	o.Fields([][2]string{
		{"id", e.ID},
		{"kind", e.Kind.String()},
		{"title", r.Title},
		{"outcome", string(r.Outcome)},
		{"when", r.When},
		{"fires", firesText(e)},
		{"tools", strings.Join(r.Tools, ", ")},
		{"agent", string(e.Origin.Agent)},
		{"session", e.Origin.Session},
		{"model", e.Origin.Model},
		{"rule", e.Origin.Rule},
		{"steps", steps},
		{"folder", e.Origin.Folder},
		{"before", e.Before},
		{"again", e.Again},
		{"goes to", string(e.Target)},
		{"is in", string(e.Store)},
	}...)
	o.Paragraph("  ", "%s", r.Body)
	for _, reason := range e.Reasons {
		o.Named(cmp.Or(output.When(reason.Against, "against"), "for"), reason.Text)
	}
	for _, part := range [][2]string{{"stored", e.Stored}, {"its own task would recall", e.Block}} {
		if part[1] != "" {
			o.Printf("%s\n", part[0])
			o.Lines("  ", output.Of(o.Hidden(part[1]), nil))
		}
	}
	return nil
}

// firesText says how often an entry's moment would have come, or "".
func firesText(e *memory.InboxEntry) string {
	if e.Firing == nil {
		return ""
	}
	return e.Firing.String()
}

// inboxJSON is what waits, and what was decided since the last visit.
type inboxJSON struct {
	Schema   int         `json:"schema"`
	Since    *time.Time  `json:"since"`
	Done     int         `json:"done"`
	Approved int         `json:"approved"`
	Rejected int         `json:"rejected"`
	Edited   int         `json:"edited"`
	Queued   int         `json:"queued"`
	Notes    []text      `json:"notes"`
	Waiting  int         `json:"waiting"`
	Entries  []entryJSON `json:"entries"`
}

// waitingJSON is one entry of the inbox.
type waitingJSON struct {
	Schema int       `json:"schema"`
	Entry  entryJSON `json:"entry"`
}

// decidedJSON is what a decision did, and the entries about which it was refused.
type decidedJSON struct {
	Schema  int           `json:"schema"`
	What    text          `json:"what"`
	Notes   []text        `json:"notes"`
	Refused []refusedJSON `json:"refused"`
}

type refusedJSON struct {
	ID  text `json:"id"`
	Why text `json:"why"`
}

type entryJSON struct {
	Fires      *firesJSON    `json:"fires"` // null if it has no moment
	ID         text          `json:"id"`
	Kind       text          `json:"kind"`
	Arrived    *time.Time    `json:"arrived"`
	Title      text          `json:"title"`
	Outcome    text          `json:"outcome"`
	Text       text          `json:"text"`
	When       text          `json:"when,omitempty"`
	Tools      []text        `json:"tools"`
	Record     text          `json:"record"`
	Before     text          `json:"before"`
	Origin     originJSON    `json:"origin"`
	Reasons    []reasonJSON  `json:"reasons"`
	Clean      bool          `json:"clean"`
	Store      text          `json:"store"`
	Target     text          `json:"target"`
	Targets    []text        `json:"targets"`
	Stored     text          `json:"stored"`
	Block      text          `json:"block"`
	Later      *time.Time    `json:"later"`
	Again      text          `json:"again"`
	Restorable bool          `json:"restorable"`
	Both       bool          `json:"both"`
	Deletes    bool          `json:"deletes"`
	Similar    []similarJSON `json:"similar"`
}

// firesJSON says in how many sessions the moment of a lesson came, and in how many of them it failed.
type firesJSON struct {
	Sessions int `json:"sessions"`
	Of       int `json:"of"`
	Failed   int `json:"failed"`
}

// originJSON says who proposed an entry, and from what.
type originJSON struct {
	Agent   text   `json:"agent"`
	Session text   `json:"session"`
	Folder  text   `json:"folder"`
	Model   text   `json:"model"`
	Door    text   `json:"door"`
	Person  text   `json:"person"`
	Machine text   `json:"machine"`
	Rule    text   `json:"rule"`
	Steps   []int  `json:"steps,omitempty"`
	Taint   []text `json:"taint"`
}

type reasonJSON struct {
	Against bool `json:"against"`
	Text    text `json:"text"`
}

// similarJSON is a record that says nearly the same, or contradicts.
type similarJSON struct {
	Store       text `json:"store"`
	ID          text `json:"id"`
	Title       text `json:"title"`
	Contradicts bool `json:"contradicts"`
	Why         text `json:"why"`
}

func (f *reviewing) entryOf(e *memory.InboxEntry) entryJSON {
	o := f.out
	r := &e.Record
	stored, _ := storedText(o, e.Stored, r)
	j := entryJSON{
		ID:      text(e.ID),
		Kind:    text(e.Kind.String()),
		Arrived: output.Instant(e.Arrived),
		Title:   o.FieldText(r, memory.InTitle),
		Outcome: o.FieldText(r, memory.InOutcome),
		Text:    o.FieldText(r, memory.InBody),
		When:    o.FieldText(r, memory.InWhen),
		Tools:   o.Texts(r.Tools),
		Record:  text(o.ID(r, r.ID)),
		Before:  o.Text(e.Before),
		Origin: originJSON{
			Agent:   text(e.Origin.Agent),
			Session: o.Text(e.Origin.Session),
			Folder:  o.Text(e.Origin.Folder),
			Model:   o.Text(e.Origin.Model),
			Door:    text(e.Origin.Door),
			Person:  o.Text(e.Origin.Person),
			Machine: o.Text(e.Origin.Machine),
			Rule:    o.Text(e.Origin.Rule),
			Steps:   e.Origin.Steps,
			Taint:   o.Texts(e.Origin.Taint),
		},
		Reasons: output.Each(e.Reasons, func(r *memory.Reason) reasonJSON {
			return reasonJSON{r.Against, o.Text(r.Text)}
		}),
		Clean:      e.Clean,
		Store:      text(e.Store),
		Target:     text(e.Target),
		Targets:    output.Each(e.Targets, func(p *memory.Place) text { return text(p.Store) }),
		Stored:     stored,
		Block:      o.Text(e.Block),
		Later:      output.Instant(e.Later),
		Again:      o.Text(e.Again),
		Restorable: e.Restorable,
		Both:       e.Both,
		Deletes:    e.Deletes,
		Similar: output.Each(e.Similar, func(k *memory.Kin) similarJSON {
			return similarJSON{text(k.Store), text(k.ID), o.Text(k.Title), k.Contrary, o.Text(k.Why)}
		}),
	}
	if firesText(e) != "" {
		j.Fires = &firesJSON{e.Firing.Sessions, e.Firing.Of, e.Firing.Failed}
	}
	return j
}

// offerWaiting completes the actions, and then the IDs of waiting entries.
func (p *program) offerWaiting(ctx context.Context, args []string) []string {
	if len(args) == 0 {
		return inboxActs()
	}
	in, _ := p.Inbox.Inbox(ctx) // without an inbox there is nothing to offer
	return output.Each(in.Entries, func(e *memory.InboxEntry) string { return p.completion(e.ID, e.Record.Title) })
}

func (p *program) forget() command {
	f := p.changing()
	return command{
		use: "forget", short: "Empty the inbox and forget draft tasks",
		long: `Empties the inbox for good: waiting proposals, decisions that could be undone, queued
sessions, how many proposals of each rule were approved, and what you have seen of each
store. The draft tasks that the screens remember go too. What you approved and rejected
stays: a rejected lesson does not come back, and agents still get approved ones.`,
		examples: []string{"winnow forget", "winnow forget --yes"}, args: atMost(0),
		flags: []flag{{to: &f.yes, name: "yes", help: "skip the confirmation"}},
		check: func([]string) error {
			return refuse(refusal{p.readOnly, "leave out --readonly", "forget: --readonly forbids emptying the inbox"})
		},
		run: func(ctx context.Context, _ []string) error {
			in, err := p.Inbox.Inbox(ctx)
			what := "Empty the inbox for good" + output.When(err == nil, " ("+entries(len(in.Entries))+")") + "?"
			if !f.yes {
				if err := p.confirmed(ctx, what); err != nil {
					return err
				}
			}
			if err := p.Inbox.Forget(ctx); err != nil {
				return during("forget", err)
			}
			p.out.Line("The inbox is empty, and draft tasks are forgotten. So is how many proposals of each rule were " +
				"approved: rules that were off propose again. What you approved and rejected stays.")
			return nil
		},
	}
}
