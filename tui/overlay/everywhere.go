package overlay

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
	"winnow/views/theme"
)

// Library reads the records of stores.
type Library interface {
	// Each calls fn with every record of the stores, store by store in that order. Stores
	// that cannot be read are returned. The error is that of fn or ctx.
	Each(ctx context.Context, stores []memory.StoreID, fn func(memory.StoreID, *memory.Record) error) ([]memory.Unread, error)
}

// Receiver is a dialog that its own commands deliver messages to.
type Receiver interface {
	Dialog

	// Receive takes what a command of the dialog delivered.
	Receive(tea.Msg) tea.Cmd
}

// Delivery is a message for one dialog, whatever is on top by now.
type Delivery struct {
	To  Receiver
	Msg tea.Msg
}

// Closer is a dialog that has something under way which ends with it.
type Closer interface{ Close() }

// Masked is a dialog that shows texts which come without the places of their secrets.
type Masked interface{ SetMask(views.Mask) }

// Everywhere searches the records of all stores for what is typed, and goes to one.
type Everywhere struct {
	facts
	pointer
	cfg    EverywhereConfig
	mask   views.Mask
	line   textline.Line
	cursor int // a line
	gen    int
	cancel context.CancelFunc
	stream <-chan batch
	fresh  bool // nothing of the latest search has arrived

	view views.Everywhere
	last memory.StoreID // of the last line
}

// EverywhereConfig says what the search works with.
type EverywhereConfig struct {
	Keys    keymap.Map
	Ctx     context.Context // the search ends with it at the latest
	Library Library
	Places  []memory.Place
	Names   map[memory.SystemID]string
	Now     func() time.Time
}

// mostFound is how many records are listed; of those beyond only the number is.
const mostFound = 1000

// typingRest is how long the query must not change before it is searched for.
const typingRest = 150 * time.Millisecond

// NewEverywhere returns the overlay.
func NewEverywhere(c EverywhereConfig) *Everywhere {
	e := &Everywhere{cfg: c}
	for _, p := range c.Places {
		if p.Exists {
			e.view.Stores++
		}
	}
	return e
}

// SetMask implements Masked.
func (e *Everywhere) SetMask(m views.Mask) { e.mask = m }

// Close implements Closer.
func (e *Everywhere) Close() {
	e.gen++
	if e.cancel != nil {
		e.cancel()
		e.cancel = nil
	}
}

// Typing implements Typist.
func (e *Everywhere) Typing() bool { return true }

// Update implements Dialog.
func (e *Everywhere) Update(m tea.Msg) (tea.Cmd, bool) {
	switch m := m.(type) {
	case msg.Wheel:
		e.move(m.Lines)
	case tea.PasteMsg:
		return e.edit(m), true
	case msg.Click:
		spot, _ := e.spot(m)
		switch {
		case spot.Row < 0:
		case spot.Row == e.cursor:
			return e.open()
		case e.view.Lines[spot.Row].Heading == "":
			e.cursor = spot.Row
		}
	case tea.KeyPressMsg:
		return e.onKey(m)
	}
	return nil, true
}

func (e *Everywhere) onKey(k tea.KeyPressMsg) (tea.Cmd, bool) {
	t, m := e.cfg.Keys.Text, e.cfg.Keys.Move
	const page = 10
	switch {
	case key.Matches(k, e.cfg.Keys.Global.Back):
		return nil, false
	case key.Matches(k, t.Accept):
		return e.open()
	case key.Matches(k, t.Older):
		e.move(-1)
	case key.Matches(k, t.Newer):
		e.move(+1)
	case k.Text == "" && key.Matches(k, m.PageUp):
		e.move(-page)
	case k.Text == "" && key.Matches(k, m.PageDown):
		e.move(+page)
	default:
		return e.edit(k), true
	}
	return nil, true
}

// open goes to the record at the cursor.
func (e *Everywhere) open() (tea.Cmd, bool) {
	if e.cursor >= len(e.view.Lines) || e.view.Lines[e.cursor].Heading != "" {
		return nil, true
	}
	l := e.view.Lines[e.cursor]
	return msg.Emit(msg.Goto{Store: l.Store, ID: l.ID}), false
}

// move goes by records; headings are no place to be.
func (e *Everywhere) move(by int) {
	dir, lines := 1, e.view.Lines
	if by < 0 {
		dir, by = -1, -by
	}
	for at := e.cursor + dir; by > 0 && at >= 0 && at < len(lines); at += dir {
		if lines[at].Heading == "" {
			e.cursor = at
			by--
		}
	}
}

// edit changes the query, and searches for it when it has rested.
func (e *Everywhere) edit(m tea.Msg) tea.Cmd {
	if !e.line.Update(e.cfg.Keys.Text, m) {
		return nil
	}
	e.Close()
	e.view.Query, e.view.Done = e.line.Text(), false
	if e.view.Query == "" {
		e.clear()
		return nil
	}
	gen := e.gen
	return tea.Tick(typingRest, func(time.Time) tea.Msg { return Delivery{e, restedMsg{gen}} })
}

func (e *Everywhere) clear() {
	e.view.Lines, e.view.Found, e.view.More, e.view.Read, e.view.Unread = nil, 0, 0, 0, nil
	e.cursor, e.last, e.fresh = 0, "", false
}

// Receive implements Receiver.
func (e *Everywhere) Receive(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case restedMsg:
		if m.gen == e.gen {
			return e.search()
		}
	case batchMsg:
		if m.gen == e.gen {
			return e.onBatch(m)
		}
	}
	return nil
}

// search starts the search for the query.
func (e *Everywhere) search() tea.Cmd {
	ctx, cancel := context.WithCancel(e.cfg.Ctx)
	stream := make(chan batch, 1)
	e.cancel, e.stream, e.fresh = cancel, stream, true
	j := seeking{ctx: ctx, query: e.view.Query, now: e.cfg.Now(), out: stream}
	for _, p := range e.cfg.Places {
		if p.Exists {
			j.stores = append(j.stores, p.Store)
		}
	}
	library := e.cfg.Library
	return tea.Batch(func() tea.Msg { j.run(library); return nil }, e.await())
}

// await returns the command that waits for what is found next.
func (e *Everywhere) await() tea.Cmd {
	gen, stream := e.gen, e.stream
	return func() tea.Msg {
		b, more := <-stream
		return Delivery{e, batchMsg{gen: gen, batch: b, over: !more}}
	}
}

func (e *Everywhere) onBatch(m batchMsg) tea.Cmd {
	v := &e.view
	if e.fresh {
		e.clear()
	}
	if m.over {
		v.Done = true
		return nil
	}
	v.Read, v.Unread = m.batch.read, m.batch.unread
	for _, l := range m.batch.lines {
		if v.Found >= mostFound {
			v.More++
			continue
		}
		if l.Store != e.last {
			v.Lines = append(v.Lines, views.FoundLine{Store: l.Store, Heading: e.heading(l.Store)})
			e.last = l.Store
		}
		v.Lines, v.Found = append(v.Lines, l), v.Found+1
	}
	v.More += m.batch.more
	if e.cursor == 0 && len(v.Lines) > 1 {
		e.cursor = 1
	}
	return e.await()
}

func (e *Everywhere) heading(id memory.StoreID) string {
	for i := range e.cfg.Places {
		if p := &e.cfg.Places[i]; p.Store == id {
			return storeName(e.cfg.Names, p)
		}
	}
	return string(id)
}

// storeName returns what a store is called in one line.
func storeName(names map[memory.SystemID]string, p *memory.Place) string {
	name := names[p.System]
	if name == "" {
		name = string(p.System)
	}
	if p.Name != "" {
		name += "  " + p.Name
	}
	return name + "  " + views.PlacePath(*p)
}

// Render implements Dialog.
func (e *Everywhere) Render(t theme.Theme, w, h int) string {
	v := e.view
	v.Cursor, v.Reveal, v.Mask, v.Before = e.cursor, e.reveal, e.mask, e.line.Before()
	e.shows(v, t, w, h)
	return v.Render(t, w, h)
}

// Keys implements Dialog.
func (e *Everywhere) Keys() []keymap.Binding {
	t := e.cfg.Keys.Text
	return []keymap.Binding{
		keymap.Named(t.Accept, "Enter", "open"), keymap.Named(t.Older, "up/down", "choose"),
		t.DeleteLine, keymap.Named(e.cfg.Keys.Global.Back, "Esc", "close"),
	}
}
