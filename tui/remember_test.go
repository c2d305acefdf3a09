package tui_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/config"
	"winnow/tui"
)

// TestNextRunBeginsAsThisOneEnds in theme, layout, order, filter and drafts.
func TestNextRunBeginsAsThisOneEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		shop := m.Survey.Places[1].Store
		d, app := leftOn(t, m, 120, 35, func(c *tui.Config) { c.Store, c.First = shop, 0 })
		d.WantText("A rule", "Use pnpm")
		d.Press("T", ">", ">", "o", "t", "/")
		d.Type("pnpm")
		d.Press("enter", "2", "i")
		d.Type("deploy it")
		d.Press("esc", "i")
		d.Type(" now") // and the program ends
		before, now := app.Remembered()
		if before.Theme != "" || now.Theme != "contrast" || now.Lists["lessons"].Share == 0 || now.Store != shop ||
			now.Record != "b" {
			t.Errorf("%+v", now)
		}
		if o := now.Orders["claudecode/project"]; o.Sort != "task" || o.Filter != "pnpm" {
			t.Errorf("%+v", now.Orders)
		}
		if len(now.Drafts) != 2 || now.Drafts[0] != "deploy it now" {
			t.Errorf("%q", now.Drafts)
		}

		d, app = leftOn(t, m, 120, 35, func(c *tui.Config) { c.Store, c.First, c.State = shop, 0, now })
		d.WantText("1 of 2", "/ pnpm")
		d.WantNoText("A rule")
		d.Press("2", "i", "up")
		d.WantText("deploy it now")
		d.Press("up")
		d.WantText("deploy it")
		if _, again := app.Remembered(); again.Lists["lessons"] != now.Lists["lessons"] ||
			again.Orders["claudecode/project"].Filter != "pnpm" {
			t.Errorf("%+v", again)
		}
	})
}

// TestFilterIsOfTheFirstStore that is opened: another of its kind shows all it has.
func TestFilterIsOfTheFirstStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		state := config.State{
			Orders: map[string]config.Order{
				"kimchi/MEMORY.md":   {Filter: "nothing like it"},
				"claudecode/project": {Sort: "task", Desc: true},
			},
		}
		d, _ := leftOn(
			t,
			m,
			120,
			35,
			func(c *tui.Config) { c.Store, c.First, c.State = m.Survey.Places[1].Store, 0, state },
		)
		d.WantText("Use pnpm", "Title desc")
		d.Press("S")
		d.Type("kimchi")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("Use npm", "Fixed one")
	})
}

// TestStateIsSavedOnceAfterManyKeys and not when nothing changed.
func TestStateIsSavedOnceAfterManyKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved []config.State
		d, _ := leftOn(t, machine(), 120, 35, func(c *tui.Config) {
			c.Save = func(_ context.Context, _, now config.State) error { saved = append(saved, now); return nil }
		})
		d.Press("j", "k")
		d.Advance(time.Minute)
		if len(saved) != 0 {
			t.Errorf("nothing changed, and %+v was saved", saved)
		}
		d.Press("T", "T", "T", "T")
		if len(saved) != 0 {
			t.Error("saved at once")
		}
		d.Advance(time.Minute)
		if len(saved) != 1 || saved[0].Theme == "" {
			t.Errorf("%+v", saved)
		}
	})
}

// TestTaskIsSavedWhileItIsTyped, since a program that is killed saves nothing at its end.
func TestTaskIsSavedWhileItIsTyped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var saved config.State
		m := machine()
		d, _ := leftOn(t, m, 120, 35, func(c *tui.Config) {
			c.Store, c.First = m.Survey.Places[1].Store, 0
			c.Save = func(_ context.Context, _, now config.State) error { saved = now; return nil }
		})
		d.Press("2", "i")
		d.Type("deploy")
		d.Advance(time.Minute)
		d.Type(" it now")
		d.Advance(time.Minute)
		if !slices.Equal(saved.Drafts, []string{"deploy it now"}) {
			t.Errorf("%q", saved.Drafts)
		}
		d.Press("up")
		d.WantText("deploy it now") // it is no earlier text
	})
}

func TestMistakesInTheSettingsAreALine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d, _ := leftOn(
			t,
			machine(),
			80,
			24,
			func(c *tui.Config) { c.Notice = "config.toml line 3: there is no setting x" },
		)
		d.WantText("config.toml line 3: there is no setting x")
	})
}
