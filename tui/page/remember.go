package page

import (
	"maps"

	"winnow/core/config"
	"winnow/views"
	"winnow/views/layout"
)

// Remembering is implemented by a page with state that the next run restores.
type Remembering interface {
	// Restore restores the state. It is called once, before anything else.
	Restore(s config.State)
	// Remember saves the page's state into s. It creates new maps and lists if it changes some.
	Remember(s *config.State)
}

// RestoreList restores how a screen divides its room between list and detail. A hidden list is
// shown again.
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

// RememberList saves how a screen divides its room between list and detail.
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
