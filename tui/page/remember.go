package page

import (
	"maps"

	"winnow/core/config"
	"winnow/views/layout"
)

// Remembering is implemented by a page with something that the next run begins with.
type Remembering interface {
	// Restore takes what was remembered. It is called once, before anything else.
	Restore(s config.State)
	// Remember puts what is to be remembered into s. last is set when the program ends. It makes new maps
	// and lists where it changes some.
	Remember(s *config.State, last bool)
}

// RestoreList takes how the list of a screen shared its room. A list that was hidden is shown.
func RestoreList(s config.State, screen string, mode *layout.Mode, share *int) {
	was, ok := s.Lists[screen]
	if !ok {
		return
	}
	if layout.Mode(was.Layout) == layout.ListOnly {
		*mode = layout.ListOnly
	}
	if was.Share != 0 {
		*share = layout.Resized(was.Share, 0)
	}
}

// RememberList keeps how the list of a screen shares its room.
func RememberList(s *config.State, screen string, mode layout.Mode, share int) {
	now := config.List{Share: share}
	if mode == layout.ListOnly {
		now.Layout = int(mode)
	}
	if was, ok := s.Lists[screen]; was == now || !ok && now == (config.List{Share: layout.Share}) {
		return
	}
	s.Lists = maps.Clone(s.Lists)
	if s.Lists == nil {
		s.Lists = map[string]config.List{}
	}
	s.Lists[screen] = now
}
