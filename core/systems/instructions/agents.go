package instructions

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// named is an agent of which only the names of its files are known here. The names are those of its
// own files: that it also reads AGENTS.md or CLAUDE.md is not repeated.
type named struct {
	agent string
	page  string // the documentation that has the names
	read  string // when a copy of the page was read; empty if the names are from other programs that know them
	// texts are given to its model, settings decide what it does: patterns of [system.Named].
	texts, settings []string
	// chosen are folders, with spaces between them, of texts that its model, or a person, chooses.
	chosen string
}

const (
	today = "28 November 2026"
	later = "29 November 2026"
)

// agents returns the table. A name that is also one of a known system is in the table of that.
var agents = sync.OnceValue(func() []named {
	return []named{
		{
			"Kilo Code",
			"https://kilo.ai/docs/customize/custom-rules",
			today,
			[]string{".kilocode/rules*/**/*", ".kilo/rules*/**/*.md", ".kilocoderules*"},
			[]string{".kilocodemodes", ".kilocode/mcp.json", "kilo.json", "kilo.jsonc"},
			"",
		},
		{
			"Roo Code",
			"https://docs.roocode.com/features/custom-instructions",
			today,
			[]string{".roorules*", ".roo/rules*/**/*", ".roo/**/*.md", ".roo/**/*.txt"},
			[]string{".roomodes", ".roo/mcp.json"},
			"",
		},
		{"Kiro", "https://kiro.dev/docs/steering/", today, []string{".kiro/steering/**/*.md", ".kiro/specs/**/*.md"},
			[]string{".kiro/settings/*.json", ".kiro/hooks/*", ".kiro/agents/*.json"}, ".kiro/specs/"},
		{
			"Tabnine",
			"https://docs.tabnine.com/main/getting-started/tabnine-agent/guidelines",
			today,
			[]string{".tabnine/guidelines/**/*.md"},
			[]string{".tabnine/mcp_servers.json"},
			"",
		},
		{
			"Junie",
			"https://www.jetbrains.com/help/junie/customize-guidelines.html",
			today,
			[]string{".junie/**/*.md"},
			[]string{".junie/mcp/*.json"},
			"",
		},
		{
			"Amp",
			"https://ampcode.com/manual",
			"",
			[]string{"AGENT.md", ".amp/**/*.md"},
			[]string{".amp/settings.json"},
			"",
		},
		{"Factory", "https://docs.factory.ai/cli/configuration/agents-md", today, []string{".factory/**/*.md"},
			[]string{".factory/settings.json", ".factory/settings.local.json", ".factory/mcp.json"}, ""},
		// CONVENTIONS.md is a custom: Aider reads what /read, --read or .aider.conf.yml names.
		{"Aider", "https://aider.chat/docs/usage/conventions.html", today, []string{"CONVENTIONS.md"},
			[]string{".aider.conf.yml"}, "CONVENTIONS.md"},
		{"Zed", "https://zed.dev/docs/ai/instructions", today, []string{".rules"}, []string{".zed/settings.json"}, ""},
		{"Warp", "https://docs.warp.dev/agents/capabilities/rules", today, []string{"WARP.md"}, nil, ""},
		// The page of Trae was not to be had: these names are from a table of file names of agents.
		{"Trae", "https://agentconfig.ing/files/trae-rules", today,
			[]string{".trae/rules/**/*.md", ".trae/*_rules.md", ".trae/agents/*.md"},
			[]string{".trae/settings.json", ".trae/mcp.json"}, ""},
		{
			"Augment",
			"https://docs.augmentcode.com/cli/rules",
			today,
			[]string{".augment-guidelines", ".augment/**/*.md", ".augment/rules/**/*.mdx"},
			[]string{".augment/settings.json"},
			"",
		},
		{"Crush", "https://github.com/charmbracelet/crush (internal/config/config.go)", later,
			[]string{"CRUSH.md", "CRUSH.local.md", "Crush.md", "Crush.local.md", "crush.md", "crush.local.md"},
			[]string{"crush.json", ".crush.json"}, ""},
		{"Continue", "https://docs.continue.dev/customize/deep-dives/rules", later,
			[]string{".continue/rules/**/*.md", ".continue/prompts/**/*.md"},
			[]string{".continue/*.json", ".continue/*.yaml", ".continue/mcpServers/*.json"}, ".continue/prompts"},
		{"Amazon Q", "https://docs.aws.amazon.com/amazonq/latest/qdeveloper-ug/context-project-rules.html", later,
			[]string{".amazonq/rules/**/*.md"}, []string{".amazonq/*.json"}, ""},
		// .agents/skills, which it prefers now, is a folder of several agents and does not tell which is meant.
		{"OpenHands", "https://docs.openhands.dev/overview/skills", later,
			[]string{".openhands/microagents/**/*.md", ".openhands/skills/**/*.md"}, []string{".openhands/*.sh"}, ""},
		// Versions from 1.18.4 on take .agents, and .agent only where there is no .agents.
		{"Antigravity", "https://discuss.ai.google.dev/t/new-folder-for-rules/126165", later, []string{
			".agents/rules/**/*.md", ".agents/workflows/**/*.md", ".agent/rules/**/*.md", ".agent/workflows/**/*.md",
		}, nil, ".agents/workflows .agent/workflows"},
		{"JetBrains AI Assistant", "https://www.jetbrains.com/help/ai-assistant/configure-project-rules.html", later,
			[]string{".aiassistant/rules/**/*.md"}, nil, ""},
		{"Firebase Studio", "https://firebase.google.com/docs/studio", "", []string{".idx/airules.md"}, nil, ""},
		{
			"Hermes Agent",
			"https://github.com/NousResearch/hermes-agent",
			today,
			[]string{".hermes.md", "HERMES.md"},
			nil,
			"",
		},
	}
})

// mostOfOthers limits the entries that are looked at in one folder of an agent's files.
const mostOfOthers = 5000

// Others says what agents without a system of their own read in the project around dir, by the names of
// their files. Agents without a file there are left out.
func Others(ctx context.Context, dir string) (all []memory.AgentSources) {
	root := Root(filestore.Real(dir), ".git")
	for _, n := range agents() {
		a := memory.AgentSources{System: id, Agent: n.agent, Note: n.note()}
		settings := matching(ctx, root, n.settings, &a.Gap)
		by := map[string]string{} // the settings file that names a text
		texts := matching(ctx, root, n.texts, &a.Gap)
		var last []memory.Source
		for _, path := range settings {
			f := filestore.Read(path, MostFile)
			for _, text := range namedTexts(ctx, root, &f, &a.Gap) {
				by[text] = path
				texts = memory.AppendNew(texts, text)
			}
			last = append(last, f.Source(memory.SourceSettings, memory.Never, "It says what "+n.agent+" does."))
			last = append(last, Programs(&f, root)...)
		}
		for _, path := range texts {
			f := filestore.Read(path, MostFile)
			when, why := memory.AtStart, "When it is given may depend on its header."
			isIn := func(dir string) bool {
				return filestore.Within(filepath.Join(root, filepath.FromSlash(dir)), path)
			}
			switch {
			case by[path] != "":
				why = "Its settings name it."
			case slices.ContainsFunc(strings.Fields(n.chosen), isIn):
				when, why = memory.WhenChosen, ""
			}
			source := f.Source(memory.SourceRule, when, why)
			source.By = by[path]
			a.List = append(a.List, source)
		}
		a.List = append(a.List, last...)
		if len(a.List) > 0 || a.Gap != "" {
			all = append(all, a)
		}
	}
	return all
}

// note says where the names are from.
func (n *named) note() string {
	if n.read == "" {
		return "By names of its files that other programs know: " + n.page + " was not read, and " + n.agent +
			" was not run."
	}
	return "By the names of its files, as documented at " + n.page + ", read on " + n.read + "; " + n.agent +
		" was not run."
}

// matching returns the files of a project whose paths match a pattern from the root on. It adds to gap
// what was not searched.
func matching(ctx context.Context, root string, patterns []string, gap *string) (paths []string) {
	for _, p := range patterns {
		before, _, many := strings.Cut(p, "*")
		if !many {
			if path := filepath.Join(root, filepath.FromSlash(p)); filestore.Exists(path) && !filestore.IsFolder(path) {
				paths = memory.AppendNew(paths, path)
			}
			continue
		}
		base, is := path.Dir(before+"x"), system.Named(p)
		if base == "." { // a pattern for files in the root itself
			entries, more, _ := filestore.Names(root, mostOfOthers) // a missing folder has none
			if more {
				*gap = fmt.Sprintf("entries of %s past the first %d", root, mostOfOthers)
			}
			for _, e := range entries {
				if !e.IsDir() && is(e.Name()) {
					paths = memory.AppendNew(paths, filepath.Join(root, e.Name()))
				}
			}
			continue
		}
		found := Below(
			ctx,
			filepath.Join(root, filepath.FromSlash(base)),
			mostOfOthers,
			func(rel string, isDir bool) bool {
				return !isDir && is(base+"/"+rel)
			},
		)
		if found.Gap != "" {
			*gap = found.Gap + " of " + base
		}
		for _, rel := range found.Paths {
			paths = memory.AppendNew(paths, filepath.Join(root, filepath.FromSlash(base), filepath.FromSlash(rel)))
		}
	}
	return paths
}
