package karnevil9

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"

	"winnow/core/filestore"
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

// find looks where an agent that starts in the working folder keeps its
// lessons.
func find(ctx context.Context, env system.Env) memory.Survey {
	var survey memory.Survey
	variable(&survey, env)
	dirs := []string{env.Dir}
	if root := git.Root(env.Dir); root != "" && root != env.Dir {
		dirs = append(dirs, root)
	}
	for _, dir := range dirs {
		for _, rel := range defaults {
			lookAt(&survey, filepath.Join(dir, filepath.FromSlash(rel)), "the default "+rel)
		}
		lookAt(&survey, filepath.Join(dir, gameStore), "the example game's "+gameStore)
	}
	games(ctx, &survey, env.Dir)
	return survey
}

// variable looks at the environment and then, as the agent does, at .env in
// the working folder.
func variable(survey *memory.Survey, env system.Env) {
	value, set := env.Lookup(pathVariable)
	where, why := pathVariable, pathVariable
	if !set {
		survey.Look(where, 0, "not set")
		where, why = filepath.Join(env.Dir, ".env"), pathVariable+" in .env"
		value, set = dotenv(env.Dir, pathVariable)
	}
	if set && value != "" && !filepath.IsAbs(value) {
		value = filepath.Join(env.Dir, value)
	}
	place := placeOf(filepath.Clean(value), why)
	note := cmp.Or(
		system.Say(!set, pathVariable+" is not in it"),
		system.Say(value == "", "set to nothing: the agent uses an empty path and keeps no lessons"),
		system.Say(!place.Exists, "names "+value+", which does not exist"))
	found := 0
	if note == "" {
		found = 1
	}
	survey.Look(where, found, note)
	if value != "" {
		survey.Found(place)
	}
}

// lookAt adds the file at path if there is one.
func lookAt(survey *memory.Survey, path, why string) {
	if _, err := os.Lstat(path); err != nil {
		survey.Look(path, 0, quietread.Reason(err))
		return
	}
	survey.Found(placeOf(filepath.Clean(path), why))
	survey.Look(path, 1, "")
}

// games looks into the folders of the working folder for stores of the game,
// which keeps one beside each checkpoint.
func games(ctx context.Context, survey *memory.Survey, dir string) {
	found := 0
	entries, _, _ := filestore.Names(dir, 1000) // where the folder is unreadable, the looks before said so
	for _, e := range entries {
		path := filepath.Join(dir, e.Name(), gameStore)
		if info, err := os.Lstat(path); ctx.Err() == nil && e.IsDir() && err == nil && info.Mode().IsRegular() {
			survey.Found(placeOf(path, "the example game's "+gameStore))
			found++
		}
	}
	survey.Look(filepath.Join(dir, "*", gameStore), found, "")
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
