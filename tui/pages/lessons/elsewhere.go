package lessons

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// setNames sets the display names of stores.
func (p *Page) setNames(places []memory.Place) {
	p.names = make(map[memory.StoreID]string, len(places))
	for i := range places {
		p.names[places[i].Store] = views.PlaceName(p.cfg.Names, places[i])
	}
}

// scopes returns the parts of the store that can be shown alone.
func (p *Page) scopes() []string {
	var names []string
	for _, s := range p.shown.snap.Scopes {
		names = append(names, s.Name)
	}
	if len(names) > 0 {
		return names
	}
	for i := range p.shown.snap.Records {
		const most = 200
		if s := p.shown.snap.Records[i].Scope; s != "" && len(names) < most && !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return names
}

// nextScope shows only the next part of the store, or the whole store after the last part.
func (p *Page) nextScope() tea.Cmd {
	p.scope = page.Next(p.scopes(), p.scope)
	shown := cmp.Or(page.When(p.scope != "", "Only "+p.scope), "All of the store")
	return tea.Batch(p.refilter(), msg.Emit(msg.Toast{Text: shown}))
}

// toSimilar jumps to the record of another store that is similar to this one or contradicts it. If
// there are several, the person chooses.
func (p *Page) toSimilar() tea.Cmd {
	all := p.record().Elsewhere
	if len(all) == 1 {
		return msg.Emit(msg.Goto{Store: all[0].Store, ID: all[0].ID})
	}
	m := msg.PickStore{Title: "Jump to", Places: make([]memory.Place, len(all))}
	to := make(map[memory.StoreID]memory.Kin, len(all))
	for i, k := range all {
		key := memory.StoreID(string(k.Store) + "\x00" + string(k.ID))
		to[key] = k
		name := page.When(k.Contrary, "contrary: ") + k.Title
		m.Places[i] = memory.Place{
			Store:  key,
			Name:   name,
			Path:   cmp.Or(p.names[k.Store], string(k.Store)),
			Exists: true,
		}
	}
	m.Then = func(key memory.StoreID) tea.Msg { return msg.Goto{Store: to[key].Store, ID: to[key].ID} }
	return msg.Emit(m)
}
