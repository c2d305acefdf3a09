package lessons

import (
	"cmp"
	"maps"
	"reflect"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/filter"
	"winnow/tui/page"
)

const listName = "lessons"

// keptOrders remembers how each kind of store is listed.
type keptOrders struct {
	orders   map[string]config.Order // by kind
	opened   bool                    // the first state of the open store has arrived
	kind     string                  // of the open store
	initial  config.Order            // how its list began; a difference is the person's choice
	notFirst bool                    // a store was opened before in this run
}

// Restore implements page.Remembering.
func (p *Page) Restore(s config.State) {
	p.kept.orders = s.Orders
	page.RestoreList(s, listName, &p.at)
}

// Remember implements page.Remembering.
func (p *Page) Remember(s *config.State) {
	page.RememberList(s, listName, &p.at)
	p.noteOrder()
	s.Orders = p.kept.orders
	if r := p.record(); r != nil && p.kept.kind != "" {
		s.Store, s.Record = p.shown.snap.Place.Store, r.ID
	}
}

// restoreOrder lists a newly opened store the way its kind was last listed. It reports whether that is
// known. Only the first store of a run also gets the remembered filter.
func (p *Page) restoreOrder(kind string) (known bool) {
	k := &p.kept
	k.opened, k.kind = true, kind
	o, known := k.orders[kind]
	p.setColumns(o.Columns)
	known = known &&
		(o.Sort == filter.ByStore || slices.ContainsFunc(allSortItems(p.keys.Sort), func(it sortItem) bool {
			return it.column == o.Sort
		}))
	if known {
		p.query.Sort, p.query.Desc, p.ordered = o.Sort, o.Desc, false
	}
	if o.Filter != "" && !k.notFirst && p.query.Text == "" {
		p.filter.Set(o.Filter)
		p.query.Text = o.Filter
	}
	k.notFirst = true
	return known
}

// listed returns how the records are listed now: order, filter and columns.
func (p *Page) listed() config.Order {
	o := config.Order{Sort: p.query.Sort, Desc: p.query.Desc, Filter: p.query.Text}
	if !reflect.DeepEqual(p.columns, p.cfg.Columns.Of(p.kept.kind)) {
		o.Columns = p.columns
	}
	return o
}

// noteOrder remembers how the open store is listed, if the person changed it.
func (p *Page) noteOrder() {
	k := &p.kept
	now := p.listed()
	if was, known := k.orders[k.kind]; k.kind == "" || !known && reflect.DeepEqual(now, k.initial) ||
		reflect.DeepEqual(was, now) {
		return
	}
	orders := map[string]config.Order{}
	maps.Copy(orders, k.orders)
	orders[k.kind] = now
	k.orders = orders
}

// View implements page.Viewed.
func (p *Page) View() config.View {
	v := config.View{Filter: p.query.Text}
	for _, it := range allSortItems(p.keys.Sort) {
		if it.column == p.query.Sort {
			v.Sort, v.Reverse = cmp.Or(it.column, "store"), p.query.Desc != it.falling
		}
	}
	return v
}

// takeView applies a saved view to the list.
func (p *Page) takeView(v config.View) tea.Cmd {
	p.filter.Clear()
	p.filter.Set(v.Filter)
	p.query.Text = v.Filter
	for _, it := range allSortItems(p.keys.Sort) {
		if it.column == v.Sort || it.column == filter.ByStore && v.Sort == "store" {
			p.query.Sort, p.query.Desc = it.column, it.falling != v.Reverse
		}
	}
	p.setColumns(v.Columns)
	return p.refilter()
}

// setColumns shows these columns, or the configured ones if names is nil.
func (p *Page) setColumns(names []string) {
	if p.columns = names; names == nil {
		p.columns = p.cfg.Columns.Of(p.kept.kind)
	}
}
