package curate

import (
	"context"
	"slices"
	"time"

	"winnow/core/memory"
)

// Since returns the replacements of a store that is one file which were made from a time
// on, the newest first, and when the first of them was made. It is false when there are
// none, when another writer was seen to change the store since, and when of one of them
// no copy is kept. The error is of reading the history, or of ctx.
func (c *Curator) Since(ctx context.Context, from time.Time) (all []memory.Splices, first time.Time, ok bool, err error) {
	leave, err := c.recovered(ctx)
	if err != nil {
		return nil, time.Time{}, false, err
	}
	defer leave()
	st := c.file.State
	for i := range slices.Backward(st.Items) {
		it := &st.Items[i]
		if it.At.Before(from) {
			break
		}
		e, err := c.file.Event(it)
		if err != nil {
			return nil, time.Time{}, false, c.noHistory("read", err)
		}
		stored, _ := apart(e.Changes)
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
