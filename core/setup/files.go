package setup

import (
	"path"
	"strings"
)

// File is a settings file of an agent, and the entries that it can have.
type File struct {
	Agent string
	Path  string // absolute
	Format
	// Or is an alternative name of the file; whichever exists is used.
	Or      string
	Entries []string
	// InProject is set for a file in the project. Twin is set if there is such a file among the user's
	// settings too.
	InProject, Twin bool
	// Next is what a person still has to do after the file is written, and Changed what after a hook in
	// it was changed. Either may be empty.
	Next, Changed string
	// Told says how the agent's model gets what is told about a call, and what it is not told.
	Told string
}

// Servers says which file contains the servers that are not in the user's settings.
const Servers = "Claude Code's\nservers are always in the project's .mcp.json"

// Agents returns the agents that can be set up.
func Agents() []string { return []string{"claudecode", "codex", "gemini", "opencode"} }

// place is where a settings file of an agent is: in the folder home below the home folder, or in
// the folder that the environment variable names, or in the folder project of a project. Without
// home it is always in the project.
type place struct {
	agent, variable, home, project string
	file                           File
}

// places returns the files of all agents, as they are on Windows or elsewhere.
func places(windows bool) []place {
	hooks := []string{Recall, Resume, Learn, BeforeCall, AfterCall, FailedCall}
	codexAll := []string{Recall, Resume, Learn, BeforeCall, AfterCall, MCP}
	geminiAll := []string{Recall, Resume, Learn, AfterCall, MCP}
	claude := hooksOf("claudecode", "UserPromptSubmit", 10, windows, offSwitch{"", "disableAllHooks", true})
	codex := hooksOf(
		"codex",
		"UserPromptSubmit",
		3,
		windows,
		offSwitch{"features", "hooks", false},
		offSwitch{"features", "codex_hooks", false},
	)
	gemini := hooksOf("gemini", "BeforeAgent", 10_000, windows, offSwitch{"hooksConfig", "enabled", false})
	return []place{
		{
			"claudecode",
			"CLAUDE_CONFIG_DIR",
			".claude",
			".claude",
			File{
				Path: "settings.json", Entries: hooks, Format: Format{object{hooks: claude}},
				Told: "Claude Code adds what is told before a call to the result of that call: its model reads it before " +
					"the next one.",
			},
		},
		{"claudecode", "", "", "", File{
			Path: ".mcp.json", Entries: []string{MCP}, Format: Format{object{servers: "mcpServers"}},
			Next: "Claude Code asks once in this project before it starts the server: start claude, and approve winnow.",
		}},
		{"codex", "CODEX_HOME", ".codex", ".codex", File{
			Path: "config.toml", Entries: codexAll, Format: Format{tables{codex}},
			Told: "Codex adds what is told before a call behind the result of that call. It does not say whether a " +
				"command failed: its output is searched for errors, and a lesson about a command is told once a session.",
			Changed: "Codex skips a changed hook until you trust it again: start codex, and see /hooks.",
		}},
		{
			"gemini",
			"",
			".gemini",
			".gemini",
			File{
				Path:    "settings.json",
				Entries: geminiAll,
				Told: "Gemini CLI takes no text before a call: lessons about commands and files are told after it, before " +
					"the next one, and not after a file could not be read.",
				Format: Format{object{hooks: gemini, servers: "mcpServers", comments: true}},
			},
		},
		{
			"opencode",
			"OPENCODE_CONFIG_DIR",
			".config/opencode",
			".opencode",
			File{
				Path: "plugins/winnow.ts", Entries: []string{Recall, Learn, AfterCall}, Format: Format{plugin{}},
				Told: "OpenCode takes no text at a call: what is told is in the system prompt from the next request on.",
			},
		},
		{"opencode", "OPENCODE_CONFIG_DIR", ".config/opencode", "", File{
			Path:    "opencode.json",
			Or:      "opencode.jsonc",
			Entries: []string{MCP},
			Format:  Format{object{servers: "mcp", listed: true, comments: true}},
		}},
	}
}

// Program returns the name of an agent's program.
func Program(agent string) string {
	if agent == "claudecode" {
		return "claude"
	}
	return agent
}

// Files returns the settings files of an agent: in the project at dir if project is set, and
// otherwise the user's. Claude Code's servers are always in the project's file, because Claude Code
// constantly rewrites the user's. goos is the operating system.
func Files(agent string, project bool, goos, home, dir string, lookup func(string) (string, bool)) (files []File) {
	absolute := func(name, otherwise string) string {
		if set, _ := lookup(name); strings.HasPrefix(set, "/") {
			return set
		}
		return otherwise
	}
	for _, p := range places(goos == "windows") {
		if p.agent != agent {
			continue
		}
		in := path.Join(dir, p.project)
		if below, found := strings.CutPrefix(p.home, ".config/"); !project && found {
			in = absolute(p.variable, path.Join(absolute("XDG_CONFIG_HOME", path.Join(home, ".config")), below))
		} else if !project && p.home != "" {
			in = absolute(p.variable, path.Join(home, p.home))
		}
		f := p.file
		f.Agent, f.Path = agent, path.Join(in, f.Path)
		f.InProject, f.Twin = project || p.home == "", project && p.home != ""
		if f.Or != "" {
			f.Or = path.Join(in, f.Or)
		}
		files = append(files, f)
	}
	return files
}
