package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/theme"
)

var storesNow = time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC)

func storeRow(path string, f func(*StoreRow)) StoreRow {
	r := StoreRow{
		Place: memory.Place{
			Store:  memory.StoreID("/home/u/" + path),
			System: "karnevil9",
			Path:   "~/" + path,
			Why:    "found below ~",
			Exists: true,
		},
		Loaded: true,
	}
	r.Summary = memory.Snapshot{
		Place:   r.Place,
		Held:    87,
		Cap:     100,
		Total:   87,
		Unused:  41,
		Size:    31415,
		Mode:    0o644,
		ModTime: storesNow.Add(-40 * time.Second),
		Git:     memory.GitTracked,
		Watch:   memory.WatchLive,
		Health: []memory.Health{
			{
				Code:  "lost",
				Level: memory.Warn,
				What:  "2 lines cannot be read and are lost at the agent's next save",
				Next:  "Copy them out, or repair them.",
				Lines: []int{41, 77},
				Count: 2,
			},
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
			s.Held = 100
			s.Unused = 0
			s.Writer = "pid 4711 holds journal.lock"
			s.Git = memory.GitIgnored
			s.Mode = 0o600
			s.Watch = memory.WatchPoll
			s.Health = []memory.Health{{Code: "frozen", Level: memory.Stop, What: "The store is frozen: all 100 lessons were recalled once, so that nothing can be learnt.", Next: "Delete lessons that no longer help."}}
		}),
		storeRow("missing/memory.jsonl", func(r *StoreRow) {
			r.Summary = memory.Snapshot{
				Problem: &memory.Problem{
					What: "The file does not exist.",
					Hint: "It appears when an agent ends its first session.",
				},
			}
		}),
		storeRow("slow/memory.jsonl", func(r *StoreRow) { r.Loaded, r.Summary = false, memory.Snapshot{} }),
		storeRow("denied/memory.jsonl", func(r *StoreRow) {
			r.Loaded = false
			r.Failed = "read memory.jsonl: permission denied"
		}),
	}
}

var looked = []memory.Looked{
	{Where: "KARNEVIL9_MEMORY_PATH", Note: "not set"},
	{Where: "~/proj/sessions", Found: 1},
	{Where: "~/.karnevil9", Note: "does not exist"},
}

// inFolder is what agents read in a project, with one of each kind of issue.
func inFolder() memory.Home {
	const root = "/home/u/src/shop"
	file := func(path string, kind memory.SourceKind, when memory.SourceWhen, bytes int) memory.HomeSource {
		return memory.HomeSource{
			Source: memory.Source{Path: path, Kind: kind, When: when, Bytes: int64(bytes)},
			Start:  memory.Size{Bytes: bytes},
			Inside: true,
		}
	}
	claude := memory.HomeAgent{
		Agent:    "Claude Code",
		System:   "claudecode",
		Start:    memory.Size{Bytes: 7300, TokensLow: 1800, TokensHigh: 2480},
		Files:    4,
		Notes:    12,
		LastNote: memory.Moment{Time: storesNow.Add(-50 * time.Hour)},
		Problems: []memory.HomeWords{
			{Level: memory.Stop, Text: "1 secret"},
			{Level: memory.Warn, Text: "index names 2 lost"},
		},
		Sources: []memory.HomeSource{
			file("/home/u/.claude/CLAUDE.md", memory.SourceInstructions, memory.AtStart, 312),
			file(root+"/CLAUDE.md", memory.SourceInstructions, memory.AtStart, 4100),
			file(root+"/docs/arch.md", memory.SourceImport, memory.AtStart, 2000),
			file(root+"/.claude/rules/go.md", memory.SourceRule, memory.WithFile, 600),
			file("/home/u/.claude/projects/-home-u-src-shop/memory/build.md", memory.SourceMemoryTopic,
				memory.WhenChosen, 400),
			file(root+"/docs/AGENTS.md", memory.SourceInstructions, memory.Never, 90),
		},
	}
	claude.Sources[2].Secrets, claude.Sources[1].Issues = 1, 3
	claude.Sources[3].Why, claude.Sources[5].Why = "It waits for a file that matches *.go.", "It is below the folder."
	codex := memory.HomeAgent{
		Agent: "Codex", System: "codex", Start: memory.Size{Bytes: 3600, TokensLow: 800, TokensHigh: 1020}, Files: 2,
		Sources: []memory.HomeSource{file(root+"/AGENTS.md", memory.SourceInstructions, memory.AtStart, 3600)},
	}
	lessons := memory.HomeAgent{
		Agent: "KarnEvil9", System: "karnevil9", OnRecall: true, Notes: 84, Problems: []memory.HomeWords{{Level: memory.Warn, Text: "2 lines will be lost"}},
		Sources: []memory.HomeSource{
			file(root+"/sessions/memory.jsonl", memory.SourceLessons, memory.WhenChosen, 31415),
		},
	}
	spot := func(name string, line int, text string) memory.Spot {
		return memory.Spot{File: root + "/" + name, Line: line, Text: text}
	}
	return memory.Home{
		Folder: root, Project: root, Stage: memory.HomeHistory, Files: 5, Notes: 96,
		Agents: []memory.HomeAgent{claude, codex, lessons, {Agent: "Gemini CLI"}, {Agent: "OpenCode"}},
		Issues: []memory.Issue{
			{
				Kind: memory.SilentlyUnread, Level: memory.Warn, Agents: []string{"Claude Code"}, Fingerprint: "1",
				What: "Claude Code does not read AGENTS.md, since it reads CLAUDE.md instead: 12 statements.", Places: []memory.Spot{spot("AGENTS.md", 3, "Deploy with make.")},
				Mend: &memory.Mend{What: "Import AGENTS.md in CLAUDE.md", File: root + "/CLAUDE.md", New: "@AGENTS.md"},
			},
			{
				Kind:        memory.Differ,
				Level:       memory.Warn,
				Agents:      []string{"Claude Code", "Codex"},
				Fingerprint: "2",
				Slots:       [2]string{"16", "15"},
				What:        "The version differs.",
				Places: []memory.Spot{
					spot("CLAUDE.md", 12, "Use Postgres 16"),
					spot("AGENTS.md", 8, "Use Postgres 15"),
				},
			},
			{
				Kind:        memory.OnlyOneTold,
				Level:       memory.Note,
				Fingerprint: "3",
				What:        "Only Claude Code is told “Never push to main” and 2 more.",
				Places:      []memory.Spot{spot("CLAUDE.md", 20, "Never push to main")},
			},
			{
				Kind:        memory.NoLongerTrue,
				Level:       memory.Warn,
				Fingerprint: "4",
				Slots:       [2]string{"linux/install.sh", "docker-ce/install.sh"},
				What:        "linux/install.sh was moved to docker-ce/install.sh 3 weeks ago.",
				Places:      []memory.Spot{spot("CLAUDE.md", 38, "Run `linux/install.sh`.")},
				More:        2,
			},
			{Kind: memory.NoLongerTrue, Fingerprint: "5", What: "meant so", Ignored: &memory.Ignore{}},
		},
		Same:      []memory.SharedText{{A: root + "/CLAUDE.md", B: root + "/AGENTS.md", Same: 63, OfA: 66, OfB: 64}},
		NotLooked: []string{"Not searched: plugins."},
	}
}

// homeWith is Home of that project, with the cursor on a row.
func homeWith(cursor int, change func(*Home)) Home {
	v := Home{
		Stores:  Stores{Ready: true, Rows: storeRows(), Looked: looked, Now: storesNow},
		Listing: Listing{Cursor: cursor},
		Read:    inFolder(),
		Asked:   true,
		Known:   true,
		Dir:     "/home/u",
	}
	if change != nil {
		change(&v)
	}
	return v
}

// homeScreens are the states of Home worth looking at.
var homeScreens = flat(map[string]Home{
	"project":    homeWith(0, nil),
	"agent full": homeWith(0, func(v *Home) { v.Layout = layout.DetailOnly }),
	"recalls":    homeWith(2, func(v *Home) { v.Read.Doing = "Asking git for what was moved and deleted." }),
	"idle":       homeWith(3, nil),
	"unread":     homeWith(4, nil),
	"difference": homeWith(5, func(v *Home) { v.Layout = layout.DetailOnly }),
	"gone":       homeWith(7, nil),
	"shared":     homeWith(8, nil),
	"one agent": homeWith(0, func(v *Home) {
		v.Read.Agents, v.Read.Issues, v.Read.Same = v.Read.Agents[1:2], nil, nil
	}),
	"ten agents": homeWith(9, func(v *Home) {
		v.Read.Agents = slices.Repeat(v.Read.Agents[:2], 5)
		v.Read.Agents[3].Stop = &memory.Problem{What: "a loop of links"}
	}),
	"hostile agents": homeWith(4, func(v *Home) {
		v.Read.Folder, v.Read.Doing = "\x1b]0;x\x07日本", "\n\u202E"
		v.Read.Agents[0].Agent, v.Read.Agents[0].Problems[0].Text = "\x1b[2J", "\r\u200b"
		v.Read.Issues[0].What, v.Read.Issues[0].Places[0].File = "\x9b\t", "/\u202E/\n"
		v.Read.Issues[0].Places[0].Text, v.Read.Issues[1].Slots[0] = "\x00", "\x1b"
	}),
	"reading": {Stores: Stores{Now: storesNow}, Asked: true},
	"looking": {Stores: Stores{Now: storesNow}},
	"none":    {Stores: Stores{Ready: true, Looked: looked, Now: storesNow}, Listing: Listing{Cursor: -1}},
	"typical": storesWith(0, Stores{Open: "/home/u/proj/sessions/memory.jsonl"}),
	"frozen":  storesWith(1, Stores{}),
	"missing": storesWith(2, Stores{}),
	"denied":  storesWith(4, Stores{}),
	"hostile": {
		Stores: Stores{
			Ready:  true,
			Looked: []memory.Looked{{Where: "\x1b]0;x\x07\u202E日本", Note: "\n"}},
			Rows: []StoreRow{
				storeRow("a\nb\x1b[31m/"+strings.Repeat("日本/", 60)+"m.jsonl", func(r *StoreRow) {
					r.Place.Why, r.Summary.Writer = "\x1b[2J", "\r\x9b"
					r.Summary.Health[0] = memory.Health{
						What:  "\t\u200B",
						Next:  "\x00",
						Level: 9,
						Lines: make([]int, 20),
						Count: 1000,
					}
				}),
			},
		},
	},
	"many": {Listing: Listing{Cursor: 30}, Stores: Stores{Ready: true, Now: storesNow, Rows: func() []StoreRow {
		var rows []StoreRow
		for i := range 40 {
			rows = append(rows, storeRow(fmt.Sprintf("p%d/memory.jsonl", i), nil))
		}
		return rows
	}()}},
})

// storesWith is Home with stores alone, and the cursor on one of them.
func storesWith(cursor int, s Stores) Home {
	s.Ready, s.Rows, s.Looked, s.Now = true, storeRows(), looked, storesNow
	return Home{Stores: s, Listing: Listing{Cursor: cursor}}
}

// flat lists the stores of each screen without headings.
func flat(screens map[string]Home) map[string]Home {
	for name, v := range screens {
		for i := range v.Rows {
			v.Lines = append(v.Lines, StoreLine{Row: i, Path: v.Rows[i].Place.Path})
		}
		v.Arrange()
		screens[name] = v
	}
	return screens
}

func TestHome(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	for name, v := range homeScreens {
		for _, w := range goldenWidths(name) {
			t.Run(fmt.Sprintf("%s/%d", strings.ReplaceAll(name, " ", "-"), w), func(t *testing.T) {
				golden.RequireEqual(t, ansi.Strip(v.Render(th, w, 30))+"\n")
			})
		}
	}
}

func TestTitleOfHomeHasOnlyWhatTheTerminalCanDraw(t *testing.T) {
	v := Home{Asked: true, Known: true, Read: inFolder()}
	title, _, _ := strings.Cut(ansi.Strip(v.Render(theme.New(theme.Options{ASCII: true}), 120, 30)), "\n")
	if !strings.Contains(title, "3 agents  ") || strings.IndexFunc(title, func(r rune) bool { return r > '~' }) >= 0 {
		t.Errorf("the title is %q", title)
	}
}

// Each width takes another seventh of the heights.
func TestHomeFitsEverySize(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	for name, v := range homeScreens {
		for w, h := range sizes(131, 41) {
			out := v.Render(th, w, h)
			assertSize(t, name, out, w, h)
			if strings.IndexFunc(strings.ReplaceAll(ansi.Strip(out), "\n", ""), isHiddenRune) >= 0 {
				t.Fatalf("%s %dx%d shows a hidden character: %q", name, w, h, out)
			}
		}
	}
}

func TestRowOfHomeUnderTheMouse(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Mono})
	v := homeScreens["many"]
	v.Offset = 20
	for h := 6; h < 40; h++ {
		lines := strings.Split(ansi.Strip(v.Render(th, 100, h)), "\n")
		for y, l := range lines {
			row, ok := v.ItemAt(100, h, 0, y)
			list := string([]rune(l)[:v.Panes(100, h).List.Dx()])
			want := fmt.Sprintf("~/p%d/memory.jsonl ", row)
			if ok != (y > 0 && strings.Contains(list, "/memory.jsonl ")) || ok && !strings.Contains(list, want) {
				t.Fatalf("height %d, line %d is row %d, %v: %s", h, y, row, ok, l)
			}
		}
	}
}

func TestNoOrphanHomeGoldens(t *testing.T) {
	named := map[string]Home{}
	for name, v := range homeScreens {
		named[strings.ReplaceAll(name, " ", "-")] = v
	}
	orphans(t, "TestHome", named)
}

func TestHomeSaysWhatFailedAgainAndAgain(t *testing.T) {
	v := Home{Asked: true, Known: true, Stores: Stores{Ready: true}, Listing: NewListing()}
	v.Read = memory.Home{Folder: "/p", Failing: "rtk bun in 62 of 97 sessions: rtk: command not found"}
	v.Arrange()
	got := v.Render(theme.New(theme.Options{Name: theme.Mono}), 120, 20)
	for _, want := range []string{"Failed again and again", "rtk bun in 62 of 97 sessions", "winnow failures"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
}
