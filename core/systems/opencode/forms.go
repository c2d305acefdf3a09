// Package opencode knows what OpenCode keeps: its sessions, in a database, and the
// instruction files of projects and of the user. Sessions are only read.
package opencode

import (
	"strings"

	"winnow/core/memory"
	"winnow/core/system"
)

// id is the name of the system.
const id memory.SystemID = "opencode"

// Forms returns the forms of its files: instructions, sessions, settings and credentials. Other
// products read AGENTS.md as well.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: id, Name: name, Named: system.Named(patterns...)}
	}
	instructions := form(
		"instruction file",
		"AGENTS.md",
		"AGENTS.local.md",
		"opencode.md",
		"OpenCode.md",
		"OPENCODE.md",
		"opencode.local.md",
		"OpenCode.local.md",
		"OPENCODE.local.md",
		".opencode/**/*.md",
		"opencode/command/**/*.md",
		"opencode/agent/**/*.md",
		"opencode/commands/**/*.md",
		"opencode/agents/**/*.md",
	)
	instructions.Land = system.Framed(
		"instructions",
		"<system-reminder>\nInstructions from: AGENTS.md\n",
		"\n</system-reminder>",
		"</system-reminder>",
		"\nInstructions from: ",
		"</INSTRUCTIONS>", // how Codex ends the same file
		"\n--- project-doc ---\n",
	)
	prompts := form("prompt history", "opencode/prompt-history.jsonl")
	prompts.Lines = true
	sessions := form("session database", "opencode.db*", "opencode-*.db*")
	databases := sessions.Named
	// The index of a log holds no text, and closing it would drop the locks that this process has
	// on it.
	sessions.Named = func(path string) bool { return !strings.HasSuffix(path, "-shm") && databases(path) }
	sessions.Database, sessions.Looks, sessions.Both = true, system.Pages, true
	sessions.ByRecord = true
	sessions.Noun = sessionNoun()
	return []system.Form{
		instructions,
		form(
			"settings",
			"opencode.json",
			"opencode.jsonc",
			".opencode.json",
			".opencode/**/*.json",
			".opencode/**/*.jsonc",
		),
		form("credentials", "opencode/auth.json", "opencode/mcp-auth.json"),
		sessions, prompts,
		form(
			"session file",
			"storage/session/**/*.json",
			"storage/message/**/*.json",
			"storage/part/**/*.json",
			"storage/todo/*.json",
			"storage/session_diff/*.json",
			"storage/session_share/*.json",
			"storage/project/*.json",
			"storage/permission/*.json",
			"project/*/storage/session/**/*.json",
			"opencode/kv.json",
		),
		form("log", "opencode/log/*.log"),
	}
}
