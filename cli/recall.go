package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"winnow/cli/output"
	"winnow/core/memory"
)

// tasking is one call of a command for a task, with the flags that describe the task.
type tasking struct {
	*program
	text, mode     string
	tools, without []string
	scope, folder  string
	files          []string
	// optional is set if most systems can recall without a task.
	optional bool
	given    *memory.Task // as it was read
}

func (t *tasking) flags() []flag {
	return []flag{
		{to: &t.tools, name: "tool", help: "prefer records that used tool `NAME`; may be repeated"},
		{to: &t.without, name: "without", help: "ignore `WORD` of the task; may be repeated"},
		{to: &t.scope, name: "scope", help: "recall for part `NAME` of the store, such as an agent or a tenant"},
		{
			to:   &t.folder,
			name: "folder",
			help: "recall for a session that starts in folder `PATH`, not the working folder",
		},
		{to: &t.files, name: "file", help: "recall for a session that reads or writes file `PATH`; may be repeated"},
	}
}

// task returns the task given by flags and arguments. A dash means standard input, which is used
// verbatim, including its last line end.
func (t *tasking) task(ctx context.Context, args []string) (memory.Task, error) {
	given, flagged := strings.Join(args, " "), t.isSet("task")
	if err := refuse(
		refusal{
			flagged && len(args) > 0,
			"leave out one of them",
			fmt.Sprintf("the task is given twice, by --task and as %q", given),
		},
		refusal{
			!flagged && len(args) == 0 && !t.optional,
			"give the task, or - to read it from standard input",
			"which task?",
		},
	); err != nil {
		return memory.Task{}, err
	}
	raw, err := []byte(cmp.Or(given, t.text)), error(nil)
	if string(raw) == "-" {
		if raw, err = t.input(ctx, "task"); err != nil {
			return memory.Task{}, err
		}
	}
	task := memory.Task{
		Text: typed(raw), Tools: t.tools, Mode: memory.Mode(t.mode), Without: t.without, Scope: t.scope, Files: t.files,
	}
	if t.folder != "" {
		task.Folder = t.Absolute(t.folder)
	}
	return task, nil
}

// taken reports whether the task is read from standard input.
func (t *tasking) taken(args []string) bool { return t.text == "-" || len(args) == 1 && args[0] == "-" }

// recallFor chooses the store and recalls for the task.
func (t *tasking) recallFor(ctx context.Context, c choice, args []string) (memory.Recall, error) {
	c.inputTaken = t.taken(args)
	if err := t.chooseStore(ctx, c); err != nil {
		return memory.Recall{}, err
	}
	return t.recallHere(ctx, args)
}

// recallHere recalls from p.place. Of several stores, one that recalls nothing says why.
func (t *tasking) recallHere(ctx context.Context, args []string) (memory.Recall, error) {
	if t.given == nil {
		here := *t
		here.optional = t.optional && (t.several || !t.described.Draft.TextOnly)
		task, err := here.task(ctx, args)
		if err != nil {
			return memory.Recall{}, err
		}
		t.given = &task
	}
	task := *t.given
	if t.several && task.Text == "" && t.described.Draft.TextOnly {
		return memory.Recall{Task: task, Empty: "it recalls for a task only: winnow recall TASK"}, nil
	}
	// A session starts in the working folder if that is inside the project, and in the project's
	// folder otherwise.
	if dir := t.Absolute("."); task.Folder == "" && dir != t.place.Project && inProject(dir, t.place) {
		task.Folder = dir
	}
	r, err := t.Library.Recall(ctx, t.place.Store, task)
	if q := new(memory.Problem); t.several && errors.As(err, &q) && q.Code == noRecall {
		return memory.Recall{Task: task, Empty: clause(q.What)}, nil
	}
	return r, err
}

// noRecall is the code of the problem that no agent is given anything out of a store.
const noRecall = "no-recall"

// recalling is one call of recall, with its flags.
type recalling struct {
	tasking
	format, block  string
	commit, dryRun bool
	heldBack       bool
}

func (p *program) recall() command {
	f := recalling{tasking: tasking{program: p, mode: string(memory.Single), optional: true}, format: "text"}
	return command{
		paged: true, use: "recall [TASK...|-]", short: "Show what an agent would be told for a task",
		long: `Shows what an agent would recall for a task, and the text it would read. Nothing changes
unless you give --commit: then the count of each recalled record, and of no other, goes up
by one, and its last recall is now. One recall counts once, whereas an agent in agentic
mode counts each time it plans. undo reverts it.

Without TASK it shows what a system injects at every start, whatever the task. If a model
chooses, the ranking is an estimate and says so; the texts are exact anyway.

--format text and all are for reading; all prints each text in full. block prints the
injected block, and prompt the whole user prompt around it: the exact bytes and nothing
else, including secrets, without an extra newline; half a surrogate pair becomes U+FFFD. On
a terminal both are made visible and masked. If a system injects several texts, they are
numbered: --block prints the one with that number or name. json is the same as --json.

Without --store it shows what each agent here would be told. block, prompt and --block print
the text of one: name it with --system if there are several.

Winnow's own stores recall only what a person approved on this machine. --approved-only
lists what the other records would have added.`,
		examples: []string{
			"winnow recall --task 'deploy the docs'", "pbpaste | winnow recall - --format block",
			"winnow recall --task - --mode agentic --format prompt < task.txt",
			"winnow recall --system SYSTEM --file src/api.go",
			"winnow recall --store SYSTEM --block 'USER PROFILE'",
			"winnow recall --commit --format block 'deploy the docs'",
		},
		flags: append(
			f.flags(),
			flag{to: &f.text, name: "task", help: "use `TEXT` as the draft task; - reads standard input"},
			flag{
				to:     &f.mode,
				name:   "mode",
				help:   "planner `MODE`: single, agentic",
				values: []string{string(memory.Single), string(memory.Agentic)},
			},
			flag{
				to:     &f.format,
				name:   "format",
				help:   "output `FORM`: text, all, block, prompt, json",
				values: []string{"text", "all", "block", "prompt", "json"},
			},
			flag{to: &f.block, name: "block", help: "print the exact text with this `NUMBER` or name"},
			flag{
				to:   &f.heldBack,
				name: "approved-only",
				help: "also list what is held back because nobody approved it on this machine",
			},
			flag{to: &f.commit, name: "commit", help: "count the recall in the store"},
			flag{
				to:   &f.dryRun,
				name: "dry-run",
				help: "with --commit: say what would be counted without changing anything",
			},
			p.jsonFlag(),
			p.revealFlag(),
		),
		check: f.check, run: f.run,
	}
}

func (f *recalling) check([]string) error {
	return refuse(
		refusal{
			f.dryRun && !f.commit,
			"leave it out: nothing is changed anyway",
			"recall: --dry-run goes with --commit",
		},
		refusal{
			f.block != "" && (f.json || f.format != "text" && f.format != "block"),
			"leave out one of them",
			"recall: --block prints one text, and no other form",
		},
		refusal{
			f.heldBack && f.exact(),
			"leave out one of them",
			"recall: --approved-only lists records, and prints no exact text",
		},
	)
}

func (f *recalling) run(ctx context.Context, args []string) error {
	if f.json {
		f.format = "json"
	}
	f.op += output.When(f.commit, " --commit")
	by := choice{writes: f.commit, dryRun: f.dryRun}
	if f.exact() && !f.commit {
		by.inputTaken = f.taken(args)
		by.holds = func(ctx context.Context, places []memory.Place) (memory.Place, bool, error) {
			return f.onlyTeller(ctx, places, args)
		}
	}
	if !f.exact() && !f.commit {
		return f.recallAll(ctx, args)
	}
	r, err := f.recallFor(ctx, by, args)
	if err != nil {
		return err
	}
	return f.finish(ctx, r)
}

// exact reports whether the output is one text as it is sent.
func (f *recalling) exact() bool { return f.block != "" || f.format == "block" || f.format == "prompt" }

// recallAll recalls from each store that is covered.
func (f *recalling) recallAll(ctx context.Context, args []string) error {
	f.inputTaken = f.taken(args)
	places, err := f.covered(ctx)
	if err != nil {
		return err
	}
	err = f.coverAll(ctx, places, func(ctx context.Context) error {
		r, err := f.recallHere(ctx, args)
		if err != nil {
			return err
		}
		return f.finish(ctx, r)
	})
	if f.several && !f.json {
		f.out.Printf("\npreview only: nothing was changed\n")
	}
	return err
}

// onlyTeller returns the only store out of which an agent is told something. Several agents are listed: one of
// them has to be named.
func (f *recalling) onlyTeller(ctx context.Context, places []memory.Place, args []string) (
	at memory.Place, named bool, err error,
) {
	var telling []memory.Place
	for _, place := range places {
		f.place = place
		_, f.described = f.Library.Describe(place.Store)
		var q *memory.Problem
		_, err := f.recallHere(ctx, args)
		switch {
		case errors.As(err, &q) && q.Code == noRecall:
		case len(args) == 0 && f.text == "" && f.described.Draft.TextOnly:
		default: // what cannot be read is reported when it is chosen
			telling = append(telling, place)
		}
	}
	switch {
	case len(telling) == 0:
		return at, false, nil
	case len(telling) == 1:
		return telling[0], true, nil
	}
	var agents []memory.SystemID
	for _, place := range telling {
		agents = memory.AppendNew(agents, place.System)
	}
	if len(agents) == 1 {
		return at, true, f.severalStores(telling)
	}
	refused := failed(exitUsage, "name one with --system NAME",
		"recall: %d agents are told something here, and this prints the text of one", len(agents))
	for _, id := range agents {
		refused.more = append(refused.more, "  --system "+string(id)+"  ("+f.systemName(id)+")")
	}
	return at, true, refused
}

// finish prints a recall from f.place, and counts it if that was requested.
func (f *recalling) finish(ctx context.Context, r memory.Recall) error {
	if f.heldBack && !r.Approving && !f.several {
		return usage(
			"leave it out",
			"recall: --approved-only: %s gives agents every record, approved or not",
			cmp.Or(f.described.System, "this system"),
		)
	}
	c := f.changing()
	c.dryRun = f.dryRun
	var err error
	var counted *planRun
	if f.commit && r.Stop == nil {
		if counted, err = c.count(ctx, r.Task); err != nil {
			return err
		}
	}
	return f.print(&c, r, counted)
}

// count counts a recall in the store, or only plans it.
func (c *change) count(ctx context.Context, t memory.Task) (*planRun, error) {
	runs, err := c.plans(ctx, []memory.Order{{Do: memory.Commit, Task: t}})
	if err == nil && !c.dryRun {
		_, err = c.apply(ctx, runs)
	}
	if err != nil {
		return nil, err
	}
	return &runs[0], nil
}

// print prints a recall, and what was counted if counted is not nil.
func (f *recalling) print(c *change, r memory.Recall, counted *planRun) error {
	exact := map[string]memory.Block{"block": r.Block, "prompt": r.Prompt}
	if f.block != "" {
		b, err := blockNamed(r, f.block)
		if err != nil {
			return err
		}
		exact["block"], f.format = b, "block"
	}
	if b, ok := exact[f.format]; ok {
		err := f.printExact(r, b)
		c.tellCounted(counted)
		return err
	}
	if f.format == "json" {
		at := placeOf(f.out, c.place)
		f.printAnswer(recallOf(f.out, &at, r, true, counted))
		return agentStops(r.Stop)
	}
	f.printRecall(f.out, r, c.described, f.format == "all")
	if f.heldBack && r.Approving {
		printHeldBack(f.out, r, c.described)
	} else if f.heldBack {
		f.out.Line("\nnothing is held back: every record counts, approved or not")
	}
	switch {
	case f.several: // said once
	case counted != nil:
		c.printCounts(counted)
	case c.described.ByLine:
		f.out.Printf("\npreview only: no relevance count was changed\n")
	default:
		f.out.Printf("\npreview only: nothing was changed\n")
	}
	return agentStops(r.Stop)
}

// printCounts prints for reading what was counted of a recall, or would be.
func (c *change) printCounts(s *planRun) {
	o := c.out
	o.Printf("\n")
	if c.dryRun {
		o.Line("would be counted; nothing was changed:")
	} else {
		c.printDone(s)
	}
	for i := range s.plan.Changes {
		ch := &s.plan.Changes[i]
		o.Line(
			"  %s  rel %s -> %s  %s",
			c.id(o, &ch.Record, ch.ID),
			count(o.Shown(&ch.Record)),
			count(o.Shown(&ch.Edited)),
			headline(&ch.Record),
		)
	}
}

// tellCounted says on standard error what was counted, for an output that holds only the exact
// bytes of a block.
func (c *change) tellCounted(s *planRun) {
	switch {
	case s == nil:
	case c.dryRun:
		c.notef("dry run: nothing was changed; %d would be counted", len(s.plan.Changes))
	default:
		c.notef("%s", s.plan.What)
	}
}

// printExact prints a block as the agent would send it, and nothing else. On a terminal, invisible
// characters are shown.
func (p *program) printExact(r memory.Recall, b memory.Block) error {
	if r.Stop != nil {
		return agentStops(r.Stop)
	}
	if r.Unread != "" {
		p.notef("warning: %s", r.Unread)
	}
	if p.OutTTY {
		p.out.Lines("", blockText(b))
		p.notef("made visible for the terminal; a file or pipe gets the exact bytes")
		return nil
	}
	p.out.Encoded(b.Text)
	if r.Block.Text == "" && r.Empty != "" {
		p.notef("nothing would be recalled: %s", r.Empty)
	}
	return nil
}

// blockText returns the text of a block with the positions of its secrets.
func blockText(b memory.Block) output.Stored {
	var secrets [][2]int
	for _, m := range b.Marks {
		if m.Kind == memory.MarkSecret {
			secrets = append(secrets, [2]int{m.Start, m.End})
		}
	}
	return output.Of(b.Text, secrets)
}

// blocks are the texts of a recall, numbered from 1: first the one that depends on the task, then
// the others in the order in which the model reads them.
func blocks(r memory.Recall) []memory.Block {
	return slices.DeleteFunc(
		append([]memory.Block{r.Block}, r.Also...),
		func(b memory.Block) bool { return b.Text == "" },
	)
}

// blockNamed returns the text with a number, or the only one whose name has the prefix.
func blockNamed(r memory.Recall, name string) (memory.Block, error) {
	list := blocks(r)
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(list) {
		return list[n-1], nil
	}
	var names []memory.Named
	for i, b := range list { // several texts can have one name
		names = append(names, memory.Named{ID: "#" + strconv.Itoa(i+1), Also: []string{strings.ToLower(b.Name)}})
	}
	at, err := memory.Find(strings.ToLower(name), names)
	if err == nil {
		return list[at], nil
	}
	f := failed(exitNotFound, "give a number or a name: winnow recall lists them", "recall: no text is called %s", name)
	if unclear := (*memory.UnclearError)(nil); errors.As(err, &unclear) {
		f = failed(exitUsage, f.hint, "recall: %d texts are called %s", unclear.Count, name)
	}
	for i, b := range list {
		f.more = append(f.more, fmt.Sprintf("  %d  %s", i+1, b.Name))
	}
	return memory.Block{}, f
}

// printRecall prints a recall for reading. If whole is set it prints all texts, otherwise only the
// one that depends on the task.
func (p *program) printRecall(o *output.Out, r memory.Recall, d memory.Description, whole bool) {
	printWords(o, r, d)
	if r.Estimate != "" {
		o.Paragraph("", "estimate: %s", r.Estimate)
	}
	list := blocks(r)
	if len(r.Hits) > 0 || r.Empty != "" || len(list) == 0 {
		printHits(o, r, d)
	}
	for i, b := range list {
		o.Printf("\n")
		o.Line("%s%s", output.When(len(r.Also) > 0, strconv.Itoa(i+1)+"  "), blockHead(o, b))
		p.printParts(o, b)
		if whole || i == 0 && r.Block.Text != "" {
			o.Lines("| ", blockText(b))
		} else {
			o.Line("  the exact text: --block %d, or all for reading: --format all", i+1)
		}
	}
	p.printGot(o, r.LastSession, len(list) > 0)
	o.Notes(r.Notes)
}

// blockHead says where a text goes and how long it is.
func blockHead(o *output.Out, b memory.Block) output.Safe {
	return o.Sprintf(
		"%s in the %s: %d bytes, about %d to %d tokens",
		o.Paint(output.Strong, o.Show(b.Name)),
		b.Where,
		len(b.Text),
		b.TokensLow,
		b.TokensHigh,
	)
}

// printParts lists the pieces of a text in order, with their sizes.
func (p *program) printParts(o *output.Out, b memory.Block) {
	for i, part := range b.Parts {
		from := cmp.Or(p.fromHome(part.Path), string(part.ID))
		o.Paragraph(
			"",
			"  %2d  %s: %d bytes, about %d to %d tokens%s%s",
			i+1,
			part.Name,
			part.End-part.Start,
			part.TokensLow,
			part.TokensHigh,
			output.When(from != "", ", "+from),
			output.When(part.Note != "", " ("+part.Note+")"),
		)
	}
}

// printGot says what the last session really got, and what is different now.
func (p *program) printGot(o *output.Out, g *memory.LastSession, injects bool) {
	if g == nil {
		return
	}
	head := cmp.Or(output.When(g.Running, "the running session"), "the last session") +
		output.When(g.Session != "", " ("+g.Session+")") + output.When(!g.At.IsZero(), ", "+p.since(g.At))
	o.Printf("\n")
	if g.Unknown != "" {
		o.Paragraph("", "%s: %s", head, g.Unknown)
		return
	}
	size := 0
	for _, b := range g.Blocks {
		size += len(b.Text)
	}
	o.Paragraph(
		"",
		"%s got %s, %d bytes, according to %s",
		head,
		output.Plural(len(g.Blocks), "text"),
		size,
		cmp.Or(g.Source, "its record"),
	)
	for _, b := range g.Blocks {
		o.Line("  %s", blockHead(o, b))
	}
	switch {
	case len(g.Differs) > 0:
		o.Line("what differs now:")
	case injects:
		o.Line("nothing differs now")
	}
	for _, d := range g.Differs {
		printDifference(o, d)
	}
}

// printDifference prints how a text that the last session got differs from what it would get now.
func printDifference(o *output.Out, d memory.Difference) {
	name := cmp.Or(d.Name, d.Path)
	switch {
	case d.Was == "":
		o.Paragraph("  ", "%s: was missing, and has %d bytes now", name, len(d.Now))
	case d.Now == "":
		o.Paragraph("  ", "%s: had %d bytes, and is gone", name, len(d.Was))
	default:
		o.Paragraph("  ", "%s: had %d bytes, and has %d now:", name, len(d.Was), len(d.Now))
		o.Lines("    ", output.Of(udiff.Unified("then", "now", o.Hidden(d.Was), o.Hidden(d.Now)), nil))
	}
}
