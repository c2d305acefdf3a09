package curate

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/memory"
	"winnow/core/system"
)

// undo plans the inverse of an entry, or of an undo.
func (c *Curator) undo(o memory.Order) (memory.Plan, error) {
	st := c.file.state
	step, redo, ok := next(st, o)
	by := st.item(step.By)
	if !ok || by == nil {
		if o.Entry != "" && st.item(o.Entry) == nil {
			return memory.Plan{}, fmt.Errorf("%s %s: %w", o.Do, o.Entry, memory.ErrNotFound)
		}
		return memory.Plan{}, memory.ErrNothing
	}
	e, err := c.file.event(by)
	if err != nil {
		return memory.Plan{}, c.noHistory("read", err)
	}
	p := memory.Plan{Changes: inverse(e.Changes), Undoes: step.Name}
	if e.Splices != nil && len(e.Splices.Parts) > 0 {
		p.Exact = e.Splices
	}
	if len(o.IDs) > 0 {
		p.Changes, p.Exact = c.onlyOrdered(p.Changes, o), nil
	}
	if by.Do == memory.Reapply && c.keepCounts(p.Changes) {
		p.Exact = nil
	}
	word := "Undid: "
	if redo {
		p.Undoes, p.Redoes, word = "", step.Name, "Redid: "
	}
	what := by.What
	if named := st.item(step.Name); named != nil {
		what = named.What
	}
	p.What = word + lowerFirst(what)
	return p, nil
}

// keepCounts keeps the counts and dates of edits from going down, and reports whether they would
// have. A reapply merges what agents counted, which no person set, so undoing the reapply must not
// lower it.
func (c *Curator) keepCounts(changes []memory.Change) (kept bool) {
	for i := range changes {
		ch := &changes[i]
		if ch.Do != memory.Editing {
			continue
		}
		after, relation := c.compose.Reconcile(memory.Forms{{Before: ch.Before, After: ch.Before}}, ch.After)
		if relation == system.Kept && after != ch.After {
			ch.After, kept = after, true
		}
	}
	return kept
}

// onlyOrdered returns the changes of the records that an order names. If the order has a Base for a
// record, which is what a person saw and decided about, the change is made from that form; an empty
// Base means that the record was removed.
func (c *Curator) onlyOrdered(changes []memory.Change, o memory.Order) (some []memory.Change) {
	for _, ch := range changes {
		i := slices.Index(o.IDs, ch.ID)
		if i < 0 {
			continue
		}
		if i < len(o.Base) && ch.Do <= memory.Adding {
			ch = c.rebased(ch, o.Base[i])
		}
		some = append(some, ch)
	}
	return some
}

// rebased returns a change as it applies to the current form. Other writers' changes to members
// that it does not concern stay.
func (c *Curator) rebased(ch memory.Change, current string) memory.Change {
	switch {
	case ch.Do == memory.Editing && current == "":
		ch.Do, ch.Before = memory.Adding, ""
	case ch.Do == memory.Adding && current != "":
		ch.Do, ch.Before, ch.Behind, ch.Position = memory.Editing, current, "", nil
	case ch.Do == memory.Editing && current != ch.Before:
		ch.After, _ = c.compose.Reconcile(memory.Forms{{Before: ch.Before, After: ch.After}}, current)
		ch.Before = current
	case ch.Do == memory.Deleting && current != "":
		ch.Before = current
	}
	return ch
}

// next returns the step that an order names, or the newest one. Undoing an undo is a redo.
func next(st *historyState, o memory.Order) (s undoStep, redo, ok bool) {
	redo = o.Do == memory.Redo
	stack := st.Undo
	if redo {
		stack = st.Redo
	}
	for _, s := range slices.Backward(stack) {
		if o.Entry == "" || s.Name == o.Entry || s.By == o.Entry {
			return s, redo, true
		}
	}
	i := slices.IndexFunc(st.Redo, func(s undoStep) bool { return s.By == o.Entry })
	if o.Entry == "" || i < 0 {
		return s, redo, false
	}
	return st.Redo[i], true, true
}

// inverse returns the changes that undo the given ones, in reverse order.
func inverse(changes []memory.Change) []memory.Change {
	all := make([]memory.Change, 0, len(changes))
	for i := len(changes) - 1; i >= 0; i-- {
		ch := changes[i]
		ch.Why = ""
		switch ch.Do {
		case memory.Deleting:
			ch.Do, ch.Before, ch.After = memory.Adding, "", ch.Before
		case memory.Adding:
			ch.Do, ch.Before, ch.After, ch.Behind, ch.Position = memory.Deleting, ch.After, "", "", nil
		case memory.Editing:
			ch.Before, ch.After = ch.After, ch.Before
		case memory.Pinning:
			ch.Do = memory.Unpinning
		case memory.Unpinning:
			ch.Do = memory.Pinning
		}
		all = append(all, ch)
	}
	return all
}

// earlierState is an earlier state of a record: its stored form, or "" if it did not exist, and its place.
type earlierState struct {
	form     string
	line     int
	behind   memory.ID
	position *memory.Position
}

func pastOf(ch *memory.Change, form string) earlierState {
	return earlierState{form, ch.Line, ch.Behind, ch.Position}
}

// restore plans the way back to the state right after an entry, for the store or for the records of
// an order. It undoes what anybody changed since, newest first.
func (c *Curator) restore(ctx context.Context, o memory.Order) (memory.Plan, error) {
	events, err := c.changed(o.Entry)
	if err != nil {
		return memory.Plan{}, err
	}
	snap, err := c.readStore(ctx)
	if err != nil {
		return memory.Plan{}, err
	}
	standing := map[memory.ID]*memory.Record{}
	for i := range snap.Records {
		standing[snap.Records[i].ID] = &snap.Records[i]
	}
	var was map[memory.ID]earlierState
	var order []memory.ID
	if len(o.IDs) > 0 {
		order = o.IDs
		was, err = statesOf(events, o, standing)
	} else {
		was, order = stateAfter(events, o.Entry)
	}
	if err != nil {
		return memory.Plan{}, err
	}
	changes, same := changesBack(was, order, standing)
	affirmed, err := c.affirm(snap.Records, same)
	if err != nil {
		return memory.Plan{}, err
	}
	p := memory.Plan{Changes: append(changes, affirmed...), What: "Nothing to restore"}
	if n := len(p.Changes); n > 0 {
		p.What = "Restored " + c.records(n)
	}
	if n := countOmitted(events, o); n > 0 {
		p.Notes = append(
			p.Notes,
			fmt.Sprintf("The history lacks %s that others changed: too large to keep.", c.records(n)),
		)
	}
	return p, nil
}

// changed returns the events that changed records, oldest first, starting at the entry, or at the
// oldest one kept if id is empty.
func (c *Curator) changed(id memory.EntryID) ([]event, error) {
	st := c.file.state
	var from *historyItem
	if id != "" {
		if from = st.item(id); from == nil {
			return nil, fmt.Errorf("restore entry %s: %w", id, memory.ErrNotFound)
		}
	}
	events, err := c.file.events(from)
	if err != nil {
		return nil, c.noHistory("read", err)
	}
	return madeEntries(events, st), nil
}

// madeEntries returns the event of each entry once, in the form that was applied.
func madeEntries(events []event, st *historyState) (made []event) {
	at := map[memory.EntryID]int{}
	for _, e := range events {
		switch e.Kind {
		case kindBegin, kindDid, kindOthers, kindDecided:
		default:
			continue
		}
		if st.item(e.ID) == nil {
			continue
		}
		if i, again := at[e.ID]; again {
			made[i] = e
			continue
		}
		at[e.ID] = len(made)
		made = append(made, e)
	}
	return made
}

// stateAfter returns the state right after an entry of the records that were changed later, and the
// order in which to restore them.
func stateAfter(events []event, entry memory.EntryID) (_ map[memory.ID]earlierState, order []memory.ID) {
	was := map[memory.ID]earlierState{}
	for _, e := range slices.Backward(events) {
		if e.ID == entry || entry == "" {
			break
		}
		for i := range e.Changes {
			ch := &e.Changes[i]
			if ch.Do > memory.Adding {
				continue
			}
			if _, known := was[ch.ID]; !known {
				order = append(order, ch.ID)
			}
			was[ch.ID] = pastOf(ch, ch.Before)
		}
	}
	return was, order
}

// statesOf returns the state of an order's records in an entry: as the entry left them, or as they
// were before it removed them. Without an entry, it is the newest form that differs from the
// current one.
func statesOf(
	events []event,
	o memory.Order,
	standing map[memory.ID]*memory.Record,
) (map[memory.ID]earlierState, error) {
	was := map[memory.ID]earlierState{}
	for _, id := range o.IDs {
		now := ""
		if r := standing[id]; r != nil {
			now = r.Raw
		}
		found, ok := earlierState{}, false
		if o.Entry != "" {
			found, ok = formAt(events, id)
		} else {
			found, ok = formBefore(events, id, now)
		}
		if !ok && now == "" {
			return nil, fmt.Errorf("restore %s: %w in the history", id, memory.ErrNotFound)
		}
		if ok {
			was[id] = found
		}
	}
	return was, nil
}

// formAt returns the form of a record in the first event, or right after it: the form from which
// its next change started.
func formAt(events []event, id memory.ID) (earlierState, bool) {
	for i := range events {
		for j := range events[i].Changes {
			ch := &events[i].Changes[j]
			if ch.ID != id || ch.Do > memory.Adding {
				continue
			}
			if i == 0 && ch.After != "" {
				return pastOf(ch, ch.After), true
			}
			if ch.Before != "" {
				return pastOf(ch, ch.Before), true
			}
		}
	}
	return earlierState{}, false
}

// formBefore returns the newest form of a record that differs from now.
func formBefore(events []event, id memory.ID, now string) (earlierState, bool) {
	for _, e := range slices.Backward(events) {
		for i := range e.Changes {
			ch := &e.Changes[i]
			if ch.ID != id || ch.Do > memory.Adding {
				continue
			}
			for _, form := range []string{ch.After, ch.Before} {
				if form != "" && form != now {
					return pastOf(ch, form), true
				}
			}
		}
	}
	return earlierState{}, false
}

// changesBack returns the changes from the current state to the past one, and the records that need
// none.
func changesBack(
	was map[memory.ID]earlierState,
	order []memory.ID,
	standing map[memory.ID]*memory.Record,
) (changes []memory.Change, same []memory.ID) {
	for _, id := range order {
		p, known := was[id]
		r := standing[id]
		switch {
		case !known:
		case r == nil && p.form != "":
			changes = append(
				changes,
				memory.Change{
					Do:       memory.Adding,
					ID:       id,
					After:    p.form,
					Line:     p.line,
					Behind:   p.behind,
					Position: p.position,
				},
			)
		case r != nil && p.form == "":
			changes = append(
				changes,
				memory.Change{Do: memory.Deleting, ID: id, Before: r.Raw, Line: r.Line, Record: *r},
			)
		case r != nil && r.Raw != p.form:
			changes = append(
				changes,
				memory.Change{Do: memory.Editing, ID: id, Before: r.Raw, After: p.form, Line: r.Line, Record: *r},
			)
		case r != nil:
			same = append(same, id)
		}
	}
	return changes, same
}

// countOmitted returns the number of changes that a restore lacks.
func countOmitted(events []event, o memory.Order) (n int) {
	for _, e := range events {
		if o.Entry != "" && e.ID != o.Entry {
			n += e.Omitted
		}
	}
	return n
}
