package overlay

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// Guard shows which changes another writer undid, and lets the person decide.
type Guard struct {
	facts
	pointer
	scroll
	keys    keymap.Map
	undone  []memory.Undone // what the agent's own rules did is last
	picked  map[memory.ID]bool
	cursor  int
	compare bool
	focus   int
}

// The buttons of Guard. While two forms are compared there is no onAlways, and
// onLater goes back.
const (
	onAgain = iota
	onTheirs
	onAlways
	onLater
)

// NewGuard returns the dialog. What another writer undid is picked; an edit by both,
// what nobody can tell and what the agent's own rules did are picked by the person only.
func NewGuard(k keymap.Map, undone []memory.Undone) *Guard {
	g := &Guard{keys: k, undone: slices.Clone(undone), picked: map[memory.ID]bool{}}
	slices.SortStableFunc(g.undone, func(a, b memory.Undone) int { return rank(a.Kind) - rank(b.Kind) })
	for _, u := range g.undone {
		g.picked[u.ID] = u.Kind != memory.Conflict && u.Kind != memory.CannotTell && !u.Kind.ByRule()
	}
	return g
}

func rank(k memory.UndoneKind) int {
	if k.ByRule() {
		return 1
	}
	return 0
}

// Update implements Dialog.
func (g *Guard) Update(m tea.Msg) (tea.Cmd, bool) {
	if wheel, ok := m.(msg.Wheel); ok {
		g.wheel(wheel.Lines)
	}
	if s, ok := g.spot(m); ok && s.Row >= 0 {
		g.click(s.Row)
	}
	k, ok := g.press(g.keys.Dialog, m, &g.focus).(tea.KeyPressMsg)
	switch {
	case !ok:
		return nil, true
	case g.compare:
		return g.onCompare(k)
	}
	return g.onList(k)
}

// click goes to a change; a second click picks it, or no longer.
func (g *Guard) click(row int) {
	if row == g.cursor {
		g.pick()
	}
	g.cursor = row
}

// pick picks the change at the cursor, or no longer.
func (g *Guard) pick() {
	for _, id := range g.current() {
		g.picked[id] = !g.picked[id]
	}
}

func (g *Guard) wheel(lines int) {
	if g.compare {
		g.by(lines)
		return
	}
	g.cursor = clamp(g.cursor+lines, len(g.undone))
}

func (g *Guard) onList(k tea.KeyPressMsg) (tea.Cmd, bool) {
	d, pressed := g.keys.Dialog, -1
	if key.Matches(k, d.Press) {
		pressed = g.focus
	}
	switch {
	case key.Matches(k, d.Again), pressed == onAgain:
		return g.order(memory.Reapply, g.chosen())
	case key.Matches(k, d.Theirs), pressed == onTheirs:
		return g.order(memory.Accept, g.chosen())
	case key.Matches(k, d.Always), pressed == onAlways:
		return g.order(memory.Trust, g.current())
	case key.Matches(k, d.AlwaysAll):
		return msg.Emit(msg.Order{Order: memory.Order{Do: memory.Trust, All: true}}), false
	case key.Matches(k, d.Cancel), pressed == onLater:
		return nil, false
	case key.Matches(k, d.Compare):
		g.compare, g.offset, g.focus = len(g.undone) > 0, 0, onAgain
	case key.Matches(k, d.Pick):
		g.pick()
	default:
		g.cursor = moved(g.keys.Move, k, g.cursor, len(g.undone))
		g.focus = turned(d, k, g.focus, onLater+1)
	}
	return nil, true
}

// onCompare takes keys while two forms stand beside each other.
func (g *Guard) onCompare(k tea.KeyPressMsg) (tea.Cmd, bool) {
	const back = 2
	d, pressed := g.keys.Dialog, -1
	if key.Matches(k, d.Press) {
		pressed = g.focus
	}
	switch {
	case key.Matches(k, d.Mine, d.Again), pressed == onAgain:
		return g.order(memory.Reapply, g.current())
	case key.Matches(k, d.Theirs), pressed == onTheirs:
		return g.order(memory.Accept, g.current())
	case key.Matches(k, d.Cancel, d.Compare), pressed == back:
		g.compare, g.focus = false, onAgain
	case g.onKey(d, k):
	default:
		g.focus = turned(d, k, g.focus, back+1)
	}
	return nil, true
}

// current returns the change at the cursor.
func (g *Guard) current() []memory.ID {
	if g.cursor >= len(g.undone) {
		return nil
	}
	return []memory.ID{g.undone[g.cursor].ID}
}

// chosen returns the changes that are picked.
func (g *Guard) chosen() []memory.ID {
	var ids []memory.ID
	for _, u := range g.undone {
		if g.picked[u.ID] {
			ids = append(ids, u.ID)
		}
	}
	return ids
}

// order returns what is decided about some changes, and takes them off the list. The
// dialog closes with the last. With none picked it compares what an edit by both is.
func (g *Guard) order(do memory.Act, ids []memory.ID) (tea.Cmd, bool) {
	if len(ids) == 0 {
		g.compare, g.offset = len(g.undone) > 0, 0
		return nil, true
	}
	g.undone = slices.DeleteFunc(g.undone, func(u memory.Undone) bool { return slices.Contains(ids, u.ID) })
	g.cursor, g.compare, g.focus = clamp(g.cursor, len(g.undone)), false, onAgain
	return msg.Emit(msg.Order{Order: memory.Order{Do: do, IDs: ids}}), len(g.undone) > 0
}

// Render implements Dialog.
func (g *Guard) Render(t theme.Theme, w, h int) string {
	v := views.Guard{
		Undone: g.undone, Picked: func(i int) bool { return g.picked[g.undone[i].ID] }, Cursor: g.cursor,
		Compare: g.compare, Focus: g.focus, Reveal: g.reveal, Now: g.now,
	}
	g.drawn(v.Last(t, w, h))
	v.Offset = g.offset
	g.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (g *Guard) Keys() []keymap.Binding {
	d := g.keys.Dialog
	if g.compare {
		list := []keymap.Binding{d.Mine, d.Theirs, keymap.Named(d.Cancel, "Esc", "back"), d.Focus, d.Press}
		if g.last > 0 {
			list = append(list, keymap.Named(d.Down, "j/k", "scroll"))
		}
		return list
	}
	return []keymap.Binding{
		d.Again, keymap.Named(d.Theirs, "t", "keep theirs"), d.Always, d.AlwaysAll, d.Compare,
		keymap.Named(d.Pick, "space", "pick"), keymap.Named(d.Cancel, "Esc", "decide later"),
		keymap.Named(d.Down, "j/k", "move"), d.Focus, d.Press,
	}
}
