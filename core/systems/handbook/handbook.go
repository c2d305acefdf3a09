// Package handbook reads and changes the folders of memories that the agent of The Agent Platform
// Handbook keeps. Each fact is one file with a header of three lines, and an index is derived from
// the files. Only Write and Recover write, through package filestore.
package handbook

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/git"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

const name = "Handbook"

// System returns the system of the Handbook's agent. Nothing in it depends on the time.
func System(func() time.Time) system.System {
	return system.System{
		ID: id, Name: name, Find: find, StoresIn: storesIn, Reads: reads,
		Open:  func(path string) (system.Store, error) { return open(path), nil },
		Forms: Forms(),
		Abilities: []system.Ability{{
			Store: "memory", Recall: system.Exact, Edit: "all but the name", Delete: "all", Watch: true,
			Note: "The index is made anew with every change; the agent itself cannot delete.",
		}},
	}
}

// store is one folder of memories.
type store struct {
	system.Whole
	path string
	disk atomicfile.Disk
}

var (
	_ system.Store       = (*store)(nil)
	_ system.Snapshotter = (*store)(nil)
	_ system.Summarizer  = (*store)(nil)
	_ system.Recaller    = (*store)(nil)
	_ system.Watched     = (*store)(nil)
	_ system.Composer    = (*store)(nil)
	_ system.Writer      = (*store)(nil)
)

// open returns the store in the folder at an absolute path. It reads nothing yet, and the folder
// need not exist.
func open(path string) *store { return &store{path: path, disk: atomicfile.OS()} }

func noun() memory.Noun { return memory.Noun{One: "memory", Many: "memories"} }

// Info implements [system.Store].
func (s *store) Info() system.Info {
	return system.Info{
		System:     id,
		Name:       name,
		Place:      placeOf(s.path),
		Noun:       noun(),
		Similar:    compare.Similar,
		Companions: s.companions,
	}
}

// WatchPaths implements [system.Watched]: the folder.
func (s *store) WatchPaths() []string { return []string{s.path + string(filepath.Separator)} }

// List implements [system.Store].
func (s *store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// Snapshot implements [system.Snapshotter].
func (s *store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	d, snap, err := s.summary(ctx)
	if err != nil || snap.Problem != nil {
		return snap, err
	}
	for i := range d.files {
		snap.Records = append(snap.Records, d.record(i))
	}
	return snap, ctx.Err()
}

// Summary implements [system.Summarizer].
func (s *store) Summary(ctx context.Context) (memory.Snapshot, error) {
	_, snap, err := s.summary(ctx)
	return snap, err
}

// summary reads the folder, and returns its snapshot without records.
func (s *store) summary(ctx context.Context) (*dir, memory.Snapshot, error) {
	snap := memory.Snapshot{Place: s.Info().Place, Noun: noun()}
	d, p := s.read(ctx)
	if err := ctx.Err(); err != nil {
		return nil, memory.Snapshot{}, err
	}
	if p != nil {
		snap.Problem = p
		return d, snap, nil
	}
	snap.Place.Exists = true
	snap.Total = len(d.files)
	snap.Size, snap.Mode, snap.ModTime = d.size, d.info.Mode(), d.last
	text, _ := section(d.notes())
	if d.stop() == nil {
		snap.Start = annotate.SizeOf(text)
	}
	snap.Facts = d.facts()
	snap.Health = d.health()
	return d, snap, nil
}

// CanWrite implements [system.Writer].
func (s *store) CanWrite() error { return filestore.CanWrite(s.disk, s.path) }

// Confine implements [system.Confined].
func (s *store) Confine(may func(path string) error) { s.disk = atomicfile.Confined(s.disk, may) }

// id is the name of the system.
const id memory.SystemID = "handbook"

// The block in which memories are pinned, and the one in which a search returns a memory. Nothing
// in them is escaped.
const (
	blockName = "memory"
	blockEnd  = "</memory>"
)

// Forms returns the forms of its files. A folder can have any name, so the beginning of a file
// decides.
func Forms() []system.Form {
	return []system.Form{
		{System: id, Name: "memory", Named: system.Named("*.md"), Looks: looksLikeMemory, Both: true, Land: land},
		{System: id, Name: "memory index", Named: system.Named("MEMORY.md"), Looks: looksLikeIndex, Both: true,
			Land: system.Framed("memory index", "", "", blockEnd)},
	}
}

func looksLikeIndex(head []byte) bool {
	const begin = "# Memory index\n\nNotes this agent chose to remember"
	return strings.HasPrefix(string(head), begin)
}

// looksLikeMemory reports whether a file begins with a header that has a name, a description and
// one of the three types.
func looksLikeMemory(head []byte) bool {
	n, ok := parse(string(head))
	return ok && n.typed
}

// land renders what a prompt gets of a memory: its line in the block that begins every run, and the
// block that a search for it returns.
func land(r *memory.Record) memory.Landed {
	l := memory.Landed{Name: blockName, Ends: []string{blockEnd}, Prose: true}
	m := note{body: r.Body, kind: fact}
	if f, ok := frame(r.Body); ok {
		m = f.note()
	}
	var out strings.Builder
	put := func(field, text string) {
		start := out.Len()
		out.WriteString(text)
		l.Parts = append(l.Parts, memory.LandedPart{Field: field, Start: start, End: out.Len()})
	}
	out.WriteString("<memory>\n- ")
	put("name", m.name)
	out.WriteString(" (" + m.kind + "): ")
	put("description", m.description)
	out.WriteString("\n</memory>\n\n<memory path=\"memory/memory.md\" score=\"1.00\">\n")
	put("body", m.body)
	out.WriteString("\n</memory>")
	l.Text = out.String()
	return l
}

// dirVariable names the folder of memories.
const dirVariable = "MEMORY_DIR"

// defaultDir is the folder of memories, relative to the working folder.
const defaultDir = "memory"

// Limits of the check whether a folder holds memories.
const (
	mostEntries = 2000
	mostHeads   = 8
	headBytes   = 4 << 10
)

// find looks in the places where an agent started in the working folder keeps its memories.
func find(ctx context.Context, env system.Env) (survey memory.Survey) {
	if dir := env.Path(dirVariable); dir == "" {
		survey.Look(dirVariable, 0, "not set")
	} else {
		addFolder(&survey, filepath.Clean(dir), dirVariable, true)
	}
	for _, d := range git.WithRoot(env.Dir) {
		if ctx.Err() == nil && d != "" {
			addFolder(&survey, filepath.Join(d, defaultDir), "the default "+defaultDir, false)
		}
	}
	return survey
}

// addFolder adds the folder at path if it is a folder of memories. It is personal if the environment names it.
func addFolder(survey *memory.Survey, path, why string, personal bool) {
	entries, _, p := filestore.Names(path, mostEntries)
	place := placeOf(path)
	switch {
	case slices.ContainsFunc(survey.Places, func(o memory.Place) bool { return o.Store == place.Store }):
	case p != nil && p.Code == quietread.CodeMissing:
		survey.Look(path, 0, "does not exist")
	case p != nil:
		survey.Look(path, 0, p.What)
	case !isHandbook(path, entries):
		survey.Look(path, 0, "holds no memories of the Handbook")
	default:
		place.Why, place.Exists, place.Personal = why, true, personal
		survey.Found(place)
		survey.Look(path, 1, "")
	}
}

// placeOf returns the place of the store in a folder.
func placeOf(path string) memory.Place {
	p := memory.Place{Store: memory.StoreID(path), System: id, Path: path, Name: "memory"}
	if filepath.Base(path) == defaultDir {
		p.Project = filepath.Dir(path)
	}
	return p
}

// storesIn returns the folder itself if it is a store.
func storesIn(dir string, entries []fs.DirEntry) []memory.Place {
	if !isHandbook(dir, entries) {
		return nil
	}
	return []memory.Place{placeOf(dir)}
}

// reads reports whether path is a folder of memories.
func reads(path string) (memory.Place, bool) {
	entries, _, p := filestore.Names(path, mostEntries)
	if p != nil || !isHandbook(path, entries) {
		return memory.Place{}, false
	}
	return placeOf(path), true
}

// isHandbook reports whether the folder belongs to the Handbook's agent: its index begins as only the
// Handbook's does, or one of its first files has the Handbook's header. Other agents keep folders
// of the same name with other headers.
func isHandbook(dir string, entries []fs.DirEntry) bool {
	byName := func(e fs.DirEntry, name string) int { return strings.Compare(e.Name(), name) }
	if _, found := slices.BinarySearchFunc(entries, indexName, byName); found {
		if looksLikeIndex(readHead(dir, indexName)) {
			return true
		}
	}
	looked := 0
	for _, e := range entries {
		if !e.Type().IsRegular() || !isMemory(e.Name()) {
			continue
		}
		if looksLikeMemory(readHead(dir, e.Name())) {
			return true
		}
		if looked++; looked == mostHeads {
			return false
		}
	}
	return false
}

// readHead returns the beginning of a file, or nothing if it cannot be read.
func readHead(dir, name string) []byte {
	return []byte(filestore.Read(filepath.Join(dir, name), headBytes).Text)
}
