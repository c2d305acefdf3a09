package tui

import (
	"slices"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// historyDialog is the dialog that shows the changes of a store, and restores an earlier state.
type historyDialog struct {
	dialogState
	keys keymap.Map
	view views.History
}

// newHistory returns the dialog with the cursor on entry at, or on the newest if there is no such
// entry.
func newHistory(k keymap.Map, h memory.History, at memory.EntryID) *historyDialog {
	i := slices.IndexFunc(h.Entries, func(e memory.Entry) bool { return e.ID == at })
	return &historyDialog{keys: k, view: views.History{History: h, Cursor: max(i, 0)}}
}

// form implements dialog. Orders are shown before they are carried out, except for undo and redo.
func (h *historyDialog) form() dialogForm {
	d, g, v := h.keys.Dialog, h.keys.Global, h.view
	v.Offset = h.offset
	var e memory.Entry
	noEntry, noChange := "", ""
	if v.Cursor < len(v.History.Entries) {
		e = v.History.Entries[v.Cursor]
	} else {
		noEntry = "there is no entry"
	}
	if noChange = noEntry; noChange == "" && v.Change >= len(e.Changes) {
		noChange = "this entry has no changes"
	}
	restore := func(ids ...memory.ID) formResult {
		return closing(msg.Order{Order: memory.Order{Do: memory.Restore, Entry: e.ID, IDs: ids}, Ask: true})
	}
	past := func(b keymap.Binding, do memory.Act, last memory.EntryID) dialogAction {
		return dialogAction{Binding: b, Hidden: last == "", Do: func() formResult {
			return closing(msg.Order{Order: memory.Order{Do: do}})
		}}
	}
	change := func(by int) func() formResult {
		return thenStay(func() { h.view.Change, h.follow = max(min(v.Change+by, len(e.Changes)-1), 0), true })
	}
	state := func() formResult { return restore() }
	return dialogForm{
		Keys: h.keys, Masks: true, View: v.Dialog,
		List: &formList{Len: len(v.History.Entries), Cursor: &h.view.Cursor, At: v.EntryAt, Moved: func() {
			h.view.Change, h.offset = 0, 0
		}},
		Actions: []dialogAction{
			{Binding: keymap.As(d.Press, "restore to here"), Off: noEntry, Do: state},
			{Binding: d.Restore, Off: noEntry, Do: state, Hidden: true},
			{Binding: d.RestoreOne, Off: noChange, Do: func() formResult { return restore(e.Changes[v.Change].ID) }},
			{Binding: keymap.Both(d.Right, d.Left, "record"), Do: change(+1), Hidden: len(e.Changes) < 2},
			{Binding: d.Focus, Do: change(+1), Hidden: true},
			{Binding: d.Left, Do: change(-1), Hidden: true},
			{Binding: d.FocusBack, Do: change(-1), Hidden: true},
			past(g.Undo, memory.Undo, v.History.Undo),
			past(g.Redo, memory.Redo, v.History.Redo),
			{Binding: keymap.As(d.Cancel, "close"), Do: closes},
			{Binding: g.History, Do: closes, Hidden: true},
		},
	}
}
