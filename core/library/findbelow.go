package library

import (
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

	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Bounds of a search below a folder.
const (
	mostDepth   = 12
	mostEntries = 100_000
)

// below looks for stores of all systems below a folder that a person named.
func (l *Library) below(ctx context.Context, all *memory.Survey, root string, only memory.SystemID) {
	w := walk{root: root, left: mostEntries}
	for i := range l.systems {
		k := &l.systems[i]
		if only != "" && k.ID != only {
			continue
		}
		if k.Spot != nil {
			w.systems = append(w.systems, k)
		}
	}
	if len(w.systems) > 0 {
		w.run(ctx)
		l.merge(all, w.survey)
	}
}

// walk is one search. It follows no symbolic link, so it cannot leave the folder nor go
// round in circles.
type walk struct {
	systems []*system.System
	root    string
	left    int // entries that may still be looked at
	deep    int // folders that were too deep
	links   int // that were not followed
	survey  memory.Survey
}

// run goes through the folders level by level, so that the stores next to root are
// found even where there is too much to look at.
func (w *walk) run(ctx context.Context) {
	level := []string{w.root}
	for depth := 0; len(level) > 0; depth++ {
		if depth > mostDepth {
			w.deep += len(level)
			break
		}
		var next []string
		for _, dir := range level {
			if ctx.Err() != nil || w.left <= 0 {
				break
			}
			next = append(next, w.folder(dir)...)
		}
		level = next
	}
	slices.SortFunc(w.survey.Places, func(a, b memory.Place) int {
		return cmp.Or(cmp.Compare(a.System, b.System), cmp.Compare(a.Store, b.Store))
	})
	var notes []string
	if w.left <= 0 {
		notes = append(notes, fmt.Sprintf("stopped after %d entries", mostEntries))
	}
	if w.deep > 0 {
		notes = append(notes, fmt.Sprintf("%d folders are more than %d levels down", w.deep, mostDepth))
	}
	if w.links > 0 {
		notes = append(notes, fmt.Sprintf("%d symbolic links were not followed", w.links))
	}
	w.survey.Looked = slices.Insert(w.survey.Looked, 0, memory.Looked{
		Where: w.root, Found: len(w.survey.Places), Note: strings.Join(notes, "; "),
	})
}

// folder asks each system what it knows in dir, and returns the folders in it.
func (w *walk) folder(dir string) (folders []string) {
	entries := w.entries(dir)
	for _, k := range w.systems {
		for _, p := range k.Spot(dir, entries) {
			p.System, p.Exists = k.ID, true
			if p.Why == "" {
				p.Why = "found below " + w.root
			}
			w.survey.Places = append(w.survey.Places, p)
		}
	}
	for _, e := range entries {
		if e.Type()&fs.ModeSymlink != 0 {
			w.links++
		}
		if e.IsDir() && e.Name() != "node_modules" && e.Name() != ".git" {
			folders = append(folders, filepath.Join(dir, e.Name()))
		}
	}
	return folders
}

// entries returns what is in a folder, by name, as far as it may still be looked at.
func (w *walk) entries(dir string) []fs.DirEntry {
	f, err := os.Open(dir)
	if err != nil {
		w.note(dir, err)
		return nil
	}
	defer f.Close()
	entries, err := f.ReadDir(w.left)
	if err != nil && !errors.Is(err, io.EOF) {
		w.note(dir, err)
	}
	w.left -= len(entries)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	return entries
}

func (w *walk) note(dir string, err error) {
	w.survey.Looked = append(w.survey.Looked, memory.Looked{Where: dir, Note: quietread.Cause(err)})
}
