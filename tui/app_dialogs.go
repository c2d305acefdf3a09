package tui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/dialog"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// preview is the plan that is being made for the dialog on top. One is made at a
// time; while it is, only the latest order that came is kept.
type preview struct {
	busy, again bool
	// order is to be planned next, for the dialog asker.
	order memory.Order
	asker dialog.Planned
}

// planned returns the dialog on top when it is about a plan, or nil.
func (a *App) planned() dialog.Planned {
	d, _ := a.stack.Top().(dialog.Planned)
	return d
}

// onPreview makes the plan of the dialog on top anew.
func (a *App) onPreview(o memory.Order) tea.Cmd {
	p := &a.changes.preview
	asker := a.planned()
	if asker == nil || a.cfg.Curator == nil {
		return nil
	}
	if p.busy {
		p.again, p.order, p.asker = true, o, asker
		return nil
	}
	p.busy = true
	ctx, curator, store := a.ctx, a.cfg.Curator, a.store.id
	return func() tea.Msg {
		plan, err := curator.Plan(ctx, store, o)
		return then(func(a *App) tea.Cmd { return a.onPreviewed(asker, plan, err) })
	}
}

// onPreviewed hands a plan to its dialog, when that is still on top and has not
// asked for another.
func (a *App) onPreviewed(asker dialog.Planned, plan memory.Plan, err error) tea.Cmd {
	p := &a.changes.preview
	top, again := a.planned(), p.again
	p.busy, p.again = false, false
	switch {
	case again && top == p.asker:
		return a.onPreview(p.order)
	case top == asker:
		asker.SetPlan(plan, err)
	}
	return nil
}

// replan makes the plan of the dialog on top anew, since the store has changed.
func (a *App) replan() tea.Cmd {
	if d := a.planned(); d != nil {
		return a.onPreview(present(d.Order(), &a.store.snap))
	}
	return nil
}

// present returns an order without the records that another writer removed while a
// dialog asked about them: the person confirms what there is. A record that is named
// after its place may have moved, and is told by its bytes.
func present(o memory.Order, s *memory.Snapshot) memory.Order {
	whole := s.Problem == nil && !s.Partial && len(s.Records) == s.Total
	if !whole || !slices.Contains([]memory.Act{memory.Delete, memory.Pin, memory.Unpin, memory.Redact, memory.Prune}, o.Do) {
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

func (a *App) openPrune(m msg.Prune) tea.Cmd {
	d := dialog.NewPrune(a.cfg.Keys, m.IDs, len(a.store.snap.Records), m.Spare, a.warning())
	a.stack.Push(d)
	return a.onPreview(d.Order())
}

func (a *App) openMerge(m msg.Merge) tea.Cmd {
	d := dialog.NewMerge(a.cfg.Keys, m.Records, a.warning(), func() bool { return a.reveal })
	a.stack.Push(d)
	return a.onPreview(d.Order())
}

// undo orders an undo or a redo of the latest entry.
func (a *App) undo(do memory.Act) tea.Cmd {
	if a.tooSmall() {
		return nil // nobody would see what it was
	}
	return a.onChange(msg.Order{Order: memory.Order{Do: do}})
}

func (a *App) openHistory() tea.Cmd {
	ctx, curator, store, gen := a.ctx, a.cfg.Curator, a.store.id, a.store.gen
	return func() tea.Msg {
		h, err := curator.History(ctx, store)
		return then(func(a *App) tea.Cmd {
			switch {
			case err != nil:
				return a.fail(msg.Failed{Op: "history", Err: err})
			case gen == a.store.gen:
				a.ask(dialog.NewHistory(a.cfg.Keys, h))
			}
			return nil
		})
	}
}

// openSessions shows the sessions of the store's project when they are read.
func (a *App) openSessions() tea.Cmd {
	ctx, sessions, store, gen := a.ctx, a.cfg.Sessions, a.store.id, a.store.gen
	return func() tea.Msg {
		list, err := sessions.SessionsOf(ctx, store)
		return then(func(a *App) tea.Cmd {
			if gen != a.store.gen {
				return nil
			}
			problem := ""
			if err != nil {
				problem = err.Error()
			}
			return a.push(dialog.NewSessions(a.cfg.Keys, list, a.cfg.Names, problem))
		})
	}
}

func (a *App) openGuard() tea.Cmd {
	return a.push(dialog.NewGuard(a.cfg.Keys, a.store.snap.Undone))
}

// awaiting returns how many changes another writer undid that await a decision.
// What an agent's own rules did, or is done again without asking, awaits none.
func (a *App) awaiting() int {
	b := a.banner()
	return b.Undone + b.Secrets + b.Unsure
}

// onReapplied tells what was done again without asking.
func (a *App) onReapplied(n int) tea.Cmd {
	if n <= 0 {
		return nil
	}
	what := memory.Noun{One: "change", Many: "changes"}.Count(n)
	return a.say("Repeated " + what + " of yours that another writer had undone; " + a.keys.History.Help().Key + " shows them")
}

// lag is how far the time of a file may be behind the clock: a tick of the system.
// Our own writes are told from others' by when they were made.
const lag = 20 * time.Millisecond

// ours reports whether the store was written at t by a plan that was applied here.
func (a *App) ours(t time.Time) bool {
	c := &a.changes
	return !c.began.IsZero() && !t.Before(c.began.Add(-lag)) && (c.ended.IsZero() || !t.After(c.ended))
}

// active is how long after a write a writer counts as at work.
const active = 5 * time.Minute

// warning says that another writer may undo what is about to be done, or nothing.
func (a *App) warning() string {
	s, now := &a.store, a.cfg.Now()
	others, before := now.Sub(s.others), now.Sub(s.before)
	return cmp.Or(page.When(s.snap.Writer != "", "An agent seems to be running ("+s.snap.Writer+") and may undo this when it saves."),
		page.When(within(others, active), "Written "+seconds(others)+" ago by another program: an agent may undo this when it saves."),
		page.When(within(before, active), "The file was written "+seconds(before)+" ago: a running agent may undo this."))
}

// skew is how far two clocks may differ: what was written later than that is not known
// to be recent.
const skew = 10 * time.Second

// within reports whether something was less than d ago.
func within(ago, d time.Duration) bool { return ago > -skew && ago < d }

func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%d s", max(d, 0)/time.Second)
	}
	return fmt.Sprintf("%d min", d/time.Minute)
}
