package claudecode

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/system"
)

// finder collects the places that a search finds.
type finder struct {
	m      *machine
	survey memory.Survey
}

// find looks for the project of the working folder, for the user's own store, and for the projects
// that Claude Code has worked in.
func find(ctx context.Context, m machine, dir string) memory.Survey {
	f := finder{m: &m}
	installed := filestore.Exists(m.config)
	if dir != "" {
		root := rootOf(dir)
		found := f.project(root, "the working folder", installed, true)
		if !found && root != m.config && slices.ContainsFunc(foldersUp(filepath.Dir(root)), func(dir string) bool { return f.isProject(dir, installed) }) {
			found = true
			f.add(root, "the working folder, below instructions", "project", root)
		}
		if found || !installed {
			f.survey.Look(root, len(f.survey.Places), "")
		}
	}
	where := cmp.Or(system.Say(m.moved, "CLAUDE_CONFIG_DIR"), m.config)
	if !installed {
		f.survey.Look(where, 0, "does not exist")
		return f.survey
	}
	f.user(where)
	f.projects(ctx)
	return f.survey
}

// add adds a place.
func (f *finder) add(path, why, name, project string) {
	p := placeOf(path, why)
	p.Name, p.Project = name, project
	f.survey.Found(p)
}

// user adds the store for all projects.
func (f *finder) user(where string) {
	found := 0
	if slices.ContainsFunc(append(pathsBelow(f.m.config, "CLAUDE.md", "rules", "agent-memory"), filepath.Join(f.m.managed, "CLAUDE.md")), filestore.Exists) {
		found = 1
		f.add(f.m.config, "holds for all projects", "user", "")
	}
	f.survey.Look(where, found, "")
}

// own are the files that make a folder a project of Claude Code.
var own = [...]string{"CLAUDE.md", ".claude/CLAUDE.md", ".claude/rules", "CLAUDE.local.md", ".claude/agent-memory", ".claude/agent-memory-local"}

// project adds the project at root if it has anything to show. If deep is set, the folders below a
// repository are searched for instructions too.
func (f *finder) project(root, why string, installed, deep bool) bool {
	if root == f.m.config {
		return false
	}
	found := f.isProject(root, installed)
	if !found && installed {
		slug, _ := f.m.slugOf(root)
		found = hasMemories(filepath.Join(f.m.projects(), slug, "memory")) || f.m.movesMemories(root)
	}
	if !found && deep && git.Root(root) == root {
		c := &chain{m: f.m, root: root, cwd: root, agents: installed, byPath: map[string]*doc{}}
		c.addFoldersBelow(context.Background())
		found = len(c.docs) > 0
	}
	if found {
		f.add(root, why, "project", root)
	}
	return found
}

// isProject reports whether a folder has files that make it a Claude Code project.
func (f *finder) isProject(dir string, installed bool) bool {
	if installed && filestore.Exists(filepath.Join(dir, "AGENTS.md")) {
		return true
	}
	return slices.ContainsFunc(pathsBelow(dir, own[:]...), func(path string) bool {
		return !filestore.Within(f.m.config, path) && filestore.Exists(path) // the files in the home folder are the user's own
	})
}

// movesMemories reports whether a project's own settings name a memory folder that is not empty.
func (m *machine) movesMemories(root string) bool {
	own := settings{env: map[string]string{}}
	for _, name := range [...]string{"settings.local.json", "settings.json"} {
		own.read(filepath.Join(root, ".claude", name), m.home, true)
	}
	return own.directory != nil && filepath.IsAbs(own.directory.path) && hasMemories(own.directory.path)
}

// hasMemories reports whether a folder of auto memory has any files.
func hasMemories(dir string) bool {
	return slices.ContainsFunc(names(dir, maxFiles), func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".md") && !strings.HasPrefix(e.Name(), ".")
	})
}

// projects adds the projects that Claude Code has folders for.
func (f *finder) projects(ctx context.Context) {
	var lost []string
	roots := map[string][]string{} // root -> its folders
	n := len(f.survey.Places)
	all := names(f.m.projects(), maxProjects)
	for _, e := range all {
		if ctx.Err() != nil {
			return
		}
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		dir := filepath.Join(f.m.projects(), e.Name())
		if cwd := cwdOf(dir); cwd != "" {
			root := rootOf(cwd)
			roots[root] = append(roots[root], dir)
		} else if hasMemories(filepath.Join(dir, "memory")) {
			lost = append(lost, e.Name())
		}
	}
	for root, folders := range f.projectsNamed(lost) {
		roots[root] = append(roots[root], folders...)
	}
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		f.addProject(root, roots[root])
	}
	places := f.survey.Places[n:]
	slices.SortStableFunc(places, func(a, b memory.Place) int { return cmp.Compare(a.Store, b.Store) })
	f.survey.Look(f.m.projects(), len(places), system.Say(len(all) == 0, "is empty, or does not exist"))
}

// addProject adds a project that Claude Code has folders for. If the project's own folder is not among
// them, or is the configuration folder, each folder with memories becomes a place of its own.
func (f *finder) addProject(root string, folders []string) {
	const why = "Claude Code has worked there"
	if root != "" && f.project(root, why, true, false) {
		return
	}
	for _, dir := range folders {
		if !hasMemories(filepath.Join(dir, "memory")) {
			continue
		}
		if root == "" || root == f.m.config {
			f.add(dir, "a folder of projects with memories", "project", root)
			continue
		}
		f.add(root, why, "project", root)
	}
}

// projectsNamed finds the projects of folders without transcripts among the projects named in
// ~/.claude.json: a folder's name cannot be turned back into a path. Folders of unknown projects
// are under the empty name.
func (f *finder) projectsNamed(folders []string) map[string][]string {
	out := map[string][]string{}
	if len(folders) == 0 {
		return out
	}
	bySlug := map[string]string{}
	for root := range f.m.projectsInConfig() {
		if filepath.IsAbs(root) && (bySlug[slug(root)] == "" || root < bySlug[slug(root)]) {
			bySlug[slug(root)] = root
		}
	}
	for _, p := range f.survey.Places {
		if p.Project != "" {
			bySlug[slug(p.Project)] = p.Project
		}
	}
	for _, name := range folders {
		root := bySlug[name]
		if root != "" {
			root = rootOf(root)
		}
		out[root] = append(out[root], filepath.Join(f.m.projects(), name))
	}
	return out
}

// storesIn returns the store in a folder below one that a person named: a project with instructions.
func storesIn(dir string, entries []fs.DirEntry) []memory.Place {
	for _, e := range entries {
		is := e.Type().IsRegular() && (e.Name() == "CLAUDE.md" || e.Name() == "CLAUDE.local.md")
		if e.IsDir() && e.Name() == ".claude" {
			is = slices.ContainsFunc(pathsBelow(dir, ".claude/CLAUDE.md", ".claude/rules", ".claude/agent-memory"), filestore.Exists)
		}
		if is && rootOf(dir) == filepath.Clean(dir) { // files below a root belong to the root
			return []memory.Place{placeOf(dir, "found")}
		}
	}
	return nil
}

func placeOf(root, why string) memory.Place {
	return memory.Place{Store: memory.At(ID, root), System: ID, Path: root, Why: why, Exists: true, Name: "project", Project: root}
}

// reads reports whether a path that a person named is a store: the configuration folder, a project
// folder, or a folder of a project with instructions or memories.
func reads(m machine, path string) (memory.Place, bool) {
	if path == m.config {
		p := placeOf(path, "named")
		p.Name, p.Project = "user", ""
		return p, filestore.Exists(path)
	}
	if filepath.Dir(path) == m.projects() {
		p := placeOf(path, "named")
		p.Project = ""
		return p, hasMemories(filepath.Join(path, "memory"))
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return memory.Place{}, false
	}
	f := finder{m: &m}
	if !f.project(rootOf(path), "named", filestore.Exists(m.config), true) {
		return memory.Place{}, false
	}
	return f.survey.Places[0], true
}
