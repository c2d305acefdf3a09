package codex

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"winnow/core/filestore"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// product describes Codex.
func product() *instructions.Product {
	return &instructions.Product{
		ID: ID, Name: "Codex", Home: homeOf, Sort: sortOf, Own: userStores, Project: projectOf, Below: []string{overrideFile, agentsFile},
		Shows: func(env system.Env, dir string, in instructions.Entries) bool {
			return sortOf(env, dir).Name == memoriesName && in.Has(summaryFile, fs.FileMode.IsRegular) ||
				in.Has(homeFolder, fs.FileMode.IsDir) && settingsIn(env, dir) != "" && dir != homeOf(env)
		},
	}
}

// sortOf returns what the store at a path is: a home, the folder of memories in one, or a project.
func sortOf(env system.Env, path string) instructions.Sort {
	home := filepath.Dir(path)
	switch {
	case filepath.Base(path) == memoriesName && (home == homeOf(env) || filepath.Base(home) == homeFolder):
		return instructions.Sort{Name: memoriesName, Own: true, ByPath: true}
	case path == homeOf(env):
		return instructions.Sort{Name: globalName, Own: true}
	}
	return instructions.Sort{Name: instructionsName, Project: path}
}

// userStores returns the user's stores that exist.
func userStores(_ context.Context, env system.Env) (paths []string) {
	home := homeOf(env)
	if filestore.Exists(filepath.Join(home, agentsFile)) || filestore.Exists(filepath.Join(home, overrideFile)) {
		paths = append(paths, home)
	}
	if memories := memoriesIn(env); filestore.IsFolder(memories) {
		paths = append(paths, memories)
	}
	return paths
}

// projectOf returns the root of the project around a folder, and what shows that Codex is used
// there: its settings or, if Codex is installed, instruction files.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	if !installed {
		return dir, settingsIn(env, dir)
	}
	s := settingsOf(env, dir)
	for _, d := range filestore.Upwards(dir, s.root) {
		if why = settingsIn(env, d); why != "" {
			return s.root, why
		}
		for _, name := range s.names() {
			if d != homeOf(env) && filestore.Exists(filepath.Join(d, name)) {
				return s.root, name + " in " + d
			}
		}
	}
	return s.root, ""
}

// settingsIn names the project settings in a folder, or returns "".
func settingsIn(env system.Env, dir string) string {
	own := filepath.Join(dir, homeFolder)
	isHome := func(name string) bool { return filestore.Exists(filepath.Join(own, name)) }
	if own == homeOf(env) || !filestore.Exists(filepath.Join(own, settingsName)) || slices.ContainsFunc([]string{memoriesName, "sessions", "auth.json"}, isHome) {
		return ""
	}
	return settingsName + " in " + own
}

// Forms returns the forms of Codex files except AGENTS.md, which other products read as well.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: ID, Name: name, Named: system.Named(patterns...)}
	}
	land := system.Framed("instructions", "# AGENTS.md instructions\n\n<INSTRUCTIONS>\n", "\n</INSTRUCTIONS>", "</INSTRUCTIONS>", "\n--- project-doc ---\n")
	summary := form("memory summary", homeFolder+"/"+memoriesName+"/"+summaryFile)
	summary.Land = system.Framed(memoriesName, "========= MEMORY_SUMMARY BEGINS =========\n", "\n========= MEMORY_SUMMARY ENDS =========", "========= MEMORY_SUMMARY ENDS")
	project := form("instruction file", overrideFile, homeFolder+"/"+agentsFile)
	project.Land = land
	sessions := form("transcript", homeFolder+"/**/*.jsonl", "rollout-*.jsonl")
	sessions.Lines = true
	return []system.Form{
		summary, project, form("memory", homeFolder+"/"+memoriesName+"/**/*.md"), sessions,
		form("settings", homeFolder+"/"+settingsName, homeFolder+"/auth.json"),
	}
}
