package recall

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/views"
)

// changed requests the recall once the task has stayed unchanged for rest. It gives up an earlier
// wait or request.
func (p *Page) changed() tea.Cmd {
	p.work.Begin(p.ctx)
	p.view.Task.Text = p.view.Box.Text
	if !p.askable() {
		p.clear()
		return nil
	}
	return p.work.After(rest, (*Page).ask)
}

// ask returns the command that computes the recall of the current task.
func (p *Page) ask() tea.Cmd {
	p.work.Begin(p.ctx)
	p.view.Task.Text = p.view.Box.Text
	if !p.askable() {
		p.clear()
		return nil
	}
	r, store, task := p.cfg.Recaller, p.store, p.view.Task
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		recall, err := r.Recall(ctx, store, task)
		return func(p *Page) tea.Cmd { p.onRecalled(recall, err); return nil }
	})
}

// askable reports whether a recall can be requested: a store is open, and the task has a text unless
// it also works without.
func (p *Page) askable() bool {
	return p.store != "" && (p.view.Box.Text != "" || !p.view.Described.Draft.TextOnly)
}

// clear forgets the last answer.
func (p *Page) clear() {
	v := &p.view
	v.Ready, v.Failed, v.Result = false, "", memory.Recall{}
	v.Cursor, v.Scroll, v.Left, v.Word = 0, 0, 0, 0
}

// onRecalled shows a recall. The cursor stays on its record.
func (p *Page) onRecalled(recall memory.Recall, err error) {
	v := &p.view
	if err != nil {
		p.clear()
		v.Failed = msg.Reason(err)
		return
	}
	before, had := v.Hit()
	v.Ready, v.Failed, v.Result = true, "", recall
	v.Block = max(min(v.Block, len(v.Blocks())-1), 0)
	if v.Detail {
		v.Cursor = max(min(v.Cursor, v.RowCount()-1), 0)
	} else {
		p.moveTo(v.Cursor)
	}
	if had {
		p.follow(before.ID)
	}
	if v.HasPanel(p.W, p.H) {
		v.Scroll = min(v.Scroll, v.MaxScroll(p.W, p.H))
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

// onSnapshot requests the recall again, because the store changed. It waits if the state is partial,
// because the complete one will follow.
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

// forget drops what belongs to the previous store, except for the text of the task.
func (p *Page) forget(store memory.StoreID) {
	p.work.Begin(p.ctx)
	p.clear()
	p.store, p.snap, p.view.Risks = store, memory.Snapshot{}, nil
	p.describe(p.snap)
	p.view.Task.Scope, p.view.Task.Folder, p.view.Task.Files = "", "", nil
	p.view.Panel, p.view.Detail = views.PanelText, false
}

// risks returns the open findings that matter for what an agent reads, by record: secrets, injections
// and hidden text.
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
