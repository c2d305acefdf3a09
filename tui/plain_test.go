package tui

import (
	"testing"

	"charm.land/bubbles/v2/key"

	"winnow/keymap"
)

// TestEachActionIsReachedByALine in its keys' names and as help names them.
func TestEachActionIsReachedByALine(t *testing.T) {
	reached := 0
	for _, s := range keymap.Default().Sections() {
		for _, b := range s.Bindings {
			for _, name := range b.Keys() {
				reached++
				if !isKey(name) || !key.Matches(keyNamed(name), b) {
					t.Errorf("%s: %q does not press the key of %s", s.Title, name, b.Help().Desc)
				}
			}
			if name := b.Help().Key; isKey(name) && len(b.Keys()) == 1 && !key.Matches(keyNamed(name), b) {
				t.Errorf("%s: %q, as help has it, presses another key than that of %s", s.Title, name, b.Help().Desc)
			}
		}
	}
	if reached < 150 {
		t.Errorf("only %d keys", reached)
	}
}
