package dialog

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/sahilm/fuzzy"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

// maxPathBytes is how much of a path is searched: its end tells stores apart.
const maxPathBytes = 200

// Switcher offers the stores that were found. What is typed narrows them.
type Switcher struct {
	state
	keys   keymap.Map
	then   func(memory.StoreID) tea.Msg
	all    []memory.Place
	view   views.Switcher
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

// NewSwitcher returns the dialog for an offer.
func NewSwitcher(k keymap.Map, o Offer) *Switcher {
	s := &Switcher{keys: k, then: o.Then, all: o.Places, view: views.Switcher{Places: o.Places, Open: o.Open, Names: o.Names}}
	if s.view.Title = o.Title; o.Title == "" {
		s.view.Title = "Open a store"
	}
	s.view.Typing = true
	return s
}

// Add offers more stores, behind the others. A choice that means something else than to
// open a store stays as it is.
func (s *Switcher) Add(places []memory.Place) {
	if s.then != nil {
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

// Form implements Dialog.
func (s *Switcher) Form() Form {
	return Form{
		Keys: s.keys, View: s.view.Dialog,
		List: &List{Len: len(s.view.Places), Cursor: &s.view.Cursor, Again: s.open},
		Typed: &Typed{
			Line: &s.filter, Changed: func() { s.view.Cursor = 0; s.narrow() },
			Accept: Action{Binding: named(s.keys.Text.Accept, "open"), Do: s.open},
			Cancel: Action{Binding: named(s.keys.Text.Cancel, "close"), Do: closes},
		},
	}
}

// open opens the store at the cursor, or does with it what it was picked for.
func (s *Switcher) open() result {
	if s.view.Cursor >= len(s.view.Places) {
		return result{}
	}
	store := s.view.Places[s.view.Cursor].Store
	if s.then != nil {
		return closing(s.then(store))
	}
	return closing(msg.OpenStore{Store: store})
}

// narrow finds the stores whose names or paths have what was typed.
func (s *Switcher) narrow() {
	v := &s.view
	if v.Query = s.filter.Text(); v.Query == "" {
		v.Places = s.all
		return
	}
	names := make([]string, len(s.all))
	for i, p := range s.all {
		name := strings.Join([]string{v.Names[p.System], string(p.System), p.Name, p.Path, p.Project}, " ")
		names[i] = name[max(len(name)-maxPathBytes, 0):]
	}
	v.Places = nil
	for _, m := range fuzzy.Find(v.Query, names) {
		v.Places = append(v.Places, s.all[m.Index])
	}
}
