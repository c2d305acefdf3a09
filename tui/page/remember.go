package page

import (
	"maps"

	"winnow/core/config"
	"winnow/views"
	"winnow/views/layout"
)

// Remembering is implemented by a page with something that the next run begins with.
type Remembering interface {
	// Restore takes what was remembered. It is called once, before anything else.
	Restore(s config.State)
	// Remember puts what is to be remembered into s. It makes new maps and lists where it changes some.
	Remember(s *config.State)
}

// RestoreList takes how the list of a screen shared its room. A list that was hidden is shown.
func RestoreList(s config.State, screen string, at *views.Listing) {
	was, ok := s.Lists[screen]
	if !ok {
		return
	}
	if layout.Mode(was.Layout) == layout.ListOnly {
		at.Layout = layout.ListOnly
	}
	if was.Share != 0 {
		at.Share = layout.Resized(was.Share, 0)
	}
}

// RememberList keeps how the list of a screen shares its room.
func RememberList(s *config.State, screen string, at *views.Listing) {
	now := config.List{Share: at.Share}
	if at.Layout == layout.ListOnly {
		now.Layout = int(at.Layout)
	}
	if was, ok := s.Lists[screen]; was == now || !ok && now == (config.List{Share: layout.Share}) {
		return
	}
	lists := map[string]config.List{}
	maps.Copy(lists, s.Lists)
	lists[screen] = now
	s.Lists = lists
}
