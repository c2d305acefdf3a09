package learn

import (
	"context"
	"fmt"
	"slices"
	"time"

	"winnow/core/memory"
)

// MostShared is how many lessons of one share wait at a time. The rest stays in the share until
// some of these are decided.
const MostShared = 100

// saysTheSame reports whether two proposals have the same words and tools.
func saysTheSame(a, b *Waiting) bool { return a.Words() == b.Words() && slices.Equal(a.Tools, b.Tools) }

// parted returns what waits and is of a kind, and the rest, both in their order.
func parted(all []Waiting, is func(*Waiting) bool) (those, rest []Waiting) {
	for _, w := range all {
		if is(&w) {
			those = append(those, w)
		} else {
			rest = append(rest, w)
		}
	}
	return those, rest
}

// Share puts what a share sends into the quarantine: all of ps, which must have passed
// [Proposal.Clean]. They replace everything that waited for the store before; a lesson that already
// waited with the same words keeps its ID. Share returns the number that wait, which is less than
// len(ps) if there is no room.
func (q *Quarantine) Share(
	ctx context.Context,
	now time.Time,
	store memory.StoreID,
	ps []Proposal,
) (waiting int, err error) {
	of := func(w *Waiting) bool { return w.Origin.Door == memory.DoorShare && w.Origin.Store == store }
	box, err := q.Look()
	if err != nil || len(ps) == 0 && !slices.ContainsFunc(box.Waiting, func(w Waiting) bool { return of(&w) }) {
		return 0, err
	}
	box, leave, err := q.Enter(ctx, now)
	if err != nil {
		return 0, err
	}
	defer leave()
	before, kept := parted(box.Waiting, func(w *Waiting) bool { return of(w) && w.Mark == nil })
	box.Waiting = kept
	for i := range ps[:max(min(len(ps), MostShared, MostWaiting-len(kept)), 0)] {
		w := Waiting{Proposal: ps[i]}
		// other stores have files of that name too
		same := func(o Waiting) bool { return o.LessonID == w.LessonID && o.Origin.Store == store }
		if slices.ContainsFunc(kept, same) {
			continue // it is being approved
		}
		at := slices.IndexFunc(before, same)
		if at >= 0 && saysTheSame(&before[at], &w) {
			was := &before[at]
			w.ID, w.Arrived, w.Later, w.Origin = was.ID, was.Arrived, was.Later, was.Origin
		} else if w.ID, err = box.newID(); err != nil {
			return 0, err
		}
		box.Waiting = append(box.Waiting, w)
		waiting++
	}
	if err := box.Save(); err != nil {
		return 0, fmt.Errorf("put lessons of the share into the inbox: %w", err)
	}
	return waiting, nil
}
