package karnevil9

import (
	"io/fs"
	"path/filepath"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// peekSize is how much of a file is looked at to tell whether it begins with a lesson.
const peekSize = 64 << 10

// storesIn returns the stores in a folder: files with a name that the agent or its example
// game uses, and other .jsonl files that begin with a lesson.
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
		return false // most other logs end here, before they are parsed
	}
	v, _ := jstext.Parse(jstext.Decode([]byte(strings.TrimPrefix(first, "\ufeff")))) // what is no JSON has no fields
	task, _ := v.Field("task_summary")
	text, _ := v.Field("lesson")
	return task.Kind() == jstext.String && text.Kind() == jstext.String
}
