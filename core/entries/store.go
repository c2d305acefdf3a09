package entries

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/jsonl"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// Kind holds the differences between systems with such stores. A function that a system does not need is nil.
type Kind struct {
	// Info is completed by the store.
	Info system.Info
	// Place returns the place of the store at a path.
	Place   func(path, why string) memory.Place
	Entries *Form
	// Words are the system's own words for problems with the file, by problem code.
	Words map[string]memory.Problem
	// Complete completes the records of a file with what depends on the others.
	Complete func(records []memory.Record)
	// Health says what there is to say about a file and its records.
	Health func(f *filestore.File, records []memory.Record) []memory.Health
	// Start returns the text that every session is given.
	Start func(records []memory.Record) string
	// Edited returns an entry with the fields of an edit set, and a new one for an empty stored.
	Edited func(stored string, e memory.Edit) (string, error)
	// MostRead is the number of bytes read of a file; 0 means 16 MiB. Words may have own ones for a larger file, by the
	// code "cut".
	MostRead int64
	// Refuse returns why the product would not make a write that turns the file was into now.
	Refuse func(was, now string, w *system.Write) *memory.Problem
	// Lock takes the product's own lock, as [filestore.OneFile.Lock] says.
	Lock func(ctx context.Context) (release func(), err error)
}

const defaultMostRead = 16 << 20

// mostEntries limits the records of a file. More are in none that an agent wrote; each is kept in memory.
const mostEntries = 100_000

// Store is one file of entries. Only Write and Recover write, through package filestore.
type Store struct {
	system.Whole
	Kind
	Path string
	Now  func() time.Time
	Disk atomicfile.Disk

	target atomicfile.Target // the file that Path led to at first

	mu   sync.Mutex // guards base
	base []string   // the entries as last seen
}

// NewStore returns the store of a kind at an absolute path. Nothing is read yet, and the file need not exist.
func NewStore(k Kind, path string, now func() time.Time) *Store {
	k.MostRead = cmp.Or(k.MostRead, defaultMostRead)
	return &Store{Kind: k, Path: path, Now: now, Disk: atomicfile.OS()}
}

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	info := s.Kind.Info
	info.Place = s.Place(s.Path, "")
	return info
}

// WatchPaths implements [system.Watched].
func (s *Store) WatchPaths() []string { return []string{s.Path} }

// List implements [system.Store].
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// Read reads the file at path as one of the store.
func (s *Store) Read(path string) filestore.File {
	f := filestore.Read(path, s.MostRead)
	f.Problem = quietread.Reworded(f.Problem, s.Words)
	return f
}

// Records returns the file and its records. Without the file there is none, and the file has a problem.
func (s *Store) Records() (filestore.File, []memory.Record) {
	f := s.Read(s.Path)
	if f.Problem != nil {
		return f, nil
	}
	return f, s.RecordsOf(&f)
}

// RecordsOf returns the records of the file as it was read.
func (s *Store) RecordsOf(f *filestore.File) []memory.Record {
	n, more := s.Entries.splitMost(f.Text, mostEntries)
	s.remember(n)
	met := map[memory.ID]int{}
	records := make([]memory.Record, len(n.Spans))
	for i := range records {
		r := s.Entries.Record(n.Raw(i), i+1)
		met[r.ID]++
		r.ID = Numbered(r.ID, met[r.ID])
		records[i] = r
	}
	if last := len(records) - 1; last >= 0 {
		r := &records[last]
		switch {
		case more:
			r.RawLen = int(f.Size) - n.Spans[last].Start
			r.Problem = &memory.Problem{
				Code: "too-many", What: "Only the first 100,000 entries of the file are read.",
				Hint: "look at the file with another program",
			}
		case f.Cut:
			r.RawLen = len(r.Raw) + int(f.Size-s.MostRead)
			r.Problem = quietread.Reworded(&memory.Problem{
				Code: "cut", What: fmt.Sprintf("Only the first %d MiB of the file are read.", s.MostRead>>20),
				Hint: "look at the file with another program",
			}, s.Words)
		}
	}
	if s.Complete != nil {
		s.Complete(records)
	}
	return records
}

// Lines returns the lines of the records that of accepts.
func Lines(records []memory.Record, of func(r *memory.Record) bool) (lines []int) {
	for i := range records {
		if of(&records[i]) {
			lines = append(lines, records[i].Line)
		}
	}
	return lines
}

// Hits adds to a recall the records that every session is given.
func Hits(r *memory.Recall, records []memory.Record) {
	for i := range records {
		rec := &records[i]
		if rec.Flags&memory.FlagUnseen != 0 {
			continue
		}
		rank := len(r.Hits) + 1
		r.Hits = append(r.Hits, memory.Hit{
			ID: rec.ID, Line: rec.Line, Rank: rank, Recalled: true, Why: "at every start",
			Title: rec.Title, Body: rec.Body, Flags: rec.Flags, Secrets: rec.Secrets,
		})
		r.Found, r.Limit = rank, rank
	}
}

// remember keeps the entries as they are now, so that a later change can tell what another writer did since.
func (s *Store) remember(n File) {
	base := n.Raws()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.base = base
}

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	f, records := s.Records()
	snap := memory.Snapshot{
		Place: s.Info().Place, TakenAt: s.Now(), Noun: s.Kind.Info.Noun, Problem: f.Problem, Total: len(records),
		Records: records, Size: f.Size, Mode: f.Mode, ModTime: f.ModTime,
	}
	snap.Damaged = len(Lines(records, func(r *memory.Record) bool { return r.Flags&memory.FlagDamaged != 0 }))
	snap.Place.Exists = f.Problem == nil || f.Problem.Code != quietread.CodeMissing
	if f.Problem != nil {
		return snap, ctx.Err()
	}
	if s.Start != nil {
		snap.Start = annotate.SizeOf(s.Start(records))
	}
	var lines []memory.Health
	if s.Health != nil {
		lines = s.Health(&f, records)
	}
	snap.Health = system.Report("nothing is wrong with this file", lines...)
	if empty, known := s.Words["empty"]; known && snap.Total == 0 {
		snap.Problem = &empty
	}
	return snap, ctx.Err()
}

// Summary implements [system.Summarizer].
func (s *Store) Summary(ctx context.Context) (memory.Snapshot, error) {
	snap, err := s.Snapshot(ctx, nil)
	snap.Records = nil
	return snap, err
}

// Decode implements [system.Composer].
func (s *Store) Decode(stored string) memory.Record { return s.Entries.Record(stored, 1) }

// Compose implements [system.Composer]. What would be read as another number of entries is refused.
func (s *Store) Compose(stored string, e memory.Edit) (string, error) {
	text, err := s.composed(stored, e)
	if err != nil || text == stored {
		return text, err
	}
	if s.Entries.Trim(text) == "" {
		return "", &memory.Problem{Code: "empty-entry", What: "An entry cannot be empty.", Hint: "delete it instead"}
	}
	if n := s.Entries.Split(text); len(n.Spans) != 1 || n.Raw(0) != text {
		return "", &memory.Problem{
			Code: "delimiter", What: s.Entries.Inseparable, Hint: "leave that out, or add two entries",
		}
	}
	return text, nil
}

func (s *Store) composed(stored string, e memory.Edit) (string, error) {
	if e.Raw != nil {
		return s.Entries.Trim(*e.Raw), nil
	}
	return s.Edited(stored, e)
}

// Form implements [system.Composer]. The form is the text of the record.
func (s *Store) Form(stored string) string {
	if stored == "" {
		return ""
	}
	return s.Decode(stored).Body + "\n"
}

// ParseForm implements [system.Composer].
func (s *Store) ParseForm(stored, form string) (memory.Edit, error) {
	text := strings.TrimSuffix(strings.ReplaceAll(form, "\r\n", "\n"), "\n")
	if form == s.Form(stored) || stored != "" && text == s.Decode(stored).Body {
		return memory.Edit{}, nil
	}
	e := memory.Edit{Body: &text}
	_, err := s.Compose(stored, e)
	return e, err
}

// Redact implements [system.Composer].
func (s *Store) Redact(stored string, redaction memory.Redaction) (string, int) {
	return annotate.Redact(stored, redaction)
}

// Writer returns the writer of the file. It holds the product's lock only while the file is replaced. What a product
// without one saves at the same moment is found by exchanging the files, and merged.
func (s *Store) Writer() filestore.OneFile {
	s.mu.Lock()
	known := slices.Clone(s.base)
	s.mu.Unlock()
	return filestore.OneFile{
		Disk: s.Disk, Path: s.Path, Target: &s.target,
		Readable: func() error { return filestore.Readable(s.Path, s.Words) },
		Rewrite: func(now string, w *system.Write) (jsonl.Made, error) {
			made, p := s.Entries.Rewrite(now, w.Changes, known)
			if p == nil && made.Text != now && s.Refuse != nil {
				p = s.Refuse(now, made.Text, w)
			}
			if p != nil {
				return made, p
			}
			return made, nil
		},
		Adopt: s.Entries.Adopt, Lock: s.Lock,
		Done: func(text string) { s.remember(s.Entries.Split(text)) },
	}
}

// Confine implements [system.Confined].
func (s *Store) Confine(may func(path string) error) { s.Disk = atomicfile.Confined(s.Disk, may) }

// CanWrite implements [system.Writer].
func (s *Store) CanWrite() error { return s.Writer().CanWrite() }

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.Writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (bool, error) {
	return s.Writer().Recover(ctx, staged)
}
