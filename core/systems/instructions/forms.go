// Package instructions knows the files that coding agents read as instructions, and the folders in
// which agents keep memories. What it gives holds for every product; the packages of Codex, Gemini
// CLI and others embed its Store.
package instructions

import (
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// id is the name under which such files are reported.
const id memory.SystemID = "agents"

// Forms returns the forms of these files. They are asked last, so that the files of a known product
// are recognized by the product's own forms.
func Forms() []system.Form {
	form := func(name string, land func(*memory.Record) memory.Landed, patterns ...string) system.Form {
		return system.Form{System: id, Name: name, Land: land, Named: system.Named(patterns...)}
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
		{System: id, Name: "instruction file", Land: rules, Named: anyCase},
		lines(form("agent memory", nil, patternsBelow("jsonl", "ndjson")...)),
		form("agent memory", notes, append(patternsBelow("md", "mdc", "txt", "json", "yaml", "yml", "toml"),
			"MEMORY.md", "MEMORY-*.md", "LESSONS.md", "memory-bank/**/*.md", "memory.json")...),
		lines(form("agent memory", nil, "memory.jsonl", "memories.jsonl", "mcp-memory*.jsonl")),
		form(
			"transcript",
			nil,
			".aider.chat.history.md",
			".aider.input.history",
			".aider.llm.history",
			".specstory/history/*.md",
		),
		form("settings", nil, settings()...),
		form("program of an agent", nil, executed()...),
		form("copy of what was said", nil, saidBefore()...),
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
	all := []string{
		"SKILL.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md", "HEARTBEAT.md",
		".cursor/rules/**/*.md", ".cursor/commands/**/*.md", ".windsurf/workflows/**/*.md",
		".github/instructions/**/*.md", ".github/prompts/**/*.md",
		".github/chatmodes/**/*.md", ".github/agents/**/*.md",
		".codex/**/*.md", ".gemini/**/*.md", ".gemini/**/*.toml",
	}
	for _, a := range agents() {
		all = append(all, a.texts...)
	}
	return all
}

// settings returns the documented names of settings files.
func settings() []string {
	all := []string{
		".cursor/mcp.json", ".vscode/mcp.json", ".vscode/settings.json", "mcp.json", "cline_mcp_settings.json",
		".claude-plugin/*.json",
		"hooks/hooks.json", ".cursor/hooks.json", ".codex/hooks.json", ".windsurf/hooks.json",
		".openclaw/openclaw.json", "openclaw.json", "auth-profiles.json", ".gemini/oauth_creds.json",
	}
	for _, a := range agents() {
		all = append(all, a.settings...)
	}
	return all
}

// anyCase is for names that count however they are capitalised: a file system that ignores case gives
// agents AGENTS.md for agents.md, and some agents look for both.
func anyCase(path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	switch strings.ToLower(name) {
	case "agents.md", "agent.md", "claude.md", "claude.local.md", "gemini.md", "agents.override.md", "skill.md":
		return true
	}
	return false
}

// executed is for programs that agents run: hooks, and scripts of skills and plugins.
func executed() []string {
	var all []string
	for _, folder := range []string{
		".claude", ".codex", ".gemini", ".cursor", ".opencode", ".factory", ".agents", ".qwen", ".kiro",
	} {
		all = append(
			all,
			folder+"/hooks/**/*",
			folder+"/skills/**/*",
			folder+"/plugin/**/*",
			folder+"/plugins/**/*",
			folder+"/scripts/**/*",
		)
	}
	return append(all, "skills/*/scripts/**/*")
}

// saidBefore is for files in which agents keep what was said or what files held before.
func saidBefore() []string {
	return []string{
		".claude/file-history/**/*", ".claude/backups/**/*", ".claude/shell-snapshots/**/*", ".claude/paste-cache/**/*",
		".claude/plans/**/*", ".claude/tasks/**/*", ".gemini/tmp/**/*.json", ".qwen/tmp/**/*.json",
		".aider.chat.history.md", ".aider.input.history", ".aider.llm.history",
	}
}
