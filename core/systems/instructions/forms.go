// Package instructions knows the files that coding agents read as instructions, and the folders in
// which agents keep memories. What it gives holds for every product; the packages of Codex, Gemini
// CLI and others embed its Store.
package instructions

import (
	"winnow/core/memory"
	"winnow/core/system"
)

// ID is the name under which such files are reported.
const ID memory.SystemID = "agents"

// Forms returns the forms of these files. They are asked last, so that the files of a known product
// are recognized by the product's own forms.
func Forms() []system.Form {
	form := func(name string, land func(*memory.Record) memory.Landed, patterns ...string) system.Form {
		return system.Form{System: ID, Name: name, Land: land, Named: system.Named(patterns...)}
	}
	lines := func(f system.Form) system.Form {
		f.Lines = true
		return f
	}
	rules := system.Framed("instructions", "", "", "</system-reminder>", "</instructions>")
	notes := system.Framed("memory file", "", "", "</memory>", "</system-reminder>")
	left := form("temporary file", nil, ".winnow-*.tmp*")
	left.Stale = left.Named
	environment := form("environment file", nil, ".env*")
	environment.Tracked = true
	return []system.Form{
		form("instruction file", rules, instructions()...),
		lines(form("agent memory", nil, patternsBelow("jsonl", "ndjson")...)),
		form("agent memory", notes, append(patternsBelow("md", "mdc", "txt", "json", "yaml", "yml", "toml"),
			"MEMORY.md", "MEMORY-*.md", "LESSONS.md", "memory-bank/**/*.md", "memory.json")...),
		lines(form("agent memory", nil, "memory.jsonl", "memories.jsonl", "mcp-memory*.jsonl")),
		form("transcript", nil, ".aider.chat.history.md", ".aider.input.history", ".aider.llm.history", ".specstory/history/*.md"),
		form("settings", nil, ".cursor/mcp.json", ".vscode/mcp.json", ".vscode/settings.json", ".aider.conf.yml",
			".roo/mcp.json", ".continue/*.json", ".continue/*.yaml", "mcp.json", "cline_mcp_settings.json"),
		left, environment,
	}
}

// patternsBelow returns patterns for files in the folders that agents keep memories in.
func patternsBelow(extensions ...string) (patterns []string) {
	for _, folder := range [...]string{"memory", "memories", ".memory", ".agent", ".agents", "agent-memory"} {
		for _, e := range extensions {
			patterns = append(patterns, folder+"/**/*."+e)
		}
	}
	return patterns
}

// instructions returns the documented names of instruction files.
func instructions() []string {
	return []string{
		"AGENT.md", "SKILL.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md", "QWEN.md", "WARP.md", "CRUSH.md", "CONVENTIONS.md", ".rules", ".goosehints",
		".cursor/rules/**/*.md", ".cursor/commands/**/*.md", ".windsurf/workflows/**/*.md", ".roorules*", ".roo/**/*.md",
		".github/instructions/**/*.md", ".github/prompts/**/*.md",
		".github/chatmodes/**/*.md", ".github/agents/**/*.md",
		".codex/**/*.md", ".gemini/**/*.md", ".gemini/**/*.toml", ".junie/**/*.md", ".kiro/steering/**/*.md", ".augment-guidelines", ".augment/rules/**/*.md",
		".continue/rules/**/*.md", ".trae/rules/**/*.md", ".amazonq/rules/**/*.md", ".openhands/microagents/**/*.md",
	}
}
