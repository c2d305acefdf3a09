// Package claudecode knows what Claude Code keeps: instruction files, auto memory, the memories of
// subagents, and transcripts of sessions. It also knows how they reach the model: package
// transcript reads the transcripts, and package markdown does what Claude Code does to the text of
// instructions.
package claudecode

import (
	"bytes"
	"regexp"
	"sync"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
)

// id is the name of the system.
const id memory.SystemID = "claudecode"

// The block that begins a session. Instructions are inserted verbatim, so one can contain the end
// of the block. In a memory index such tags are escaped.
const (
	blockName  = "system reminder"
	blockEnd   = "</system-reminder>"
	blockBegin = "<system-reminder>\nCodebase and user instructions are shown below. Be sure to adhere to these instructions. " +
		"IMPORTANT: These instructions OVERRIDE any default behavior and you MUST follow them exactly as written.\n\n"
)

// Forms returns the forms of its files: instructions, memories, transcripts and settings. The model
// gets the first 200 lines of a memory index. A preview renders the rest as well, since the model
// can read it when it wants to.
func Forms() []system.Form {
	form := func(name string, land func(*memory.Record) memory.Landed, patterns ...string) system.Form {
		return system.Form{System: id, Name: name, Land: land, Named: system.Named(patterns...)}
	}
	lines := func(f system.Form) system.Form {
		f.Lines = true
		return f
	}
	return []system.Form{
		form("instruction file", contents("CLAUDE.md", " (project instructions, checked into the codebase)", blockEnd),
			"CLAUDE.md", ".claude/rules/**/*.md", "claude-code/CLAUDE.md", "ClaudeCode/CLAUDE.md"),
		form(
			"instruction file",
			contents("CLAUDE.local.md", " (user's private project instructions, not checked in)", blockEnd),
			"CLAUDE.local.md",
		),
		form(
			"instruction file",
			system.Framed("instructions", "", "", blockEnd),
			".claude/commands/**/*.md",
			".claude/agents/**/*.md",
			".claude/output-styles/**/*.md",
			".claude/skills/**/*.md",
			"skills/**/SKILL.md",
		),
		// escaped: no end of the block is in it
		form(
			"auto memory",
			contents("memory/MEMORY.md", " (user's auto-memory, persists across conversations)"),
			".claude/**/memory/MEMORY.md",
			".claude/agent-memory/**/MEMORY.md",
			".claude/agent-memory-local/**/MEMORY.md",
		),
		form("auto memory", landedTopic(),
			".claude/**/memory/**/*.md", ".claude/agent-memory/**/*.md", ".claude/agent-memory-local/**/*.md"),
		{
			System: id,
			Name:   "auto memory",
			Named:  system.Named("memory/**/*.md"),
			Looks:  looksLikeTopic,
			Both:   true,
			Land:   landedTopic(),
		},
		lines(form("prompt history", nil, ".claude/history.jsonl")),
		{System: id, Name: "transcript", Named: system.Named(".claude/**/*.jsonl"), Lines: true, Own: transcript.Own},
		{
			System: id,
			Name:   "transcript",
			Named:  system.Named("*.jsonl*"),
			Looks:  system.ObjectWith("type", "sessionId"),
			Both:   true,
			Lines:  true,
			Own:    transcript.Own,
		},
		form(
			"settings",
			nil,
			".claude/*.json",
			".claude.json",
			".mcp.json",
			"claude_desktop_config.json",
			"managed-settings.json",
		),
		// kept elsewhere, to be linked
		{
			System: id,
			Name:   "settings",
			Named:  system.Named("settings.json", "settings.local.json"),
			Looks:  looksLikeSettings,
			Both:   true,
		},
		form("agent file", nil, ".claude/**/*.json", ".claude/**/*.txt", ".claude/**/*.md"),
	}
}

// contents returns a function that renders a file as one of the instructions of a session.
func contents(name, label string, ends ...string) func(*memory.Record) memory.Landed {
	return system.Framed(blockName, blockBegin+"Contents of "+name+label+":\n\n", "\n"+blockEnd, ends...)
}

// landedTopic returns a function that renders a file which the model reads with a tool. A note
// about its age precedes it.
func landedTopic() func(*memory.Record) memory.Landed {
	const caveat = "<system-reminder>This memory is 2 days old. Memories are point-in-time observations, not live state — claims about code " +
		"behavior or file:line citations may be outdated. Verify against current code before asserting as fact.</system-reminder>\n"
	return system.Framed("memory file", caveat, "", blockEnd, "<system-reminder>")
}

// looksLikeSettings reports whether a file begins like Claude Code's settings: with a key or an event
// of hooks that other programs' settings do not have.
func looksLikeSettings(head []byte) bool { return settingsKeys().Match(head) }

var settingsKeys = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`"(permissions|enabledPlugins|statusLine|apiKeyHelper|skipDangerousModePermissionPrompt|enableAllProjectMcpServers|PreToolUse|PostToolUse|UserPromptSubmit|SessionStart)"\s*:`,
	)
})

// looksLikeTopic reports whether a file begins like a topic memory: with a header that has a name,
// a description and one of the four types.
func looksLikeTopic(head []byte) bool {
	header, ok := bytes.CutPrefix(bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n")), []byte("---\n"))
	header, _, closed := bytes.Cut(header, []byte("\n---"))
	return ok && closed && typeLine().Match(header)
}

// typeLine matches the header line that gives a memory one of the four types.
var typeLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\s*type:[ "']*(?:user|feedback|project|reference)[ "']*\s*$`)
})
