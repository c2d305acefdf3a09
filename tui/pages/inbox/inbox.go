// Package inbox is the page on which a person decides about what agents are to remember: lessons
// that were proposed, and records of stores that another writer made or changed.
//
// What waits is read in a command (read) and listed in one step when it arrives (onRead). The
// cursor stays on its entry, wherever that is by then. Decisions are carried out one after the
// other (decide.go); keys never wait for them.
package inbox

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/layout"
)

// Library is what the page needs from the core.
type Library interface {
	// Inbox returns what waits for a person.
	Inbox(ctx context.Context) (memory.Inbox, error)
	// Proposals returns how many proposals wait. Unlike Inbox it reads no store and notes no
	// visit.
	Proposals(ctx context.Context) (int, error)
	// Review carries out what a person decided.
	Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error)
	// InboxForm returns the fields of an entry as a text for an editor.
	InboxForm(ctx context.Context, id string) (string, error)
}

// Editor edits a text in the user's editor, and keeps what was typed until it is stored.
type Editor interface {
	Edit(text string, done func(text string, err error) tea.Msg) tea.Cmd
	Kept() string
	RemoveKept() tea.Cmd
}

// Config says what the page works with.
type Config struct {
	Keys    keymap.Map
	Library Library
	Editor  Editor
	// Names are what systems are called.
	Names map[memory.SystemID]string
	// ReadOnly is set when nothing may be decided.
	ReadOnly bool
	Now      func() time.Time
}

// Page implements page.Page.
type Page struct {
	page.Base
	ctx context.Context
	cfg Config

	view    views.Inbox
	list    page.List
	work    page.Work[*Page] // what waits is being read
	reading bool
	slow    bool // the first reading takes long
	visible bool
	// proposals and records are how many wait of each.
	proposals, records int

	orders []memory.InboxOrder // decisions that are not carried out yet, the first is under way
	last   []string            // the entries that were decided last
	seek   []string            // entries that the cursor is to go to when they are back
	// telling counts the failures that the root has not been told of yet.
	telling int
}

const (
	// pause is how long the page waits before it counts proposals for the first time.
	pause = 500 * time.Millisecond
	// slowAfter is how long that may take before the screen says so.
	slowAfter = 150 * time.Millisecond
	// often is the time between two readings while the page is visible. One that takes long is
	// made less often: it may take a share of the time. Seldom is the time between two counts
	// of proposals while the page is not visible.
	often, seldom, share = 2 * time.Second, 10 * time.Second, 10
)

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c}
	p.view = views.Inbox{
		Listing: views.Listing{Share: layout.Share}, Names: c.Names, Range: -1,
		Marked: map[string]bool{}, Deciding: map[string]string{}, To: map[string]memory.StoreID{},
	}
	p.list = page.List{Base: &p.Base, At: &p.view.Listing, View: &p.view, Cards: true}
	p.work.Begin(ctx)
	return p
}

// Init implements page.Page.
func (p *Page) Init() tea.Cmd { return p.work.After(pause, (*Page).look) }

// Title implements page.Page.
func (p *Page) Title() string { return "Inbox" }

// Badge implements page.Badge: how many entries wait.
func (p *Page) Badge() string {
	n := p.proposals + p.records
	return page.When(n > 0, strconv.Itoa(n))
}

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.InboxLegend() }

// Typing implements page.Page.
func (p *Page) Typing() bool { return false }

// Storeless implements page.Storeless: proposals wait in no store.
func (p *Page) Storeless() bool { return true }

// Shown implements page.Shown.
func (p *Page) Shown() tea.Cmd {
	p.visible = true
	return p.read()
}

// Hidden implements page.Hidden.
func (p *Page) Hidden() { p.visible = false }

// Saving implements page.Saver.
func (p *Page) Saving() bool { return len(p.orders)+p.telling > 0 }

// Back implements page.Backer.
func (p *Page) Back() bool { return p.unmark() || p.list.Back() }

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	if p.Take(m) {
		v := &p.view
		v.Look = p.Look
		v.Detail = v.Detail && v.Both(p.W, p.H)
		p.list.Follow()
		return nil
	}
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return p.Actions().Press(m)
	case msg.Click:
		if p.list.Click(m.X, m.Y) {
			p.list.Full()
		}
	case msg.Wheel:
		p.list.Wheel(m.X, m.Y, m.Lines)
	case page.Done[*Page]:
		return p.work.Finish(p, m)
	default:
		return p.onAnswer(m)
	}
	return nil
}

// look reads what waits, or only counts the proposals while nobody looks at the page.
func (p *Page) look() tea.Cmd {
	if p.visible {
		return p.read()
	}
	lib := p.cfg.Library
	return p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		n, err := lib.Proposals(ctx)
		return func(p *Page) tea.Cmd {
			if err == nil {
				p.proposals = n
			}
			return p.work.After(seldom, (*Page).look)
		}
	})
}

// read reads what waits, unless that is being read, or is about to change.
func (p *Page) read() tea.Cmd {
	if p.reading || len(p.orders) > 0 {
		return nil
	}
	p.work.Begin(p.ctx)
	p.reading = true
	lib, now, began := p.cfg.Library, p.cfg.Now, p.cfg.Now()
	return tea.Batch(p.work.After(slowAfter, (*Page).noteSlow), p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		box, err := lib.Inbox(ctx)
		took := now().Sub(began)
		return func(p *Page) tea.Cmd { return p.onRead(box, err, took) }
	}))
}

// again reads what waits anew, whatever is being read.
func (p *Page) again() tea.Cmd {
	p.reading = false
	return p.read()
}

func (p *Page) noteSlow() tea.Cmd {
	p.slow = p.reading
	return nil
}

// onRead lists what waits, and has it read again after a while.
func (p *Page) onRead(box memory.Inbox, err error, took time.Duration) tea.Cmd {
	p.reading, p.slow = false, false
	v := &p.view
	if v.Failed = ""; err != nil {
		v.Failed = msg.Reason(err)
	} else {
		v.Box, v.Ready = box, true
		p.count()
		entries := make([]*memory.InboxEntry, len(box.Entries))
		for i := range box.Entries {
			entries[i] = &box.Entries[i]
		}
		p.show(entries)
	}
	return p.work.After(max(often, share*took), (*Page).look)
}

// count counts what waits, for the badge.
func (p *Page) count() {
	all := p.view.Box.Waiting(p.Now)
	p.proposals = 0
	for i := range p.view.Box.Entries {
		if e := &p.view.Box.Entries[i]; e.Kind == memory.Proposal && !e.Later.After(p.Now) {
			p.proposals++
		}
	}
	p.records = all - p.proposals
}

// show lists entries. The cursor stays on its entry, or goes to the next one that is there.
func (p *Page) show(entries []*memory.InboxEntry) {
	v := &p.view
	now := p.Now
	slices.SortStableFunc(entries, func(a, b *memory.InboxEntry) int {
		return cmp.Compare(views.InboxGroup(a, now), views.InboxGroup(b, now))
	})
	at := make(map[string]int, len(entries))
	for i, e := range entries {
		at[e.ID] = i
	}
	cursor, above, from := -1, v.RowOf(v.Cursor)-v.Offset, ""
	if v.Range >= 0 {
		from = v.Entries[v.Range].ID
	}
	had := v.Entries[min(v.Cursor, len(v.Entries)):]
	for _, id := range append(slices.Clone(p.seek), ids(had)...) {
		if i, ok := at[id]; ok {
			cursor = i
			break
		}
	}
	if len(p.seek) > 0 && cursor >= 0 && slices.Contains(p.seek, entries[cursor].ID) {
		p.seek = nil
	}
	if was := v.Chosen(); was == nil || cursor < 0 || entries[cursor].ID != was.ID {
		v.Scroll = 0
	}
	if cursor < 0 {
		cursor = min(v.Cursor, len(entries)-1)
	}
	v.Entries, v.Groups, v.Range, v.Cursor = entries, views.InboxGroups(entries, now), -1, max(cursor, 0)
	if i, ok := at[from]; ok {
		v.Range = i
	}
	for id := range v.Marked {
		if _, ok := at[id]; !ok {
			delete(v.Marked, id)
		}
	}
	v.Offset = max(v.RowOf(v.Cursor)-above, 0)
	p.list.Follow()
}

// ids returns the IDs of entries.
func ids(entries []*memory.InboxEntry) []string {
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.ID
	}
	return list
}

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	v := &p.view
	s := views.State{Title: "Inbox", Next: []string{"winnow learn --latest   proposes what the newest finished session taught", "winnow setup            has agents do so by themselves"}}
	switch {
	case !v.Ready && v.Failed != "":
		s.What, s.Danger, s.Lines = "The inbox cannot be read.", true, []string{v.Failed}
	case !v.Ready:
		s.What, s.Next = page.When(p.slow, "Reading the inbox; keys work meanwhile."), nil
	case len(v.Entries) == 0:
		s.What = "Nothing waits for you."
		s.Lines = append([]string{"Lessons that agents propose, and records that they write or change in your stores, appear here by themselves."}, v.Box.Notes...)
		s.Lines = append(s.Lines, v.Waiting())
	default:
		return v.Render(p.Theme, w, h)
	}
	return s.Render(p.Theme, w, h)
}
