package opencode

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/system"
)

// version is the version whose order of instructions is known.
const version = "1.18.34"

// How a file came to be among the instructions.
const (
	asGlobal  = "global instructions"
	asProject = "project instructions"
	asConfig  = "config instructions"
	// asGlobalConfig is for files that an entry of the user's settings names.
	asGlobalConfig = "global config instructions"
)

// found is a file that a session gets at its start.
type found struct {
	path string
	how  string
	by   entry // for asConfig: the entry that names it
}

// shadowed is a file that is left out because of another file or a switch.
type shadowed struct {
	path string
	by   string // the file that wins, or the switch
	how  string
}

// opening is what a session gets at its start, in the order of the system prompt.
type opening struct {
	folder, root string
	git          bool
	files        []found
	hidden       []shadowed
	urls         []entry
	silent       []entry // entries that match no file
	skipped      []entry // entries that a switch leaves out
	cut          bool    // a pattern matched too much
	settings     settings
}

// has reports whether the session gets a file.
func (o *opening) has(path string) bool {
	return slices.ContainsFunc(o.files, func(f found) bool { return f.path == path })
}

// instructionNames are the names of instruction files, by precedence.
var instructionNames = []string{"AGENTS.md", "CLAUDE.md", "CONTEXT.md"}

// names returns the names that are read.
func (m machine) names() []string {
	if m.claudeOff() {
		return []string{"AGENTS.md", "CONTEXT.md"}
	}
	return instructionNames
}

// opening finds what a session that starts in folder gets. With an empty folder it is what every
// session gets.
func (m machine) opening(folder string) opening {
	o := opening{folder: folder}
	if folder != "" {
		o.folder = filestore.Real(folder)
		o.root, o.git = m.worktree(o.folder)
	}
	o.global(m)
	o.project(m)
	o.settings = m.settingsFor(o.folder, o.root)
	for _, e := range o.settings.entries {
		o.entry(m, e)
	}
	return o
}

// globals returns the paths of the global instruction file, in order of precedence.
func (m machine) globals() (all []string) {
	if dir := m.value(configDir); dir != "" {
		all = append(all, filepath.Join(dir, "AGENTS.md"))
	}
	if len(all) == 0 {
		all = append(all, filepath.Join(m.settings(), "AGENTS.md"))
	}
	if !m.claudeOff() {
		all = append(all, filepath.Join(m.home, ".claude", "CLAUDE.md"))
	}
	return all
}

func (o *opening) global(m machine) {
	first := ""
	for _, path := range m.globals() {
		switch {
		case !filestore.Exists(path):
		case first == "":
			first = path
			o.add(found{path: path, how: asGlobal})
		default:
			o.hidden = append(o.hidden, shadowed{path, first, asGlobal})
		}
	}
}

// project adds the files of one name, from the session's folder up to the root of its work tree,
// nearest first. The first name that any of these folders has wins.
func (o *opening) project(m machine) {
	if o.folder == "" {
		return
	}
	first := system.Say(m.switchedOn(noProjectConfig), noProjectConfig)
	for _, name := range instructionNames {
		by, nearest := first, ""
		if !slices.Contains(m.names(), name) {
			by = m.claudeSwitch()
		}
		for _, dir := range filestore.Upwards(o.folder, o.root) {
			path := filepath.Join(dir, name)
			switch {
			case !filestore.Exists(path):
			case by == "":
				nearest = cmp.Or(nearest, path)
				o.add(found{path: path, how: asProject})
			default:
				o.hidden = append(o.hidden, shadowed{path, by, asProject})
			}
		}
		first = cmp.Or(first, nearest)
	}
}

// claudeSwitch returns the switch that leaves out the files of Claude Code.
func (m machine) claudeSwitch() string {
	if m.switchedOn(noClaude) {
		return noClaude
	}
	return noClaudePrompt
}

func (o *opening) add(f found) {
	if !o.has(f.path) {
		o.files = append(o.files, f)
	}
}

// entry adds the files that an instructions entry names.
func (o *opening) entry(m machine, e entry) {
	if e.url() {
		o.urls = append(o.urls, e)
		return
	}
	pattern := e.text
	if rest, ok := strings.CutPrefix(pattern, "~/"); ok {
		pattern = filepath.Join(m.home, rest)
	}
	var dirs []string
	switch {
	case filepath.IsAbs(pattern):
		dirs = []string{filepath.Dir(pattern)}
		pattern = filepath.Base(pattern) // a pattern applies only to the base name
	case m.switchedOn(noProjectConfig):
		dirs = []string{m.config()}
	case o.folder != "":
		dirs = filestore.Upwards(o.folder, o.root)
	}
	if len(dirs) == 0 {
		o.skipped = append(o.skipped, e)
		return
	}
	hits := 0
	for _, dir := range dirs {
		files, cut := glob(dir, pattern)
		o.cut = o.cut || cut
		hits += len(files)
		for _, path := range files {
			o.add(found{path: path, how: asConfig, by: e})
		}
	}
	if hits == 0 {
		o.silent = append(o.silent, e)
	}
}

// nested returns the instruction files that come with reading target, nearest first. already holds the
// files that came before.
func (o *opening) nested(m machine, target string, already map[string]bool) (all []string) {
	for dir := filepath.Dir(target); dir != o.folder && filestore.Within(o.folder, dir); dir = filepath.Dir(dir) {
		path := m.folderFile(dir)
		if path == "" || path == target || o.has(path) || already[path] {
			continue
		}
		already[path] = true
		all = append(all, path)
	}
	return all
}

// folderFile returns the instruction file of a folder, or nothing.
func (m machine) folderFile(dir string) string {
	for _, name := range m.names() {
		if path := filepath.Join(dir, name); filestore.Exists(path) {
			return path
		}
	}
	return ""
}
