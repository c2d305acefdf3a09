package tui

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
	"winnow/tui/page"
	"winnow/views"
)

// everywhereDialog is the dialog that searches the records of all stores for the typed query, and goes to
// the record chosen.
type everywhereDialog struct {
	dialogState
	cfg    everywhereConfig
	line   page.TextLine
	gen    int // rises with each query, so that late results of an earlier one are dropped
	cancel context.CancelFunc
	fresh  bool // the latest search has not delivered anything yet
	terms  []filter.Term

	view  views.Everywhere
	order map[memory.StoreID]int // the index of each store in cfg.Places
}

// everywhereConfig is the configuration of an everywhereDialog.
type everywhereConfig struct {
	Keys     keymap.Map
	Ctx      context.Context // searches end with it at the latest
	Searcher Searcher
	Places   []memory.Place
	Names    map[memory.SystemID]string
}

// mostFound is how many records are listed. Further ones are only counted.
const mostFound = 1000

// typingRest is how long the query must stay unchanged before the search starts.
const typingRest = 150 * time.Millisecond

// newEverywhere returns the dialog.
func newEverywhere(c everywhereConfig) *everywhereDialog {
	e := &everywhereDialog{cfg: c, order: map[memory.StoreID]int{}}
	for i, p := range c.Places {
		if e.order[p.Store] = i; p.Exists {
			e.view.Stores++
		}
	}
	return e
}

// close implements closer.
func (e *everywhereDialog) close() {
	e.gen++
	if e.cancel != nil {
		e.cancel()
		e.cancel = nil
	}
}

// form implements dialog.
func (e *everywhereDialog) form() dialogForm {
	t := e.cfg.Keys.Text
	heading := func(i int) bool { return e.view.Lines[i].Heading != "" }
	return dialogForm{
		Keys: e.cfg.Keys, Masks: true, View: e.view.Dialog, After: e.edited,
		List: &formList{Len: len(e.view.Lines), Cursor: &e.view.Cursor, Skip: heading, Again: e.open},
		Typed: &typedText{
			Line:   &e.line,
			Accept: dialogAction{Binding: keymap.As(t.Accept, "open"), Do: e.open},
			Cancel: dialogAction{Binding: keymap.As(t.Cancel, "close"), Do: closes},
		},
	}
}

// open goes to the record at the cursor.
func (e *everywhereDialog) open() formResult {
	if e.view.Cursor >= len(e.view.Lines) || e.view.Lines[e.view.Cursor].Heading != "" {
		return formResult{}
	}
	l := e.view.Lines[e.view.Cursor]
	return closing(msg.Goto{Store: l.Store, ID: l.ID})
}

// edited gives up the current search if the query changed, and returns the command that searches
// for the new query after typingRest.
func (e *everywhereDialog) edited() tea.Cmd {
	if e.view.Query == e.line.Text() {
		return nil
	}
	e.close()
	terms := filter.Parse(e.line.Text())
	e.view.Query, e.view.Done, e.terms = e.line.Text(), false, terms
	e.view.Match = func(text string, title bool) [][2]int { return filter.Spans(terms, text, title) }
	if e.view.Query == "" {
		e.clear()
		return nil
	}
	gen := e.gen
	return tea.Tick(typingRest, func(time.Time) tea.Msg {
		return e.unlessRetyped(gen, e.search)
	})
}

// unlessRetyped returns a delivery that runs do, unless another query was typed meanwhile.
func (e *everywhereDialog) unlessRetyped(gen int, do func() tea.Cmd) delivery {
	return delivery{To: e, Do: func() tea.Cmd {
		if gen != e.gen {
			return nil
		}
		return do()
	}}
}

func (e *everywhereDialog) clear() {
	e.view.Lines, e.view.Found, e.view.More, e.view.Read, e.view.Unread = nil, 0, 0, 0, nil
	e.view.Cursor, e.fresh = 0, false
}

// searched is a part of a search result. The last part has done set, and names the stores that
// could not be read.
type searched struct {
	memory.SearchPart
	unread []memory.Unread
	done   bool
}

// search starts the search for the query.
func (e *everywhereDialog) search() tea.Cmd {
	ctx, cancel := context.WithCancel(e.cfg.Ctx)
	e.cancel, e.fresh = cancel, true
	var stores []memory.StoreID
	for _, p := range e.cfg.Places {
		if p.Exists {
			stores = append(stores, p.Store)
		}
	}
	stream := make(chan searched)
	pass := func(f searched) error {
		select {
		case stream <- f:
		case <-ctx.Done():
		}
		return ctx.Err()
	}
	searcher, terms := e.cfg.Searcher, e.terms
	return tea.Batch(e.await(ctx, stream), func() tea.Msg {
		unread, err := searcher.Search(
			ctx,
			stores,
			terms,
			func(p memory.SearchPart) error { return pass(searched{SearchPart: p}) },
		)
		if err == nil {
			_ = pass(searched{unread: unread, done: true}) // fails only if nobody waits for it
		}
		return nil
	})
}

// await returns the command that waits for the next part of the result.
func (e *everywhereDialog) await(ctx context.Context, stream <-chan searched) tea.Cmd {
	gen := e.gen
	return func() tea.Msg {
		select {
		case f := <-stream:
			return e.unlessRetyped(gen, func() tea.Cmd {
				if e.onFound(f); f.done {
					return nil
				}
				return e.await(ctx, stream)
			})
		case <-ctx.Done():
			return nil
		}
	}
}

// onFound lists the records of a part, up to mostFound in all, and counts the others.
func (e *everywhereDialog) onFound(f searched) {
	v := &e.view
	if e.fresh {
		e.clear()
	}
	v.Read, v.Unread, v.Done = v.Read+f.Read, f.unread, f.done
	for i := range f.Records {
		if v.Found == mostFound {
			v.More++
			continue
		}
		e.insert(foundLine(f.Store, &f.Records[i], e.terms))
	}
	if v.Cursor == 0 && len(v.Lines) > 1 {
		v.Cursor = 1
	}
}

// insert lists a record after those already found in its store. Stores are in the order of the
// places. The cursor stays on its record.
func (e *everywhereDialog) insert(l views.FoundLine) {
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

// heading returns the one-line name of a store.
func (e *everywhereDialog) heading(id memory.StoreID) string {
	p := &e.cfg.Places[e.order[id]]
	name := cmp.Or(e.cfg.Names[p.System], string(p.System))
	if p.Name != "" {
		name += "  " + p.Name
	}
	return name + "  " + views.PlacePath(*p)
}
