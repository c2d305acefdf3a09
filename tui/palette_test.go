package tui_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/config"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/tuitest"
)

// TestPaletteMissesNoAction of a screen or of the root, and gives each the key that is in force.
func TestPaletteMissesNoAction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		km, refused := keymap.Default().With(map[string][]string{"curate.delete": {"Del"}, "global.theme": {"f5"}})
		if refused != nil {
			t.Fatal(refused)
		}
		app, _ := wholeProgram(t, km, func(*tui.Config) {})
		tuitest.New(t, app, 120, 35).Advance(time.Second)
		actions := km.Actions()
		for screen, place := range []string{"Lessons", "Recall", "Audit", "Inbox", "Stores"} {
			listed := map[string]bool{}
			for _, c := range app.CommandsOf(screen) {
				for _, key := range c.Binding.Keys() {
					listed[key] = true
				}
			}
			for _, name := range km.In(place) {
				if key := actions[name].Keys()[0]; listed[key] == missing(place, name) {
					t.Errorf("%s: %s (%s) is listed: %v", place, name, key, listed[key])
				}
			}
			if listed["d"] && (place == "Lessons" || place == "Audit") {
				t.Error("the palette has a key that is not in force")
			}
		}
	})
}

// missing reports actions that a screen does not have although the place has them. A number before a move is no
// command.
func missing(place, name string) bool {
	return slices.Contains(map[string][]string{
		"Stores": {"move.next-match", "move.prev-match", "global.layout", "global.shrink-list", "global.grow-list"},
		"Recall": {"move.next-match", "move.prev-match"},
		"Audit":  {"move.left", "move.right"},
	}[place], name)
}

func TestPaletteRunsCommandsAndFindsStoresAndRecords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		d, _ := leftOn(t, m, 120, 35, func(c *tui.Config) { c.Store, c.First = m.Survey.Places[1].Store, 0 })
		d.Press(":")
		d.WantText("Keys: Memories", "type to find a key or a record   @ stores")
		d.Type("sort")
		d.Press("enter")
		d.WantText("order of the store")
		d.Press("esc", "ctrl+p")
		d.Type("go to rec")
		d.Press("enter")
		d.WantText("What does Claude Code get at every start?")
		d.Press("1", ":")
		d.Type("pnpm")
		d.WantText("Use pnpm", "record")
		d.Press("enter")
		d.WantText("> ", "Use pnpm")
		d.Press(":")
		d.Type("@kimchi")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("Fixed one")
		d.Press("j", ":")
		d.Type("jump to")
		d.WantText("off: no other store of the project")
		d.Press("enter")
		d.WantText("Jump to similar record: no other store of the project has a similar record")
	})
}

func TestSavedViews(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		d, app := leftOn(t, m, 120, 35, func(c *tui.Config) {
			c.Store, c.First = m.Survey.Places[1].Store, 0
			c.Settings.Views = map[string]config.View{
				"only rules": {Filter: "kind:rule", Sort: "task", Reverse: true, Columns: []string{"kind"}},
			}
		})
		d.WantText("Scope", "Use pnpm")
		d.Press("'")
		d.WantText("Saved views", "only rules", "kind:rule; by task reversed; kind")
		d.Press("enter")
		d.WantText("kind:rule", "1 of 2", "Title desc", "A rule")
		d.WantNoText("Scope", ">   Use pnpm")
		if _, now := app.Remembered(); now.Orders["claudecode/project"].Columns == nil {
			t.Errorf("%+v", now.Orders)
		}
		d.Press("esc", ":")
		d.Type("'only")
		d.Press("tab")
		d.WantText("'only rules")
		d.Press("enter")
		d.WantText("1 of 2")

		d, _ = leftOn(t, m, 120, 35, func(c *tui.Config) { c.Store, c.First = m.Survey.Places[1].Store, 0 })
		d.Press("'")
		d.WantText("There are none; the list of records saves them")
	})
}

// TestAViewIsSavedFromTheScreen under the name that is typed, and offered from then on.
func TestAViewIsSavedFromTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		saved := map[string]config.View{}
		var refuse error
		d, _ := leftOn(t, m, 120, 35, func(c *tui.Config) {
			c.Store, c.First = m.Survey.Places[1].Store, 0
			c.SaveView = func(_ context.Context, name string, v config.View) error {
				if refuse == nil {
					saved[name] = v
				}
				return refuse
			}
		})
		d.Press("/")
		d.Type("kind:rule")
		d.Press("enter", "o", "t", "'")
		d.WantText("There are none yet. Type a name")
		d.Type("my rules")
		d.WantText(`Save this list as "my rules"`, "kind:rule; by task")
		d.Press("enter")
		d.WantText(`Saved the view "my rules" in config.toml`)
		if v := saved["my rules"]; v.Filter != "kind:rule" || v.Sort != "task" || v.Reverse {
			t.Errorf("saved %+v", saved)
		}
		d.Press("esc", "'")
		d.WantText("1 of 1", "my rules")
		d.Press("enter")
		d.WantText("1 of 2")
		refuse = errors.New("line 3: it is no TOML")
		d.Press("'")
		d.Type("x")
		d.Press("enter")
		d.WantText("line 3: it is no TOML")
	})
}
