package problems

import (
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
