package home

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// How many stores are read and audited at the same time. An audit reads the whole store, so there are
// fewer of these.
const (
	readers  = 4
	auditors = 2
)

// reading tracks what is being read of the stores found.
type reading struct {
	began                bool // the initial pause is over
	summaries, tallies   int  // how many are being read
	asked, askedForTally map[memory.StoreID]bool
}

// findStores searches for stores again. The list stays until there is a result. The result goes to the root
// first, because its switcher offers the same stores; the root sends it back, which starts the
// reading.
func (p *Page) findStores() tea.Cmd {
	p.begin()
	s := p.cfg.Surveyor
	p.view.Ready = false
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		found := s.Find(ctx)
		return func(*Page) tea.Cmd { return msg.Emit(msg.Found{Survey: found}) }
	})
}

// begin gives up what is being read, and starts over.
func (p *Page) begin() {
	p.work.Begin(p.ctx)
	p.reading = reading{asked: map[memory.StoreID]bool{}, askedForTally: map[memory.StoreID]bool{}}
}

// list shows the stores of a survey. The cursor stays on its store, and what is known about a store
// stays until it is read again.
func (p *Page) list(s memory.Survey) {
	v := &p.view
	old := make(map[memory.StoreID]views.StoreRow, len(v.Rows))
	for _, r := range v.Rows {
		old[r.Place.Store] = r
	}
	chosen := cmp.Or(p.chosen(), v.Open, p.cfg.Stand)
	v.Rows, v.Looked, v.Ready = make([]views.StoreRow, len(s.Places)), s.Looked, true
	for i, place := range s.Places {
		v.Rows[i] = old[place.Store]
		v.Rows[i].Place = place
	}
	p.places = s.Places
	p.home = cmp.Or(v.Read.Person, page.Home(s.Places))
	p.view.Dir = p.home
	p.outline()
	if p.view.Known {
		return
	}
	p.toFirst(anyStore)
	p.goTo(chosen)
}

// read reads the summaries of all rows.
func (p *Page) read() tea.Cmd {
	p.begin()
	p.reading.began = true
	return p.more()
}

// more returns the commands that continue reading, a few stores at a time: first the visible stores,
// then the others. Findings are only counted for visible stores.
func (p *Page) more() tea.Cmd {
	if !p.reading.began {
		return nil
	}
	var seen []int // none until the size of the page is known
	if p.H > 0 {
		seen = p.view.InSight(p.W, p.H)
	}
	var cmds []tea.Cmd
	for _, i := range slices.Concat(seen, p.order) {
		// The states of the open store arrive by themselves.
		if r := &p.view.Rows[i]; p.reading.summaries < readers && r.Place.Store != p.view.Open &&
			!p.reading.asked[r.Place.Store] {
			cmds = append(cmds, p.summary(r.Place.Store))
		}
	}
	for _, i := range seen {
		if r := &p.view.Rows[i]; p.reading.tallies < auditors && p.countable(r) {
			cmds = append(cmds, p.tally(r.Place.Store))
		}
	}
	return tea.Batch(cmds...)
}

// countable reports whether the findings of a store should be counted now.
func (p *Page) countable(r *views.StoreRow) bool {
	return p.shown && p.cfg.Tallier != nil && r.Loaded && r.Summary.Problem == nil &&
		r.Place.Store != p.view.Open && !p.reading.askedForTally[r.Place.Store]
}

// summary returns the command that reads the summary of a store, fills its row and continues reading.
func (p *Page) summary(store memory.StoreID) tea.Cmd {
	p.reading.summaries++
	p.reading.asked[store] = true
	s := p.cfg.Summarizer
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		snap, err := s.Summary(ctx, store)
		return func(p *Page) tea.Cmd {
			p.reading.summaries--
			if i, ok := p.row(store); ok && store != p.view.Open {
				p.set(i, snap, err)
				p.resort()
			}
			return p.more()
		}
	})
}

// tally returns the command that counts the findings of a store, fills its row and continues reading.
func (p *Page) tally(store memory.StoreID) tea.Cmd {
	p.reading.tallies++
	p.reading.askedForTally[store] = true
	s := p.cfg.Tallier
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		n, err := s.Tally(ctx, store)
		return func(p *Page) tea.Cmd {
			p.reading.tallies--
			if i, ok := p.row(store); ok && err == nil {
				p.view.Rows[i].Tally, p.view.Rows[i].Tallied = n, true
				p.resort()
			}
			return p.more()
		}
	})
}
