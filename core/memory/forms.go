package memory

import "slices"

// FormChange is one change that a person made to the stored form of a record. Before is empty for
// an addition, After for a deletion.
type FormChange struct {
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Forms are the changes that a person made to one record, oldest first. Another writer may have
// changed the record in between.
type Forms []FormChange

// Mine returns the form that should be in the store; empty for a deleted record.
func (f Forms) Mine() string {
	if len(f) == 0 {
		return ""
	}
	return f[len(f)-1].After
}

// Earlier returns every other form once, oldest first.
func (f Forms) Earlier() []string {
	if len(f) == 0 {
		return nil
	}
	seen := map[string]bool{"": true, f.Mine(): true}
	var all []string
	for _, c := range f {
		for _, form := range [...]string{c.Before, c.After} {
			if !seen[form] {
				seen[form] = true
				all = append(all, form)
			}
		}
	}
	return all
}

// With returns f with one more change. If c is in f already, it moves to the end.
func (f Forms) With(c FormChange) Forms {
	if i := slices.Index(f, c); i >= 0 {
		f = slices.Delete(slices.Clone(f), i, i+1)
	}
	return append(f, c)
}
