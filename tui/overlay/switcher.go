package overlay

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/theme"
)

// maxPathBytes is how much of a path is searched: its end tells stores apart.
const maxPathBytes = 200

// Switcher offers the stores that were found. What is typed narrows them.
type Switcher struct {
	pointer
	keys   keymap.Map
	offer  Offer
	mask   views.Mask
	all    []memory.Place
	shown  []memory.Place
	open   memory.StoreID
	cursor int
	filter textline.Line
}

// Offer is what a Switcher offers.
type Offer struct {
	Title  string // empty to open a store
	Places []memory.Place
	Open   memory.StoreID // the one that is open already
	Names  map[memory.SystemID]string
	// Then is what the choice of a store means; nil to open it.
	Then func(memory.StoreID) tea.Msg
}

// NewSwitcher returns the overlay for these places; open is the store that is
// open already.
func NewSwitcher(k keymap.Map, places []memory.Place, open memory.StoreID) *Switcher {
	return NewPicker(k, Offer{Places: places, Open: open})
}

// NewPicker returns the overlay for an offer.
func NewPicker(k keymap.Map, o Offer) *Switcher {
	return &Switcher{keys: k, offer: o, all: o.Places, shown: o.Places, open: o.Open}
}

// Add offers more stores, behind the others. A choice that means something else than to
// open a store stays as it is.
func (s *Switcher) Add(places []memory.Place) {
	if s.offer.Then != nil {
		return
	}
	s.all = slices.Clone(s.all)
	for _, p := range places {
		if !slices.ContainsFunc(s.all, func(q memory.Place) bool { return q.Store == p.Store || q.System == p.System && q.Path == p.Path }) {
			s.all = append(s.all, p)
		}
	}
	s.narrow()
}

// SetMask implements Masked.
func (s *Switcher) SetMask(m views.Mask) { s.mask = m }

// Update implements Dialog.
func (s *Switcher) Update(m tea.Msg) (tea.Cmd, bool) {
	switch m := m.(type) {
	case msg.Wheel:
		s.cursor = clamp(s.cursor+m.Lines, len(s.shown))
	case tea.PasteMsg:
		s.edit(m)
	case msg.Click:
		return s.click(m)
	case tea.KeyPressMsg:
		return s.onKey(m)
	}
	return nil, true
}

// click goes to a store; a second click opens it.
func (s *Switcher) click(m msg.Click) (tea.Cmd, bool) {
	spot, _ := s.spot(m)
	if spot.Row >= 0 && spot.Row == s.cursor {
		return s.onKey(msg.Press(s.keys.Text.Accept.Keys()[0]))
	}
	if spot.Row >= 0 {
		s.cursor = spot.Row
	}
	return nil, true
}

func (s *Switcher) onKey(k tea.KeyPressMsg) (tea.Cmd, bool) {
	switch {
	case key.Matches(k, s.keys.Global.Back):
		return nil, false
	case key.Matches(k, s.keys.Text.Accept):
		if s.cursor >= len(s.shown) {
			return nil, true
		}
		store := s.shown[s.cursor].Store
		if s.offer.Then != nil {
			return msg.Emit(s.offer.Then(store)), false
		}
		return msg.Emit(msg.OpenStore{Store: store}), false
	case k.Text == "" && !key.Matches(k, s.keys.Text.DeleteLine):
		s.cursor = moved(s.keys.Move, k, s.cursor, len(s.shown))
	}
	s.edit(k)
	return nil, true
}

func (s *Switcher) edit(m tea.Msg) {
	if !s.filter.Update(s.keys.Text, m) {
		return
	}
	s.cursor = 0
	s.narrow()
}

// narrow finds the stores that what was typed is about.
func (s *Switcher) narrow() {
	if s.filter.Text() == "" {
		s.shown = s.all
		return
	}
	names := make([]string, len(s.all))
	for i, p := range s.all {
		name := strings.Join([]string{s.offer.Names[p.System], string(p.System), p.Name, p.Path, p.Project}, " ")
		names[i] = name[max(len(name)-maxPathBytes, 0):]
	}
	s.shown = nil
	for _, m := range fuzzy.Find(s.filter.Text(), names) {
		s.shown = append(s.shown, s.all[m.Index])
	}
}

// Render implements Dialog.
func (s *Switcher) Render(t theme.Theme, w, h int) string {
	v := views.Switcher{Places: s.shown, Open: s.open, Cursor: s.cursor, Filter: s.filter.Text(), Title: s.offer.Title, Names: s.offer.Names, Mask: s.mask}
	s.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (s *Switcher) Keys() []keymap.Binding {
	t := s.keys.Text
	return []keymap.Binding{
		keymap.Named(t.Accept, "Enter", "open"), keymap.Named(t.Older, "up/down", "choose"),
		t.DeleteLine, keymap.Named(s.keys.Global.Back, "Esc", "close"),
	}
}
