package dialog

import (
	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// Timeline is the dialog that shows what happened to a record, and opens the session or the history
// entry of an event.
type Timeline struct {
	state
	keys keymap.Map
	view views.Timeline
}

// NewTimeline returns the dialog with the cursor on the newest event.
func NewTimeline(k keymap.Map, t activity.Timeline, names map[memory.SystemID]string) *Timeline {
	return &Timeline{keys: k, view: views.Timeline{Timeline: t, Names: names, Cursor: max(len(t.Events)-1, 0)}}
}

// Form implements Dialog.
func (t *Timeline) Form() Form {
	d, v := t.keys.Dialog, t.view
	var e activity.Event
	none := "nothing happened"
	if v.Cursor < len(v.Events) {
		e, none = v.Events[v.Cursor], ""
	}
	open := Action{Binding: keymap.As(d.Press, "open session"), Do: func() result {
		return staying(msg.OpenSession{ID: string(e.Agent) + ":" + e.Session})
	}}
	switch {
	case e.Entry != "":
		open.Binding = keymap.As(d.Press, "open history")
		open.Do = func() result { return staying(msg.OpenEntry{Entry: e.Entry}) }
	case e.Session == "":
		open.Off = "no session or entry of the history is known for it"
	}
	if none != "" {
		open.Off = none
	}
	return Form{
		Keys: t.keys, Masks: true, View: v.Dialog,
		List: &List{Len: len(v.Events), Cursor: &t.view.Cursor, Again: open.Do},
		Actions: []Action{
			open, {Binding: keymap.As(d.Cancel, "close"), Do: closes},
			{Binding: t.keys.Lessons.Timeline, Do: closes, Hidden: true},
		},
	}
}

// Activity is the dialog that shows what happened in a store.
type Activity struct {
	state
	keys keymap.Map
	view views.Activity
}

// NewActivity returns the dialog.
func NewActivity(k keymap.Map, s activity.Store) *Activity {
	return &Activity{keys: k, view: views.Activity{Store: s}}
}

// Form implements Dialog.
func (a *Activity) Form() Form {
	return Form{
		Keys: a.keys, Masks: true, View: a.view.Dialog,
		Actions: []Action{
			{Binding: keymap.As(a.keys.Dialog.Cancel, "close"), Do: closes},
			{Binding: a.keys.Home.Activity, Do: closes, Hidden: true},
		},
	}
}
