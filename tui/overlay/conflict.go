package overlay

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// Conflict shows the changes of a plan that was refused, since another writer changed
// the same records, and asks about one after the other. What is decided is ordered
// anew when all are.
type Conflict struct {
	facts
	pointer
	scroll
	keys    keymap.Map
	plan    memory.Plan
	refused []memory.Applied
	at      int
	choices map[memory.ID]choice
	focus   int
}

// choice is what a person decided about a conflict.
type choice uint8

const (
	undecided choice = iota
	mine
	theirs
	both
)

// NewConflict returns the dialog for what became of a plan: the changes in result that
// were refused. Cancel has the focus.
func NewConflict(k keymap.Map, p memory.Plan, result memory.Result) *Conflict {
	c := &Conflict{keys: k, plan: p, choices: map[memory.ID]choice{}}
	for _, a := range result.Changes {
		if a.Fate == memory.Refused {
			c.refused = append(c.refused, a)
		}
	}
	c.focus = len(c.view().Names()) - 1
	return c
}

// change returns the change that was refused.
func (c *Conflict) change() memory.Change {
	if c.at < len(c.refused) {
		for _, change := range c.plan.Changes {
			if change.ID == c.refused[c.at].ID {
				return change
			}
		}
	}
	return memory.Change{}
}

// Update implements Dialog.
func (c *Conflict) Update(m tea.Msg) (tea.Cmd, bool) {
	d := c.keys.Dialog
	if wheel, ok := m.(msg.Wheel); ok {
		c.by(wheel.Lines)
	}
	k, ok := c.press(d, m, &c.focus).(tea.KeyPressMsg)
	if !ok {
		return nil, true
	}
	names, pressed := len(c.view().Names()), undecided
	if key.Matches(k, d.Press) && c.focus < names-1 {
		pressed = mine + choice(c.focus)
	}
	switch {
	case key.Matches(k, d.Mine), pressed == mine:
		return c.decide(mine)
	case key.Matches(k, d.Theirs), pressed == theirs:
		return c.decide(theirs)
	case key.Matches(k, d.Both), pressed == both:
		if names == 4 {
			return c.decide(both)
		}
	case key.Matches(k, d.Cancel, d.Press):
		return nil, false
	case c.onKey(d, k):
	default:
		c.focus = turned(d, k, c.focus, names)
	}
	return nil, true
}

// decide keeps a choice and goes to the next conflict.
func (c *Conflict) decide(ch choice) (tea.Cmd, bool) {
	if c.at < len(c.refused) {
		c.choices[c.refused[c.at].ID] = ch
	}
	c.at++
	if c.at < len(c.refused) {
		c.offset, c.focus = 0, len(c.view().Names())-1
		return nil, true
	}
	return c.orders(), false
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

func (c *Conflict) view() views.Conflict {
	change := c.change()
	v := views.Conflict{
		Change: change, At: c.at + 1, Of: len(c.refused), Focus: c.focus, Offset: c.offset, Reveal: c.reveal,
	}
	if c.at < len(c.refused) {
		v.Theirs = c.refused[c.at]
	}
	edited := change.Edited.Title != "" || change.Edited.Body != ""
	v.Both = change.Do == memory.Editing && edited && v.Theirs.Theirs != ""
	return v
}

// Render implements Dialog.
func (c *Conflict) Render(t theme.Theme, w, h int) string {
	c.drawn(c.view().Last(t, w, h))
	v := c.view()
	c.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (c *Conflict) Keys() []keymap.Binding {
	d := c.keys.Dialog
	list := []keymap.Binding{d.Mine, d.Theirs}
	if c.view().Both {
		list = append(list, d.Both)
	}
	list = append(list, d.Cancel, d.Focus, d.Press)
	if c.last > 0 {
		list = append(list, d.Down, d.Up)
	}
	return list
}
