package curate

import (
	"context"
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"

	"winnow/core/curate/plan"
	"winnow/core/memory"
	"winnow/core/system"
)

// Plan turns an order into a plan for the current store. It changes nothing. The error wraps
// memory.ErrNotFound for an unknown record or entry, and memory.ErrNothing if there is nothing to
// undo or redo.
func (c *Curator) Plan(ctx context.Context, o memory.Order) (p memory.Plan, err error) {
	for range planTries {
		if p, err = c.plan(ctx, o); !errors.Is(err, errMoved) {
			break
		}
	}
	return p, err
}

// planTries is the number of attempts when another Winnow rewrites the history meanwhile.
const planTries = 3

func (c *Curator) plan(ctx context.Context, o memory.Order) (p memory.Plan, _ error) {
	leave, err := c.recovered(ctx)
	if err != nil {
		return memory.Plan{}, err
	}
	defer leave()
	switch o.Do {
	case memory.Undo, memory.Redo:
		p, err = c.undo(o)
	case memory.Restore:
		p, err = c.restore(ctx, o)
	case memory.Reapply:
		p, err = c.reapply(ctx, o)
	case memory.Accept, memory.Trust:
		p, err = c.decide(ctx, o)
	default:
		p, err = c.planOrder(ctx, o)
	}
	if err != nil {
		return memory.Plan{}, err
	}
	if err := c.scrub(&p); err != nil {
		return memory.Plan{}, err
	}
	if p.Final {
		older, err := c.file.hasOlder()
		if err != nil {
			return memory.Plan{}, c.noHistory("read", err)
		}
		if older {
			p.Notes = append(p.Notes, "The history of an older Winnow is deleted with it: "+c.file.olderPath()+".")
		}
	}
	p.Store, p.Order = c.c.Store, o
	c.decode(p.Changes)
	c.flag(&p)
	p.Asks = c.whyConfirm(ctx, &p)
	return p, nil
}

// whyConfirm returns why a person should confirm before a plan is applied now, or "".
func (c *Curator) whyConfirm(ctx context.Context, p *memory.Plan) string {
	if c.info.Asks == nil || p.Order.Anyway {
		return ""
	}
	if stored, _ := splitPins(p.Changes); len(stored) == 0 {
		return ""
	}
	return c.info.Asks(ctx)
}

// flag marks the pinned records in a plan.
func (c *Curator) flag(p *memory.Plan) {
	pins := c.file.state.Pins
	if len(pins) == 0 {
		return
	}
	mark := func(id memory.ID, r *memory.Record) {
		if pins[id] && r.Raw != "" {
			r.Flags |= memory.FlagPinned
		}
	}
	for i := range p.Changes {
		ch := &p.Changes[i]
		mark(ch.ID, &ch.Record)
		mark(ch.ID, &ch.Edited)
	}
	for i := range p.Kept {
		mark(p.Kept[i].Record.ID, &p.Kept[i].Record)
	}
}

// planOrder makes the plans that need no history.
func (c *Curator) planOrder(ctx context.Context, o memory.Order) (memory.Plan, error) {
	if c.compose == (readOnlyComposer{}) {
		return memory.Plan{}, fmt.Errorf("change a store of %s: %w", c.c.System.Info().Name, memory.ErrReadOnly)
	}
	snap, err := c.readStore(ctx)
	if err != nil {
		return memory.Plan{}, err
	}
	if o.Do == memory.Prune && c.c.Complete != nil {
		snap = c.c.Complete(ctx, snap)
	}
	pins := c.file.state.Pins
	v := plan.View{
		Records: snap.Records, Held: snap.Held, Cap: snap.Cap,
		Pinned: func(id memory.ID) bool { return pins[id] }, Compose: c.compose, Now: c.c.Now(),
		Info: c.info,
	}
	if r, ok := c.c.System.(system.Recaller); ok {
		v.Recall = func(t memory.Task) (memory.Recall, error) { return r.Recall(ctx, t) }
	}
	p, err := plan.Make(o, v)
	if err == nil && o.Do == memory.EditOne && len(p.Changes) == 0 {
		if p.Changes, err = c.affirm(snap.Records, o.IDs); len(p.Changes) > 0 {
			p.What = "Kept " + c.records(len(p.Changes)) + " as the other writer left it"
		}
	}
	countTwins(p.Changes, snap.Records)
	return p, err
}

// countTwins sets for each deletion how many records like it stay.
func countTwins(changes []memory.Change, records []memory.Record) {
	deleted := map[memory.ID]bool{}
	like := map[string][]*memory.Record{}
	for i := range changes {
		if ch := &changes[i]; ch.Do == memory.Deleting {
			deleted[ch.ID] = true
			like[recordKey(ch.ID, ch.Before)] = nil
		}
	}
	if len(deleted) == 0 {
		return
	}
	for i := range records {
		r := &records[i]
		k := recordKey(r.ID, r.Raw)
		if of, asked := like[k]; asked && !deleted[r.ID] {
			like[k] = append(of, r)
		}
	}
	for i := range changes {
		ch := &changes[i]
		if ch.Do != memory.Deleting {
			continue
		}
		for _, r := range like[recordKey(ch.ID, ch.Before)] {
			if sameButCounts(&ch.Record, r) {
				ch.Twins++
			}
		}
	}
}

// readStore reads the whole store.
func (c *Curator) readStore(ctx context.Context) (memory.Snapshot, error) {
	snap, err := system.Read(ctx, c.c.System, func(memory.Snapshot) {})
	if p := snap.Problem; err == nil && p != nil && p.Code != "missing" && p.Code != "empty" {
		err = p
	}
	return snap, err
}

// decode fills in the decoded records of changes.
func (c *Curator) decode(changes []memory.Change) {
	for i := range changes {
		ch := &changes[i]
		stored := ch.Before
		if ch.Do == memory.Adding {
			stored = ch.After
		}
		if ch.Record.Raw == "" && stored != "" {
			ch.Record = c.compose.Decode(stored)
			ch.Record.ID, ch.Record.Line = ch.ID, ch.Line
		}
		if ch.Do == memory.Editing && ch.Edited.Raw == "" {
			ch.Edited = c.compose.Decode(ch.After)
			ch.Edited.ID, ch.Edited.Line = ch.ID, ch.Line
		}
	}
}

// lowerFirst returns a sentence with a lower-case first letter, for use after a colon.
func lowerFirst(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToLower(r)) + s[n:]
}

// records returns a number of records in words.
func (c *Curator) records(n int) string { return c.info.Noun.Count(n) }
