package tuitest

import (
	"slices"
	"testing"

	"winnow/keymap"
	"winnow/tui/page"
)

// WantExplained fails the test unless every binding of the sections either does something on
// the page right now or is off with a reason, and unless pressing one that is off shows that
// reason. The driver must show the page.
func (d *Driver) WantExplained(t *testing.T, p page.Page, sections ...keymap.Section) {
	t.Helper()
	o, ok := p.(page.Off)
	if !ok {
		t.Fatalf("%s has no reasons for keys that are off", p.Title())
	}
	for _, s := range sections {
		for _, b := range s.Bindings {
			on := slices.ContainsFunc(p.Keys(), func(x keymap.Binding) bool { return slices.Equal(x.Keys(), b.Keys()) })
			_, why, off := keymap.WhyOff(o.Off(), pressed(b.Keys()[0]))
			switch {
			case on == off:
				t.Errorf("%s: %s (%s) does something: %v, is off: %v", p.Title(), b.Help().Key, b.Help().Desc, on, off)
			case off && why == "":
				t.Errorf("%s: %s (%s) is off without a reason", p.Title(), b.Help().Key, b.Help().Desc)
			case off:
				d.Press(b.Keys()[0])
				d.WantText(why[:min(len(why), 40)])
			}
		}
	}
}

type pressed string

func (k pressed) String() string { return string(k) }
