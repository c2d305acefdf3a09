package views

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"winnow/core/memory"
	"winnow/views/theme"
)

func plainTheme() theme.Theme { return theme.New(theme.Options{Name: theme.Dark}) }

func TestFlagsStayBesideARecord(t *testing.T) {
	for w := 20; w < 140; w++ {
		lines := recordTable().Lines(plainTheme(), w, 2)
		if row := ansi.Strip(lines[1]); !strings.Contains(row, "unread +2") || Width(row) != w {
			t.Fatalf("%d cells: %q", w, row)
		}
	}
}

// sessionTable lists sessions of a system that has words of its own for their ends.
func sessionTable() RecordTable {
	noun := memory.Noun{One: "session", Many: "sessions"}
	all := []memory.Record{
		{Title: "Deploy", Outcome: "finished", Kind: "session", Scope: "/home/dev/work/a_long_name/demo"},
		{Title: "Rebuild", Outcome: "running or crashed", Kind: "session", Scope: "outside of git"},
		{Title: "Notes", Kind: "session", Scope: "/srv"},
	}
	return RecordTable{
		Records:   all,
		Index:     []int32{0, 1, 2},
		RangeFrom: -1,
		Cursor:    -1,
		Now:       storesNow,
		Display:   DisplayOf(memory.Snapshot{Noun: noun, Records: all}),
	}
}

func TestTheEndOfASessionIsSaidInAWord(t *testing.T) {
	got := ansi.Strip(strings.Join(sessionTable().Lines(plainTheme(), 90, 4), "\n"))
	for _, want := range []string{"Ended", "finished", "running …", "  -  "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "?") {
		t.Errorf("a word is shown as a question:\n%s", got)
	}
}

func TestAPathIsCutAtItsBeginning(t *testing.T) {
	got := ansi.Strip(strings.Join(sessionTable().Lines(plainTheme(), 70, 4), "\n"))
	if !strings.Contains(got, "/demo") || strings.Contains(got, "/home") {
		t.Errorf("the end of the path is what differs:\n%s", got)
	}
}

func TestFlagsAreWordsWorstFirst(t *testing.T) {
	for flags, want := range map[memory.Flags]string{
		0: "", memory.FlagNamesGone: "stale", memory.FlagPinned | memory.FlagSecret | memory.FlagInjection: "secret +2",
		memory.FlagSimilar | memory.FlagPinned: "twice +1", memory.FlagPruned: "lost",
	} {
		if got := flags.Worst(); got != want {
			t.Errorf("%v: %q, want %q", flags.Names(), got, want)
		}
	}
	for _, f := range (^memory.Flags(0)).WorstFirst() {
		if f.Word() == "" || len(f.Names()) != 1 {
			t.Errorf("%v has no word of its own", f.Names())
		}
	}
}

func TestFilesAreListedByTheirNamesFirst(t *testing.T) {
	all := []memory.Record{
		{Title: "Rules of the shop", File: "/w/shop/CLAUDE.md", Kind: "instructions"},
		{Title: "docs/AGENTS.md", File: "/w/shop/docs/AGENTS.md", Kind: "instructions"},
		{Title: "Other rules", File: "/w/shop/AGENTS.md", Kind: "instructions"},
		{Title: "Push " + leak, File: "/w/shop/" + leak + ".md", Kind: "rule"},
		{Title: "One of two", File: "/w/shop/notes.md", Kind: "note"},
		{Title: "The second of two", File: "/w/shop/notes.md", Kind: "note"},
		{Title: "Deploy", File: "/w/opencode.db", Kind: "session"},
	}
	table := RecordTable{
		Records: all, Index: []int32{0, 1, 2, 3, 4, 5, 6}, RangeFrom: -1, Cursor: -1, Now: storesNow, Mask: hideLeak,
		Display: DisplayOf(memory.Snapshot{Records: all}),
	}
	got := table.Lines(plainTheme(), 100, 8)
	for i, want := range []string{
		"   CLAUDE.md  Rules of the shop  ", "   docs/AGENTS.md   ", "   shop/AGENTS.md  Other rules  ", "",
		"   One of two  ",
		"   The second of two  ", "   Deploy  ",
	} {
		if row := ansi.Strip(got[i+1]); !strings.HasPrefix(row, want) {
			t.Errorf("row %d is %q, want %q", i, row, want)
		}
	}
	if strings.Contains(got[4], leak) && strings.Contains(got[4], leak+".md") {
		t.Errorf("a secret in the name of a file is shown: %q", got[4])
	}
}

func TestNoLimitOfWordsIsMadeUp(t *testing.T) {
	for most, want := range map[int]bool{0: false, 12: true} {
		v := with(func(v *Recall) { v.Result.Used, v.Result.WordCap = 2, most })
		screen := ansi.Strip(v.Render(theme.New(theme.Options{Name: theme.Mono}), 160, 40))
		if strings.Contains(screen, "words used 2 of 12:") != want || !want && strings.Contains(screen, "words used") {
			t.Errorf("with a limit of %d:\n%s", most, screen)
		}
	}
}

func TestTheHeaderTakesTheShortNameWhereThePathDoesNotFit(t *testing.T) {
	v := Header{
		Tabs:  []string{"Memories", "Recall", "Audit", "Stores"},
		Path:  "Claude Code project /home/dev/work/shop_api",
		Short: "Claude Code project shop_api",
		State: "* live",
	}
	for w, want := range map[int]string{120: v.Path, 90: " " + v.Short, 60: " " + v.Short} {
		if got := ansi.Strip(v.Render(plainTheme(), w)); !strings.Contains(got, want) {
			t.Errorf("%d: %q", w, got)
		}
	}
}

// namedAudit is an audit of records that have names.
func namedAudit() Audit {
	r := &memory.Record{ID: "memory:feedback_with_a_long_name.md", Line: 13, Kind: "feedback"}
	one := memory.Finding{
		Rule:     "bearer-token",
		Family:   memory.FamilySecret,
		Severity: memory.High,
		Field:    "body",
		Line:     13,
	}
	two := one
	two.Count = 2
	return Audit{
		Items:   []AuditItem{{Finding: &two, Record: r}, {Finding: &one, Record: &memory.Record{ID: "#21", Line: 21}}},
		Ready:   true,
		Named:   true,
		Noun:    memory.Noun{One: "memory", Many: "memories"},
		Lessons: 2,
		Total:   2,
		Listing: Listing{Share: 50},
		Mask:    hideLeak,
		Sum:     AuditSum{Tally: memory.Tally{High: 2}, Worst: memory.High},
	}
}

func TestFindingsNameTheRecord(t *testing.T) {
	v := namedAudit()
	v.Groups = AuditGroups(v.Items)
	got := ansi.Strip(v.Render(plainTheme(), 120, 20))
	for _, want := range []string{"_name.md +1", "#21 body", "2 memories"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	v.Items[0].Record.ID = memory.ID("memory:" + leak + ".md")
	if got := ansi.Strip(v.Render(plainTheme(), 160, 20)); strings.Contains(got, leak[:12]) {
		t.Errorf("a secret in a name is shown:\n%s", got)
	}
	clean := ansi.Strip(Audit{Ready: true, Noun: v.Noun, Lessons: 3, Total: 3}.Render(plainTheme(), 80, 12))
	if !strings.Contains(
		clean,
		"3 memories",
	) {
		t.Errorf("not the word of the system:\n%s", clean)
	}
}
