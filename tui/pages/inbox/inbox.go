// Package inbox is the page on which a person decides what agents should remember: it lists proposed
// lessons, and records of stores that another writer added or changed.
//
// Entries are read in a command (read), and listed in one step when they arrive (onRead). The cursor
// stays on its entry even if that moved. Decisions are carried out one after the other in the
// background (decide.go); keys never wait for them.
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
	// Inbox returns the entries that wait for a person.
	Inbox(ctx context.Context) (memory.Inbox, error)
	// Pending returns the waiting proposals without their texts. Unlike Inbox it reads no store and
	// does not record a visit.
	Pending() (memory.Inbox, error)
	// InboxChanges signals that the inbox may have changed, until ctx ends.
	InboxChanges(ctx context.Context) <-chan struct{}
	// Review carries out a decision.
	Review(ctx context.Context, o memory.InboxOrder) (memory.InboxResult, error)
	// Failures returns what failed in the sessions of the project around the working folder.
	Failures(ctx context.Context, o memory.FailureOrder) (memory.Failures, error)
	// LearnFailure puts a lesson of the failure with that id into the inbox.
	LearnFailure(ctx context.Context, id string, since time.Time) (memory.InboxEntry, error)
	// Replay returns how often each moment would have come in past sessions, in the order asked for.
	Replay(ctx context.Context, orders []memory.ReplayOrder) ([]memory.Firing, error)
	// PlanDistil returns what the program of [learn] distil would be given of the sessions of an order. Distil gives
	// it that, and puts its proposals into the inbox.
	PlanDistil(ctx context.Context, o memory.LearnOrder) (memory.Distilling, error)
	Distil(ctx context.Context, d memory.Distilling, tell func(n, of int)) ([]memory.Learnt, error)
	// InboxForm returns the fields of an entry as a text for an editor.
	InboxForm(ctx context.Context, id string) (string, error)
}

// Editor edits a text in the user's editor, and keeps what was typed until it is stored.
type Editor interface {
	// Edit returns a command that hands over the terminal, and finally delivers done(text, err).
	Edit(text string, done func(text string, err error) tea.Msg) tea.Cmd
	// Kept returns the file that holds the text typed last, or "".
	Kept() string
	// RemoveKept returns a command that removes that file.
	RemoveKept() tea.Cmd
}

// Config is the configuration of a Page.
type Config struct {
	Keys    keymap.Map
	Library Library
	Editor  Editor
	// Names are the display names of systems.
	Names map[memory.SystemID]string
	// ReadOnly forbids all decisions.
	ReadOnly bool
}

// Page lists the entries of the inbox and carries out decisions. It implements page.Page.
type Page struct {
	page.List
	ctx context.Context
	cfg Config

	view    views.Inbox
	work    page.Work[*Page] // reading the entries
	reading bool
	stale   bool // the inbox may have changed since reading began
	slow    bool // reading takes long
	visible bool
	// proposals and records are the numbers of waiting proposals and stored records.
	proposals, records int

	endDistil context.CancelFunc // ends the program that reads sessions, if one does

	failures []*memory.InboxEntry // what failed again and again
	orders   []memory.InboxOrder  // decisions not carried out yet; the first one is running
	// decided are the entries that decisions are or were about, by ID. A reading that began before a decision
	// can end before its result comes, and does not list its entries any more.
	decided map[string]memory.InboxEntry
	last    []string // the IDs of the entries decided last
	seek    []string // after an undo, the cursor goes to one of these entries once it is back
	// sending counts the failures and questions that have not reached the root yet.
	sending int
}

const (
	// pause is how long the page waits before it counts proposals for the first time.
	pause = 500 * time.Millisecond
	// slowAfter is how long reading may take before the screen says so.
	slowAfter = 150 * time.Millisecond
	// retry is the pause after a failed reading. Queued is the pause while sessions are in the queue,
	// because they may have ended by then. Seldom is the pause otherwise. The page reads earlier if
	// the inbox changes or a postponed entry is due.
	retry, queued, seldom = 10 * time.Second, time.Minute, time.Hour
)

// New returns the page. Its commands stop when ctx ends.
func New(ctx context.Context, c Config) *Page {
	p := &Page{ctx: ctx, cfg: c, decided: map[string]memory.InboxEntry{}}
	p.view = views.Inbox{
		Keyed:   views.Keyed{Keys: &p.cfg.Keys},
		Listing: views.NewListing(), Names: c.Names,
		Deciding: map[string]string{}, To: map[string]memory.StoreID{},
	}
	p.List = page.List{
		At:    &p.view.Listing,
		View:  &p.view,
		Cards: true,
		ID:    func(entry int) string { return p.view.Entries[entry].ID },
	}
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
	return tea.Batch(p.work.After(pause, (*Page).refresh), func() tea.Msg {
		changes := lib.InboxChanges(ctx)
		return page.Then(func(p *Page) tea.Cmd { return p.follow(changes) })
	})
}

// Title implements page.Page.
func (p *Page) Title() string { return "Inbox" }

// Badge implements page.Badge. It counts the waiting entries.
func (p *Page) Badge() string {
	n := p.proposals + p.records
	return page.When(n > 0, strconv.Itoa(n))
}

// Legend implements page.Legend.
func (p *Page) Legend() []string { return views.InboxLegend() }

// Typing implements page.Page.
func (p *Page) Typing() bool { return false }

// Storeless implements page.Storeless. Proposals are not in a store.
func (p *Page) Storeless() bool { return true }

// Shown implements page.Shown.
func (p *Page) Shown() tea.Cmd {
	p.visible = true
	return p.read()
}

// Hidden implements page.Hidden.
func (p *Page) Hidden() { p.visible = false }

// Saving implements page.Saver.
func (p *Page) Saving() bool { return len(p.orders)+p.sending > 0 }

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

// refresh reads the inbox. While the page is not visible, it only counts the proposals.
func (p *Page) refresh() tea.Cmd {
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
			return p.work.After(seldom, (*Page).refresh)
		}
	})
}

// read reads the inbox, unless it is being read already or a decision is about to change it.
func (p *Page) read() tea.Cmd {
	if p.stale = p.reading; p.reading || len(p.orders) > 0 {
		return nil
	}
	p.work.Begin(p.ctx)
	p.reading = true
	lib := p.cfg.Library
	return tea.Batch(
		p.work.After(slowAfter, (*Page).noteSlow),
		p.work.Run(func(ctx context.Context) func(*Page) tea.Cmd {
			box, err := lib.Inbox(ctx)
			return func(p *Page) tea.Cmd { return p.onRead(box, err) }
		}),
	)
}

// reread reads the inbox, and gives up a reading that has begun.
func (p *Page) reread() tea.Cmd {
	p.reading = false
	return p.read()
}

func (p *Page) noteSlow() tea.Cmd {
	p.slow = p.reading
	return nil
}

// onRead lists the entries, and returns the command that reads them again when that is due.
func (p *Page) onRead(box memory.Inbox, err error) tea.Cmd {
	p.reading, p.slow = false, false
	v := &p.view
	if v.Failed = ""; err != nil {
		v.Failed = msg.Reason(err)
		return p.work.After(retry, (*Page).refresh)
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
			due = min(due, e.Later.Sub(p.Now)+time.Minute) // p.Now is updated once a minute
		} else if e.Kind == memory.Proposal {
			p.proposals++
		} else if e.Kind != memory.GoneRecord {
			p.records++
		}
	}
	p.show(p.withFailures(entries))
	if p.stale {
		return p.refresh()
	}
	return tea.Batch(p.work.After(due, (*Page).refresh), p.readFailures(), p.replay())
}

// show lists entries. The cursor stays on its entry or, if that is gone, goes to the next one left.
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
	above, was := v.RowOf(v.Cursor)-v.Offset, v.Chosen()
	find := func(id string) (int, bool) { i, ok := at[id]; return i, ok }
	cursor, stays := page.Near(len(p.seek), 0, func(i int) (int, bool) { return find(p.seek[i]) })
	if stays {
		p.seek = nil
	} else {
		shown := func(i int) (int, bool) { return find(v.Entries[i].ID) }
		cursor, stays = page.Near(len(v.Entries), v.Cursor, shown)
	}
	if !stays {
		cursor = min(v.Cursor, len(entries)-1)
	}
	if was == nil || !stays || entries[cursor].ID != was.ID {
		v.Scroll = 0
	}
	p.Replace(func() {
		v.Entries, v.Groups, v.Cursor = entries, views.InboxGroups(entries, now), max(cursor, 0)
	})
	maps.DeleteFunc(v.Marked, func(id string, _ bool) bool { _, ok := at[id]; return !ok })
	v.Offset = max(v.RowOf(v.Cursor)-above, 0)
	p.Follow()
}

// Render implements page.Page.
func (p *Page) Render(w, h int) string {
	v := &p.view
	s := views.State{
		Title: "Inbox",
		Next: []string{
			"winnow learn --latest   proposes lessons from the newest finished session",
			"winnow setup            lets agents do this by themselves",
		},
	}
	switch {
	case !v.Ready && v.Failed != "":
		s.What, s.Danger, s.Lines = "The inbox cannot be read.", true, []string{v.Failed}
	case !v.Ready:
		s.What, s.Next = page.When(p.slow, "Reading the inbox; keys work meanwhile."), nil
	case len(v.Entries) == 0:
		s.What = cmp.Or(v.Distils(p.Theme, w-4), "Nothing waits for you.")
		s.Lines = append(
			[]string{
				"Lessons that agents propose, and records that they write or change in your stores, appear here by themselves.",
			},
			v.Box.Notes...)
		s.Lines = append(s.Lines, v.Waiting())
	default:
		return v.Render(p.Theme, w, h)
	}
	return s.Render(p.Theme, w, h)
}
