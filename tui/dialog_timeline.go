package tui

import (
	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// timelineDialog is the dialog that shows what happened to a record, and opens the session or the history
// entry of an event.
type timelineDialog struct {
	dialogState
	keys keymap.Map
	view views.Timeline
}

// newTimeline returns the dialog with the cursor on the newest event.
func newTimeline(k keymap.Map, t activity.Timeline, names map[memory.SystemID]string) *timelineDialog {
	return &timelineDialog{keys: k, view: views.Timeline{Timeline: t, Names: names, Cursor: max(len(t.Events)-1, 0)}}
}

// form implements dialog.
func (t *timelineDialog) form() dialogForm {
	d, v := t.keys.Dialog, t.view
	var e activity.Event
	none := "nothing happened"
	if v.Cursor < len(v.Events) {
		e, none = v.Events[v.Cursor], ""
	}
	open := dialogAction{Binding: keymap.As(d.Press, "open session"), Do: func() formResult {
		return staying(msg.OpenSession{ID: string(e.Agent) + ":" + e.Session})
	}}
	switch {
	case e.Entry != "":
		open.Binding = keymap.As(d.Press, "open history")
		open.Do = func() formResult { return staying(msg.OpenEntry{Entry: e.Entry}) }
	case e.Session == "":
		open.Off = "no session or entry of the history is known for it"
	}
	if none != "" {
		open.Off = none
	}
	return dialogForm{
		Keys: t.keys, Masks: true, View: v.Dialog,
		List: &formList{Len: len(v.Events), Cursor: &t.view.Cursor, Again: open.Do},
		Actions: []dialogAction{
			open, {Binding: keymap.As(d.Cancel, "close"), Do: closes},
			{Binding: t.keys.Lessons.Timeline, Do: closes, Hidden: true},
		},
	}
}

// activityDialog is the dialog that shows what happened in a store.
type activityDialog struct {
	dialogState
	keys keymap.Map
	view views.Activity
}

// newActivity returns the dialog.
func newActivity(k keymap.Map, s activity.Store) *activityDialog {
	return &activityDialog{keys: k, view: views.Activity{Store: s}}
}

// form implements dialog.
func (a *activityDialog) form() dialogForm {
	return dialogForm{
		Keys: a.keys, Masks: true, View: a.view.Dialog,
		Actions: []dialogAction{
			{Binding: keymap.As(a.keys.Dialog.Cancel, "close"), Do: closes},
			{Binding: a.keys.Home.Activity, Do: closes, Hidden: true},
		},
	}
}
