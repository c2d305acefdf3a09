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
	"maps"
	"slices"
	"strconv"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// Library is what the page needs from the core.
type Library interface {
	// Inbox returns what waits for a person.
	Inbox(ctx context.Context) (memory.Inbox, error)
	// Pending returns the proposals that wait, without their texts. Unlike Inbox it reads no store and
	// notes no visit.
	Pending() (memory.Inbox, error)
	// InboxChanges tells when what waits may have changed, until ctx ends.
	InboxChanges(ctx context.Context) <-chan struct{}
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
}

// Page implements page.Page.
type Page struct {
	page.List
	ctx context.Context
	cfg Config

	view    views.Inbox
	work    page.Work[*Page] // what waits is being read
	reading bool
	stale   bool // something changed since that began
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
	// retry is how long after a reading that failed the next one is tried, and queued how often
	// sessions of the queue are looked at, which may be over by then. Else what waits is read when it
	// changes, when something that was put off is due, and every hour.
	retry, queued, seldom = 10 * time.Second, time.Minute, time.Hour
)

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c}
	p.view = views.Inbox{
		Keyed:   views.Keyed{Keys: &p.cfg.Keys},
		Listing: views.NewListing(), Names: c.Names,
		Deciding: map[string]string{}, To: map[string]memory.StoreID{},
	}
	p.List = page.List{At: &p.view.Listing, View: &p.view, Cards: true, ID: func(entry int) string { return p.view.Entries[entry].ID }}
	p.work.Begin(ctx)
	return p
}

// Restore implements page.Remembering.
func (p *Page) Restore(s config.State) { page.RestoreList(s, "inbox", p.At) }

// Remember implements page.Remembering.
func (p *Page) Remember(s *config.State) {
	page.RememberList(s, "inbox", p.At)
}

// Init implements page.Page.
func (p *Page) Init() tea.Cmd {
	ctx, lib := p.ctx, p.cfg.Library
	return tea.Batch(p.work.After(pause, (*Page).look), func() tea.Msg {
		changes := lib.InboxChanges(ctx)
		return page.Then(func(p *Page) tea.Cmd { return p.follow(changes) })
	})
}

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
func (p *Page) Back() bool { return p.Unmark() || p.List.Back() }

// Update implements page.Page.
func (p *Page) Update(m tea.Msg) tea.Cmd {
	if p.Take(m) {
		v := &p.view
		v.Look = p.Look
		v.Detail = v.Detail && p.Both()
		p.Follow()
		return nil
	}
	switch m := m.(type) {
	case tea.KeyPressMsg:
		return p.Actions().Press(m)
	case msg.Click:
		if p.Click(m.X, m.Y) {
			p.Full()
		}
	case msg.Wheel:
		p.Wheel(m.X, m.Y, m.Lines)
	case page.Done[*Page]:
		return m.In(p)
	case msg.Reviewed:
		if m.Amend {
			return p.edit(m.Order, "")
		}
		return p.carryOut(m.Order)
	}
	return nil
}

// look reads what waits, or only counts the proposals while nobody looks at the page.
func (p *Page) look() tea.Cmd {
	if p.visible || p.reading {
		return p.read()
	}
	p.work.Begin(p.ctx)
	lib := p.cfg.Library
	return p.work.Run(func(context.Context) func(*Page) tea.Cmd {
		in, err := lib.Pending()
		return func(p *Page) tea.Cmd {
			if err == nil {
				p.proposals = in.Waiting(p.Now)
			}
			return p.work.After(seldom, (*Page).look)
		}
	})
}

// read reads what waits, unless that is being read, or is about to change.
func (p *Page) read() tea.Cmd {
	if p.stale = p.reading; p.reading || len(p.orders) > 0 {
		return nil
	}
	p.work.Begin(p.ctx)
	p.reading = true
	lib := p.cfg.Library
	return tea.Batch(p.work.After(slowAfter, (*Page).noteSlow), p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
		box, err := lib.Inbox(ctx)
		return func(p *Page) tea.Cmd { return p.onRead(box, err) }
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

// onRead lists what waits, and has it read again when that is due.
func (p *Page) onRead(box memory.Inbox, err error) tea.Cmd {
	p.reading, p.slow = false, false
	v := &p.view
	if v.Failed = ""; err != nil {
		v.Failed = msg.Reason(err)
		return p.work.After(retry, (*Page).look)
	}
	v.Box, v.Ready = box, true
	p.proposals, p.records = 0, 0
	due := seldom
	if box.Queued > 0 {
		due = queued
	}
	entries := make([]*memory.InboxEntry, len(box.Entries))
	for i := range box.Entries {
		e := &box.Entries[i]
		entries[i] = e
		if e.Later.After(p.Now) {
			due = min(due, e.Later.Sub(p.Now)+time.Minute) // by then the clock of the screen says so too
		} else if e.Kind == memory.Proposal {
			p.proposals++
		} else if e.Kind != memory.GoneRecord {
			p.records++
		}
	}
	p.show(entries)
	if p.stale {
		return p.look()
	}
	return p.work.After(due, (*Page).look)
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
	above, from, was := v.RowOf(v.Cursor)-v.Offset, "", v.Chosen()
	if v.Range >= 0 {
		from = v.Entries[v.Range].ID
	}
	find := func(id string) (int, bool) { i, ok := at[id]; return i, ok }
	cursor, back := page.Near(len(p.seek), 0, func(i int) (int, bool) { return find(p.seek[i]) })
	stays := back
	if back {
		p.seek = nil
	} else if cursor, stays = page.Near(len(v.Entries), v.Cursor, func(i int) (int, bool) { return find(v.Entries[i].ID) }); !stays {
		cursor = min(v.Cursor, len(entries)-1)
	}
	if was == nil || !stays || entries[cursor].ID != was.ID {
		v.Scroll = 0
	}
	v.Entries, v.Groups, v.Range, v.Cursor = entries, views.InboxGroups(entries, now), -1, max(cursor, 0)
	if i, ok := at[from]; ok {
		v.Range = i
	}
	maps.DeleteFunc(v.Marked, func(id string, _ bool) bool { _, ok := at[id]; return !ok })
	v.Offset = max(v.RowOf(v.Cursor)-above, 0)
	p.Follow()
}

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	v := &p.view
	s := views.State{Title: "Inbox", Next: []string{"winnow learn --latest   proposes lessons from the newest finished session", "winnow setup            lets agents do this by themselves"}}
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
