package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/memory"
	"winnow/views/theme"
)

var storesNow = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func storeRow(path string, f func(*StoreRow)) StoreRow {
	r := StoreRow{Place: memory.Place{Store: memory.StoreID("/home/u/" + path), System: "karnevil9", Path: "~/" + path, Why: "found below ~", Exists: true}, Loaded: true}
	r.Summary = memory.Snapshot{
		Place: r.Place, Held: 87, Cap: 100, Total: 87, Unused: 41, Size: 31415, Mode: 0o644, ModTime: storesNow.Add(-40 * time.Second),
		Git: memory.GitTracked, Watch: memory.WatchLive,
		Health: []memory.Health{
			{Code: "lost", Level: memory.Warn, What: "2 lines cannot be read and are lost at the agent's next save", Next: "Copy them out, or repair them.", Lines: []int{41, 77}, Count: 2},
			{Code: "git", Level: memory.Good, What: "The file is tracked by git."},
		},
	}
	if f != nil {
		f(&r)
	}
	return r
}

func storeRows() []StoreRow {
	return []StoreRow{
		storeRow("proj/sessions/memory.jsonl", nil),
		storeRow("work/agents/sessions/memory.jsonl", func(r *StoreRow) {
			s := &r.Summary
			s.Held, s.Unused, s.Writer, s.Git, s.Mode, s.Watch = 100, 0, "pid 4711 holds journal.lock", memory.GitIgnored, 0o600, memory.WatchPoll
			s.Health = []memory.Health{{Code: "frozen", Level: memory.Stop, What: "The store is frozen: all 100 lessons were recalled once, so that nothing can be learnt.", Next: "Delete lessons that no longer help."}}
		}),
		storeRow("missing/memory.jsonl", func(r *StoreRow) {
			r.Summary = memory.Snapshot{Problem: &memory.Problem{What: "The file does not exist.", Hint: "It appears when an agent ends its first session."}}
		}),
		storeRow("slow/memory.jsonl", func(r *StoreRow) { r.Loaded, r.Summary = false, memory.Snapshot{} }),
		storeRow("denied/memory.jsonl", func(r *StoreRow) { r.Loaded, r.Failed = false, "read memory.jsonl: permission denied" }),
	}
}

var looked = []memory.Looked{
	{Where: "KARNEVIL9_MEMORY_PATH", Note: "not set"}, {Where: "~/proj/sessions", Found: 1}, {Where: "~/.karnevil9", Note: "does not exist"},
}

// storeScreens are the states of the stores screen worth looking at.
var storeScreens = flat(map[string]Stores{
	"looking": {Now: storesNow},
	"none":    {Ready: true, Looked: looked, Listing: Listing{Cursor: -1}, Now: storesNow},
	"typical": {Ready: true, Rows: storeRows(), Looked: looked, Open: "/home/u/proj/sessions/memory.jsonl", Now: storesNow},
	"frozen":  {Ready: true, Rows: storeRows(), Looked: looked, Listing: Listing{Cursor: 1}, Now: storesNow},
	"missing": {Ready: true, Rows: storeRows(), Looked: looked, Listing: Listing{Cursor: 2, Detail: true, Scroll: 1}, Now: storesNow},
	"denied":  {Ready: true, Rows: storeRows(), Looked: looked, Listing: Listing{Cursor: 4}, Now: storesNow},
	"hostile": {Ready: true, Listing: Listing{Cursor: 0}, Looked: []memory.Looked{{Where: "\x1b]0;x\x07\u202E日本", Note: "\n"}}, Rows: []StoreRow{
		storeRow("a\nb\x1b[31m/"+strings.Repeat("日本/", 60)+"m.jsonl", func(r *StoreRow) {
			r.Place.Why, r.Summary.Writer = "\x1b[2J", "\r\x9b"
			r.Summary.Health[0] = memory.Health{What: "\t\u200B", Next: "\x00", Level: 9, Lines: make([]int, 20), Count: 1000}
		}),
	}},
	"many": {Ready: true, Now: storesNow, Listing: Listing{Cursor: 30}, Rows: func() []StoreRow {
		var rows []StoreRow
		for i := range 40 {
			rows = append(rows, storeRow(fmt.Sprintf("p%d/memory.jsonl", i), nil))
		}
		return rows
	}()},
})

// flat lists the stores of each screen without headings.
func flat(screens map[string]Stores) map[string]Stores {
	for name, v := range screens {
		for i := range v.Rows {
			v.Lines = append(v.Lines, StoreLine{Row: i, Path: v.Rows[i].Place.Path})
		}
		screens[name] = v
	}
	return screens
}

func TestStores(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	for name, v := range storeScreens {
		for _, w := range goldenWidths {
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				golden.RequireEqual(t, ansi.Strip(v.Render(th, w, 20))+"\n")
			})
		}
	}
}

// Each width takes another seventh of the heights.
func TestStoresFitEverySize(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	for name, v := range storeScreens {
		for w := range 131 {
			for h := w % apart; h <= 40; h += apart {
				out := v.Render(th, w, h)
				assertSize(t, name, out, w, h)
				if strings.IndexFunc(strings.ReplaceAll(ansi.Strip(out), "\n", ""), isHiddenRune) >= 0 {
					t.Fatalf("%s %dx%d shows a hidden character: %q", name, w, h, out)
				}
			}
		}
	}
}

func TestStoreUnderTheMouse(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	v := storeScreens["many"]
	for h := 6; h < 40; h++ {
		lines := strings.Split(ansi.Strip(v.Render(th, 100, h)), "\n")
		for y, l := range lines {
			row, ok := v.ItemAt(100, h, 0, y)
			if want := fmt.Sprintf("~/p%d/memory.jsonl ", row); ok != (strings.Contains(l, "/memory.jsonl ") && y < v.Panes(100, h).Detail.Min.Y) || ok && !strings.Contains(l, want) {
				t.Fatalf("height %d, line %d is row %d, %v: %s", h, y, row, ok, l)
			}
		}
	}
}

func TestNoOrphanStoresGoldens(t *testing.T) { orphans(t, "TestStores", storeScreens) }
