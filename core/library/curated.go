package library

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"winnow/core/curate"
	"winnow/core/memory"
	"winnow/core/system"
)

// curated returns a snapshot with what Winnow knows about the store: pins, and the changes that another
// writer undid. It also adds to the history what others changed since the last snapshot, and reapplies
// changes that a person chose to reapply. Only the reads of f call it, one at a time.
func (f *follow) curated(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
	snap.ReadOnly = cmp.Or(snap.ReadOnly, f.lib.whyReadOnly(f.sys))
	snap.Health = append(slices.Clip(snap.Health), f.lib.shareHealth(f.id, snap.ModTime)...)
	c, err := f.lib.curator(f.id)
	if err != nil {
		return snap
	}
	unfinished := c.Recover(ctx)
	if !isComplete(&snap) {
		f.lastRecords = nil
		return pinned(ctx, snap, c)
	}
	records := snap.Records
	if f.lastRecords != nil {
		err = c.Watched(ctx, *f.lastRecords, records)
	}
	f.lastRecords = &records
	again, undone, guardErr := c.GuardReapply(ctx, records)
	f.doneAgain += countDone(again)
	snap.Undone, snap.Reapplied = undone, f.doneAgain
	if err = errors.Join(unfinished, err, guardErr); err != nil && ctx.Err() == nil {
		snap.Health = append(slices.Clip(snap.Health), historyHealth(err))
	}
	return pinned(ctx, snap, c)
}

// countDone counts the changes that were made.
func countDone(r memory.Result) (n int) {
	for _, c := range r.Changes {
		if c.Fate == memory.Done || c.Fate == memory.Merged {
			n++
		}
	}
	return n
}

// isComplete reports whether the snapshot has all records of its store. A missing or empty store has none.
func isComplete(s *memory.Snapshot) bool {
	if s.Problem != nil {
		return s.Problem.Code == "empty" || s.Problem.Code == "missing"
	}
	return len(s.Records) == s.Total
}

// pinned flags the records that are pinned.
func pinned(ctx context.Context, snap memory.Snapshot, c *curate.Curator) memory.Snapshot {
	ids, err := c.Pinned(ctx)
	if err != nil || len(ids) == 0 {
		return snap
	}
	return annotated(snap, func(_ int, r *memory.Record) bool {
		r.Flags |= memory.FlagPinned
		return ids[r.ID]
	})
}

// annotated returns a snapshot with note applied to each record; note reports whether it changed the
// record. The records of snap are not modified, because readers of earlier snapshots share them. If
// nothing changed, the result shares them too.
func annotated(snap memory.Snapshot, note func(i int, r *memory.Record) bool) memory.Snapshot {
	var r memory.Record
	cloned := false
	for i := range snap.Records {
		r = snap.Records[i]
		if !note(i, &r) {
			continue
		}
		if !cloned {
			snap.Records, cloned = slices.Clone(snap.Records), true
		}
		snap.Records[i] = r
	}
	return snap
}

// addsTo reports whether a curated snapshot has more than the bare one.
func addsTo(s, bare *memory.Snapshot) bool {
	pins := len(s.Records) > 0 && &s.Records[0] != &bare.Records[0]
	return pins || s.ReadOnly != "" || len(s.Undone) > 0 || s.Reapplied > 0 || len(s.Health) != len(bare.Health)
}

// mostSimilar is how many records of a snapshot are compared, from the first. That is more than any agent
// holds, and few enough to compare while a person waits.
const mostSimilar = 2000

// withSimilar returns the snapshot with each record naming the similar ones.
func withSimilar(snap memory.Snapshot, s system.Store) memory.Snapshot {
	similar := s.Info().Similar
	if similar == nil {
		return snap
	}
	records := snap.Records[:min(len(snap.Records), mostSimilar)]
	others := similar(records)
	return annotated(snap, func(i int, r *memory.Record) bool {
		if i >= len(others) || len(others[i]) == 0 {
			return false
		}
		r.Flags |= memory.FlagSimilar
		for _, o := range others[i] {
			r.Similar = append(r.Similar, records[o].ID)
		}
		return true
	})
}

// whyReadOnly says why a store cannot be changed; "" if it can.
func (l *Library) whyReadOnly(s system.Store) string {
	if l.readOnly {
		return "Winnow was started with --readonly."
	}
	w, ok := s.(system.Writer)
	if !ok {
		return s.Info().Name + " stores can only be looked at."
	}
	err := w.CanWrite()
	if err == nil {
		return ""
	}
	p := problemOf(err)
	return p.What + system.Say(p.Hint != "", "; "+p.Hint)
}

// codeHistory is the code of the health line about Winnow's history of a store.
const codeHistory = "history"

func historyHealth(err error) memory.Health {
	h := memory.Health{
		Code: codeHistory, Level: memory.Warn, Count: 1,
		What: "the history of this store cannot be kept: " + err.Error(),
		Next: "make the folder of Winnow's state writable, or set XDG_STATE_HOME to one that is",
	}
	var p *memory.Problem
	if errors.As(err, &p) && p.Hint != "" {
		h.What, h.Next = p.What, p.Hint
	}
	return h
}
