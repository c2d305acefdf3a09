package winnow

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/lesson"
	"winnow/core/lessonfile"
	"winnow/core/memory"
	"winnow/core/prompt"
	"winnow/core/system"
)

// The paths of stores: in a project, and below the person's data folder.
const (
	projectFolder = ".winnow"
	ownFolder     = "winnow"
	fileName      = "lessons.jsonl"
)

// serves implements [system.System.Serves]. A project's store is in the root of its repository or,
// without one, in the working folder. Other stores may lie in the folders between the two.
func serves(env system.Env) (places []memory.Place) {
	root := git.Root(env.Dir)
	if root == "" {
		root = env.Dir
	}
	if root != "" {
		places = append(places, placeOf(filepath.Join(root, projectFolder, fileName), "the project's "+projectFolder))
	}
	for dir := env.Dir; dir != root; dir = filepath.Dir(dir) {
		if p := placeOf(filepath.Join(dir, projectFolder, fileName), "the folder's "+projectFolder); p.Exists {
			places = append(places, p)
		}
	}
	if own := env.Folder(system.Lessons); own != "" {
		p := placeOf(filepath.Join(own, fileName), "your own lessons")
		p.Personal = true
		places = append(places, p)
	}
	return places
}

// find looks for the stores whose lessons are served to agents in the working folder.
func find(_ context.Context, env system.Env) memory.Survey {
	var survey memory.Survey
	for _, p := range serves(env) {
		filestore.LookAt(&survey, p)
	}
	return survey
}

func placeOf(path, why string) memory.Place {
	_, err := os.Lstat(path)
	p := memory.Place{
		Store:  memory.At(id, path),
		System: id,
		Path:   path,
		Why:    why,
		Exists: err == nil,
		Name:   "your own lessons",
		ByPath: true,
	}
	if isProject(path) {
		p.Name, p.Project = "project lessons", filepath.Dir(filepath.Dir(path))
	}
	return p
}

// isProject reports whether the store at path belongs to a project.
func isProject(path string) bool { return filepath.Base(filepath.Dir(path)) == projectFolder }

// isOurs reports whether a file has the name of a Winnow store.
func isOurs(path string) bool {
	return filepath.Base(path) == fileName && (isProject(path) || filepath.Base(filepath.Dir(path)) == ownFolder)
}

func reads(path string) (memory.Place, bool) {
	if !isOurs(path) {
		return memory.Place{}, false
	}
	return placeOf(path, ""), true // even before its first lesson
}

func storesIn(dir string, entries []fs.DirEntry) (places []memory.Place) {
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.Type().IsRegular() && isOurs(path) {
			places = append(places, placeOf(path, ""))
		}
	}
	return places
}

// Forms returns the file forms of lessons.
func Forms() []system.Form {
	return []system.Form{{
		System: id, Name: "lesson store", Named: system.Named(projectFolder+"/"+fileName, ownFolder+"/"+fileName),
		Lines: true, Decode: lesson.Record, Land: land, Held: lesson.LoadCap,
	}}
}

// land renders the block that an agent gets when this record alone is recalled.
func land(r *memory.Record) memory.Landed { return lessonfile.Land(r, prompt.Strict) }
