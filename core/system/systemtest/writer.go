package systemtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// runWriter runs the tests of a system that can change its stores.
func (cfg Config) runWriter(t *testing.T) {
	if _, ok := cfg.at(t, filepath.Join(t.TempDir(), "store")).(writer); !ok {
		t.Skip("this system does not write")
	}
	t.Run("ChangeTouchesOnlyItsRecord", cfg.testChangeTouchesOnlyItsRecord)
	t.Run("StaleChangeIsRefused", cfg.testStaleChangeIsRefused)
	t.Run("EditKeepsWhatOthersChanged", cfg.testEditKeepsTheirs)
	t.Run("RefusedChangeTakesTheOthersWithIt", cfg.testAllOrNothing)
	t.Run("ChangeThatIsDoneWritesNothing", cfg.testDoneWritesNothing)
	t.Run("MissingStoreIsCreatedByAnAddition", cfg.testMissingStoreIsCreated)
	t.Run("ExactUndoRestoresTheBytes", cfg.testExactUndo)
	t.Run("UndoKeepsWhatOthersWrote", cfg.testUndoMerges)
	t.Run("DamagedRecordsStay", cfg.testDamagedRecordsStay)
	t.Run("ModeIsKept", cfg.testModeIsKept)
	t.Run("LinkIsKept", cfg.testLinkIsKept)
	t.Run("MissingLastLineEndIsKept", cfg.testMissingLastLineEnd)
	t.Run("FormsComeBack", cfg.testFormsComeBack)
	t.Run("ComposedIsDecoded", cfg.testComposedIsDecoded)
	t.Run("WhatCannotBeWrittenHasItsSentence", cfg.testCannotWrite)
	t.Run("VanishedFolderHasItsSentence", cfg.testVanishedFolder)
	t.Run("ForeignStoreHasItsSentence", cfg.testForeignStore)
	t.Run("StageComesBeforeTheChange", cfg.testStageComesBefore)
	t.Run("FailedStageChangesNothing", cfg.testFailedStage)
	t.Run("CancelBeforeStageChangesNothing", cfg.testCancelledWrite)
	t.Run("LinkThatComesBetweenIsNotFollowed", cfg.testLinkThatComesBetween)
	t.Run("InterruptedWriteIsSettled", cfg.testRecover)
	t.Run("RecoveryStaysInItsFolder", cfg.testRecoveryStaysInItsFolder)
}

// writer is what a system implements whose stores can be changed.
type writer interface {
	system.System
	system.Composer
	system.Writer
}

// desk is a store that a test writes to.
type desk struct {
	writer
	t    *testing.T
	cfg  Config
	root string // folder of everything that the store consists of
	path string // the store
}

// desk returns a copy of the folder to write to.
func (cfg Config) desk(t *testing.T, folder fs.FS) *desk {
	t.Helper()
	_, root := cfg.open(t, folder)
	return cfg.deskAt(t, root, filepath.Join(root, filepath.FromSlash(cfg.Store)))
}

func (cfg Config) deskAt(t *testing.T, root, path string) *desk {
	t.Helper()
	return &desk{writer: cfg.at(t, path).(writer), t: t, cfg: cfg, root: root, path: path}
}

// other returns the same store as another process has it.
func (d *desk) other() *desk { return d.cfg.deskAt(d.t, d.root, d.path) }

func (d *desk) records() []memory.Record {
	d.t.Helper()
	return list(d.t, d)
}

// find returns the record with an id, or nil.
func (d *desk) find(id memory.ID) *memory.Record {
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

// contents returns the files below the root with what they hold.
func (d *desk) contents() map[string]string {
	d.t.Helper()
	all := map[string]string{}
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

// one returns the bytes of a store that is one file.
func (d *desk) one() string {
	d.t.Helper()
	info, err := os.Stat(d.path)
	if err == nil && !info.Mode().IsRegular() {
		d.t.Skip("the stores of this system are not single files")
	}
	text, err := os.ReadFile(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// put makes the store, which is one file, hold text.
func (d *desk) put(path, text string) {
	d.t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) deletion(r memory.Record) memory.Change {
	return memory.Change{Do: memory.Deleting, ID: r.ID, Record: r, Before: r.Raw, Line: r.Line}
}

func (d *desk) edit(r memory.Record, title string) memory.Change {
	d.t.Helper()
	after, err := d.Compose(r.Raw, memory.Edit{Title: &title})
	if err != nil {
		d.t.Fatal(err)
	}
	return memory.Change{Do: memory.Editing, ID: r.ID, Record: r, Before: r.Raw, After: after, Line: r.Line}
}

func (d *desk) addition(title string) memory.Change {
	d.t.Helper()
	body, outcome := "Added by hand.", string(memory.Succeeded)
	after, err := d.Compose("", memory.Edit{Title: &title, Body: &body, Outcome: &outcome})
	if err != nil {
		d.t.Fatal(err)
	}
	r := d.Decode(after)
	return memory.Change{Do: memory.Adding, ID: r.ID, Record: r, After: after}
}

// make makes the changes and fails the test when that fails.
func (d *desk) make(changes ...memory.Change) system.Written {
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

// inverse returns the changes that take back those that were made.
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

// unchanged returns a check that nothing below the root is other than now.
func (d *desk) unchanged() func() {
	d.t.Helper()
	before := tree(d.t, d.root)
	return func() {
		d.t.Helper()
		if after := tree(d.t, d.root); strings.Join(before, "\n") != strings.Join(after, "\n") {
			d.t.Errorf("the folder changed:\n%s\n\n%s", strings.Join(before, "\n"), strings.Join(after, "\n"))
		}
	}
}

// noLitter fails when there are other files than those of before.
func (d *desk) noLitter(before map[string]string) {
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
