package home

import (
	"context"
	"fmt"

	"winnow/core/memory"
	"winnow/core/system"
)

// RecordAt returns the store that lists a file as one record that can be edited, and that record. The
// error is memory.ErrNotFound if there is none.
func (h *Reader) RecordAt(ctx context.Context, file string) (memory.StoreID, memory.ID, error) {
	for _, p := range h.lib.MendingStores(ctx, file) {
		r, err := h.lib.FindRecord(ctx, p.Store, func(r *memory.Record) bool {
			return r.Fixed == "" && (r.File == file || system.Resolved(r.File) == file)
		})
		if err == nil {
			return p.Store, r.ID, nil
		}
	}
	return "", "", fmt.Errorf("find the record of %s: %w", h.lib.Short(file), memory.ErrNotFound)
}
