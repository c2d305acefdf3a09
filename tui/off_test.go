package tui_test

import (
	"testing"
	"testing/synctest"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
)

// offPage is a page that cannot delete.
type offPage struct{ *fakePage }

func (p offPage) Actions() page.Actions {
	return append(
		p.fakePage.Actions(),
		page.Action{Binding: keymap.Default().Curate.Delete, Off: "nothing is selected"},
	)
}

// TestAKeyThatIsOffSaysWhy when it is pressed and in the help, and does not reach the page.
func TestAKeyThatIsOffSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var lessons *fakePage
		p := start(t, 100, 30, func(c *tui.Config) {
			lessons = c.Pages[0].(*fakePage)
			c.Pages[0] = page.Page(offPage{lessons})
		})
		p.snapshot(memory.Snapshot{Place: memory.Place{Store: "/a"}})
		p.WantExplained(
			t,
			offPage{lessons},
			keymap.Section{Bindings: []keymap.Binding{keymap.Default().Curate.Delete, keymap.Default().Lessons.Raw}},
		)
		p.Press("d")
		p.WantText("Delete: nothing is selected")
		if len(lessons.input) > 0 {
			t.Errorf("the page got %q", lessons.input)
		}
		for key, says := range map[string]string{
			"u": "Undo: read-only: stores cannot be changed from here", "U": "History: no history is kept here",
			"!": "What others undid: no other writer undid a change of yours",
			"*": "Search all stores: no store was found",
		} {
			p.Press(key)
			p.WantText(says)
		}
		p.Press("?")
		p.WantText("off: nothing is selected (delete)", "off: no history is kept here (history)")
	})
}
