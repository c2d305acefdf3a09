package instructions

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/system"
)

// Store is a store of whole text files, except for its recall. A system embeds it and supplies
// Gather, which finds the files.
type Store struct {
	Files
	Product string // "Codex"
	Env     system.Env
	Place   memory.Place
	Now     func() time.Time
	// Looks reports whether the product looks for a file at that path in the folder, written with
	// slashes. It is nil if the product looks for any file.
	Looks func(name string) bool
	// NewID implements [system.Info.NewID].
	NewID func(records []memory.Record, stored string, e memory.Edit) (memory.ID, error)
	// Gather finds the files. It looks at no more than most folder entries in its search for deeply
	// nested ones. The Store reads each file whose File has no path yet.
	Gather func(ctx context.Context, most int) (Contents, error)
	// Memories reports whether a record is a memory that the agent wrote, and no instruction of people. It is
	// nil if none is.
	Memories func(r *memory.Record) bool
	Empty    memory.Problem // shown for a store without files
	// Watch are more paths to watch, as in [system.Watched], besides the files.
	Watch []string

	mu    sync.Mutex // guards the fields below
	paths []string   // of the files in the last snapshot
}

// Contents is what a store holds.
type Contents struct {
	Items []Item
	// Gap says which folders were not searched, as in [found]; empty if all were.
	Gap    string
	Start  memory.Size
	Usage  []memory.Usage
	Scopes []memory.Scope
	// Running are the processes of the agent.
	Running []memory.Running
	Facts   []memory.Fact
	Health  []memory.Health
}

const (
	// MostFile is the number of bytes read of a file.
	MostFile = 512 << 10
	// MostEntries is the number of entries that are searched below a folder.
	MostEntries = 200_000
	briefWalk   = 300 // entries searched for a summary
)

// noun is what the records are called.
func (s *Store) noun() memory.Noun { return memory.Noun{One: "file", Many: "files"} }

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	return system.Info{
		System: s.Place.System,
		Name:   s.Product,
		Place:  s.Place,
		Noun:   s.noun(),
		Prose:  true,
		NewID:  s.newID,

		Instruction: func(r *memory.Record) bool { return s.Memories == nil || !s.Memories(r) },
	}
}

// newID implements [system.Info.NewID]. Only a file that the product looks for can be added.
func (s *Store) newID(records []memory.Record, stored string, e memory.Edit) (memory.ID, error) {
	id, err := s.NewID(records, stored, e)
	if err == nil && s.Looks != nil && !s.Looks(string(id)) {
		return "", &memory.Problem{
			Code: "not-read",
			What: "No session is given a file of this name here.",
			Hint: "call it " + cmp.Or(strings.Join(s.Names, " or "), s.Example),
		}
	}
	return id, err
}

// start returns the folder in which the sessions that get the store's files start, or "" if that
// can be any folder.
func (s *Store) start() string {
	if s.Place.Project == s.Place.Path {
		return s.Dir
	}
	return s.Place.Project
}

// StartOf returns the folder in which the task's session starts, with links resolved, or "" if the
// store holds in every folder.
func (s *Store) StartOf(t memory.Task) string {
	start := s.start()
	switch {
	case t.Folder == "":
		return start
	case filepath.IsAbs(t.Folder):
		return filestore.Real(filepath.Clean(t.Folder))
	}
	return filestore.Real(filepath.Join(cmp.Or(start, s.Env.Dir), t.Folder))
}

// outside says why a file outside the store's folder is not changed from here. It returns "" for a
// file inside, and for one that the person named.
func (s *Store) outside(path string) string {
	outside := !filestore.Within(s.Dir, path) && !s.isNamed(path)
	return system.Say(outside, "It lies outside of "+s.Dir+system.IfMeant(s.Place.System, path))
}

// List implements [system.Store].
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// WatchPaths implements [system.Watched].
func (s *Store) WatchPaths() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append(append([]string{s.Dir + string(os.PathSeparator)}, s.Watch...), s.paths...)
}

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	snap, c, err := s.readContents(ctx, MostEntries)
	if err != nil || snap.Problem != nil {
		return snap, err
	}
	var paths []string
	for i := range c.Items {
		snap.Records = append(snap.Records, s.record(&c.Items[i], i+1))
		paths = append(paths, c.Items[i].Path)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.paths = paths
	return snap, nil
}

// Summary implements [system.Summarizer]. In a large project that was not listed yet, it counts
// only the files near the root.
func (s *Store) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap, c, err := s.readContents(ctx, briefWalk)
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.Gap != "" && len(s.paths) > snap.Total {
		snap.Total, snap.Problem = len(s.paths), nil
	}
	return snap, err
}

// readContents returns a snapshot without records, and the contents from which the records are made.
func (s *Store) readContents(ctx context.Context, most int) (memory.Snapshot, Contents, error) {
	snap := memory.Snapshot{Place: s.Place, TakenAt: s.Now(), Noun: s.noun(), Problem: s.missing()}
	snap.Place.Exists = snap.Problem == nil
	if err := s.CanWrite(); err != nil && snap.Problem == nil {
		snap.ReadOnly = err.Error()
	}
	if err := ctx.Err(); err != nil || snap.Problem != nil {
		return snap, Contents{}, err
	}
	c, err := s.Gather(ctx, most)
	s.addImported(&c)
	for i := range c.Items {
		it := &c.Items[i]
		if it.File.Path == "" {
			it.File = filestore.Read(it.Path, MostFile)
		}
		snap.Size += it.File.Size
		// a file above says nothing of when the store was written
		if filestore.Within(s.Dir, it.Path) && it.File.ModTime.After(snap.ModTime) {
			snap.ModTime = it.File.ModTime
		}
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return memory.Snapshot{}, Contents{}, err
	}
	if info, err := os.Stat(s.Dir); err == nil {
		snap.Mode = info.Mode()
	}
	snap.Total, snap.Start, snap.Usage, snap.Facts = len(c.Items), c.Start, c.Usage, system.Facts(c.Facts...)
	snap.Scopes, snap.Running = c.Scopes, c.Running
	if c.Gap != "" {
		snap.Unread = []string{"files in " + c.Gap}
	}
	gone := s.gone()
	if gone != "" {
		snap.Start = memory.Size{}
	}
	c.Health = append(
		c.Health,
		system.When(
			gone != "",
			"project-gone",
			memory.Warn,
			1,
			gone,
			"delete what is left of it, or move it to where the project is now",
		),
	)
	snap.Health = system.Report("", append(c.Health, s.report(&c)...)...)
	if snap.Total == 0 {
		snap.Problem = &s.Empty
	}
	return snap, c, nil
}

// gone says that the folder of the project does not exist, of which the store keeps something elsewhere.
// It returns "" if the folder exists, or if there is none.
func (s *Store) gone() string {
	project := s.Place.Project
	if project == "" || project == s.Place.Path {
		return ""
	}
	if _, err := os.Stat(project); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return project + " no longer exists, so no session reads what is kept for it."
}

// addImported adds the files in the store's folder that are imported by others and not listed
// themselves.
func (s *Store) addImported(c *Contents) {
	for _, it := range c.Items {
		for _, path := range it.Imports {
			if filestore.Within(s.Dir, path) && !c.Has(path) {
				c.Items = append(c.Items, Item{
					Path:  path,
					Kind:  "imported",
					Goes:  it.Goes,
					Facts: []memory.Fact{{Name: "imported by", Text: string(s.ID(it.Path))}},
				})
			}
		}
	}
}

// Has reports whether a file is among the items.
func (c *Contents) Has(path string) bool {
	return slices.ContainsFunc(c.Items, func(it Item) bool { return it.Path == path })
}

// Lines returns the positions, counted from 1, of the items that of accepts.
func (c *Contents) Lines(of func(it *Item) bool) (lines []int) {
	for i := range c.Items {
		if of(&c.Items[i]) {
			lines = append(lines, i+1)
		}
	}
	return lines
}

// report says which files cannot be read, and that some folders were not searched, unless the
// contents already say so in their own words.
func (s *Store) report(c *Contents) []memory.Health {
	unread := c.Lines(func(it *Item) bool { return it.File.Problem != nil })
	lines := []memory.Health{
		system.OnLines(
			unread,
			"unreadable",
			memory.Note,
			"Some files cannot be read.",
			"look at the records for the cause",
		),
		system.When(
			c.Gap != "",
			"many-folders",
			memory.Note,
			1,
			"This folder is too large to be searched whole. Not searched: "+c.Gap+".",
			"open the folder in which they lie",
		),
	}
	return slices.DeleteFunc(lines, func(line memory.Health) bool {
		return slices.ContainsFunc(c.Health, func(h memory.Health) bool { return h.Code == line.Code })
	})
}

// Here returns the record ID of a file in the store's folder, and "" for a file elsewhere.
func (s *Store) Here(path string) memory.ID {
	if !filestore.Within(s.Dir, path) {
		return ""
	}
	return s.ID(path)
}

// Hit adds to a recall a file that is given at every start.
func (s *Store) Hit(r *memory.Recall, path, kind, text string) {
	rec, rank := s.Decode(text), len(r.Hits)+1
	r.Hits = append(r.Hits, memory.Hit{
		ID: s.ID(path), Line: rank, Rank: rank, Recalled: true, Kind: kind, Scope: s.Scope, Why: "at every start",
		Title: cmp.Or(rec.Title, string(s.ID(path))), Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets,
	})
	r.Found, r.Limit = rank, rank
}

// Once returns a function that reads each file once, at most most bytes of it.
func Once(most int64) func(path string) filestore.File {
	known := map[string]filestore.File{}
	return func(path string) filestore.File {
		f, ok := known[path]
		if !ok {
			f = filestore.Read(path, most)
			known[path] = f
		}
		return f
	}
}
