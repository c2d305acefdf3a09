package library

import (
	"strings"

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
	snap.ReadOnly = cmp.Or(snap.ReadOnly, f.lib.WhyReadOnly(f.sys))
	snap.Health = append(slices.Clip(snap.Health), f.lib.shareHealth(f.id, snap.ModTime)...)
	c, err := f.lib.Curator(f.id)
	if err != nil {
		return snap
	}
	unfinished := c.Unfinished(ctx)
	snap.Health = append(slices.Clip(snap.Health), olderHealth(ctx, c)...)
	if !isComplete(&snap) {
		f.lastRecords = nil
		return pinned(ctx, snap, c)
	}
	if unfinished != nil { // what others did cannot be told from the half that is made
		f.lastRecords = nil
		if ctx.Err() == nil {
			snap.Health = append(slices.Clip(snap.Health), historyHealth(unfinished))
		}
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
	if err = errors.Join(err, guardErr); err != nil && ctx.Err() == nil {
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

// withGone returns the snapshot with the records marked that name what the project no longer has, as far as
// [Library.Home] found it when it last asked git, in this program or an earlier one. A text that changed since is not
// marked. Git is not asked.
func (l *Library) withGone(snap memory.Snapshot) memory.Snapshot {
	l.mu.Lock()
	gone := l.gone
	l.mu.Unlock()
	if gone == nil {
		gone = l.keptGone(cmp.Or(snap.Place.Project, l.env.Dir))
	}
	if len(gone) == 0 {
		return snap
	}
	now := map[string]string{}
	return annotated(snap, func(_ int, r *memory.Record) bool {
		hash, named := gone[r.File]
		if !named {
			return false
		}
		if _, known := now[r.File]; !known {
			now[r.File] = textHash(r.File)
		}
		if now[r.File] != hash {
			return false
		}
		r.Flags |= memory.FlagNamesGone
		return true
	})
}

// WithUse returns a snapshot with how often sessions used its records, as a prune counts it, and with what else the
// rules of a prune ask for.
func (l *Library) WithUse(ctx context.Context, snap memory.Snapshot) memory.Snapshot {
	s, err := l.Store(snap.Place.Store)
	if err != nil {
		return snap
	}
	return l.forRules(ctx, snap.Place.Store, snap, s)
}

// forRules returns a snapshot with what rules of a prune ask for: similar records, names that are gone, and how often
// sessions used a record. Sessions are asked again after evidenceAge.
func (l *Library) forRules(
	ctx context.Context,
	id memory.StoreID,
	snap memory.Snapshot,
	s system.Store,
) memory.Snapshot {
	l.mu.Lock()
	known := l.used[id]
	l.mu.Unlock()
	if now := l.now(); known.all == nil || now.Sub(known.at) >= evidenceAge {
		known.at = now
		known.all, _ = l.evidence(ctx, id, snap.Records) // on an error, some sessions are missing
		l.mu.Lock()
		l.used[id] = known
		l.mu.Unlock()
	}
	return weighed(l.withGone(withSimilar(snap, s)), s, known.all)
}

// weighed returns a snapshot with evidence in its records, and with counts if the store keeps none.
func weighed(snap memory.Snapshot, s system.Store, all map[memory.ID]memory.Evidence) memory.Snapshot {
	known := false
	for _, e := range all {
		known = known || e.Use.Of > 0
	}
	counts := !known || s.Info().Counts || slices.ContainsFunc(snap.Records, hasCount)
	return annotated(snap, func(_ int, r *memory.Record) bool {
		e, ok := all[r.ID]
		if ok {
			r.Evidence = &e
		}
		if ok && !counts {
			r.CountUse()
		}
		return ok
	})
}

// WhyReadOnly says why a store cannot be changed; "" if it can.
func (l *Library) WhyReadOnly(s system.Store) string {
	if l.state.Untrusted != nil {
		p := ProblemOf(l.state.Untrusted)
		return p.What + "; " + p.Hint
	}
	if p := l.state.Settings; p != nil {
		return p.What + "; " + p.Hint
	}
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
	p := ProblemOf(err)
	if p.Hint == "" {
		return p.What
	}
	return strings.TrimSuffix(p.What, ".") + "; " + p.Hint
}

// The codes of the health lines about Winnow's history of a store, and about an older one.
const (
	codeHistory = "history"
	codeOlder   = "history-old"
)

// olderHealth names the history of an older Winnow, if there is one.
func olderHealth(ctx context.Context, c *curate.Curator) []memory.Health {
	path := c.Older(ctx)
	return system.Report("", system.When(
		path != "",
		codeOlder,
		memory.Note,
		1,
		"the history of an older Winnow is kept in "+path+
			"; nothing of it can be undone, and it may hold what was deleted",
		"delete it when you no longer need it; redact, audit --fix and history --purge delete it too",
	))
}

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
