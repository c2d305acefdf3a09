package curate

import (
	"fmt"
	"slices"

	"winnow/core/curate/history"
	"winnow/core/memory"
	"winnow/core/system"
)

// undo plans the inverse of an entry, or of an undo.
func (c *Curator) undo(o memory.Order) (memory.Plan, error) {
	st := c.file.State
	step, redo, ok := next(st, o)
	by := st.Item(step.By)
	if !ok || by == nil {
		if o.Entry != "" && st.Item(o.Entry) == nil {
			return memory.Plan{}, fmt.Errorf("%s %s: %w", o.Do, o.Entry, memory.ErrNotFound)
		}
		return memory.Plan{}, memory.ErrNothing
	}
	e, err := c.file.Event(by)
	if err != nil {
		return memory.Plan{}, c.noHistory("read", err)
	}
	p := memory.Plan{Changes: inverse(e.Changes), Undoes: step.Name}
	if e.Splices != nil && len(e.Splices.Parts) > 0 {
		p.Exact = e.Splices
	}
	if len(o.IDs) > 0 {
		p.Changes, p.Exact = c.only(p.Changes, o), nil
	}
	if by.Do == memory.Reapply && c.keepCounts(p.Changes) {
		p.Exact = nil
	}
	word := "Undid: "
	if redo {
		p.Undoes, p.Redoes, word = "", step.Name, "Redid: "
	}
	what := by.What
	if named := st.Item(step.Name); named != nil {
		what = named.What
	}
	p.What = word + small(what)
	return p, nil
}

// keepCounts leaves the counts and dates of edits as high as they were, and reports
// whether they would have been lower. To do something again merges what agents counted,
// which no person set, so taking that back does not lower it.
func (c *Curator) keepCounts(changes []memory.Change) (kept bool) {
	g, ok := c.c.System.(system.Composer)
	for i := range changes {
		ch := &changes[i]
		if !ok || ch.Do != memory.Editing {
			continue
		}
		after, settled := g.Settle(memory.Forms{{Before: ch.Before, After: ch.Before}}, ch.After)
		if settled == system.Kept && after != ch.After {
			ch.After, kept = after, true
		}
	}
	return kept
}

// only returns the changes of the records that an order names. Where it has their
// Base, that is what a person saw and decided over: it is what the changes are made
// from, and none for a record that was removed.
func (c *Curator) only(changes []memory.Change, o memory.Order) []memory.Change {
	var some []memory.Change
	for _, ch := range changes {
		i := slices.Index(o.IDs, ch.ID)
		if i < 0 {
			continue
		}
		if i < len(o.Base) && ch.Do <= memory.Adding {
			ch = c.over(ch, o.Base[i])
		}
		some = append(some, ch)
	}
	return some
}

// over returns a change as it is made over the form that stands. What another writer
// made of members that the change is not about stays.
func (c *Curator) over(ch memory.Change, stands string) memory.Change {
	switch {
	case ch.Do == memory.Editing && stands == "":
		ch.Do, ch.Before = memory.Adding, ""
	case ch.Do == memory.Adding && stands != "":
		ch.Do, ch.Before, ch.Behind, ch.Spot = memory.Editing, stands, "", nil
	case ch.Do == memory.Editing && stands != ch.Before:
		if g, ok := c.c.System.(system.Composer); ok {
			ch.After, _ = g.Settle(memory.Forms{{Before: ch.Before, After: ch.After}}, stands)
		}
		ch.Before = stands
	case ch.Do == memory.Deleting && stands != "":
		ch.Before = stands
	}
	return ch
}

// next returns the step that an order means: the newest, or that of its entry. To
// undo an undo is to do again.
func next(st *history.State, o memory.Order) (s history.Step, redo, ok bool) {
	redo = o.Do == memory.Redo
	stack := st.Undo
	if redo {
		stack = st.Redo
	}
	if o.Entry == "" {
		if len(stack) == 0 {
			return s, redo, false
		}
		return stack[len(stack)-1], redo, true
	}
	for _, s := range stack {
		if s.Name == o.Entry || s.By == o.Entry {
			return s, redo, true
		}
	}
	for _, s := range st.Redo {
		if s.By == o.Entry {
			return s, true, true
		}
	}
	return s, redo, false
}

// inverse returns the changes that take the changes back, the last one first.
func inverse(changes []memory.Change) []memory.Change {
	all := make([]memory.Change, 0, len(changes))
	for i := len(changes) - 1; i >= 0; i-- {
		ch := changes[i]
		ch.Why = ""
		switch ch.Do {
		case memory.Deleting:
			ch.Do, ch.Before, ch.After = memory.Adding, "", ch.Before
		case memory.Adding:
			ch.Do, ch.Before, ch.After, ch.Behind, ch.Spot = memory.Deleting, ch.After, "", "", nil
		case memory.Editing:
			ch.Before, ch.After = ch.After, ch.Before
		case memory.Pinning:
			ch.Do = memory.Unpinning
		case memory.Unpinning:
			ch.Do = memory.Pinning
		}
		all = append(all, ch)
	}
	return all
}
