package tui

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
	"winnow/views/theme"
)

// actions returns the root's keys, in the order of the help.
func (a *App) actions() page.Actions {
	k, found := a.keys, len(a.cfg.Survey.Places) > 0
	all := page.Actions{
		{Binding: k.Undo, Off: a.whyFixed(), Run: func() tea.Cmd { return a.undo(memory.Undo) }},
		{Binding: k.Redo, Off: a.whyFixed(), Run: func() tea.Cmd { return a.undo(memory.Redo) }},
		{
			Binding: k.History,
			Off:     cmp.Or(a.whyNoStore(), page.Unless(a.cfg.Curator != nil, "no history is kept here")),
			Run:     func() tea.Cmd { return a.openHistory("") },
		},
		{
			Binding: k.Guard,
			Off:     page.Unless(len(a.store.snap.Undone) > 0, "no other writer undid a change of yours"),
			Run:     a.openGuard,
		},
		{
			Binding: k.Sessions,
			Off:     cmp.Or(a.whyNoStore(), page.Unless(a.cfg.Sessions != nil, "no sessions are read here")),
			Run:     a.openSessions,
		},
		{
			Binding: k.Everywhere,
			Off:     page.Unless(a.cfg.Searcher != nil && found, "no store was found"),
			Run:     a.openEverywhere,
		},
		{Binding: k.Screens}, // handled by press
		{Binding: k.PrevScreen, Run: page.Do(func() { a.turn(-1) })},
		{Binding: k.NextScreen, Run: page.Do(func() { a.turn(+1) })},
		{Binding: k.Switch, Run: func() tea.Cmd { return a.openPalette(kindStores) }},
		{Binding: k.OpenPath, Off: page.Unless(a.cfg.Finder != nil, "no paths are looked at here"), Run: a.openPath},
		{Binding: k.Reveal, Run: a.toggleReveal},
		{Binding: k.Theme, Run: a.nextTheme},
		{Binding: k.Mouse, Run: a.toggleMouse},
		{Binding: k.Redraw, Run: func() tea.Cmd { return tea.ClearScreen }},
		{Binding: k.Suspend, Run: func() tea.Cmd { return tea.Suspend }},
		{Binding: k.Help, Run: func() tea.Cmd { return a.openPalette(kindCommands) }},
		{Binding: k.Palette, Run: func() tea.Cmd { return a.openPalette(kindCommands) }},
		{Binding: k.Quit, Run: a.backOrQuit},
		{Binding: k.Abort, Run: a.quit},
	}
	if _, ok := a.current().(page.Viewed); ok && !a.blank() {
		// at once: what is typed next is a name, and no key of the page
		views := func() tea.Cmd { return a.openPalette(kindViews) }
		all = append(all, page.Action{Binding: a.cfg.Keys.Lessons.Views, Run: views})
	}
	if a.noStoreFound() {
		all = append(
			all,
			page.Action{
				Binding: a.cfg.Keys.Home.Open,
				Name:    "start the demo",
				Off:     page.Unless(a.cfg.Demo != nil, "there is no demo here"),
				Run:     a.cfg.Demo,
			},
			page.Action{
				Binding: a.cfg.Keys.Home.Fold,
				Name:    "where Winnow looked",
				Run:     page.Do(func() { a.unfolded = !a.unfolded }),
			},
		)
	}
	if a.leadsBack() {
		all = append(all, page.Action{Binding: k.Back, Name: "home", Run: page.Do(a.backHome)})
	}
	if p, ok := a.current().(page.Instead); ok {
		all.Replace(p.Instead())
	}
	return all
}

// onHome reports whether the page with the stores is visible.
func (a *App) onHome() bool { return a.cfg.HasHome && a.active == a.cfg.Home }

// leadsBack reports whether Esc goes to Home. It does if there is nothing on the page
// that Esc leaves, and if the store was chosen from that list or there are several stores.
func (a *App) leadsBack() bool {
	return a.cfg.HasHome && !a.onHome() && (a.chosen || len(a.cfg.Survey.Places) > 1) &&
		!contains(a.pageActions().On(), a.keys.Back)
}

func (a *App) backHome() {
	a.chosen = false
	a.show(a.cfg.Home)
}

func (a *App) whyNoStore() string { return page.Unless(a.store.id != "", "no store is open") }

// whyFixed returns why the open store cannot be changed, or "".
func (a *App) whyFixed() string {
	why := a.whyReadOnly(a.store.snap)
	return cmp.Or(a.whyNoStore(), page.Unless(why == "", "read-only: "+why))
}

// pageActions returns the keys of the visible page, or none if the page is blank.
func (a *App) pageActions() page.Actions {
	if a.blank() {
		return nil
	}
	return a.current().Actions()
}

// disabledKeys returns the keys that do nothing right now. Those of the page come first.
func (a *App) disabledKeys() []keymap.Off {
	on := a.pageActions()
	if a.leadsBack() {
		on = append(on, page.Action{Binding: a.keys.Back})
	}
	return append(on.Off(), a.actions().Off()...)
}

// onKey handles a key, or holds it until the store is open.
func (a *App) onKey(k tea.KeyPressMsg) tea.Cmd {
	a.clearToasts()
	if a.hold(k) {
		return nil
	}
	if a.endsTour(k) {
		last := len(a.tour) == 1
		a.tour = nil
		if !last {
			return nil // Esc ended the tour, and nothing else
		}
	}
	return a.press(k)
}

// press routes a key to its receiver. It says why if the key is off.
func (a *App) press(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case key.Matches(k, a.keys.Abort):
		return a.quit()
	case key.Matches(k, a.keys.Suspend):
		return tea.Suspend
	case key.Matches(k, a.keys.Reveal) && a.stack.masks():
		return a.toggleReveal()
	case !a.stack.empty(), a.typing():
		return a.toReceiver(k)
	}
	b, why, off := keymap.WhyOff(a.disabledKeys(), k)
	switch {
	case off:
		return a.say(views.OffText(b, why))
	case key.Matches(k, a.keys.Screens):
		a.show(int(k.Code - '1'))
		return nil
	case a.isGlobal(k):
		return a.actions().Press(k)
	}
	return a.toReceiver(k)
}

func (a *App) typing() bool { return !a.blank() && !a.tooSmall() && a.current().Typing() }

func (a *App) turn(by int) { a.show((a.active + by + len(a.pages)) % len(a.pages)) }

func (a *App) backOrQuit() tea.Cmd {
	if b, ok := a.current().(page.Backer); ok && !a.blank() && b.Back() {
		return nil
	}
	if a.chosen && !a.onHome() {
		a.backHome()
		return nil
	}
	return a.quit()
}

func (a *App) toggleReveal() tea.Cmd {
	a.reveal = !a.reveal
	text := cmp.Or(
		page.When(a.reveal, "Secrets are shown; "+a.keys.Reveal.Help().Key+" masks them again"),
		"Secrets are masked",
	)
	return tea.Batch(a.broadcast(a.themeFact()), a.say(text))
}

func (a *App) nextTheme() tea.Cmd {
	names := theme.Names()
	i := max(slices.Index(names, a.theme.Name), 0)
	a.cfg.Theme.Name = names[(i+1)%len(names)]
	a.remembered.theme = a.cfg.Theme.Name
	return tea.Batch(a.setTheme(), a.say("Theme: "+a.theme.Name))
}

func (a *App) toggleMouse() tea.Cmd {
	a.mouse = !a.mouse
	return a.say(cmp.Or(page.When(a.mouse, "Mouse on; shift-drag still selects text"), "Mouse off"))
}

// openPalette opens the list of keys, stores, views and records.
func (a *App) openPalette(kind paletteKind) tea.Cmd {
	o := paletteOffer{
		Kind: kind, Places: a.cfg.Survey.Places, Open: a.store.id, Names: a.cfg.Names,
		Place: a.title(), Commands: a.commands(), Records: a.store.snap.Records,
	}
	if l, ok := a.current().(page.Legend); ok && !a.blank() {
		o.Legend = l.Legend()
	}
	for _, name := range slices.Sorted(maps.Keys(a.cfg.Settings.Views)) {
		v := a.cfg.Settings.Views[name]
		o.Views = append(o.Views, savedView{Name: name, Text: v.Text(), View: msg.View{View: v}})
	}
	if p, ok := a.current().(page.Viewed); ok && !a.blank() && a.cfg.SaveView != nil {
		v := p.View()
		o.Now = &v
	}
	p := newPalette(a.cfg.Keys, o)
	p.addStores(a.others)
	return a.push(p)
}

// commands returns all keys of the page and the root by what they are for, with what they do or why they do
// nothing. Each screen has its own entry.
func (a *App) commands() []views.HelpKey {
	var list []views.HelpKey
	all := append(a.pageActions(), a.actions()...)
	off := a.disabledKeys()
	for _, act := range all {
		group := a.cfg.Keys.Group(act.Binding)
		isOff := func(o keymap.Off) bool { return slices.Equal(o.Binding.Keys(), act.Binding.Keys()) }
		switch at := slices.IndexFunc(off, isOff); {
		case act.Off != "" && at >= 0:
			list = append(list, views.HelpKey{Binding: act.Binding, Group: group, Off: off[at].Why})
			off = slices.Delete(off, at, at+1)
		case act.Off != "":
		case slices.Equal(act.Binding.Keys(), a.keys.Screens.Keys()):
			list = append(list, a.screens(a.cfg.Keys.Group(a.cfg.Keys.Global.Screens))...)
		default:
			b := keymap.As(act.Binding, cmp.Or(act.Name, act.Binding.Help().Desc))
			list = append(list, views.HelpKey{Binding: b, Group: group})
		}
	}
	titles := keymap.Groups()
	slices.SortStableFunc(list, func(x, y views.HelpKey) int {
		return cmp.Compare(slices.Index(titles, x.Group), slices.Index(titles, y.Group))
	})
	return list
}

// screens returns the keys of the screens, one each.
func (a *App) screens(group string) (list []views.HelpKey) {
	keys := a.keys.Screens.Keys()
	for i, key := range keys[:min(len(a.pages), len(keys))] {
		b := a.keys.Screens
		b.SetKeys(key)
		b.SetHelp(key, "go to "+a.pages[i].Title())
		list = append(list, views.HelpKey{Binding: b, Group: group})
	}
	return list
}

// push opens a dialog, unless the program is about to quit.
func (a *App) push(d dialog) tea.Cmd {
	if a.changes.quitting {
		return nil
	}
	return a.stack.push(d)
}

func (a *App) title() string {
	if a.blank() {
		return "No store"
	}
	return a.current().Title()
}

// maxHeld is how many keys are kept while a store opens.
const maxHeld = 1000

// hold keeps a key or a paste for the page until its store is open, so that nothing typed ahead is
// lost. It reports whether it kept m. Once something is kept, all later input is kept too, to
// preserve the order. Until then keys of the root act at once. Keys that leave the program always
// do.
func (a *App) hold(m tea.Msg) bool {
	k, isKey := m.(tea.KeyPressMsg)
	leaves := isKey && (key.Matches(k, a.keys.Abort, a.keys.Suspend) || a.blank() && key.Matches(k, a.keys.Quit))
	if leaves || len(a.held) >= maxHeld {
		return false
	}
	atOnce := !a.opening() || !a.stack.empty() || a.typing() || !a.waits() || isKey && a.isGlobal(k)
	if len(a.held) == 0 && atOnce && !(isKey && a.needsStores(k)) {
		return false
	}
	a.held = append(a.held, m)
	return true
}

// needsStores reports whether a key lists stores while they are still looked for.
func (a *App) needsStores(k tea.KeyPressMsg) bool {
	return a.searching() && a.stack.empty() && !a.typing() && key.Matches(k, a.keys.Switch, a.keys.Everywhere)
}

func (a *App) isGlobal(k tea.KeyPressMsg) bool {
	return slices.ContainsFunc(a.actions(), func(act page.Action) bool { return key.Matches(k, act.Binding) })
}

// waits reports whether the visible page needs an open store to handle keys.
func (a *App) waits() bool {
	_, ok := a.current().(page.Busy)
	return ok
}

// opening reports whether the program is still looking for a store or opening it.
func (a *App) opening() bool {
	looking := a.store.id == "" && len(a.cfg.Survey.Places) == 0 && len(a.cfg.Survey.Looked) == 0
	return looking || a.store.id != "" && !a.store.loaded
}

// release handles the held input in order, each item once the one before has had its effect.
func (a *App) release() tea.Cmd {
	var cmds []tea.Cmd
	for len(a.held) > 0 && !a.opening() && !a.changes.busy {
		if b, ok := a.current().(page.Busy); ok && b.Busy() {
			break
		}
		m := a.held[0]
		a.held = a.held[1:]
		if k, isKey := m.(tea.KeyPressMsg); isKey {
			cmds = append(cmds, a.press(k))
		} else if edit, ok := m.(msg.Edit); ok {
			cmds = append(cmds, a.onChange(edit))
		} else {
			cmds = append(cmds, a.toReceiver(m))
		}
	}
	return tea.Batch(cmds...)
}

// wheelLines returns by how many lines one notch of the wheel scrolls.
func wheelLines(b tea.MouseButton) int {
	return map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: +3}[b]
}

func (a *App) onMouse(m tea.MouseMsg) tea.Cmd {
	switch m := m.(type) {
	case tea.MouseClickMsg:
		a.stale = true
		if m.Button == tea.MouseLeft {
			a.clearToasts()
			double := a.pressed.x == m.X && a.pressed.y == m.Y && a.cfg.Now().Sub(a.pressed.at) < doubleClick
			a.pressed = press{m.X, m.Y, a.cfg.Now()}
			return a.onClick(m.X, m.Y, double)
		}
	case tea.MouseMotionMsg:
		if m.Button == tea.MouseLeft && a.stack.empty() && a.pressed.y > 0 {
			a.stale = true
			a.pressed.at = time.Time{} // the next click is not the second of a double click
			return a.toReceiver(msg.Drag{X: m.X, Y: m.Y - a.top()})
		}
	case tea.MouseWheelMsg:
		a.stale = true
		return a.toReceiver(msg.Wheel{X: m.X, Y: m.Y - a.top(), Lines: wheelLines(m.Button)})
	}
	return nil
}

// press says where and when the left button was last pressed.
type press struct {
	x, y int
	at   time.Time
}

// doubleClick is the longest time between the two clicks of a double click.
const doubleClick = 400 * time.Millisecond

func (a *App) onClick(x, y int, double bool) tea.Cmd {
	s := layout.Divide(a.w, a.h)
	if !a.stack.empty() {
		return a.toReceiver(msg.Click{X: x, Y: y - s.Body.Min.Y, Double: double}) // a dialog covers the banner too
	}
	if y == 0 && !a.typing() {
		if i, ok := a.header().TabAt(a.theme, a.w, x); ok {
			a.show(i)
		}
		return nil
	}
	switch top := a.top(); {
	case y == s.Body.Min.Y && y < top && !a.typing() && a.awaiting() > 0:
		return a.openGuard()
	case y < top || y >= s.Body.Max.Y:
		return nil
	}
	return a.toReceiver(msg.Click{X: x, Y: y - a.top(), Double: double})
}
