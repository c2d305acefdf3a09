package tui

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// View implements tea.Model. It returns what Update drew, and changes nothing.
func (a *App) View() tea.View {
	v := a.drawn
	v.AltScreen = true
	v.WindowTitle = "winnow" // never text from a store
	if a.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	return v
}

// setScreen tells the dialogs the size and look of their screen.
func (a *App) setScreen() {
	if a.w == 0 || a.h == 0 || a.tooSmall() {
		a.stack.setScreen(views.Look{}, 0, 0)
		return
	}
	s := layout.Divide(a.w, a.h)
	look := views.Look{
		Keyed:  views.Keyed{Keys: &a.cfg.Keys},
		Theme:  a.theme,
		Reveal: a.reveal,
		Now:    a.now,
		Mask:   a.mask(),
	}
	a.stack.setScreen(look, s.Body.Dx(), s.Body.Dy())
}

func (a *App) tooSmall() bool { return layout.TooSmall(a.w, a.h) }

// draw returns the whole screen. It is empty until the terminal's size is known.
func (a *App) draw() tea.View {
	switch {
	case a.w == 0 || a.h == 0:
		return tea.NewView("")
	case a.tooSmall():
		return tea.NewView(views.TooSmall(a.theme, a.w, a.h))
	}
	s := layout.Divide(a.w, a.h)
	w, h, rows := s.Body.Dx(), s.Body.Dy(), a.bannerRows()
	body := a.body(w, h-rows)
	if rows > 0 {
		body = a.banner().Render(a.theme, w) + "\n" + body
	}
	body = a.stack.render(body)
	v := tea.NewView(a.header().Render(a.theme, a.w) + "\n" + body + "\n" + a.footer().Render(a.theme, a.w))
	v.Cursor = a.cursor()
	return v
}

// banner returns the line above the page: what other writers undid, or what is wrong with the
// settings.
func (a *App) banner() views.Banner {
	b := views.Banner{Key: a.keys.Guard.Help().Key, Notice: a.cfg.Notice}
	for _, u := range a.store.snap.Undone {
		switch {
		case u.Kind.ByRule() || u.Always:
		case u.Kind == memory.SecretBack:
			b.Secrets++
		case u.Kind == memory.CannotTell:
			b.Unsure++
		default:
			b.Undone++
		}
	}
	return b
}

// bannerRows returns the number of lines that the banner takes from the page.
func (a *App) bannerRows() int {
	if a.cfg.Notice == "" && (a.blank() || a.awaiting() == 0) {
		return 0
	}
	return 1
}

// room returns the terminal size that pages are told: without the lines of the banner.
func (a *App) room() tea.WindowSizeMsg {
	return tea.WindowSizeMsg{Width: a.w, Height: max(a.h-a.bannerRows(), 0)}
}

// resized tells the pages their new size if the banner appeared or disappeared. Rows is the value of
// bannerRows before.
func (a *App) resized(rows int) tea.Cmd {
	if rows == a.bannerRows() {
		return nil
	}
	return a.broadcast(a.room())
}

func (a *App) body(w, h int) string {
	if a.blank() {
		s := a.cfg.Survey
		return views.NoStore{
			Keyed:     views.Keyed{Keys: &a.cfg.Keys},
			Looked:    s.Looked,
			Found:     len(s.Places),
			Searching: a.searching(),
			Unfolded:  a.unfolded,
			Setups:    a.cfg.Setups,
			CanOpen:   a.cfg.Finder != nil, CanDemo: a.cfg.Demo != nil,
		}.Render(a.theme, w, h)
	}
	return a.current().Render(w, h)
}

// searching reports whether the search for stores still runs. A finished search names at least one
// place where it looked.
func (a *App) searching() bool { return len(a.cfg.Survey.Looked)+len(a.cfg.Survey.Places) == 0 }

// top returns the first screen line of the page.
func (a *App) top() int { return layout.Divide(a.w, a.h).Body.Min.Y + a.bannerRows() }

// cursor returns the terminal cursor that the page wants, or nil.
func (a *App) cursor() *tea.Cursor {
	c, ok := a.current().(page.Cursor)
	if !ok || !a.stack.empty() || a.blank() {
		return nil
	}
	x, y, ok := c.Cursor()
	if !ok {
		return nil
	}
	cursor := tea.NewCursor(x, a.top()+y)
	cursor.Blink = false
	return cursor
}

func (a *App) header() views.Header {
	h := views.Header{Active: a.active}
	for _, p := range a.pages {
		h.Tabs = append(h.Tabs, tab(p))
	}
	if a.store.id == "" {
		return h
	}
	s := a.store.snap
	open := a.openPlace()
	h.Path, h.Held, h.Cap = cmp.Or(s.Place.Path, a.store.id.Path()), s.Held, s.Cap
	h.Short, h.Brief = views.ShortName(a.cfg.Names, open), views.BriefName(open)
	other := func(p memory.Place) bool { return p.System != a.cfg.Survey.Places[0].System }
	if place := s.Place; place.System != "" && (!place.ByPath || slices.ContainsFunc(a.cfg.Survey.Places, other)) {
		h.Path = views.PlaceName(a.cfg.Names, place)
		if h.Cap == 0 && a.store.loaded && s.Problem == nil {
			h.Count = s.Noun.Count(s.Counted())
		}
	}
	if m := a.mask(); m != nil {
		h.Path, h.Short, h.Brief = m(h.Path), m(h.Short), m(h.Brief)
	}
	h.State, h.Warn = a.liveness()
	if a.store.loaded && a.whyReadOnly(a.store.snap) != "" {
		h.State, h.Warn = "READ-ONLY "+h.State, true
	}
	return h
}

// tab returns the label of a page's tab.
func tab(p page.Page) string {
	if b, ok := p.(page.Badge); ok && b.Badge() != "" {
		return p.Title() + " " + b.Badge()
	}
	return p.Title()
}

// liveness says how changes of the store reach the screen and, for a minute after a write, how long
// ago that was. Warn is set if the store is not watched live.
func (a *App) liveness() (state string, warn bool) {
	ago := a.now.Sub(a.store.written)
	written := within(ago, time.Minute)
	switch {
	case !a.store.loaded:
		return "reading", false
	case a.store.snap.Watch == memory.WatchPoll:
		state, warn = "* poll", true
	case a.store.snap.Watch == memory.WatchLive:
		state = "* live"
	default:
		return "not watched", true
	}
	if written {
		state += ", written " + strconv.Itoa(int(max(ago, 0)/time.Second)) + "s ago"
	}
	return state, warn
}

// mostHints is how many keys the footer names beside help and quit.
const mostHints = 6

// footer returns the hints for the row under the cursor: the first keys of the page that do something
// right now, the way back if something is open, and the list of all keys.
func (a *App) footer() views.Footer {
	f := views.Footer{Toast: cmp.Or(a.toast.text, a.tourStep()), Failed: a.toast.failed, News: a.news.text}
	if m := a.mask(); m != nil {
		f.Toast = m(f.Toast)
	}
	switch {
	case !a.stack.empty():
		f.Page = a.stack.keys()
		if a.stack.masks() {
			f.Last = []keymap.Binding{a.keys.Reveal}
		}
		return f
	case a.typing():
		f.Page = a.pageActions().On()
		f.Page = f.Page[:min(len(f.Page), mostHints)]
		return f
	}
	own := a.pageActions().On()
	all := slices.Concat(own, a.actions().On())
	f.Page = slices.DeleteFunc(own, a.isShared)
	if len(f.Page) == 0 { // nothing is listed
		f.Page = slices.DeleteFunc(slices.Clone(all), a.isShared)
	}
	for _, b := range []keymap.Binding{a.keys.Guard, a.keys.Back, a.keys.Palette} {
		if i := slices.IndexFunc(all, func(x keymap.Binding) bool { return slices.Equal(x.Keys(), b.Keys()) }); i >= 0 {
			f.Then = append(f.Then, all[i])
		}
	}
	f.Page = f.Page[:min(len(f.Page), mostHints-len(f.Then))]
	f.Last = []keymap.Binding{a.keys.Help, a.keys.Quit}
	if a.chosen && !a.onHome() {
		f.Last[1] = keymap.As(a.keys.Quit, "back")
	}
	return f
}

// isShared reports whether a binding is not among the first hints: it moves, it is added last, or it is
// only in the help.
func (a *App) isShared(b keymap.Binding) bool {
	m, g := a.cfg.Keys.Move, a.cfg.Keys.Global
	return contains([]keymap.Binding{
		m.Up, m.Down, m.Top, m.Bottom, m.HalfUp, m.HalfDown, m.PageUp, m.PageDown,
		m.Left, m.Right, m.NextMatch, m.PrevMatch,
		g.NextPane, g.PrevPane, g.Back, g.Layout, g.ShrinkList, g.GrowList,
		g.Guard, g.Palette, g.Help, g.Quit, g.Abort, g.Redraw, g.Suspend,
	}, b)
}

func contains(list []keymap.Binding, b keymap.Binding) bool {
	return slices.ContainsFunc(list, func(x keymap.Binding) bool { return slices.Equal(x.Keys(), b.Keys()) })
}
