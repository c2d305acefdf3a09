package tui

import (
	"cmp"
	"errors"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// A pendingChange is an order that waits for its plan, or a confirmed plan that waits to be applied. It
// records which store it is meant for.
type pendingChange struct {
	store memory.StoreID
	gen   int
	order memory.Order
	ask   bool
	plan  *memory.Plan
}

// changes holds the changes to stores. One change runs at a time, and the others wait in order.
type changes struct {
	waiting []pendingChange
	busy    bool // a change is running
	paged   bool // a page is saving a change of its own
	// round counts the changes. slowToast is the generation of the toast that says a change takes long.
	round, slowToast int
	// quitting ends the program once no change is running any more.
	quitting bool
	// began and ended are when the last change was started and finished. Ended is zero while it runs.
	began, ended time.Time

	preview preview
	draft   draft // the last text that came from an editor
	// said are the changes of one kind that the toast names together.
	said said
	// conflict is the edit that was last refused because of a conflict, if any. Editing the same
	// record offers its text again.
	conflict draft
}

// onChange handles requests to change a store, to show what happened in it, or to decide about
// findings. Any other message is a fact for the pages.
func (a *App) onChange(m tea.Msg) tea.Cmd {
	switch m.(type) {
	case msg.Order, msg.Apply, msg.Edit, msg.Prune, msg.Merge:
		if why := a.whyFixed(); why != "" {
			return a.say("Nothing changed, " + why)
		}
	}
	switch m := m.(type) {
	case msg.Order:
		return a.onOrder(m)
	case msg.Apply:
		return a.onApply(m)
	case msg.Preview:
		return a.onPreview()
	case msg.Edit:
		return a.onEdit(m)
	case msg.LeftToThem:
		return a.onLeftToThem()
	case msg.Prune:
		return a.push(newPrune(a.cfg.Keys, m.IDs, &a.store.snap, m.Spare, a.warning()))
	case msg.Merge:
		return a.push(newMerge(a.cfg.Keys, m.Records, a.warning(), func() bool { return a.reveal }))
	case msg.Timeline:
		return a.openTimeline(m.ID)
	case msg.Activity:
		return a.openActivity(m.Store)
	case msg.OpenEntry:
		return a.openHistory(m.Entry)
	case msg.OpenSession:
		return a.openSession(m.ID)
	case msg.Ignore:
		return a.openIgnore(m.Finding)
	case msg.Decide:
		return a.decide(m)
	case msg.Export:
		return a.openExport(m.Audit)
	case msg.Report:
		return a.report(m)
	}
	return a.broadcast(m)
}

// whyReadOnly returns why a store cannot be changed, or "".
func (a *App) whyReadOnly(s memory.Snapshot) string {
	return cmp.Or(page.When(a.cfg.ReadOnly, "Winnow was started with --readonly."),
		page.Unless(a.cfg.Curator != nil, "stores cannot be changed from here."), s.ReadOnly)
}

func (a *App) onOrder(m msg.Order) tea.Cmd {
	s := pendingChange{store: a.store.id, gen: a.store.gen, order: m.Order, ask: m.Ask}
	a.changes.waiting = append(a.changes.waiting, s)
	return a.proceed()
}

// onApply queues a confirmed plan, before the orders that wait for its dialog to close.
func (a *App) onApply(m msg.Apply) tea.Cmd {
	s := pendingChange{store: m.Plan.Store, gen: a.store.gen, order: m.Plan.Order, plan: &m.Plan}
	a.changes.waiting = slices.Insert(a.changes.waiting, 0, s)
	return a.proceed()
}

// proceed starts the next change unless one is running. An order waits while a dialog asks about
// another one.
func (a *App) proceed() tea.Cmd {
	c := &a.changes
	if c.busy {
		return nil
	}
	switch idle := len(c.waiting) == 0 || c.waiting[0].plan == nil && a.planned() != nil; {
	case idle && c.quitting:
		return tea.Quit
	case idle:
		return nil
	}
	s := c.waiting[0]
	c.waiting = c.waiting[1:]
	if s.plan != nil {
		return a.apply(s, *s.plan)
	}
	ctx, curator := a.ctx, a.cfg.Curator
	return tea.Batch(c.remind("Planning the change"), func() tea.Msg {
		p, err := curator.Plan(ctx, s.store, s.order)
		return rootFunc(func(a *App) tea.Cmd { return a.onPlanned(s, p, err) })
	})
}

// toDialog passes input to the top dialog.
func (a *App) toDialog(m tea.Msg) tea.Cmd {
	if a.tooSmall() {
		return nil // the dialog is not visible
	}
	asked := a.planned()
	cmd := a.stack.update(m)
	if asked == nil || asked == a.planned() || len(a.changes.waiting) == 0 {
		return cmd
	}
	// Waiting orders continue after the message with which the dialog closed.
	return tea.Sequence(cmd, msg.Emit(rootFunc((*App).proceed)))
}

func (a *App) apply(s pendingChange, p memory.Plan) tea.Cmd {
	a.changes.began, a.changes.ended = a.cfg.Now(), time.Time{}
	ctx, curator := a.ctx, a.cfg.Curator
	return tea.Batch(a.changes.remind("Saving"), func() tea.Msg {
		r, err := curator.Apply(ctx, p)
		return rootFunc(func(a *App) tea.Cmd { return a.onApplied(s, p, r, err) })
	})
}

// onPlanned applies a plan, or opens the dialog that asks about it first.
func (a *App) onPlanned(s pendingChange, p memory.Plan, err error) tea.Cmd {
	a.ended()
	var cmd tea.Cmd
	switch {
	case s.gen != a.store.gen:
		cmd = a.fail(msg.Failed{Op: string(s.order.Do), Err: errOtherStore})
	case err != nil:
		cmd = a.onRefused(s, err)
	case len(p.Findings) > 0:
		cmd = a.push(newFindings(a.cfg.Keys, p, typedIn(s.order)))
	case doesNothing(p):
		cmd = a.say(unchangedText(p))
	case p.Asks != "" && !p.Order.Anyway:
		cmd = a.push(newConfirm(a.cfg.Keys, p, a.warning(), s.ask || a.mustAsk(p)))
	case s.ask || a.mustAsk(p):
		cmd = a.push(newConfirm(a.cfg.Keys, p, a.warning(), false))
	default:
		return a.apply(s, p)
	}
	return tea.Batch(cmd, a.proceed())
}

var errOtherStore = errors.New("another store was opened first; nothing was changed")

// mustAsk reports whether a plan must be confirmed before it is applied: it changes more than one
// record or a pinned one, or cannot be undone. Undo, redo and the guard's decisions are only
// confirmed if they cannot be undone, and unpinning if it concerns more than one record.
func (a *App) mustAsk(p memory.Plan) bool {
	switch p.Order.Do {
	case memory.Undo, memory.Redo, memory.Reapply, memory.Accept, memory.Trust:
		return p.Final
	case memory.Unpin:
		return len(p.Changes) > 1
	}
	several := p.Order.Do == memory.Delete && slices.ContainsFunc(p.Changes, a.standsForSeveral)
	return several || p.Final || p.Asked() > 1 || slices.ContainsFunc(p.Changes, a.isPinned)
}

// standsForSeveral reports whether the row of a change stands for more than one record: it is an index of
// others, or they share its id.
func (a *App) standsForSeveral(c memory.Change) bool {
	same := 0
	for i := range a.store.snap.Records {
		r := &a.store.snap.Records[i]
		if r.ID != c.ID || c.Companion {
			continue
		}
		if same++; same > 1 || r.Kind == "index" {
			return true
		}
	}
	return false
}

func (a *App) isPinned(c memory.Change) bool {
	r := a.recordOf(c.ID)
	return c.Record.Flags&memory.FlagPinned != 0 || r != nil && r.Flags&memory.FlagPinned != 0
}

// recordOf returns a record of the open store as shown, or nil.
func (a *App) recordOf(id memory.ID) *memory.Record {
	records := a.store.snap.Records
	i := slices.IndexFunc(records, func(r memory.Record) bool { return r.ID == id })
	if i < 0 {
		return nil
	}
	return &records[i]
}

// saving reports whether a change is running, here or in a page.
func (a *App) saving() bool { return a.changes.busy || a.changes.paged }

// notePages notes when pages save changes of their own, so that writes in that time count as ours.
func (a *App) notePages() {
	c := &a.changes
	paged := slices.ContainsFunc(a.pages, func(p page.Page) bool {
		s, ok := p.(page.Saver)
		return ok && s.Saving()
	})
	switch {
	case paged && !c.paged:
		c.began, c.ended = a.cfg.Now(), time.Time{}
	case c.paged && !paged:
		c.ended = a.cfg.Now()
	}
	c.paged = paged
}

// quit ends the program once the running change is done. A second call ends it at once.
func (a *App) quit() tea.Cmd {
	if !a.saving() || a.changes.quitting {
		return tea.Quit
	}
	a.changes.quitting = true
	return a.say("A change is being saved; " + a.keys.Abort.Help().Key + " again quits now")
}
