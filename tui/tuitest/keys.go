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
	for _, s := range sections {
		for _, b := range s.Bindings {
			on := slices.ContainsFunc(
				p.Actions().On(),
				func(x keymap.Binding) bool { return slices.Equal(x.Keys(), b.Keys()) },
			)
			_, why, off := keymap.WhyOff(p.Actions().Off(), pressed(b.Keys()[0]))
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

// WantEffects fails the test unless each key of the bindings does something that can be
// observed: it changes the screen, the clipboard, or what seen returns. A key that is off does
// so by saying why. Start starts a program anew for each of them.
func WantEffects(t *testing.T, bindings []keymap.Binding, start func(test func(d *Driver, seen func() string))) {
	t.Helper()
	for _, b := range bindings {
		start(func(d *Driver, seen func() string) {
			before := d.View().Content + d.Clipboard() + seen()
			d.Press(b.Keys()[0])
			if d.View().Content+d.Clipboard()+seen() == before {
				t.Errorf("%s (%s) does nothing and does not say why:\n%s", b.Help().Key, b.Help().Desc, d.Screen())
			}
		})
	}
}
