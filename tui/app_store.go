package tui

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/dialog"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// followed is the store that is open. Its generation rises with every store that
// is opened, so that a late state of an earlier one is dropped.
type followed struct {
	id     memory.StoreID
	gen    int
	cancel context.CancelFunc
	states <-chan memory.Snapshot

	snap   memory.Snapshot
	loaded bool
	// written is when somebody wrote the store while it was open here, others when
	// somebody else did last, and before when it was written before it was opened.
	written, others, before time.Time
}

// pickStore offers stores for what the chosen one is wanted for.
func (a *App) pickStore(m msg.PickStore) tea.Cmd {
	offer := dialog.Offer{Title: m.Title, Places: m.Places, Open: a.store.id, Names: a.cfg.Names, Then: m.Then}
	return a.push(dialog.NewSwitcher(a.cfg.Keys, offer))
}

// onOthers offers more stores to be switched to.
func (a *App) onOthers(m msg.Others) tea.Cmd {
	a.others = m.Places
	if s, ok := a.stack.Top().(*dialog.Switcher); ok {
		s.Add(m.Places)
	}
	return nil
}

// open follows a store and lets go of the one before.
func (a *App) open(id memory.StoreID) tea.Cmd {
	if a.store.cancel != nil {
		a.store.cancel()
	}
	rows := a.bannerRows()
	a.stack.Clear() // what it asks about is the store before
	ctx, cancel := context.WithCancel(a.ctx)
	a.store = followed{id: id, gen: a.store.gen + 1, cancel: cancel}
	a.store.states = a.cfg.Follower.Follow(ctx, id)
	return tea.Batch(a.resized(rows), await(a.store.gen, a.store.states))
}

// await returns the command that waits for the next state.
func await(gen int, states <-chan memory.Snapshot) tea.Cmd {
	return func() tea.Msg {
		snap, ok := <-states
		return then(func(a *App) tea.Cmd {
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
		switch ours := a.ours(wrote); {
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
	a.now = a.cfg.Now()
	return tea.Batch(
		a.tell(msg.Clock{Time: a.now}),
		a.resized(rows),
		a.tell(msg.Snapshot{Snapshot: snap}),
		a.onReapplied(again),
		a.replan(),
		await(s.gen, s.states),
		a.tick(),
	)
}

// clock wakes the program when something on the screen has become older. It has
// one timer at most: asking for a later one ends the one before.
type clock struct {
	gen  int
	stop context.CancelFunc
}

// tick waits for a minute, and less while the header tells how long ago a write
// was.
func (a *App) tick() tea.Cmd {
	d := time.Minute
	if ago := a.now.Sub(a.store.written); within(ago, time.Minute) {
		d = 10 * time.Second
		if ago < 10*time.Second {
			d = time.Second
		}
	}
	if a.clock.stop != nil {
		a.clock.stop()
	}
	ctx, stop := context.WithCancel(a.ctx)
	a.clock = clock{gen: a.clock.gen + 1, stop: stop}
	gen, now := a.clock.gen, a.cfg.Now
	return func() tea.Msg {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil
		}
		at := now()
		return then(func(a *App) tea.Cmd {
			if gen != a.clock.gen {
				return nil
			}
			a.now = at
			return tea.Batch(a.tell(msg.Clock{Time: at}), a.tick())
		})
	}
}

// shortName returns the name of a store with the last part of its path only.
func (a *App) shortName(p memory.Place) string {
	parts := []string{cmp.Or(a.cfg.Names[p.System], string(p.System)), page.Unless(p.ByPath, p.Name), views.PlaceBase(p)}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(slices.Compact(parts), " ")
}

// goTo shows a record in its store.
func (a *App) goTo(m msg.Goto) tea.Cmd {
	a.show(a.cfg.Lessons)
	if m.Store == a.store.id {
		return a.tell(msg.Lesson{ID: m.ID})
	}
	return tea.Batch(a.tell(msg.OpenStore{Store: m.Store}), a.open(m.Store), a.tell(msg.Lesson{ID: m.ID}))
}

// openEverywhere opens the search over all stores.
func (a *App) openEverywhere() tea.Cmd {
	return a.push(dialog.NewEverywhere(dialog.EverywhereConfig{
		Keys: a.cfg.Keys, Ctx: a.ctx, Library: a.cfg.Library, Places: a.cfg.Survey.Places, Names: a.cfg.Names, Now: a.cfg.Now,
	}))
}
