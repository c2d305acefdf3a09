package opencode

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
)

// The versions whose order of instructions is known. They differ in the place of
// the global file, and in what the switch for prompts leaves out.
const (
	version118 = "1.18.34"
	version13  = "1.3.2"
)

// How a file came to be among the instructions.
const (
	asGlobal  = "global instructions"
	asProject = "project instructions"
	asConfig  = "config instructions"
)

// found is a file that a session gets when it starts.
type found struct {
	path string
	how  string
	by   entry // of asConfig: what names it
}

// shadowed is a file that another one keeps out.
type shadowed struct {
	path string
	by   string // the file whose name or place wins, or the switch that leaves it out
	how  string
}

// opening is what a session gets when it starts, in the order in which it reaches the
// system prompt.
type opening struct {
	folder, root string
	git          bool
	files        []found
	hidden       []shadowed
	urls         []entry
	silent       []entry // patterns that match nothing
	skipped      []entry // patterns that a switch leaves out
	cut          bool    // a pattern had too much to look at
	settings     settings
}

// has reports whether a file is among those that the session gets.
func (o *opening) has(path string) bool {
	return slices.ContainsFunc(o.files, func(f found) bool { return f.path == path })
}

// names returns the names of files of instructions, best first.
func (m machine) names() []string {
	if m.claudeOff() && !m.old {
		return []string{"AGENTS.md", "CONTEXT.md"}
	}
	return []string{"AGENTS.md", "CLAUDE.md", "CONTEXT.md"}
}

// opening finds what a session gets that starts in folder. No folder stands for what
// every session gets.
func (m machine) opening(folder string) opening {
	if real, err := filepath.EvalSymlinks(folder); err == nil && folder != "" {
		folder = real
	}
	o := opening{folder: folder}
	if folder != "" {
		o.root, o.git = m.worktree(folder)
	}
	if !m.old {
		o.global(m)
	}
	o.project(m)
	if m.old {
		o.global(m)
	}
	o.settings = m.settingsFor(o.folder, o.root)
	for _, e := range o.settings.entries {
		o.entry(m, e)
	}
	return o
}

// globals returns the places of the file that holds for every project, best first.
func (m machine) globals() []string {
	var all []string
	if dir := m.value(configDir); dir != "" {
		all = append(all, filepath.Join(dir, "AGENTS.md"))
	}
	if len(all) == 0 || m.old {
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
		case !exists(path):
		case first == "":
			first = path
			o.add(found{path: path, how: asGlobal})
		default:
			o.hidden = append(o.hidden, shadowed{path, first, asGlobal})
		}
	}
}

// project takes every file of the first name that is found on the way from the folder of
// the session up to the root of its work tree, nearest first.
func (o *opening) project(m machine) {
	if o.folder == "" {
		return
	}
	first := ""
	if m.on(noProjectConfig) {
		first = noProjectConfig
	}
	for _, name := range m.names() {
		nearest := ""
		for _, dir := range upwards(o.folder, o.root) {
			path := filepath.Join(dir, name)
			switch {
			case !exists(path):
			case first == "":
				nearest = cmp.Or(nearest, path)
				o.add(found{path: path, how: asProject})
			default:
				o.hidden = append(o.hidden, shadowed{path, first, asProject})
			}
		}
		first = cmp.Or(first, nearest)
	}
	if name := "CLAUDE.md"; !slices.Contains(m.names(), name) {
		for _, dir := range upwards(o.folder, o.root) {
			if path := filepath.Join(dir, name); exists(path) {
				o.hidden = append(o.hidden, shadowed{path, m.claudeSwitch(), asProject})
			}
		}
	}
}

// claudeSwitch returns the switch that leaves files of Claude Code out.
func (m machine) claudeSwitch() string {
	if m.on(noClaude) {
		return noClaude
	}
	return noClaudePrompt
}

func (o *opening) add(f found) {
	if !o.has(f.path) {
		o.files = append(o.files, f)
	}
}

// entry takes the files that an element of instructions names.
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
		pattern = filepath.Base(pattern) // the folders before it are taken as they are
	case m.on(noProjectConfig):
		if !m.old || m.value(configDir) != "" {
			dirs = []string{m.config()}
		}
	case o.folder != "":
		dirs = upwards(o.folder, o.root)
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

// nested returns the files that come with a file that is read below the folder of a
// session, nearest first. Already are those that came before.
func (o *opening) nested(m machine, target string, already map[string]bool) []string {
	var all []string
	for dir := filepath.Dir(target); dir != o.folder && within(o.folder, dir); dir = filepath.Dir(dir) {
		path := m.beside(dir)
		if path == "" || path == target || o.has(path) || already[path] {
			continue
		}
		already[path] = true
		all = append(all, path)
	}
	return all
}

// beside returns the file of instructions in a folder, of the best name, or nothing.
func (m machine) beside(dir string) string {
	for _, name := range m.names() {
		if path := filepath.Join(dir, name); exists(path) {
			return path
		}
	}
	return ""
}

// within reports whether path is dir or below it.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}
