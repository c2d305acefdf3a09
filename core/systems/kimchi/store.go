package kimchi

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/detect"
	"winnow/core/entries"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// mostRead is the number of bytes read of a file: a hundred times what the tool allows.
const mostRead = 256 << 10

// store is one file of notes.
type store struct {
	*entries.Store
	d *dialect
	// running returns the system's running processes.
	running func() []memory.Running
	pause   func(context.Context, time.Duration) error // waits for the lock; nil sleeps
}

var (
	_ system.Store       = (*store)(nil)
	_ system.Snapshotter = (*store)(nil)
	_ system.Summarizer  = (*store)(nil)
	_ system.Recaller    = (*store)(nil)
	_ system.Watched     = (*store)(nil)
	_ system.Composer    = (*store)(nil)
	_ system.Writer      = (*store)(nil)
	_ system.Sharer      = (*store)(nil)
)

// open returns the store of notes at an absolute path. The file need not exist.
func open(d *dialect, path string, now func() time.Time, running func() []memory.Running) *store {
	s := &store{d: d, running: running}
	s.Store = entries.NewStore(entries.Kind{
		Place: d.place, Entries: d.form(), Complete: markCopies, Words: words(), MostRead: mostRead,
		Refuse: s.overfull, Lock: s.lock,
	}, path, now)
	return s
}

// Info implements [system.Store].
func (s *store) Info() system.Info {
	return system.Info{
		System:  s.d.id,
		Name:    s.d.name,
		Place:   s.d.place(s.Path, ""),
		Noun:    noun(),
		Similar: compare.Similar,
		Earlier: s.earlier,
	}
}

func noun() memory.Noun { return memory.Noun{One: "entry", Many: "entries"} }

// place returns the place of a file of notes.
func (d *dialect) place(path, why string) memory.Place {
	return memory.Place{Store: memory.StoreID(path), System: d.id, Path: path, Why: why, Name: filepath.Base(path)}
}

// WatchPaths implements [system.Watched]. It returns the file, its sibling in the block, and the
// file that sets the limits.
func (s *store) WatchPaths() []string {
	paths := []string{s.Path}
	if other := sibling(s.Path); other != "" {
		paths = append(paths, other)
	}
	if config := s.d.config(s.Path); config != "" {
		paths = append(paths, config)
	}
	return paths
}

// sibling returns the other file of a pair, or "" if the file is not part of one.
func sibling(path string) string {
	switch filepath.Base(path) {
	case memoryFile:
		return filepath.Join(filepath.Dir(path), userFile)
	case userFile:
		return filepath.Join(filepath.Dir(path), memoryFile)
	}
	return ""
}

// words are those for problems that mean more than usual for a file of notes.
func words() map[string]memory.Problem {
	return map[string]memory.Problem{
		quietread.CodeMissing: {
			What: "There are no notes here yet: the file does not exist.",
			Hint: "it appears when an agent keeps its first note, and this screen then fills by itself",
		},
		quietread.CodeFolder: {
			What: "This is a folder, and notes are one file.",
			Hint: "open MEMORY.md or USER.md in it",
		},
		"cut": {
			What: fmt.Sprintf("Only the first %d KiB of the file are read: ", mostRead>>10) +
				"this entry may be longer, and others may follow.",
			Hint: "look at the file with another program; notes of that size are hardly meant",
		},
	}
}

// List implements [system.Store].
func (s *store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// takesBack reports whether a write restores what was there before, or removes secrets. Limits do
// not keep a person from either.
func takesBack(w *system.Write) bool {
	return w.Exact != nil || slices.ContainsFunc(w.Changes, func(ch memory.Change) bool {
		return ch.Do == memory.Adding && ch.Position != nil ||
			ch.Do == memory.Editing &&
				strings.Count(ch.After, detect.Redacted) > strings.Count(ch.Before, detect.Redacted)
	})
}

// lock takes the system's lock. If the folder does not exist, nobody can hold it.
func (s *store) lock(ctx context.Context) (release func(), err error) {
	if _, err := os.Stat(filepath.Dir(s.Path)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	take := atomicfile.FolderLock
	if s.d.id == Hermes {
		take = atomicfile.WholeLock
	}
	release, err = take(ctx, s.Path+".lock", atomicfile.Waiting{Now: s.Now, Pause: s.pause})
	if errors.Is(err, atomicfile.ErrHeld) {
		return nil, &memory.Problem{
			Code: "locked",
			What: fmt.Sprintf(
				"%s holds the lock of %s and did not give it back in 6.5 seconds. Nothing was changed.",
				s.d.name,
				filepath.Base(s.Path),
			),
			Hint: "try again in a moment; a lock that a crash left counts as abandoned after 10 seconds",
		}
	}
	return release, err
}
