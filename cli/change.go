package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

// changeFlags are those of the commands that change a store.
type changeFlags struct {
	dryRun, yes, json, reveal bool
	anyway                    bool
	allow                     []string
	// looks is set for a command that changes nothing this time.
	looks bool
}

func (f *changeFlags) declare(c *cobra.Command) {
	c.Flags().BoolVar(&f.dryRun, "dry-run", false, "print the plan and change nothing")
	c.Flags().BoolVar(&f.yes, "yes", false, "do not ask before more than one change, a pinned record, or a change for good")
	c.Flags().BoolVar(&f.anyway, "anyway", false, "change the store although it would better be left alone now")
	jsonFlag(c, &f.json)
	revealFlag(c, &f.reveal)
}

// allowFlag declares --allow, for the commands that store typed text.
func (f *changeFlags) allowFlag(c *cobra.Command) {
	c.Flags().StringArrayVar(&f.allow, "allow", nil, "store the text although the check says `WORDS` of it; may be repeated")
}

// change is one run of a command that changes a store.
type change struct {
	Env
	*changeFlags
	op     string // the name of the command, with which errors begin
	place  memory.Place
	named  string // " --store PATH --system NAME" as given, for commands that are hinted at
	taken  bool   // standard input is not free for an answer
	noun   memory.Noun
	pinned map[memory.ID]bool
}

// step is one plan of a command, and what became of it; result is nil until then.
type step struct {
	plan   memory.Plan
	result *memory.Result
}

// change chooses the store for a command that changes one, unless --readonly
// forbids it. Taken says that standard input is read for something else.
func (e Env) change(ctx context.Context, op string, all *flags, f *changeFlags, taken bool) (*change, error) {
	if all.readOnly && !f.dryRun {
		return nil, refusesToWrite(op)
	}
	asked := *all
	asked.writes = !f.looks
	place, err := e.choose(ctx, &asked, taken)
	if err != nil {
		return nil, err
	}
	return &change{
		Env: e, changeFlags: f, op: op, place: place, named: all.named(), taken: taken, pinned: map[memory.ID]bool{}, noun: e.noun(ctx, place),
	}, nil
}

// noun returns what the records of a store are called.
func (e Env) noun(ctx context.Context, p memory.Place) memory.Noun {
	if p.System != engine {
		if snap, err := e.Library.Summary(ctx, p.Store); err == nil {
			return nounOf(snap.Noun)
		}
	}
	return memory.Noun{One: "lesson", Many: "lessons"}
}

// output prints the fields of records by the names that the store has for them.
func (c *change) output(reveal bool) *output {
	o := c.Env.output(reveal)
	o.foreign = c.place.System != engine
	return o
}

// named returns how the store was named, for a command that is hinted at.
func (f *flags) named() (s string) {
	if f.store != "" {
		s = " --store " + quotedWord(f.store)
	}
	if f.system != "" {
		s += " --system " + quotedWord(f.system)
	}
	return s
}

func refusesToWrite(op string) error {
	hint := "leave out --readonly, or see the plan with --dry-run"
	if op == "history" {
		hint = "leave out --readonly" // to empty it has no plan
	}
	return usage(hint, "%s: --readonly refuses what changes a store", op)
}

// records returns the records of a selection, and notes which of them are pinned.
func (c *change) records(ctx context.Context, s *selection) ([]wanted, error) {
	found, err := c.selected(ctx, c.op, c.place, s)
	for i := range found {
		if r := &found[i].record; r.Flags&memory.FlagPinned != 0 {
			c.pinned[r.ID] = true
		}
	}
	return found, err
}

// carry makes plans of orders, shows or applies them, and prints what became of
// them. None is applied while one of them cannot be.
func (c *change) carry(ctx context.Context, orders ...memory.Order) error {
	steps, err := c.plans(ctx, orders)
	if err != nil {
		return err
	}
	refused := c.refused(steps)
	if c.dryRun || refused != nil {
		if c.json || refused == nil {
			err = c.print(steps)
		}
		return errors.Join(refused, err)
	}
	if err := c.confirm(ctx, steps); err != nil {
		return err
	}
	done, failed := c.apply(ctx, steps)
	if len(done) > 0 {
		err = c.print(done)
	}
	return errors.Join(failed, err)
}

func (c *change) plans(ctx context.Context, orders []memory.Order) ([]step, error) {
	steps := make([]step, 0, len(orders))
	for _, o := range orders {
		o.Allow, o.Anyway = c.allow, c.anyway
		p, err := c.Library.Plan(ctx, c.place.Store, o)
		if err != nil {
			return nil, c.failed(err)
		}
		steps = append(steps, step{plan: p})
	}
	return steps, nil
}

// failed says of an error what was being done, unless it says so itself.
func (c *change) failed(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	f := *asFailure(err)
	if !strings.HasPrefix(f.err.Error(), c.op+" ") {
		f.err = fmt.Errorf("%s: %w", c.op, f.err)
	}
	switch {
	case errors.Is(err, memory.ErrNothing):
		f.hint = "see what was done: winnow history" + c.named
	case errors.Is(err, memory.ErrNotFound):
		f.hint = "see what is there: winnow list" + c.named + ", or winnow history" + c.named + " for entries"
	}
	return &f
}

// idle reports whether applying p would do nothing.
func idle(p *memory.Plan) bool { return len(p.Changes) == 0 && len(p.Decided) == 0 }

// apply applies the plans one after the other, and returns those of which
// something became. The error is that of the first that failed.
func (c *change) apply(ctx context.Context, steps []step) ([]step, error) {
	for i := range steps {
		if idle(&steps[i].plan) {
			continue
		}
		res, err := c.Library.Apply(ctx, steps[i].plan)
		if errors.Is(err, memory.ErrConflict) {
			steps[i].result = &res
			if !c.json { // the message says it all
				return steps[:i], c.conflict(&steps[i])
			}
			return steps[:i+1], c.conflict(&steps[i])
		}
		if err != nil {
			return steps[:i], c.failed(err)
		}
		steps[i].result = &res
	}
	return steps, nil
}

// refused says what the check found in the texts of the plans.
func (c *change) refused(steps []step) error {
	f := &failure{code: exitRefused}
	rules := map[string]bool{}
	for i := range steps {
		for _, found := range steps[i].plan.Findings {
			f.more = append(f.more, "  "+c.finding(found))
			if !rules[found.Rule] {
				f.hint += " --allow " + quotedWord(found.Rule)
			}
			rules[found.Rule] = true
		}
	}
	if len(f.more) == 0 {
		return c.asks(steps)
	}
	f.err = fmt.Errorf("%s: the check refuses the text, and nothing was changed", c.op)
	f.hint = "correct it, or store it as it is with" + f.hint
	return f
}

// asks is the failure for plans that want a decision before the store is changed now. A
// dry run only tells of it.
func (c *change) asks(steps []step) error {
	for i := range steps {
		if why := steps[i].plan.Asks; why != "" && !c.anyway && !c.dryRun {
			return &failure{
				code: exitRefused, err: fmt.Errorf("%s: %s; nothing was changed", c.op, strings.TrimSuffix(c.output(c.reveal).hidden(why), ".")),
				hint: "wait until that is over, or add --anyway",
			}
		}
	}
	return nil
}

// quotedWord returns s as one word of a shell.
func quotedWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// around is how much of a text is shown before and after a finding, in characters.
const around = 30

// finding says in a line what the check found, with the place between brackets.
func (c *change) finding(f memory.Finding) string {
	o := c.output(c.reveal)
	start := min(max(f.Start, 0), len(f.Text))
	end := min(max(f.End, start), len(f.Text))
	before, after := o.hidden(f.Text[:start]), o.hidden(f.Text[end:])
	if r := []rune(before); len(r) > around {
		before = ".." + string(r[len(r)-around:])
	}
	if r := []rune(after); len(r) > around {
		after = string(r[:around]) + ".."
	}
	return fmt.Sprintf("%s in %s: %s[%s]%s (%s)", f.Rule, f.Field, before, o.hidden(f.Text[start:end]), after, f.What)
}

// conflict says which changes another writer stands in the way of, with the texts
// of both.
func (c *change) conflict(s *step) error {
	f := &failure{
		code: exitConflict,
		err:  fmt.Errorf("%s: another writer changed the same, and nothing was changed", c.op),
		hint: "look at theirs with winnow show, and ask again for what you still want",
	}
	o := c.output(c.reveal)
	for i, a := range s.result.Changes {
		if a.Fate != memory.Refused {
			continue
		}
		head := "  " + o.hidden(string(a.ID))
		if a.Why != "" {
			head += ": " + o.hidden(a.Why)
		}
		f.more = append(f.more, head)
		if i < len(s.plan.Changes) {
			f.more = append(f.more, o.sides(&s.plan.Changes[i], &a)...)
		}
	}
	return f
}

// sides are the lines that set what a person wants of a record against what another
// writer made of it.
func (o *output) sides(mine *memory.Change, theirs *memory.Applied) (lines []string) {
	left, name := &mine.Edited, "yours "
	if mine.Do != memory.Editing {
		left, name = &mine.Record, "before"
	}
	for _, d := range o.differences(left, &theirs.TheirRecord) {
		lines = append(lines, "    "+name+"  "+d.field+": "+d.before, "    theirs  "+d.field+": "+d.after)
	}
	return lines
}
