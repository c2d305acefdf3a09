package codex

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// agent describes Codex.
func agent() *instructions.Agent {
	const learn, own = "from its sessions", "all but raw memories and session recaps"
	names := func(system.Env, string) []string { return []string{agentsFile, overrideFile} }
	none := memory.Problem{
		Code: "empty", What: "Codex finds no instructions here: there is no " + agentsFile + ".",
		Hint: "write an " + agentsFile + ", or let Codex write one with /init",
	}
	return &instructions.Agent{
		Product: product(),
		Stores: []instructions.StoreKind{
			{
				Name: instructionsName, Given: []string{instructionsName, kindNested}, Reaches: true, Names: names,
				Empty: none, Example: "web/AGENTS.md, for the files of the folder web",
				Ability: system.Ability{
					Recall: system.Exact, Learn: learn,
					Note: "What its command line or an administrator sets is not known.",
				},
			},
			{
				Name: globalName, Given: []string{globalName}, Names: names, Empty: none,
				Ability: system.Ability{Recall: system.Exact, Learn: learn},
			},
			{
				Name: memoriesName, Given: memoryKinds,
				Names: func(system.Env, string) []string { return []string{summaryFile, handbookFile} },
				Looks: func(string) bool { return true }, Example: "web/AGENTS.md, for the files of the folder web",
				Notes: func(r *memory.Record) bool { return filepath.Base(r.File) != summaryFile },
				Empty: memory.Problem{
					Code: "empty", What: "There are no memories of Codex here.",
					Hint: "set features.memories in config.toml, and Codex makes them of old sessions",
				},
				Ability: system.Ability{
					Recall: system.Exact, Learn: learn, Edit: own, Delete: own,
					Note: "The summary is given to every session; a model looks up the other files. " +
						"Codex writes raw memories and recaps again from its database.",
				},
			},
		},
		Read: givenIn, Last: lastSession, Always: true, Finish: finish,
		Watch: func(env system.Env, dir string) []string {
			const end = string(filepath.Separator)
			paths := []string{filepath.Join(homeOf(env), settingsName)}
			for _, below := range []string{recaps, notesFolder, "skills"} {
				paths = append(paths, filepath.Join(dir, below)+end)
			}
			return paths
		},
		As: "As version 0.169 does it, by its settings files: what its command line or an administrator sets is not known.",
	}
}

// finish sets what only a store of memories has.
func finish(s *instructions.AgentStore) {
	if s.Place.Name != memoriesName {
		return
	}
	s.Usable, s.Refuse = func() *memory.Problem { return noFolder(s.Dir) }, refuseMemory
	s.NewID = func(records []memory.Record, stored string, e memory.Edit) (memory.ID, error) {
		return nameOfNote(s, records, stored, e)
	}
}

// product describes where Codex keeps its files.
func product() instructions.Product {
	return instructions.Product{
		ID: id, Name: "Codex", Home: homeOf, Sort: sortOf, Own: userStores, Project: projectOf,
		Below: func(env system.Env, root string) []string {
			if !filestore.Exists(filepath.Join(root, ".git")) {
				return nil // only sessions that start in the folder itself are given such a file
			}
			s := settingsOf(env, root)
			return s.names()
		},
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
	case isMemories(path) && (home == homeOf(env) || filepath.Base(home) == homeFolder):
		return instructions.Sort{Name: memoriesName, Own: true, ByPath: true, Personal: home == homeOf(env)}
	case path == homeOf(env):
		return instructions.Sort{Name: globalName, Own: true, Personal: true}
	}
	return instructions.Sort{Name: instructionsName, Project: path}
}

// userStores returns the user's stores that exist.
func userStores(_ context.Context, env system.Env) (paths []string) {
	home := homeOf(env)
	if filestore.Exists(filepath.Join(home, agentsFile)) || filestore.Exists(filepath.Join(home, overrideFile)) {
		paths = append(paths, home)
	}
	for _, name := range []string{memoriesName, secondName} {
		if memories := filepath.Join(home, name); filestore.IsFolder(memories) {
			paths = append(paths, memories)
		}
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
	if own == homeOf(env) || !filestore.Exists(filepath.Join(own, settingsName)) ||
		slices.ContainsFunc([]string{memoriesName, secondName, "sessions", "auth.json"}, isHome) {
		return ""
	}
	return settingsName + " in " + own
}

// Forms returns the forms of Codex files except AGENTS.md, which other products read as well.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: id, Name: name, Named: system.Named(patterns...)}
	}
	land := system.Framed(
		"instructions",
		"# AGENTS.md instructions\n\n<INSTRUCTIONS>\n",
		"\n</INSTRUCTIONS>",
		"</INSTRUCTIONS>",
		"\n--- project-doc ---\n",
	)
	summary := form(
		"memory summary",
		homeFolder+"/"+memoriesName+"/"+summaryFile,
		homeFolder+"/"+secondName+"/"+summaryFile,
	)
	summary.Land = system.Framed(
		memoriesName,
		"========= MEMORY_SUMMARY BEGINS =========\n",
		"\n========= MEMORY_SUMMARY ENDS =========",
		"========= MEMORY_SUMMARY ENDS",
	)
	project := form("instruction file", overrideFile, homeFolder+"/"+agentsFile)
	project.Land = land
	sessions := form("transcript", homeFolder+"/**/*.jsonl", "rollout-*.jsonl")
	sessions.Lines = true
	return []system.Form{
		summary, project, form("memory", homeFolder+"/"+memoriesName+"/**/*.md", homeFolder+"/"+secondName+"/**/*.md"),
		sessions,
		form("settings", homeFolder+"/"+settingsName, homeFolder+"/auth.json"),
	}
}
