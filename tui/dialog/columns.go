package dialog

import (
	"slices"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// Columns is the dialog that chooses the columns of a list and their order.
type Columns struct {
	state
	keys keymap.Map
	view views.ColumnMenu
}

// NewColumns returns the dialog for the columns of a list.
func NewColumns(k keymap.Map, m msg.PickColumns) *Columns {
	c := &Columns{keys: k}
	for i, name := range m.All {
		c.view.Columns = append(c.view.Columns, views.ColumnChoice{Name: name, Shown: i < m.Shown})
	}
	return c
}

// Form implements Dialog.
func (c *Columns) Form() Form {
	d := c.keys.Dialog
	return Form{
		Keys: c.keys, View: c.view.Dialog, List: &List{Len: len(c.view.Columns), Cursor: &c.view.Cursor, Again: c.toggle},
		Buttons: []Action{
			{Binding: keymap.As(d.Cancel, "done"), Label: "Done", Do: closes},
			{Binding: keymap.As(d.Left, "earlier"), Label: "Earlier", Do: func() result { return c.move(-1) }},
			{Binding: keymap.As(d.Right, "later"), Label: "Later", Do: func() result { return c.move(+1) }},
			{Binding: keymap.As(d.Restore, "as usual"), Label: "As usual", Do: func() result { return closing(msg.Columns{}) }},
		},
		Actions: []Action{{Binding: keymap.As(d.Pick, "show or hide"), Do: c.toggle}, {Binding: c.keys.Lessons.Columns, Do: closes, Hidden: true}},
	}
}

// toggle shows or hides the column at the cursor.
func (c *Columns) toggle() result {
	at := &c.view.Columns[c.view.Cursor]
	at.Shown = !at.Shown
	return c.chosen()
}

// move moves the column at the cursor by that many positions.
func (c *Columns) move(by int) result {
	from, to := c.view.Cursor, c.view.Cursor+by
	if to < 0 || to >= len(c.view.Columns) {
		return result{}
	}
	c.view.Columns[from], c.view.Columns[to] = c.view.Columns[to], c.view.Columns[from]
	c.view.Cursor = to
	return c.chosen()
}

// chosen makes the list show the chosen columns.
func (c *Columns) chosen() result {
	names := []string{}
	for _, column := range c.view.Columns {
		if column.Shown {
			names = append(names, column.Name)
		}
	}
	return staying(msg.Columns{Names: slices.Clip(names)})
}
