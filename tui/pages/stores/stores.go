// Package stores is the page that lists the stores of this machine with their
// health, and opens one.
//
// Summaries are read in commands, a few at a time and those of the stores that can be
// seen first, so that a slow store does not hold up the others and a hundred of them do
// not start a hundred reads. Each search has a generation; what an earlier one still
// reads is dropped.
package stores

import (
	"context"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/layout"
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

// Tallier counts the findings of a store.
type Tallier interface {
	Tally(ctx context.Context, store memory.StoreID) (memory.Tally, error)
}

// Config says what the page works with.
type Config struct {
	Keys       keymap.Map
	Surveyor   Surveyor
	Summarizer Summarizer
	// Tallier may be nil: then no findings are counted.
	Tallier Tallier
	// Names are what systems are called.
	Names map[memory.SystemID]string
	// Mask hides the secrets of a text; it may be nil.
	Mask views.Mask
	// First is set when the page is shown first, with no store open: then nothing else
	// is waited for.
	First bool
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
	order  []int // the rows, in the order in which they are read
	sort   sorting
	folded map[foldKey]bool
	line   textline.Line
	typing bool   // into line
	home   string // of the user
	work   work
	shown  bool            // the page was visible once
	gen    int             // of the latest search
	run    context.Context // of that generation
	cancel context.CancelFunc
}

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c, do: actions(c.Keys), folded: map[foldKey]bool{}}
	p.view.Names, p.view.Mask = c.Names, c.Mask
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
	if p.cfg.First {
		return p.read()
	}
	p.begin()
	gen := p.gen
	return tea.Tick(pause, func(time.Time) tea.Msg { return startMsg{gen: gen} })
}

// Title implements page.Page.
func (p *Page) Title() string { return "Stores" }

// Legend implements page.Legend.
func (p *Page) Legend() []string {
	if p.view.Grouped {
		return views.StoresTreeLegend()
	}
	return views.StoresLegend()
}

// Storeless implements page.Storeless: stores can be looked for again here.
func (p *Page) Storeless() bool { return true }

// Typing implements page.Page.
func (p *Page) Typing() bool { return p.typing }

// Shown implements page.Shown: what can be seen is read first.
func (p *Page) Shown() tea.Cmd {
	p.shown = true
	return p.more()
}

// Cursor implements page.Cursor.
func (p *Page) Cursor() (x, y int, ok bool) { return p.view.CursorAt(p.line.Before(), p.w) }

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	p.w, p.h = w, h
	p.view.Offset = p.view.First(h)
	return p.view.Render(p.theme, w, h)
}

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return tea.Batch(p.onKey(m), p.more())
	case tea.PasteMsg:
		return p.typed(m)
	case tea.WindowSizeMsg:
		body := layout.Divide(m.Width, m.Height).Body
		p.w, p.h = body.Dx(), body.Dy()
	case msg.Click:
		return tea.Batch(p.click(m.Y), p.more())
	case msg.Wheel:
		p.wheel(m.Y, m.Lines)
		return p.more()
	case msg.Theme:
		p.setTheme(m)
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
	case tallyMsg:
		return p.onTally(m)
	}
	return nil
}

func (p *Page) setTheme(m msg.Theme) {
	p.theme, p.view.Mask = m.Theme, p.cfg.Mask
	if m.Reveal {
		p.view.Mask = nil
	}
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
		{k.Stores.Open, onStore, (*Page).open},
		{keymap.Named(k.Stores.Open, k.Stores.Open.Help().Key, "fold"), onHeading, (*Page).fold},
		{k.Stores.Filter, hasRow, (*Page).filter},
		{k.Stores.Sort, isGrouped, (*Page).nextSort},
		{k.Stores.Fold, onHeading, (*Page).fold},
		{k.Stores.Refresh, always, (*Page).look},
		{k.Stores.Copy, onStore, (*Page).copyPath},
		{k.Global.NextPane, hasRow, pane},
		{k.Global.PrevPane, hasRow, pane},
		{k.Global.Back, func(p *Page) bool { return p.view.Detail || p.view.Filter != "" }, func(p *Page) tea.Cmd { p.escape(); return nil }},
		{keymap.Named(m.Right, m.Right.Help().Key, "unfold"), onHeading, func(p *Page) tea.Cmd { p.foldTo(false); return nil }},
		{keymap.Named(m.Left, m.Left.Help().Key, "fold"), isGrouped, func(p *Page) tea.Cmd { p.foldTo(true); return nil }},
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
func onStore(p *Page) bool {
	l, ok := p.view.Chosen()
	return ok && l.Heading == ""
}
func onHeading(p *Page) bool {
	l, ok := p.view.Chosen()
	return ok && l.Heading != ""
}
func isGrouped(p *Page) bool { return p.view.Grouped }

// Keys implements page.Page.
func (p *Page) Keys() []keymap.Binding {
	if p.typing {
		t := p.cfg.Keys.Text
		return []keymap.Binding{
			keymap.Named(t.Accept, "Enter", "keep"), keymap.Named(t.Cancel, "Esc", "clear"),
			keymap.Named(t.Older, "up/down", "move"), t.DeleteWord, t.DeleteLine,
		}
	}
	var list []keymap.Binding
	for _, a := range p.do {
		if a.when(p) {
			list = append(list, a.binding)
		}
	}
	return list
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	if p.typing {
		return p.onFilterKey(k)
	}
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
	if v.Detail || v.Len() == 0 {
		v.Scroll = max(min(v.Scroll+by, v.MaxScroll(p.w, p.h)), 0)
		return
	}
	p.moveTo(v.Cursor + by)
}

func (p *Page) moveTo(line int) {
	v := &p.view
	v.Cursor, v.Scroll = max(min(line, v.Len()-1), 0), 0
	if p.h > 0 {
		v.Offset = v.First(p.h)
	}
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
	case row == v.Cursor && onHeading(p):
		return p.fold()
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
	store := p.chosen()
	return tea.Sequence(msg.Emit(msg.OpenStore{Store: store}), msg.Emit(msg.Show{Page: p.cfg.Lessons}))
}

// opened notes the store that is open, and goes to it.
func (p *Page) opened(store memory.StoreID) {
	p.view.Open = store
	p.goTo(store)
}

// copyPath copies the path, unless it has what a terminal would act on where it
// is pasted.
func (p *Page) copyPath() tea.Cmd {
	path := p.chosen().Path()
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
		if s.Audited {
			p.view.Rows[i].Tally, p.view.Rows[i].Tallied = tallyOf(s.Findings), true
		}
		p.resort()
	}
}

func tallyOf(found []memory.Finding) memory.Tally {
	return memory.Tally{
		High: memory.CountFindings(found, memory.High), Medium: memory.CountFindings(found, memory.Medium),
		Low: memory.CountFindings(found, memory.Low), Files: memory.CountFindings(found, 0),
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
	s.Records, s.Findings, s.Undone = nil, nil, nil
	r.Summary, r.Loaded, r.Failed = s, err == nil, ""
	if err != nil {
		r.Failed = err.Error()
	}
}
