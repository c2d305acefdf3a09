package dialog

import (
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views"
)

// Sessions lists the sessions of a store's project, and shows one of them.
type Sessions struct {
	state
	keys keymap.Map
	view views.Sessions
}

// NewSessions returns the dialog. Problem says which sessions are missing, and may be empty.
func NewSessions(k keymap.Map, list []memory.SessionSummary, names map[memory.SystemID]string, problem string) *Sessions {
	return &Sessions{keys: k, view: views.Sessions{Sessions: list, Names: names, Problem: problem}}
}

// Form implements Dialog.
func (s *Sessions) Form() Form {
	d, v := s.keys.Dialog, s.view
	f := Form{Keys: s.keys, Masks: true, View: v.Dialog}
	turn := then(func() { s.view.Open, s.offset = !v.Open, 0 })
	if v.Open {
		f.Actions = []Action{
			{Binding: keymap.Named(d.Press, "Enter", "back"), Do: turn},
			{Binding: keymap.Named(d.Cancel, "Esc", "back"), Do: turn, Hidden: true},
		}
		return f
	}
	none := ""
	if len(v.Sessions) == 0 {
		none = "there is no session"
	}
	f.List = &List{Len: len(v.Sessions), Cursor: &s.view.Cursor, Again: func() result { return turn() }}
	f.Actions = []Action{
		{Binding: keymap.Named(d.Press, "Enter", "show"), Off: none, Do: turn},
		{Binding: keymap.Named(d.Cancel, "Esc", "close"), Do: closes}, {Binding: s.keys.Global.Sessions, Do: closes, Hidden: true},
	}
	return f
}
