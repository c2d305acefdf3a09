package systemtest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// crash is what a crash can leave: the store, and the temporary file beside it.
type crash struct {
	store, temp string
	none        bool // there is no temporary file
	begun       bool // it is incomplete
	applied     bool // expected: the change is in the store
	theirs      bool // expected: so is what another writer added
}

// testRecover settles each state that an interrupted write can leave.
func (cfg Config) testRecover(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	from, gone := d.fileContent(), d.changeable()[0]
	mine := d.addition("Mine")
	staged := d.mustWrite(d.deletion(gone), mine).Staged
	to := d.fileContent()
	theirs := d.addition("Theirs")
	d.other().mustWrite(theirs)
	later := d.fileContent()
	d.put(d.path, from)
	d.other().mustWrite(theirs)
	foreign := d.fileContent()

	for name, c := range map[string]crash{
		"before the temporary file":         {store: from, none: true},
		"while it is written":               {store: from, temp: to[:len(to)/2], begun: true},
		"before the exchange":               {store: from, temp: to},
		"after the exchange":                {store: to, temp: from, applied: true},
		"after an exchange with others":     {store: to, temp: foreign, applied: true, theirs: true},
		"after the exchange, others on top": {store: later, temp: from, applied: true, theirs: true},
		"before the exchange, others saved": {store: foreign, temp: to, theirs: true},
		"after all of it":                   {store: to, none: true, applied: true},
	} {
		t.Run(name, func(t *testing.T) {
			d := cfg.writable(t, cfg.Good)
			d.leaveAsCrashed(c, staged.Temp)
			var applied bool
			var err error
			d.asOwner(func() { applied, err = d.Recover(t.Context(), staged) })
			if err != nil || applied != c.applied {
				t.Fatalf("Recover = %v, %v; want %v", applied, err, c.applied)
			}
			if _, err := os.Lstat(filepath.Join(filepath.Dir(d.path), staged.Temp)); err == nil {
				t.Error("the temporary file is left")
			}
			for _, want := range []struct {
				id    memory.ID
				there bool
			}{{gone.ID, !c.applied}, {mine.ID, c.applied}, {theirs.ID, c.theirs}} {
				if got := d.find(want.id); (got != nil) != want.there {
					t.Errorf("%s is there: %v, want %v", want.id, got != nil, want.there)
				}
			}
			if !c.theirs && d.fileContent() != c.store {
				t.Error("the store was changed")
			}
		})
	}
}

// leaveAsCrashed sets up the folder as a crash leaves it.
func (d *writableStore) leaveAsCrashed(c crash, temp string) {
	d.t.Helper()
	d.put(d.path, c.store)
	if c.none {
		return
	}
	path := filepath.Join(filepath.Dir(d.path), temp)
	d.put(path, c.temp)
	if !c.begun {
		return
	}
	if err := os.Chmod(path, 0); err != nil {
		d.t.Fatal(err)
	}
}

// testRecoverTells recovers a write that was given up, one that was completed and, if records are
// files, one that was half completed.
func (cfg Config) testRecoverTells(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	all := d.changeable()
	changes := []memory.Change{d.edit(all[0], "Mine"), d.deletion(all[1])}
	var staged system.Staged
	stop := errors.New("stop")
	was, check := d.contents(), d.unchanged()
	_, err := d.Write(
		t.Context(),
		system.Write{Changes: changes, Stage: func(s system.Staged) error { staged = s; return stop }},
	)
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if applied, err := d.other().Recover(t.Context(), staged); applied || err != nil {
		t.Errorf("Recover of what was given up = %v, %v", applied, err)
	}
	if cfg.Shape == Database {
		check = func() {} // its bytes may differ
	}
	check()
	staged = d.mustWrite(changes...).Staged
	then := d.contents()
	if applied, err := d.other().Recover(t.Context(), staged); !applied || err != nil {
		t.Errorf("Recover of what was made = %v, %v", applied, err)
	}
	if _, wrong := difference(then, d.contents()); wrong != "" {
		t.Error("recovered, the store is another:", wrong)
	}
	if file := d.file(all[0]); cfg.Shape == Folder && file != d.file(all[1]) {
		d.put(file, was[file])
		if applied, err := d.other().Recover(t.Context(), staged); !applied || err != nil {
			t.Errorf("Recover of what was made by half = %v, %v", applied, err)
		}
		if _, wrong := difference(then, d.contents()); wrong != "" {
			t.Error("what was made by half is not finished:", wrong)
		}
	}
}

// testRecoveryStaysInItsFolder passes names to Recover that no Write has made.
func (cfg Config) testRecoveryStaysInItsFolder(t *testing.T) {
	if cfg.Shape == Database {
		t.Skip(notFor + "a database has no temporary file")
	}
	d := cfg.writable(t, cfg.Good)
	r := d.changeable()[0]
	file := d.file(r)
	outside := filepath.Join(filepath.Dir(filepath.Dir(file)), "outside")
	text := d.contents()[file]
	d.put(outside, text)
	staged := d.mustWrite(d.deletion(r)).Staged
	check := d.unchanged()
	for _, temp := range []string{
		"../outside",
		"..",
		".",
		"",
		outside,
		filepath.Base(file),
		"./" + filepath.Base(file),
	} {
		for _, to := range []string{digest(d.contents()[file]), staged.Splices.To, staged.Splices.From} {
			s := system.Staged{
				Temp:    temp,
				Splices: memory.Splices{From: staged.Splices.From, To: to},
				Changes: staged.Changes,
			}
			if _, err := d.Recover(t.Context(), s); err == nil && temp != "" {
				t.Errorf("Recover of %q = nil, want an error", temp)
			}
			check()
		}
	}
}
