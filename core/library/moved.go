package library

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"winnow/core/memory"
)

// Moved returns the plans that move the memory which a project left behind when it was moved from a folder
// into the store of where it is now: the first adds it there, the second removes it from the old store.
// A record that says something else in the new store, is empty or too large stays where it is. The error
// is a *memory.Problem if the folder still exists, or if nothing is kept for it.
func (l *Library) Moved(ctx context.Context, to memory.StoreID, folder string) ([]memory.Plan, error) {
	folder = l.Absolute(folder)
	system := l.place(memory.Place{Store: to}).System
	if system == "" {
		system = to.System()
	}
	from := memory.At(system, folder)
	if from == to {
		return nil, &memory.Problem{
			Code: "same-project", What: "take over the memory of " + folder + ": it is this project's own",
			Hint: "name the folder where the project was before",
		}
	}
	snap, _, err := l.detailed(ctx, from, true)
	if err != nil {
		return nil, fmt.Errorf("read the memory of %s: %w", folder, err)
	}
	isGone := func(h memory.Health) bool {
		return h.Code == "project-gone" || h.Code == "no-project" // it no longer exists, or nothing tells where it was
	}
	if !slices.ContainsFunc(snap.Health, isGone) {
		return nil, &memory.Problem{
			Code: "not-gone",
			What: "take over the memory of " + folder + ": the project still exists, or nothing is kept for it",
			Hint: "winnow doctor names the projects that no longer exist",
		}
	}
	o, dates := l.takeOver(from, &snap)
	if len(o.IDs) == 0 {
		return nil, &memory.Problem{
			Code: "nothing-left", What: "take over the memory of " + folder + ": nothing of it can be moved here",
			Hint: "look at it: winnow list --store " + memory.ShellWord(string(from)),
		}
	}
	add, err := l.Plan(ctx, to, o)
	if err != nil {
		return nil, err
	}
	for i := range add.Changes {
		if ch := &add.Changes[i]; l.Info(from).FileDates && !ch.Companion {
			ch.Position = &memory.Position{Date: dates[ch.ID]} // what was moved is as old as before
		}
	}
	remove := memory.Order{Do: memory.Delete}
	for i, id := range o.IDs {
		isKept := func(k memory.Kept) bool { return k.Record.ID == id }
		if !slices.ContainsFunc(add.Kept, isKept) {
			remove.IDs, remove.Base = append(remove.IDs, id), append(remove.Base, o.Base[i])
		}
	}
	if len(remove.IDs) == 0 {
		return []memory.Plan{add}, nil
	}
	gone, err := l.Plan(ctx, from, remove)
	if err != nil {
		return nil, fmt.Errorf("remove the memory of %s: %w", folder, err)
	}
	return []memory.Plan{add, gone}, nil
}

// Back returns the plans of an Undo or a Redo of one entry, in the order in which to apply them: that of the
// store and, if the entry took over what a moved project left behind, that of the store it was taken from,
// unless that was changed since.
func (l *Library) Back(ctx context.Context, id memory.StoreID, o memory.Order) ([]memory.Plan, error) {
	here, err := l.Plan(ctx, id, o)
	if err != nil {
		return nil, err
	}
	h, err := l.History(ctx, id)
	if err != nil {
		return nil, err
	}
	entry := cmp.Or(o.Entry, nextOf(h, o.Do))
	i := slices.IndexFunc(h.Entries, func(e memory.Entry) bool { return e.ID == entry })
	if i < 0 || h.Entries[i].From == "" {
		return []memory.Plan{here}, nil
	}
	from := h.Entries[i].From
	there, err := l.History(ctx, from)
	if err != nil {
		return nil, err
	}
	entry = nextOf(there, o.Do)
	if !isRemovalOf(there, entry, h.Entries[i].Changes) {
		return []memory.Plan{here}, nil
	}
	plan, err := l.Plan(ctx, from, memory.Order{Do: o.Do, Entry: entry, Anyway: o.Anyway})
	if err != nil {
		return nil, fmt.Errorf("%s the removal from %s: %w", o.Do, from.Path(), err)
	}
	if o.Do == memory.Undo {
		return []memory.Plan{plan, here}, nil // what is removed here is there again before
	}
	return []memory.Plan{here, plan}, nil
}

// nextOf returns the entry that the next Undo or Redo acts on.
func nextOf(h memory.History, do memory.Act) memory.EntryID {
	if do == memory.Redo {
		return h.Redo
	}
	return h.Undo
}

// isRemovalOf reports whether an entry deleted records that all were taken over by some changes.
func isRemovalOf(h memory.History, entry memory.EntryID, taken []memory.Change) bool {
	i := slices.IndexFunc(h.Entries, func(e memory.Entry) bool { return e.ID == entry && e.Do == memory.Delete })
	return i >= 0 && !slices.ContainsFunc(h.Entries[i].Changes, func(gone memory.Change) bool {
		isTaken := func(ch memory.Change) bool { return ch.ID == gone.ID }
		return gone.Do == memory.Deleting && !slices.ContainsFunc(taken, isTaken)
	})
}

// takeOver returns the order that adds the records of a store that can be moved, and when each was made.
func (l *Library) takeOver(from memory.StoreID, snap *memory.Snapshot) (memory.Order, map[memory.ID]time.Time) {
	o, dates := memory.Order{Do: memory.TakeOver, From: from}, map[memory.ID]time.Time{}
	stays := l.Info(from).Stays
	for i := range snap.Records {
		r := &snap.Records[i]
		if stays != nil && stays(r) && r.Raw != "" && !r.RawCut() {
			o.IDs, o.Base = append(o.IDs, r.ID), append(o.Base, r.Raw)
			dates[r.ID] = r.Created.Time
		}
	}
	return o, dates
}
