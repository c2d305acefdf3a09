package recall_test

import (
	"testing"

	"winnow/keymap"
)

// TestEachKeyOfRecallDoesSomethingOrSaysWhyNot, with a task and without one.
func TestEachKeyOfRecallDoesSomethingOrSaysWhyNot(t *testing.T) {
	for _, s := range keymap.Default().Sections() {
		if s.Title != "Recall" {
			continue
		}
		start(t, 120, 35, func(d *driver) {
			d.snap("/s/1", false)
			d.WantExplained(t, d.page, s)
		})
		start(t, 120, 35, func(d *driver) {
			d.write("fetch")
			d.WantExplained(t, d.page, s)
		})
	}
}
