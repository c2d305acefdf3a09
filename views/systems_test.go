package views

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"winnow/core/memory"
	"winnow/views/layout"
	"winnow/views/theme"
)

// systemScreen is a view of stores of many systems.
type systemScreen struct {
	render func(t theme.Theme, w, h int) string
	h      int
}

var systemNames = map[memory.SystemID]string{"karnevil9": "KarnEvil9", "claudecode": "Claude Code", "kimchi": "Kimchi"}

// leak is what stands in for a secret, and hideLeak for what finds it.
const leak = "ghp_0123456789abcdefghij0123456789abcdef"

func hideLeak(s string) string { return strings.ReplaceAll(s, leak, "ghp_************") }

func memories(n int) memory.Snapshot {
	return memory.Snapshot{
		Noun:    memory.Noun{One: "memory", Many: "memories"},
		Total:   n,
		Size:    4096,
		ModTime: storesNow.Add(-3 * time.Hour),
		Start:   memory.Size{Bytes: 3200, TokensLow: 700, TokensHigh: 1100},
		Git:     memory.GitTracked,
		Usage: []memory.Usage{
			{Name: "index lines", Used: 134, Limit: 200},
			{Name: "MEMORY.md", Text: "67% — 1,474/2,200 chars"},
		},
	}
}

func systemRow(system memory.SystemID, name, path, project string, s memory.Snapshot) StoreRow {
	place := memory.Place{
		Store:   memory.At(system, "/home/u/"+path),
		System:  system,
		Path:    "~/" + path,
		Name:    name,
		Project: project,
		Exists:  true,
	}
	s.Place = place
	return StoreRow{
		Place:   place,
		Summary: s,
		Loaded:  true,
		Tally:   memory.Tally{High: 4, Medium: 2, Low: 1},
		Tallied: true,
	}
}

// groupedStores are stores of three systems, one below the heading of a project.
func groupedStores() Home {
	busy := memories(12)
	busy.Running = []memory.Running{
		{PID: 4711, State: "busy", Session: "s1", Folder: "/home/u/shop", Since: storesNow.Add(-time.Hour)},
	}
	busy.Scopes = []memory.Scope{{Name: "user", Records: 4}, {Name: "auto memory", Records: 8, Note: "10 files"}}
	busy.Facts = []memory.Fact{{Name: "auto memory", Text: "/home/u/.claude/projects/-home-u-shop/memory"}}
	fixed := memories(11)
	fixed.ReadOnly, fixed.Usage, fixed.Start = "It is written by another program.", nil, memory.Size{}
	broken := memory.Snapshot{
		Problem: &memory.Problem{What: "The database is damaged.", Hint: "Copy it, then try its own repair."},
	}
	lessons := memory.Snapshot{
		Noun:    memory.Noun{One: "lesson", Many: "lessons"},
		Total:   87,
		Held:    87,
		Cap:     100,
		ModTime: storesNow,
	}
	v := Home{Stores: Stores{
		Ready: true, Names: systemNames, Now: storesNow, Looked: looked, Mask: hideLeak,
		Rows: []StoreRow{
			systemRow("karnevil9", "", "shop/sessions/memory.jsonl", "", lessons),
			systemRow("claudecode", "user", ".claude", "", memories(5)),
			systemRow("claudecode", "project", "shop", "/home/u/shop", busy),
			systemRow("claudecode", "sessions", "shop/x.db", "/home/u/shop", fixed),
			systemRow("kimchi", "MEMORY.md", ".kimchi/memories", "/home/u/site", broken),
			{Place: memory.Place{Store: "/home/u/slow", System: "kimchi", Path: "~/slow", Exists: true}},
		},
	}}
	v.Lines = []StoreLine{
		{Row: 0, Heading: "KarnEvil9", Of: []int{0}}, {Row: 0, Depth: 1, Path: "~/shop/sessions/memory.jsonl"},
		{Row: 1, Heading: "Claude Code", Of: []int{1, 2, 3}}, {Row: 1, Depth: 1, Name: "user", Path: "~/.claude"},
		{Row: 2, Depth: 1, Heading: "~/shop", Of: []int{2, 3}},
		{Row: 2, Depth: 2, Name: "project"},
		{Row: 3, Depth: 2, Name: "sessions"},
		{Row: 4, Heading: "Kimchi", Of: []int{4, 5}},
		{Row: 4, Depth: 1, Name: "MEMORY.md", Path: "~/site"},
		{Row: 5, Depth: 1, Path: "~/slow"},
	}
	return v
}

func withStores(change func(*Home)) systemScreen {
	v := groupedStores()
	change(&v)
	v.Arrange()
	return systemScreen{h: 24, render: v.Render}
}

func foundRecords() Everywhere {
	return Everywhere{
		Search: Search{Query: "token", Cursor: 1}, Stores: 9, Found: 2, More: 3, Read: 812, Done: true,
		Unread: []memory.Unread{{Path: "~/damaged.db", Problem: &memory.Problem{What: "damaged"}}},
		Lines: []FoundLine{
			{Store: "/a", Heading: "Claude Code  project  ~/shop"},
			{
				Store:        "/a",
				ID:           "a.md",
				Title:        "Rotate the token " + leak,
				TitleSecrets: [][2]int{{17, 17 + len(leak)}},
				Kind:         "feedback",
				Scope:        "auto memory",
				Text:         "a token\nfor staging",
			},
			{Store: "/b", Heading: "Kimchi  MEMORY.md  ~/.kimchi"},
			{Store: "/b", ID: "1", Title: "日本語 token", Text: "x " + leak, TextSecrets: [][2]int{{2, 2 + len(leak)}}},
		},
	}
}

// otherRecall is what a system of several texts injects for a task.
func otherRecall() Recall {
	first := blockOf("# Instructions\n- Use pnpm.\n", "\n# Memory\n- [Testing](t.md)\n- token ",
		mark(memory.MarkSecret, leak), "\n")
	first.Where, first.Name = "first user message", "system reminder"
	first.Parts = []memory.Part{
		{
			Name:       "project instructions",
			Path:       "/home/u/shop/CLAUDE.md",
			Start:      0,
			End:        27,
			TokensLow:  7,
			TokensHigh: 14,
			ID:         "CLAUDE.md",
		},
		{Name: "memory index", Path: "/home/u/shop/MEMORY.md", Start: 28, End: len(first.Text), TokensLow: 9, TokensHigh: 30, Note: "first 200 of 231 lines"},
	}
	also := blockOf("This memory is 32 days old.\n")
	also.Where, also.Name = "tool result", "caveat"
	return Recall{
		Box:       TextBox{Text: "fix the tests"},
		Task:      memory.Task{Text: "fix the tests", Scope: "auto memory"},
		Ready:     true,
		Listing:   NewListing(),
		Markers:   true,
		Wrap:      true,
		Described: memory.Description{System: "Claude Code"},
		Noun:      memory.Noun{One: "memory", Many: "memories"},
		Scopes:    3,
		Mask:      hideLeak,
		Result: memory.Recall{
			Block: first, Also: []memory.Block{also}, Found: 2, Limit: 1,
			Estimate: "The model chooses which topics it reads; the order here is a guess.",
			Hits: []memory.Hit{
				{
					ID:       "t.md",
					Rank:     1,
					Points:   4.05,
					Why:      "flaky, tests",
					Title:    "Integration tests must hit a real database",
					Body:     "# Testing\nNo mocks.\ntoken " + leak,
					Recalled: true,
					Kind:     "feedback",
					Secrets:  []memory.Secret{{Field: memory.InBody, Start: 26, End: 26 + len(leak)}},
				},
				{
					ID:      "r.md",
					Rank:    2,
					Score:   2,
					Title:   "Senior engineer",
					Matches: []memory.Match{{Word: "tests", Times: 1}},
					Flags:   memory.FlagInjection,
				},
			},
			Notes: []string{"2 rules with globs come with files only. " + leak},
			LastSession: &memory.LastSession{
				Session: "2b802e19",
				Source:  "its transcript",
				At:      storesNow,
				Running: true,
				Differs: []memory.Difference{
					{
						Name: "memory index",
						Path: "/home/u/shop/MEMORY.md",
						Was:  "# Memory\n- old " + leak + "\n- kept\n",
						Now:  "# Memory\n- new\n- kept\n",
					},
					{Name: "style", Now: "Be brief.\n"}, {Name: "gone", Was: "x\n"},
				},
			},
		},
	}
}

func withRecall(change func(*Recall)) systemScreen {
	v := otherRecall()
	change(&v)
	return systemScreen{h: 24, render: v.Render}
}

// memoryRecord is a record with all that only some systems have.
func memoryRecord() memory.Record {
	return memory.Record{
		ID:      "t.md",
		Line:    3,
		Kind:    "feedback",
		Scope:   "auto memory",
		File:    "/home/u/shop/t.md",
		Title:   "Integration tests must hit a real database",
		Body:    "# Testing\nNo mocks, " + leak + "\nsecond line",
		Raw:     "---\nx: y\n---\n# Testing\n",
		RawLen:  24,
		Created: memory.Moment{Text: "x", Time: storesNow.Add(-400 * time.Hour)},
		Flags:   memory.FlagUnseen | memory.FlagStale | memory.FlagContradicts,
		Facts: []memory.Fact{
			{Name: "globs", Text: "src/**/*.go"},
			{Name: "a long name of a fact", Text: "token " + leak},
		},
		Notes:   []string{"No line of the index names it: it is never loaded."},
		Fixed:   "It is written by another program.",
		Secrets: []memory.Secret{{Field: memory.InBody, Start: 20, End: 20 + len(leak)}},
		Elsewhere: []memory.Kin{
			{Store: "/other", ID: "1", Title: "Use npm " + leak, Contrary: true, Why: "pnpm, and here npm"},
			{Store: "/third", ID: "2", Title: "Tests hit the database"},
		},
	}
}

func recordDisplay() Display {
	return DisplayOf(memory.Snapshot{
		Noun:    memory.Noun{One: "memory", Many: "memories"},
		Records: []memory.Record{memoryRecord(), {Title: "b", Scope: "user"}},
	})
}

func recordDetail(raw bool) RecordDetail {
	r := memoryRecord()
	return RecordDetail{
		Record:  &r,
		Now:     storesNow,
		Display: recordDisplay(),
		Raw:     raw,
		Mask:    hideLeak,
		Stores:  map[memory.StoreID]string{"/other": "OpenCode ~/shop"},
	}
}

func recordTable() RecordTable {
	return RecordTable{
		Records: []memory.Record{
			memoryRecord(),
			{Title: "A rule", Kind: "rule", Scope: "user"},
			{Title: "日本語", Scope: strings.Repeat("long ", 20)},
		},
		Index: []int32{0, 1, 2}, RangeFrom: -1, Now: storesNow, Display: recordDisplay(), Mask: hideLeak,
	}
}

func lined(lines func(theme.Theme, int) []string) func(theme.Theme, int, int) string {
	return func(t theme.Theme, w, h int) string { return Fill(theme.Theme{}, lines(t, w), w, h) }
}

func askedPlan() memory.Plan {
	r := memoryRecord()
	return memory.Plan{
		Order: memory.Order{Do: memory.Delete}, Asks: "Claude Code runs here (pid 4711).",
		Changes: []memory.Change{
			{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw},
			{
				Do:        memory.Editing,
				ID:        "MEMORY.md",
				Companion: true,
				Record:    memory.Record{ID: "MEMORY.md", Title: "Memory index", Kind: "index", Raw: "a b"},
				Before:    "a b",
				Edited:    memory.Record{ID: "MEMORY.md", Title: "Memory index", Kind: "index", Raw: "a"},
				After:     "a",
			},
		},
	}
}

func systemScreens() map[string]systemScreen {
	found := foundRecords()
	return map[string]systemScreen{
		"stores":         withStores(func(v *Home) { v.Cursor, v.Open = 5, v.Rows[1].Place.Store }),
		"stores-heading": withStores(func(v *Home) { v.Cursor = 7 }),
		"stores-broken":  withStores(func(v *Home) { v.Cursor = 8 }),
		"stores-folded": withStores(func(v *Home) {
			v.Lines = []StoreLine{{Heading: "Claude Code", Of: []int{1, 2, 3}, Folded: true, Row: 1}}
		}),
		"stores-filter":  withStores(func(v *Home) { v.Filter, v.Typing, v.Lines, v.Cursor = "user", true, v.Lines[2:4], 1 }),
		"stores-nothing": withStores(func(v *Home) { v.Filter, v.Typing, v.Lines = "zzz", true, []StoreLine{} }),
		"stores-sorted": withStores(func(v *Home) {
			v.Flat = true
			v.Sorted = "size at start"
			v.Lines = []StoreLine{{Row: 2, Name: "project", Path: "~/shop"}, {Row: 1, Name: "user", Path: "~/.claude"}}
		}),
		"everywhere":           {h: 16, render: drawn(found.Dialog)},
		"everywhere-empty":     {h: 12, render: drawn(Everywhere{Stores: 9}.Dialog)},
		"everywhere-searching": {h: 12, render: drawn(Everywhere{Search: Search{Query: "x"}, Stores: 9}.Dialog)},
		"everywhere-nothing": {
			h:      12,
			render: drawn(Everywhere{Search: Search{Query: "x"}, Stores: 9, Done: true, Read: 40}.Dialog),
		},
		"recall-hits":   withRecall(func(*Recall) {}),
		"recall-parts":  withRecall(func(v *Recall) { v.Pieces, v.Cursor, v.Scroll = true, 1, 2 }),
		"recall-start":  withRecall(func(v *Recall) { v.Box, v.Result.Hits, v.Task.Text = TextBox{}, nil, "" }),
		"recall-folder": withRecall(func(v *Recall) { v.For, v.Task.Folder = FolderLine, "/home/u/shop" }),
		"recall-got":    withRecall(func(v *Recall) { v.Panel, v.Detail = PanelSession, true }),
		"recall-unknown": withRecall(func(v *Recall) {
			v.Panel, v.Result.LastSession = PanelSession, &memory.LastSession{Unknown: "no transcript"}
		}),
		"recall-explain": withRecall(func(v *Recall) { v.Panel = PanelExplain }),
		"recall-block":   withRecall(func(v *Recall) { v.Layout, v.Detail, v.Block = layout.DetailOnly, true, 1 }),
		"recall-reading": withRecall(func(v *Recall) { v.Ready, v.Result = false, memory.Recall{} }),
		"recall-failed":  withRecall(func(v *Recall) { v.Ready, v.Result, v.Failed = false, memory.Recall{}, "no "+leak }),
		"recall-nothing": withRecall(func(v *Recall) { v.Result = memory.Recall{Empty: "There is no MEMORY.md."} }),
		"record":         {h: 40, render: lined(recordDetail(false).Lines)},
		"record-brief": {
			h:      16,
			render: lined(func() RecordDetail { v := recordDetail(false); v.Tight = true; return v }().Lines),
		},
		"record-raw": {h: 10, render: lined(recordDetail(true).Lines)},
		"table": {
			h:      6,
			render: lined(func(t theme.Theme, w int) []string { return recordTable().Lines(t, w, 6) }),
		},
		"switcher": {
			h: 14,
			render: drawn(Switcher{Search: Search{Title: "Jump to", Typing: true, Cursor: 1}, Places: []memory.Place{
				groupedStores().Rows[1].Place,
				groupedStores().Rows[2].Place,
				{Store: "/w", System: "kimchi", Path: "."},
			}, Names: systemNames}.Dialog),
		},
		"asked": {h: 24, render: drawnAs(Look{Now: storesNow}, Confirm{Planned{Plan: askedPlan()}}.Dialog, "Cancel", "Do it anyway (o)")},
		"filterline": {h: 1, render: func(t theme.Theme, w, _ int) string {
			return FilterLine{
				Scope: "auto memory",
				Sort:  "as stored",
				Shown: 3,
				Total: 9,
				Hint:  "type to filter: kind:rule",
			}.Render(
				t, w,
			)
		}},
	}
}

func TestSystems(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	for name, s := range systemScreens() {
		for _, w := range goldenWidths(name) {
			t.Run(fmt.Sprintf("%s/%d", name, w), func(t *testing.T) {
				golden.RequireEqual(t, ansi.Strip(s.render(th, w, s.h))+"\n")
			})
		}
	}
}

func TestNoOrphanSystemGoldens(t *testing.T) { orphans(t, "TestSystems", systemScreens()) }

// Nothing is wider or higher than its
// room, whatever borders it has.
func TestSystemsFitEverySize(t *testing.T) {
	for _, o := range []theme.Options{{Name: theme.Dark}, {Name: theme.Mono, NoColor: true, ASCII: true}} {
		th := theme.New(o)
		for name, s := range systemScreens() {
			for w, h := range sizes(125, 41) {
				if name == "filterline" {
					h = 1
				}
				out := s.render(th, w, h)
				bw, bh := Size(out)
				if bw > w || bh > max(h, 1) {
					t.Fatalf("%s: %dx%d in %dx%d", name, bw, bh, w, h)
				}
			}
		}
	}
}

// TestNoSecretIsShownOfTextsWithoutPlaces: of all that comes without the places of its
// secrets, too.
func TestNoSecretIsShownOfTextsWithoutPlaces(t *testing.T) {
	th, step := theme.New(theme.Options{Name: theme.Dark}), 7
	if isLong() {
		step = 1
	}
	for name, s := range systemScreens() {
		for w := 20; w < 200; w += step {
			if out := ansi.Strip(s.render(th, w, 60)); strings.Contains(out, leak[:12]) {
				t.Fatalf("%s at %d cells:\n%s", name, w, out)
			}
		}
	}
}

// hostileText acts on a terminal that is given it as it is.
const hostileText = "\x1b]0;x\x07\u202E日本\r\n\x9b2J\u200b"

func TestSystemsShowNothingHostile(t *testing.T) {
	th := theme.New(theme.Options{Name: theme.Dark})
	bad := memories(3)
	bad.Noun = memory.Noun{One: hostileText, Many: hostileText}
	bad.Usage = []memory.Usage{{Name: hostileText, Text: hostileText}}
	bad.Running = []memory.Running{{State: hostileText, Session: hostileText, Folder: hostileText}}
	bad.Scopes = []memory.Scope{{Name: hostileText, Note: hostileText}}
	bad.Facts = []memory.Fact{{Name: hostileText, Text: hostileText}}
	bad.ReadOnly = hostileText
	v := groupedStores()
	v.Rows = []StoreRow{systemRow("kimchi", hostileText, hostileText, hostileText, bad)}
	v.Lines = []StoreLine{{Heading: hostileText, Of: []int{0}}, {Name: hostileText, Path: hostileText}}
	v.Arrange()
	v.Cursor, v.Filter, v.Names = 1, hostileText, map[memory.SystemID]string{"kimchi": hostileText}
	rec := memory.Record{
		ID:        hostileText,
		Title:     hostileText,
		Body:      hostileText,
		Kind:      hostileText,
		Scope:     hostileText,
		File:      hostileText,
		Raw:       hostileText,
		Facts:     bad.Facts,
		Notes:     []string{hostileText},
		Fixed:     hostileText,
		Elsewhere: []memory.Kin{{Store: hostileText, Title: hostileText, Why: hostileText, Contrary: true}},
	}
	shape := DisplayOf(memory.Snapshot{Records: []memory.Record{rec, {}}})
	b := blockOf(hostileText)
	b.Name, b.Where = hostileText, hostileText
	b.Parts = []memory.Part{{Name: hostileText, Path: hostileText, Note: hostileText, End: 3}}
	r := memory.Recall{
		Block:    b,
		Also:     []memory.Block{b},
		Estimate: hostileText,
		Notes:    []string{hostileText},
		Empty:    hostileText,
		Hits: []memory.Hit{
			{Title: hostileText, Body: hostileText, Why: hostileText, Kind: hostileText, Scope: hostileText},
		},
		LastSession: &memory.LastSession{
			Session: hostileText,
			Source:  hostileText,
			Differs: []memory.Difference{{Name: hostileText, Path: hostileText, Was: hostileText, Now: "b"}},
		},
	}
	other := Recall{
		Box:       TextBox{Text: "x"},
		Ready:     true,
		Result:    r,
		Listing:   Listing{Share: 50},
		Markers:   true,
		Wrap:      true,
		Task:      memory.Task{Scope: hostileText, Folder: hostileText, Files: []string{hostileText}},
		Described: memory.Description{System: hostileText},
		Scopes:    2,
	}
	got, parts, explain := other, other, other
	got.Panel, explain.Panel = PanelSession, PanelExplain
	parts.Pieces = true
	for name, render := range map[string]func(theme.Theme, int, int) string{
		"stores":  v.Render,
		"recall":  other.Render,
		"got":     got.Render,
		"parts":   parts.Render,
		"explain": explain.Render,
		"everywhere": drawn(
			Everywhere{
				Search: Search{Query: hostileText},
				Done:   true,
				Read:   1,
				Unread: []memory.Unread{{Path: hostileText}},
				Lines: []FoundLine{
					{Heading: hostileText},
					{ID: hostileText, Kind: hostileText},
					{Title: hostileText, Text: hostileText},
				},
			}.Dialog,
		),
		"record": lined(RecordDetail{Record: &rec, Display: shape}.Lines),
		"brief":  lined(RecordDetail{Record: &rec, Display: shape, Tight: true}.Lines),
		"raw":    lined(RecordDetail{Record: &rec, Display: shape, Raw: true}.Lines),
		"table": lined(func(t theme.Theme, w int) []string {
			return RecordTable{Records: []memory.Record{rec}, Index: []int32{0}, RangeFrom: -1, Display: shape}.Lines(
				t, w, 3,
			)
		}),
		"switcher": drawn(Switcher{Places: []memory.Place{v.Rows[0].Place}, Names: v.Names}.Dialog),
		"asked": drawn(
			Confirm{
				Planned{Plan: memory.Plan{Asks: hostileText, Changes: []memory.Change{{Companion: true, Record: rec}}}},
			}.Dialog,
		),
	} {
		for _, w := range []int{30, 80, 120} {
			out := ansi.Strip(render(th, w, 40))
			if i := strings.IndexFunc(strings.ReplaceAll(out, "\n", ""), isHiddenRune); i >= 0 {
				t.Errorf("%s at %d shows a hidden character: %q", name, w,
					strings.ReplaceAll(out, "\n", "")[max(i-20, 0):])
				break
			}
		}
	}
}
