package systemtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// runWriter runs the tests for a system that can change its stores.
func (cfg Config) runWriter(t *testing.T) {
	if _, ok := cfg.openAt(t, filepath.Join(t.TempDir(), "store")).(writer); !ok {
		t.Skip(notFor + "this system does not write")
	}
	cfg.runAll(t, "Writer/", writeTests())
}

// writer is implemented by stores that can be changed.
type writer interface {
	system.Store
	system.Composer
	system.Writer
}

// writableStore is a store that a test writes to.
type writableStore struct {
	writer
	t    *testing.T
	cfg  Config
	root string // the folder with everything that belongs to the store
	path string // the store
}

// writable returns a copy of the folder to write to.
func (cfg Config) writable(t *testing.T, folder fs.FS) *writableStore {
	t.Helper()
	_, root := cfg.open(t, folder)
	return cfg.deskAt(t, root, filepath.Join(root, filepath.FromSlash(cfg.Store)))
}

func (cfg Config) deskAt(t *testing.T, root, path string) *writableStore {
	t.Helper()
	return &writableStore{writer: cfg.openAt(t, path).(writer), t: t, cfg: cfg, root: root, path: path}
}

// other returns the same store as another process would open it.
func (d *writableStore) other() *writableStore { return d.cfg.deskAt(d.t, d.root, d.path) }

func (d *writableStore) records() []memory.Record {
	d.t.Helper()
	return list(d.t, d)
}

// find returns the record with an id, or nil.
func (d *writableStore) find(id memory.ID) *memory.Record {
	d.t.Helper()
	var found *memory.Record
	err := d.List(d.t.Context(), func(r memory.Record) error {
		if r.ID == id {
			found = &r
		}
		return nil
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return found
}

// edited returns the record that an edit made, or nil. If ids depend on content, the record has a
// new one.
func (d *writableStore) edited(edit memory.Change) *memory.Record {
	d.t.Helper()
	if now := d.find(edit.ID); now != nil && now.Raw == edit.After {
		return now
	}
	return d.find(d.Decode(edit.After).ID)
}

// changeable returns the records that can be changed.
func (d *writableStore) changeable() []memory.Record {
	d.t.Helper()
	all := slices.DeleteFunc(d.records(), func(r memory.Record) bool { return r.Fixed != "" || r.RawCut() })
	if len(all) < 2 {
		d.t.Fatalf("%d records can be changed, want at least 2", len(all))
	}
	return all
}

// file returns the file that a record is in.
func (d *writableStore) file(r memory.Record) string {
	if r.File != "" {
		return r.File
	}
	return d.path
}

// contents returns the contents of the files below the root; for a database, its records.
func (d *writableStore) contents() map[string]string {
	d.t.Helper()
	all := map[string]string{}
	if d.cfg.Shape == Database {
		for _, r := range d.records() {
			all[string(r.ID)] = r.Raw
		}
		return all
	}
	err := filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return all
}

// fileContent returns the content of a store that is one file.
func (d *writableStore) fileContent() string {
	d.t.Helper()
	if d.cfg.Shape != File {
		d.t.Skip(notFor + "the stores of this system are not single files of text")
	}
	text, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// put writes text to a file.
func (d *writableStore) put(path, text string) {
	d.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *writableStore) deletion(r memory.Record) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw, Line: r.Line}
}

func (d *writableStore) edit(r memory.Record, text string) memory.Change {
	d.t.Helper()
	after, err := d.Compose(r.Raw, d.cfg.edited(text))
	if err != nil {
		d.t.Fatal(err)
	}
	return memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after, Line: r.Line}
}

func (d *writableStore) addition(text string) memory.Change {
	d.t.Helper()
	if d.cfg.New != nil {
		c, err := d.cfg.New(d.writer, text)
		if err != nil {
			d.t.Fatal(err)
		}
		return c
	}
	body, outcome := "Added by hand.", string(memory.Succeeded)
	e := memory.Edit{Title: &text, Body: &body, Outcome: &outcome}
	if d.cfg.Add != nil {
		e = d.cfg.Add(text)
	}
	after, err := d.Compose("", e)
	if err != nil {
		d.t.Fatal(err)
	}
	r := d.Decode(after)
	return memory.Change{Do: memory.Adding, ID: r.ID, Record: r, After: after}
}

// hasText reports whether a record has text in the field that a person edits.
func (d *writableStore) hasText(r *memory.Record, text string) bool {
	if d.cfg.Field == memory.InBody {
		return r != nil && strings.Contains(r.Body, text)
	}
	return r != nil && r.Title == text
}

// mustWrite makes the changes, and fails the test if that fails.
func (d *writableStore) mustWrite(changes ...memory.Change) system.Written {
	d.t.Helper()
	written, err := d.Write(d.t.Context(), system.Write{Changes: changes})
	if err != nil {
		d.t.Fatal(err)
	}
	if len(written.Fates) != len(changes) {
		d.t.Fatalf("%d fates of %d changes", len(written.Fates), len(changes))
	}
	return written
}

// inverse returns the changes that undo those that were made.
func inverse(made []memory.Change) []memory.Change {
	var back []memory.Change
	for _, c := range made {
		c.Before, c.After = c.After, c.Before
		switch c.Do {
		case memory.Deleting:
			c.Do = memory.Adding
		case memory.Adding:
			c.Do = memory.Deleting
		}
		back = append(back, c)
	}
	return back
}

// unchanged returns a check that nothing below the root has changed since.
func (d *writableStore) unchanged() func() {
	d.t.Helper()
	before := tree(d.t, d.root)
	return func() {
		d.t.Helper()
		if after := tree(d.t, d.root); strings.Join(before, "\n") != strings.Join(after, "\n") {
			d.t.Errorf("the folder changed:\n%s\n\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}

// noLitter fails if there are files that were not there before.
func (d *writableStore) noLitter(before map[string]string) {
	d.t.Helper()
	after := d.contents()
	for path := range after {
		if _, ok := before[path]; !ok {
			d.t.Errorf("%s was left behind", path)
		}
	}
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// cancelled returns a context that is done.
func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
