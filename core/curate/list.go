package curate

import (
	"context"
	"slices"

	"winnow/core/curate/history"
	"winnow/core/memory"
)

// History returns what was done to the store, newest first.
func (c *Curator) History(ctx context.Context) (memory.History, error) {
	unfinished := ""
	if err := c.Recover(ctx); err != nil {
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
	st := c.file.State
	h := memory.History{Damaged: st.Damaged, Size: c.file.Size, Path: c.file.Path(), Unfinished: unfinished}
	if n := len(st.Undo); n > 0 {
		h.Undo = st.Undo[n-1].Name
	}
	if n := len(st.Redo); n > 0 {
		h.Redo = st.Redo[n-1].Name
	}
	events, err := c.file.Events(nil)
	if err != nil {
		return memory.History{}, c.noHistory("read", err)
	}
	for _, e := range slices.Backward(settled(events, st)) {
		h.Entries = append(h.Entries, c.entry(&e, st))
	}
	return h, nil
}

// entry returns an event as it is shown.
func (c *Curator) entry(e *history.Event, st *history.State) memory.Entry {
	c.decode(e.Changes)
	return memory.Entry{
		ID: e.ID, At: e.At, Who: e.Who, Do: e.Do, What: e.What, Changes: e.Changes,
		Omitted: e.Omitted, Final: e.Final, UndoneBy: st.Item(e.ID).UndoneBy, Undoes: e.Undoes,
	}
}
