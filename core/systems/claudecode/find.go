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
	"winnow/core/systems/instructions"
)

// finder collects the places that a search finds.
type finder struct {
	m      *machine
	survey memory.Survey
}

// find looks for the project of the working folder, for the user's own store, and for the projects
// that Claude Code has worked in; with here only for those around the working folder.
func find(ctx context.Context, m machine, dir string, here bool) memory.Survey {
	f := finder{m: &m}
	installed := filestore.Exists(m.config)
	if dir != "" {
		root := projectOf(dir)
		found := f.project(root, "the working folder", installed, true)
		if !found && root != m.config &&
			slices.ContainsFunc(
				foldersUp(filepath.Dir(root)),
				func(dir string) bool { return f.isProject(dir, installed) },
			) {
			found = true
			f.add(root, "the working folder, below instructions", "project", root)
		}
		if !found && installed && root != m.config {
			if left, _ := m.leftFor(mainOf(root), false); len(left) > 0 {
				found = true
				why := "the working folder; " + cmp.Or(left[0].project, left[0].dir) + " may be of its earlier place"
				f.add(root, why, "project", root)
			}
		}
		if found || !installed {
			f.survey.Look(root, len(f.survey.Places), "")
		}
	}
	where := cmp.Or(system.Say(m.moved, "CLAUDE_CONFIG_DIR"), m.config)
	if !installed {
		f.survey.Look(where, 0, "does not exist")
	} else {
		f.user(where)
		f.projects(ctx, func(name string) bool { return !here || isAround(name, dir) })
	}
	return f.survey
}

// isAround reports whether the folder that Claude Code has for a project can be that of a folder around dir.
func isAround(name, dir string) bool {
	return strings.HasPrefix(slug(dir), name)
}

// add adds a place.
func (f *finder) add(path, why, name, project string) {
	if _, ok := windowsPath(project); ok {
		why += ", a folder of Windows"
	}
	p := placeOf(path, why)
	p.Name, p.Project, p.Personal = name, project, f.m.isOwn(path)
	f.survey.Found(p)
}

// user adds the store for all projects.
func (f *finder) user(where string) {
	found := 0
	if slices.ContainsFunc(
		append(pathsBelow(f.m.config, "CLAUDE.md", "rules", "agent-memory"), filepath.Join(f.m.managed, "CLAUDE.md")),
		filestore.Exists,
	) {
		found = 1
		f.add(f.m.config, "holds for all projects", "user", "")
	}
	f.survey.Look(where, found, "")
}

// isOwn reports whether a store is the user's own: the configuration folder or a folder of projects in it.
func (m *machine) isOwn(path string) bool {
	return path == m.config || filepath.Dir(path) == m.projects()
}

// own are the files that make a folder a project of Claude Code.
var own = [...]string{
	"CLAUDE.md",
	".claude/CLAUDE.md",
	".claude/rules",
	"CLAUDE.local.md",
	".claude/agent-memory",
	".claude/agent-memory-local",
}

// project adds the project at root if it has anything to show. If deep is set, the folders below it are
// searched for instructions too; outside of a repository the search is brief.
func (f *finder) project(root, why string, installed, deep bool) bool {
	if root == f.m.config {
		return false
	}
	found := f.isProject(root, installed)
	if !found && installed {
		slug, _ := f.m.slugOf(mainOf(root))
		found = hasMemories(filepath.Join(f.m.projects(), slug, "memory")) || f.m.movesMemories(root)
	}
	if isRepository := git.Root(root) == root; !found && deep &&
		(isRepository || installed && instructions.MayLookBelow(root, f.m.home)) {
		most := instructions.MostBrief
		if isRepository {
			most = instructions.MostEntries
		}
		c := &chain{
			m:       f.m,
			root:    root,
			cwd:     root,
			agents:  installed,
			byPath:  map[string]*doc{},
			atStart: map[string]*doc{},
		}
		c.addFoldersBelow(context.Background(), most)
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
		// the files in the home folder are the user's own
		return !filestore.Within(f.m.config, path) && filestore.Exists(path)
	})
}

// movesMemories reports whether a project's own settings name a memory folder that is not empty.
func (m *machine) movesMemories(root string) bool {
	own := settings{env: map[string]string{}}
	for _, path := range projectSettings(root) {
		own.read(path, m.home, true)
	}
	return own.directory != nil && filepath.IsAbs(own.directory.path) && hasMemories(own.directory.path)
}

// hasMemories reports whether a folder of auto memory has any files.
func hasMemories(dir string) bool {
	return slices.ContainsFunc(names(dir, maxFiles), func(e fs.DirEntry) bool {
		return strings.HasSuffix(e.Name(), ".md") && !strings.HasPrefix(e.Name(), ".")
	})
}

// projects adds the projects that Claude Code has folders for, of those that are asked for by their names.
func (f *finder) projects(ctx context.Context, asked func(name string) bool) {
	n := len(f.survey.Places)
	all := names(f.m.projects(), maxProjects)
	roots, ok := f.rootsOf(ctx, all, asked)
	if !ok {
		return
	}
	f.addConfigured(roots, asked)
	for _, root := range slices.Sorted(maps.Keys(roots)) {
		f.addProject(root, roots[root])
	}
	places := f.survey.Places[n:]
	slices.SortStableFunc(places, func(a, b memory.Place) int { return cmp.Compare(a.Store, b.Store) })
	f.survey.Look(f.m.projects(), len(places), system.Say(len(all) == 0, "is empty, or does not exist"))
}

// rootsOf returns the roots of the projects that are asked for, each with its folders among all, or false if the
// context ended first.
func (f *finder) rootsOf(
	ctx context.Context, all []fs.DirEntry, asked func(name string) bool,
) (roots map[string][]string, ok bool) {
	var lost []string
	roots = map[string][]string{}
	left := mostHeadsInAll
	for _, e := range all {
		if ctx.Err() != nil {
			return nil, false
		}
		if !asked(e.Name()) || !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		dir := filepath.Join(f.m.projects(), e.Name())
		memories, cwd := filepath.Join(dir, "memory"), cwdOf(dir)
		if cwd == "" {
			if hasMemories(memories) {
				lost = append(lost, e.Name())
			}
			continue
		}
		root := mainOf(cwd)
		roots[root] = append(roots[root], dir)
		if left > 0 && hasMemories(memories) { // another project can have the same folder
			others, _ := projectsIn(dir, min(left, mostHeadsInOne))
			left -= mostHeadsInOne
			for _, other := range others {
				if other != root && slug(other) == e.Name() {
					roots[other] = append(roots[other], dir)
				}
			}
		}
	}
	for root, folders := range f.projectsNamed(lost) {
		roots[root] = append(roots[root], folders...)
	}
	return roots, true
}

// addConfigured adds the roots that only the configuration names: one of two projects that share a folder may have no
// transcript in it.
func (f *finder) addConfigured(roots map[string][]string, asked func(name string) bool) {
	for path := range f.m.projectsInConfig() {
		path = filepath.Clean(path)
		dir := filepath.Join(f.m.projects(), slug(path))
		if !asked(slug(path)) {
			continue
		}
		if filepath.IsAbs(path) && roots[path] == nil && hasMemories(filepath.Join(dir, "memory")) &&
			filestore.IsFolder(path) && mainOf(path) == path {
			roots[path] = []string{dir}
		}
	}
}

// Limits of the transcripts that are looked at for projects that share a folder, in one folder and in
// all together.
const (
	mostHeadsInOne = 20
	mostHeadsInAll = 2000
)

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
			what := "a folder of projects with memories"
			if there := windowsProject(dir); root == "" && there != "" {
				what = "memories of a project of Windows, " + there
			}
			f.add(dir, what, "project", root)
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
			main := mainOf(p.Project)
			bySlug[slug(p.Project)], bySlug[slug(main)] = p.Project, main
		}
	}
	for _, name := range folders {
		root := bySlug[name]
		if root != "" {
			root = mainOf(root)
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
			is = slices.ContainsFunc(
				pathsBelow(dir, ".claude/CLAUDE.md", ".claude/rules", ".claude/agent-memory"),
				filestore.Exists,
			)
		}
		if is && projectOf(dir) == filepath.Clean(dir) { // files below a root belong to the root
			return []memory.Place{placeOf(dir, "found")}
		}
	}
	return nil
}

func placeOf(root, why string) memory.Place {
	return memory.Place{
		Store:   memory.At(id, root),
		System:  id,
		Path:    root,
		Why:     why,
		Exists:  true,
		Name:    "project",
		Project: root,
	}
}

// reads reports whether a path that a person named is a store: the configuration folder, a project
// folder, or a folder of a project with instructions or memories.
func reads(m machine, path string) (memory.Place, bool) {
	if path == m.config {
		p := placeOf(path, "named")
		p.Name, p.Project, p.Personal = "user", "", true
		return p, filestore.Exists(path)
	}
	if filepath.Dir(path) == m.projects() {
		p := placeOf(path, "named")
		p.Project, p.Personal = "", true
		return p, hasMemories(filepath.Join(path, "memory"))
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return memory.Place{}, false
	}
	f := finder{m: &m}
	if !f.project(projectOf(path), "named", filestore.Exists(m.config), true) {
		return memory.Place{}, false
	}
	return f.survey.Places[0], true
}
