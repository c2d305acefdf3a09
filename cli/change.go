package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/cli/report"
	"winnow/core/memory"
)

// change is one call of a command that changes a store, with its flags.
type change struct {
	*program
	dryRun, yes, anyway bool
	allow               []string
	pinned              map[memory.ID]bool
}

func (p *program) changing() change { return change{program: p, pinned: map[memory.ID]bool{}} }

// writes says how a command chooses the store that it changes.
func (c *change) writes() choice { return choice{writes: true, dryRun: c.dryRun} }

func (c *change) flags() []flag {
	return []flag{
		{to: &c.dryRun, name: "dry-run", help: "print the plan without changing anything"},
		{to: &c.yes, name: "yes", help: "skip the confirmation"},
		{to: &c.anyway, name: "anyway", help: "change the store despite a warning"},
		c.jsonFlag(), c.revealFlag(),
	}
}

// allowFlag is --allow, for commands that store typed text.
func (c *change) allowFlag() flag {
	return flag{
		to:   &c.allow,
		name: "allow",
		help: "store the text although the check reports rule `ID`; may be repeated",
	}
}

// planRun is one plan of a command and its result, which is nil until the plan is applied.
type planRun struct {
	plan   memory.Plan
	result *memory.Result
}

// chooseStore chooses the store for a command, unless --readonly forbids changes.
func (p *program) chooseStore(ctx context.Context, by choice) (err error) {
	if by.dryRun && p.ReadOnly != nil { // a look does not finish what a crash interrupted either
		p.ReadOnly(&p.Env)
	}
	if by.writes && p.readOnly && !by.dryRun {
		return refusesToWrite(p.op)
	}
	p.inputTaken = by.inputTaken
	if p.place, err = p.choose(ctx, by); err != nil {
		return err
	}
	if by.writes && !by.dryRun {
		if err := p.Library.Finish(ctx, p.place.Store); err != nil {
			return during(p.op, err)
		}
	}
	if !by.bare {
		p.noun, p.described = p.Library.Describe(p.place.Store)
	}
	return nil
}

func refusesToWrite(op string) error {
	preview := output.When(op != "history", ", or see the plan with --dry-run") // --purge has no plan
	return usage("leave out --readonly"+preview, "%s: --readonly forbids changing a store", op)
}

// id returns an ID as printed for this store.
func (c *change) id(o *output.Out, r *memory.Record, id memory.ID) output.Safe {
	return printedID(o, o.ID(r, id), c.described)
}

// records returns the records of a selection, and remembers which of them are pinned.
func (c *change) records(ctx context.Context, s *selection) ([]memory.Record, error) {
	found, err := c.selected(ctx, s)
	for i := range found {
		c.pinned[found[i].ID] = found[i].Flags&memory.FlagPinned != 0
	}
	return found, err
}

// carryOut turns orders into plans, shows or applies them, and prints the results. If one of the
// plans cannot be applied, it applies none.
func (c *change) carryOut(ctx context.Context, orders ...memory.Order) error {
	runs, err := c.plans(ctx, orders)
	if err != nil {
		return err
	}
	return c.carryOutPlans(ctx, runs)
}

// carryOutPlans shows or applies plans, and prints the results.
func (c *change) carryOutPlans(ctx context.Context, runs []planRun) error {
	refused := c.refused(runs)
	if c.dryRun || refused != nil {
		if c.json || refused == nil {
			c.print(runs)
		}
		return refused
	}
	if err := c.confirm(ctx, runs); err != nil {
		return err
	}
	done, err := c.apply(ctx, runs)
	if len(done) > 0 {
		c.print(done)
	}
	return err
}

func (c *change) plans(ctx context.Context, orders []memory.Order) ([]planRun, error) {
	runs := make([]planRun, 0, len(orders))
	for _, o := range orders {
		o.Allow, o.Anyway = c.allow, c.anyway
		p, err := c.Library.Plan(ctx, c.place.Store, o)
		if err != nil {
			return nil, c.failed(err)
		}
		runs = append(runs, planRun{plan: p})
	}
	return runs, nil
}

// failed adds to an error the command that it ended, and what to do.
func (c *change) failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	f := during(c.op, err)
	switch {
	case errors.Is(err, memory.ErrNothing):
		f.hint = "see what was done: winnow history" + c.named()
	case errors.Is(err, memory.ErrNotFound):
		f.hint = "list the records: winnow list" + c.named() + ", or the entries: winnow history" + c.named()
	}
	return f
}

// doesNothing reports whether applying p would do nothing.
func doesNothing(p *memory.Plan) bool { return len(p.Changes) == 0 && len(p.Decided) == 0 }

// apply applies the plans one after the other, and returns those with a result. It stops at the
// first failure and returns its error.
func (c *change) apply(ctx context.Context, runs []planRun) ([]planRun, error) {
	for i := range runs {
		if doesNothing(&runs[i].plan) {
			continue
		}
		res, err := c.Library.Apply(ctx, runs[i].plan)
		conflicts := errors.Is(err, memory.ErrConflict)
		if err != nil && !conflicts {
			return runs[:i], c.failed(err)
		}
		runs[i].result = &res
		if conflicts && c.json {
			return runs[:i+1], c.conflict(&runs[i])
		}
		if conflicts { // the message says everything
			return runs[:i], c.conflict(&runs[i])
		}
	}
	return runs, nil
}

// refused says what the check found in the texts of the plans, or why the store needs a decision.
func (c *change) refused(runs []planRun) error {
	f := &failure{code: exitRefused}
	var rules []string
	for i := range runs {
		for _, found := range runs[i].plan.Findings {
			f.more = append(f.more, "  "+c.finding(found))
			rules = append(rules, found.Rule)
		}
	}
	if len(f.more) > 0 {
		f.err = fmt.Errorf("%s: the check refuses the text, and nothing was changed", c.op)
		f.hint = "correct it, or store it as it is with" + allowFlags(rules)
		return f
	}
	for i := range runs {
		if why := runs[i].plan.Asks; why != "" && !c.anyway && !c.dryRun {
			return failed(
				exitRefused,
				"wait until that is over, or add --anyway",
				"%s: %s; nothing was changed",
				c.op,
				strings.TrimSuffix(c.out.Hidden(why), "."),
			)
		}
	}
	return nil
}

// allowFlags returns the flags that allow some rules, without repeats.
func allowFlags(rules []string) (flags string) {
	for i, rule := range rules {
		flags += output.When(!slices.Contains(rules[:i], rule), " --allow "+memory.ShellWord(rule))
	}
	return flags
}

// finding describes in one line what the check found, with the place in brackets.
func (c *change) finding(f memory.Finding) string {
	const around = 30 // characters of context before and after
	start := min(max(f.Start, 0), len(f.Text))
	end := min(max(f.End, start), len(f.Text))
	before, after := report.Last(c.out.Hidden(f.Text[:start]), around), report.First(c.out.Hidden(f.Text[end:]), around)
	return fmt.Sprintf(
		"%s in %s: %s[%s]%s (%s)",
		f.Rule,
		f.Field,
		before,
		c.out.Hidden(f.Text[start:end]),
		after,
		f.What,
	)
}

// conflict says which changes conflict with another writer's, and shows the texts of both.
func (c *change) conflict(s *planRun) error {
	f := failed(exitConflict, "look at their text with winnow show, and repeat what you still want",
		"%s: another writer changed the same record, and nothing was changed", c.op)
	for i, a := range s.result.Changes {
		if a.Fate != memory.Refused {
			continue
		}
		f.more = append(f.more, "  "+c.out.Hidden(string(a.ID))+note(c.out.Hidden(a.Why)))
		if i >= len(s.plan.Changes) {
			continue
		}
		ch := &s.plan.Changes[i]
		mine, name := &ch.Edited, "yours "
		if ch.Do != memory.Editing {
			mine, name = &ch.Record, "before"
		}
		for _, d := range differences(c.out, mine, &a.TheirRecord, c.described) {
			f.more = append(
				f.more,
				fmt.Sprintf("    %s  %s: %s", name, d.field, d.before),
				fmt.Sprintf("    theirs  %s: %s", d.field, d.after),
			)
		}
	}
	return f
}

// confirm shows the plans, and asks before they are applied if that is required.
func (c *change) confirm(ctx context.Context, runs []planRun) error {
	if c.yes || !c.mustConfirm(runs) {
		return nil
	}
	if c.canAsk() {
		o := c.out.To(c.Err, max(c.Width, narrowest))
		for i := range runs {
			c.printPlan(o, &runs[i].plan)
		}
		o.Flush() // an error shows up in the question
	}
	return c.confirmed(ctx, c.question(runs))
}

func (p *program) canAsk() bool { return p.InTTY && p.ErrTTY && !p.inputTaken }

// confirmed asks a question, and returns an error unless the answer is yes. If nobody can be asked,
// it refuses.
func (p *program) confirmed(ctx context.Context, question string) error {
	if !p.canAsk() {
		return usage("add --yes", "%s: %s there is no terminal to ask on", p.op, question)
	}
	agreed, err := p.agreed(ctx, question)
	if err == nil && !agreed {
		err = failed(exitFailure, "", "%s: not confirmed, and nothing was changed", p.op)
	}
	return err
}

// narrowest is the minimum width in cells for printing what is asked about.
const narrowest = 60

// agreed asks a question of which the answer may be yes.
func (p *program) agreed(ctx context.Context, question string) (bool, error) {
	p.prompt("%s [y/N] ", question)
	answer, err := p.answer(ctx)
	if err != nil {
		p.notef("") // end the line of the question
		return false, err
	}
	word := strings.ToLower(answer)
	return word == "y" || word == "yes", nil
}

// repeats are the acts that only repeat an earlier decision, so nobody is asked about them.
var repeats = []memory.Act{
	memory.Pin, memory.Unpin, memory.Undo, memory.Redo, memory.Commit, memory.Reapply, memory.Accept, memory.Trust,
}

// mustConfirm reports whether to ask about the plans: they change more than one record or a pinned one, or
// cannot be undone.
func (c *change) mustConfirm(runs []planRun) bool {
	n := 0
	for i := range runs {
		p := &runs[i].plan
		if slices.Contains(repeats, p.Order.Do) {
			continue
		}
		n += p.Asked()
		if p.Final && len(p.Changes) > 0 || c.pins(p) > 0 {
			return true
		}
	}
	return n > 1
}

// pins returns the number of pinned records that a plan changes.
func (c *change) pins(p *memory.Plan) (n int) {
	for i := range p.Changes {
		if ch := &p.Changes[i]; c.pinned[ch.ID] || ch.Record.Flags&memory.FlagPinned != 0 {
			n++
		}
	}
	return n
}

// question is the question before plans are applied.
func (c *change) question(runs []planRun) string {
	n, kept := 0, 0
	for i := range runs {
		n += runs[i].plan.Touched()
		kept += c.pins(&runs[i].plan)
	}
	p := &runs[0].plan
	pinned := output.When(kept > 0, fmt.Sprintf(", %d of them pinned", kept))
	if n == 1 && kept == 1 {
		pinned = ", which is pinned"
	}
	return verb(p.Order.Do) + " " + c.noun.Count(n) + pinned + output.When(p.Final, ", keeping no copy") + "?"
}

func verb(a memory.Act) string {
	if a == memory.Prune {
		a = memory.Delete
	}
	return strings.ToUpper(string(a[:1])) + string(a[1:])
}
