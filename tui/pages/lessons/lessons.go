// Package lessons is the home screen: the list of the records of a store, and the one
// under the cursor in detail.
//
// What the screen shows changes in one step only, when the result of filtering
// arrives (onFiltered): snapshot, rows and cursor belong together at any time.
// Moving touches nothing but the cursor, so that a key costs the same for any
// number of lessons.
package lessons

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// Page lists the records of the open store.
type Page struct {
	page.List
	at    views.Listing // the rows, and the detail of the one under the cursor
	ctx   context.Context
	cfg   Config
	title string // of the tab
	keys  keymap.Map
	names map[memory.StoreID]string // what other stores are called

	shown   shown
	pending memory.Snapshot  // the latest; shown once it has been filtered
	seen    memory.Snapshot  // the last shown that could be read; marks are of it
	away    memory.ID        // the cursor's record, while the store cannot be read
	work    page.Work[*Page] // the latest filtering
	// filtering is set until the rows that were asked for last are there.
	filtering bool

	query  filter.Query
	filter page.Filter
	scope  string // the part of the store that is shown; empty for all
	menu   bool
	slow   bool // nothing has been shown for a while

	left     int  // cells of the titles that are scrolled out
	touched  bool // keys or mouse did something since the store was opened
	count    int  // the number typed before a move
	counting bool // it has been begun, with a 0 perhaps
	drag     *drag
	sought   memory.ID // the cursor goes to it once it is there
	goal     bool      // sought was asked for by itself
	ordered  bool      // the order of the store was chosen for its records
	kept     kept
	columns  []string // that the person chose; nil for the usual ones
	heat     heat

	raw     bool // the detail shows the stored line
	numbers bool // the lines of its text are numbered
}

// shown is what is on the screen: a snapshot and its rows.
type shown struct {
	loaded  bool
	snap    memory.Snapshot
	result  filter.Result
	query   filter.Query // that the rows were made with
	display views.Display
}

// slowAfter is how long loading may take before the screen says so.
const slowAfter = 150 * time.Millisecond

// Config says what the page works with.
type Config struct {
	Keys keymap.Map
	// Survey is what was found before the page began; msg.Found brings a later one.
	Survey memory.Survey
	// Names are what systems are called.
	Names map[memory.SystemID]string
	// Heater counts recalls by week. It may be nil: then they are not known.
	Heater Heater
	// Columns are those that config.toml sets.
	Columns config.Columns
}

// New returns the page. Filtering stops when ctx ends.
func New(ctx context.Context, c Config) *Page {
	k := c.Keys
	p := &Page{ctx: ctx, cfg: c, keys: k, title: "Records", at: views.NewListing()}
	p.List = page.List{At: &p.at, View: p, ID: p.idAt}
	p.query = filter.Query{Sort: filter.ByRel, Desc: true}
	p.setNames(c.Survey.Places)
	p.forget()
	return p
}

// forget drops what belongs to one store.
func (p *Page) forget() {
	p.noteOrder()
	p.kept.opened, p.kept.kind, p.columns = false, "", nil
	p.work.Begin(p.ctx)
	p.filtering = false
	p.shown, p.pending, p.seen, p.away = shown{}, memory.Snapshot{}, memory.Snapshot{}, ""
	p.at.Cursor, p.at.Offset, p.count, p.left = 0, 0, 0, 0
	p.touched, p.sought = false, ""
	p.Unmark()
	p.closeDetail()
	p.query.Text, p.slow, p.scope = "", false, ""
	p.filter.Clear()
}

// closeDetail gives the keys to the list, which is shown, and shows the detail as it is at first.
func (p *Page) closeDetail() {
	p.Back()
	p.raw, p.numbers, p.at.Detail, p.at.Scroll = false, false, false, 0
}

// Init implements page.Page.
func (p *Page) Init() tea.Cmd { return waitSlow }

// waitSlow says after a while that nothing has been shown yet.
func waitSlow() tea.Msg {
	time.Sleep(slowAfter)
	return page.Then(func(p *Page) tea.Cmd { p.slow = true; return nil })
}

// Title implements page.Page.
func (p *Page) Title() string { return p.title }

// Legend implements page.Legend.
func (p *Page) Legend() []string { return p.display().Legend() }

// Typing implements page.Page. In the sort menu letters pick columns.
func (p *Page) Typing() bool { return p.filter.Typing || p.menu }

// Counting implements page.Counter.
func (p *Page) Counting() bool { return p.counting }

// Busy implements page.Busy.
func (p *Page) Busy() bool { return p.filtering }

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd { return tea.Batch(p.update(m), p.warm()) }

func (p *Page) update(m tea.Msg) tea.Cmd {
	if p.Take(m) {
		p.Follow()
		return nil
	}
	switch m.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, msg.Click, msg.Drag, msg.Wheel:
		p.touched, p.sought = true, ""
	}
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return p.onKey(m)
	case tea.PasteMsg:
		return p.onFilter(m)
	case msg.Click:
		return p.onClick(m)
	case msg.Drag:
		p.onDrag(m)
	case msg.Wheel:
		p.Wheel(m.X, m.Y, m.Lines)
	case msg.Snapshot:
		return p.onSnapshot(m.Snapshot)
	case page.Done[*Page]:
		return m.In(p)
	case msg.OpenStore:
		p.forget()
		return waitSlow
	case msg.Changed:
		for _, id := range m.IDs { // what they were marked for is done
			delete(p.at.Marked, string(id))
		}
		p.seek(m.Made)
	case msg.View:
		return p.takeView(m.View)
	case msg.Columns:
		p.setColumns(m.Names)
	case msg.Lesson:
		if m.Quiet {
			p.seek(m.ID)
			return nil
		}
		return p.show(m.ID)
	case msg.Found:
		p.setNames(m.Places)
	}
	return nil
}

// onSnapshot shows another state. A state that is still being read does not replace one
// that was read whole: records would vanish for a moment, and their marks with them.
func (p *Page) onSnapshot(s memory.Snapshot) tea.Cmd {
	if s.Partial && p.seen.Seq > 0 && !p.seen.Partial {
		return nil
	}
	p.describe(s)
	p.pending = s
	return p.refilter()
}

func (p *Page) noun() memory.Noun { return p.shown.snap.Noun.OrRecord() }

// record returns the record under the cursor, or nil.
func (p *Page) record() *memory.Record {
	if p.at.Cursor >= p.Len() {
		return nil
	}
	return &p.shown.snap.Records[p.shown.result.Index[p.at.Cursor]]
}

// idAt returns the id of the record in a row, which it is marked by.
func (p *Page) idAt(row int) string {
	return string(p.shown.snap.Records[p.shown.result.Index[row]].ID)
}

// id returns the id of the record under the cursor, or nothing.
func (p *Page) id() memory.ID {
	if r := p.record(); r != nil {
		return r.ID
	}
	return ""
}
