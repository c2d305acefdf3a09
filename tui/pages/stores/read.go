package stores

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// startMsg ends the pause before the stores are read.
type startMsg struct{ gen int }

// foundMsg is the result of the search of a generation.
type foundMsg struct {
	gen    int
	survey memory.Survey
}

// summaryMsg is the summary of a store of a generation.
type summaryMsg struct {
	gen     int
	store   memory.StoreID
	summary memory.Snapshot
	err     error
}

// tallyMsg is how many findings a store of a generation has.
type tallyMsg struct {
	gen   int
	store memory.StoreID
	tally memory.Tally
	err   error
}

// How many stores are read, and audited, at a time. An audit reads all of a store.
const (
	readers  = 4
	auditors = 2
)

// work is what is being read of a generation.
type work struct {
	reading, auditing int
	began             bool                    // the pause is over
	asked             map[memory.StoreID]bool // their summary was asked for
	audited           map[memory.StoreID]bool // their tally was
}

// look searches for stores again. What is listed stays until there is a result.
func (p *Page) look() tea.Cmd {
	p.begin()
	ctx, gen, s := p.run, p.gen, p.cfg.Surveyor
	p.view.Ready = false
	return func() tea.Msg { return foundMsg{gen: gen, survey: s.Find(ctx)} }
}

// begin starts a generation and gives up the one before.
func (p *Page) begin() {
	if p.cancel != nil {
		p.cancel()
	}
	p.gen++
	p.run, p.cancel = context.WithCancel(p.ctx)
	p.work = work{asked: map[memory.StoreID]bool{}, audited: map[memory.StoreID]bool{}}
}

func (p *Page) onStart(m startMsg) tea.Cmd {
	if m.gen != p.gen {
		return nil
	}
	return p.read()
}

// onFound lists what was found. The root is told as well, since its switcher
// offers the same stores; that message comes back here and starts the reading.
func (p *Page) onFound(m foundMsg) tea.Cmd {
	if m.gen != p.gen {
		return nil
	}
	return msg.Emit(msg.Found{Survey: m.survey})
}

// list shows the places of a survey. The cursor stays on its store, and what is
// known of a store stays until it is read again.
func (p *Page) list(s memory.Survey) {
	v := &p.view
	old := make(map[memory.StoreID]views.StoreRow, len(v.Rows))
	for _, r := range v.Rows {
		old[r.Place.Store] = r
	}
	chosen := p.chosen()
	if chosen == "" {
		chosen = v.Open
	}
	v.Rows, v.Looked, v.Ready = make([]views.StoreRow, len(s.Places)), s.Looked, true
	for i, place := range s.Places {
		v.Rows[i] = old[place.Store]
		v.Rows[i].Place = place
	}
	p.home = homeOf(v.Rows)
	p.outline()
	p.moveTo(0)
	p.toFirst()
	p.goTo(chosen)
}

// read reads the summaries of all rows.
func (p *Page) read() tea.Cmd {
	p.begin()
	p.work.began = true
	return p.more()
}

// more returns the commands that read on: of the stores that can be seen first, then of
// the others, a few at a time. Findings are counted for those that can be seen.
func (p *Page) more() tea.Cmd {
	if !p.work.began {
		return nil
	}
	var cmds []tea.Cmd
	seen := p.seen()
	for _, rows := range [][]int{seen, p.order} {
		for _, i := range rows {
			if p.work.reading >= readers {
				break
			}
			// The states of the open store arrive by themselves.
			if r := &p.view.Rows[i]; r.Place.Store != p.view.Open && !p.work.asked[r.Place.Store] {
				cmds = append(cmds, p.summary(r.Place.Store))
			}
		}
	}
	for _, i := range seen {
		r := &p.view.Rows[i]
		if p.work.auditing < auditors && p.countable(r) {
			cmds = append(cmds, p.tally(r.Place.Store))
		}
	}
	return tea.Batch(cmds...)
}

// seen returns the rows on the screen; before the page was drawn, none.
func (p *Page) seen() []int {
	if p.h == 0 {
		return nil
	}
	return p.view.Visible(p.h)
}

// countable reports whether the findings of a store are to be counted.
func (p *Page) countable(r *views.StoreRow) bool {
	return p.shown && p.cfg.Tallier != nil && r.Loaded && r.Summary.Problem == nil &&
		r.Place.Store != p.view.Open && !p.work.audited[r.Place.Store]
}

// summary returns the command that reads the summary of a store.
func (p *Page) summary(store memory.StoreID) tea.Cmd {
	p.work.reading++
	p.work.asked[store] = true
	ctx, gen, s := p.run, p.gen, p.cfg.Summarizer
	return func() tea.Msg {
		snap, err := s.Summary(ctx, store)
		return summaryMsg{gen: gen, store: store, summary: snap, err: err}
	}
}

// tally returns the command that counts the findings of a store.
func (p *Page) tally(store memory.StoreID) tea.Cmd {
	p.work.auditing++
	p.work.audited[store] = true
	ctx, gen, s := p.run, p.gen, p.cfg.Tallier
	return func() tea.Msg {
		n, err := s.Tally(ctx, store)
		return tallyMsg{gen: gen, store: store, tally: n, err: err}
	}
}

// onSummary fills a row and goes on.
func (p *Page) onSummary(m summaryMsg) tea.Cmd {
	if m.gen != p.gen {
		return nil
	}
	p.work.reading--
	if i, ok := p.row(m.store); ok && m.store != p.view.Open {
		p.set(i, m.summary, m.err)
		p.resort()
	}
	return p.more()
}

// onTally fills in the findings of a row and goes on.
func (p *Page) onTally(m tallyMsg) tea.Cmd {
	if m.gen != p.gen {
		return nil
	}
	p.work.auditing--
	if i, ok := p.row(m.store); ok && m.err == nil {
		p.view.Rows[i].Tally, p.view.Rows[i].Tallied = m.tally, true
		p.resort()
	}
	return p.more()
}
