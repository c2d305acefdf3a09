package dialog

import (
	"cmp"
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

// Library reads the records of stores.
type Library interface {
	// Search looks for records that match all terms, in several stores at a time. It calls fn with what
	// it finds, of several stores as they are read, and returns those that cannot be read.
	Search(ctx context.Context, stores []memory.StoreID, terms []filter.Term, fn func(memory.SearchPart) error) ([]memory.Unread, error)
}

// Everywhere searches the records of all stores for what is typed, and goes to one.
type Everywhere struct {
	state
	cfg    EverywhereConfig
	line   textline.Line
	gen    int
	cancel context.CancelFunc
	stream <-chan batch
	fresh  bool // nothing of the latest search has arrived

	view  views.Everywhere
	order map[memory.StoreID]int // the positions of stores among the places
}

// EverywhereConfig says what the search works with.
type EverywhereConfig struct {
	Keys    keymap.Map
	Ctx     context.Context // the search ends with it at the latest
	Library Library
	Places  []memory.Place
	Names   map[memory.SystemID]string
}

// mostFound is how many records are listed; of those beyond only the number is.
const mostFound = 1000

// typingRest is how long the query must not change before it is searched for.
const typingRest = 150 * time.Millisecond

// NewEverywhere returns the overlay.
func NewEverywhere(c EverywhereConfig) *Everywhere {
	e := &Everywhere{cfg: c, order: map[memory.StoreID]int{}}
	for i, p := range c.Places {
		if e.order[p.Store] = i; p.Exists {
			e.view.Stores++
		}
	}
	return e
}

// Close implements Closer.
func (e *Everywhere) Close() {
	e.gen++
	if e.cancel != nil {
		e.cancel()
		e.cancel = nil
	}
}

// Form implements Dialog.
func (e *Everywhere) Form() Form {
	t := e.cfg.Keys.Text
	heading := func(i int) bool { return e.view.Lines[i].Heading != "" }
	return Form{
		Keys: e.cfg.Keys, Masks: true, View: e.view.Dialog, After: e.edited,
		List: &List{Len: len(e.view.Lines), Cursor: &e.view.Cursor, Skip: heading, Again: e.open},
		Typed: &Typed{
			Line:   &e.line,
			Accept: Action{Binding: keymap.As(t.Accept, "open"), Do: e.open},
			Cancel: Action{Binding: keymap.As(t.Cancel, "close"), Do: closes},
		},
	}
}

// open goes to the record at the cursor.
func (e *Everywhere) open() result {
	if e.view.Cursor >= len(e.view.Lines) || e.view.Lines[e.view.Cursor].Heading != "" {
		return result{}
	}
	l := e.view.Lines[e.view.Cursor]
	return closing(msg.Goto{Store: l.Store, ID: l.ID})
}

// edited searches for a query that changed when it has rested.
func (e *Everywhere) edited() tea.Cmd {
	if e.view.Query == e.line.Text() {
		return nil
	}
	e.Close()
	terms := filter.Parse(e.line.Text())
	e.view.Query, e.view.Done = e.line.Text(), false
	e.view.Match = func(text string, title bool) [][2]int { return filter.Spans(terms, text, title) }
	if e.view.Query == "" {
		e.clear()
		return nil
	}
	gen := e.gen
	return tea.Tick(typingRest, func(time.Time) tea.Msg {
		return e.latest(gen, e.search)
	})
}

// latest returns the delivery of what is done, unless another query was typed meanwhile.
func (e *Everywhere) latest(gen int, do func() tea.Cmd) Delivery {
	return Delivery{To: e, Do: func() tea.Cmd {
		if gen != e.gen {
			return nil
		}
		return do()
	}}
}

func (e *Everywhere) clear() {
	e.view.Lines, e.view.Found, e.view.More, e.view.Read, e.view.Unread = nil, 0, 0, 0, nil
	e.view.Cursor, e.fresh = 0, false
}

// search starts the search for the query.
func (e *Everywhere) search() tea.Cmd {
	ctx, cancel := context.WithCancel(e.cfg.Ctx)
	stream := make(chan batch, 1)
	e.cancel, e.stream, e.fresh = cancel, stream, true
	j := seeking{ctx: ctx, terms: filter.Parse(e.view.Query), out: stream}
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
		return e.latest(gen, func() tea.Cmd { return e.onBatch(b, more) })
	}
}

// onBatch lists what was found; without more the search has ended.
func (e *Everywhere) onBatch(b batch, more bool) tea.Cmd {
	v := &e.view
	if e.fresh {
		e.clear()
	}
	if !more {
		v.Done = true
		return nil
	}
	v.Read, v.Unread, v.More = b.read, b.unread, v.More+b.more
	for _, l := range b.lines {
		e.insert(l)
	}
	if v.Cursor == 0 && len(v.Lines) > 1 {
		v.Cursor = 1
	}
	return e.await()
}

// insert lists a record below those of its store that were found before, in the order of the places.
// The cursor stays on its record.
func (e *Everywhere) insert(l views.FoundLine) {
	v := &e.view
	i, _ := slices.BinarySearchFunc(v.Lines, l, func(a, b views.FoundLine) int {
		return cmp.Or(cmp.Compare(e.order[a.Store], e.order[b.Store]), -1)
	})
	lines := []views.FoundLine{{Store: l.Store, Heading: e.heading(l.Store)}, l}
	if i > 0 && v.Lines[i-1].Store == l.Store {
		lines = lines[1:]
	}
	if i <= v.Cursor && len(v.Lines) > 0 {
		v.Cursor += len(lines)
	}
	v.Lines, v.Found = slices.Insert(v.Lines, i, lines...), v.Found+1
}

// heading returns what a store is called in one line.
func (e *Everywhere) heading(id memory.StoreID) string {
	p := &e.cfg.Places[e.order[id]]
	name := cmp.Or(e.cfg.Names[p.System], string(p.System))
	if p.Name != "" {
		name += "  " + p.Name
	}
	return name + "  " + views.PlacePath(*p)
}
