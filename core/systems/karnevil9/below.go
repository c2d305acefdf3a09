package karnevil9

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// peekSize is how much of a file is looked at to tell whether it begins with a lesson.
const peekSize = 64 << 10

// spot returns the stores in a folder: files with a name that the agent or its example
// game uses, and other .jsonl files that begin with a lesson.
func spot(dir string, entries []fs.DirEntry) (places []memory.Place) {
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
	f, p := open(path)
	if p != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, peekSize)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	first, _, _ := bytes.Cut(bytes.TrimLeft(head[:n], "\r\n"), []byte("\n"))
	if !bytes.Contains(first, []byte(`"task_summary"`)) {
		return false // most other logs end here, before they are parsed
	}
	v, err := jstext.Parse(jstext.Decode(bytes.TrimPrefix(first, []byte("\ufeff"))))
	if err != nil {
		return false
	}
	for _, key := range []string{"task_summary", "lesson"} {
		if field, ok := v.Field(key); !ok || field.Kind() != jstext.String {
			return false
		}
	}
	return true
}

// readDir returns at most limit entries of dir, by name. With an error it
// returns those that could be read.
func readDir(dir string, limit int) ([]os.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(limit)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries, err
}
