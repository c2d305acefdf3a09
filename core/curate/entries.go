package curate

import (
	"context"
	"slices"
	"time"

	"winnow/core/memory"
)

// History returns what was done to the store, newest first.
func (c *Curator) History(ctx context.Context) (memory.History, error) {
	unfinished := ""
	if err := c.Unfinished(ctx); err != nil {
		unfinished = err.Error()
	}
	leave, err := c.reading(ctx)
	if err != nil || c.c.Dir == "" {
		if err == nil {
			leave()
		}
		return memory.History{}, err
	}
	defer leave()
	st := c.file.state
	h := memory.History{Damaged: st.Damaged, Size: c.file.size, Path: c.file.path(), Unfinished: unfinished}
	if n := len(st.Undo); n > 0 {
		h.Undo = st.Undo[n-1].Name
	}
	if n := len(st.Redo); n > 0 {
		h.Redo = st.Redo[n-1].Name
	}
	events, err := c.file.events(nil)
	if err != nil {
		return memory.History{}, c.noHistory("read", err)
	}
	for _, e := range slices.Backward(madeEntries(events, st)) {
		h.Entries = append(h.Entries, c.entry(&e, st))
	}
	return h, nil
}

// entry converts an event for display.
func (c *Curator) entry(e *event, st *historyState) memory.Entry {
	c.decode(e.Changes)
	return memory.Entry{
		ID: e.ID, At: e.At, Who: e.Who, Do: e.Do, What: e.What, Changes: e.Changes,
		Omitted: e.Omitted, Final: e.Final, UndoneBy: st.item(e.ID).UndoneBy, Undoes: e.Undoes, From: e.From,
	}
}

// Since returns the replacements made from a given time on, newest first, and the time of the first
// one. It is for a store that is one file. It returns false if there are none, if a change is unfinished, if another
// writer changed the store since then, or if no copy was kept of one of them. The error is from reading
// the history, or that of ctx.
func (c *Curator) Since(
	ctx context.Context,
	from time.Time,
) (all []memory.Splices, first time.Time, ok bool, err error) {
	leave, err := c.reading(ctx)
	if err != nil {
		return nil, time.Time{}, false, err
	}
	defer leave()
	st := c.file.state
	if st.Pending != nil {
		return nil, time.Time{}, false, nil
	}
	for i := range slices.Backward(st.Items) {
		it := &st.Items[i]
		if it.At.Before(from) {
			break
		}
		e, err := c.file.event(it)
		if err != nil {
			return nil, time.Time{}, false, c.noHistory("read", err)
		}
		stored, _ := splitPins(e.Changes)
		switch {
		case it.Who == memory.Others || e.Final:
			return nil, time.Time{}, false, nil
		case len(stored) == 0: // pins
		case e.Splices == nil || len(e.Splices.Parts) == 0 || e.Splices.From == "":
			return nil, time.Time{}, false, nil
		default:
			all, first = append(all, *e.Splices), it.At
		}
	}
	return all, first, len(all) > 0, nil
}
