package setup

import (
	"cmp"
	"strings"
)

// File is a settings file of an agent, and which entries it can have.
type File struct {
	Agent string
	Path  string // absolute
	// Or is another name for the file: the one that exists counts.
	Or      string
	Entries []string
	// Next is what is left to do for a person once the file is written; may be empty.
	Next string
}

// Servers says in which file servers are that no settings of the user hold.
const Servers = "The servers\nof Claude Code are in the project's .mcp.json always"

// Agents returns the agents that can be set up.
func Agents() []string { return []string{"claudecode", "codex", "gemini", "opencode"} }

// Files returns the settings files of an agent in the folder dir of a project, or else of the user.
// Claude Code's servers are in the project's file always: the user's is one that Claude Code
// rewrites all the time.
func Files(agent string, project bool, home, dir string, lookup func(string) (string, bool)) []File {
	absolute := func(name string) string {
		set, _ := lookup(name)
		if !strings.HasPrefix(set, "/") {
			return ""
		}
		return strings.TrimSuffix(set, "/")
	}
	folder := func(variable, name string) string {
		if project {
			return dir + "/" + name
		}
		return cmp.Or(absolute(variable), home+"/"+name)
	}
	hooks, all := []string{Recall, Resume, Learn}, []string{Recall, Resume, Learn, MCP}
	switch agent {
	case "claudecode":
		return []File{
			{Agent: agent, Path: folder("CLAUDE_CONFIG_DIR", ".claude") + "/settings.json", Entries: hooks},
			{Agent: agent, Path: dir + "/.mcp.json", Entries: []string{MCP},
				Next: "Claude Code asks once in this project before it starts the server: start claude, and approve winnow."},
		}
	case "codex":
		return []File{{Agent: agent, Path: folder("CODEX_HOME", ".codex") + "/config.toml", Entries: all}}
	case "gemini":
		return []File{{Agent: agent, Path: folder("", ".gemini") + "/settings.json", Entries: all}}
	}
	settings, plugins := dir, dir+"/.opencode"
	if !project {
		settings = cmp.Or(absolute("OPENCODE_CONFIG_DIR"), cmp.Or(absolute("XDG_CONFIG_HOME"), home+"/.config")+"/opencode")
		plugins = settings
	}
	return []File{
		{Agent: agent, Path: plugins + "/plugins/" + pluginName, Entries: []string{Recall, Learn}},
		{Agent: agent, Path: settings + "/opencode.json", Or: settings + "/opencode.jsonc", Entries: []string{MCP}},
	}
}
