package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/procs"
	agents "winnow/core/session"
	"winnow/core/sqlite"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// System returns the system of OpenCode on a machine: its sessions, and the instructions of projects and of
// the user. now returns the time.
func System(env system.Env, now func() time.Time) system.System {
	m := onMachine(env)
	if runtime.GOOS == "linux" {
		m.holding = procs.NewWatch(string(id), now).Holding
	}
	return systemOn(now, m)
}

// systemOn is [System] on the machine of a test.
func systemOn(now func() time.Time, m machine) system.System {
	return system.System{
		ID: id, Name: productName, Find: find,
		StoresIn: func(dir string, entries []fs.DirEntry) []memory.Place { return storesIn(m.home, dir, entries) },
		Reads:    func(path string) (memory.Place, bool) { return reads(m, path) },
		Open:     func(path string) (system.Store, error) { return open(m, now, path), nil },
		Forms:    Forms(), Abilities: abilities(),
		Sources: m.agent().Sources,
		Sessions: func(ctx context.Context, env system.Env, folder string) ([]agents.Head, error) {
			return m.withEnv(env).heads(ctx, folder)
		},
		Session: func(ctx context.Context, env system.Env, head agents.Head) (agents.Session, error) {
			return m.withEnv(env).readSession(ctx, head, now())
		},
	}
}

// Names of the stores of instructions.
const (
	storeProject = "instructions"
	storeGlobal  = "global instructions"
)

func abilities() []system.Ability {
	const frozen = "Sessions are only read: what is changed from outside reaches the model with the next prompt."
	return []system.Ability{
		{Store: "instructions", Recall: system.Exact, Edit: "all", Delete: "all", Watch: true,
			Note: "Texts that OpenCode fetches from addresses are named, and not read."},
		{
			Store: "global instructions", Recall: system.Exact, Edit: "all but the file of Claude Code",
			Delete: "all but the file of Claude Code", Watch: true,
		},
		{Store: "sessions", Recall: system.NoRecall, Watch: true, Learn: "from its sessions", Note: frozen},
	}
}

// open returns the store at an absolute path: a database, the settings folder or a project. It reads no file.
func open(m machine, now func() time.Time, path string) system.Store {
	switch {
	case looksLikeDatabase(path), isFile(path), slices.Contains(m.databases(), path):
		return &Database{path: path, m: m, now: now}
	}
	return openInstructions(m, now, path)
}

func looksLikeDatabase(path string) bool { return filepath.Ext(path) == ".db" }

// databases returns the databases of sessions, the one in use first.
func (m machine) databases() (all []string) {
	named := m.value(databaseName)
	switch {
	case named == ":memory:":
		return nil
	case filepath.IsAbs(named):
		all = append(all, named)
	case named != "":
		all = append(all, filepath.Join(m.data(), named))
	}
	entries, _, _ := filestore.Names(m.data(), 1000) // an unreadable folder gives what could be read
	for _, e := range entries {
		name := e.Name()
		channel := strings.HasPrefix(name, "opencode-") && !m.switchedOn(noChannels)
		if (name == "opencode.db" || channel) && looksLikeDatabase(name) {
			if path := filepath.Join(m.data(), name); !slices.Contains(all, path) {
				all = append(all, path)
			}
		}
	}
	return all
}

// finder collects the places that a search finds.
type finder struct {
	m      machine
	survey memory.Survey
}

// add adds a place, with the path of its store.
func (f *finder) add(p memory.Place) {
	p.System, p.Path = id, p.Store.Path()
	f.survey.Found(p)
}

// find looks for the stores of the user and of the project around the working folder.
func find(ctx context.Context, env system.Env) memory.Survey {
	m := onMachine(env)
	f := finder{m: m}
	installed := m.installed()
	if installed {
		f.user()
		f.projects(ctx)
	} else {
		f.survey.Look(m.data(), 0, "does not exist")
		f.survey.Look(m.settings(), 0, "does not exist")
	}
	if ctx.Err() == nil && env.Dir != "" {
		f.project(ctx, env.Dir, installed)
	}
	if !installed && len(f.survey.Places) > 0 {
		f.addGlobal() // the settings of the project show that OpenCode is used
	}
	return f.survey
}

// user adds the stores of the user.
func (f *finder) user() {
	m := f.m
	n := len(f.survey.Places)
	for _, path := range m.databases() {
		f.add(memory.Place{
			Store: memory.StoreID(path), Name: "sessions", Why: "the database of OpenCode", Personal: true,
			Exists: filestore.Exists(path),
		})
	}
	f.survey.Look(m.data(), len(f.survey.Places)-n, noteOf(m.data()))
	if old := filepath.Join(m.data(), "storage"); filestore.IsFolder(filepath.Join(old, "session")) {
		f.survey.Look(old, 0, "sessions of versions before 1.2 are not read; audit reads the folder if it is named")
	}
	n = len(f.survey.Places)
	f.addGlobal()
	f.survey.Look(m.config(), len(f.survey.Places)-n, noteOf(m.config()))
}

// addGlobal adds the store of global instructions, if there are any.
func (f *finder) addGlobal() {
	if f.hasGlobal() {
		f.add(memory.Place{
			Store: memory.At(id, f.m.config()), Name: "global instructions", Why: "the settings of OpenCode",
			Personal: true, Exists: true,
		})
	}
}

// Limits of the search for projects. Reading the table of projects takes a few milliseconds, also in a
// large database.
const (
	maxFound    = 300
	projectLook = 5 * time.Second
)

// projects adds the projects that OpenCode knows and that have instructions. It reads only the
// table of projects. If that fails or takes too long, the survey says so.
func (f *finder) projects(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, projectLook)
	defer cancel()
	for _, path := range f.m.databases() {
		var trees []string
		err := sqlite.Look(ctx, path, func(db *sql.DB) (err error) {
			trees, err = sqlite.Column(ctx, db, "SELECT substr(worktree,1,4096) FROM project ORDER BY time_updated DESC LIMIT ?", maxFound)
			return err
		})
		found, note := 0, "projects that it knows"
		for _, tree := range trees {
			if err != nil || !filepath.IsAbs(tree) || tree == f.m.top {
				continue
			}
			if f.hasInstructions(tree) || ctx.Err() == nil && f.configured(tree) != "" {
				f.add(projectPlace(filepath.Clean(tree), "a project that OpenCode knows"))
				found++
			}
		}
		switch {
		case ctx.Err() != nil:
			note = "not all projects that it knows: reading them took too long"
		case err != nil:
			note = "the projects that it knows cannot be read: " + err.Error()
		case len(trees) == maxFound:
			note = fmt.Sprintf("of the %d projects it used last", maxFound)
		}
		f.survey.Look(path, found, note)
	}
}

// hasInstructions reports whether OpenCode finds instructions or settings of its own in dir.
func (f *finder) hasInstructions(dir string) bool {
	own := []string{"AGENTS.md", "CLAUDE.md", "CONTEXT.md", "opencode.json", "opencode.jsonc", ".opencode"}
	return slices.ContainsFunc(own, func(name string) bool {
		_, err := os.Lstat(filepath.Join(dir, name))
		return err == nil
	})
}

func noteOf(dir string) string { return system.Say(!filestore.Exists(dir), "does not exist") }

// hasGlobal reports whether there are global instructions or settings.
func (f *finder) hasGlobal() bool {
	paths := f.m.globals()
	for _, name := range f.m.settingsNames() {
		paths = append(paths, filepath.Join(f.m.settings(), name))
	}
	return slices.ContainsFunc(paths, filestore.Exists)
}

// nearestFile says which file of OpenCode, or of instructions where it is installed, is the nearest to a folder: ""
// if there is none up to the root.
func (f *finder) nearestFile(dir, root string, installed bool) string {
	for _, d := range filestore.Upwards(dir, root) {
		for _, name := range [...]string{"opencode.json", "opencode.jsonc", ".opencode"} {
			if d != f.m.home && filestore.Exists(filepath.Join(d, name)) {
				return name + " in " + d
			}
		}
		if !installed {
			continue
		}
		for _, name := range f.m.names() {
			if filestore.Exists(filepath.Join(d, name)) {
				return name + " in " + d
			}
		}
	}
	return ""
}

// project adds the store of the project around a folder. Where OpenCode was never used, only its settings
// files show that a project uses it.
func (f *finder) project(ctx context.Context, dir string, installed bool) {
	root, inGit := f.m.worktree(dir)
	store := root
	if !inGit {
		store = dir // what is above it counts all the same
	}
	why := f.nearestFile(dir, root, installed)
	if why == "" && installed {
		why = f.configured(dir)
	}
	if why == "" && installed && (inGit || instructions.MayLookBelow(store, f.m.home)) {
		why = instructions.FirstBelow(ctx, store, f.m.names()...)
	}
	if why == "" {
		f.survey.Look(store, 0, "no settings of OpenCode")
		return
	}
	f.add(projectPlace(store, why))
	f.survey.Look(store, 1, "")
}

// configured returns which settings name an instruction file for sessions in a folder, or nothing. Absolute
// patterns do not count, since they apply to every folder.
func (f *finder) configured(dir string) string {
	o := f.m.opening(dir)
	for _, file := range o.files {
		if p := file.by.text; file.how == asConfig && !filepath.IsAbs(p) && !strings.HasPrefix(p, "~/") {
			return "named by " + p + " in " + file.by.from
		}
	}
	return ""
}

func projectPlace(dir, why string) memory.Place {
	return memory.Place{
		Store: memory.At(id, dir), System: id, Path: dir, Name: "instructions", Project: dir, Why: why, Exists: true,
	}
}

// storesIn returns the stores in one of the folders below one that a person named. home is theirs.
func storesIn(home, dir string, entries []fs.DirEntry) (places []memory.Place) {
	sign := ""
	for _, e := range entries {
		name := e.Name()
		switch {
		case (name == "opencode.json" || name == "opencode.jsonc") && e.Type().IsRegular(),
			name == ".opencode" && e.IsDir():
			sign = name
		case strings.HasPrefix(name, "opencode") && looksLikeDatabase(name) && e.Type().IsRegular():
			path := filepath.Join(dir, name)
			if isPages(path) {
				places = append(
					places,
					memory.Place{
						Store: memory.StoreID(path), System: id, Path: path, Name: "sessions", Why: "found below",
						Exists: true,
					},
				)
			}
		}
	}
	// The .opencode folder in a home holds the program itself.
	isProgram := sign == ".opencode" && dir == home
	if sign != "" && !isProgram && !strings.HasSuffix(filepath.ToSlash(dir), ".config/opencode") {
		places = append(places, projectPlace(dir, sign))
	}
	return places
}

// isPages reports whether a file begins like a database.
func isPages(path string) bool { return system.Pages([]byte(filestore.Read(path, 16).Text)) }

// reads reports whether what a person named is a store of OpenCode.
func reads(m machine, path string) (memory.Place, bool) {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.IsDir() && !info.Mode().IsRegular():
		return memory.Place{}, false
	case info.Mode().IsRegular():
		ours := strings.HasPrefix(filepath.Base(path), "opencode") || slices.Contains(m.databases(), path)
		return memory.Place{
			Store: memory.StoreID(path), System: id, Path: path, Name: "sessions", Why: "named", Exists: true,
		}, ours && isPages(path)
	case path == m.config() || path == m.settings():
		return memory.Place{
			Store: memory.At(id, path), System: id, Path: path, Name: "global instructions", Why: "named",
			Personal: true, Exists: true,
		}, true
	}
	entries, _, _ := filestore.Names(path, 10_000) // an unreadable folder gives what could be read
	for _, p := range storesIn(m.home, path, entries) {
		if p.Store.Path() == path {
			p.Why = "named"
			return p, true
		}
	}
	if root, inGit := m.worktree(path); inGit && root != path {
		return memory.Place{}, false // a folder inside a project is not a store
	}
	f := finder{m: m}
	return projectPlace(path, "named"), m.installed() && f.configured(path) != ""
}
