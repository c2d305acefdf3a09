package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// conflictDialog is the dialog that shows records changed by two writers and asks about one after the
// other. The conflicts are either those of a plan that was refused, or inbox entries that were
// changed on both sides of a share. When all of a plan's conflicts are decided, the plan's order
// is sent again.
type conflictDialog struct {
	dialogState
	keys    keymap.Map
	plan    memory.Plan // zero for inbox entries
	sides   []views.Conflict
	shown   int // index in sides
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

// newConflict returns the dialog for the changes of a plan that were refused. The focus is on
// Cancel.
func newConflict(k keymap.Map, p memory.Plan, result memory.Result) *conflictDialog {
	c := &conflictDialog{keys: k, plan: p, choices: map[memory.ID]choice{}}
	for _, a := range result.Changes {
		for _, change := range p.Changes {
			if a.Fate == memory.Refused && change.ID == a.ID {
				c.sides = append(c.sides, views.Conflict{Change: change, Theirs: a})
			}
		}
	}
	c.focus = len(c.form().Buttons) - 1
	return c
}

// newConflictOfEntries returns the dialog for inbox entries. The focus is on Cancel.
func newConflictOfEntries(k keymap.Map, entries []*memory.InboxEntry) *conflictDialog {
	c := &conflictDialog{keys: k, choices: map[memory.ID]choice{}}
	for _, e := range entries {
		// A share carries only title, body, outcome and tools. The other fields are those of our record.
		theirs := memory.Record{
			ID:      e.Mine.ID,
			Count:   e.Mine.Count,
			Session: e.Mine.Session,
			Created: e.Mine.Created,
			Used:    e.Mine.Used,
		}
		theirs.Title, theirs.Body = e.Record.Title, e.Record.Body
		theirs.Outcome, theirs.Tools = e.Record.Outcome, e.Record.Tools
		c.sides = append(c.sides, views.Conflict{
			Change: memory.Change{
				Do:     memory.Editing,
				ID:     memory.ID(e.ID),
				Record: *e.Mine,
				Edited: *e.Mine,
				After:  e.Mine.Raw,
			},
			Theirs: memory.Applied{ID: memory.ID(e.ID), Theirs: e.Stored, TheirRecord: theirs}, Entry: e,
		})
	}
	c.focus = len(c.form().Buttons) - 1
	return c
}

// form implements dialog.
func (c *conflictDialog) form() dialogForm {
	v := views.Conflict{}
	if c.shown < len(c.sides) {
		v = c.sides[c.shown]
	}
	v.At, v.Of = c.shown+1, len(c.sides)
	d, change := c.keys.Dialog, v.Change
	f := dialogForm{Keys: c.keys, Masks: true, View: v.Dialog, Buttons: []dialogAction{
		{Binding: d.Mine, Label: named("Mine", d.Mine), Do: c.choose(mine)},
		{Binding: d.Theirs, Label: named("Theirs", d.Theirs), Do: c.choose(theirs)},
	}}
	keep := dialogAction{Binding: d.Both, Label: named("Both", d.Both), Do: c.choose(both)}
	if edited := change.Edited.Title != "" || change.Edited.Body != ""; change.Do == memory.Editing && edited &&
		v.Theirs.Theirs != "" {
		f.Buttons = append(f.Buttons, keep)
	} else {
		keep.Off = "there are not two texts to keep"
		f.Actions = []dialogAction{keep}
	}
	f.Buttons = append(f.Buttons, dialogAction{Binding: d.Cancel, Label: named("Cancel", d.Cancel), Do: closes})
	return f
}

// choose returns the action that stores a choice and goes to the next conflict. After the last
// one it closes the dialog and carries out all choices.
func (c *conflictDialog) choose(ch choice) func() formResult {
	return func() formResult {
		if c.shown < len(c.sides) {
			c.choices[c.sides[c.shown].Change.ID] = ch
		}
		c.shown++
		if c.shown < len(c.sides) {
			c.offset, c.focus = 0, len(c.form().Buttons)-1
			return formResult{}
		}
		return formResult{cmd: c.orders(), done: true}
	}
}

// orders carries out the choices. It repeats the order without the records left to the other
// writer, and adds a record for each text to keep beside theirs.
func (c *conflictDialog) orders() tea.Cmd {
	var cmds []tea.Cmd
	for _, s := range c.sides {
		if s.Entry != nil {
			cmds = append(
				cmds,
				msg.Emit(
					msg.Reviewed{
						Order: memory.InboxOrder{Do: reviews[c.choices[s.Change.ID]], IDs: []string{s.Entry.ID}},
					},
				),
			)
		}
	}
	for _, o := range c.chosenOrders() {
		cmds = append(cmds, msg.Emit(msg.Order{Order: o}))
	}
	for i := range c.plan.Changes {
		if change := &c.plan.Changes[i]; c.choices[change.ID] == both {
			cmds = append(cmds, msg.Emit(msg.Order{Order: addBeside(&change.Edited)}))
		}
	}
	if len(cmds) == 0 {
		return msg.Emit(msg.LeftToThem{})
	}
	return tea.Sequence(cmds...)
}

// reviews maps choices to inbox decisions, as winnow sync --take does.
var reviews = [...]memory.InboxAct{mine: memory.InboxReject, theirs: memory.InboxApprove, both: memory.InboxBoth}

// addBeside returns the order that adds the edited record r as a new record.
func addBeside(r *memory.Record) memory.Order {
	outcome, tools := string(r.Outcome), slices.Clone(r.Tools)
	e := memory.Edit{Title: &r.Title, Body: &r.Body, Outcome: &outcome, Tools: &tools}
	if r.Count.Odd == "" {
		e.Count = &r.Count.N
	}
	return memory.Order{Do: memory.AddOne, Edit: e}
}

// chosenOrders returns the orders for the changes that the person chose to make. Their base is what the
// other writer stored, because the person has seen that.
func (c *conflictDialog) chosenOrders() []memory.Order {
	var mine []memory.Change
	deleting, gone := true, false
	o := c.plan.Order
	o.IDs, o.Base = nil, nil
	for _, change := range c.plan.Changes {
		if ch := c.choices[change.ID]; ch == theirs || ch == both {
			continue
		}
		mine = append(mine, change)
		o.IDs, o.Base = append(o.IDs, change.ID), append(o.Base, c.seenForm(&change))
		deleting = deleting && change.Do == memory.Deleting
		gone = gone || o.Do == memory.EditOne && c.seenForm(&change) == ""
	}
	switch {
	case len(mine) == 0:
		return nil
	case o.Do == memory.Undo, o.Do == memory.Redo:
		return []memory.Order{o}
	case o.Do == memory.Merge && len(mine) < len(c.plan.Changes):
		return nil // a merge needs all of its records
	case deleting: // name the records: a rule would match those left to the other writer again
		return []memory.Order{{Do: memory.Delete, IDs: o.IDs, Base: o.Base}}
	case gone, o.Do == memory.Restore:
		return c.ordersFor(mine)
	}
	return []memory.Order{o}
}

// ordersFor returns one order per change, and one for all deletions. Restoring a whole earlier state
// would be refused again, and a record that was edited but is gone now must be added.
func (c *conflictDialog) ordersFor(changes []memory.Change) []memory.Order {
	var orders []memory.Order
	gone := memory.Order{Do: memory.Delete}
	for i := range changes {
		change := &changes[i]
		after, ids, base := change.After, []memory.ID{change.ID}, []string{c.seenForm(change)}
		do := change.Do
		if do == memory.Editing && c.seenForm(change) == "" {
			do = memory.Adding
		}
		switch do {
		case memory.Deleting:
			gone.IDs, gone.Base = append(gone.IDs, ids...), append(gone.Base, base...)
		case memory.Editing:
			orders = append(
				orders,
				memory.Order{Do: memory.EditOne, IDs: ids, Base: base, Edit: memory.Edit{Raw: &after}},
			)
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

// seenForm returns the stored form that the person has seen, or "" if the record is gone.
func (c *conflictDialog) seenForm(change *memory.Change) string {
	for _, s := range c.sides {
		if s.Change.ID == change.ID {
			return s.Theirs.Theirs
		}
	}
	return change.Before
}
