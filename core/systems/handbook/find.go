package handbook

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// dirVariable names the folder of memories.
const dirVariable = "MEMORY_DIR"

// defaultDir is the folder of memories in the working folder.
const defaultDir = "memory"

// Limits of a look whether a folder is one of memories.
const (
	mostEntries = 2000
	mostHeads   = 8
	headBytes   = 4 << 10
)

// find looks where an agent that starts in the working folder keeps its memories.
func find(ctx context.Context, env system.Env) memory.Survey {
	var survey memory.Survey
	dir, set := env.Lookup(dirVariable)
	if !set || dir == "" {
		survey.Look(dirVariable, 0, "not set")
	} else {
		look(&survey, absolute(env.Dir, dir), dirVariable)
	}
	dirs := []string{env.Dir}
	if root := git.Root(env.Dir); root != "" && root != env.Dir {
		dirs = append(dirs, root)
	}
	for _, d := range dirs {
		if ctx.Err() == nil && d != "" {
			look(&survey, filepath.Join(d, defaultDir), "the default "+defaultDir)
		}
	}
	return survey
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// look adds the folder at path if it is one of memories.
func look(survey *memory.Survey, path, why string) {
	entries, _, p := filestore.Names(path, mostEntries)
	place := placeOf(path)
	switch {
	case slices.ContainsFunc(survey.Places, func(o memory.Place) bool { return o.Store == place.Store }):
	case p != nil && p.Code == quietread.CodeMissing:
		survey.Look(path, 0, "does not exist")
	case p != nil:
		survey.Look(path, 0, p.What)
	case !holds(path, entries):
		survey.Look(path, 0, "holds no memories of the Handbook")
	default:
		place.Why, place.Exists = why, true
		survey.Found(place)
		survey.Look(path, 1, "")
	}
}

// placeOf returns the place of the store in a folder.
func placeOf(path string) memory.Place {
	p := memory.Place{Store: memory.StoreID(path), System: ID, Path: path, Name: "memory"}
	if filepath.Base(path) == defaultDir {
		p.Project = filepath.Dir(path)
	}
	return p
}

// storesIn returns the store that the folder is.
func storesIn(dir string, entries []fs.DirEntry) []memory.Place {
	if !holds(dir, entries) {
		return nil
	}
	return []memory.Place{placeOf(dir)}
}

// reads reports whether a path is that of a folder of memories.
func reads(path string) (memory.Place, bool) {
	entries, _, p := filestore.Names(path, mostEntries)
	if p != nil || !holds(path, entries) {
		return memory.Place{}, false
	}
	return placeOf(path), true
}

// holds reports whether the folder is one of the Handbook's: its index begins as only
// the Handbook's does, or one of the first files has a header of its own. Other agents
// keep folders of that name too, with other headers.
func holds(dir string, entries []fs.DirEntry) bool {
	if _, found := slices.BinarySearchFunc(entries, indexName, func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) }); found {
		if looksLikeIndex(head(dir, indexName)) {
			return true
		}
	}
	looked := 0
	for _, e := range entries {
		if !e.Type().IsRegular() || !isMemory(e.Name()) {
			continue
		}
		if looksLikeMemory(head(dir, e.Name())) {
			return true
		}
		if looked++; looked == mostHeads {
			return false
		}
	}
	return false
}

// head returns what a file begins with; a file that cannot be read begins with nothing.
func head(dir, name string) []byte {
	return []byte(filestore.Read(filepath.Join(dir, name), headBytes).Text)
}
