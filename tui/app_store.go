package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
)

// openStore is the open store.
type openStore struct {
	id     memory.StoreID
	gen    int // rises with every store opened, so that late states of an earlier one are dropped
	cancel context.CancelFunc
	states <-chan memory.Snapshot

	snap   memory.Snapshot
	loaded bool
	// written is when the store was last written while open here, by anyone; others is when
	// somebody else last wrote it. before is when it was last written before it was opened.
	written, others, before time.Time
}

// pickStore opens the list of stores for a request.
func (a *App) pickStore(m msg.PickStore) tea.Cmd {
	offer := paletteOffer{Title: m.Title, Places: m.Places, Open: a.store.id, Names: a.cfg.Names, Then: m.Then}
	return a.push(newPalette(a.cfg.Keys, offer))
}

// onBegan opens the store with which the program begins, or shows the list of stores. A store that is
// open already is not opened again, and what the person opened meanwhile stays open.
func (a *App) onBegan(m msg.Began) tea.Cmd {
	found := a.onRequest(msg.Found{Survey: m.Survey})
	switch {
	case a.store.id != m.Was:
		return found
	case m.Store == "" && len(m.Places) > 0:
		return tea.Batch(found, a.onRequest(msg.Show{Page: a.cfg.Home}))
	case m.Store == m.Was:
		return found
	}
	return tea.Batch(found, a.onRequest(msg.OpenStore{Store: m.Store}))
}

// onOthers offers more stores to switch to.
func (a *App) onOthers(m msg.Others) tea.Cmd {
	a.others = m.Places
	a.offer(m.Places)
	return nil
}

// offer adds stores to the list of stores, if it is open.
func (a *App) offer(places []memory.Place) {
	if s, ok := a.stack.top().(*paletteDialog); ok {
		s.addStores(places)
	}
}

// open stops following the current store, and follows another.
func (a *App) open(id memory.StoreID) tea.Cmd {
	if a.store.cancel != nil {
		a.store.cancel()
	}
	rows := a.bannerRows()
	if a.store.id != "" {
		a.stack.clear() // its dialogs are about the previous store
	}
	ctx, cancel := context.WithCancel(a.ctx)
	a.store = openStore{id: id, gen: a.store.gen + 1, cancel: cancel}
	a.store.states = a.cfg.Follower.Follow(ctx, id)
	return tea.Batch(a.resized(rows), a.toLast(), a.hint(), await(a.store.gen, a.store.states))
}

// toLast moves the cursor to the record it was on when the previous run ended. It does so only the
// first time that store is opened.
func (a *App) toLast() tea.Cmd {
	last := &a.cfg.State
	if last.Record == "" || last.Store != a.store.id {
		return nil
	}
	id := last.Record
	last.Record = ""
	return a.broadcast(msg.Lesson{ID: id, Quiet: true})
}

// listHint is the name under which the hint about the list of stores is remembered as seen.
const listHint = "list of stores"

// hint says which key lists the other stores, if the program chose the open one among several. It
// does so only once, ever.
func (a *App) hint() tea.Cmd {
	n := len(a.cfg.Survey.Places)
	if a.store.gen > 1 || n < 2 || !a.cfg.HasHome || a.onHome() || a.cfg.Save == nil ||
		slices.Contains(a.cfg.State.Seen, listHint) {
		return nil
	}
	a.remembered.seen = listHint
	return a.news.show(fmt.Sprintf("%s lists all %d stores", a.keys.Back.Help().Key, n))
}

// await returns the command that waits for the next state of the store of generation gen.
func await(gen int, states <-chan memory.Snapshot) tea.Cmd {
	return func() tea.Msg {
		snap, ok := <-states
		return rootFunc(func(a *App) tea.Cmd {
			if gen != a.store.gen || !ok {
				return nil
			}
			return a.onFollowed(snap)
		})
	}
}

func (a *App) onFollowed(snap memory.Snapshot) tea.Cmd {
	s := &a.store
	if wrote := snap.ModTime; wrote.After(s.snap.ModTime) {
		switch ours := a.isOurWrite(wrote); {
		case !s.loaded:
			s.before = wrote
		case !ours:
			s.written, s.others = wrote, wrote
		default:
			s.written = wrote
		}
	}
	snap.ReadOnly = a.whyReadOnly(snap)
	again, rows := snap.Reapplied-s.snap.Reapplied, a.bannerRows()
	s.snap, s.loaded = snap, true
	if p, ok := a.stack.top().(*pruneDialog); ok {
		p.refresh(&s.snap)
	}
	a.now = a.cfg.Now()
	return tea.Batch(
		a.broadcast(msg.Clock{Time: a.now}),
		a.resized(rows),
		a.broadcast(msg.Snapshot{Snapshot: snap}),
		a.onReapplied(again),
		a.onPreview(), // the shown plan may be out of date
		await(s.gen, s.states),
		a.tick(),
	)
}

// tick returns the command that updates the ages on the screen after a minute, or sooner while the
// header shows the seconds since a write. It cancels the previous tick.
func (a *App) tick() tea.Cmd {
	d := time.Minute
	switch ago := a.now.Sub(a.store.written); {
	case within(ago, 10*time.Second):
		d = time.Second
	case within(ago, time.Minute):
		d = 10 * time.Second
	}
	if a.stopTick != nil {
		a.stopTick()
	}
	ctx, now := context.Context(nil), a.cfg.Now
	ctx, a.stopTick = context.WithCancel(a.ctx)
	return func() tea.Msg {
		select {
		case <-time.After(d):
		case <-ctx.Done():
			return nil
		}
		at := now()
		return rootFunc(func(a *App) tea.Cmd {
			if ctx.Err() != nil {
				return nil
			}
			a.now = at
			return tea.Batch(a.broadcast(msg.Clock{Time: at}), a.tick())
		})
	}
}

// openPlace returns the place of the open store. It uses what is known before the store has been read.
func (a *App) openPlace() memory.Place {
	place := a.store.snap.Place
	if place.System == "" {
		place = memory.Place{Store: a.store.id}
	}
	for _, p := range a.cfg.Survey.Places {
		if p.Store == a.store.id {
			place = p
		}
	}
	return place
}

// goTo shows a record, and opens its store if necessary.
func (a *App) goTo(m msg.Goto) tea.Cmd {
	a.show(a.cfg.Lessons)
	if m.Store == a.store.id {
		return a.broadcast(msg.Lesson{ID: m.ID})
	}
	return tea.Batch(a.broadcast(msg.OpenStore{Store: m.Store}), a.open(m.Store), a.broadcast(msg.Lesson{ID: m.ID}))
}

// editAt edits a record, and opens its store first if necessary.
func (a *App) editAt(m msg.EditAt) tea.Cmd {
	edit := msg.Edit{ID: m.ID}
	if m.Store == a.store.id && a.store.loaded {
		return a.onChange(edit)
	}
	opened := tea.Batch(a.broadcast(msg.OpenStore{Store: m.Store}), a.open(m.Store))
	a.held = append(a.held, edit)
	return opened
}

// openEverywhere opens the search over all stores.
func (a *App) openEverywhere() tea.Cmd {
	return a.push(newEverywhere(everywhereConfig{
		Keys: a.cfg.Keys, Ctx: a.ctx, Searcher: a.cfg.Searcher, Places: a.cfg.Survey.Places, Names: a.cfg.Names,
	}))
}

// noStoreFound reports whether the visible page is blank because no store was found.
func (a *App) noStoreFound() bool {
	return a.blank() && !a.searching() && len(a.cfg.Survey.Places) == 0
}

// lookPause is the shortest pause between two searches while no store has been found. After a slow
// search the pause is longer.
const lookPause = 2 * time.Second

// lookAgain searches for stores repeatedly until there is one.
func (a *App) lookAgain() tea.Cmd {
	if a.cfg.Finder == nil || a.looking || a.searching() || a.hasStores() {
		return nil
	}
	a.looking = true
	return a.lookIn(lookPause)
}

func (a *App) hasStores() bool { return len(a.cfg.Survey.Places) > 0 || a.store.id != "" }

func (a *App) lookIn(pause time.Duration) tea.Cmd {
	const share = 20 // searches take at most about one part in 20 of the time
	ctx, finder, now := a.ctx, a.cfg.Finder, a.cfg.Now
	return tea.Tick(pause, func(began time.Time) tea.Msg {
		found, store := finder.Find(ctx)
		next := max(lookPause, share*now().Sub(began))
		return rootFunc(func(a *App) tea.Cmd {
			at, used := a.active, !a.blank()
			later := len(found.Places) == 0 || used && !a.stack.empty()
			if a.looking = later && !a.hasStores(); a.looking {
				return a.lookIn(next)
			}
			if a.hasStores() {
				return nil
			}
			opened := a.onOpened(msg.Opened{Survey: found, Store: store})
			if used { // the first approval in the inbox creates a store, and the person continues in the inbox
				a.show(at)
			}
			return opened
		})
	})
}

// openPath asks for a path to open.
func (a *App) openPath() tea.Cmd {
	return a.push(newOpenPath(a.ctx, a.cfg.Keys, a.cfg.Finder, ""))
}

// onOpened opens the store that was found, or shows the list of stores if there are several.
func (a *App) onOpened(m msg.Opened) tea.Cmd {
	a.stack.clear()
	all := memory.Survey{Places: slices.Clone(a.cfg.Survey.Places), Looked: a.cfg.Survey.Looked}
	for _, p := range m.Places {
		all.Found(p)
	}
	found := a.onRequest(msg.Found{Survey: all})
	if m.Store == "" && len(m.Places) > 1 {
		a.show(a.cfg.Home)
		return found
	}
	a.chosen = a.onHome()
	a.show(a.cfg.Lessons)
	return tea.Sequence(found, msg.Emit(msg.OpenStore{Store: cmp.Or(m.Store, m.Places[0].Store)}))
}
