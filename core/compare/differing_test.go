package compare

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// differences returns how texts differ, of which each may be compared with each.
func differences(texts ...string) []Differing {
	names := Names{}
	for _, agent := range []string{"Claude Code", "Codex", "Gemini CLI"} {
		names.AddAgent(agent)
	}
	names.AddFile("/p/CLAUDE.md")
	names.AddFile("/p/AGENTS.md")
	var all []*Text
	for _, s := range texts {
		all = append(all, NewText(Statements(s), names))
	}
	found, _ := FindDiffering(all, func(int, int) bool { return true })
	return found
}

// TestPairsOfStatements holds how many of the pairs are told apart that were labelled before the rule was written.
func TestPairsOfStatements(t *testing.T) {
	data, err := os.ReadFile("testdata/pairs.tsv")
	if err != nil {
		t.Fatal(err)
	}
	found, wrong := 0, 0
	for line := range strings.Lines(string(data)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		got := len(differences(f[2], f[3]))
		switch {
		case f[0] == "differ" && got == 1:
			found++
		case f[0] == "differ":
			t.Logf("not found: %q and %q", f[2], f[3])
		case got > 0:
			wrong++
			t.Logf("found, and they say the same or have nothing to do with each other: %q and %q", f[2], f[3])
		}
	}
	t.Logf("%d of 30 found, %d of 30 false", found, wrong)
	if found < 22 || wrong > 2 {
		t.Errorf("%d of 30 pairs are found, want 22; %d are false, want at most 2", found, wrong)
	}
}

func TestWhatEachOfManyTextsSaysOfItselfIsNoDifference(t *testing.T) {
	var texts []string
	for _, n := range []string{"101", "102", "103", "104", "105"} {
		texts = append(texts, "What was learnt about release "+n+"\n")
	}
	if got := differences(texts[:2]...); len(got) != 1 {
		t.Errorf("of two texts: %d differences, want 1", len(got))
	}
	if got := differences(texts...); len(got) != 0 {
		t.Errorf("of five texts: %d differences, want none: %+v", len(got), got)
	}
}

func TestEntriesOfAListAreNoDifferences(t *testing.T) {
	list := func(from int) string {
		var b strings.Builder
		for i := range 50 {
			fmt.Fprintf(&b, "- The room is free after %d o'clock\n", from+i)
		}
		return b.String()
	}
	if got := differences(list(1), list(101)); len(got) != 0 {
		t.Errorf("%d differences", len(got))
	}
}

// TestCopiesDifferFromEachOther: a statement that stands in several texts differs from one in several others.
func TestCopiesDifferFromEachOther(t *testing.T) {
	const eight, three = "The API server listens on port 8080.\n", "The API server listens on port 3000.\n"
	got := differences(eight, three, eight, three)
	if len(got) != 4 {
		t.Errorf("%d differences, want each of two with each of two: %+v", len(got), got)
	}
	for _, d := range got {
		if d.A >= d.B || strings.HasPrefix(d.Slots[0], "8080") != (d.A%2 == 0) {
			t.Errorf("%+v", d)
		}
	}
	if got := differences(eight+three, three); len(got) != 0 {
		t.Errorf("what both say differs: %+v", got)
	}
}

// FuzzDifferencesAreMutual: whatever two texts say, they differ in the same whichever comes first.
func FuzzDifferencesAreMutual(f *testing.F) {
	f.Add("Use `a/b.go` for it all.\n", "Use `c/b.go` for it all.\n")
	f.Add("Never push directly to main.\n\n1. a b c 1\n2. a b c 2", "Push directly to main.\n\xff\x00")
	f.Fuzz(func(t *testing.T, a, b string) {
		one, other := differences(a, b), differences(b, a)
		if len(one) != len(other) {
			t.Fatalf("%d differences, and %d the other way round", len(one), len(other))
		}
		for _, d := range one {
			if d.Slots[0] == d.Slots[1] {
				t.Errorf("%+v", d)
			}
		}
	})
}
