package curate

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/curate/history"
	"winnow/core/memory"
)

// past is a record as it was earlier: its stored form, or empty when it was not
// there, and its place.
type past struct {
	form   string
	line   int
	behind memory.ID
	spot   *memory.Spot
}

func pastOf(ch *memory.Change, form string) past {
	return past{form, ch.Line, ch.Behind, ch.Spot}
}

// restore plans the way back to the store, or to the records of an order, as it was
// right after an entry. It folds backwards what was changed since, by anybody.
func (c *Curator) restore(ctx context.Context, o memory.Order) (memory.Plan, error) {
	events, err := c.changed(o.Entry)
	if err != nil {
		return memory.Plan{}, err
	}
	snap, err := c.look(ctx)
	if err != nil {
		return memory.Plan{}, err
	}
	standing := map[memory.ID]*memory.Record{}
	for i := range snap.Records {
		standing[snap.Records[i].ID] = &snap.Records[i]
	}
	var was map[memory.ID]past
	var order []memory.ID
	if len(o.IDs) > 0 {
		order = o.IDs
		was, err = single(events, o, standing)
	} else {
		was, order = whole(events, o.Entry)
	}
	if err != nil {
		return memory.Plan{}, err
	}
	p := memory.Plan{Changes: back(was, order, standing)}
	affirmed, err := c.affirmed(snap.Records, unchanged(was, standing))
	if err != nil {
		return memory.Plan{}, err
	}
	p.Changes = append(p.Changes, affirmed...)
	p.What = c.restored(p.Changes)
	if n := omitted(events, o); n > 0 {
		p.Notes = append(p.Notes, fmt.Sprintf("The history left out %s that others changed: too large to be kept.", c.records(n)))
	}
	return p, nil
}

// changed returns the events that changed records, oldest first, from the entry on;
// from the first one that is kept when there is none.
func (c *Curator) changed(id memory.EntryID) ([]history.Event, error) {
	st := c.file.State
	var from *history.Item
	if id != "" {
		if from = st.Item(id); from == nil {
			return nil, fmt.Errorf("restore entry %s: %w", id, memory.ErrNotFound)
		}
	}
	events, err := c.file.Events(from)
	if err != nil {
		return nil, c.noHistory("read", err)
	}
	return settled(events, st), nil
}

// settled returns the events that made entries, each once and as it was made.
func settled(events []history.Event, st *history.State) []history.Event {
	at := map[memory.EntryID]int{}
	var made []history.Event
	for _, e := range events {
		switch e.Kind {
		case history.Begin, history.Did, history.Others, history.Decided:
		default:
			continue
		}
		if st.Item(e.ID) == nil {
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

// whole returns how the records that were changed after an entry were right after
// it, in the order in which they are put back.
func whole(events []history.Event, entry memory.EntryID) (map[memory.ID]past, []memory.ID) {
	was := map[memory.ID]past{}
	var order []memory.ID
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

// single returns how the records of an order were in an entry: as it left them, or
// as they were before when it removed them. Without an entry it is the newest form
// that differs from what stands.
func single(events []history.Event, o memory.Order, standing map[memory.ID]*memory.Record) (map[memory.ID]past, error) {
	was := map[memory.ID]past{}
	for _, id := range o.IDs {
		now := ""
		if r := standing[id]; r != nil {
			now = r.Raw
		}
		found, ok := past{}, false
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

// formAt returns the form of a record in the first of the events, or right after it:
// that from which the next change of it began.
func formAt(events []history.Event, id memory.ID) (past, bool) {
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
	return past{}, false
}

// formBefore returns the newest form of a record that is not now.
func formBefore(events []history.Event, id memory.ID, now string) (past, bool) {
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
	return past{}, false
}

// back returns the changes from what stands to what was.
func back(was map[memory.ID]past, order []memory.ID, standing map[memory.ID]*memory.Record) []memory.Change {
	var changes []memory.Change
	for _, id := range order {
		p, known := was[id]
		r := standing[id]
		switch {
		case !known:
		case r == nil && p.form != "":
			changes = append(changes, memory.Change{Do: memory.Adding, ID: id, After: p.form, Line: p.line, Behind: p.behind, Spot: p.spot})
		case r != nil && p.form == "":
			changes = append(changes, memory.Change{Do: memory.Deleting, ID: id, Before: r.Raw, Line: r.Line, Record: *r})
		case r != nil && r.Raw != p.form:
			changes = append(changes, memory.Change{Do: memory.Editing, ID: id, Before: r.Raw, After: p.form, Line: r.Line, Record: *r})
		}
	}
	return changes
}

// unchanged returns the records that are as they were.
func unchanged(was map[memory.ID]past, standing map[memory.ID]*memory.Record) (ids []memory.ID) {
	for id, p := range was {
		if r := standing[id]; r != nil && r.Raw == p.form {
			ids = append(ids, id)
		}
	}
	return ids
}

// restored says what a restore did.
func (c *Curator) restored(changes []memory.Change) string {
	if len(changes) == 0 {
		return "Nothing to restore"
	}
	return "Restored " + c.records(len(changes))
}

// omitted returns how many changes a restore lacks.
func omitted(events []history.Event, o memory.Order) (n int) {
	for _, e := range events {
		if o.Entry != "" && e.ID != o.Entry {
			n += e.Omitted
		}
	}
	return n
}
