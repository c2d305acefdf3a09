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
		if row := ansi.Strip(lines[1]); !strings.Contains(row, "UOC") || Width(row) != w {
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
	return RecordTable{Records: all, Index: []int32{0, 1, 2}, RangeFrom: -1, Cursor: -1, Now: storesNow, Display: DisplayOf(memory.Snapshot{Noun: noun, Records: all})}
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

func TestTheLegendTellsOfWordsOnlyWhereThereAreSome(t *testing.T) {
	if all := strings.Join(sessionTable().Display.Legend(), "\n"); !strings.Contains(all, "Ended how") || strings.Contains(all, "S succeeded") {
		t.Errorf("of sessions: %s", all)
	}
	if all := strings.Join(recordDisplay().Legend(), "\n"); strings.Contains(all, "Ended") || !strings.Contains(all, "Kind, Scope") {
		t.Errorf("of memories: %s", all)
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
	v := Header{Tabs: []string{"Memories", "Recall", "Audit", "Stores"}, Path: "Claude Code project /home/dev/work/shop_api", Short: "Claude Code project shop_api", State: "* live"}
	for w, want := range map[int]string{120: v.Path, 90: " " + v.Short, 60: " " + v.Short} {
		if got := ansi.Strip(v.Render(plainTheme(), w)); !strings.Contains(got, want) {
			t.Errorf("%d: %q", w, got)
		}
	}
}

// namedAudit is an audit of records that have names.
func namedAudit() Audit {
	r := &memory.Record{ID: "memory:feedback_with_a_long_name.md", Line: 13, Kind: "feedback"}
	one := memory.Finding{Rule: "bearer-token", Family: memory.FamilySecret, Severity: memory.High, Field: "body", Line: 13}
	two := one
	two.Count = 2
	return Audit{
		Items: []AuditItem{{Finding: &two, Record: r}, {Finding: &one, Record: &memory.Record{ID: "#21", Line: 21}}},
		Ready: true, Named: true, Noun: memory.Noun{One: "memory", Many: "memories"}, Lessons: 2, Total: 2, Listing: Listing{Share: 50}, Mask: hideLeak,
		Sum: AuditSum{Tally: memory.Tally{High: 2}, Worst: memory.High},
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
	if clean := ansi.Strip(Audit{Ready: true, Noun: v.Noun, Lessons: 3, Total: 3}.Render(plainTheme(), 80, 12)); !strings.Contains(clean, "3 memories") {
		t.Errorf("not the word of the system:\n%s", clean)
	}
}
