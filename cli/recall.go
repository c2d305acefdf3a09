package cli

import (
	"cmp"
	"context"
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
}

func (t *tasking) flags() []flag {
	return []flag{
		{to: &t.tools, name: "tool", help: "prefer records that used tool `NAME`; may be repeated"},
		{to: &t.without, name: "without", help: "ignore `WORD` of the task; may be repeated"},
		{to: &t.scope, name: "scope", help: "recall for part `NAME` of the store, such as an agent or a tenant"},
		{to: &t.folder, name: "folder", help: "recall for a session that starts in folder `PATH`, not the working folder"},
		{to: &t.files, name: "file", help: "recall for a session that reads or writes file `PATH`; may be repeated"},
	}
}

// task returns the task given by flags and arguments. A dash means standard input, which is used
// verbatim, including its last line end.
func (t *tasking) task(ctx context.Context, args []string) (memory.Task, error) {
	given, flagged := strings.Join(args, " "), t.isSet("task")
	if err := refuse(
		refusal{flagged && len(args) > 0, "leave out one of them", fmt.Sprintf("the task is given twice, by --task and as %q", given)},
		refusal{!flagged && len(args) == 0 && !t.optional, "give the task, or - to read it from standard input", "which task?"},
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

// recallFor chooses the store and recalls for the task.
func (t *tasking) recallFor(ctx context.Context, c choice, args []string) (memory.Recall, error) {
	c.inputTaken = t.text == "-" || len(args) == 1 && args[0] == "-"
	if err := t.chooseStore(ctx, c); err != nil {
		return memory.Recall{}, err
	}
	t.optional = t.optional && !t.described.Draft.TextOnly
	task, err := t.task(ctx, args)
	if err != nil {
		return memory.Recall{}, err
	}
	// A session starts in the working folder if that is inside the project, and in the project's
	// folder otherwise.
	if dir := t.Absolute("."); task.Folder == "" && t.place.Project != "" && dir != t.place.Project && inside(dir, t.place.Project) {
		task.Folder = dir
	}
	return t.Library.Recall(ctx, t.place.Store, task)
}

// recalling is one call of recall, with its flags.
type recalling struct {
	tasking
	format, block, with string
	commit, dryRun      bool
	heldBack            bool
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

Winnow's own stores recall only what a person approved on this machine. --approved-only
lists what the other records would have added.

--with STORE recalls for the same task from a second store, and says which records both
recall and which only one of them does.`,
		examples: []string{
			"winnow recall --task 'deploy the docs'", "pbpaste | winnow recall - --format block",
			"winnow recall --task - --mode agentic --format prompt < task.txt", "winnow recall --system SYSTEM --file src/api.go",
			"winnow recall --store SYSTEM --block 'USER PROFILE'", "winnow recall 'deploy the docs' --with SYSTEM",
			"winnow recall --commit --format block 'deploy the docs'",
		},
		flags: append(f.flags(),
			flag{to: &f.text, name: "task", help: "use `TEXT` as the draft task; - reads standard input"},
			flag{to: &f.mode, name: "mode", help: "planner `MODE`: single, agentic", values: []string{string(memory.Single), string(memory.Agentic)}},
			flag{to: &f.format, name: "format", help: "output `FORM`: text, all, block, prompt, json", values: []string{"text", "all", "block", "prompt", "json"}},
			flag{to: &f.block, name: "block", help: "print the exact text with this `NUMBER` or name"},
			flag{to: &f.with, name: "with", help: "compare with what `STORE` recalls; named as for --store", offer: p.offerStores, paths: true},
			flag{to: &f.heldBack, name: "approved-only", help: "also list what is held back because nobody approved it on this machine"},
			flag{to: &f.commit, name: "commit", help: "count the recall in the store"},
			flag{to: &f.dryRun, name: "dry-run", help: "with --commit: say what would be counted without changing anything"},
			p.jsonFlag(), p.revealFlag()),
		check: f.check, run: f.run,
	}
}

func (f *recalling) check([]string) error {
	return refuse(
		refusal{f.dryRun && !f.commit, "leave it out: nothing is changed anyway", "recall: --dry-run goes with --commit"},
		refusal{f.block != "" && (f.json || f.format != "text" && f.format != "block"), "leave out one of them", "recall: --block prints one text, and no other form"},
		refusal{f.with != "" && (f.block != "" || f.format == "block" || f.format == "prompt"), "leave out one of them", "recall: --with compares, and prints no exact text"},
		refusal{f.heldBack && (f.with != "" || f.block != "" || f.format == "block" || f.format == "prompt"), "leave out one of them", "recall: --approved-only lists records, and prints no exact text and no comparison"},
		refusal{f.with != "" && f.commit, "count in one store after the other", "recall: --commit does not go with --with"},
	)
}

func (f *recalling) run(ctx context.Context, args []string) error {
	if f.json {
		f.format = "json"
	}
	f.op += output.When(f.commit, " --commit")
	r, err := f.recallFor(ctx, choice{writes: f.commit, dryRun: f.dryRun}, args)
	if err != nil {
		return err
	}
	if f.heldBack && !r.Approving {
		return usage("leave it out", "recall: --approved-only: %s gives agents every record, approved or not", cmp.Or(f.described.System, "this system"))
	}
	if f.with != "" {
		return f.recallWith(ctx, recalled{f.place, r, f.described})
	}
	c := f.changing()
	c.dryRun = f.dryRun
	var counted *step
	if f.commit && r.Stop == nil {
		if counted, err = c.count(ctx, r.Task); err != nil {
			return err
		}
	}
	return f.print(&c, r, counted)
}

// count counts a recall in the store, or only plans it.
func (c *change) count(ctx context.Context, t memory.Task) (*step, error) {
	steps, err := c.plans(ctx, []memory.Order{{Do: memory.Commit, Task: t}})
	if err == nil && !c.dryRun {
		_, err = c.apply(ctx, steps)
	}
	if err != nil {
		return nil, err
	}
	return &steps[0], nil
}

// print prints a recall, and what was counted if counted is not nil.
func (f *recalling) print(c *change, r memory.Recall, counted *step) error {
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
		f.out.JSON(recallOf(f.out, placeJSON(f.out, c.place), r, true, counted))
		return agentStops(r.Stop)
	}
	f.printRecall(f.out, r, c.described, f.format == "all")
	if f.heldBack {
		printHeldBack(f.out, r, c.described)
	}
	switch {
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
func (c *change) printCounts(s *step) {
	o := c.out
	o.Printf("\n")
	if c.dryRun {
		o.Line("would be counted; nothing was changed:")
	} else {
		c.printDone(s)
	}
	for i := range s.plan.Changes {
		ch := &s.plan.Changes[i]
		o.Line("  %s  rel %s -> %s  %s", c.id(o, &ch.Record, ch.ID), count(o.Shown(&ch.Record)), count(o.Shown(&ch.Edited)), headline(&ch.Record))
	}
}

// tellCounted says on standard error what was counted, for an output that holds only the exact
// bytes of a block.
func (c *change) tellCounted(s *step) {
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
	return slices.DeleteFunc(append([]memory.Block{r.Block}, r.Also...), func(b memory.Block) bool { return b.Text == "" })
}

// blockNamed returns the text with a number, or the only one whose name has the prefix.
func blockNamed(r memory.Recall, name string) (memory.Block, error) {
	list := blocks(r)
	if n, err := strconv.Atoi(name); err == nil && n >= 1 && n <= len(list) {
		return list[n-1], nil
	}
	at, fit := matchPrefix(output.Each(list, func(b *memory.Block) string { return strings.ToLower(b.Name) }), strings.ToLower(name))
	if fit == 1 {
		return list[at], nil
	}
	f := failed(exitNotFound, "give a number or a name: winnow recall lists them", "recall: no text is called %s", name)
	if fit > 1 {
		f = failed(exitUsage, f.hint, "recall: %d texts are called %s", fit, name)
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
	return o.Sprintf("%s in the %s: %d bytes, about %d to %d tokens", o.Paint(output.Strong, o.Show(b.Name)), b.Where, len(b.Text), b.TokensLow, b.TokensHigh)
}

// printParts lists the pieces of a text in order, with their sizes.
func (p *program) printParts(o *output.Out, b memory.Block) {
	for i, part := range b.Parts {
		from := cmp.Or(p.fromHome(part.Path), string(part.ID))
		o.Paragraph("", "  %2d  %s: %d bytes, about %d to %d tokens%s%s", i+1, part.Name, part.End-part.Start, part.TokensLow, part.TokensHigh,
			output.When(from != "", ", "+from), output.When(part.Note != "", " ("+part.Note+")"))
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
	o.Paragraph("", "%s got %s, %d bytes, according to %s", head, output.Plural(len(g.Blocks), "text"), size, cmp.Or(g.Source, "its record"))
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
