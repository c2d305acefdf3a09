package inbox

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views/layout"
)

// Actions implements page.Page.
func (p *Page) Actions() page.Actions {
	k, a, v := p.cfg.Keys, p.cfg.Keys.Inbox, &p.view
	e, narrow := v.Chosen(), p.W < layout.SplitWidth
	none := cmp.Or(page.Unless(v.Ready, "the inbox has not been read yet"), page.Unless(e != nil, "nothing waits"))
	if e == nil {
		e = &memory.InboxEntry{}
	}
	fixed := cmp.Or(
		page.When(p.cfg.ReadOnly, "Winnow was started with --readonly"),
		none,
		page.Unless(len(p.chosen()) > 0, "it is being decided"),
	)
	marked, stored := len(v.Marked) > 0, e.Kind != memory.Proposal
	off := cmp.Or(
		fixed,
		page.When(
			e.Kind == memory.GoneRecord && !marked,
			"it is gone; "+a.Restore.Help().Key+" brings it back where its text is known",
		),
	)
	failing := e.Kind == memory.FailingCall && !marked
	approve, approves := off, p.decide(memory.InboxApprove)
	named := p.names(e, marked, "take theirs", "delete it", "keep it")
	if e.Kind == memory.DoubtedRecord && !marked {
		named = "still true"
	}
	if failing {
		approves, named = p.learnFailure, "make a lesson of it"
		off = cmp.Or(off, "it is no entry yet; "+a.Approve.Help().Key+" makes a lesson of it")
	}
	single := cmp.Or(off, page.When(marked && len(v.Marked) > 1, "several entries are marked; this is for one"))
	alone, sides := p.Alone(), p.changedOnBothSides()
	deleted := page.When(
		e.Deletes,
		"others deleted it: "+a.Approve.Help().Key+" deletes it here too, "+a.Reject.Help().Key+" keeps it",
	)
	single = cmp.Or(single, deleted)
	merge := page.Action{
		Binding: a.Merge,
		Off:     cmp.Or(single, page.Unless(len(e.Similar) > 0, "nothing similar is known")),
		Run:     p.decideOne(memory.InboxMerge),
	}
	if len(sides) > 0 {
		merge = page.Action{
			Binding: a.Merge,
			Off:     off,
			Run:     func() tea.Cmd { return msg.Emit(msg.Review{Sides: sides}) },
			Name:    "mine or theirs",
		}
	}
	actions := page.Actions{
		{
			Binding: a.Approve,
			Off:     approve,
			Run:     approves,
			Name:    named,
		},
		{
			Binding: a.Reject,
			Off:     off,
			Run:     p.decide(memory.InboxReject),
			Name:    p.names(e, marked, "keep mine", "keep it", "delete it"),
		},
		{
			Binding: a.Edit,
			Off:     cmp.Or(single, page.Unless(p.cfg.Editor != nil, "there is no editor here")),
			Run:     p.form,
			Name:    page.When(narrow || stored, "edit"),
		},
		{
			Binding: a.When,
			Off:     cmp.Or(single, page.When(stored, "it is in a store already: change it there")),
			Run:     p.when,
			Name:    "when",
		},
		{
			Binding: a.Pin,
			Off:     cmp.Or(off, page.When(!marked, deleted)),
			Run:     p.decide(memory.InboxPin),
			Name:    page.When(narrow || stored, "pin"),
		},
		{Binding: a.Later, Off: off, Run: p.decide(memory.InboxLater)},
		{
			Binding: a.Target,
			Off: cmp.Or(
				off,
				deleted,
				page.When(stored, "it is in a store already"),
				page.Unless(len(e.Targets) > 1, "there is no other store that it could go to"),
			),
			Run: p.pick,
		},
		{
			Binding: a.ApproveClean,
			Off:     cmp.Or(fixed, page.Unless(len(p.clean()) > 0, "something speaks against each entry")),
			Run:     p.approveClean,
			Name:    page.When(narrow, "all clean"),
		},
		{
			Binding: a.Restore,
			Off: cmp.Or(
				fixed,
				page.Unless(e.Kind == memory.GoneRecord, "only what is gone is restored"),
				page.Unless(e.Restorable, "its text is not in the history"),
			),
			Run: p.decideOne(memory.InboxRestore),
		},
		p.distilAction(),
		{Binding: a.Open, Off: cmp.Or(none, page.When(alone, "it is shown whole")), Run: page.Do(p.Full)},
		{
			Binding: a.List,
			Off:     cmp.Or(none, page.When(p.Both(), "the list is shown")),
			Run:     page.Do(p.Toggle),
			Name:    page.Unless(alone, "one at a time"),
		},
		{Binding: k.Select.Mark, Off: none, Run: page.Do(p.ToggleMark)},
		{Binding: k.Select.Range, Off: none, Run: page.Do(p.ToggleRange)},
		{Binding: k.Select.ExtendDown, Off: none, Run: page.Do(func() { p.Extend(+1) })},
		{Binding: k.Select.ExtendUp, Off: none, Run: page.Do(func() { p.Extend(-1) })},
		{
			Binding: keymap.As(k.Global.Back, "unmark"),
			Off:     page.Unless(marked || v.Range >= 0, "nothing is marked"),
			Run:     page.Do(func() { p.Unmark() }),
		},
	}
	at := 4
	if len(sides) > 0 {
		at = 0 // merging is what the person must decide, and a narrow footer only shows the first keys
	}
	return slices.Concat(
		slices.Insert(actions, at, merge),
		p.PaneActions(k.Global, none),
		page.Moves(k.Move, none, p.Step, p.Half()),
	)
}

// names returns what a key does with an entry that was changed on both sides of a share, that others deleted, or
// that is in a store. It is empty for any other, and when several are marked.
func (p *Page) names(e *memory.InboxEntry, marked bool, both, deleted, stored string) string {
	switch {
	case marked:
		return ""
	case e.Both:
		return both
	case e.Deletes:
		return deleted
	case e.Kind != memory.Proposal:
		return stored
	}
	return ""
}

// Instead implements page.Instead. On this page, undo and redo apply to inbox decisions.
func (p *Page) Instead() page.Actions {
	g := p.cfg.Keys.Global
	return page.Actions{
		{
			Binding: g.Undo,
			Off:     page.When(p.cfg.ReadOnly, "Winnow was started with --readonly"),
			Run:     func() tea.Cmd { return p.undoOrRedo(memory.InboxUndo) },
			Name:    "undo decision",
		},
		{
			Binding: g.Redo,
			Off:     page.When(p.cfg.ReadOnly, "Winnow was started with --readonly"),
			Run:     func() tea.Cmd { return p.undoOrRedo(memory.InboxRedo) },
			Name:    "redo decision",
		},
	}
}
