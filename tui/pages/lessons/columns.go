package lessons

import (
	"slices"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views"
)

// describe sets the title of the page. For a newly opened store it also sets the sort order: the one
// remembered for its kind, or else the one that suits its records.
func (p *Page) describe(s memory.Snapshot) {
	p.title = views.Capital(s.Noun.OrRecord().Many)
	first := !p.kept.opened
	known := first && p.restoreOrder(s.Place.Kind())
	switch wanted := s.Described.Sort; {
	case p.shown.loaded || known:
	case wanted == "" && p.query.Sort == filter.ByRel:
		p.query.Sort, p.query.Desc, p.ordered = filter.ByStore, false, true
	case wanted != "" && p.query.Sort == filter.ByStore && p.ordered:
		p.query.Sort, p.query.Desc, p.ordered = wanted, true, false
	}
	if first {
		p.kept.initial = p.listed()
	}
}

// sortItem is a column of the sort menu.
type sortItem struct {
	binding keymap.Binding
	column  filter.Column
	title   string
	falling bool // the first choice is descending order
}

func allSortItems(k keymap.Sort) []sortItem {
	return []sortItem{
		{k.Rel, filter.ByRel, "Rel", true},
		{k.Next, filter.ByNext, "Next", false},
		{k.Used, filter.ByUsed, "Used", false},
		{k.Age, filter.ByAge, "Age", false},
		{k.Outcome, filter.ByOutcome, "Outcome", false},
		{k.Flags, filter.ByFlags, "Flags", true},
		{k.Task, filter.ByTask, "Title", false},
		{k.Store, filter.ByStore, "as stored", false},
	}
}

// sortItems returns the items whose columns the records have.
func (p *Page) sortItems() []sortItem {
	return slices.DeleteFunc(allSortItems(p.keys.Sort), func(it sortItem) bool {
		return it.column != filter.ByTask && it.column != filter.ByStore && !p.shown.display.Has(it.column)
	})
}

func (p *Page) sortKeys() []keymap.Binding {
	var list []keymap.Binding
	for _, it := range p.sortItems() {
		list = append(list, it.binding)
	}
	return list
}

// onMenuKey handles a key in the sort menu.
func (p *Page) onMenuKey(k tea.KeyPressMsg) tea.Cmd {
	for _, it := range p.sortItems() {
		if !key.Matches(k, it.binding) {
			continue
		}
		p.menu = false
		return p.sortBy(it.column)
	}
	if key.Matches(k, p.keys.Global.Back, p.keys.Global.Quit, p.keys.Text.Accept) {
		p.menu = false
	}
	return nil
}

// sortBy sorts by a column. If it is already the sort column, the order is reversed.
func (p *Page) sortBy(column filter.Column) tea.Cmd {
	for _, it := range p.sortItems() {
		if it.column == column {
			if p.query.Sort == column {
				p.query.Desc = !p.query.Desc
			} else {
				p.query.Sort, p.query.Desc = column, it.falling
			}
			return p.refilter()
		}
	}
	return nil
}

func (p *Page) sortMenu() views.SortMenu {
	v := views.SortMenu{Desc: p.query.Desc}
	for i, it := range p.sortItems() {
		h := it.binding.Help()
		v.Items = append(v.Items, struct{ Key, Desc string }{h.Key, h.Desc})
		if it.column == p.query.Sort {
			v.Chosen = i
		}
	}
	return v
}

// sortText says how the rows that are shown are sorted, for the filter line.
func (p *Page) sortText() string {
	if p.shown.result.Ranked {
		return "best match"
	}
	by := p.shown.query
	for _, it := range allSortItems(p.keys.Sort) {
		if it.column == by.Sort {
			return it.title + page.When(by.Desc, " desc")
		}
	}
	return ""
}
