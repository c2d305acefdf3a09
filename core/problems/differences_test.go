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
	if got := p.OnlyOneTold(nil); len(got) != 2 {
		t.Errorf("%d files tell one agent something, want 2: %+v", len(got), got)
	}
	claude := &p.Agents[0]
	claude.List = append(
		claude.List,
		memory.Source{Path: "/p/AGENTS.md", Kind: memory.SourceImport, When: memory.AtStart},
	)
	got := p.OnlyOneTold(nil)
	if len(got) != 1 || got[0].Places[0].File != "/p/CLAUDE.md" || got[0].Agents[0] != "Claude Code" {
		t.Errorf("%+v, want only CLAUDE.md", got)
	}
}

func TestADifferenceIsNotAlsoWhatOnlyOneAgentIsTold(t *testing.T) {
	p := told("- Run `make test` before each commit.\n- Never push to main.\n", "- Run `make check` before each commit.\n")
	differences := p.Differences()
	if len(differences) != 1 {
		t.Fatalf("differences are %+v, want that of the targets", differences)
	}
	got := p.OnlyOneTold(differences)
	if len(got) != 1 || got[0].What != "Only Claude Code is told “Never push to main”." {
		t.Errorf("only one agent is told %+v, want the push alone", got)
	}
}

func TestAFileThatContradictsIsImportedOnlyAfterADecision(t *testing.T) {
	for agents, imports := range map[string]bool{
		"- Run `make check` before each commit.\n": false,
		"- Ask before a push to main.\n":           true,
	} {
		p := told("- Run `make test` before each commit.\n", agents)
		p.Agents[0].List = append(p.Agents[0].List, memory.Source{
			Path: "/p/AGENTS.md", Kind: memory.SourceInstructions, When: memory.Never, Loss: memory.LossBeside,
		})
		unread := p.Unread()
		if len(unread) != 1 || unread[0].Mend == nil {
			t.Fatalf("unread is %+v, want AGENTS.md with an import that mends it", unread)
		}
		p.AwaitDecision(unread, p.Differences())
		const next = "decide what holds where they differ, 1 statement, and then import AGENTS.md in CLAUDE.md"
		if got := unread[0]; (got.Mend != nil) != imports || (got.Next == next) == imports {
			t.Errorf("beside %q the import is offered: %v, want %v; next: %q", agents, got.Mend != nil, imports,
				got.Next)
		}
	}
}

func TestShareOfTwoFilesThatIsOneText(t *testing.T) {
	text := "- Use tabs here.\n- Run the tests.\n- Keep it small.\n- Wrap all errors.\n- Ask before a push.\n"
	got := told(text+"- One more.\n", text).SameTwice()
	if len(got) != 1 || got[0].Same != 5 || got[0].OfA != 6 || got[0].OfB != 5 {
		t.Errorf("%+v", got)
	}
}
