// Package lessons is the home screen: the list of the records of a store, and the detail of the
// record under the cursor.
//
// Filtering runs in the background (job). What the screen shows changes in one step, when the result
// arrives (onFiltered), so snapshot, rows and cursor always belong together. Moving changes only the
// cursor, so a key costs the same for any number of records.
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
	names map[memory.StoreID]string // the display names of all stores found

	shown   shown
	pending memory.Snapshot  // the latest; shown once it has been filtered
	seen    memory.Snapshot  // the last one shown that could be read; marks refer to it
	away    memory.ID        // the cursor's record while the store cannot be read
	work    page.Work[*Page] // the latest filtering
	// filtering is set until the result of the latest job has arrived.
	filtering bool

	query  filter.Query
	filter page.Filter
	scope  string // the part of the store that is shown; "" for all
	menu   bool   // the sort menu is open
	slow   bool   // nothing has been shown for a while

	left          int       // how many cells titles are scrolled to the left
	touched       bool      // a key or the mouse was used since the store was opened
	drag          *drag     // the range being marked with the mouse, or nil
	sought        memory.ID // the cursor goes to this record once it is listed
	reportMissing bool      // report if sought is not found
	ordered       bool      // sorted as stored, because the records suggest no other order so far
	kept          keptOrders
	columns       []string // of the view that was chosen, or of config.toml; nil for the default ones

	raw     bool // the detail shows the stored line
	numbers bool // the detail numbers the lines of its text
}

// shown is what is on the screen: a snapshot and its rows.
type shown struct {
	loaded  bool
	snap    memory.Snapshot
	result  filter.Result
	query   filter.Query // the query of result
	display views.Display
}

// slowAfter is how long loading may take before the screen says so.
const slowAfter = 150 * time.Millisecond

// Config is the configuration of a Page.
type Config struct {
	Keys keymap.Map
	// Survey is the result of the search for stores so far. Message msg.Found delivers a later one.
	Survey memory.Survey
	// Names are the display names of systems.
	Names map[memory.SystemID]string
	// Columns are the columns set in config.toml.
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

// forget resets the page when another store is opened.
func (p *Page) forget() {
	p.noteOrder()
	p.kept.opened, p.kept.kind, p.columns = false, "", nil
	p.work.Begin(p.ctx)
	p.filtering = false
	p.shown, p.pending, p.seen, p.away = shown{}, memory.Snapshot{}, memory.Snapshot{}, ""
	p.at.Cursor, p.at.Offset, p.left = 0, 0, 0
	p.touched, p.sought = false, ""
	p.Unmark()
	p.closeDetail()
	p.query.Text, p.slow, p.scope = "", false, ""
	p.filter.Clear()
}

// closeDetail shows the list with the focus on it, and resets the detail.
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

// Busy implements page.Busy.
func (p *Page) Busy() bool { return p.filtering }

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
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
		for _, id := range m.IDs { // the records were marked for this change
			delete(p.at.Marked, string(id))
		}
		p.seek(m.Made)
	case msg.View:
		return p.takeView(m.View)
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

// onSnapshot starts filtering a new state. A partial state does not replace a complete one, since
// records would vanish for a moment, and their marks for good.
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

// idAt returns the ID of the record in a row. Marks use it.
func (p *Page) idAt(row int) string {
	return string(p.shown.snap.Records[p.shown.result.Index[row]].ID)
}

// id returns the ID of the record under the cursor, or "".
func (p *Page) id() memory.ID {
	if r := p.record(); r != nil {
		return r.ID
	}
	return ""
}
