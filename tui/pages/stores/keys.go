package stores

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// chosen returns the store under the cursor, or "" if that is on a heading.
func (p *Page) chosen() memory.StoreID {
	l, ok := p.view.Chosen()
	if !ok || l.Heading != "" {
		return ""
	}
	return p.view.Rows[l.Row].Place.Store
}

// goTo moves the cursor to a store, if it is listed.
func (p *Page) goTo(store memory.StoreID) {
	p.toFirst(func(row int) bool { return p.view.Rows[row].Place.Store == store })
}

// toFirst moves the cursor to the first store for which is reports true.
func (p *Page) toFirst(is func(row int) bool) {
	i := slices.IndexFunc(p.view.Lines, func(l views.StoreLine) bool { return l.Heading == "" && is(l.Row) })
	if i >= 0 {
		p.MoveTo(i)
	}
}

func anyStore(int) bool { return true }

// fold folds or unfolds the heading under the cursor.
func (p *Page) fold() {
	l, _ := p.view.Chosen()
	p.setFold(p.keyOf(l), !l.Folded)
}

// foldTo folds or unfolds the heading under the cursor, or the heading of the store there. To fold
// a folded heading folds the one above it.
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

// nextSort cycles through the groups and the sort orders.
func (p *Page) nextSort() tea.Cmd { return p.sortBy((p.sort + 1) % sortings) }

// sortOf maps names of columns to sort orders.
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

// openFilter starts typing the filter.
func (p *Page) openFilter() {
	p.filter.Typing, p.view.Detail = true, false
	p.refilter()
}

// onFilter handles a key or a paste while the filter is typed.
func (p *Page) onFilter(m tea.Msg) tea.Cmd {
	changed := p.filter.Input(p.cfg.Keys.Text, m, p.Step)
	p.refilter()
	if changed && p.filter.Typing {
		p.MoveTo(0)
		p.toFirst(anyStore)
	}
	return p.more()
}

// refilter lists the stores that match the filter. The cursor stays on its store.
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
