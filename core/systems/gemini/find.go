package gemini

import (
	"context"
	"io/fs"
	"path/filepath"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// product describes Gemini CLI.
func product() *instructions.Product {
	return &instructions.Product{
		ID: ID, Name: "Gemini CLI", Home: homeOf, Sort: sortOf, Own: userStores, Project: projectOf, Below: []string{contextFile},
		Shows: func(env system.Env, dir string, in instructions.Entries) bool {
			home := filepath.Join(dir, homeFolder)
			return sortOf(env, dir).Name == asPrivate && in.Has(memoryFile, fs.FileMode.IsRegular) ||
				in.Has(contextFile, fs.FileMode.IsRegular) && in.Has(".git", nil) ||
				in.Has(homeFolder, fs.FileMode.IsDir) && home != homeOf(env) && filestore.Exists(filepath.Join(home, settingsFile))
		},
	}
}

// sortOf returns what the store at a path is: the home, a folder of private memory, or a project.
func sortOf(env system.Env, path string) instructions.Sort {
	switch {
	case filepath.Base(path) == memoryFolder && filepath.Dir(filepath.Dir(path)) == projects(env):
		return instructions.Sort{Name: asPrivate, Project: rootOf(filepath.Dir(path)), Own: true, ByPath: true}
	case path == homeOf(env):
		return instructions.Sort{Name: asGlobal, Own: true}
	}
	return instructions.Sort{Name: asProject, Project: path}
}

// userStores returns the user's stores that exist.
func userStores(ctx context.Context, env system.Env) (paths []string) {
	const most = 200 // folders of private memory
	if len(givenIn(env, "").docs) > 0 {
		paths = append(paths, homeOf(env))
	}
	entries, _, _ := filestore.Names(projects(env), mostHeads) // without the folder there is none
	for _, e := range entries {
		if ctx.Err() != nil || len(paths) > most {
			break
		}
		dir := filepath.Join(projects(env), e.Name(), memoryFolder)
		if e.IsDir() && (filestore.Exists(filepath.Join(dir, memoryFile)) || filestore.Exists(filepath.Join(dir, contextFile))) {
			paths = append(paths, dir)
		}
	}
	return paths
}

// projectOf returns the root of the project around a folder, and what shows that Gemini CLI is used
// there: its settings or, if Gemini CLI is installed, instruction files.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	g := sessionFiles{env: env, dir: dir, settings: settingsOf(env, dir)}
	root = g.top(dir)
	for _, d := range filestore.Upwards(dir, root) {
		if own := filepath.Join(d, homeFolder); own != homeOf(env) && filestore.Exists(filepath.Join(own, settingsFile)) {
			return root, settingsFile + " in " + own
		}
		if names := g.named(d); installed && len(names) > 0 && d != homeOf(env) {
			return root, filepath.Base(names[0]) + " in " + d
		}
	}
	return root, ""
}

// Forms returns the forms of its files.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: ID, Name: name, Named: system.Named(patterns...)}
	}
	framed := func(path string) func(*memory.Record) memory.Landed {
		return system.Framed("instructions", "<loaded_context>\n<project_context>\n--- Context from: "+path+" ---\n", "\n--- End of Context from: "+path+" ---\n</project_context>\n</loaded_context>",
			"</loaded_context>", "</project_context>", "--- End of Context from: ")
	}
	project := form("instruction file", contextFile)
	project.Land = framed(contextFile)
	private := form("private memory", homeFolder+"/tmp/*/"+memoryFolder+"/*.md")
	private.Land = framed(memoryFile)
	sessions := form("transcript", homeFolder+"/**/*.jsonl")
	sessions.Lines = true
	return []system.Form{
		private, project, sessions, form("transcript", homeFolder+"/**/logs.json"),
		form("settings", homeFolder+"/"+settingsFile, homeFolder+"/trustedFolders.json"),
	}
}
