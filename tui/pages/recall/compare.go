package recall

import (
	tea "charm.land/bubbletea/v2"

	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// comparison is the other store of a comparison, and its recall.
type comparison struct {
	store  memory.StoreID // "" if nothing is compared
	recall memory.Recall
	ready  bool
	failed string
	focus  int
	scroll [2]int
	sides  compare.Sides // of the two recalls
}

func (a *comparison) on() bool { return a.store != "" }
func (a *comparison) end()     { *a = comparison{} }

// pickOther asks which store to compare with.
func (p *Page) pickOther() tea.Cmd {
	var places []memory.Place
	for _, place := range p.places {
		if place.Exists && place.Store != p.store {
			places = append(places, place)
		}
	}
	return msg.Emit(msg.PickStore{
		Title: "Compare with", Places: places,
		Then: func(id memory.StoreID) tea.Msg {
			return page.Then(func(p *Page) tea.Cmd { return p.compare(id) })
		},
	})
}

func (p *Page) compare(with memory.StoreID) tea.Cmd {
	p.against = comparison{store: with}
	return p.ask()
}

// askOther returns the command that computes the other store's recall for the same task, or nil if
// nothing is compared.
func (p *Page) askOther() tea.Cmd {
	if !p.against.on() {
		return nil
	}
	t := p.view.Task
	return p.askFor(p.against.store, memory.Task{Text: t.Text, Mode: t.Mode, Folder: t.Folder, Files: t.Files}, (*Page).onCompared)
}

func (p *Page) onCompared(recall memory.Recall, err error) {
	a := &p.against
	a.recall, a.ready, a.failed = recall, err == nil, ""
	if err != nil {
		a.failed = err.Error()
	}
	p.matchUp()
}

// matchUp compares the two recalls.
func (p *Page) matchUp() {
	if p.against.on() {
		p.against.sides = compare.Blocks(p.view.Result, p.against.recall)
	}
}

// compared returns the view of the comparison.
func (p *Page) compared() views.Compare {
	a, v := &p.against, &p.view
	c := views.Compare{Keyed: v.Keyed, Box: v.Box, Typing: v.Typing, Focus: a.focus, Mask: p.Mask, Reveal: p.Reveal}
	c.Sides = [2]views.CompareSide{
		{Name: p.nameOf(p.store), Recall: v.Result, Pieces: a.sides.Left, Ready: v.Ready, Failed: v.Failed, Scroll: a.scroll[0]},
		{Name: p.nameOf(a.store), Recall: a.recall, Pieces: a.sides.Right, Ready: a.ready, Failed: a.failed, Scroll: a.scroll[1]},
	}
	return c
}

// nameOf returns the display name of a store.
func (p *Page) nameOf(id memory.StoreID) string {
	for i := range p.places {
		if p.places[i].Store == id {
			return views.PlaceName(p.cfg.Names, p.places[i])
		}
	}
	return string(id)
}

// compareActions returns the keys while two recalls are compared.
func (p *Page) compareActions() page.Actions {
	k := p.cfg.Keys
	other := page.Do(func() { p.against.focus = 1 - p.against.focus })
	return append(page.Actions{
		{Binding: k.Recall.Edit, Run: page.Do(p.edit)},
		{Binding: k.Recall.Compare, Name: "another store", Run: p.pickOther},
		{Binding: k.Global.NextPane, Run: other},
		{Binding: k.Global.PrevPane, Run: other},
		{Binding: k.Global.Back, Run: page.Do(func() { p.Back() })},
	}, page.Moves(k.Move, "", p.scrollSide, p.halfPage())...)
}

// scrollSide scrolls the side that has the focus.
func (p *Page) scrollSide(by int) {
	a := &p.against
	most := p.compared().MaxScroll(a.focus, p.W, p.H)
	a.scroll[a.focus] = max(min(a.scroll[a.focus]+by, most), 0)
}
