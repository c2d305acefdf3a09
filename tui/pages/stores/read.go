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

// summaryMsg is the summary of one row of a generation.
type summaryMsg struct {
	gen, row int
	summary  memory.Snapshot
	err      error
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
	old := v.Rows
	chosen := v.Open
	if v.Cursor >= 0 && v.Cursor < len(old) {
		chosen = old[v.Cursor].Place.Store
	}
	v.Rows, v.Looked, v.Ready = make([]views.StoreRow, len(s.Places)), s.Looked, true
	for i, place := range s.Places {
		v.Rows[i].Place = place
		for _, r := range old {
			if r.Place.Store == place.Store {
				r.Place = place
				v.Rows[i] = r
			}
		}
	}
	i, _ := p.row(chosen)
	p.moveTo(i)
}

// read reads the summaries of all rows, beginning with the first.
func (p *Page) read() tea.Cmd {
	p.begin()
	return p.summary(0)
}

// summary returns the command that reads the first row from one on that is not
// the open store: the states of that arrive by themselves.
func (p *Page) summary(row int) tea.Cmd {
	rows := p.view.Rows
	for row < len(rows) && rows[row].Place.Store == p.view.Open {
		row++
	}
	if row >= len(rows) {
		return nil
	}
	ctx, gen, s, store := p.run, p.gen, p.cfg.Summarizer, rows[row].Place.Store
	return func() tea.Msg {
		snap, err := s.Summary(ctx, store)
		return summaryMsg{gen: gen, row: row, summary: snap, err: err}
	}
}

// onSummary fills a row and goes on with the next.
func (p *Page) onSummary(m summaryMsg) tea.Cmd {
	if m.gen != p.gen || m.row >= len(p.view.Rows) {
		return nil
	}
	if p.view.Rows[m.row].Place.Store != p.view.Open {
		p.set(m.row, m.summary, m.err)
	}
	return p.summary(m.row + 1)
}
