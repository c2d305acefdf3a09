package home_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/tuitest"
)

// TestEachKeyOfHomeDoesSomethingOrSaysWhyNot, in every state that the page can be in.
func TestEachKeyOfHomeDoesSomethingOrSaysWhyNot(t *testing.T) {
	km := keymap.Default()
	keys := []keymap.Binding{km.Global.NextPane, km.Global.Back, km.Move.Left, km.Move.Right}
	for _, s := range km.Sections() {
		if s.Title == "Home" {
			keys = append(keys, s.Bindings...)
		}
	}
	grouped := newMachine("/s/1", "/s/2")
	grouped.survey.Places[1].System = "claudecode"
	for name, state := range map[string]struct {
		found []memory.Place
		press []string
	}{
		"ordinary":          {found: newMachine("/s/1", "/s/2").survey.Places},
		"on a store":        {found: grouped.survey.Places},
		"on a heading":      {found: grouped.survey.Places, press: []string{"g"}},
		"on a folded group": {found: grouped.survey.Places, press: []string{"g", "space"}},
		"sorted":            {found: grouped.survey.Places, press: []string{"o"}},
		"filtered":          {found: grouped.survey.Places, press: []string{"/", "2", "enter"}},
		"nothing matches":   {found: grouped.survey.Places, press: []string{"/", "z", "enter"}},
		"in the lower box":  {found: grouped.survey.Places, press: []string{"tab"}},
		"none found":        {},
	} {
		t.Run(name, func(t *testing.T) {
			tuitest.WantEffects(t, keys, func(test func(*tuitest.Driver, func() string)) {
				synctest.Test(t, func(t *testing.T) {
					m := newMachine()
					m.survey.Places = state.found
					d := start(t, m)
					d.Press(state.press...)
					test(d, func() string { return fmt.Sprint(m.finds, len(m.followed)) })
				})
			})
		})
	}
}
