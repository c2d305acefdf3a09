package lessons

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// setNoun takes the word for the records, and for a store that is new the order that
// makes sense for them.
func (p *Page) setNoun(s memory.Snapshot) {
	if views.OfLessons(s) {
		p.title = "Lessons"
	} else {
		p.title = views.Capital(views.NounOf(s).Many)
	}
	if p.shown.loaded {
		return
	}
	switch {
	case views.OfLessons(s) && p.query.Sort == filter.ByStore && p.ordered:
		p.query.Sort, p.query.Desc, p.ordered = filter.ByRel, true, false
	case !views.OfLessons(s) && p.query.Sort == filter.ByRel:
		p.query.Sort, p.query.Desc, p.ordered = filter.ByStore, false, true
	}
}

func (p *Page) noun() memory.Noun { return views.NounOf(p.shown.snap) }

// setNames keeps what stores are called.
func (p *Page) setNames(places []memory.Place) {
	p.names = make(map[memory.StoreID]string, len(places))
	for i := range places {
		place := &places[i]
		name := p.cfg.Names[place.System]
		if name == "" {
			name = string(place.System)
		}
		if place.Name != "" {
			name += " " + place.Name
		}
		p.names[place.Store] = name + " " + views.PlacePath(*place)
	}
}

// mask hides secrets, unless a person asked to see them.
func (p *Page) mask() views.Mask {
	if p.reveal {
		return nil
	}
	return p.cfg.Mask
}

// hint says what can be typed into the filter.
func (p *Page) hint() string {
	s := p.shown.shape
	if s == nil {
		return ""
	}
	hint := "type to filter: words, !not, ~fuzzy"
	for _, f := range []struct {
		has  bool
		text string
	}{{s.Kind, " kind:rule"}, {s.Scope, " scope:user"}, {s.Outcome, " outcome:failed"}, {s.Created, " age:>14d"}, {s.Flags, " flag:s"}} {
		if f.has {
			hint += f.text
		}
	}
	return hint
}

// sortItems are the columns that the records have.
func (p *Page) sortItems() []sortItem {
	items, s := sortItems(p.keys.Sort), p.shown.shape
	if s == nil {
		return items
	}
	has := map[filter.Column]bool{
		filter.ByRel: s.Count, filter.ByNext: s.Next, filter.ByUsed: s.Used, filter.ByAge: s.Created,
		filter.ByOutcome: s.Outcome, filter.ByFlags: s.Flags, filter.ByTask: true, filter.ByStore: true,
	}
	return slices.DeleteFunc(items, func(it sortItem) bool { return !has[it.column] })
}

func (p *Page) sortKeys() []keymap.Binding {
	if p.shown.shape == nil {
		s := p.keys.Sort
		return []keymap.Binding{s.Store, s.Outcome, s.Rel, s.Used, s.Age, s.Next, s.Flags, s.Task}
	}
	var list []keymap.Binding
	for _, it := range p.sortItems() {
		list = append(list, it.binding)
	}
	return list
}

// scopes are the parts of the store that can be shown alone.
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

func hasScopes(p *Page) bool {
	return loaded(p) && (p.scope != "" || len(p.shown.snap.Scopes) > 1 || p.shown.shape != nil && p.shown.shape.Scope)
}

// nextScope shows the next part of the store alone, and after the last all of it.
func (p *Page) nextScope() tea.Cmd {
	names := p.scopes()
	i := slices.Index(names, p.scope)
	p.scope = ""
	said := "All of the store"
	if i+1 < len(names) {
		p.scope = names[i+1]
		said = "Only " + p.scope
	}
	return tea.Batch(p.refilter(), msg.Emit(msg.Toast{Text: said}))
}

func hasKin(p *Page) bool {
	r := p.record()
	return r != nil && len(r.Elsewhere) > 0
}

// toKin goes to the record of another store that this one is like, or contradicts. Of
// several one is chosen.
func (p *Page) toKin() tea.Cmd {
	all := p.record().Elsewhere
	if len(all) == 1 {
		return msg.Emit(msg.Goto{Store: all[0].Store, ID: all[0].ID})
	}
	m := msg.PickStore{Title: "Go to", Places: make([]memory.Place, len(all))}
	to := make(map[memory.StoreID]memory.Kin, len(all))
	for i, k := range all {
		key := memory.StoreID(string(k.Store) + "\x00" + string(k.ID))
		to[key] = k
		name := k.Title
		if k.Contrary {
			name = "contrary: " + name
		}
		m.Places[i] = memory.Place{Store: key, Name: name, Path: p.names[k.Store], Exists: true}
		if m.Places[i].Path == "" {
			m.Places[i].Path = string(k.Store)
		}
	}
	m.Then = func(key memory.StoreID) tea.Msg { return msg.Goto{Store: to[key].Store, ID: to[key].ID} }
	return msg.Emit(m)
}

func editable(p *Page) bool {
	r := p.record()
	return writable(p) && (r == nil || r.Fixed == "" || p.marks.len() > 0)
}

// prunable reports whether the rules of a prune say anything of the records.
func prunable(p *Page) bool {
	s := p.shown.shape
	return writable(p) && (s == nil || s.Count || s.Used)
}

// dated reports whether the record has a date that an edit leaves as it is.
func dated(p *Page) bool { return hasRow(p) && p.shown.snap.Dated }
