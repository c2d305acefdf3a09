// Package arbiter knows the SQLite databases in which Arbiter keeps its lessons. Lessons can be
// changed; memory entries and scratchpads are only shown.
package arbiter

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/procs"
	"winnow/core/system"
)

const (
	name     = "Arbiter"
	fileName = "tenants.db"
	folder   = ".arbiter"
)

// lessons is what the records are called.
func lessons() memory.Noun { return memory.Noun{One: "lesson", Many: "lessons"} }

// System returns the system. now returns the time with which an edit is stamped.
func System(now func() time.Time) system.System {
	const theirs = "all but memory entries and scratchpads"
	runs := procs.NewWatch(string(id), now)
	return system.System{
		ID: id, Name: name, Find: find, StoresIn: storesIn, Reads: reads, Forms: Forms(),
		Open: func(path string) (system.Store, error) { return newStore(path, now, runningIn(runs)), nil },
		Abilities: []system.Ability{{
			Store: "lessons", Recall: system.Exact, Edit: theirs, Delete: theirs, Watch: true,
			Note: "The database is read without a trace, also beside a running Arbiter; a change is one short transaction.",
		}},
	}
}

// runningIn returns a function that finds the processes that have a database open.
func runningIn(runs *procs.Watch) func(path string) []memory.Running {
	return func(path string) []memory.Running { return runs.Holding(path, path+"-wal") }
}

// place returns the place of a store.
func place(path, why string) memory.Place {
	info, err := os.Stat(path)
	return memory.Place{
		Store: memory.StoreID(path), System: id, Path: path, Name: filepath.Base(path), Why: why,
		Exists: err == nil && info.Mode().IsRegular(),
	}
}

// find looks for the one database of a user. No environment variable but HOME moves it.
func find(_ context.Context, env system.Env) (survey memory.Survey) {
	home := env.Home
	if h, ok := env.Lookup("HOME"); ok && filepath.IsAbs(h) {
		home = h
	}
	if path := filepath.Join(home, folder, fileName); home == "" {
		survey.Look(path, 0, "does not exist")
	} else {
		own := place(path, "Arbiter's own folder")
		own.Personal = true
		filestore.LookAt(&survey, own)
	}
	return survey
}

// storesIn returns the databases in a folder that have the name of Arbiter's own, or its tables.
func storesIn(dir string, entries []fs.DirEntry) (places []memory.Place) {
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		if p, ok := reads(filepath.Join(dir, e.Name())); ok {
			p.Why = "found below the folder"
			places = append(places, p)
		}
	}
	return places
}

// reads reports whether a file is an Arbiter database.
func reads(path string) (memory.Place, bool) {
	ext := strings.ToLower(filepath.Ext(path))
	if ext != ".db" && ext != ".sqlite" && ext != ".sqlite3" {
		return memory.Place{}, false
	}
	if s, err := schemaOf(context.Background(), path); err != nil || !s.has(tableTenants) {
		return memory.Place{}, false
	}
	return place(path, "named"), true
}

// id is the name of the system.
const id memory.SystemID = "arbiter"

// Forms returns the forms of its files: SQLite databases and the logs beside them. The newest data
// may be only in a log.
func Forms() []system.Form {
	const begin, end = "[KNOWN PITFALLS — your prior lessons]\n  - ", "\n[END KNOWN PITFALLS]"
	named := system.Named("tenants.db*", "arbiter*.db*", ".arbiter/*.db*")
	return []system.Form{{
		System: id, Name: "lesson database",
		// The index of a log holds no text, and closing it would drop the locks that this process
		// has on it.
		Named: func(path string) bool { return !strings.HasSuffix(path, "-shm") && named(path) },
		Looks: system.Pages, Both: true, Database: true,
		Noun: lessons(), ByRecord: true,
		Land: system.Framed("known pitfalls", begin, end, "[END KNOWN PITFALLS]", "[END TOOL RESULTS]", "[END LESSON]"),
	}}
}
