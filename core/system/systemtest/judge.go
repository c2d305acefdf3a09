package systemtest

import (
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// testReverted has another writer restore earlier forms of edited records: whatever can be edited
// can be guarded.
func (cfg Config) testReverted(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	for _, r := range d.changeable() {
		first := d.edit(r, "first")
		mine := d.edit(d.Decode(first.After), "second").After
		made := memory.Forms{{Before: r.Raw, After: first.After}, {Before: first.After, After: mine}}
		for _, theirs := range []string{r.Raw, first.After} {
			if merged, settled := d.writer.Reconcile(made, theirs); settled != system.Reverted || merged != mine {
				t.Errorf("%s: an earlier form is settled as %d: %q, want %q", r.ID, settled, merged, mine)
			}
		}
		if merged, settled := d.writer.Reconcile(made, mine); settled != system.Kept || merged != mine {
			t.Errorf("%s: the form that is wanted is settled as %d: %q", r.ID, settled, merged)
		}
	}
}
