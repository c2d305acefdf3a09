package cli

import (
	"cmp"
	"slices"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
)

// plannedJSON is plans about a store, applied unless it is a dry run.
type plannedJSON struct {
	Schema int        `json:"schema"`
	Store  placeJSON  `json:"store"`
	DryRun bool       `json:"dry_run"`
	Plans  []planJSON `json:"plans"`
}

// print prints plans and their results: as JSON, as sentences on a terminal, or as columns
// separated by tabs.
func (c *change) print(runs []planRun) {
	o := c.out
	if c.json {
		o.JSON(plannedJSON{schemaVersion, placeOf(o, c.place), c.dryRun, plansOf(o, runs)})
		return
	}
	for i := range runs {
		s := &runs[i]
		switch {
		case o.Width == 0:
			c.printChanges(s)
		case s.result != nil || doesNothing(&s.plan):
			c.printDone(s)
		default:
			c.printPlan(o, &s.plan)
		}
	}
	if c.dryRun {
		c.notef("dry run: nothing was changed")
	}
}

// printChanges prints one change per line: its fate, its kind, the ID, the title and the reason.
// Anything not about a single record goes to standard error.
func (c *change) printChanges(s *planRun) {
	o := c.out
	for i := range s.plan.Changes {
		ch := &s.plan.Changes[i]
		fate, why, id := "planned", whyChanged(ch), ch.ID
		if s.result != nil {
			fate = memory.Done.String()
			if i < len(s.result.Changes) {
				a := &s.result.Changes[i]
				fate, why, id = a.Fate.String(), cmp.Or(a.Why, why), cmp.Or(a.ID, id)
			}
		}
		o.Row(fate, ch.Do, o.ID(&ch.Record, id), headline(&ch.Record), why)
	}
	for i := range s.plan.Kept {
		k := &s.plan.Kept[i]
		o.Row("kept", "-", o.ID(&k.Record, k.Record.ID), headline(&k.Record), k.Why)
	}
	if len(s.plan.Changes) == 0 {
		c.notef("%s", s.plan.What)
	}
	for _, n := range notes(s, c.noun) {
		c.notef("note: %s", n)
	}
}

// notes are the notes of a plan and of its result.
func notes(s *planRun, noun memory.Noun) []string {
	list := slices.Clone(s.plan.Notes)
	if s.result == nil {
		return append(
			list,
			output.NonEmpty(output.When(s.plan.Asks != "", s.plan.Asks+" Without --anyway nothing is changed."))...)
	}
	list = memory.AppendNew(list, s.result.Notes...)
	if s.result.Adopted > 0 {
		list = append(list, noun.Count(s.result.Adopted)+" that another writer saved in the same instant stay")
	}
	return list
}

// printPlan prints for reading what a plan would do.
func (c *change) printPlan(o *output.Out, p *memory.Plan) {
	head := verb(p.Order.Do) + " " + c.noun.Count(p.Touched())
	if p.Order.Do == memory.Restore || slices.Contains(repeats[2:], p.Order.Do) {
		head = verb(p.Order.Do) + ": " + output.Plural(len(p.Changes), "change")
	}
	o.Line("%s in %s", head, c.place.Path)
	for i := range p.Changes {
		ch := &p.Changes[i]
		o.Line("  %s  %s  %s", o.Cell(ch.Do, 6), c.id(o, &ch.Record, ch.ID), headline(&ch.Record))
		printChange(o, ch, c.described)
	}
	if len(p.Kept) > 0 {
		o.Line("Kept although they match: %d", len(p.Kept))
	}
	for i := range p.Kept {
		r := &p.Kept[i].Record
		o.Line("  %s  %s (%s)", c.id(o, r, r.ID), headline(r), p.Kept[i].Why)
	}
	o.Notes(notes(&planRun{plan: *p}, c.noun))
}

// whyChanged is the reason of a change.
func whyChanged(ch *memory.Change) string {
	if ch.Why == "" && ch.Companion {
		return "needed by another change"
	}
	return ch.Why
}

// printChange prints why a change is made, and what it changes in a record.
func printChange(o *output.Out, ch *memory.Change, d memory.Description) {
	if why := whyChanged(ch); why != "" {
		o.Paragraph("          ", "%s", why)
	}
	if ch.Do != memory.Editing {
		return
	}
	for _, d := range differences(o, &ch.Record, &ch.Edited, d) {
		o.Paragraph("        - ", "%s: %s", d.field, d.before)
		o.Paragraph("        + ", "%s: %s", d.field, d.after)
	}
}

// printDone prints for reading what a plan did.
func (c *change) printDone(s *planRun) {
	o, undo, fates := c.out, "", []memory.Applied(nil)
	if s.result != nil {
		fates = s.result.Changes[:min(len(s.result.Changes), len(s.plan.Changes))]
		undo = output.When(
			s.result.Entry != "" && !s.plan.Final,
			" To undo it: winnow undo "+string(s.result.Entry)+c.named(),
		)
	}
	what := s.plan.Named(c.noun, func(ch *memory.Change) string { return quotedTitle(o, &ch.Record) })
	o.Paragraph("", "%s.%s", strings.TrimSuffix(what, "."), output.Visible(undo))
	for i, a := range fates {
		if ch := &s.plan.Changes[i]; a.Fate != memory.Done {
			o.Line("  %s  %s  (%s)", c.id(o, &ch.Record, ch.ID), headline(&ch.Record), fateText(a))
		}
	}
	o.Notes(notes(s, c.noun))
}

// fateText describes what became of a change that was not simply made.
func fateText(a memory.Applied) string {
	switch {
	case a.Why != "":
		return a.Why
	case a.Fate == memory.Merged:
		return "kept what another writer changed in it meanwhile"
	case a.Fate == memory.Gone:
		return "another writer removed it already"
	}
	return a.Fate.String()
}
