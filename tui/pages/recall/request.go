package recall

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/views"
)

// restedMsg says that the task of a generation has rested.
type restedMsg struct{ gen int }

// recalledMsg is the answer to the request of a generation.
type recalledMsg struct {
	gen    int
	recall memory.Recall
	err    error
}

// changed waits until the task rests. An earlier wait or request is given up.
func (p *Page) changed() tea.Cmd {
	p.supersede()
	p.view.Task.Text = p.view.Box.Text
	if !p.askable() {
		p.clear()
		return nil
	}
	gen := p.gen
	return tea.Tick(rest, func(time.Time) tea.Msg { return restedMsg{gen: gen} })
}

func (p *Page) onRested(m restedMsg) tea.Cmd {
	if m.gen != p.gen {
		return nil
	}
	return p.ask()
}

// ask returns the command that computes the recall of the task as it is now.
func (p *Page) ask() tea.Cmd {
	p.supersede()
	p.view.Task.Text = p.view.Box.Text
	if !p.askable() {
		p.clear()
		return nil
	}
	ctx, cancel := context.WithCancel(p.ctx)
	p.cancel = cancel
	gen, r, store, task := p.gen, p.cfg.Recaller, p.store, p.view.Task
	return tea.Batch(func() tea.Msg {
		recall, err := r.Recall(ctx, store, task)
		return recalledMsg{gen: gen, recall: recall, err: err}
	}, p.askOther(ctx))
}

// askable reports whether there is anything to ask for.
func (p *Page) askable() bool {
	return p.store != "" && (p.view.Box.Text != "" || !p.view.Described.Draft.TextOnly || p.against.on())
}

// supersede makes whatever is under way stale.
func (p *Page) supersede() {
	p.gen++
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
}

// clear forgets the last answer.
func (p *Page) clear() {
	v := &p.view
	v.Ready, v.Failed, v.Result = false, "", memory.Recall{}
	v.Cursor, v.Scroll, v.Left, v.Word = 0, 0, 0, 0
}

// failedText says what went wrong, and what to do where somebody knows.
func failedText(err error) string {
	var p *memory.Problem
	if errors.As(err, &p) && p.Hint != "" {
		return err.Error() + "; " + p.Hint
	}
	return err.Error()
}

// onRecalled shows an answer. The cursor stays on its record.
func (p *Page) onRecalled(m recalledMsg) {
	if m.gen != p.gen {
		return
	}
	v := &p.view
	if m.err != nil {
		p.clear()
		v.Failed = failedText(m.err)
		return
	}
	before, had := v.Hit()
	v.Ready, v.Failed, v.Result = true, "", m.recall
	p.matchUp()
	v.Block = max(min(v.Block, len(v.Blocks())-1), 0)
	if v.Right {
		v.Cursor = max(min(v.Cursor, v.RowCount()-1), 0)
	} else {
		p.moveTo(v.Cursor)
	}
	if had {
		p.follow(before.ID)
	}
	if v.HasPanel(p.w, p.h) {
		v.Scroll = min(v.Scroll, v.MaxScroll(p.w, p.h))
	}
	v.Word = max(min(v.Word, len(v.TaskWords())-1), 0)
}

// follow moves the cursor to a record, if it is still listed.
func (p *Page) follow(id memory.ID) {
	v := &p.view
	if _, piece := v.Piece(); piece {
		return
	}
	for i, row := range v.Rows() {
		if !row.Rest && v.Result.Hits[row.Hit].ID == id {
			v.Cursor = i
			return
		}
	}
}

// onSnapshot computes anew, since the store has changed. A state of which only a
// part is read will be followed by the whole.
func (p *Page) onSnapshot(s memory.Snapshot) tea.Cmd {
	if s.Place.Store != p.store {
		p.forget(s.Place.Store)
	}
	p.snap = s
	p.describe(s)
	if s.Audited {
		p.view.Risks = risks(s.Findings)
	}
	if s.Partial {
		return nil
	}
	return p.ask()
}

// forget lets go of the store that was open before. The task stays.
func (p *Page) forget(store memory.StoreID) {
	p.supersede()
	p.clear()
	p.store, p.snap, p.view.Risks = store, memory.Snapshot{}, nil
	p.describe(p.snap)
	p.view.Task.Scope, p.view.Task.Folder, p.view.Task.Files = "", "", nil
	p.view.Panel, p.view.Right = views.PanelText, false
	p.against.end()
}

// risks returns the findings that count on what an agent would read, by record.
func risks(findings []memory.Finding) map[memory.ID][]memory.Finding {
	by := map[memory.ID][]memory.Finding{}
	for i := range findings {
		switch f := &findings[i]; f.Family {
		case memory.FamilySecret, memory.FamilyInjection, memory.FamilyHidden:
			if f.ID != "" && f.Open() {
				by[f.ID] = append(by[f.ID], *f)
			}
		}
	}
	return by
}
