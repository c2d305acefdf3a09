package tui

import (
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/views"
)

// sessionsDialog is the dialog that lists the sessions of a store's project, and shows the one chosen.
type sessionsDialog struct {
	dialogState
	keys   keymap.Map
	view   views.Sessions
	single bool // one session is shown, without a list to return to
	stop   func()
}

// newSessions returns the dialog for a list of sessions, which says that they are being read until
// setSessions hands them over. stop ends the reading when the dialog closes.
func newSessions(k keymap.Map, names map[memory.SystemID]string, stop func()) *sessionsDialog {
	return &sessionsDialog{keys: k, stop: stop, view: views.Sessions{Names: names, Reading: true}}
}

// close implements closer.
func (s *sessionsDialog) close() {
	if s.stop != nil {
		s.stop()
	}
}

// setSessions hands over the sessions, newest first. Problem says which are missing, and may be "".
func (s *sessionsDialog) setSessions(list []memory.SessionSummary, problem string) {
	s.view.Sessions, s.view.Problem, s.view.Reading = list, problem, false
}

// newSession returns the dialog that shows one session.
func newSession(k keymap.Map, one memory.SessionSummary, names map[memory.SystemID]string) *sessionsDialog {
	return &sessionsDialog{
		keys:   k,
		single: true,
		view:   views.Sessions{Sessions: []memory.SessionSummary{one}, Names: names, Open: true},
	}
}

// form implements dialog.
func (s *sessionsDialog) form() dialogForm {
	d, v := s.keys.Dialog, s.view
	f := dialogForm{Keys: s.keys, Masks: true, View: v.Dialog}
	turn := thenStay(func() { s.view.Open, s.offset = !v.Open, 0 })
	if s.single {
		turn = closes
	}
	if v.Open {
		f.Actions = []dialogAction{
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
	f.List = &formList{Len: len(v.Sessions), Cursor: &s.view.Cursor, Again: func() formResult { return turn() }}
	f.Actions = []dialogAction{
		{Binding: keymap.As(d.Press, "show"), Off: none, Do: turn},
		{Binding: keymap.As(d.Cancel, "close"), Do: closes},
		{Binding: s.keys.Global.Sessions, Do: closes, Hidden: true},
	}
	return f
}
