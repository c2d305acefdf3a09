package codex

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// find looks for the stores of the user and of the project around the working folder.
func find(_ context.Context, env system.Env) (survey memory.Survey) {
	home := homeOf(env)
	if !isDir(home) {
		survey.Look(home, 0, "does not exist")
	} else {
		n := 0
		if slices.ContainsFunc([]string{agentsFile, overrideFile}, func(name string) bool { return exists(filepath.Join(home, name)) }) {
			survey.Found(found(env, home, "the home of Codex"))
			n++
		}
		if memories := memoriesIn(env); isDir(memories) {
			survey.Found(found(env, memories, "the home of Codex"))
			n++
		}
		survey.Look(home, n, "")
	}
	if env.Dir == "" {
		return survey
	}
	root, why := projectOf(env, env.Dir, isDir(home))
	if why == "" {
		survey.Look(root, 0, "no instructions or settings of Codex")
		return survey
	}
	survey.Found(found(env, root, why))
	survey.Look(root, 1, "")
	return survey
}

// found returns the place of a store that is there.
func found(env system.Env, path, why string) memory.Place {
	p := (&Store{env: env}).placeAt(path, why)
	p.Exists = true
	return p
}

// projectOf returns the root of the project around a folder, and what shows that Codex is used there: its
// settings, and where it is installed files of instructions.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if !installed {
		return dir, settingsIn(env, dir)
	}
	s := settingsOf(env, dir)
	for _, d := range filestore.Upwards(dir, s.root) {
		if why = settingsIn(env, d); why != "" {
			return s.root, why
		}
		for _, name := range s.names() {
			if d != homeOf(env) && exists(filepath.Join(d, name)) {
				return s.root, name + " in " + d
			}
		}
	}
	return s.root, ""
}

// settingsIn says where a folder has the settings of a project, or nothing.
func settingsIn(env system.Env, dir string) string {
	own := filepath.Join(dir, homeFolder)
	isHome := func(name string) bool { return exists(filepath.Join(own, name)) }
	if own == homeOf(env) || !exists(filepath.Join(own, settingsName)) || slices.ContainsFunc([]string{memoriesName, "sessions", "auth.json"}, isHome) {
		return ""
	}
	return settingsName + " in " + own
}

// storesIn returns the stores in one of the folders below one that a person named.
func storesIn(env system.Env, dir string, entries []fs.DirEntry) []memory.Place {
	has := func(name string, of func(fs.FileMode) bool) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && of(e.Type()) })
	}
	switch {
	case isMemories(env, dir) && has(summaryFile, fs.FileMode.IsRegular):
		return []memory.Place{found(env, dir, "found below")}
	case has(homeFolder, fs.FileMode.IsDir) && settingsIn(env, dir) != "" && dir != homeOf(env):
		return []memory.Place{found(env, dir, "found below")}
	}
	return nil
}

// reads reports whether the folder that a person named is a store of Codex.
func reads(env system.Env, path string) (memory.Place, bool) {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.IsDir():
		return memory.Place{}, false
	case path == homeOf(env), isMemories(env, path):
		return found(env, path, "named"), true
	}
	root, why := projectOf(env, path, isDir(homeOf(env)))
	return found(env, path, "named"), why != "" && root == path
}

// Forms returns how its files lie, beside AGENTS.md, which other products read as well.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: ID, Name: name, Named: system.Named(patterns...)}
	}
	land := system.Framed("instructions", "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n", "\n</INSTRUCTIONS>", "</INSTRUCTIONS>", "\n--- project-doc ---\n")
	summary := form("memory summary", homeFolder+"/"+memoriesName+"/"+summaryFile)
	summary.Land = system.Framed(memoriesName, "========= MEMORY_SUMMARY BEGINS =========\n", "\n========= MEMORY_SUMMARY ENDS =========", "========= MEMORY_SUMMARY ENDS")
	instructions := form("instruction file", overrideFile, homeFolder+"/"+agentsFile)
	instructions.Land = land
	sessions := form("transcript", homeFolder+"/**/*.jsonl", "rollout-*.jsonl")
	sessions.Lines = true
	return []system.Form{
		summary, instructions, form("memory", homeFolder+"/"+memoriesName+"/**/*.md"), sessions,
		form("settings", homeFolder+"/"+settingsName, homeFolder+"/auth.json"),
	}
}
