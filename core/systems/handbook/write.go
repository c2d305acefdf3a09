package handbook

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/system"
)

// fileMode is the mode of a new file: like the agent's own, readable by everyone.
const fileMode = 0o644

// writer returns the writer of the folder's files. The agent has no lock. What it saves at the same
// instant is found because the files are exchanged.
func (s *store) writer() filestore.Writer {
	return filestore.Writer{
		Disk: s.disk, Path: s.pathOf,
		Decode: recordOf, Reconcile: reconcile, Mode: fileMode,
	}
}

// Write implements [system.Writer].
func (s *store) Write(ctx context.Context, w system.Write) (system.Written, error) {
	return s.writer().Write(ctx, w)
}

// Recover implements [system.Writer].
func (s *store) Recover(ctx context.Context, staged system.Staged) (bool, error) {
	return s.writer().Recover(ctx, staged)
}

// pathOf returns the file of a record.
func (s *store) pathOf(id memory.ID, ch *memory.Change) (string, error) {
	file := nameOf(id)
	bad := id == "" || file != filepath.Base(file) || strings.ContainsAny(file, "/\\\x00")
	if bad || ch.Do == memory.Adding && ch.Position == nil && id != indexID && slug(string(id)) != string(id) {
		return "", &memory.Problem{
			Code: "name", What: strconv.Quote(string(id)) + " is not a name for a memory.",
			Hint: "take small letters, digits and dashes",
		}
	}
	return filepath.Join(s.path, file), nil
}

// Reconcile implements [system.Composer]. A form that existed before is a revert. Otherwise it
// compares the fields of a memory, and the lines of an index.
func (s *store) Reconcile(made memory.Forms, theirs string) (string, system.Relation) {
	if merged, settled := system.ReconcileWhole(made, theirs); settled != system.Diverged {
		return merged, settled
	}
	var id memory.ID
	if looksLikeIndex([]byte(made.Mine())) {
		id = indexID
	}
	return reconcile(id, made, theirs)
}

// reconcile merges an edit with what the agent made of the file meanwhile: a memory field by field,
// an index line by line.
func reconcile(id memory.ID, made memory.Forms, theirs string) (string, system.Relation) {
	if len(made) == 0 {
		return theirs, system.Diverged
	}
	before, mine := made[len(made)-1].Before, made.Mine()
	if id == indexID {
		return mergeIndex(made, theirs)
	}
	old, a := frame(before)
	my, b := frame(mine)
	their, c := frame(theirs)
	if !a || !b || !c {
		return theirs, system.Diverged
	}
	o, m, t := old.note(), my.note(), their.note()
	if m.name != o.name {
		return theirs, system.Diverged
	}
	var e memory.Edit
	for _, f := range [...]struct {
		old, my, their string
		to             **string
	}{
		{o.description, m.description, t.description, &e.Title},
		{o.kind, m.kind, t.kind, &e.Kind},
		{o.body, m.body, t.body, &e.Body},
	} {
		switch {
		case f.my == f.old || f.my == f.their:
		case f.their != f.old:
			return theirs, system.Diverged
		default:
			*f.to = &f.my
		}
	}
	merged, err := their.set(e)
	if err != nil {
		return theirs, system.Diverged
	}
	if merged == theirs {
		return theirs, system.Kept
	}
	return merged, system.Reverted
}

// companions implements [system.Info.Companions]. Every change also rebuilds the index.
func (s *store) companions(records []memory.Record, changes []memory.Change) ([]memory.Change, []string) {
	byFile := map[string]note{}
	put := func(id memory.ID, stored string) {
		delete(byFile, nameOf(id))
		if n, ok := parse(jstext.Decode([]byte(stored))); ok {
			byFile[nameOf(id)] = n
		}
	}
	var old *memory.Record
	for i := range records {
		if r := &records[i]; r.ID == indexID {
			old = r
		} else {
			put(r.ID, r.Raw)
		}
	}
	changed := slices.DeleteFunc(slices.Clone(changes), func(ch memory.Change) bool { return ch.Do > memory.Adding })
	for _, ch := range changed {
		put(ch.ID, ch.After) // a deletion has no form
	}
	if len(changed) == 0 || old != nil && (old.Problem != nil || old.RawCut()) {
		return nil, nil
	}
	notes := make([]note, 0, len(byFile))
	for _, file := range slices.SortedFunc(maps.Keys(byFile), jstext.Compare) {
		notes = append(notes, byFile[file])
	}
	after := recordOf(indexID, index(notes))
	if old != nil && old.Raw == after.Raw {
		return nil, nil
	}
	made := system.Companion(old, after, "the index is made anew")
	return []memory.Change{made}, []string{"The index (MEMORY.md) is made anew with it."}
}
