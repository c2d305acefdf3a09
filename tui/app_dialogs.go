package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/activity"
	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// preview tracks the plan that is being made for the top dialog. Only one is made at a time. Again
// says that it is already out of date.
type preview struct{ busy, again bool }

// planned returns the top dialog if it is about a plan, or nil.
func (a *App) planned() planDialog {
	d, _ := a.stack.top().(planDialog)
	return d
}

// onPreview makes a new plan for the top dialog. It takes the order from the dialog and not from the
// message, because the requests of two keys may arrive in either order.
func (a *App) onPreview() tea.Cmd {
	p := &a.changes.preview
	asker := a.planned()
	if asker == nil {
		return nil
	}
	if p.busy {
		p.again = true
		return nil
	}
	p.busy = true
	ctx, curator, store, o := a.ctx, a.cfg.Curator, a.store.id, withoutRemoved(asker.order(), &a.store.snap)
	return func() tea.Msg {
		plan, err := curator.Plan(ctx, store, o)
		return rootFunc(func(a *App) tea.Cmd { return a.onPreviewed(asker, plan, err) })
	}
}

// onPreviewed passes a plan to its dialog if that is still on top. If another plan was requested
// meanwhile, it makes that one instead.
func (a *App) onPreviewed(asker planDialog, plan memory.Plan, err error) tea.Cmd {
	p := &a.changes.preview
	top, again := a.planned(), p.again
	p.busy, p.again = false, false
	switch {
	case again:
		return a.onPreview()
	case top == asker:
		asker.takePlan(plan, err)
	}
	return nil
}

// withoutRemoved returns an order without the records that another writer removed while a dialog was open,
// so that the person confirms only what exists. The ID of a record may be its position; such a
// record may have moved, and is recognized by its stored form.
func withoutRemoved(o memory.Order, s *memory.Snapshot) memory.Order {
	whole := s.Problem == nil && !s.Partial && len(s.Records) == s.Total
	if !whole ||
		!slices.Contains([]memory.Act{memory.Delete, memory.Pin, memory.Unpin, memory.Redact, memory.Prune}, o.Do) {
		return o
	}
	ids, forms := make(map[memory.ID]bool, len(s.Records)), make(map[string]bool, len(s.Records))
	for i := range s.Records {
		ids[s.Records[i].ID], forms[s.Records[i].Raw] = true, true
	}
	left := o
	left.IDs, left.Base = nil, nil
	for i, id := range o.IDs {
		if !ids[id] && (i >= len(o.Base) || !forms[o.Base[i]]) {
			continue
		}
		left.IDs = append(left.IDs, id)
		if i < len(o.Base) {
			left.Base = append(left.Base, o.Base[i])
		}
	}
	return left
}

// undo orders an undo or a redo of the latest entry.
func (a *App) undo(do memory.Act) tea.Cmd {
	if a.tooSmall() {
		return nil // nobody would see what was undone
	}
	return a.onChange(msg.Order{Order: memory.Order{Do: do}})
}

// readCmd returns the command that calls read and passes its result to done, if the same store is still
// open. Errors are shown; op names the operation in them.
func readCmd[T any](a *App, op string, read func() (T, error), done func(*App, T) tea.Cmd) tea.Cmd {
	gen := a.store.gen
	return func() tea.Msg {
		v, err := read()
		return rootFunc(func(a *App) tea.Cmd {
			switch {
			case err != nil:
				return a.fail(msg.Failed{Op: op, Err: err})
			case gen != a.store.gen:
				return nil
			}
			return done(a, v)
		})
	}
}

// openHistory shows the history of the open store. At is the entry for the cursor, or "" for the
// newest.
func (a *App) openHistory(at memory.EntryID) tea.Cmd {
	ctx, curator, store := a.ctx, a.cfg.Curator, a.store.id
	return readCmd(a, "history", func() (memory.History, error) { return curator.History(ctx, store) },
		func(a *App, h memory.History) tea.Cmd { return a.push(newHistory(a.cfg.Keys, h, at)) })
}

// openTimeline shows what happened to a record of the open store.
func (a *App) openTimeline(id memory.ID) tea.Cmd {
	ctx, plots, store := a.ctx, a.cfg.Plots, a.store.id
	return readCmd(a, "timeline", func() (activity.Timeline, error) { return plots.Timeline(ctx, store, id) },
		func(a *App, t activity.Timeline) tea.Cmd {
			return a.push(newTimeline(a.cfg.Keys, t, a.cfg.Names))
		})
}

// openActivity shows what happened in a store.
func (a *App) openActivity(store memory.StoreID) tea.Cmd {
	ctx, plots := a.ctx, a.cfg.Plots
	return readCmd(a, "activity", func() (activity.Store, error) { return plots.Activity(ctx, store) },
		func(a *App, s activity.Store) tea.Cmd { return a.push(newActivity(a.cfg.Keys, s)) })
}

// openSession shows one session.
func (a *App) openSession(id string) tea.Cmd {
	ctx, sessions := a.ctx, a.cfg.Sessions
	return readCmd(a, "session", func() (memory.SessionSummary, error) { return sessions.SessionSummary(ctx, id) },
		func(a *App, s memory.SessionSummary) tea.Cmd {
			return a.push(newSession(a.cfg.Keys, s, a.cfg.Names))
		})
}

// openSessions shows the sessions of the store's project, which can take seconds to read.
func (a *App) openSessions() tea.Cmd {
	ctx, stop := context.WithCancel(a.ctx)
	sessions, store := a.cfg.Sessions, a.store.id
	d := newSessions(a.cfg.Keys, a.cfg.Names, stop)
	return tea.Batch(a.push(d), func() tea.Msg {
		list, err := sessions.SessionsOf(ctx, store)
		problem := ""
		if err != nil {
			problem = err.Error() // some are missing
		}
		return delivery{To: d, Do: func() tea.Cmd {
			d.setSessions(list, problem)
			return nil
		}}
	})
}

// openDistil asks whether a program shall be given sessions. Finding them can take seconds.
func (a *App) openDistil(m msg.Distil) tea.Cmd {
	ctx, stop := context.WithCancel(a.ctx)
	d := newDistil(a.cfg.Keys, m, a.cfg.Names, stop)
	return tea.Batch(a.push(d), func() tea.Msg {
		plan, err := m.Plan(ctx)
		return delivery{To: d, Do: page.Do(func() { d.setPlan(plan, err) })}
	})
}

func (a *App) openGuard() tea.Cmd {
	return a.push(newGuard(a.cfg.Keys, a.store.snap.Undone))
}

// awaiting returns how many undone changes await a decision. Changes undone by an agent's own rules,
// and those that are always repeated without asking, do not count.
func (a *App) awaiting() int {
	b := a.banner()
	return b.Undone + b.Secrets + b.Unsure
}

// onReapplied announces changes that were repeated without asking.
func (a *App) onReapplied(n int) tea.Cmd {
	if n <= 0 {
		return nil
	}
	what := memory.Noun{One: "change", Many: "changes"}.Count(n)
	return a.news.show(
		"Repeated " + what + " of yours that another writer had undone; " + a.keys.History.Help().Key + " shows them",
	)
}

// lag is how far a file's modification time may be behind the clock: one tick of the system.
const lag = 20 * time.Millisecond

// isOurWrite reports whether a write of the store at time t was ours: it happened during the last change
// made here.
func (a *App) isOurWrite(t time.Time) bool {
	c := &a.changes
	return !c.began.IsZero() && !t.Before(c.began.Add(-lag)) && (c.ended.IsZero() || !t.After(c.ended))
}

// active is how long after a write its writer is assumed to be running.
const active = 5 * time.Minute

// warning returns a warning that another writer may undo the next change, or "".
func (a *App) warning() string {
	s, now := &a.store, a.cfg.Now()
	others, before := now.Sub(s.others), now.Sub(s.before)
	return cmp.Or(
		page.When(
			s.snap.Writer != "",
			"An agent seems to be running ("+s.snap.Writer+") and may undo this when it saves.",
		),
		page.When(
			within(others, active),
			"Written "+seconds(others)+" ago by another program: an agent may undo this when it saves.",
		),
		page.When(
			within(before, active),
			"The file was written "+seconds(before)+" ago: a running agent may undo this.",
		),
	)
}

// skew is how far two clocks may differ. A time further in the future does not count as recent.
const skew = 10 * time.Second

// within reports whether ago is less than d, and not further in the future than skew.
func within(ago, d time.Duration) bool { return ago > -skew && ago < d }

func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", max(d, 0)/time.Second)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}
