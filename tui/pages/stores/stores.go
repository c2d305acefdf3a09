// Package stores is the page that lists the stores of this machine with their health, and opens one.
//
// Summaries are read in commands, a few at a time, visible stores first. A slow store thus does not
// hold up the others, and a hundred stores do not start a hundred reads. A new search drops what an
// earlier one is still reading.
package stores

import (
	"cmp"
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

// Config is the configuration of a Page.
type Config struct {
	Keys       keymap.Map
	Surveyor   Surveyor
	Summarizer Summarizer
	// Tallier counts findings. If it is nil, none are counted.
	Tallier Tallier
	// Names are the display names of systems.
	Names map[memory.SystemID]string
	// First says that this page is shown first and no store is open. It then reads without the
	// initial pause.
	First bool
	// Survey is the result of the search for stores. If it is empty, the search still runs, and
	// msg.Found delivers the result.
	Survey memory.Survey
	// Lessons is the index of the page to show after a store was opened.
	Lessons int
	// Stand is the store on which the cursor starts. If it is "", that is the store that was open last.
	Stand memory.StoreID
}

// Page lists the stores of this machine. It implements page.Page.
type Page struct {
	page.List
	ctx context.Context
	cfg Config

	view    views.Stores
	places  []memory.Place
	order   []int // the rows in reading order
	sort    sorting
	folded  map[string]bool // by keyOf
	filter  page.Filter
	home    string // of the user
	work    page.Work[*Page]
	reading reading
	shown   bool // the page has been visible
}

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c, folded: map[string]bool{}}
	p.List = page.List{At: &p.view.Listing, View: &p.view}
	p.view.Names, p.view.Keys = c.Names, &p.cfg.Keys
	if len(c.Survey.Places) > 0 || len(c.Survey.Looked) > 0 {
		p.list(c.Survey)
	}
	return p
}

// pause is how long the page waits before it reads stores, so that the open store is read first.
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
	return p.work.After(pause, (*Page).read)
}

// Title implements page.Page.
func (p *Page) Title() string { return "Stores" }

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.StoresLegend() }

// Storeless implements page.Storeless.
func (p *Page) Storeless() bool { return len(p.view.Rows) > 0 }

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
	if p.Take(m) {
		p.view.Mask, p.view.Now = p.Mask, p.Now
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
		p.goTo(m.Store)
	case msg.Snapshot:
		p.onSnapshot(m.Snapshot)
	case msg.Made:
		return p.look()
	case msg.Found:
		p.list(m.Survey)
		return p.read()
	case page.Done[*Page]:
		return m.In(p)
	}
	return nil
}

// Actions implements page.Page.
func (p *Page) Actions() page.Actions {
	if p.filter.Typing {
		return page.Text(p.cfg.Keys.Text.Filter()...)
	}
	k, m, v := p.cfg.Keys, p.cfg.Keys.Move, &p.view
	l, _ := v.Chosen()
	groups := slices.ContainsFunc(v.Lines, func(l views.StoreLine) bool { return l.Heading != "" })
	noRow, noStore := page.Unless(len(v.Rows) > 0, "no store was found"), page.Unless(p.chosen() != "", "no store is selected")
	noHeading := page.Unless(l.Heading != "", "no heading is selected")
	folded := cmp.Or(page.Unless(groups, "the stores are not in groups"), page.Unless(!l.Folded || l.Depth > 0, "the group is folded"))
	return append(page.Actions{
		{Binding: k.Stores.Open, Off: noStore, Run: p.open},
		{Binding: keymap.As(k.Stores.Open, "fold"), Off: noHeading, Run: page.Do(p.fold)},
		{Binding: k.Stores.Filter, Off: noRow, Run: page.Do(p.openFilter)},
		{Binding: k.Stores.Sort, Off: noRow, Run: p.nextSort},
		{Binding: k.Stores.Fold, Off: noHeading, Run: page.Do(p.fold)},
		{Binding: k.Stores.Refresh, Run: p.look},
		{Binding: k.Stores.Copy, Off: noStore, Run: p.copyPath},
		{Binding: k.Stores.Activity, Off: noStore, Run: func() tea.Cmd { return msg.Emit(msg.Activity{Store: p.chosen()}) }},
		{Binding: k.Global.NextPane, Off: noRow, Run: page.Do(p.NextPane)},
		{Binding: k.Global.PrevPane, Off: noRow, Run: page.Do(p.NextPane)},
		{Binding: k.Global.Back, Off: page.Unless(v.Detail || v.Filter != "", "nothing is open or filtered"), Run: page.Do(p.escape)},
		{Binding: keymap.As(m.Right, "unfold"), Off: cmp.Or(noHeading, page.Unless(l.Folded, "the group is unfolded")), Run: page.Do(func() { p.foldTo(false) })},
		{Binding: keymap.As(m.Left, "fold"), Off: folded, Run: page.Do(func() { p.foldTo(true) })},
	}, page.Moves(m, "", p.Step, max(p.H/4, 1))...)
}

func (p *Page) onKey(k tea.KeyPressMsg) tea.Cmd {
	if p.filter.Typing {
		return p.onFilter(k)
	}
	return p.Actions().Press(k)
}

// click moves the cursor to a line. If the line already had the cursor, the click opens the store or
// folds the heading. A click on a column title sorts by that column.
func (p *Page) click(m msg.Click) tea.Cmd {
	if s, ok := sortOf[p.view.ColumnAt(p.W, m.X, m.Y)]; ok {
		return p.sortBy(s)
	}
	again := p.Click(m.X, m.Y)
	switch l, _ := p.view.Chosen(); {
	case !again:
		return nil
	case l.Heading != "":
		p.fold()
		return nil
	}
	return p.open()
}

// open asks the root to open the chosen store, and to show the page that lists its records.
func (p *Page) open() tea.Cmd {
	store := p.chosen()
	return tea.Sequence(msg.Emit(msg.OpenStore{Store: store}), msg.Emit(msg.Show{Page: p.cfg.Lessons}))
}

// copyPath copies the path of the chosen store. It refuses a path with characters that a terminal
// would act on when it is pasted.
func (p *Page) copyPath() tea.Cmd {
	path := p.chosen().Path()
	if safe.Line(path) != path {
		return msg.Emit(msg.Toast{Text: "Not copied: the path has characters that do more than name a file where it is pasted"})
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
