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
	// Next is what a person still has to do after the file is written; may be empty.
	Next string
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

func places() []place {
	hooks, all := []string{Recall, Resume, Learn}, []string{Recall, Resume, Learn, MCP}
	claude := hooksOf("claudecode", "UserPromptSubmit", 10, offSwitch{"", "disableAllHooks", true})
	codex := hooksOf("codex", "UserPromptSubmit", 3, offSwitch{"features", "hooks", false}, offSwitch{"features", "codex_hooks", false})
	gemini := hooksOf("gemini", "BeforeAgent", 10_000, offSwitch{"hooksConfig", "enabled", false})
	return []place{
		{"claudecode", "CLAUDE_CONFIG_DIR", ".claude", ".claude", File{Path: "settings.json", Entries: hooks, Format: Format{object{hooks: claude}}}},
		{"claudecode", "", "", "", File{
			Path: ".mcp.json", Entries: []string{MCP}, Format: Format{object{servers: "mcpServers"}},
			Next: "Claude Code asks once in this project before it starts the server: start claude, and approve winnow.",
		}},
		{"codex", "CODEX_HOME", ".codex", ".codex", File{Path: "config.toml", Entries: all, Format: Format{tables{codex}}}},
		{"gemini", "", ".gemini", ".gemini", File{Path: "settings.json", Entries: all, Format: Format{object{hooks: gemini, servers: "mcpServers", comments: true}}}},
		{"opencode", "OPENCODE_CONFIG_DIR", ".config/opencode", ".opencode", File{Path: "plugins/winnow.ts", Entries: []string{Recall, Learn}, Format: Format{plugin{}}}},
		{"opencode", "OPENCODE_CONFIG_DIR", ".config/opencode", "", File{
			Path: "opencode.json", Or: "opencode.jsonc", Entries: []string{MCP}, Format: Format{object{servers: "mcp", listed: true, comments: true}},
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
// constantly rewrites the user's.
func Files(agent string, project bool, home, dir string, lookup func(string) (string, bool)) (files []File) {
	absolute := func(name, otherwise string) string {
		if set, _ := lookup(name); strings.HasPrefix(set, "/") {
			return set
		}
		return otherwise
	}
	for _, p := range places() {
		if p.agent != agent {
			continue
		}
		in := path.Join(dir, p.project)
		if below, found := strings.CutPrefix(p.home, ".config/"); !project && found {
			in = absolute(p.variable, path.Join(absolute("XDG_CONFIG_HOME", home+"/.config"), below))
		} else if !project && p.home != "" {
			in = absolute(p.variable, path.Join(home, p.home))
		}
		f := p.file
		f.Agent, f.Path = agent, path.Join(in, f.Path)
		if f.Or != "" {
			f.Or = path.Join(in, f.Or)
		}
		files = append(files, f)
	}
	return files
}
