package views

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/views/theme"
)

// headers are of stores with short and long names, with little and much to say of them.
func headers() []Header {
	var all []Header
	tabs := []string{"Lessons", "Recall", "Audit 15!", "Inbox 12", "Stores"}
	for _, h := range []Header{
		{Path: "sessions/memory.jsonl", Short: "shop_api/memory.jsonl", Held: 84, Cap: 100, State: "* live"},
		{
			Path:  "Claude Code auto memory ~/work/a/long/way/down/shop_api",
			Short: "shop_api/auto memory",
			Count: "1043 memories",
			State: "READ-ONLY * poll, written 30s ago",
			Warn:  true,
		},
		{
			Path:  "~/x/" + strings.Repeat("deep/", 20) + "memory.jsonl",
			Short: strings.Repeat("deep", 20) + "/memory.jsonl",
			Held:  1,
			Cap:   100,
			State: "reading",
		},
		{
			Path:  "Kimchi MEMORY.md ~/.config/kimchi/harness/memory/MEMORY.md",
			Short: "Kimchi MEMORY.md",
			Count: "2 entries",
			State: "* live, written 3s ago",
		},
	} {
		for i := range tabs {
			h.Tabs, h.Active = tabs, i
			all = append(all, h)
		}
	}
	return all
}

var dark = theme.New(theme.Options{Name: theme.Dark})

// TestHeaderNamesTheStoreAtEveryWidth: d deletes without asking, so a person must see where.
func TestHeaderNamesTheStoreAtEveryWidth(t *testing.T) {
	for _, h := range headers() {
		name := regexp.MustCompile(regexp.QuoteMeta(h.Short[:5]) + "|" + regexp.QuoteMeta(h.Path[:5]))
		for w := 60; w <= 200; w++ {
			line := ansi.Strip(h.Render(dark, w))
			if Width(line) != w || !name.MatchString(line) {
				t.Fatalf("%d cells, want %q in %d: %q", Width(line), name, w, line)
			}
			if first, _, _ := strings.Cut(h.State, " "); !strings.Contains(line, first) {
				t.Fatalf("at %d no %q: %q", w, first, line)
			}
			for i := range h.Tabs {
				at := slices.IndexFunc(
					[]string{"[", " "},
					func(before string) bool { return strings.Contains(line, before+strconv.Itoa(i+1)) },
				)
				before, _, _ := strings.Cut(line, []string{"[", " "}[max(at, 0)]+strconv.Itoa(i+1))
				at = Width(before) + 1
				if got, ok := h.TabAt(dark, w, at); !ok || got != i {
					t.Fatalf("at %d, column %d is tab %d, want %d: %q", w, at, got, i, line)
				}
			}
		}
	}
}

// TestNoStoreScreenFitsTheSmallestTerminal: whatever can be done is on it.
func TestNoStoreScreenFitsTheSmallestTerminal(t *testing.T) {
	v := noStore
	v.Setups = []Setup{{"Claude Code", "winnow setup claudecode"}, {"OpenCode", "winnow setup opencode"}}
	out := ansi.Strip(v.Render(theme.New(theme.Options{}), 60, 11))
	for _, want := range []string{
		"O  ", "Enter", v.Setups[0].Command, v.Setups[1].Command, "fills by itself", "looked in 4 places",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	v.Unfolded = true
	if out = ansi.Strip(v.Render(theme.New(theme.Options{}), 60, 11)); !strings.Contains(out, "~/empty") {
		t.Errorf("the places are not shown:\n%s", out)
	}
}

// TestTabsHaveTheirNamesAt80 columns, whatever the records are called and however much there is to count.
func TestTabsHaveTheirNamesAt80(t *testing.T) {
	for _, records := range []string{"Lessons", "Memories", "Instructions", "Records"} {
		for _, h := range headers() {
			h.Tabs = []string{"Home", records, "Recall", "Audit 12!", "Inbox 2"}
			line := ansi.Strip(h.Render(dark, 80))
			for _, tab := range h.Tabs {
				if !strings.Contains(line, " "+tab) {
					t.Errorf("no tab %s: %q", tab, line)
				}
			}
		}
	}
}

// TestHeaderKeepsWordsWhereThereIsRoom: the active tab loses its word last.
func TestHeaderKeepsWordsWhereThereIsRoom(t *testing.T) {
	h := headers()[0]
	for w, want := range map[int]string{
		120: " winnow [1 Lessons]  2 Recall   3 Audit 15!   4 Inbox 12   5 Stores               sessions/memory.jsonl  84/100  * live ",
		80:  " [1 Lessons] 2 Recall  3 Audit 15!  4 Inbox 12  5 Stores  shop_api/memory…    * ",
		60:  " shop_api/memory.jsonl  [1] 2  3!  4  5      84/100  * live ",
	} {
		if got := ansi.Strip(h.Render(dark, w)); got != want {
			t.Errorf("at %d\n%q, want\n%q", w, got, want)
		}
	}
}
