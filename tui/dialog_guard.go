package tui

import (
	"slices"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// guardDialog is the dialog that shows which changes another writer undid, and asks what to do about
// each.
type guardDialog struct {
	dialogState
	keys keymap.Map
	view views.Guard
}

// newGuard returns the dialog. Changes that another writer undid start out picked. These do not:
// records edited by both sides, unclear cases, and what the agent's own rules did. The latter are
// listed last.
func newGuard(k keymap.Map, undone []memory.Undone) *guardDialog {
	g := &guardDialog{keys: k, view: views.Guard{Picked: map[memory.ID]bool{}}}
	for _, byRule := range []bool{false, true} {
		for _, u := range undone {
			if u.Kind.ByRule() == byRule {
				g.view.Undone = append(g.view.Undone, u)
				g.view.Picked[u.ID] = u.Kind != memory.Conflict && u.Kind != memory.CannotTell && !byRule
			}
		}
	}
	return g
}

// form implements dialog.
func (g *guardDialog) form() dialogForm {
	d, v := g.keys.Dialog, &g.view
	f := dialogForm{Keys: g.keys, Masks: true, View: v.Dialog}
	if v.Compare {
		mine, back := g.orderAction(memory.Reapply, g.current), thenStay(func() { v.Compare, g.focus = false, 0 })
		f.Buttons = []dialogAction{
			{Binding: d.Mine, Label: named("Mine", d.Mine), Do: mine},
			{Binding: d.Theirs, Label: named("Theirs", d.Theirs), Do: g.orderAction(memory.Accept, g.current)},
			{Binding: keymap.As(d.Cancel, "back"), Label: named("Back", d.Cancel), Do: back},
		}
		f.Actions = []dialogAction{
			{Binding: d.Again, Do: mine, Hidden: true},
			{Binding: d.Compare, Do: back, Hidden: true},
		}
		return f
	}
	always := func() formResult { return closing(msg.Order{Order: memory.Order{Do: memory.Trust, All: true}}) }
	f.Buttons = []dialogAction{
		{Binding: d.Again, Label: named("Do mine again", d.Again), Do: g.orderAction(memory.Reapply, g.chosen)},
		{
			Binding: keymap.As(d.Theirs, "keep theirs"),
			Label:   named("Keep theirs", d.Theirs),
			Do:      g.orderAction(memory.Accept, g.chosen),
		},
		{Binding: d.Always, Label: named("Always", d.Always), Do: g.orderAction(memory.Trust, g.current)},
		{Binding: keymap.As(d.Cancel, "decide later"), Label: named("Later", d.Cancel), Do: closes},
	}
	f.Actions = []dialogAction{
		{Binding: d.AlwaysAll, Do: always},
		{Binding: d.Compare, Do: thenStay(g.compare)},
		{Binding: keymap.As(d.Pick, "pick"), Do: thenStay(g.togglePick)},
	}
	f.List = &formList{
		Len:    len(v.Undone),
		Cursor: &v.Cursor,
		Again:  thenStay(g.togglePick),
		At: func(_, _ int, s views.DialogCell) int {
			for i := range v.Undone {
				if v.RowOf(i) == s.Row {
					return i
				}
			}
			return -1
		},
	}
	return f
}

// togglePick picks or unpicks the change at the cursor.
func (g *guardDialog) togglePick() {
	for _, id := range g.current() {
		g.view.Picked[id] = !g.view.Picked[id]
	}
}

// compare shows the two forms of the change at the cursor.
func (g *guardDialog) compare() { g.view.Compare, g.offset, g.focus = len(g.view.Undone) > 0, 0, 0 }

// current returns the change at the cursor.
func (g *guardDialog) current() []memory.ID {
	if g.view.Cursor >= len(g.view.Undone) {
		return nil
	}
	return []memory.ID{g.view.Undone[g.view.Cursor].ID}
}

// chosen returns the picked changes.
func (g *guardDialog) chosen() []memory.ID {
	var ids []memory.ID
	for _, u := range g.view.Undone {
		if g.view.Picked[u.ID] {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// orderAction returns the action that orders do for some changes and removes them from the list. When
// the list is empty, the dialog closes. If there are no changes to decide about, the action compares
// the two forms of the change at the cursor instead.
func (g *guardDialog) orderAction(do memory.Act, of func() []memory.ID) func() formResult {
	return func() formResult {
		v, ids := &g.view, of()
		if len(ids) == 0 {
			g.compare()
			return formResult{}
		}
		v.Undone = slices.DeleteFunc(slices.Clone(v.Undone), func(u memory.Undone) bool {
			return slices.Contains(ids, u.ID)
		})
		v.Cursor, v.Compare, g.focus = max(min(v.Cursor, len(v.Undone)-1), 0), false, 0
		return formResult{cmd: msg.Emit(msg.Order{Order: memory.Order{Do: do, IDs: ids}}), done: len(v.Undone) == 0}
	}
}
