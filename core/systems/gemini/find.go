package gemini

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// agent describes Gemini CLI.
func agent() *instructions.Agent {
	const learn = "from its sessions"
	names := func(env system.Env, start string) []string { return settingsOf(env, start).names }
	none := memory.Problem{
		Code: "empty", What: "Gemini CLI finds no instructions here: there is no " + contextFile + ".",
		Hint: "write a " + contextFile + ", or let Gemini CLI write one with /init",
	}
	own := "all but files of extensions"
	return &instructions.Agent{
		Product: product(),
		Stores: []instructions.StoreKind{
			{
				Name: asProject, Given: []string{asProject, kindNested}, Names: names, Reaches: true, Empty: none,
				Example: "web/" + contextFile + ", for the files of the folder web",
				Ability: system.Ability{Recall: system.Exact, Learn: learn, Note: "What MCP servers add is not known."},
			},
			{
				Name: asGlobal, Given: []string{asGlobal, asExtension}, Names: names, Reaches: true, Empty: none,
				Ability: system.Ability{Recall: system.Exact, Learn: learn, Edit: own, Delete: own},
			},
			{
				Name: asPrivate, Given: []string{asPrivate, kindNote, kindHidden}, Reaches: true,
				Names:   func(system.Env, string) []string { return []string{memoryFile} },
				Looks:   isNoteName,
				Example: "deploy.md, for a note that " + memoryFile + " names",
				Notes:   func(r *memory.Record) bool { return r.Kind == kindNote },
				Empty: memory.Problem{
					Code: "empty", What: "Gemini CLI keeps no private memory for this project.",
					Hint: "tell it to remember something about the project on this machine",
				},
				Ability: system.Ability{
					Recall: system.Exact, Learn: learn,
					Note: "Every session of the project is given MEMORY.md; its model looks up the notes that it names.",
				},
			},
		},
		Read: func(ctx context.Context, q instructions.Question) *instructions.Session {
			return givenIn(ctx, q).Session
		},
		Last: lastSession, Always: true,
		Watch: func(env system.Env, dir string) []string {
			return []string{
				filepath.Join(homeOf(env), settingsFile), filepath.Join(homeOf(env), "trustedFolders.json"),
				filepath.Join(dir, homeFolder, settingsFile),
			}
		},
		As: "As version 0.61 does it, by its settings files: what its command line sets is not known.",
	}
}

// product describes where Gemini CLI keeps its files.
func product() instructions.Product {
	return instructions.Product{
		ID: id, Name: "Gemini CLI", Home: homeOf, Sort: sortOf, Own: userStores, Project: projectOf,
		Below: func(env system.Env, root string) []string {
			if !instructions.MayLookBelow(root, env.Home) {
				return nil
			}
			return settingsOf(env, filestore.Real(env.Dir)).names
		},
		Shows: func(env system.Env, dir string, in instructions.Entries) bool {
			home := filepath.Join(dir, homeFolder)
			return sortOf(env, dir).Name == asPrivate && in.Has(memoryFile, fs.FileMode.IsRegular) ||
				in.Has(contextFile, fs.FileMode.IsRegular) && in.Has(".git", nil) ||
				in.Has(homeFolder, fs.FileMode.IsDir) && home != homeOf(env) &&
					filestore.Exists(filepath.Join(home, settingsFile))
		},
	}
}

// sortOf returns what the store at a path is: the home, a folder of private memory, or a project.
func sortOf(env system.Env, path string) instructions.Sort {
	switch {
	case filepath.Base(path) == memoryFolder && filepath.Dir(filepath.Dir(path)) == projects(env):
		return instructions.Sort{
			Name:     asPrivate,
			Project:  rootOf(filepath.Dir(path)),
			Own:      true,
			ByPath:   true,
			Personal: true,
		}
	case path == homeOf(env):
		return instructions.Sort{Name: asGlobal, Own: true, Personal: true}
	}
	return instructions.Sort{Name: asProject, Project: path}
}

// userStores returns the user's stores that exist.
func userStores(ctx context.Context, env system.Env) (paths []string) {
	const most = 200 // folders of private memory
	if len(givenIn(ctx, instructions.Question{Env: env}).Given) > 0 {
		paths = append(paths, homeOf(env))
	}
	entries, _, _ := filestore.Names(projects(env), mostHeads) // without the folder there is none
	for _, e := range entries {
		if ctx.Err() != nil || len(paths) > most {
			break
		}
		dir := filepath.Join(projects(env), e.Name(), memoryFolder)
		if e.IsDir() &&
			(filestore.Exists(filepath.Join(dir, memoryFile)) || filestore.Exists(filepath.Join(dir, contextFile))) {
			paths = append(paths, dir)
		}
	}
	return paths
}

// projectOf returns the root of the project around a folder, and what shows that Gemini CLI is used
// there: its settings or, if Gemini CLI is installed, instruction files.
func projectOf(env system.Env, dir string, installed bool) (root, why string) {
	r := reading{Question: instructions.Question{Env: env, Dir: dir}, settings: settingsOf(env, dir)}
	root = r.top(dir)
	for _, d := range filestore.Upwards(dir, root) {
		if own := filepath.Join(d, homeFolder); own != homeOf(env) &&
			filestore.Exists(filepath.Join(own, settingsFile)) {
			return root, settingsFile + " in " + own
		}
		if names := r.named(d); installed && len(names) > 0 && d != homeOf(env) {
			return root, filepath.Base(names[0]) + " in " + d
		}
	}
	return root, ""
}

// Forms returns the forms of its files.
func Forms() []system.Form {
	form := func(name string, patterns ...string) system.Form {
		return system.Form{System: id, Name: name, Named: system.Named(patterns...)}
	}
	framed := func(path string) func(*memory.Record) memory.Landed {
		return system.Framed(
			"instructions",
			"<loaded_context>\n<project_context>\n--- Context from: "+path+" ---\n",
			"\n--- End of Context from: "+path+" ---\n</project_context>\n</loaded_context>",
			"</loaded_context>",
			"</project_context>",
			"--- End of Context from: ",
		)
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

// leftHealth reports private memories of projects that no longer exist and that had the same name, or lay beside one
// that has none yet: this one may have been moved, or renamed.
func leftHealth(env system.Env, dir string) (lines []memory.Health) {
	const most = 10
	entries, _, _ := filestore.Names(projects(env), mostHeads) // an unreadable folder has no memory
	isNew := folderOf(env, dir) == ""
	for _, e := range entries {
		folder := filepath.Join(projects(env), e.Name())
		root, left := rootOf(folder), filepath.Join(folder, memoryFolder)
		near := filepath.Base(root) == filepath.Base(dir) || isNew && filepath.Dir(root) == filepath.Dir(dir)
		if root == "" || root == dir || !near || len(lines) == most {
			continue
		}
		_, err := os.Lstat(root)
		notes, _, _ := filestore.Names(left, mostHeads)
		isNote := func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".md") }
		if !errors.Is(err, fs.ErrNotExist) || !slices.ContainsFunc(notes, isNote) {
			continue
		}
		next := "if it was this project: start Gemini CLI here once, and move the files to the folder of memory that it makes"
		if name := folderOf(env, dir); name != "" {
			next = "if it was this project, move the files to " + filepath.Join(projects(env), name, memoryFolder)
		}
		lines = append(lines, system.When(true, "moved-memory", memory.Note, 1,
			fmt.Sprintf("%s no longer exists, and has its private memory in %s.", root, left), next))
	}
	return lines
}

// rootOf returns the project path that a folder of sessions belongs to, or "" if the folder does
// not say.
func rootOf(project string) string {
	f := filestore.Read(filepath.Join(project, ".project_root"), 4<<10)
	root := strings.TrimSpace(f.Text)
	if f.Problem != nil || f.Cut || !filepath.IsAbs(root) {
		return ""
	}
	return filepath.Clean(root)
}

// isNoteName reports whether a file of this name can be a private note.
func isNoteName(name string) bool {
	return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, ".")
}
