package claudecode

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/memory"
	agents "winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/claudecode/transcript"
	"winnow/core/systems/instructions"
)

const name = "Claude Code"

// memoryPrefix begins the IDs of records in a folder of auto memory.
const memoryPrefix = "memory:"

// System returns the system of Claude Code on a machine. It has a store for each project, and one for what
// holds for all projects. now returns the time from which the age of a memory counts.
func System(env system.Env, now func() time.Time) system.System {
	return systemOn(now, func() machine { return machineOf(env.Home, env.Lookup) })
}

// systemOn is System on the machine of a test.
func systemOn(now func() time.Time, here func() machine) system.System {
	listed := &listing{}
	at := func(env system.Env) machine {
		m := here()
		there := machineOf(env.Home, env.Lookup)
		there.managed, there.alive = m.managed, m.alive
		return there
	}
	return system.System{
		ID: id, Name: name, Forms: Forms(), Abilities: abilities(),
		Find: func(ctx context.Context, env system.Env) memory.Survey {
			return find(ctx, at(env), env.Dir, env.Here)
		},
		StoresIn: storesIn,
		Reads:    func(path string) (memory.Place, bool) { return reads(here(), path) },
		Open: func(path string) (system.Store, error) {
			m := here()
			m.listed = listed
			return open(path, m, now), nil
		},
		Sources: func(ctx context.Context, env system.Env, below bool) []memory.AgentSources {
			return sourcesIn(ctx, at(env), now, env.Dir, below)
		},
		Sessions: func(ctx context.Context, env system.Env, folder string) ([]agents.Head, error) {
			m := at(env)
			m.listed = listed
			return heads(ctx, m, folder, now())
		},
		Session: func(ctx context.Context, env system.Env, head agents.Head) (agents.Session, error) {
			return readTranscript(ctx, at(env), head, now())
		},
	}
}

func abilities() []system.Ability {
	const learn = "from transcripts, which are only read"
	return []system.Ability{
		{
			Store:  "project",
			Recall: system.Estimated,
			Edit:   "all but files of others and cut ones",
			Delete: "topics, instructions of folders below",
			Watch:  true,
			Learn:  learn,
			Note:   "What is injected at every start is exact; a model chooses which topics it reads.",
		},
		{
			Store:  "user",
			Recall: system.Exact,
			Edit:   "all but the administrator's",
			Delete: "topics of agents",
			Watch:  true,
			Learn:  learn,
		},
	}
}

// sort is the kind of a store.
type sort uint8

const (
	ofProject sort = iota
	ofUser
	ofSlug // a folder of projects whose project is unknown
)

// store is what Claude Code knows about one project, or about all of them.
type store struct {
	system.Whole
	path string
	sort sort
	root string // root of the project; empty if there is none or it is unknown
	main string // the folder whose memory its sessions use: root, or the main root of a linked work tree
	m    machine
	now  func() time.Time
	disk atomicfile.Disk
	may  func(path string) error // of Confine; nil before
	rand io.Reader

	injection atomic.Pointer[received]       // from the transcript read last, to save work
	sessions  atomic.Pointer[recentSessions] // once they were read
}

var (
	_ system.Store       = (*store)(nil)
	_ system.Snapshotter = (*store)(nil)
	_ system.Summarizer  = (*store)(nil)
	_ system.Searcher    = (*store)(nil)
	_ system.Watched     = (*store)(nil)
)

// open returns the store at an absolute path. It reads only the head of a transcript.
func open(path string, m machine, now func() time.Time) *store {
	s := &store{path: path, m: m, now: now, disk: atomicfile.OS(), rand: rand.Reader}
	switch {
	case path == m.config:
		s.sort = ofUser
	case filepath.Dir(path) == m.projects():
		s.sort = ofSlug
		if cwd := cwdOf(path); cwd != "" {
			s.root = mainOf(cwd)
			s.main = s.root
		}
	default:
		s.root = filestore.Real(path)
		s.main = s.root
		if git.Root(s.root) == s.root {
			s.main = mainOf(s.root)
		}
	}
	return s
}

// Info implements [system.Store].
func (s *store) Info() system.Info {
	place := memory.Place{Store: memory.At(id, s.path), System: id, Path: s.path, Name: "project", Project: s.root}
	if s.sort == ofUser {
		place.Name = "user"
	}
	place.Personal = s.m.isOwn(s.path)
	info := system.Info{
		System: id, Name: name, Place: place, Noun: memory.Noun{One: "memory", Many: "memories"},
		Prose: true, FileDates: true, Similar: compare.Near, Asks: s.asks, Companions: s.companions, Detail: s.detail,
	}
	info.Chosen, info.Instruction = isTopic, isInstruction
	if s.sort != ofUser {
		info.Kept, info.Stays = s.kept, staysBehind
	}
	return info
}

// kept implements [system.Info.Kept]: it returns the folders of auto memory, without one that the
// project's own settings name.
func (s *store) kept() (dirs []string) {
	set := s.m.settings(s.root)
	named, _ := s.directoryInUse(set)
	for _, f := range s.memoryFolders(s.slugs(), set) {
		if !named.ofProject || f.dir != named.path {
			dirs = append(dirs, f.dir)
		}
	}
	return dirs
}

// List implements [system.Store].
func (s *store) List(ctx context.Context, fn func(memory.Record) error) error {
	return s.Search(ctx, func(*memory.Record) bool { return true }, fn)
}

// Search implements [system.Searcher].
func (s *store) Search(ctx context.Context, wanted func(*memory.Record) bool, fn func(memory.Record) error) error {
	r, err := s.listing(ctx, true)
	if err != nil {
		return err
	}
	if p := r.absent(); p != nil {
		return system.ListError(s, p)
	}
	records := r.records()
	for i := range records {
		if m := &records[i]; wanted(m) {
			annotate.Mark(m)
			if err := fn(*m); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// WatchPaths implements [system.Watched].
func (s *store) WatchPaths() []string {
	const sep = string(filepath.Separator)
	out := []string{filepath.Join(s.m.config, "sessions") + sep}
	if s.sort == ofUser {
		return append(out,
			filepath.Join(s.m.config, "CLAUDE.md"), filepath.Join(s.m.config, "settings.json"),
			filepath.Join(s.m.config, "rules")+sep, filepath.Join(s.m.config, "agent-memory")+sep,
			filepath.Join(s.m.managed, "CLAUDE.md"))
	}
	if s.root != "" {
		out = append(
			out,
			pathsBelow(
				s.root,
				"CLAUDE.md",
				"CLAUDE.local.md",
				"AGENTS.md",
				".claude/CLAUDE.md",
				".claude/settings.json",
				".claude/settings.local.json",
			)...)
		out = append(out, filepath.Join(s.root, ".claude", "rules")+sep, filepath.Join(s.main, localSettings))
	}
	if s.sort == ofProject {
		dirs, _ := instructedFolders(context.Background(), s.root, instructions.MostEntries)
		for _, dir := range dirs {
			out = append(out, pathsBelow(dir, "CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")...)
		}
	}
	for _, sh := range s.memoryFolders(s.slugs(), s.m.settings(s.root)) {
		out = append(out, sh.dir+sep)
	}
	return out
}

// pathsBelow returns paths with slashes as paths below a folder.
func pathsBelow(dir string, rels ...string) []string {
	out := make([]string, 0, len(rels)+1)
	for _, rel := range rels {
		out = append(out, filepath.Join(dir, filepath.FromSlash(rel)))
	}
	return out
}

// slugs returns the project folders that belong to the store, the one in use first.
func (s *store) slugs() []string {
	switch s.sort {
	case ofUser:
		return nil
	case ofSlug:
		return []string{s.path}
	}
	return s.m.foldersOf(s.root, s.main, s.now())
}

// memoryFolders returns the auto memory folders of some project folders, the one in use first,
// without reading them.
func (s *store) memoryFolders(folders []string, set settings) (out []*memoryFolder) {
	if s.sort == ofUser {
		return nil
	}
	if dir, ok := s.directoryInUse(set); ok {
		out = append(out, &memoryFolder{dir: dir.path})
	}
	for i, folder := range folders {
		sh := &memoryFolder{dir: filepath.Join(folder, "memory")}
		if slices.ContainsFunc(out, func(o *memoryFolder) bool { return o.dir == sh.dir }) {
			continue
		}
		if len(out) > 0 {
			sh.name = filepath.Base(folder)
			sh.unused = "No session reads it: the memory of a repository lies where its root does, since Claude Code 2.1.63."
			if i == 0 {
				sh.unused = "No session reads it: autoMemoryDirectory names another folder."
			}
		}
		out = append(out, sh)
	}
	return out
}

// directoryInUse returns the memory folder that the settings name instead of the usual one.
func (s *store) directoryInUse(set settings) (directory, bool) {
	d := set.directory
	if d == nil || !filepath.IsAbs(d.path) || s.ignoresDirectory(d) {
		return directory{}, false
	}
	return *d, true
}

// ignoresDirectory reports whether a folder that the project itself names is not in use: nobody has
// trusted the project, and no session has created the folder, as it would at its start.
func (s *store) ignoresDirectory(d *directory) bool {
	return d.ofProject && !filestore.Exists(d.path) && !s.m.consent(s.root).Trusted
}

// foldersOf returns the project folders that belong to the project at root: first the one with its
// memory, which is named after main, then those of its subfolders and, for the main root, of its work trees.
func (m *machine) foldersOf(root, main string, now time.Time) []string {
	first, fixed := m.slugOf(main)
	out := []string{filepath.Join(m.projects(), first)}
	if fixed {
		return out
	}
	own := slug(root)
	trees := workTrees(root)
	for _, e := range m.listed.names(m.projects(), now) {
		n := e.Name()
		isOwn := n == own || strings.HasPrefix(n, own+"-")
		if !e.IsDir() || n == first || !isOwn && !slices.Contains(trees, n) {
			continue
		}
		dir := filepath.Join(m.projects(), n)
		if cwd := cwdOf(dir); cwd != "" && (projectOf(cwd) == root || mainOf(cwd) == root) {
			out = append(out, dir)
		}
	}
	return out
}

// workTrees returns the slugs of the work trees that were added to a repository.
func workTrees(root string) (out []string) {
	if git.Root(root) != root {
		return nil
	}
	dir := filepath.Join(root, ".git", "worktrees")
	for _, e := range names(dir, maxTrees) {
		if b, ok := readSmall(filepath.Join(dir, e.Name(), "gitdir"), 4<<10); ok {
			out = append(out, slug(filepath.Dir(strings.TrimSpace(string(b)))))
		}
	}
	return out
}

const (
	maxProjects = 10_000
	maxTrees    = 200
	maxSessions = 2000 // entries of a project's folder
)

// cwdOf returns the folder in which the sessions of a project folder work, from the head of one
// transcript. It returns "" if no transcript says so.
func cwdOf(dir string) string {
	tries := 3
	for _, e := range names(dir, maxSessions) {
		if n := e.Name(); tries > 0 && strings.HasSuffix(n, ".jsonl") && !strings.HasPrefix(n, "agent-") &&
			e.Type().IsRegular() {
			tries--
			if h, err := transcript.Head(filepath.Join(dir, n)); err == nil && filepath.IsAbs(h.Folder) {
				return filepath.Clean(h.Folder)
			}
		}
	}
	return ""
}

// version returns the version of Claude Code that last worked in some project folders, or "" if it
// is unknown.
func version(folders []string) string {
	files := transcript.List(folders...)
	if len(files) == 0 {
		return ""
	}
	h, _ := transcript.Head(files[0].Path) // an unreadable file says nothing
	return h.Version
}

// running returns the running sessions that use the store.
func (s *store) running() []memory.Running {
	all := transcript.Live(s.m.config, s.m.alive)
	if s.sort == ofUser {
		return all
	}
	return slices.DeleteFunc(all, func(r memory.Running) bool { return s.main == "" || mainOf(r.Folder) != s.main })
}

// lockHolder returns the process that is consolidating memories in a folder, or 0. It never touches
// the lock.
func (s *store) lockHolder(dir string) (pid int) {
	path := filepath.Join(dir, lockName)
	f := filestore.Read(path, 64)
	if f.Problem != nil || s.now().Sub(f.ModTime) >= lockStale {
		return 0
	}
	if _, err := fmt.Sscanf(strings.TrimSpace(f.Text), "%d", &pid); err != nil || pid <= 0 || !s.m.alive(pid) {
		return 0
	}
	return pid
}

const (
	lockName  = ".consolidate-lock"
	lockStale = time.Hour
)

// listing caches the entries of the folder of projects. All stores share it: each searches it for its
// own folders, and reading it again would be most of the work with many projects.
type listing struct {
	mu      sync.Mutex // guards the fields below
	dir     string
	changed time.Time
	entries []fs.DirEntry
}

// settles is how long after a change a listing is not cached: a second change could leave the same
// date.
const settles = 2 * time.Second

// names is [filestore.Names] for the folder of projects, but reads it only if its date has changed.
// Callers must not modify the result.
func (l *listing) names(dir string, now time.Time) []fs.DirEntry {
	info, err := os.Stat(dir)
	if err != nil || l == nil {
		return names(dir, maxProjects)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dir == dir && l.changed.Equal(info.ModTime()) {
		return l.entries
	}
	entries := names(dir, maxProjects)
	if now.Sub(info.ModTime()) > settles {
		l.dir, l.changed, l.entries = dir, info.ModTime(), entries
	}
	return entries
}
