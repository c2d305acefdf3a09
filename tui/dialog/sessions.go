package dialog

import (
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views"
)

// Sessions is the dialog that lists the sessions of a store's project, and shows the one chosen.
type Sessions struct {
	state
	keys   keymap.Map
	view   views.Sessions
	single bool // one session is shown, without a list to return to
	stop   func()
}

// NewSessions returns the dialog for a list of sessions, which says that they are being read until
// SetSessions hands them over. stop ends the reading when the dialog closes.
func NewSessions(k keymap.Map, names map[memory.SystemID]string, stop func()) *Sessions {
	return &Sessions{keys: k, stop: stop, view: views.Sessions{Names: names, Reading: true}}
}

// Close implements Closer.
func (s *Sessions) Close() {
	if s.stop != nil {
		s.stop()
	}
}

// SetSessions hands over the sessions, newest first. Problem says which are missing, and may be "".
func (s *Sessions) SetSessions(list []memory.SessionSummary, problem string) {
	s.view.Sessions, s.view.Problem, s.view.Reading = list, problem, false
}

// NewSession returns the dialog that shows one session.
func NewSession(k keymap.Map, one memory.SessionSummary, names map[memory.SystemID]string) *Sessions {
	return &Sessions{
		keys:   k,
		single: true,
		view:   views.Sessions{Sessions: []memory.SessionSummary{one}, Names: names, Open: true},
	}
}

// Form implements Dialog.
func (s *Sessions) Form() Form {
	d, v := s.keys.Dialog, s.view
	f := Form{Keys: s.keys, Masks: true, View: v.Dialog}
	turn := thenStay(func() { s.view.Open, s.offset = !v.Open, 0 })
	if s.single {
		turn = closes
	}
	if v.Open {
		f.Actions = []Action{
			{Binding: keymap.As(d.Press, "back"), Do: turn},
			{Binding: keymap.As(d.Cancel, "back"), Do: turn, Hidden: true},
		}
		return f
	}
	none := ""
	switch {
	case v.Reading:
		none = "the sessions are being read"
	case len(v.Sessions) == 0:
		none = "there is no session"
	}
	f.List = &List{Len: len(v.Sessions), Cursor: &s.view.Cursor, Again: func() result { return turn() }}
	f.Actions = []Action{
		{Binding: keymap.As(d.Press, "show"), Off: none, Do: turn},
		{Binding: keymap.As(d.Cancel, "close"), Do: closes},
		{Binding: s.keys.Global.Sessions, Do: closes, Hidden: true},
	}
	return f
}
