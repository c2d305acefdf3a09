package systemtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// cutAt reports whether after is before with one occurrence of raw, and the line end that goes with
// it, removed.
func (cfg Config) cutAt(before, after, raw string) bool {
	for i := range before {
		if !strings.HasPrefix(before[i:], raw) {
			continue
		}
		end := i + len(raw)
		n := len(cfg.Between)
		for _, ends := range [][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {2, 0}, {n, 0}, {0, n}} {
			from, to := i-ends[0], end+ends[1]
			if from >= 0 && to <= len(before) && after == before[:from]+before[to:] {
				return true
			}
		}
	}
	return false
}

// setAt reports whether after is before with one occurrence of raw replaced.
func setAt(before, after, raw, by string) bool {
	for i := range before {
		if strings.HasPrefix(before[i:], raw) && after == before[:i]+by+before[i+len(raw):] {
			return true
		}
	}
	return false
}

// changed returns the content of the one file that changed, before and after. A missing file has no
// content.
func (d *writableStore) changed(was map[string]string) (before, after string) {
	d.t.Helper()
	d.noLitter(was)
	n := 0
	now := d.contents()
	for path, text := range was {
		if now[path] != text {
			before, after, n = text, now[path], n+1
		}
	}
	if n != 1 {
		d.t.Fatalf("%d files changed, want 1", n)
	}
	return before, after
}

func rawsOf(records []memory.Record) []string {
	var all []string
	for _, r := range records {
		all = append(all, r.Raw)
	}
	return all
}

// some returns the first, the middle and the last record, and all where everything is tried.
func some(all []memory.Record) []memory.Record {
	if last := len(all) - 1; last > 2 && !isLong() {
		return []memory.Record{all[0], all[last/2], all[last]}
	}
	return all
}

// isLong reports whether everything is tried.
func isLong() bool { return os.Getenv("WINNOW_LONG") != "" }

func (cfg Config) testChangeTouchesOnlyItsRecord(t *testing.T) {
	for _, folder := range cfg.folders() {
		for _, r := range some(cfg.writable(t, folder).changeable()) {
			d := cfg.writable(t, folder)
			r = *d.find(r.ID) // its position in this copy
			was, all := d.contents(), rawsOf(d.records())
			i := slices.IndexFunc(d.records(), func(o memory.Record) bool { return o.ID == r.ID })
			d.mustWrite(d.deletion(r))
			if before, after := d.changed(was); !cfg.cutAt(before, after, r.Raw) {
				t.Errorf("deleting %s changed more:\n%q\n%q", r.ID, before, after)
			}
			if want := slices.Delete(slices.Clone(all), i, i+1); !slices.Equal(rawsOf(d.records()), want) {
				t.Errorf("deleting %s took another record", r.ID)
			}
			if r.Problem != nil {
				continue
			}
			d = cfg.writable(t, folder)
			r = *d.find(r.ID)
			was = d.contents()
			edit := d.edit(r, "Another title")
			d.mustWrite(edit)
			if before, after := d.changed(was); !setAt(before, after, r.Raw, edit.After) {
				t.Errorf("editing %s changed more:\n%q\n%q", r.ID, before, after)
			}
			if now := d.edited(edit); !d.hasText(now, "Another title") {
				t.Errorf("%s was edited, and is %+v", r.ID, now)
			}
		}
	}
}

func (cfg Config) testStaleChangeIsRefused(t *testing.T) {
	for _, do := range []memory.ChangeKind{memory.Editing, memory.Deleting} {
		d := cfg.writable(t, cfg.Good)
		r := d.changeable()[0]
		stale := d.deletion(r)
		if do == memory.Editing {
			stale = d.edit(r, "Mine")
		}
		theirs := d.edit(r, "Theirs")
		d.other().mustWrite(theirs)
		check := d.unchanged()
		written, err := d.Write(t.Context(), system.Write{Changes: []memory.Change{stale}, Stage: neverStaged(t)})
		if !errors.Is(err, memory.ErrConflict) {
			t.Errorf("%v of what another changed = %v, want %v", do, err, memory.ErrConflict)
		}
		if f := written.Fates; len(f) != 1 || f[0].Fate != memory.Refused || f[0].Theirs != theirs.After ||
			!d.hasText(&f[0].TheirRecord, "Theirs") {
			t.Errorf("%v: fates %+v, want one that is refused and shows theirs", do, f)
		}
		check()
	}
}

func neverStaged(t *testing.T) func(system.Staged) error {
	return func(s system.Staged) error {
		t.Errorf("a replacement was staged: %+v", s)
		return nil
	}
}

func (cfg Config) testEditKeepsTheirs(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	r := d.changeable()[0]
	edit := d.edit(r, "Mine")
	count := r.Count.N + 7
	after, err := d.Compose(r.Raw, memory.Edit{Count: &count})
	if err != nil {
		t.Fatal(err)
	}
	theirs := d.edit(r, "Mine")
	theirs.After = after
	d.other().mustWrite(theirs)
	written := d.mustWrite(edit)
	if fate := written.Fates[0].Fate; fate != memory.Merged {
		t.Errorf("fate = %v, want %v", fate, memory.Merged)
	}
	if made := written.Staged.Changes; len(made) != 1 || made[0].Before != theirs.After ||
		made[0].Edited.Count.N != count {
		t.Errorf("made is %+v, want theirs before and both after", made)
	}
	if got := d.find(r.ID); !d.hasText(got, "Mine") || got.Count.N != count {
		t.Errorf("record is %+v, want my title and their count", got)
	}
}

func (cfg Config) testAllOrNothing(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	all := d.changeable()
	stale := d.edit(all[0], "Mine")
	d.other().mustWrite(d.edit(all[0], "Theirs"))
	check := d.unchanged()
	written, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{d.deletion(all[1]), stale, d.addition("One more")}, Stage: neverStaged(t),
	})
	if !errors.Is(err, memory.ErrConflict) || len(written.Fates) != 3 || written.Fates[1].Fate != memory.Refused {
		t.Errorf("Write = %+v, %v; want %v and the second change refused", written.Fates, err, memory.ErrConflict)
	}
	check()
}

func (cfg Config) testDoneWritesNothing(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	all := d.changeable()
	changes := []memory.Change{d.deletion(all[0]), d.edit(all[1], "Another title"), d.addition("One more")}
	d.mustWrite(changes...)
	check := d.unchanged()
	written, err := d.Write(t.Context(), system.Write{Changes: changes, Stage: neverStaged(t)})
	if err != nil || written.Temp != "" || len(written.Staged.Changes) > 0 || len(written.Fates) != len(changes) {
		t.Errorf("the second time = %+v, %v; want fates and nothing staged", written, err)
	}
	check()
}

func (cfg Config) testMissingStoreIsCreated(t *testing.T) {
	root := t.TempDir()
	d := cfg.deskAt(t, root, filepath.Join(root, filepath.Base(filepath.FromSlash(cfg.Store))))
	if err := d.CanWrite(); err != nil {
		t.Errorf("CanWrite = %v, want nil", err)
	}
	add := d.addition("The first")
	d.mustWrite(add)
	if r := d.find(add.ID); !d.hasText(r, "The first") {
		t.Errorf("the store holds %+v, want what was added", r)
	}
}

// undo undoes what was written, by its bytes if they are still the same.
func (d *writableStore) undo(w system.Written) system.Written {
	d.t.Helper()
	back := system.Write{Changes: inverse(w.Staged.Changes), Exact: &w.Splices}
	undone, err := d.Write(d.t.Context(), back)
	if err != nil {
		d.t.Fatal(err)
	}
	return undone
}

func (cfg Config) testExactUndo(t *testing.T) {
	for _, folder := range cfg.folders() {
		d := cfg.writable(t, folder)
		all := d.changeable()
		last := len(all) - 1
		for name, changes := range map[string]func() []memory.Change{
			"first":  func() []memory.Change { return []memory.Change{d.deletion(all[0])} },
			"last":   func() []memory.Change { return []memory.Change{d.deletion(all[last])} },
			"both":   func() []memory.Change { return []memory.Change{d.deletion(all[0]), d.deletion(all[last])} },
			"edit":   func() []memory.Change { return []memory.Change{d.edit(firstDecoded(all), "Another title")} },
			"add":    func() []memory.Change { return []memory.Change{d.addition("One more")} },
			"mixed":  func() []memory.Change { return d.mixed(all) },
			"middle": func() []memory.Change { return []memory.Change{d.deletion(all[last/2])} },
		} {
			was, modes := d.contents(), d.modes()
			written := d.mustWrite(changes()...)
			then := d.contents()
			undone := d.undo(written)
			if _, wrong := difference(was, d.contents()); wrong != "" {
				t.Errorf("%s: undone is not as it was: %s", name, wrong)
			}
			if _, wrong := difference(modes, d.modes()); wrong != "" {
				t.Errorf("%s: undone has not the modes that were: %s", name, wrong)
			}
			redone := d.undo(undone)
			if _, wrong := difference(then, d.contents()); wrong != "" {
				t.Errorf("%s: redone is not as it was: %s", name, wrong)
			}
			d.undo(redone)
		}
	}
}

// firstDecoded returns the first record that can be decoded.
func firstDecoded(all []memory.Record) memory.Record {
	return all[slices.IndexFunc(all, func(r memory.Record) bool { return r.Problem == nil })]
}

// mixed returns an edit, a deletion and an addition.
func (d *writableStore) mixed(all []memory.Record) []memory.Change {
	d.t.Helper()
	edited := firstDecoded(all)
	i := slices.IndexFunc(all, func(r memory.Record) bool { return r.ID != edited.ID })
	return []memory.Change{d.edit(edited, "Another title"), d.deletion(all[i]), d.addition("One more")}
}

// modes returns the modes of the files below the root.
func (d *writableStore) modes() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || d.cfg.Shape == Database {
			return err
		}
		info, err := e.Info()
		if err == nil {
			all[path] = info.Mode().String()
		}
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// difference says how two contents differ.
func difference(a, b map[string]string) (path, how string) {
	for path := range b {
		if _, ok := a[path]; !ok {
			return path, path + " is new"
		}
	}
	for path, text := range a {
		if b[path] != text {
			return path, path + " holds\n" + b[path] + "\nand not\n" + text
		}
	}
	return "", ""
}

func (cfg Config) testUndoMerges(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	all, count := d.changeable(), len(d.records())
	written := d.mustWrite(d.deletion(all[0]), d.edit(all[1], "Another title"))
	theirs := d.addition("Theirs")
	d.other().mustWrite(theirs)
	d.undo(written)
	now := d.records()
	if len(now) != count+1 {
		t.Errorf("%d records, want %d and theirs", len(now), count)
	}
	for _, r := range all[:2] {
		if got := d.find(r.ID); got == nil || got.Raw != r.Raw {
			t.Errorf("%s is %+v, want it as it was", r.ID, got)
		}
	}
	if got := d.find(theirs.ID); got == nil || got.Raw != theirs.After {
		t.Errorf("theirs is %+v, want it as they wrote it", got)
	}
}

func (cfg Config) testDamagedRecordsStay(t *testing.T) {
	if cfg.Damaged == nil {
		t.Skip(notFor + "no store with damaged records is given")
	}
	d := cfg.writable(t, cfg.Damaged)
	damaged := func() (all []string) {
		for _, r := range d.records() {
			if r.Problem != nil {
				all = append(all, r.Raw)
			}
		}
		return all
	}
	before := damaged()
	d.mustWrite(d.deletion(firstDecoded(d.changeable())), d.addition("One more"))
	if after := damaged(); !slices.Equal(before, after) {
		t.Errorf("damaged records were %q and are %q", before, after)
	}
}

func (cfg Config) testModeIsKept(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	r := d.changeable()[0]
	if err := os.Chmod(d.file(r), 0o640); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(d.file(r))
	if err != nil {
		t.Fatal(err)
	}
	changes := []memory.Change{d.edit(r, "Another title")}
	if d.cfg.Shape == File {
		changes = append(changes, d.deletion(d.changeable()[1]))
	}
	d.mustWrite(changes...)
	if after, err := os.Stat(d.file(r)); err != nil || after.Mode() != before.Mode() {
		t.Errorf("mode = %v, %v; want %v", after.Mode(), err, before.Mode())
	}
}

func (cfg Config) testLinkIsKept(t *testing.T) {
	target := cfg.writable(t, cfg.Good)
	root := t.TempDir()
	link := filepath.Join(root, "link")
	if cfg.Shape == Folder {
		// Where a part of the path of a store is a link, the store is all the same.
		link = filepath.Join(root, filepath.Base(target.path))
	}
	if err := os.Symlink(target.path, link); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	d := cfg.deskAt(t, root, link)
	was := target.contents()
	r := target.changeable()[0]
	d.mustWrite(d.deletion(r))
	if to, err := os.Readlink(link); to != target.path {
		t.Errorf("the link leads to %q, %v; want %s", to, err, target.path)
	}
	if before, after := target.changed(was); !cfg.cutAt(before, after, r.Raw) {
		t.Errorf("the target held\n%s\nand holds\n%s", before, after)
	}
	if all, err := os.ReadDir(root); len(all) != 1 {
		t.Errorf("beside the link are %v, %v; want the link alone", all, err)
	}
}

func (cfg Config) testMissingLastLineEnd(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	text := strings.TrimRight(d.fileContent(), "\r\n")
	d.put(d.path, text)
	all := d.records()
	d.mustWrite(d.deletion(all[0]), d.edit(all[len(all)-1], "Another title"))
	if now := d.fileContent(); strings.TrimRight(now, "\r\n") != now {
		t.Error("the last line was given an end")
	}
	if len(d.records()) != len(all)-1 {
		t.Errorf("%d records, want %d", len(d.records()), len(all)-1)
	}
}
