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
	"sync"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/detect"
	"winnow/core/entries"
	"winnow/core/filestore"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// mostRead is the number of bytes read of a file: a hundred times what the tool allows.
const mostRead = 256 << 10

// Store is one file of notes.
type Store struct {
	system.Whole
	path string
	d    *dialect
	now  func() time.Time
	// running returns the system's running processes.
	running func() []memory.Running
	pause   func(context.Context, time.Duration) error // waits for the lock; nil sleeps
	target  atomicfile.Target                          // the file that path led to at first
	disk    atomicfile.Disk

	mu   sync.Mutex // guards base
	base []string   // the entries as last seen
}

var (
	_ system.Store       = (*Store)(nil)
	_ system.Snapshotter = (*Store)(nil)
	_ system.Summarizer  = (*Store)(nil)
	_ system.Recaller    = (*Store)(nil)
	_ system.Watched     = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
	_ system.Sharer      = (*Store)(nil)
)

// open returns the store of notes at an absolute path. The file need not exist.
func open(d *dialect, path string, now func() time.Time, running func() []memory.Running) *Store {
	return &Store{path: path, d: d, now: now, running: running, disk: atomicfile.OS()}
}

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	return system.Info{
		System:  s.d.id,
		Name:    s.d.name,
		Place:   s.d.place(s.path, ""),
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
func (s *Store) WatchPaths() []string {
	paths := []string{s.path}
	if other := sibling(s.path); other != "" {
		paths = append(paths, other)
	}
	if config := s.d.config(s.path); config != "" {
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

// read reads a file of notes, at most mostRead bytes of it.
func read(path string) filestore.File {
	f := filestore.Read(path, mostRead)
	f.Problem = quietread.Reworded(f.Problem, unreadable)
	return f
}

// unreadable words the problems that mean more than usual for a file of notes.
var unreadable = map[string]memory.Problem{
	quietread.CodeMissing: {
		What: "There are no notes here yet: the file does not exist.",
		Hint: "it appears when an agent keeps its first note, and this screen then fills by itself",
	},
	quietread.CodeFolder: {What: "This is a folder, and notes are one file.", Hint: "open MEMORY.md or USER.md in it"},
}

// List implements [system.Store].
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// entry returns the record of an entry of the file that was read.
func (s *Store) entry(f *filestore.File, n entries.File, i int, names namer) memory.Record {
	r := s.d.record(n.Raw(i), i+1)
	names.complete(&r)
	if f.Cut && i == len(n.Spans)-1 {
		r.RawLen = len(r.Raw) + int(f.Size-mostRead)
		r.Problem = &memory.Problem{
			Code: "cut",
			What: fmt.Sprintf(
				"Only the first %d KiB of the file are read: this entry may be longer, and others may follow.",
				mostRead>>10,
			),
			Hint: "look at the file with another program; notes of that size are hardly meant",
		}
	}
	return r
}

// rememberEntries keeps the entries as they are now, so that a later change can tell what another writer
// did since.
func (s *Store) rememberEntries(n entries.File) {
	base := n.Raws()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.base = base
}

// writer returns the writer of the file. It holds the system's lock only while the file is
// replaced.
func (s *Store) writer() filestore.OneFile {
	s.mu.Lock()
	known := s.base
	s.mu.Unlock()
	return filestore.OneFile{
		Disk: s.disk, Path: s.path, Target: &s.target,
		Readable: func() error { return filestore.Readable(s.path, unreadable) },
		Rewrite: func(now string, w *system.Write) (jsonl.Made, error) {
			made, p := s.d.form().Rewrite(now, w.Changes, known)
			if p == nil && made.Text != now && !takesBack(w) {
				p = s.overfull(now, made.Text, w.Changes)
			}
			if p != nil {
				return made, p
			}
			return made, nil
		},
		Adopt: s.d.form().Adopt, Lock: s.lock,
		Done: func(text string) { s.rememberEntries(s.d.split(text)) },
	}
}

// Confine implements [system.Confined].
func (s *Store) Confine(may func(path string) error) { s.disk = atomicfile.Confined(s.disk, may) }

// CanWrite implements [system.Writer].
func (s *Store) CanWrite() error { return s.writer().CanWrite() }

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (made bool, err error) {
	return s.writer().Recover(ctx, staged)
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
func (s *Store) lock(ctx context.Context) (release func(), err error) {
	if _, err := os.Stat(filepath.Dir(s.path)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	take := atomicfile.FolderLock
	if s.d.id == Hermes {
		take = atomicfile.WholeLock
	}
	release, err = take(ctx, s.path+".lock", atomicfile.Waiting{Now: s.now, Pause: s.pause})
	if errors.Is(err, atomicfile.ErrHeld) {
		return nil, &memory.Problem{
			Code: "locked",
			What: fmt.Sprintf(
				"%s holds the lock of %s and did not give it back in 6.5 seconds. Nothing was changed.",
				s.d.name,
				filepath.Base(s.path),
			),
			Hint: "try again in a moment; a lock that a crash left counts as abandoned after 10 seconds",
		}
	}
	return release, err
}
