package karnevil9

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// pathVariable names the lesson file. An empty value counts as set.
const pathVariable = "KARNEVIL9_MEMORY_PATH"

// defaults are the paths of a store below its working folder: the agent's own default, and the one
// in its .env.example.
var defaults = [...]string{"sessions/memory.jsonl", "data/memory.jsonl"}

const gameStore = "active-memory.jsonl" // used by the example game

// find looks in every place where an agent started in the working folder keeps its lessons.
func find(ctx context.Context, env system.Env) memory.Survey {
	var survey memory.Survey
	findVariable(&survey, env)
	for _, dir := range git.WithRoot(env.Dir) {
		for _, rel := range defaults {
			filestore.LookAt(&survey, placeOf(filepath.Join(dir, filepath.FromSlash(rel)), "the default "+rel))
		}
		filestore.LookAt(&survey, placeOf(filepath.Join(dir, gameStore), "the example game's "+gameStore))
	}
	findGames(ctx, &survey, env.Dir)
	return survey
}

// findVariable looks in the environment and then, like the agent, in .env in the working folder.
func findVariable(survey *memory.Survey, env system.Env) {
	value, set := env.Lookup(pathVariable)
	where, why := pathVariable, pathVariable
	if !set {
		survey.Look(where, 0, "not set")
		where, why = filepath.Join(env.Dir, ".env"), pathVariable+" in .env"
		value, set = dotenv(env.Dir, pathVariable)
	}
	isAbs := filepath.IsAbs(value)
	if set && value != "" && !isAbs {
		value = filepath.Join(env.Dir, value)
	}
	place := placeOf(filepath.Clean(value), why)
	project := cmp.Or(git.Root(env.Dir), env.Dir)
	switch {
	case where != pathVariable:
		place.NamedBy, place.Project = ".env", project
	case !isAbs && filestore.Within(project, place.Path):
		// What is there in each project is the project's own.
	default:
		place.Personal = true
	}
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

// findGames looks for stores of the example game in the subfolders of the working folder. The game
// keeps one beside each checkpoint.
func findGames(ctx context.Context, survey *memory.Survey, dir string) {
	found := 0
	entries, _, _ := filestore.Names(dir, 1000) // an unreadable folder was already reported by the earlier looks
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
		Store:   memory.StoreID(path),
		System:  ID,
		Path:    path,
		Why:     why,
		Exists:  err == nil,
		Name:    filepath.Base(path),
		Project: project(path),
		ByPath:  true,
	}
}

// project returns the folder that a store belongs to: its git work tree or, without one, the
// working folder of an agent that keeps the store in a default place.
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

// peekSize is the number of bytes read to see whether a file begins with a lesson.
const peekSize = 64 << 10

// storesIn returns the stores in a folder: files with a name that the agent or its example game
// uses, and other .jsonl files that begin with a lesson.
func storesIn(dir string, entries []fs.DirEntry) (places []memory.Place) {
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		named := e.Name() == "memory.jsonl" || e.Name() == gameStore
		if filepath.Ext(e.Name()) == ".jsonl" && e.Type().IsRegular() && (named || beginsWithLesson(path)) {
			places = append(places, placeOf(path, ""))
		}
	}
	return places
}

// beginsWithLesson reports whether the first line of the file is a lesson.
func beginsWithLesson(path string) bool {
	head := filestore.Read(path, peekSize).Text
	first, _, _ := strings.Cut(strings.TrimLeft(head, "\r\n"), "\n")
	if !strings.Contains(first, `"task_summary"`) {
		return false // most other logs stop here, before any parsing
	}
	v, _ := jstext.Parse(jstext.Decode([]byte(strings.TrimPrefix(first, "\ufeff")))) // invalid JSON has no fields
	task, _ := v.Field("task_summary")
	text, _ := v.Field("lesson")
	return task.Kind() == jstext.String && text.Kind() == jstext.String
}

// The agent reads .env with the npm package dotenv. This is that package's grammar.
const dotenvLine = `(?m)^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*` +
	"`(?:\\\\`|[^`])*`" + `|[^#\r\n]+)?\s*(?:#.*)?$`

const maxDotenv = 1 << 20

// dotenv returns the value of name in dir/.env.
func dotenv(dir, name string) (value string, ok bool) {
	return parseDotenv(filestore.Read(filepath.Join(dir, ".env"), maxDotenv).Text, name)
}

func parseDotenv(text, name string) (value string, ok bool) {
	if !strings.Contains(text, name) {
		return "", false // the usual case needs no regular expression
	}
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	for _, m := range regexp.MustCompile(dotenvLine).FindAllStringSubmatch(text, -1) {
		if m[1] == name { // the last one wins
			value, ok = dotenvValue(m[2]), true
		}
	}
	return value, ok
}

// dotenvValue removes the quotes. Inside double quotes, \n and \r become line ends.
func dotenvValue(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	quote := s[0]
	if n := len(s); n >= 2 && strings.IndexByte("'\"`", quote) >= 0 && s[n-1] == quote {
		s = s[1 : n-1]
	}
	if quote == '"' {
		s = strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(s)
	}
	return s
}
