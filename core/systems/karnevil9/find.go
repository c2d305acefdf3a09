package karnevil9

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// pathVariable names the file of lessons; the empty string counts as a value.
const pathVariable = "KARNEVIL9_MEMORY_PATH"

// defaults are where a store lies in its working folder: the agent's own
// default, and what its .env.example says.
var defaults = [...]string{"sessions/memory.jsonl", "data/memory.jsonl"}

const gameStore = "active-memory.jsonl" // of the example game

// finder gathers what a search finds.
type finder struct {
	survey memory.Survey
}

// find looks where an agent that starts in the working folder keeps its
// lessons.
func find(ctx context.Context, env system.Env) memory.Survey {
	var f finder
	f.variable(env)
	dirs := []string{env.Dir}
	if root := git.Root(env.Dir); root != "" && root != env.Dir {
		dirs = append(dirs, root)
	}
	for _, dir := range dirs {
		for _, rel := range defaults {
			f.look(filepath.Join(dir, filepath.FromSlash(rel)), "the default "+rel)
		}
		f.look(filepath.Join(dir, gameStore), "the example game's "+gameStore)
	}
	f.games(ctx, env.Dir)
	return f.survey
}

// variable looks at the environment and then, as the agent does, at .env in
// the working folder.
func (f *finder) variable(env system.Env) {
	value, set := env.Lookup(pathVariable)
	where, why := pathVariable, pathVariable
	if !set {
		f.note(memory.Looked{Where: where, Note: "not set"})
		where = filepath.Join(env.Dir, ".env")
		why = pathVariable + " in .env"
		if value, set = dotenv(env.Dir, pathVariable); !set {
			f.note(memory.Looked{Where: where, Note: pathVariable + " is not in it"})
			return
		}
	}
	if value == "" {
		f.note(memory.Looked{Where: where, Note: "set to nothing: the agent uses an empty path and keeps no lessons"})
		return
	}
	if !filepath.IsAbs(value) {
		value = filepath.Join(env.Dir, value)
	}
	place := f.add(value, why)
	looked := memory.Looked{Where: where, Found: 1}
	if !place.Exists {
		looked = memory.Looked{Where: where, Note: "names " + value + ", which does not exist"}
	}
	f.note(looked)
}

// look adds the file at path if there is one.
func (f *finder) look(path, why string) {
	if _, err := os.Lstat(path); err != nil {
		f.note(memory.Looked{Where: path, Note: unreadableNote(err)})
		return
	}
	f.add(path, why)
	f.note(memory.Looked{Where: path, Found: 1})
}

// games looks into the folders of the working folder for stores of the game,
// which keeps one beside each checkpoint.
func (f *finder) games(ctx context.Context, dir string) {
	found := 0
	entries, _ := readDir(dir, 1000) // where the folder is unreadable, the looks before said so
	for _, e := range entries {
		if ctx.Err() != nil {
			return
		}
		path := filepath.Join(dir, e.Name(), gameStore)
		if info, err := os.Lstat(path); e.IsDir() && err == nil && info.Mode().IsRegular() {
			f.add(path, "the example game's "+gameStore)
			found++
		}
	}
	f.note(memory.Looked{Where: filepath.Join(dir, "*", gameStore), Found: found})
}

// add appends a place, unless it is there already, and returns it.
func (f *finder) add(path, why string) memory.Place {
	path = filepath.Clean(path)
	same := func(p memory.Place) bool { return p.Store == memory.StoreID(path) }
	if i := slices.IndexFunc(f.survey.Places, same); i >= 0 {
		return f.survey.Places[i]
	}
	place := placeOf(path, why)
	f.survey.Places = append(f.survey.Places, place)
	return place
}

func placeOf(path, why string) memory.Place {
	_, err := os.Lstat(path)
	return memory.Place{
		Store: memory.StoreID(path), System: ID, Path: path, Why: why, Exists: err == nil, Name: filepath.Base(path), Project: project(path), ByPath: true,
	}
}

// project returns the folder that a store belongs to: the work tree of git that it lies
// in, or the folder that an agent with a store in one of its default places works in.
func project(path string) string {
	dir := filepath.Dir(path)
	if root := git.Root(dir); root != "" {
		return root
	}
	for _, rel := range defaults {
		if up, ok := strings.CutSuffix(path, string(filepath.Separator)+filepath.FromSlash(rel)); ok {
			return up
		}
	}
	return dir
}

func (f *finder) note(l memory.Looked) { f.survey.Looked = append(f.survey.Looked, l) }

func unreadableNote(err error) string {
	if os.IsNotExist(err) {
		return "does not exist"
	}
	return quietread.Cause(err)
}
