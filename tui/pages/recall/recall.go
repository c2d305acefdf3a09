// Package recall is the page that previews recall: a draft task, the records that it would find, and
// the text that the agent would read.
//
// The preview changes nothing: the page requests a recall but never commits one. It does so when the
// task has not changed for a moment, and at once when anything else changes. Only the answer to the
// latest request is shown.
package recall

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// Recaller computes what a task would recall, without side effects.
type Recaller interface {
	Recall(ctx context.Context, store memory.StoreID, t memory.Task) (memory.Recall, error)
}

// Editor edits a text in the user's editor.
type Editor interface {
	// Edit returns a command that hands over the terminal, and finally delivers done(text, err).
	Edit(text string, done func(text string, err error) tea.Msg) tea.Cmd
}

// Config is the configuration of a Page.
type Config struct {
	Keys     keymap.Map
	Recaller Recaller
	Editor   Editor
	// JSON returns a recall as the command line prints it. Secrets are masked unless reveal is set.
	JSON func(r memory.Recall, reveal bool) (string, error)
	// Survey is the result of the search for stores so far. Message msg.Found delivers a later one.
	Survey memory.Survey
	// Task is the initial text of the task box.
	Task string
}

// rest is how long the task must stay unchanged before the page requests its recall.
const rest = 80 * time.Millisecond

// Page previews what the open store recalls for a task. It implements page.Page.
type Page struct {
	page.Base
	ctx context.Context
	cfg Config

	view  views.Recall
	store memory.StoreID
	snap  memory.Snapshot  // the latest of the store
	work  page.Work[*Page] // the latest request
	past  history
	line  string // of the input line, as it was opened or as Esc last asked about it
}

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c}
	p.view = views.Recall{
		Keyed:   views.Keyed{Keys: &p.cfg.Keys},
		Listing: views.NewListing(),
		Markers: true,
		Wrap:    true,
		Task:    memory.Task{Mode: memory.Single},
	}
	p.setText(c.Task)
	return p
}

// Init implements page.Page.
func (p *Page) Init() tea.Cmd { return nil }

// Title implements page.Page.
func (p *Page) Title() string { return "Recall" }

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.RecallLegend() }

// Typing implements page.Page.
func (p *Page) Typing() bool { return p.view.Typing || p.view.For != views.NoLine }

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	return p.view.Render(p.Theme, w, h)
}

// Cursor implements page.Cursor.
func (p *Page) Cursor() (x, y int, ok bool) {
	return p.view.CursorAt(p.W, p.H)
}

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	if p.Take(m) {
		p.view.Reveal, p.view.Mask, p.view.Now = p.Reveal, p.Mask, p.Now
		p.scroll(0)
		return nil
	}
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return p.onKey(m)
	case tea.PasteMsg:
		return p.paste(m.Content)
	case msg.Click:
		p.click(m.X, m.Y)
	case msg.Wheel:
		p.wheel(m.X, m.Y, m.Lines)
	case msg.Snapshot:
		return p.onSnapshot(m.Snapshot)
	case msg.OpenStore:
		p.forget(m.Store)
	case msg.Recall:
		return p.begin(m.Text)
	case msg.Found:
		p.cfg.Survey = m.Survey
	case page.Done[*Page]:
		return m.In(p)
	}
	return nil
}

// begin starts over with another task.
func (p *Page) begin(text string) tea.Cmd {
	v := &p.view
	p.past.add(v.Box.Text)
	v.Typing, v.For, v.Detail, v.All = false, views.NoLine, false, false
	v.Panel, v.Cursor, v.Scroll, v.Left, v.Task.Without = views.PanelText, 0, 0, 0, nil
	p.setText(text)
	return p.ask()
}

// Back implements page.Backer.
func (p *Page) Back() bool {
	v := &p.view
	switch {
	case v.Panel != views.PanelText:
		v.Panel = views.PanelText
	case v.Layout != layout.Both:
		v.Layout = layout.Both
	case v.Detail:
	default:
		return false
	}
	v.Detail, v.Scroll, v.Left = false, 0, 0
	return true
}
