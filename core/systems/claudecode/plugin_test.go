package claudecode

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
)

// TestSettingsOfThePluginChooseTheInstructionFiles holds what is read to requests of Claude Code 2.1.332.
func TestSettingsOfThePluginChooseTheInstructionFiles(t *testing.T) {
	files := map[string]string{
		".claude/CLAUDE.md": "user", ".claude/rules/u.md": "user rule",
		".claude/rules/uc.md": "---\npaths: sub/**\n---\nuser cond",
		"up/CLAUDE.md":        "up claude", "up/AGENTS.md": "up agents", "up/.claude/AGENTS.md": "up dot",
		"up/p/CLAUDE.md": "claude", "up/p/.claude/rules/r.md": "rule",
		"up/p/.claude/rules/c.md": "---\npaths: sub/**\n---\ncond",
		"up/p/CLAUDE.local.md":    "local", "up/p/.claude/AGENTS.md": "dot agents",
		"up/p/sub/CLAUDE.md": "sub claude", "up/p/sub/.claude/rules/x.md": "sub rule",
		"up/p/sub/AGENTS.md": "sub agents",
	}
	alone := map[string]string{
		".claude/CLAUDE.md": "user", "up/p/AGENTS.md": "agents @imp.md", "up/p/imp.md": "imp",
		"up/p/bare/AGENTS.md": "bare agents",
	}
	usual := []string{"user", "user rule", "up claude", "claude", "rule", "local"}
	both := []string{
		"user", "user rule", "up claude", "up agents", "up dot",
		"claude", "rule", "local", "agents @imp.md", "imp", "dot agents",
	}
	read := []string{"user cond", "sub claude", "sub rule", "cond"}
	readBoth := append(slices.Clone(read), "sub agents")
	agents, bare := []string{"user", "agents @imp.md", "imp"}, []string{"bare agents"}
	option := func(name, option, value string) string {
		return `{"pluginConfigs":{"` + name + `":{"options":{"` + option + `":"` + value + `"}}}}`
	}
	reading := func(value string) string { return option(pluginNames[0], "instructionFiles", value) }
	turn := func(name, to string) string { return `{"enabledPlugins":{"` + name + `":` + to + `}}` }
	const project, local = "up/p/.claude/settings.json", "up/p/.claude/settings.local.json"
	for _, c := range []struct {
		name, settings, of string // the settings, and whose they are
		alone              bool   // no CLAUDE.md is there
		start, read        []string
	}{
		{name: "none", start: usual, read: read},
		{name: "both", settings: reading(bothFiles), start: both, read: readBoth},
		{
			name:     "other name",
			settings: option(pluginNames[1], "instructionFiles", bothFiles),
			start:    both,
			read:     readBoth,
		},
		{name: "older", settings: option(pluginNames[0], "projectInstructions", "both"), start: both, read: readBoth},
		{name: "both in the project", of: project, settings: reading(bothFiles), start: usual, read: read},
		{name: "CLAUDE.md", settings: reading(claudeFiles), start: usual, read: read},
		{name: "CLAUDE.md where there is none", alone: true, settings: reading(claudeFiles), start: agents[:1]},
		{name: "managed", settings: reading(managedOnly), read: read},
		{name: "managed where there is none", alone: true, settings: reading(managedOnly)},
		{name: "another value", alone: true, settings: reading("x"), start: agents, read: bare},
		{name: "off", alone: true, settings: turn(pluginNames[0], "false"), start: agents[:1]},
		{
			name:     "off in the project",
			alone:    true,
			of:       local,
			settings: turn(pluginNames[1], "false"),
			start:    agents[:1],
		},
		{name: "on", alone: true, settings: turn(pluginNames[1], "true"), start: agents, read: bare},
		{name: "odd", alone: true, settings: `{"enabledPlugins":["x"],"pluginConfigs":7}`, start: agents, read: bare},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := filestore.Real(t.TempDir())
			there, reads := maps.Clone(alone), "bare/x.go"
			if !c.alone {
				reads = "sub/x.go"
				maps.Copy(there, files)
			}
			for rel, text := range there {
				put(t, filepath.Join(home, rel), text)
			}
			if c.settings != "" && c.of == "" {
				c.of = ".claude/settings.json"
			}
			if c.of != "" {
				put(t, filepath.Join(home, c.of), c.settings)
			}
			m := machineOf(home, func(string) (string, bool) { return "", false })
			m.managed = filepath.Join(home, "managed")
			store := open(filepath.Join(home, "up", "p"), m, time.Now)
			r, err := store.Recall(t.Context(), memory.Task{Files: []string{reads}})
			if err != nil {
				t.Fatal(err)
			}
			texts := func(blocks ...memory.Block) (all []string) {
				for _, b := range blocks {
					for _, p := range b.Parts {
						all = append(all, b.Text[p.Start:p.End])
					}
				}
				return all
			}
			if got := texts(r.Block); !slices.Equal(got, c.start) {
				t.Errorf("at the start %q are sent, want %q", got, c.start)
			}
			if got := texts(r.Also...); !slices.Equal(got, c.read) {
				t.Errorf("with a read %q are sent, want %q", got, c.read)
			}
		})
	}
}
