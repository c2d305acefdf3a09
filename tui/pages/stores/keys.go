package stores

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// chosen returns the store under the cursor, or nothing on a heading.
func (p *Page) chosen() memory.StoreID {
	l, ok := p.view.Chosen()
	if !ok || l.Heading != "" {
		return ""
	}
	return p.view.Rows[l.Row].Place.Store
}

// goTo puts the cursor on a store, when it is listed.
func (p *Page) goTo(store memory.StoreID) {
	p.toFirst(func(row int) bool { return p.view.Rows[row].Place.Store == store })
}

// toFirst puts the cursor on the first store of which is reports true.
func (p *Page) toFirst(is func(row int) bool) {
	i := slices.IndexFunc(p.view.Lines, func(l views.StoreLine) bool { return l.Heading == "" && is(l.Row) })
	if i >= 0 {
		p.MoveTo(i)
	}
}

func anyStore(int) bool { return true }

// fold hides the stores below the heading at the cursor, or shows them.
func (p *Page) fold() {
	l, _ := p.view.Chosen()
	p.setFold(p.keyOf(l), !l.Folded)
}

// foldTo folds the heading at the cursor, or of the store there, or unfolds it.
func (p *Page) foldTo(folded bool) {
	l, ok := p.view.Chosen()
	if !ok || p.sort != byGroup {
		return
	}
	at := p.view.Cursor
	depth := l.Depth
	if l.Heading == "" || folded && l.Folded {
		for at > 0 && (p.view.Lines[at].Heading == "" || p.view.Lines[at].Depth >= depth) {
			at--
		}
	}
	p.MoveTo(at)
	if l, _ = p.view.Chosen(); l.Heading != "" {
		p.setFold(p.keyOf(l), folded)
	}
}

func (p *Page) setFold(key string, folded bool) {
	if p.folded[key] = true; !folded {
		delete(p.folded, key)
	}
	p.outline()
	p.MoveTo(p.view.Cursor)
}

// nextSort goes from the groups through the orders and back.
func (p *Page) nextSort() tea.Cmd { return p.sortBy((p.sort + 1) % sortings) }

// sortOf are the orders by the names of their columns.
var sortOf = map[string]sorting{
	"store": byGroup, "records": byRecords, "full": byFull, "findings": byFindings, "written": byWritten, "start": byStart,
}

// sortBy lists the stores in an order, or in groups.
func (p *Page) sortBy(s sorting) tea.Cmd {
	chosen := p.chosen()
	p.sort = s
	p.outline()
	p.MoveTo(0)
	if p.sort == byGroup {
		p.goTo(chosen)
		return msg.Emit(msg.Toast{Text: "In groups"})
	}
	return msg.Emit(msg.Toast{Text: fmt.Sprintf("Sorted by %s, the most first", p.sort)})
}

// openFilter opens the line that narrows the stores.
func (p *Page) openFilter() {
	p.filter.Typing, p.view.Detail = true, false
	p.refilter()
}

// onFilter takes a key or a paste into the filter.
func (p *Page) onFilter(m tea.Msg) tea.Cmd {
	changed := p.filter.Input(p.cfg.Keys.Text, m, p.Step)
	p.refilter()
	if changed && p.filter.Typing {
		p.MoveTo(0)
		p.toFirst(anyStore)
	}
	return p.more()
}

// refilter lists what the filter lets through. The cursor stays on its store.
func (p *Page) refilter() {
	chosen := p.chosen()
	p.outline()
	p.MoveTo(p.view.Cursor)
	p.goTo(chosen)
}

func (p *Page) clearFilter() {
	p.filter.Clear()
	p.refilter()
}

// escape leaves the lower box, or clears the filter.
func (p *Page) escape() {
	if !p.Back() {
		p.clearFilter()
	}
}
