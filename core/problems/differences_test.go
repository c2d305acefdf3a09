package problems

import (
	"os"
	"strings"
	"testing"

	"winnow/core/memory"
)

// told returns a project in which Claude Code reads CLAUDE.md and Codex AGENTS.md.
func told(claude, agents string) *Project {
	source := func(path string) memory.Source {
		return memory.Source{Path: path, Kind: memory.SourceInstructions, When: memory.AtStart}
	}
	return New("/p", []memory.AgentSources{
		{System: "claudecode", Agent: "Claude Code", List: []memory.Source{source("/p/CLAUDE.md")}},
		{System: "codex", Agent: "Codex", List: []memory.Source{source("/p/AGENTS.md")}},
		{System: "gemini", Agent: "Gemini CLI"},
	}, map[string]string{"/p/CLAUDE.md": claude, "/p/AGENTS.md": agents})
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
		got := len(told(f[2], f[3]).Differences())
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

func TestAnImportMakesTwoFilesEqual(t *testing.T) {
	p := told("Run the whole suite first.\n", "Never push to main by hand.\n")
	if got := p.OnlyOneTold(); len(got) != 2 {
		t.Errorf("%d files tell one agent something, want 2: %+v", len(got), got)
	}
	claude := &p.Agents[0]
	claude.List = append(
		claude.List,
		memory.Source{Path: "/p/AGENTS.md", Kind: memory.SourceImport, When: memory.AtStart},
	)
	got := p.OnlyOneTold()
	if len(got) != 1 || got[0].Places[0].File != "/p/CLAUDE.md" || got[0].Agents[0] != "Claude Code" {
		t.Errorf("%+v, want only CLAUDE.md", got)
	}
}

func TestShareOfTwoFilesThatIsOneText(t *testing.T) {
	text := "- Use tabs here.\n- Run the tests.\n- Keep it small.\n- Wrap all errors.\n- Ask before a push.\n"
	got := told(text+"- One more.\n", text).SameTwice()
	if len(got) != 1 || got[0].Same != 5 || got[0].OfA != 6 || got[0].OfB != 5 {
		t.Errorf("%+v", got)
	}
}

func TestWhatEachOfManyFilesSaysOfItselfIsNoDifference(t *testing.T) {
	texts := map[string]string{}
	var list []memory.Source
	for _, n := range []string{"101", "102", "103", "104", "105"} {
		path := "/p/notes/" + n + ".md"
		texts[path] = "What was learnt about release " + n + "\n"
		list = append(list, memory.Source{Path: path, Kind: memory.SourceMemoryTopic, When: memory.WhenChosen})
	}
	several := func(n int) *Project {
		return New("/p", []memory.AgentSources{{System: "claudecode", Agent: "Claude Code", List: list[:n]}}, texts)
	}
	if got := several(2).Differences(); len(got) != 1 {
		t.Errorf("of two files: %d differences, want 1", len(got))
	}
	if got := several(5).Differences(); len(got) != 0 {
		t.Errorf("of five files: %d differences, want none: %+v", len(got), got)
	}
}
