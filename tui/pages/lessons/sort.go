package lessons

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/keymap"
	"winnow/views"
)

// sortItem is a column of the sort menu.
type sortItem struct {
	binding keymap.Binding
	column  filter.Column
	title   string
	falling bool // the order that is wanted first
}

func sortItems(k keymap.Sort) []sortItem {
	return []sortItem{
		{k.Rel, filter.ByRel, "Rel", true},
		{k.Next, filter.ByNext, "Next", false},
		{k.Used, filter.ByUsed, "Used", false},
		{k.Age, filter.ByAge, "Age", false},
		{k.Outcome, filter.ByOutcome, "Outcome", false},
		{k.Flags, filter.ByFlags, "Flags", true},
		{k.Task, filter.ByTask, "Task", false},
		{k.Store, filter.ByStore, "Line", false},
	}
}

// onMenuKey picks a column; the one that is sorted by already turns round.
func (p *Page) onMenuKey(k tea.KeyPressMsg) tea.Cmd {
	for _, it := range p.sortItems() {
		if !key.Matches(k, it.binding) {
			continue
		}
		p.menu = false
		if p.query.Sort == it.column {
			p.query.Desc = !p.query.Desc
		} else {
			p.query.Sort, p.query.Desc = it.column, it.falling
		}
		return p.refilter()
	}
	if key.Matches(k, p.keys.Global.Back, p.keys.Global.Quit, p.keys.Text.Accept) {
		p.menu = false
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

// sortText says how the rows are sorted, for the filter line.
func (p *Page) sortText() string {
	if p.shown.result.Ranked {
		return "best match"
	}
	if p.shown.shape != nil && p.query.Sort == filter.ByStore && !p.query.Desc {
		return "as stored"
	}
	for _, it := range sortItems(p.keys.Sort) {
		if it.column == p.query.Sort && p.query.Desc {
			return it.title + " desc"
		} else if it.column == p.query.Sort {
			return it.title
		}
	}
	return ""
}

// sortedBy returns the column whose header gets the arrow.
func (p *Page) sortedBy() string {
	if p.shown.result.Ranked {
		return "rank"
	}
	return p.query.Sort
}
