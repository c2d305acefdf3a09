package home

import (
	"cmp"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// chosen returns the store under the cursor, or "" if another row is.
func (p *Page) chosen() memory.StoreID {
	l, ok := p.view.ChosenLine()
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
		p.toLine(i)
	}
}

// toLine moves the cursor to a line of the stores.
func (p *Page) toLine(line int) {
	p.toItem(views.HomeItem{Kind: views.HomeStore, N: line})
}

// toItem moves the cursor to a row, if it is listed.
func (p *Page) toItem(item views.HomeItem) {
	if i := slices.Index(p.view.Items, item); i >= 0 {
		p.MoveTo(i)
		p.noteRow()
	}
}

// lineAt returns the line of the stores under the cursor, and its index, or -1.
func (p *Page) lineAt() (views.StoreLine, int) {
	l, ok := p.view.ChosenLine()
	if !ok {
		return l, -1
	}
	item, _ := p.view.Chosen()
	return l, item.N
}

func anyStore(int) bool { return true }

// fold folds or unfolds the heading under the cursor.
func (p *Page) fold() {
	l, _ := p.lineAt()
	p.setFold(p.keyOf(l), !l.Folded)
}

// foldTo folds or unfolds the heading under the cursor, or the heading of the store there. To fold
// a folded heading folds the one above it.
func (p *Page) foldTo(folded bool) {
	l, at := p.lineAt()
	if at < 0 || p.sort != byGroup {
		return
	}
	depth := l.Depth
	if l.Heading == "" || folded && l.Folded {
		for at > 0 && (p.view.Lines[at].Heading == "" || p.view.Lines[at].Depth >= depth) {
			at--
		}
	}
	p.toLine(at)
	if l, _ = p.lineAt(); l.Heading != "" {
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
	"store": byGroup, "records": byRecords, "full": byFull,
	"findings": byFindings, "written": byWritten, "start": byStart,
}

// sortBy lists the stores in an order, or in groups.
func (p *Page) sortBy(s sorting) tea.Cmd {
	chosen := p.chosen()
	p.sort = s
	p.outline()
	p.toLine(0)
	if p.sort == byGroup {
		p.goTo(chosen)
		return msg.Emit(msg.Toast{Text: "In groups"})
	}
	return msg.Emit(msg.Toast{Text: fmt.Sprintf("Sorted by %s, the most first", p.sort)})
}

// openFilter starts typing the filter.
func (p *Page) openFilter() {
	p.filter.Typing, p.view.Listing.Detail = true, false
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

// escape leaves the lower box, or clears the filter, or goes back to the working folder.
func (p *Page) escape() tea.Cmd {
	switch {
	case p.Back():
	case p.view.Filter != "":
		p.clearFilter()
	case p.folder != "":
		return p.readIn("")
	}
	return nil
}

// Actions implements page.Page.
func (p *Page) Actions() page.Actions {
	if p.filter.Typing {
		return page.Text(p.cfg.Keys.Text.Filter()...)
	}
	k, m, v := p.cfg.Keys, p.cfg.Keys.Move, &p.view
	l, _ := v.ChosenLine()
	groups := slices.ContainsFunc(v.Lines, func(l views.StoreLine) bool { return l.Heading != "" })
	noRow := page.Unless(len(v.Items) > 0, "nothing is listed")
	noStore := page.Unless(p.target() != "", "no store is selected")
	noHeading := page.Unless(l.Heading != "", "no heading is selected")
	unfolded := page.Unless(l.Folded, "the group is unfolded")
	folded := cmp.Or(page.Unless(groups, "the stores are not in groups"),
		page.Unless(!l.Folded || l.Depth > 0, "the group is folded"))
	activity := func() tea.Cmd { return msg.Emit(msg.Activity{Store: p.target()}) }
	opens := func(index int) func() tea.Cmd { return func() tea.Cmd { return p.openOn(index) } }
	folds := func(folded bool) func() tea.Cmd { return page.Do(func() { p.foldTo(folded) }) }
	return slices.Concat(page.Actions{
		{Binding: keymap.As(k.Home.Open, p.openName()), Off: noStore, Run: opens(p.cfg.Lessons)},
		{Binding: k.Home.Recall, Off: noStore, Run: opens(p.cfg.Recall)},
		{Binding: k.Home.Audit, Off: noStore, Run: opens(p.cfg.Audit)},
		{
			Binding: keymap.As(k.Home.Open, "what agents read there"),
			Off:     page.Unless(p.onOther(), "no other project is selected"),
			Run:     p.goOther,
		},
	}, p.issueActions(), page.Actions{
		{Binding: keymap.As(k.Home.Open, "fold"), Off: noHeading, Run: page.Do(p.fold)},
		{Binding: k.Home.Filter, Off: page.Unless(len(v.Rows) > 0, "no store was found"), Run: page.Do(p.openFilter)},
		{Binding: k.Home.Sort, Off: page.Unless(len(v.Rows) > 0, "no store was found"), Run: p.nextSort},
		{Binding: k.Home.Fold, Off: noHeading, Run: page.Do(p.fold)},
		{Binding: k.Home.Refresh, Run: p.refresh},
		{Binding: k.Home.Copy, Off: page.Unless(p.chosen() != "", "no store is selected"), Run: p.copyPath},
		{Binding: k.Home.Activity, Off: noStore, Run: activity},
		{Binding: keymap.As(m.Right, "unfold"), Off: cmp.Or(noHeading, unfolded), Run: folds(false)},
		{Binding: keymap.As(m.Left, "fold"), Off: folded, Run: folds(true)},
	}, p.paneActions(noRow), page.Moves(m, "", p.Step, p.Half()))
}

// paneActions are the keys that change what is shown. Back also clears the filter.
func (p *Page) paneActions(noRow string) page.Actions {
	g, v := p.cfg.Keys.Global, &p.view
	open := v.Listing.Detail || v.Filter != "" || v.Layout == layout.DetailOnly || p.folder != ""
	return append(page.Actions{
		{Binding: g.Back, Off: page.Unless(open, "nothing is open or filtered"), Run: p.escape},
	}, p.PaneActions(g, noRow)...)
}

// openName says what Enter opens.
func (p *Page) openName() string {
	if item, ok := p.view.Chosen(); ok && item.Kind == views.HomeAgent {
		return "records"
	}
	return "open"
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	if p.filter.Typing {
		return p.onFilter(k)
	}
	p.moved = true
	return p.Actions().Press(k)
}

// click moves the cursor to a row. If it was there already, the click opens the row or folds the heading.
// A click on the title of a column sorts by it.
func (p *Page) click(m msg.Click) tea.Cmd {
	p.moved = true
	if s, ok := sortOf[p.view.ColumnAt(p.W, p.H, m.X, m.Y)]; ok {
		return p.sortBy(s)
	}
	if !p.Click(m.X, m.Y) {
		return nil
	}
	item, _ := p.view.Chosen()
	l, _ := p.view.ChosenLine()
	switch {
	case l.Heading != "":
		p.fold()
	case item.Kind == views.HomeAgent, item.Kind == views.HomeStore:
		if p.target() != "" {
			return p.openOn(p.cfg.Lessons)
		}
	case p.onOther():
		return p.goOther()
	default:
		p.Toggle()
	}
	return nil
}
