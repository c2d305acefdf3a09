package instructions

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// starting is the part of an agent's settings that starts programs. Agents agree on the names: a hook is
// a command, or a list of commands behind a matcher.
type starting struct {
	Hooks map[string][]struct {
		Command string                     `json:"command" toml:"command"`
		Hooks   []struct{ Command string } `json:"hooks" toml:"hooks"`
	} `json:"hooks"      toml:"hooks"`
	Servers    map[string]server        `json:"mcpServers" toml:"mcp_servers"`
	VSCode     map[string]server        `json:"servers"    toml:"-"`
	StatusLine struct{ Command string } `json:"statusLine" toml:"-"`
}

// server is a server of tools that an agent starts.
type server struct {
	Command string   `json:"command" toml:"command"`
	Args    []string `json:"args"    toml:"args"`
}

// startingIn returns what a settings file starts. A value of another type than agents expect is left out,
// and hides no other.
func startingIn(settings *filestore.File) (s starting, ok bool) {
	if filepath.Ext(settings.Path) == ".toml" {
		return s, toml.Unmarshal([]byte(settings.Text), &s) == nil
	}
	text, _ := jstext.WithoutComments(settings.Text)
	err := json.Unmarshal([]byte(text), &s)
	var other *json.UnmarshalTypeError
	return s, err == nil || errors.As(err, &other)
}

// Programs returns the programs that the hooks and the servers of a settings file run and that lie in one
// of some folders, of which the first is the project, and those that these run. Programs of the machine
// are not what a project brings.
func Programs(settings *filestore.File, folders ...string) []memory.Source {
	s, ok := startingIn(settings)
	if !ok {
		return nil
	}
	r := runs{folders: folders}
	for event, hooks := range s.Hooks {
		why := "It is run at " + event + ": its text is not sent."
		for _, hook := range hooks {
			r.add(hook.Command, settings.Path, why, 0)
			for _, inner := range hook.Hooks {
				r.add(inner.Command, settings.Path, why, 0)
			}
		}
	}
	for _, servers := range []map[string]server{s.Servers, s.VSCode} {
		for name, server := range servers {
			r.add(strings.Join(append([]string{server.Command}, server.Args...), " "), settings.Path,
				"It is run as the server "+name+": its text is not sent.", 0)
		}
	}
	r.add(s.StatusLine.Command, settings.Path, "It draws the status line: its text is not sent.", 0)
	slices.SortFunc(r.all, func(a, b memory.Source) int { return strings.Compare(a.Path+a.Why, b.Path+b.Why) })
	return slices.CompactFunc(r.all, func(a, b memory.Source) bool { return a.Path == b.Path })
}

// runs collects the programs that a settings file runs.
type runs struct {
	folders []string // the first is the project
	all     []memory.Source
}

// mostPrograms limits how many programs of a settings file are followed, and deepestProgram how many
// programs may stand between it and one of them.
const (
	mostPrograms   = 100
	deepestProgram = 3
)

// add adds the programs in a command, and the programs of the project that those name.
func (r *runs) add(command, by, why string, depth int) {
	own := "" // the folder of the script that has the command
	if depth > 0 {
		own = filepath.Dir(by)
	}
	for _, path := range programsIn(command, r.folders[0], own) {
		known := slices.ContainsFunc(r.all, func(s memory.Source) bool { return s.Path == path })
		if known || len(r.all) >= mostPrograms || !r.within(path) {
			continue
		}
		f := filestore.Read(path, MostFile)
		if f.Missing() {
			continue
		}
		out := f.Source(memory.SourceHook, memory.Never, why)
		out.By = by
		r.all = append(r.all, out)
		if depth < deepestProgram && filestore.Within(r.folders[0], path) && isScript(path) {
			r.add(
				strings.Join(commandLines(f.Text), " "),
				path,
				"It is named by a program that is run: its text is not sent.",
				depth+1,
			)
		}
	}
}

// within reports whether a path is in one of the folders.
func (r *runs) within(path string) bool {
	return slices.ContainsFunc(r.folders, func(dir string) bool { return dir != "" && filestore.Within(dir, path) })
}

// isScript reports whether a file has the name of a program that is text.
func isScript(path string) bool {
	return slices.Contains(
		[]string{"", ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".ps1"},
		strings.ToLower(filepath.Ext(path)),
	)
}

// commandLines returns the lines of a program that name a script.
func commandLines(text string) (lines []string) {
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if !strings.HasPrefix(trimmed, "#") && !strings.HasPrefix(trimmed, "//") && namesScript(trimmed) {
			lines = append(lines, trimmed)
		}
	}
	return lines
}

// namesScript reports whether a line names a file with the name of a script.
func namesScript(line string) bool {
	return slices.ContainsFunc(
		[]string{".sh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".ps1"},
		func(ext string) bool {
			return strings.Contains(line, ext)
		},
	)
}

// projectFolder matches what agents and their documentation write for the folder of the project.
var projectFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`\$\{?[A-Z]+_(?:PROJECT_DIR|PLUGIN_ROOT)\}?|\$\{workspaceFolder\}|\$\(git rev-parse --show-toplevel\)`,
	)
})

// scriptFolder matches what scripts write for their own folder, without quotes.
var scriptFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`\$\(dirname (?:-- )?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?\)|\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}|` +
			`(?i:\$\{?\w*(?:dir|here)\w*\}?)|__dirname`,
	)
})

// programsIn returns the paths in a command that could be files. In a script they can be relative to its own
// folder, which is own, too.
func programsIn(command, project, own string) (paths []string) {
	filled := projectFolder().ReplaceAllLiteralString(strings.NewReplacer(`"`, "", `'`, "").Replace(command), project)
	if own != "" {
		filled = scriptFolder().ReplaceAllLiteralString(filled, own)
	}
	isBreak := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(),;&|`", r) }
	for _, word := range strings.FieldsFunc(filled, isBreak) {
		if !strings.Contains(word, "/") && !namesScript(word) {
			continue
		}
		at := []string{word}
		if !filepath.IsAbs(word) {
			at = []string{filepath.Join(project, word), filepath.Join(own, word)}
		}
		for _, path := range at {
			if filepath.IsAbs(path) && !filestore.IsFolder(path) {
				paths = append(paths, filepath.Clean(path))
			}
		}
	}
	return paths
}
