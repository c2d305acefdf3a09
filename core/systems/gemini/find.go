package gemini

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

const mostPrivate = 200 // folders of private memory that a search lists

// find looks for the stores of the user and of the project around the working folder.
func find(ctx context.Context, env system.Env) (survey memory.Survey) {
	home := homeOf(env)
	installed := isDir(home)
	if !installed {
		survey.Look(home, 0, "does not exist")
	}
	if env.Dir != "" {
		root, why := projectOf(env, env.Dir, installed)
		if why != "" {
			survey.Found(found(env, root, why))
			survey.Look(root, 1, "")
		} else {
			survey.Look(root, 0, "no instructions or settings of Gemini CLI")
		}
	}
	if !installed {
		return survey
	}
	n := len(survey.Places)
	if len(givenIn(env, "").docs) > 0 {
		survey.Found(found(env, home, "the home of Gemini CLI"))
	}
	entries, _, _ := filestore.Names(projects(env), mostHeads) // without the folder there is none
	for _, e := range entries {
		if ctx.Err() != nil || len(survey.Places)-n > mostPrivate {
			break
		}
		dir := filepath.Join(projects(env), e.Name(), memoryFolder)
		if e.IsDir() && isMemory(dir) {
			survey.Found(found(env, dir, "private memory of a project"))
		}
	}
	survey.Look(home, len(survey.Places)-n, "")
	return survey
}

// isMemory reports whether a folder holds private memory.
func isMemory(dir string) bool {
	return exists(filepath.Join(dir, memoryFile)) || exists(filepath.Join(dir, contextFile))
}

// found returns the place of a store that is there.
func found(env system.Env, path, why string) memory.Place {
	p := placeAt(env, path, why)
	p.Exists = true
	return p
}

// projectOf returns the root of the project around a folder, and what shows that Gemini CLI is used there: its settings,
// and where it is installed files of instructions.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	g := given{env: env, dir: realOf(dir), settings: settingsOf(env, realOf(dir))}
	root = g.top(g.dir)
	for _, d := range filestore.Upwards(g.dir, root) {
		settings := filepath.Join(d, homeFolder, settingsFile)
		if filepath.Dir(settings) != homeOf(env) && exists(settings) {
			return root, settingsFile + " in " + filepath.Dir(settings)
		}
		if names := g.named(d); installed && len(names) > 0 && d != homeOf(env) {
			return root, filepath.Base(names[0]) + " in " + d
		}
	}
	return root, ""
}

// storesIn returns the stores in one of the folders below one that a person named.
func storesIn(env system.Env, dir string, entries []fs.DirEntry) []memory.Place {
	is := func(name string, of func(fs.FileMode) bool) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name && of(e.Type()) })
	}
	any := func(fs.FileMode) bool { return true }
	own := filepath.Join(dir, homeFolder)
	switch {
	case isPrivate(env, dir) && is(memoryFile, fs.FileMode.IsRegular),
		is(contextFile, fs.FileMode.IsRegular) && is(".git", any),
		is(homeFolder, fs.FileMode.IsDir) && own != homeOf(env) && exists(filepath.Join(own, settingsFile)):
		return []memory.Place{found(env, dir, "found below")}
	}
	return nil
}

// reads reports whether the folder that a person named is a store of Gemini CLI.
func reads(env system.Env, path string) (memory.Place, bool) {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.IsDir():
		return memory.Place{}, false
	case path == homeOf(env), isPrivate(env, path):
		return found(env, path, "named"), true
	}
	root, why := projectOf(env, path, isDir(homeOf(env)))
	return found(env, path, "named"), why != "" && root == realOf(path)
}

// Forms returns how its files lie.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: ID, Name: name, Named: system.Named(patterns...)}
	}
	framed := func(path string) func(*memory.Record) memory.Landed {
		return system.Framed("instructions", "<loaded_context>\n<project_context>\n--- Context from: "+path+" ---\n", "\n--- End of Context from: "+path+" ---\n</project_context>\n</loaded_context>",
			"</loaded_context>", "</project_context>", "--- End of Context from: ")
	}
	instructions := form("instruction file", contextFile)
	instructions.Land = framed(contextFile)
	private := form("private memory", homeFolder+"/tmp/*/"+memoryFolder+"/*.md")
	private.Land = framed(memoryFile)
	sessions := form("transcript", homeFolder+"/**/*.jsonl")
	sessions.Lines = true
	return []system.Form{
		private, instructions, sessions, form("transcript", homeFolder+"/**/logs.json"),
		form("settings", homeFolder+"/"+settingsFile, homeFolder+"/trustedFolders.json"),
	}
}
