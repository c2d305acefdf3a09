package lessons_test

import (
	"slices"
	"testing"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
)

// TestEachKeyOfLessonsDoesSomethingOrSaysWhyNot: in an ordinary store, one that is
// read-only, an empty one and one that cannot be read.
func TestEachKeyOfLessonsDoesSomethingOrSaysWhyNot(t *testing.T) {
	for name, s := range map[string]memory.Snapshot{
		"ordinary": {Records: three(), Total: 3}, "read-only": {Records: three(), Total: 3, ReadOnly: "no"},
		"empty": {}, "broken": {Problem: &memory.Problem{What: "permission denied"}},
	} {
		a := newAlone(t)
		a.show(s)
		for _, section := range keymap.Default().Sections() {
			if !slices.Contains([]string{"Lessons", "Change", "Select", "Move"}, section.Title) {
				continue
			}
			for _, b := range section.Bindings {
				if slices.Equal(b.Keys(), keymap.Default().Lessons.Views.Keys()) { // the root opens the list of views
					continue
				}
				_, why, off := keymap.WhyOff(a.p.Actions().Off(), msg.Press(b.Keys()[0]))
				if on := a.lists(b); on == off || off && why == "" {
					t.Errorf("%s: %s does something: %v, is off: %v %q", name, b.Help().Desc, on, off, why)
				}
			}
		}
	}
}
