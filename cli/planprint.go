package cli

import (
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/views"
	"winnow/views/safe"
)

// print prints plans and what became of them: as JSON, in sentences on a terminal,
// and in columns with tabs elsewhere.
func (c *change) print(steps []step) error {
	o := c.output(c.reveal)
	if c.json {
		return o.json(c.changedJSON(o, steps))
	}
	c.printSteps(o, steps)
	return o.close()
}

func (c *change) printSteps(o *output, steps []step) {
	for i := range steps {
		s := &steps[i]
		switch {
		case o.width == 0:
			c.printColumns(o, s)
		case s.result != nil || idle(&s.plan):
			c.printDone(o, s)
		default:
			c.printPlan(o, &s.plan)
		}
	}
	if c.dryRun && !c.json {
		c.remark(o, "dry run: nothing was changed")
	}
}

// remark prints a line to standard error, behind what was printed before.
func (c *change) remark(o *output, said string) {
	_ = o.Flush() // an error of the output is kept by it
	fmt.Fprintln(c.Err, said)
}

// printColumns prints a change a line: its fate, its kind, the id, what the task
// was and why. What is not about one record goes to standard error.
func (c *change) printColumns(o *output, s *step) {
	columns := func(fate, kind string, r *memory.Record, id memory.ID, why string) {
		o.printf("%s\t%s\t%s\t%s\t%s\n", fate, kind, o.recordID(r, id), firstOf(o.headline(r), "-"), word(o.hidden(why)))
	}
	for i := range s.plan.Changes {
		ch := &s.plan.Changes[i]
		fate, why, id := "planned", whyChanged(ch), ch.ID
		if s.result != nil {
			fate = memory.Done.String()
			if i < len(s.result.Changes) {
				fate = s.result.Changes[i].Fate.String()
				why = firstOf(s.result.Changes[i].Why, why)
				id = memory.ID(firstOf(string(s.result.Changes[i].ID), string(id)))
			}
		}
		columns(fate, ch.Do.String(), &ch.Record, id, why)
	}
	for i := range s.plan.Kept {
		k := &s.plan.Kept[i]
		columns("kept", "-", &k.Record, k.Record.ID, k.Why)
	}
	if len(s.plan.Changes) == 0 {
		c.remark(o, safe.Line(o.hidden(s.plan.What)))
	}
	for _, n := range notes(s, c.noun) {
		c.remark(o, "note: "+safe.Line(o.hidden(n)))
	}
	if s.plan.Asks != "" && s.result == nil {
		c.remark(o, "note: "+safe.Line(o.hidden(s.plan.Asks))+" Without --anyway nothing is changed.")
	}
}

func firstOf(list ...string) string {
	for _, s := range list {
		if s != "" {
			return s
		}
	}
	return ""
}

// notes are the sentences of a plan and of its result.
func notes(s *step, noun memory.Noun) []string {
	list := slices.Clone(s.plan.Notes)
	if r := s.result; r != nil {
		for _, n := range r.Notes {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
		if r.Adopted > 0 {
			list = append(list, nounOf(noun).Count(r.Adopted)+" that another writer saved in the same instant stay")
		}
	}
	return list
}

// printPlan prints for reading what a plan would do.
func (c *change) printPlan(o *output, p *memory.Plan) {
	o.line(fmt.Sprintf("%s in %s", c.head(p), o.sentence(c.place.Path)))
	for i := range p.Changes {
		ch := &p.Changes[i]
		o.line(fmt.Sprintf("  %s  %s  %s", views.Cell(ch.Do.String(), 6), o.id(o.maskedID(&ch.Record, ch.ID)), o.headline(&ch.Record)))
		o.printChange(ch)
	}
	if len(p.Kept) > 0 {
		o.line(fmt.Sprintf("Kept although they match: %d", len(p.Kept)))
	}
	for i := range p.Kept {
		r := &p.Kept[i].Record
		o.line(fmt.Sprintf("  %s  %s (%s)", o.id(o.maskedID(r, r.ID)), o.headline(r), safe.Line(o.hidden(p.Kept[i].Why))))
	}
	o.printRemarks(p.Notes)
	if p.Asks != "" {
		o.printRemarks([]string{p.Asks + " Without --anyway nothing is changed."})
	}
}

// head says what a plan is about to do.
func (c *change) head(p *memory.Plan) string {
	switch p.Order.Do {
	case memory.Undo, memory.Redo, memory.Restore, memory.Reapply, memory.Accept, memory.Trust, memory.Commit:
		return verb(p.Order.Do) + ": " + plural(len(p.Changes), "change")
	}
	return verb(p.Order.Do) + " " + c.noun.Count(touched(p))
}

// whyChanged is the reason of a change that nobody named.
func whyChanged(ch *memory.Change) string {
	if ch.Why == "" && ch.With {
		return "comes along with it"
	}
	return ch.Why
}

// printChange prints why a change is made, and what it changes in a record.
func (o *output) printChange(ch *memory.Change) {
	if why := whyChanged(ch); why != "" {
		o.paragraph("          ", safe.Line(o.hidden(why)))
	}
	if ch.Do != memory.Editing {
		return
	}
	for _, d := range o.differences(&ch.Record, &ch.Edited) {
		o.paragraph("        - ", d.field+": "+d.before)
		o.paragraph("        + ", d.field+": "+d.after)
	}
}

func (o *output) printRemarks(list []string) {
	for _, n := range list {
		o.paragraph("", "note: "+safe.Line(o.hidden(n)))
	}
}

// printDone prints for reading what became of a plan.
func (c *change) printDone(o *output, s *step) {
	said := strings.TrimSuffix(safe.Line(o.hidden(s.plan.What)), ".") + "."
	if s.result != nil && s.result.Entry != "" && !s.plan.Final {
		said += " To take it back: winnow undo " + safe.Line(string(s.result.Entry)+c.named)
	}
	o.paragraph("", said)
	if s.result != nil {
		for i, a := range s.result.Changes {
			if a.Fate == memory.Done || i >= len(s.plan.Changes) {
				continue
			}
			ch := &s.plan.Changes[i]
			o.line(fmt.Sprintf("  %s  %s  %s", o.id(o.maskedID(&ch.Record, ch.ID)), o.headline(&ch.Record), fateText(a)))
		}
	}
	o.printRemarks(notes(s, c.noun))
}

// fateText says in words what became of a change that was not simply made.
func fateText(a memory.Applied) string {
	switch {
	case a.Why != "":
		return "(" + safe.Line(a.Why) + ")"
	case a.Fate == memory.Merged:
		return "(kept what another writer changed in it meanwhile)"
	case a.Fate == memory.Gone:
		return "(another writer removed it already)"
	}
	return "(" + a.Fate.String() + ")"
}

// maskedID returns an id with the secrets in it masked, as r knows them.
func (o *output) maskedID(r *memory.Record, id memory.ID) memory.ID {
	if o.reveal {
		return id
	}
	if r.ID == id {
		id = memory.ID(hide(string(id), spans(r.Secrets, memory.InID), false))
	}
	return memory.ID(o.redact(string(id)))
}

// recordID returns an id as it is printed in columns.
func (o *output) recordID(r *memory.Record, id memory.ID) string {
	return word(string(o.maskedID(r, id)))
}
