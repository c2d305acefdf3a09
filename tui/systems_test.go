package tui_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui"
	"winnow/tui/page"
	"winnow/tui/pages/home"
	"winnow/tui/pages/lessons"
	"winnow/tui/pages/recall"
	"winnow/tui/tuitest"
	"winnow/views/theme"
)

const token = "ghp_0123456789abcdefghij0123456789abcdef"

func hideToken(s string) string { return strings.ReplaceAll(s, token, "ghp_***") }

var memoryNoun = memory.Noun{One: "memory", Many: "memories"}

// machine has three stores of two systems.
func machine() *tuitest.Machine {
	m := &tuitest.Machine{}
	at := func(system memory.SystemID, name, path, project string) memory.Place {
		return memory.Place{
			Store:   memory.At(system, "/home/u/"+path),
			System:  system,
			Path:    "~/" + path,
			Name:    name,
			Project: project,
		}
	}
	kin := []memory.Kin{
		{Store: "claudecode:/home/u/shop", ID: "b", Title: "Use pnpm", Contrary: true, Why: "npm, and here pnpm"},
	}
	m.Add(at("kimchi", "MEMORY.md", "mem", ""), tuitest.MachineStore{
		Snapshot: memory.Snapshot{Noun: memory.Noun{One: "entry", Many: "entries"}, Records: []memory.Record{
			{ID: "1", Title: "Use npm", Raw: "Use npm", RawLen: 7, Elsewhere: kin, Flags: memory.FlagContradicts},
			{ID: "2", Title: "Fixed one", Raw: "x", Fixed: "It is pinned by its system."},
		}},
		Tally: memory.Tally{High: 2},
	})
	m.Add(at("claudecode", "project", "shop", "/home/u/shop"), tuitest.MachineStore{
		Snapshot: memory.Snapshot{
			Described: memory.Description{System: "Claude Code"},
			Noun:      memoryNoun, Scopes: []memory.Scope{{Name: "user"}, {Name: "auto"}},
			Records: []memory.Record{
				{ID: "a", Title: "A rule", Kind: "rule", Scope: "user"},
				{ID: "b", Title: "Use pnpm", Body: "say " + token, Kind: "feedback", Scope: "auto",
					Secrets: []memory.Secret{{Field: memory.InBody, Start: 4, End: 4 + len(token)}}},
			},
		},
		Recall: memory.Recall{
			Block: memory.Block{
				Name:  "reminder",
				Text:  "first part\nsecond part\n",
				Parts: []memory.Part{{Name: "one", End: 11}, {Name: "two", Start: 11, End: 23, ID: "b"}},
			},
			Also: []memory.Block{{Name: "caveat", Text: "it is old"}}, Estimate: "A model chooses.",
			LastSession: &memory.LastSession{
				Differs: []memory.Difference{{Name: "two", Was: "before " + token, Now: "after"}},
			},
		},
	})
	m.Add(
		at("claudecode", "sessions", "shop/db", "/home/u/shop"),
		tuitest.MachineStore{Snapshot: memory.Snapshot{Noun: memoryNoun}, Err: errors.New("the database is damaged")},
	)
	return m
}

// onMachine starts all pages on a machine, the stores first.
func onMachine(t *testing.T, m *tuitest.Machine, w, h int) *tuitest.Driver {
	d, _ := leftOn(t, m, w, h, func(*tui.Config) {})
	return d
}

// leftOn starts all pages as onMachine does, with what change does to their configuration.
func leftOn(t *testing.T, m *tuitest.Machine, w, h int, change func(*tui.Config)) (*tuitest.Driver, *tui.App) {
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	km, names := keymap.Default(), map[memory.SystemID]string{"claudecode": "Claude Code", "kimchi": "Kimchi"}
	c := tui.Config{
		Keys:     km,
		Theme:    theme.Options{Name: theme.Mono},
		Follower: m,
		Searcher: m,
		Survey:   m.Survey,
		Now:      time.Now,
		First:    2,
		Recall:   1,
		Names:    names, Mask: hideToken,
	}
	change(&c)
	c.Pages = []page.Page{
		lessons.New(ctx, lessons.Config{Keys: c.Keys, Survey: m.Survey, Names: names, Columns: c.Settings.Columns}),
		recall.New(ctx, recall.Config{Keys: c.Keys, Recaller: m, Survey: m.Survey}),
		home.New(
			ctx,
			home.Config{
				Keys:       c.Keys,
				Surveyor:   m,
				Summarizer: m,
				Tallier:    m,
				Survey:     m.Survey,
				Names:      names,
				First:      c.First == 2,
			},
		),
	}
	app := tui.New(ctx, c)
	d := tuitest.New(t, app, w, h)
	d.Advance(time.Second)
	return d, app
}

func TestStoresAreListedBySystemAndProject(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.WantText(
			"- Kimchi (1)",
			"- Claude Code (2)",
			"- ~/shop (2)",
			"2 entries",
			"2 memories",
			"2 high",
			"! the database is damaged",
		)
		d.Press("j", "j", "h") // on the heading of the project
		d.WantText("+ ~/shop (2)")
		d.Press("enter")
		d.WantText("- ~/shop (2)")
	})
}

func TestFilterOfStoresKeepsTheirHeadings(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.Press("/")
		d.Type("claude sess")
		d.WantText("1 of 3 stores", "- Claude Code (1)", ">    sessions")
		d.Press("esc")
		d.WantText("3 stores", "- Kimchi (1)")
	})
}

// TestStoresThatCanBeSeenAreReadFirst, a few at a time; and those alone are audited.
func TestStoresThatCanBeSeenAreReadFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &tuitest.Machine{}
		for i := range 300 {
			path := fmt.Sprintf("p%03d", i)
			m.Add(
				memory.Place{
					Store:   memory.At("claudecode", "/home/u/"+path),
					System:  "claudecode",
					Path:    "~/" + path,
					Name:    "project",
					Project: "/home/u/" + path,
				},
				tuitest.MachineStore{
					Slow:     10 * time.Millisecond,
					Snapshot: memory.Snapshot{Noun: memoryNoun, Total: 50},
				},
			)
		}
		d := onMachine(t, m, 120, 35)
		d.Advance(time.Minute)
		a := m.Asked()
		if len(a.Summaries) != 300 || a.MostReading > 4 {
			t.Errorf("%d summaries, at most %d at a time", len(a.Summaries), a.MostReading)
		}
		if n := len(a.Tallies); n == 0 || n > 30 || a.MostAuditing > 2 {
			t.Errorf("%d stores audited, at most %d at a time", n, a.MostAuditing)
		}
		d.Press("G")
		d.Advance(time.Second)
		if n := m.Asked().Tallies; !slices.Contains(n, memory.At("claudecode", "/home/u/p299")) {
			t.Errorf("what came into sight was not audited: %v", n)
		}
	})
}

func TestSearchGoesToTheRecordInItsStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.Press("*")
		d.Type("pnpm")
		d.Advance(time.Second)
		d.WantText("1 found", "Claude Code  project  ~/shop", "Use pnpm", "1 store not read whole")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("[1 Memories]", "Claude Code project ~/shop", "2 of 2", ">  Use pnpm")
	})
}

func TestSearchIsBoundedAndCancelled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		m.Stores["kimchi:/home/u/mem"].Many, m.Stores["kimchi:/home/u/mem"].Title = 2500, "many of a kind"
		d := onMachine(t, m, 120, 35)
		d.Press("*")
		d.Type("kind")
		d.Advance(time.Second)
		d.WantText("1000 found", "1500 more are not listed")
		m.Stores["kimchi:/home/u/mem"].Slow = time.Hour
		d.Type("x")
		d.Advance(time.Second)
		d.Press("esc")
		d.Advance(time.Second)
		if n := m.Asked().Cancelled; n != 1 {
			t.Errorf("%d searches were given up", n)
		}
	})
}

// TestASlowStoreHoldsUpNoHits: what it has comes later, in its place among the others, and the cursor
// stays on its record.
func TestASlowStoreHoldsUpNoHits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		m.Stores["kimchi:/home/u/mem"].Slow = time.Minute
		d := onMachine(t, m, 120, 35)
		d.Press("*")
		d.Type("use")
		d.Advance(time.Second)
		d.WantText("1 found", ">   Use pnpm")
		d.WantNoText("Use npm")
		d.Advance(time.Minute)
		d.WantText("2 found", ">   Use pnpm")
		if s := d.Screen(); strings.Index(s, "Use npm") > strings.Index(s, "Use pnpm") ||
			strings.Count(s, "Kimchi  MEMORY.md") != 1 {
			t.Errorf("the slow store is not in its place:\n%s", s)
		}
	})
}

func TestSecretsOfOtherStoresAreMasked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.Press("*")
		d.Type("say")
		d.Advance(time.Second)
		d.Press("enter")
		d.Advance(time.Second)
		d.Press("2")
		d.Advance(time.Second)
		d.Press("D")
		d.WantText("two", "- before ghp_***", "+ after")
		d.WantNoText(token)
		d.Press("X")
		d.WantText(token)
	})
}

func TestRecordsAreCalledAsTheirSystemCallsThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText(
			"[1 Entries]",
			"Kimchi MEMORY.md ~/mem",
			"2 entries",
			"contradicts \"Use pnpm\" in Claude Code project",
		)
		d.WantNoText("Rel", "Task summary", "age alone never removes it")
		d.Press("K")
		d.Advance(time.Second)
		d.WantText("[1 Memories]", "2 of 2")
	})
}

func TestScopesAreShownAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.Press("j", "j", "j", "enter")
		d.Advance(time.Second)
		d.WantText("2 of 2", "Scope")
		d.Press("s", "s")
		d.WantText("scope auto", "1 of 2", "Use pnpm")
		d.Press("esc")
		d.WantText("2 of 2")
	})
}

// TestWhatIsInjectedAtEveryStartIsShownWithoutTask, piece by piece, each at its place.
func TestWhatIsInjectedAtEveryStartIsShownWithoutTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := machine()
		d := onMachine(t, m, 120, 35)
		d.Press("j", "j", "j", "enter", "2")
		d.Advance(time.Second)
		d.WantText(
			"What does Claude Code get at every start?",
			"estimate: A model chooses.",
			"> 1",
			"one",
			"two",
			"caveat",
			"|first part",
			"1/2 reminder",
		)
		d.Press("j", "j")
		d.WantText("2/2 caveat", "|it is old")
		d.Press("s")
		d.Advance(time.Second)
		if all := m.Asked().Recalls; all[len(all)-1].Scope != "user" {
			t.Errorf("asked for %+v", all[len(all)-1])
		}
		d.Press("f")
		d.Type("/home/u/shop src/a.go")
		d.Press("enter")
		d.Advance(time.Second)
		if all := m.Asked().Recalls; all[len(all)-1].Folder != "/home/u/shop" ||
			!slices.Equal(all[len(all)-1].Files, []string{"src/a.go"}) {
			t.Errorf("asked for %+v", all[len(all)-1])
		}
	})
}

func TestSwitcherKnowsSystemsAndProjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := onMachine(t, machine(), 120, 35)
		d.Press("S")
		d.Type("claude proj")
		d.WantText("Claude Code     project")
		d.WantNoText("MEMORY.md   ")
		d.Press("enter")
		d.Advance(time.Second)
		d.WantText("Claude Code project ~/shop", "2 memories")
	})
}

func TestEverySizeIsDrawn(t *testing.T) {
	for _, size := range [][2]int{{120, 35}, {80, 24}, {60, 15}, {40, 10}, {10, 3}, {1, 1}} {
		synctest.Test(t, func(t *testing.T) {
			d := onMachine(t, machine(), size[0], size[1])
			for _, k := range []string{
				"1", "2", "3", "*", "esc", "S", "esc", "j", "j", "enter", "2", "D", "D", "b", "b", "b", "tab", "j",
				"esc", "?",
			} {
				d.Press(k)
				d.Advance(200 * time.Millisecond)
				for _, l := range strings.Split(d.Screen(), "\n") {
					if len([]rune(l)) > size[0] {
						t.Fatalf("%v after %s: %q", size, k, l)
					}
				}
			}
		})
	}
}
