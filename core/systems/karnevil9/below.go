package karnevil9

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Bounds of a search below a folder.
const (
	maxDepth   = 12
	maxEntries = 100_000
	peekSize   = 64 << 10
)

// walk is a search below a folder. It follows no symbolic link, so it cannot
// leave the folder nor go round in circles.
type walk struct {
	finder
	root    string
	left    int // entries that may still be looked at
	deep    int // folders that were too deep
	links   int // links with the name of a store
	special int // such files that are no regular files
}

// findBelow looks for stores below root: files with a name that the agent or
// its example game uses, and other .jsonl files that begin with a lesson.
func findBelow(ctx context.Context, root string) memory.Survey {
	w := walk{root: root, left: maxEntries}
	w.folders(ctx)
	slices.SortFunc(w.survey.Places, func(a, b memory.Place) int { return cmp.Compare(a.Store, b.Store) })
	w.survey.Looked = slices.Insert(w.survey.Looked, 0, memory.Looked{
		Where: root, Found: len(w.survey.Places), Note: strings.Join(w.limits(), "; "),
	})
	return w.survey
}

// limits says what was left out.
func (w *walk) limits() []string {
	var notes []string
	if w.left <= 0 {
		notes = append(notes, fmt.Sprintf("stopped after %d entries", maxEntries))
	}
	if w.deep > 0 {
		notes = append(notes, fmt.Sprintf("%d folders are more than %d levels down", w.deep, maxDepth))
	}
	if w.links > 0 {
		notes = append(notes, fmt.Sprintf("%d symbolic links were not followed", w.links))
	}
	if w.special > 0 {
		notes = append(notes, fmt.Sprintf("%d are no regular files", w.special))
	}
	return notes
}

// folders goes through the folders level by level, so that the stores next to
// root are found even where there is too much to look at.
func (w *walk) folders(ctx context.Context) {
	level := []string{w.root}
	for depth := 0; len(level) > 0; depth++ {
		if depth > maxDepth {
			w.deep += len(level)
			return
		}
		var below []string
		for _, dir := range level {
			if ctx.Err() != nil || w.left <= 0 {
				return
			}
			below = append(below, w.folder(dir)...)
		}
		level = below
	}
}

// folder looks at the files of dir and returns the folders in it.
func (w *walk) folder(dir string) (below []string) {
	entries, err := readDir(dir, w.left)
	if err != nil {
		w.note(memory.Looked{Where: dir, Note: unreadableNote(err)})
	}
	w.left -= len(entries)
	for _, e := range entries {
		switch {
		case !e.IsDir():
			w.file(filepath.Join(dir, e.Name()), e.Type())
		case e.Name() != "node_modules" && e.Name() != ".git":
			below = append(below, filepath.Join(dir, e.Name()))
		}
	}
	return below
}

func (w *walk) file(path string, kind fs.FileMode) {
	name := filepath.Base(path)
	named := name == "memory.jsonl" || name == gameStore
	switch {
	case filepath.Ext(name) != ".jsonl":
	case kind&fs.ModeSymlink != 0:
		w.links++
	case !kind.IsRegular():
		w.special++
	case named || beginsWithLesson(path):
		w.add(path, "found below "+w.root)
	}
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
