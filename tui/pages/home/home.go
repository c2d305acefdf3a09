// Package home is the first page: what each agent reads in the folder, what is wrong with that, and the
// stores of this machine with their health.
//
// What agents read arrives from a channel, in parts while it is found out, and again after a change.
// Summaries are read in commands, a few at a time, visible stores first. A slow store thus does not
// hold up the others, and a hundred stores do not start a hundred reads. A new search drops what an
// earlier one is still reading.
package home

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/safe"
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

// Follower says what agents read.
type Follower interface {
	// FollowHome sends what is known so far of a folder, and again after each change, until ctx ends; then it
	// closes the channel. The working folder is "".
	FollowHome(ctx context.Context, folder string) <-chan memory.Home
}

// Curator changes what is wrong with what agents read. Apply is that of the root.
type Curator interface {
	// PlanMend returns the plan of the change that removes an issue.
	PlanMend(ctx context.Context, m memory.Mend) (memory.Plan, error)
	// MeantSo keeps that a person said of issues that they are meant so.
	MeantSo(ctx context.Context, issues []memory.Issue, reason string) error
	// RecordAt returns the store that has a file as a record which can be edited, and that record.
	RecordAt(ctx context.Context, file string) (memory.StoreID, memory.ID, error)
}

// Config is the configuration of a Page.
type Config struct {
	Keys       keymap.Map
	Surveyor   Surveyor
	Summarizer Summarizer
	// Tallier counts findings. If it is nil, none are counted.
	Tallier Tallier
	// Follower says what agents read. If it is nil, only stores are listed.
	Follower Follower
	// Curator mends issues. If it is nil, they are only shown.
	Curator Curator
	// ReadOnly is set if nothing may be changed.
	ReadOnly bool
	// Names are the display names of systems.
	Names map[memory.SystemID]string
	// First says that this page is shown first and no store is open. It then reads without the
	// initial pause.
	First bool
	// Survey is the result of the search for stores. If it is empty, the search still runs, and
	// msg.Found delivers the result.
	Survey memory.Survey
	// Lessons, Recall and Audit are the indexes of the pages to show after a store was opened.
	Lessons, Recall, Audit int
	// Stand is the store on which the cursor starts. If it is "", that is the store that was open last.
	Stand memory.StoreID
}

// Page shows what agents read, and the stores of this machine. It implements page.Page.
type Page struct {
	page.List
	ctx context.Context
	cfg Config

	view    views.Home
	places  []memory.Place
	order   []int // the rows in reading order
	sort    sorting
	folded  map[string]bool // by keyOf
	filter  page.Filter
	home    string // of the user
	work    page.Work[*Page]
	reading reading
	shown   bool // the page has been visible
	moved   bool // the person moved the cursor, so that it stays on its row
	follow  page.Work[*Page]
	parts   <-chan memory.Home
	acts    page.Work[*Page] // changes that the person asked for; nothing gives them up
	rowKey  string           // of the row under the cursor; see noteRow
	folder  string           // of another project that Home is about; "" for the working folder
}

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c, folded: map[string]bool{}}
	p.acts.Begin(ctx)
	p.List = page.List{At: &p.view.Listing, View: &p.view}
	p.view.Listing, p.view.Stores.Names, p.view.Stores.Keys = views.Listing{Range: -1}, c.Names, &p.cfg.Keys
	p.view.Asked = c.Follower != nil
	if len(c.Survey.Places) > 0 || len(c.Survey.Looked) > 0 {
		p.list(c.Survey)
	}
	return p
}

// pause is how long the page waits before it reads stores, so that the open store is read first.
const pause = 500 * time.Millisecond

// Init implements page.Page.
func (p *Page) Init() tea.Cmd {
	switch {
	case !p.view.Ready:
		return p.followAgents()
	case p.cfg.First:
		return tea.Batch(p.followAgents(), p.read())
	}
	p.begin()
	return tea.Batch(p.followAgents(), p.work.After(pause, (*Page).read))
}

// Title implements page.Page.
func (p *Page) Title() string { return "Home" }

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.StoresLegend() }

// Storeless implements page.Storeless.
func (p *Page) Storeless() bool { return len(p.view.Rows) > 0 || p.view.AnyReads() }

// Typing implements page.Page.
func (p *Page) Typing() bool { return p.filter.Typing }

// Shown implements page.Shown. It starts counting findings of the visible stores.
func (p *Page) Shown() tea.Cmd {
	p.shown = true
	return p.more()
}

// Cursor implements page.Cursor.
func (p *Page) Cursor() (x, y int, ok bool) { return p.view.CursorAt(p.filter.Before(), p.W) }

// Render implements page.Page.
func (p *Page) Render(w, h int) string { return p.view.Render(p.Theme, w, h) }

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	cmd := p.update(m)
	p.noteRow()
	return cmd
}

// noteRow notes on which row the cursor is.
func (p *Page) noteRow() {
	p.rowKey = ""
	if c := p.view.Cursor; c >= 0 && c < len(p.view.Items) {
		p.rowKey = p.view.Key(c)
	}
}

func (p *Page) update(m tea.Msg) tea.Cmd {
	if p.Take(m) {
		p.view.Stores.Mask, p.view.Stores.Now = p.Mask, p.Now
		p.Follow()
		return nil
	}
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return tea.Batch(p.onKey(m), p.more())
	case tea.PasteMsg:
		return p.onFilter(m)
	case msg.Click:
		return tea.Batch(p.click(m), p.more())
	case msg.Wheel:
		p.Wheel(m.X, m.Y, m.Lines)
		return p.more()
	case msg.OpenStore:
		p.view.Open = m.Store
		if p.chosen() != "" { // the person is among the stores
			p.goTo(m.Store)
		}
	case msg.Snapshot:
		p.onSnapshot(m.Snapshot)
	case msg.Made:
		return p.findStores()
	case msg.Found:
		p.list(m.Survey)
		return p.read()
	case page.Done[*Page]:
		return m.In(p)
	}
	return nil
}

// copyPath copies the path of the chosen store. It refuses a path with characters that a terminal
// would act on when it is pasted.
func (p *Page) copyPath() tea.Cmd {
	path := p.chosen().Path()
	if safe.Line(path) != path {
		return msg.Emit(
			msg.Toast{Text: "Not copied: the path has characters that do more than name a file where it is pasted"},
		)
	}
	return msg.Emit(msg.Copy{Text: path, What: "the path"})
}

// onSnapshot updates the row of the open store.
func (p *Page) onSnapshot(s memory.Snapshot) {
	p.view.Open = s.Place.Store
	if s.Partial {
		return
	}
	if i, ok := p.row(s.Place.Store); ok {
		p.set(i, s, nil)
		if r := &p.view.Rows[i]; s.Audited {
			r.Tally, r.Tallied = memory.Tally{}, true
			for k := range s.Findings {
				if f := &s.Findings[k]; f.Open() {
					r.Tally.Add(f)
				}
			}
		}
		p.resort()
	}
}

// row returns the row of a store.
func (p *Page) row(store memory.StoreID) (int, bool) {
	i := slices.IndexFunc(p.view.Rows, func(r views.StoreRow) bool { return r.Place.Store == store })
	return i, i >= 0
}

// set fills a row. It drops the records, findings and undone changes, which the page does not need,
// so that they can be freed.
func (p *Page) set(i int, s memory.Snapshot, err error) {
	r := &p.view.Rows[i]
	s.Records, s.Findings, s.Undone = nil, nil, nil
	r.Summary, r.Loaded, r.Failed = s, err == nil, ""
	if err != nil {
		r.Failed = err.Error()
	}
}
