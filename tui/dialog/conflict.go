package dialog

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// Conflict shows the changes of a plan that was refused, since another writer changed
// the same records, and asks about one after the other. What is decided is ordered
// anew when all are.
type Conflict struct {
	state
	keys    keymap.Map
	plan    memory.Plan
	refused []memory.Applied
	shown   int // of refused
	choices map[memory.ID]choice
}

// choice is what a person decided about a conflict.
type choice uint8

const (
	undecided choice = iota
	mine
	theirs
	both
)

// NewConflict returns the dialog for the result of a plan: the changes that were refused.
// Cancel has the focus.
func NewConflict(k keymap.Map, p memory.Plan, result memory.Result) *Conflict {
	c := &Conflict{keys: k, plan: p, choices: map[memory.ID]choice{}}
	for _, a := range result.Changes {
		if a.Fate == memory.Refused {
			c.refused = append(c.refused, a)
		}
	}
	c.focus = len(c.Form().Buttons) - 1
	return c
}

// Form implements Dialog.
func (c *Conflict) Form() Form {
	d, change := c.keys.Dialog, c.change()
	v := views.Conflict{Change: change, At: c.shown + 1, Of: len(c.refused)}
	if c.shown < len(c.refused) {
		v.Theirs = c.refused[c.shown]
	}
	f := Form{Keys: c.keys, Masks: true, View: v.Dialog, Buttons: []Action{
		{Binding: d.Mine, Label: named("Mine", d.Mine), Do: c.decides(mine)},
		{Binding: d.Theirs, Label: named("Theirs", d.Theirs), Do: c.decides(theirs)},
	}}
	keep := Action{Binding: d.Both, Label: named("Both", d.Both), Do: c.decides(both)}
	if edited := change.Edited.Title != "" || change.Edited.Body != ""; change.Do == memory.Editing && edited && v.Theirs.Theirs != "" {
		f.Buttons = append(f.Buttons, keep)
	} else {
		keep.Off = "there are not two texts to keep"
		f.Actions = []Action{keep}
	}
	f.Buttons = append(f.Buttons, Action{Binding: d.Cancel, Label: named("Cancel", d.Cancel), Do: closes})
	return f
}

// change returns the change that was refused.
func (c *Conflict) change() memory.Change {
	if c.shown < len(c.refused) {
		for _, change := range c.plan.Changes {
			if change.ID == c.refused[c.shown].ID {
				return change
			}
		}
	}
	return memory.Change{}
}

// decides returns the action that keeps a choice and goes to the next conflict.
func (c *Conflict) decides(ch choice) func() result {
	return func() result {
		if c.shown < len(c.refused) {
			c.choices[c.refused[c.shown].ID] = ch
		}
		c.shown++
		if c.shown < len(c.refused) {
			c.offset, c.focus = 0, len(c.Form().Buttons)-1
			return result{}
		}
		return result{cmd: c.orders(), done: true}
	}
}

// orders returns what was decided: the order again without what is left to the other
// writer, and an addition for each text that is kept beside theirs.
func (c *Conflict) orders() tea.Cmd {
	var cmds []tea.Cmd
	for _, o := range c.rest() {
		cmds = append(cmds, msg.Emit(msg.Order{Order: o}))
	}
	for i := range c.plan.Changes {
		if change := &c.plan.Changes[i]; c.choices[change.ID] == both {
			cmds = append(cmds, msg.Emit(msg.Order{Order: beside(&change.Edited)}))
		}
	}
	if len(cmds) == 0 {
		return msg.Emit(msg.LeftToThem{})
	}
	return tea.Sequence(cmds...)
}

// beside orders that a record of its own is made of an edited one.
func beside(r *memory.Record) memory.Order {
	outcome, tools := string(r.Outcome), slices.Clone(r.Tools)
	e := memory.Edit{Title: &r.Title, Body: &r.Body, Outcome: &outcome, Tools: &tools}
	if r.Count.Odd == "" {
		e.Count = &r.Count.N
	}
	return memory.Order{Do: memory.AddOne, Edit: e}
}

// rest returns the orders for what is not left to the other writer. What they wrote
// counts as seen.
func (c *Conflict) rest() []memory.Order {
	var mine []memory.Change
	deleting, gone := true, false
	o := c.plan.Order
	o.IDs, o.Base = nil, nil
	for _, change := range c.plan.Changes {
		if ch := c.choices[change.ID]; ch == theirs || ch == both {
			continue
		}
		mine = append(mine, change)
		o.IDs, o.Base = append(o.IDs, change.ID), append(o.Base, c.seen(&change))
		deleting = deleting && change.Do == memory.Deleting
		gone = gone || o.Do == memory.EditOne && c.removed(&change)
	}
	switch {
	case len(mine) == 0:
		return nil
	case o.Do == memory.Undo, o.Do == memory.Redo:
		return []memory.Order{o}
	case o.Do == memory.Merge && len(mine) < len(c.plan.Changes):
		return nil // of what is left nothing can be made without what was
	case deleting: // a rule would find again what was left to them
		return []memory.Order{{Do: memory.Delete, IDs: o.IDs, Base: o.Base}}
	case gone, o.Do == memory.Restore:
		return c.each(mine)
	}
	return []memory.Order{o}
}

// each orders changes one by one: an earlier state as a whole would be refused again,
// and what was edited and is gone has to be added.
func (c *Conflict) each(changes []memory.Change) []memory.Order {
	var orders []memory.Order
	gone := memory.Order{Do: memory.Delete}
	for i := range changes {
		change := &changes[i]
		after, ids, base := change.After, []memory.ID{change.ID}, []string{c.seen(change)}
		do := change.Do
		if do == memory.Editing && c.removed(change) {
			do = memory.Adding
		}
		switch do {
		case memory.Deleting:
			gone.IDs, gone.Base = append(gone.IDs, ids...), append(gone.Base, base...)
		case memory.Editing:
			orders = append(orders, memory.Order{Do: memory.EditOne, IDs: ids, Base: base, Edit: memory.Edit{Raw: &after}})
		case memory.Adding:
			orders = append(orders, memory.Order{Do: memory.AddOne, Edit: memory.Edit{Raw: &after}})
		case memory.Pinning:
			orders = append(orders, memory.Order{Do: memory.Pin, IDs: ids})
		case memory.Unpinning:
			orders = append(orders, memory.Order{Do: memory.Unpin, IDs: ids})
		}
	}
	if len(gone.IDs) > 0 {
		orders = append(orders, gone)
	}
	return orders
}

// removed reports whether the record of a change was refused because it is gone.
func (c *Conflict) removed(change *memory.Change) bool {
	return slices.ContainsFunc(c.refused, func(a memory.Applied) bool { return a.ID == change.ID && a.Theirs == "" })
}

// seen returns the stored form that the person decided about.
func (c *Conflict) seen(change *memory.Change) string {
	for _, a := range c.refused {
		if a.ID == change.ID {
			return a.Theirs
		}
	}
	return change.Before
}
