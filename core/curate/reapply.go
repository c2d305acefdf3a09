package curate

import (
	"context"
	"fmt"
	"slices"

	"winnow/core/memory"
)

// reapply plans to do again what another writer undid: of the records of an order,
// or of all. All leaves out what a person has to decide about, and what the agent's
// own rules did to records that are not pinned.
func (c *Curator) reapply(ctx context.Context, o memory.Order) (memory.Plan, error) {
	undone, records, err := c.chosen(ctx, o)
	if err != nil {
		return memory.Plan{}, err
	}
	st := c.file.State
	j := judge{curator: c, records: records}
	s, err := c.scrubbed()
	if err != nil {
		return memory.Plan{}, err
	}
	var p memory.Plan
	for _, u := range undone {
		promise := st.Promises[u.ID]
		switch u.Kind {
		case memory.CannotTell:
		case memory.SecretBack:
			p.Changes, p.Final = append(p.Changes, j.redactedAgain(s, promise, &u)), true
		case memory.CameBack:
			p.Changes = append(p.Changes, memory.Change{Do: memory.Deleting, ID: u.Record.ID, Before: u.Theirs, Line: u.Record.Line, Record: u.Record})
		case memory.Reverted, memory.Conflict:
			merged, _ := j.reconcile(promise, &u.Record)
			p.Changes = append(p.Changes, memory.Change{Do: memory.Editing, ID: u.ID, Before: u.Theirs, After: merged, Line: u.Record.Line, Record: u.Record})
		default:
			p.Changes = append(p.Changes, memory.Change{Do: memory.Adding, ID: u.ID, After: u.Mine, Line: promise.Line, Behind: promise.Behind})
		}
	}
	p.Changes = slices.DeleteFunc(p.Changes, func(ch memory.Change) bool { return ch.Before == ch.After })
	p.What = "Nothing to do again"
	if n := len(p.Changes); n > 0 && p.Final {
		p.What = "Redacted again what another writer brought back: " + c.records(n)
	} else if n == 1 {
		p.What = "Did again: " + p.Changes[0].Do.String() + " " + c.records(1)
	} else if n > 1 {
		p.What = fmt.Sprintf("Did again %d changes that another writer undid", n)
	}
	return p, nil
}

// affirmed returns the changes that make what another writer made of records the
// person's own word, where the guard would undo it. They change no byte of the store.
func (c *Curator) affirmed(records []memory.Record, ids []memory.ID) (changes []memory.Change, err error) {
	undone, _, err := c.compare(records)
	for _, u := range undone {
		if !slices.Contains(ids, u.ID) {
			continue
		}
		switch u.Kind {
		case memory.CameBack:
			changes = append(changes, memory.Change{Do: memory.Adding, ID: u.ID, After: u.Theirs, Line: u.Record.Line})
		case memory.Reverted, memory.Conflict:
			changes = append(changes, memory.Change{Do: memory.Editing, ID: u.ID, Before: u.Mine, After: u.Theirs, Line: u.Record.Line})
		}
	}
	return changes, err
}

// chosen returns what is undone of what an order names, and the records of the store.
func (c *Curator) chosen(ctx context.Context, o memory.Order) ([]memory.Undone, []memory.Record, error) {
	snap, err := c.look(ctx)
	if err != nil {
		return nil, nil, err
	}
	all, _, err := c.compare(snap.Records)
	if err != nil {
		return nil, nil, err
	}
	undone := slices.DeleteFunc(all, func(u memory.Undone) bool {
		if slices.Contains(o.IDs, u.ID) {
			return false
		}
		own := u.Kind.ByRule() && !c.file.State.Pins[u.ID] || u.Kind == memory.CannotTell
		return !o.All || o.Do == memory.Reapply && (own || u.Kind == memory.Conflict)
	})
	return undone, snap.Records, nil
}

// decide plans a lasting decision: to accept what the other writer made, or to repeat the
// person's changes from now on without asking.
func (c *Curator) decide(ctx context.Context, o memory.Order) (memory.Plan, error) {
	p := memory.Plan{Decided: map[memory.ID]memory.Decision{}}
	if o.Do == memory.Trust {
		for _, id := range o.IDs {
			p.Decided[id] = memory.TrustLesson
		}
		p.What = "Will do again from now on: changes of " + c.records(len(o.IDs))
		if o.All {
			p.Decided[""] = memory.TrustStore
			p.What = "Will do again from now on what another writer undoes in this store"
		}
		return p, nil
	}
	undone, _, err := c.chosen(ctx, o)
	if err != nil {
		return memory.Plan{}, err
	}
	for _, u := range undone {
		p.Decided[u.ID] = memory.Accepted
	}
	for _, id := range o.IDs {
		p.Decided[id] = memory.Accepted
	}
	p.What = "Accepted what another writer made of " + c.records(len(p.Decided))
	if o.All {
		p.Decided[""] = memory.Accepted
	}
	return p, nil
}
