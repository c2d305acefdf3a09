package claudecode

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/detect"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
)

// Claude Code names the folder of a project's memory after the project's path. A project that is moved
// leaves its memory behind, and two paths that differ only in signs have one folder.

// isMissing reports whether nothing is at a path. What cannot be looked at is not missing.
func isMissing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// staysBehind implements [system.Info.Stays]: the memory in use does.
func staysBehind(r *memory.Record) bool {
	rel, is := strings.CutPrefix(string(r.ID), memoryPrefix)
	return is && !strings.HasPrefix(rel, "@")
}

// leftBehind is a memory of a project that no longer exists.
type leftBehind struct {
	project string // its former path; empty if nothing tells it
	dir     string // its folder of memory
}

// leftFor returns the memories of projects that no longer exist and that could be an earlier place of the
// project at root: they have its name, lay in it or were a work tree of it. With beside, a project that lay
// beside it counts too. whole is false if some folders were not looked at.
func (m *machine) leftFor(root string, beside bool) (all []leftBehind, whole bool) {
	own, _ := m.slugOf(root)
	trees := workTrees(root)
	entries, more, _ := filestore.Names(m.projects(), mostOrphans) // without the folder there is none
	for _, e := range entries {
		dir := filepath.Join(m.projects(), e.Name())
		if !e.IsDir() || e.Name() == own || !mayHaveBeen(root, e.Name(), beside, trees) {
			continue
		}
		if !hasMemories(filepath.Join(dir, "memory")) {
			continue
		}
		old := cwdOf(dir)
		if old == "" {
			if named := m.goneInConfig(e.Name()); named != "" {
				old = named
			} else if m.wasNear(root, e.Name(), beside) {
				all = append(all, leftBehind{"", filepath.Join(dir, "memory")})
			}
		}
		near := isNear(root, old, beside) || slices.Contains(trees, e.Name())
		if old != "" && near && isMissing(old) && slug(old) == e.Name() {
			all = append(all, leftBehind{old, filepath.Join(dir, "memory")})
		}
	}
	return all, !more
}

// isNear reports whether a project could have moved from old to root: it has the same name, lay in it or, with beside,
// lay beside it.
func isNear(root, old string, beside bool) bool {
	return filepath.Base(old) == filepath.Base(root) || filestore.Within(root, old) ||
		beside && filepath.Dir(old) == filepath.Dir(root)
}

// mayHaveBeen reports whether a folder of projects can be, by its name, of an earlier place of the project at root.
// It asks no disk: each of many projects looks at the folders of all.
func mayHaveBeen(root, name string, beside bool, trees []string) bool {
	return len(name) > maxSlug || strings.HasSuffix(name, slug(filepath.Base(root))) ||
		strings.HasPrefix(name, slug(root)+"-") || slices.Contains(trees, name) ||
		beside && strings.HasPrefix(name, slug(filepath.Dir(root)))
}

// goneInConfig returns the project of ~/.claude.json with a folder of projects of that name which no longer
// exists, or "" if there is none or one exists.
func (m *machine) goneInConfig(name string) (gone string) {
	for path := range m.projectsInConfig() {
		switch {
		case !filepath.IsAbs(path) || slug(path) != name:
		case !isMissing(path):
			return ""
		case gone == "" || path < gone:
			gone = path
		}
	}
	return gone
}

// wasNear reports whether a folder of projects that no transcript explains was of a folder below root or,
// with beside, beside it, and no folder there has that name any more.
func (m *machine) wasNear(root, name string, beside bool) bool {
	rest, near := strings.CutPrefix(name, slug(filepath.Dir(root))+"-")
	isBelow := strings.HasPrefix(name, slug(root)+"-") // or beside it, with more to its name
	isBeside := beside && !strings.Contains(rest, "-")
	return near && (isBelow || isBeside) && !hasFolderOf(filepath.Dir(root), name)
}

// hasFolderOf reports whether the folder of projects of that name is, or could be, one of a folder below dir.
func hasFolderOf(dir, name string) bool {
	entries, more, err := filestore.Names(dir, mostSharing)
	if more || err != nil {
		return true
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch s := slug(path); {
		case !e.IsDir():
		case s == name, strings.HasPrefix(name, s+"-") && hasFolderOf(path, name):
			return true
		}
	}
	return false
}

// mostOrphans limits the folders of projects that are looked at for a memory that was left behind.
const mostOrphans = 2000

// leftHealth reports memories of projects that no longer exist and may be this one's.
func (r *reading) leftHealth() (lines []memory.Health) {
	if r.s.sort != ofProject || r.gone != "" {
		return nil
	}
	const most = 10
	isNew := len(r.memoryFolders) == 0 || r.memoryFolders[0].empty()
	all, whole := r.s.m.leftFor(r.s.main, isNew)
	here, _ := r.s.m.slugOf(r.s.main)
	for _, l := range all[:min(len(all), most)] {
		if holdsSecret(r.s.root) || holdsSecret(l.project) || holdsSecret(filepath.Base(filepath.Dir(l.dir))) {
			lines = append(lines, system.When(true, memory.CodeMoved, memory.Note, 1,
				"A memory of a project that no longer exists may be this one's. Its folder is not named, since a path here "+
					"holds a secret.", "winnow stores lists the projects that no longer exist"))
			continue
		}
		if l.project == "" {
			lines = append(lines, system.When(true, memory.CodeMoved, memory.Note, 1,
				"No transcript tells of which project the memory in "+l.dir+" is. "+
					"By its name it was in or beside this one, where no such folder is any more.",
				fmt.Sprintf("if it was this project or a work tree of it: winnow repair --store %s --from %s",
					memory.ShellWord(string(memory.At(id, r.s.root))), memory.ShellWord(filepath.Dir(l.dir)))))
			continue
		}
		lines = append(lines, system.When(true, memory.CodeMoved, memory.Note, 1,
			fmt.Sprintf("%s no longer exists, and has its memory in %s.", l.project, l.dir),
			fmt.Sprintf("if it was this project, move the folder to %s: winnow repair --store %s --from %s",
				filepath.Join(r.s.m.projects(), here, "memory"), memory.ShellWord(string(memory.At(id, r.s.root))),
				memory.ShellWord(l.project))))
	}
	return append(lines,
		system.When(len(all) > most, memory.CodeMoved, memory.Note, len(all)-most,
			fmt.Sprintf("So have %d other projects of that name or below this one.", len(all)-most),
			"see them all: winnow stores"),
		system.When(!whole, "not-checked", memory.Note, 1,
			fmt.Sprintf("Not checked: whether folders of projects after the first %d hold a memory of this project "+
				"from before it was moved.", mostOrphans),
			"winnow stores lists the projects that no longer exist"))
}

// holdsSecret reports whether a path holds a secret, also where the name of a folder of projects has a dash for each
// other sign.
func holdsSecret(path string) bool {
	for _, text := range []string{path, strings.ReplaceAll(path, "-", "_"), strings.ReplaceAll(path, "-", " ")} {
		if detect.Redact(text) != text {
			return true
		}
	}
	return false
}

// shownFolder returns the path of a folder of memory with the name of its folder of projects left out if that holds a
// secret: written with dashes, nothing masks it.
func shownFolder(dir string) string {
	if project := filepath.Dir(dir); holdsSecret(filepath.Base(project)) {
		return filepath.Join(filepath.Dir(project), detect.Redacted, filepath.Base(dir))
	}
	return dir
}

// isGone says that the folder of the project does not exist any more, and where its memory would have
// to go. It returns "" if the folder exists, or if the store has none.
func (s *store) isGone() string {
	if there := windowsProject(s.path); s.sort == ofSlug && s.root == "" && there != "" {
		return "These memories are of a project of Windows, " + there + ": no session of this system reads them."
	}
	if s.sort == ofUser || s.root == "" || !isMissing(s.root) {
		return ""
	}
	if there, ok := windowsPath(s.root); ok && isMissing(s.root[:len("/mnt/c")]) {
		return fmt.Sprintf("%s is %s on Windows, and that drive is not mounted here: no session reads its memory.",
			s.root, there)
	}
	if name, fixed := s.m.slugOf(s.main); !fixed {
		if others, _ := s.m.sharing(s.main, name); len(others) > 0 {
			return fmt.Sprintf("%s no longer exists. Sessions in %s read the memory that it left: "+
				"both paths have the same folder of projects.", s.root, strings.Join(others, " and "))
		}
	}
	return fmt.Sprintf("%s no longer exists, so no session reads its memory. If the project was moved, the memory "+
		"belongs in %s, where SLUG is the new path with a dash for each character that is no letter or digit.",
		s.root, filepath.Join(s.m.projects(), "SLUG", "memory"))
}

// goneHealth reports on a project that no longer exists.
func (r *reading) goneHealth() memory.Health {
	if r.s.root == "" {
		next := "start Claude Code here in that folder under /mnt, and copy what still holds"
		if here, ok := mountedPath(windowsProject(r.s.path)); ok {
			reads := filepath.Join(r.s.m.projects(), slug(here), "memory")
			next = "sessions in " + here + " read " + reads + ": copy there what still holds"
		}
		return system.When(r.gone != "", "of-windows", memory.Note, 1, r.gone, next)
	}
	if _, ok := windowsPath(r.s.root); ok && isMissing(r.s.root[:len("/mnt/c")]) {
		return system.When(r.gone != "", "of-windows", memory.Warn, 1, r.gone, "mount the drive")
	}
	return system.When(r.gone != "", "project-gone", memory.Warn, 1, r.gone,
		"move the memory, in the folder where the project is now: winnow repair --system "+string(id)+" --from "+
			memory.ShellWord(r.s.root)+"; or delete it if the project is gone for good")
}

// mostSharing limits the transcripts and the folders beside a project that are looked at for another
// project with the same folder of memory.
const mostSharing = 200

// sharing returns the other projects that exist and have their memory in the folder of a name: by the
// transcripts in it, the projects that ~/.claude.json names, and the folders beside root. whole is false
// if not all were looked at.
func (m *machine) sharing(root, name string) (others []string, whole bool) {
	roots, whole := projectsIn(filepath.Join(m.projects(), name), mostSharing)
	for path := range m.projectsInConfig() {
		if filepath.IsAbs(path) && slug(path) == name {
			roots = append(roots, filepath.Clean(path))
		}
	}
	beside, more, _ := filestore.Names(filepath.Dir(root), mostSharing)
	for _, e := range beside {
		if path := filepath.Join(filepath.Dir(root), e.Name()); e.IsDir() && slug(path) == name {
			roots = append(roots, path)
		}
	}
	for _, path := range roots {
		if path != root && slug(path) == name && filestore.IsFolder(path) {
			others = memory.AppendNew(others, path)
		}
	}
	slices.Sort(others)
	return others, whole && !more
}

// projectsIn returns the projects of the transcripts in a folder of projects, each once. whole is false
// if there are more than most transcripts.
func projectsIn(dir string, most int) (roots []string, whole bool) {
	left := most
	for _, e := range names(dir, maxSessions) {
		if n := e.Name(); !strings.HasSuffix(n, ".jsonl") || strings.HasPrefix(n, "agent-") || !e.Type().IsRegular() {
			continue
		}
		if left--; left < 0 {
			return roots, false
		}
		if h, err := transcript.Head(filepath.Join(dir, e.Name())); err == nil && filepath.IsAbs(h.Folder) {
			roots = memory.AppendNew(roots, mainOf(h.Folder))
		}
	}
	return roots, true
}

// projectHealth reports on the folder of a project's memory.
func (r *reading) projectHealth() []memory.Health {
	name, fixed := r.s.m.slugOf(r.s.main)
	switch {
	case r.s.root == "" && r.gone != "":
		return nil
	case r.s.root == "":
		return []memory.Health{system.When(true, "no-project", memory.Note, 1,
			"No transcript tells which project these memories are of.",
			"start Claude Code in the project: its instructions are shown then too")}
	case r.s.sort != ofProject:
		return nil
	case fixed:
		return []memory.Health{system.When(true, "shared-folder", memory.Note, 1,
			"CLAUDE_CODE_PROJECT_DIR_NAME gives all projects one folder: "+name+".", "")}
	case r.gone != "":
		return nil
	}
	others, whole := r.s.m.sharing(r.s.main, name)
	lines := []memory.Health{
		system.When(len(others) > 0, "shared-folder", memory.Warn, len(others),
			strings.Join(others, " and ")+wording(len(others), " has its", " have their")+
				" memory in the same folder: Claude Code does not tell the paths apart.",
			"rename one of the folders"),
		system.When(!whole, "not-checked", memory.Note, 1,
			fmt.Sprintf("Not checked: whether another project has its memory in the same folder, "+
				"beyond %d transcripts and %d folders beside this one.", mostSharing, mostSharing),
			"look into "+filepath.Join(r.s.m.projects(), name)),
	}
	if there, ok := windowsPath(r.s.root); ok {
		lines = append(lines, r.windowsTwin(there))
	}
	return lines
}

// windowsPath returns the path by which Windows knows a folder of one of its drives that is mounted in
// WSL: C:\Users\me for /mnt/c/Users/me.
func windowsPath(mounted string) (string, bool) {
	rest, ok := strings.CutPrefix(mounted, "/mnt/")
	if !ok || rest == "" || rest[0] < 'a' || rest[0] > 'z' || len(rest) > 1 && rest[1] != '/' {
		return "", false
	}
	return strings.ToUpper(rest[:1]) + `:\` + strings.ReplaceAll(strings.TrimPrefix(rest[1:], "/"), "/", `\`), true
}

// mountedPath is the inverse of windowsPath.
func mountedPath(there string) (string, bool) {
	if len(there) < 3 || there[1] != ':' || there[2] != '\\' && there[2] != '/' || !isWord(there[0]) {
		return "", false
	}
	return "/mnt/" + strings.ToLower(there[:1]) + "/" + strings.ReplaceAll(there[3:], `\`, "/"), true
}

// windowsProject returns the project of Windows to which a folder of projects belongs, as its transcripts
// name it or else by the folder's own name, or "".
func windowsProject(dir string) string {
	if filepath.Separator == '\\' {
		return ""
	}
	tries := 3
	for _, e := range names(dir, maxSessions) {
		if n := e.Name(); tries > 0 && strings.HasSuffix(n, ".jsonl") && e.Type().IsRegular() {
			tries--
			h, err := transcript.Head(filepath.Join(dir, n))
			if _, ok := mountedPath(h.Folder); err == nil && ok {
				return h.Folder
			}
		}
	}
	if name := filepath.Base(dir); len(name) > 3 && isWord(name[0]) && name[0] > '9' && name[1:3] == "--" {
		return name
	}
	return ""
}

// windowsTwin reports that a project on a drive of Windows has another memory there.
func (r *reading) windowsTwin(there string) memory.Health {
	name := slug(there)
	where := filepath.Join(r.s.m.projects(), name)
	if user, ok := strings.CutPrefix(r.s.root, r.s.root[:len("/mnt/c/")]+"Users/"); ok {
		user, _, _ = strings.Cut(user, "/")
		dir := filepath.Join(r.s.root[:len("/mnt/c")], "Users", user, ".claude", "projects", name)
		if filestore.Exists(dir) {
			where = dir
		}
	}
	return system.When(true, "of-windows", memory.Note, 1,
		fmt.Sprintf("This is %s on Windows. Claude Code for Windows keeps another memory of it, in the folder %s%s: "+
			"sessions here do not read that.", there, name, system.Say(filestore.Exists(where), ", "+where)),
		"copy what still holds from one to the other")
}
