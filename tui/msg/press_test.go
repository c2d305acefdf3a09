package msg

import (
	"testing"

	"winnow/keymap"
)

// TestPressNamesEveryBoundKey pins that the help overlay can run any action.
func TestPressNamesEveryBoundKey(t *testing.T) {
	for _, s := range keymap.Default().Sections() {
		for _, b := range s.Bindings {
			for _, k := range b.Keys() {
				if got := Press(k).String(); got != k {
					t.Errorf("%s: Press(%q) is %q", s.Title, k, got)
				}
			}
		}
	}
}
