package tui_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/tui"
	"winnow/tui/msg"
	"winnow/tui/tuitest"
)

func TestReadOnlyStoreRefusesWithTheReason(t *testing.T) {
	for name, c := range map[string]struct {
		config func(*tui.Config)
		snap   string
		says   string
	}{
		"option": {config: func(c *tui.Config) { c.ReadOnly = true }, says: "--readonly"},
		"store":  {snap: "the file system is mounted read-only", says: "mounted read-only"},
	} {
		t.Run(name, func(t *testing.T) {
			curate(t, c.config, func(t *testing.T, p *curated) {
				p.change(func(s *memory.Snapshot) { s.ReadOnly = c.snap })
				p.WantText("READ-ONLY * live")
				p.WantNoText("d delete", "u undo")
				for _, k := range []string{"d", "e", "E", "p", "P", "L", "u", "ctrl+r"} {
					p.Press(k)
					p.WantText("read-only: ", c.says)
				}
				p.wantOrders(t)
				p.Press("U")
				p.wantDialog(t, true)
			})
		})
	}
}

func TestBannerTellsWhatOthersUndid(t *testing.T) {
	undone := []memory.Undone{
		{Kind: memory.CameBack, ID: "fetch", Theirs: "{}", Record: some("fetch")[0], Times: 1},
		{Kind: memory.Evicted, ID: "tests", Mine: "{}"},
		{Kind: memory.CameBack, ID: "docs", Always: true},
	}
	curate(t, nil, func(t *testing.T, p *curated) {
		p.WantNoText("undone")
		p.change(func(s *memory.Snapshot) { s.Undone = undone[1:] })
		p.WantNoText("of your changes")
		p.change(func(s *memory.Snapshot) { s.Undone = undone })
		p.WantText("1 of your changes was undone by another writer")
		if n := strings.Count(p.Screen(), "\n"); n != 23 {
			t.Errorf("the screen has %d lines, want 24", n+1)
		}
		p.Press("!")
		p.wantDialog(t, true)
		p.Press("esc")
		p.Send(tea.MouseClickMsg{X: 5, Y: 1, Button: tea.MouseLeft})
		p.wantDialog(t, true)
		p.Press("esc")
		p.change(func(s *memory.Snapshot) {
			s.Undone = append(undone, memory.Undone{Kind: memory.CannotTell, ID: "lint"})
		})
		p.WantText("1 of your changes was undone by another writer") // what is clear comes first
		p.change(func(s *memory.Snapshot) { s.Undone, s.Reapplied = nil, 2 })
		p.WantNoText("of your changes was")
		p.WantText("Repeated 2 changes of yours that another writer had undone")
		p.Press("!")
		p.WantText("What others undid: no other writer undid a change of yours")
	})
}

func TestBannerLeavesRowsAndClicksWhereTheyAre(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.change(func(s *memory.Snapshot) { s.Undone = []memory.Undone{{Kind: memory.Reverted, ID: "fetch"}} })
		lines := strings.Split(p.Screen(), "\n")
		y := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, " docs") })
		p.Send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
		p.Press("d")
		if got := p.wantOrders(t, memory.Delete); got[0].IDs[0] != "docs" {
			t.Errorf("the click chose %q", got[0].IDs)
		}
		p.Send(tea.WindowSizeMsg{Width: 60, Height: 15})
		p.WantText("of your changes")
		if n := strings.Count(p.Screen(), "\n"); n != 14 {
			t.Errorf("the screen has %d lines, want 15", n+1)
		}
	})
}

func TestRepairIsOrderedForAFrozenStore(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.change(func(s *memory.Snapshot) { s.Health = []memory.Health{{Code: "frozen", Level: memory.Warn}} })
		p.Press("F")
		p.wantOrders(t, memory.Repair)
	})
}

func TestDialogOfAStoreThatWasLeftIsClosed(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("a", "d")
		p.wantDialog(t, true)
		p.Send(msg.OpenStore{Store: "/other"})
		p.wantDialog(t, false)
		p.wantApplied(t, 0)
	})
}

func TestNothingIsChangedOnAScreenThatIsTooSmallToSeeIt(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("d", "a", "d")
		p.Send(tea.WindowSizeMsg{Width: 40, Height: 10})
		p.Press("y", "enter")
		p.wantApplied(t, 1)
		p.Send(tea.WindowSizeMsg{Width: 120, Height: 24})
		p.Press("esc")
		p.Send(tea.WindowSizeMsg{Width: 40, Height: 10})
		p.Press("d", "u")
		p.wantApplied(t, 1)
	})
}

func TestDialogMasksSecretsUntilAsked(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.change(func(s *memory.Snapshot) {
			s.Records = some("fetch", "tests", "key sesame opens")
			s.Records[2].Secrets = []memory.Secret{{Field: memory.InTitle, Start: 4, End: 10}}
		})
		p.Press("a", "d")
		p.WantText("X reveal")
		p.WantNoText("sesame")
		p.Press("X")
		p.wantDialog(t, true)
		p.WantText("key sesame opens")
	})
}

func TestDialogWarnsOfAnotherWriter(t *testing.T) {
	now := func() time.Time { return time.Now().Truncate(time.Millisecond) }
	for name, c := range map[string]struct {
		change func(*memory.Snapshot)
		says   string
	}{
		"at work": {
			func(s *memory.Snapshot) { s.Writer = "pid 4711 holds journal.lock" },
			"pid 4711 holds journal.lock",
		},
		"lately": {func(s *memory.Snapshot) { s.ModTime = now().Add(-40 * time.Second) }, "Written 40 s ago by another program"},
	} {
		t.Run(name, func(t *testing.T) {
			curate(t, nil, func(t *testing.T, p *curated) {
				p.change(c.change)
				for _, k := range []string{"d", "P"} {
					p.Press("a", k)
					p.WantText(c.says)
					p.Press("esc")
				}
			})
		})
	}
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("d")
		p.change(func(s *memory.Snapshot) { s.ModTime = now() })
		p.Advance(time.Second)
		p.Press("a", "d")
		p.WantText("written 1s ago")
		p.WantNoText("by another program")
	})
}

func TestOnlyWhatOthersAddIsNews(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		arrive := func(title string) {
			p.change(func(s *memory.Snapshot) {
				r := some(title)[0]
				r.Flags = memory.FlagNew
				s.Records, s.ModTime = append(slices.Clone(s.Records), r), time.Now()
			})
		}
		p.Press("d")
		arrive("mine")
		p.WantText("u to undo", "mine")
		p.Advance(time.Minute)
		arrive("theirs")
		p.WantText("1 new from an agent")
	})
}

// TestWhatOthersAddDoesNotHideHowToUndo: both are told, side by side, at any width.
func TestWhatOthersAddDoesNotHideHowToUndo(t *testing.T) {
	for _, w := range []int{120, 80, 60} {
		curate(t, nil, func(t *testing.T, p *curated) {
			p.Send(tea.WindowSizeMsg{Width: w, Height: 24})
			p.Press("d")
			p.Advance(3 * time.Second)
			p.change(func(s *memory.Snapshot) {
				r := some("theirs")[0]
				r.Flags = memory.FlagNew
				s.Records, s.ModTime = append(slices.Clone(s.Records), r), time.Now()
			})
			p.WantText("u to undo", "1 new from an agent")
			p.Advance(4 * time.Second) // each ends by itself
			p.WantText("1 new from an agent")
			p.WantNoText("u to undo")
		})
	}
}

// TestAWriteBeforeTheStoreWasOpenedIsNobodys: it may have been made by a Winnow that was
// here before.
func TestAWriteBeforeTheStoreWasOpenedIsNobodys(t *testing.T) {
	for name, c := range map[string]struct {
		ago  time.Duration
		says bool
	}{"lately": {4 * time.Second, true}, "long ago": {time.Hour, false}, "in the future": {-time.Hour, false}} {
		t.Run(name, func(t *testing.T) {
			curate(t, func(cfg *tui.Config) {
				cfg.Follower.(*tuitest.Bench).Change(func(s *memory.Snapshot) { s.ModTime = time.Now().Add(-c.ago) })
			}, func(t *testing.T, p *curated) {
				p.Press("a", "d")
				p.WantNoText("by another program", "written 0s ago")
				if c.says {
					p.WantText("The file was written 4 s ago: a running agent may undo this.")
				} else {
					p.WantNoText("was written")
				}
			})
		})
	}
}

func TestAClickOnAButtonOfADialogPressesIt(t *testing.T) {
	curate(t, nil, func(t *testing.T, p *curated) {
		p.Press("a", "d")
		for y, line := range strings.Split(p.Screen(), "\n") {
			if before, _, ok := strings.Cut(line, "Delete 3 (y)"); ok {
				p.Send(tea.MouseClickMsg{X: ansi.StringWidthWc(before), Y: y, Button: tea.MouseLeft})
			}
		}
		p.wantApplied(t, 1)
	})
}
