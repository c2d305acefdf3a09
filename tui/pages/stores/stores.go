// Package stores is the page that lists the stores of this machine with their
// health, and opens one.
//
// Summaries are read one after another, in commands, so that a slow store does
// not hold up the ones before it and a hundred of them do not start a hundred
// reads. Each search has a generation; what an earlier one still reads is
// dropped.
package stores

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Surveyor looks for stores.
type Surveyor interface {
	Find(ctx context.Context) memory.Survey
}

// Summarizer reads the counts and the health of a store.
type Summarizer interface {
	Summary(ctx context.Context, store memory.StoreID) (memory.Snapshot, error)
}

// Config says what the page works with.
type Config struct {
	Keys       keymap.Map
	Surveyor   Surveyor
	Summarizer Summarizer
	// Survey is what was found before the page began. When it is empty the search
	// still runs, and msg.Found brings its result.
	Survey memory.Survey
	// Lessons is the position of the page to show after a store was opened.
	Lessons int
}

// Page implements page.Page.
type Page struct {
	ctx   context.Context
	cfg   Config
	do    []action
	theme theme.Theme
	w, h  int // of the last render

	view   views.Stores
	gen    int             // of the latest search
	run    context.Context // of that generation
	cancel context.CancelFunc
}

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c, do: actions(c.Keys)}
	if len(c.Survey.Places) > 0 || len(c.Survey.Looked) > 0 {
		p.list(c.Survey)
	}
	return p
}

// pause is how long the page waits before it reads stores that nobody has opened,
// so that the one that is open comes first.
const pause = 500 * time.Millisecond

// Init implements page.Page.
func (p *Page) Init() tea.Cmd {
	if !p.view.Ready {
		return nil
	}
	p.begin()
	gen := p.gen
	return tea.Tick(pause, func(time.Time) tea.Msg { return startMsg{gen: gen} })
}

// Title implements page.Page.
func (p *Page) Title() string { return "Stores" }

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.StoresLegend() }

// Storeless implements page.Storeless: stores can be looked for again here.
func (p *Page) Storeless() bool { return true }

// Typing implements page.Page.
func (p *Page) Typing() bool { return false }

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	p.w, p.h = w, h
	return p.view.Render(p.theme, w, h)
}

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return p.onKey(m)
	case msg.Click:
		return p.click(m.Y)
	case msg.Wheel:
		p.wheel(m.Y, m.Lines)
	case msg.Theme:
		p.theme = m.Theme
	case msg.Clock:
		p.view.Now = m.Time
	case msg.OpenStore:
		p.opened(m.Store)
	case msg.Snapshot:
		p.onSnapshot(m.Snapshot)
	case msg.Found:
		p.list(m.Survey)
		return p.read()
	case startMsg:
		return p.onStart(m)
	case foundMsg:
		return p.onFound(m)
	case summaryMsg:
		return p.onSummary(m)
	}
	return nil
}

// An action is what a key does, and when.
type action struct {
	binding keymap.Binding
	when    func(*Page) bool
	run     func(*Page) tea.Cmd
}

func actions(k keymap.Map) []action {
	step := func(lines func(*Page) int) func(*Page) tea.Cmd {
		return func(p *Page) tea.Cmd { p.step(lines(p)); return nil }
	}
	pane := func(p *Page) tea.Cmd { p.view.Detail = !p.view.Detail; return nil }
	m := k.Move
	return []action{
		{k.Stores.Open, hasRow, (*Page).open},
		{k.Stores.Refresh, always, (*Page).look},
		{k.Stores.Copy, hasRow, (*Page).copyPath},
		{k.Global.NextPane, hasRow, pane},
		{k.Global.PrevPane, hasRow, pane},
		{k.Global.Back, func(p *Page) bool { return p.view.Detail }, func(p *Page) tea.Cmd { p.Back(); return nil }},
		{m.Down, always, step(func(*Page) int { return +1 })},
		{m.Up, always, step(func(*Page) int { return -1 })},
		{m.HalfDown, always, step(func(p *Page) int { return +max(p.h/4, 1) })},
		{m.HalfUp, always, step(func(p *Page) int { return -max(p.h/4, 1) })},
		{m.PageDown, always, step(func(p *Page) int { return +max(p.h/2, 1) })},
		{m.PageUp, always, step(func(p *Page) int { return -max(p.h/2, 1) })},
		{m.Top, always, step(func(*Page) int { return -end })},
		{m.Bottom, always, step(func(*Page) int { return +end })},
	}
}

// end is further than any list goes.
const end = 1 << 30

func always(*Page) bool   { return true }
func hasRow(p *Page) bool { return len(p.view.Rows) > 0 }

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	var list []keymap.Binding
	for _, a := range p.do {
		if a.when(p) {
			list = append(list, a.binding)
		}
	}
	return list
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	for _, a := range p.do {
		if key.Matches(k, a.binding) && a.when(p) {
			return a.run(p)
		}
	}
	return nil
}

// Back implements page.Backer.
func (p *Page) Back() bool {
	was := p.view.Detail
	p.view.Detail = false
	return was
}

// step moves the cursor, or scrolls the lower box when it has the keys or there
// is no table to move in.
func (p *Page) step(by int) {
	v := &p.view
	if v.Detail || len(v.Rows) == 0 {
		v.Scroll = max(min(v.Scroll+by, v.MaxScroll(p.w, p.h)), 0)
		return
	}
	p.moveTo(v.Cursor + by)
}

func (p *Page) moveTo(row int) {
	v := &p.view
	v.Cursor, v.Scroll = max(min(row, len(v.Rows)-1), 0), 0
}

func (p *Page) click(y int) tea.Cmd {
	v := &p.view
	if v.InDetail(p.h, y) {
		v.Detail = true
		return nil
	}
	v.Detail = false
	row, ok := v.RowAt(p.h, y)
	switch {
	case !ok:
		return nil
	case row == v.Cursor:
		return p.open()
	}
	p.moveTo(row)
	return nil
}

func (p *Page) wheel(y, lines int) {
	detail := p.view.Detail
	p.view.Detail = p.view.InDetail(p.h, y)
	p.step(lines)
	p.view.Detail = detail
}

// open asks for the chosen store, and for the page that shows it.
func (p *Page) open() tea.Cmd {
	store := p.view.Rows[p.view.Cursor].Place.Store
	return tea.Sequence(msg.Emit(msg.OpenStore{Store: store}), msg.Emit(msg.Show{Page: p.cfg.Lessons}))
}

// opened notes the store that is open, and goes to it.
func (p *Page) opened(store memory.StoreID) {
	p.view.Open = store
	if i, ok := p.row(store); ok {
		p.moveTo(i)
	}
}

// copyPath copies the path, unless it has what a terminal would act on where it
// is pasted.
func (p *Page) copyPath() tea.Cmd {
	path := string(p.view.Rows[p.view.Cursor].Place.Store)
	if safe.Line(path) != path {
		return msg.Emit(msg.Toast{Text: "Not copied: the path has characters that do more than name a file where it is pasted"})
	}
	return msg.Emit(msg.Copy{Text: path, What: "the path"})
}

// onSnapshot keeps the row of the open store up to date.
func (p *Page) onSnapshot(s memory.Snapshot) {
	p.view.Open = s.Place.Store
	if s.Partial {
		return
	}
	if i, ok := p.row(s.Place.Store); ok {
		p.set(i, s, nil)
	}
}

// row returns the row of a store.
func (p *Page) row(store memory.StoreID) (int, bool) {
	for i := range p.view.Rows {
		if p.view.Rows[i].Place.Store == store {
			return i, true
		}
	}
	return 0, false
}

// set fills a row. The records are not needed here and would be kept alive.
func (p *Page) set(i int, s memory.Snapshot, err error) {
	r := &p.view.Rows[i]
	s.Records = nil
	r.Summary, r.Loaded, r.Failed = s, err == nil, ""
	if err != nil {
		r.Failed = err.Error()
	}
}
