package curate

import (
	"context"
	"iter"
	"slices"

	"winnow/core/memory"
)

// Guarded returns a function that reports whether Guard needs the decoded record with an id and a
// stored form. Of any other record Guard uses only the id, the line, the revision and the stored
// form. All are the ids and stored forms of the whole store, in order. The function is nil if Guard
// looks at nothing.
func (c *Curator) Guarded(ctx context.Context, all iter.Seq2[memory.ID, string]) (func(memory.ID, string) bool, error) {
	leave, err := c.reading(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	st := c.file.State
	if len(st.Promises)+len(st.Redactions) == 0 {
		return nil, nil
	}
	promised := map[string]bool{} // whether the record is there, by key
	for _, p := range st.Promises {
		for _, k := range promiseKeys(p) {
			promised[k] = false
		}
	}
	for id, form := range all {
		k := recordKey(id, form)
		if _, is := promised[k]; is {
			promised[k] = true
		}
	}
	missing := false // only the whole store shows why
	for _, p := range st.Promises {
		missing = missing || !p.Gone && !slices.ContainsFunc(promiseKeys(p), func(k string) bool { return promised[k] })
	}
	return func(id memory.ID, form string) bool {
		return missing || len(st.Redactions) > 0 || promised[recordKey(id, form)]
	}, nil
}
