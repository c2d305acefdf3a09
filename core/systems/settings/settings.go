// Package settings makes a store of a settings file of an agent, so that what setup changes in it is
// a plan with undo like any other. No search finds it: it is opened by its name alone.
package settings

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/atomicfile"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/setup"
	"winnow/core/system"
)

// ID is the name of the system.
const ID memory.SystemID = "settings"

const (
	name = "Settings"
	// record is the one record of a store: Winnow's entries in the file. Its tools are the names
	// of the entries, its body is the program that they start.
	record memory.ID = "winnow"
	// mostBytes is how much of a settings file is read.
	mostBytes = 1 << 20
)

// System returns the system of settings files.
func System(func() time.Time) system.System {
	return system.System{
		ID: ID, Name: name, Hidden: true,
		Find: func(context.Context, system.Env) memory.Survey { return memory.Survey{} },
		Open: func(path string) (system.Store, error) { return open(path) },
	}
}

// Store is one settings file.
type Store struct {
	system.Whole
	path   string
	format setup.Format
}

var (
	_ system.Store       = (*Store)(nil)
	_ system.Snapshotter = (*Store)(nil)
	_ system.Composer    = (*Store)(nil)
	_ system.Writer      = (*Store)(nil)
)

func open(path string) (*Store, error) {
	format, ok := setup.For(path)
	if !ok {
		return nil, &memory.Problem{Code: "settings", What: "Winnow knows no agent with a settings file of this name.", Hint: "winnow setup names the files"}
	}
	return &Store{path: path, format: format}, nil
}

func noun() memory.Noun { return memory.Noun{One: "settings file", Many: "settings files"} }

// Info implements [system.Store].
func (s *Store) Info() system.Info {
	place := memory.Place{Store: memory.At(ID, s.path), System: ID, Path: s.path, Name: s.format.Name}
	return system.Info{System: ID, Name: name, Place: place, Noun: noun()}
}

// List implements [system.Store].
func (s *Store) List(ctx context.Context, fn func(memory.Record) error) error {
	return system.ListSnapshot(ctx, s, fn)
}

// Snapshot implements [system.Snapshotter].
func (s *Store) Snapshot(ctx context.Context, _ func(memory.Snapshot)) (memory.Snapshot, error) {
	f := filestore.Read(s.path, mostBytes)
	snap := memory.Snapshot{Place: s.Info().Place, Size: f.Size, ModTime: f.ModTime, Mode: f.Mode}
	switch {
	case f.Missing():
		return snap, ctx.Err()
	case f.Problem != nil:
		snap.Problem = f.Problem
		return snap, ctx.Err()
	case f.Cut:
		snap.Problem = &memory.Problem{Code: "too-large", What: fmt.Sprintf("The file has more than %d MiB.", mostBytes>>20), Hint: "no agent's settings are that large; look what fills it"}
		return snap, ctx.Err()
	}
	snap.Place.Exists, snap.Total = true, 1
	r := s.Decode(f.Text)
	r.File = s.path
	snap.Records = []memory.Record{r}
	return snap, ctx.Err()
}

// Decode implements [system.Composer].
func (s *Store) Decode(stored string) memory.Record {
	r := memory.Record{ID: record, Title: s.format.Name, Raw: stored}
	entries, err := s.format.Entries(stored)
	if err != nil {
		r.Problem = s.invalid(err)
	}
	r.Tools, r.Body = setup.Names(entries)
	annotate.Mark(&r)
	return r
}

// invalid says why a text cannot be changed.
func (s *Store) invalid(err error) *memory.Problem {
	return &memory.Problem{
		Code: "invalid", What: fmt.Sprintf("%s cannot be changed: %s.", s.path, strings.TrimSuffix(err.Error(), ".")),
		Hint: "correct the file first, or put the lines that setup prints for an empty file into it by hand",
	}
}

// Compose implements [system.Composer]: the tools are the entries that the file is to have, the body
// is the program that they start.
func (s *Store) Compose(stored string, e memory.Edit) (string, error) {
	if system.Sets(e, "outcome", "count", "kind", "scope", "name") != "" || e.Title != nil || e.Raw != nil {
		return "", &memory.Problem{Code: "field", What: "Only Winnow's entries in a settings file are changed here.", Hint: "use winnow setup, or edit the file itself"}
	}
	entries, err := s.format.Entries(stored)
	if err != nil {
		return "", s.invalid(err)
	}
	names, program := setup.Names(entries)
	if e.Tools != nil {
		names = *e.Tools
	}
	if e.Body != nil {
		program = *e.Body
	}
	text, err := s.format.Set(stored, names, cmp.Or(program, "winnow"))
	if err != nil {
		return "", s.invalid(err)
	}
	return text, nil
}

// Form implements [system.Composer]: an editor is for the file itself.
func (s *Store) Form(string) string { return "" }

// ParseForm implements [system.Composer].
func (s *Store) ParseForm(string, string) (memory.Edit, error) {
	_, err := s.Compose("", memory.Edit{Raw: new(string)})
	return memory.Edit{}, err
}

// Unite implements [system.Composer].
func (s *Store) Unite(stored []string, e memory.Edit) (string, error) { return s.Compose(stored[0], e) }

// Redact implements [system.Composer]: an agent needs the secrets in its settings.
func (s *Store) Redact(stored string, _ memory.Redaction) (string, int) { return stored, 0 }

// Reconcile implements [system.Composer]: only our entries count, whatever else others changed in
// the file.
func (s *Store) Reconcile(made memory.Forms, theirs string) (string, system.Relation) {
	merged, relation := system.ReconcileWhole(made, theirs)
	if relation != system.Diverged {
		return merged, relation
	}
	entries := func(text string) (names []string, program string) {
		list, _ := s.format.Entries(text)
		return setup.Names(list)
	}
	names, program := entries(made.Mine())
	now, _ := entries(theirs)
	if slices.Equal(names, now) {
		return theirs, system.Kept
	}
	known := names
	for _, earlier := range made.Earlier() {
		old, _ := entries(earlier)
		known = append(known, old...)
	}
	if !slices.ContainsFunc(now, func(name string) bool { return !slices.Contains(known, name) }) {
		relation = system.Reverted
	}
	text, err := s.format.Set(theirs, names, program)
	if err != nil || text == "" {
		return theirs, system.Diverged
	}
	return text, relation
}

// CanWrite implements [system.Writer].
func (s *Store) CanWrite() error { return atomicfile.CanReplace(atomicfile.OS(), s.path) }

func (s *Store) writer() filestore.Writer {
	return filestore.Writer{
		Disk: atomicfile.OS(), Path: func(memory.ID, *memory.Change) (string, error) { return s.path, nil },
		Decode: func(_ memory.ID, stored string) memory.Record { return s.Decode(stored) },
		Reconcile: func(_ memory.ID, made memory.Forms, theirs string) (string, system.Relation) {
			return s.Reconcile(made, theirs)
		},
	}
}

// Write implements [system.Writer].
func (s *Store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *Store) Recover(ctx context.Context, staged system.Staged) (bool, error) {
	return s.writer().Recover(ctx, staged)
}
