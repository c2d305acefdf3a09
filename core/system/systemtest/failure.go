package systemtest

import (
	"context"
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

// checkHint fails unless err says what is wrong and what to do.
func checkHint(t *testing.T, what string, err error) {
	t.Helper()
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code == "" || p.What == "" || p.Hint == "" {
		t.Errorf("%s = %v (%T), want a problem with code, sentence and hint", what, err, err)
	}
}

// refuses fails unless the store says that it cannot be written, refuses the change and stays
// unchanged.
func (d *writableStore) refuses(c memory.Change) {
	d.t.Helper()
	checkHint(d.t, "CanWrite", d.CanWrite())
	d.refusesIt(c)
}

// refusesIt fails unless the store refuses the change and stays unchanged.
func (d *writableStore) refusesIt(c memory.Change) {
	d.t.Helper()
	check := d.unchanged()
	_, err := d.Write(d.t.Context(), system.Write{Changes: []memory.Change{c}})
	checkHint(d.t, "Write", err)
	check()
}

func (cfg Config) testCannotWrite(t *testing.T) {
	for name, arrange := range map[string]func(d *writableStore) error{
		"folder": func(d *writableStore) error { return os.Mkdir(d.path, 0o755) },
		"full folder": func(d *writableStore) error {
			return errors.Join(os.Mkdir(d.path, 0o755), os.WriteFile(filepath.Join(d.path, "other"), nil, 0o600))
		},
		"pipe":            func(d *writableStore) error { return makePipe(d.path) },
		"link to itself":  func(d *writableStore) error { return os.Symlink(filepath.Base(d.path), d.path) },
		"link to a place": func(d *writableStore) error { return os.Symlink(d.root, d.path) },
		"file":            func(d *writableStore) error { return os.WriteFile(d.path, []byte("text"), 0o600) },
	} {
		fits := name != "file"
		if cfg.Shape == Folder {
			fits = name == "pipe" || name == "link to itself" || name == "file"
		}
		if !fits || cfg.Shape == Database && name == "link to a place" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			d := cfg.writable(t, cfg.Good)
			deletion := d.deletion(d.changeable()[0])
			add := d.addition("One more")
			if err := os.RemoveAll(d.path); err != nil {
				t.Fatal(err)
			}
			if err := arrange(d); err != nil {
				t.Skip("this cannot be made here:", err)
			}
			d.refuses(deletion)
			d.refuses(add)
		})
	}
	if cfg.Shape == Folder {
		t.Run("record", cfg.testCannotWriteRecord)
	}
}

// testCannotWriteRecord replaces the file of one record with something else.
func (cfg Config) testCannotWriteRecord(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"folder":         func(path string) error { return os.Mkdir(path, 0o755) },
		"pipe":           makePipe,
		"link to itself": func(path string) error { return os.Symlink(filepath.Base(path), path) },
	} {
		t.Run(name, func(t *testing.T) {
			d := cfg.writable(t, cfg.Good)
			all := d.changeable()
			changes := []memory.Change{d.deletion(all[1]), d.edit(all[0], "Mine")}
			if err := os.Remove(d.file(all[0])); err != nil {
				t.Fatal(err)
			}
			if err := make(d.file(all[0])); err != nil {
				t.Skip("this cannot be made here:", err)
			}
			check := d.unchanged()
			_, err := d.Write(t.Context(), system.Write{Changes: changes, Stage: neverStaged(t)})
			checkHint(t, "Write", err)
			check()
		})
	}
}

func (cfg Config) testVanishedFolder(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	deletion, add := d.deletion(d.changeable()[0]), d.addition("One more")
	dir := filepath.Dir(d.path)
	if cfg.Shape == Folder {
		dir = d.path
	}
	_, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{deletion},
		Stage:   func(system.Staged) error { return os.RemoveAll(dir) },
	})
	checkHint(t, "Write", err)
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder was made again")
	}
	if dir != d.root && cfg.Shape == File {
		d.refuses(add)
	}
}

// shareAll lets every user read everything below the root.
func (d *writableStore) shareAll() {
	d.t.Helper()
	err := filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Type()&fs.ModeSymlink != 0 {
			return err
		}
		if e.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
	if err := errors.Join(err, os.Chmod(filepath.Dir(d.root), 0o755)); err != nil {
		d.t.Fatal(err)
	}
}

// share lets every user read the store, and sets the mode of the folder that holds a record's file.
func (d *writableStore) share(r memory.Record, folder os.FileMode) {
	d.t.Helper()
	d.shareAll()
	dir := filepath.Dir(d.file(r))
	if err := os.Chmod(dir, folder); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = os.Chmod(dir, 0o755) }) // so that it can be removed
}

// testForeignStore checks what the user is told about a store that belongs to somebody else, or is
// in a folder without write permission.
func (cfg Config) testForeignStore(t *testing.T) {
	for name, folder := range map[string]os.FileMode{"closed folder": 0o555, "open folder": 0o777} {
		t.Run(name, func(t *testing.T) {
			d := cfg.writable(t, cfg.Good)
			r := d.changeable()[0]
			deletion := d.deletion(r)
			d.share(r, folder)
			if folder == 0o777 && os.Getuid() != 0 {
				t.Skip("only root has a store that is not a test's own")
			}
			refuses := d.refuses
			if folder == 0o777 && cfg.Shape == Folder {
				refuses = d.refusesIt // files can be created there, but this one cannot be changed
			}
			asStranger(t, func() { refuses(deletion) })
		})
	}
}

func (cfg Config) testStageComesBefore(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	was, all := d.contents(), d.changeable()
	stages := 0
	written, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{d.deletion(all[0]), d.addition("One more")},
		Stage: func(s system.Staged) error {
			stages++
			if _, wrong := difference(was, d.contents()); wrong != "" {
				t.Errorf("when it is staged, %s", wrong)
			}
			deletes := func(c memory.Change) bool {
				return c.Do == memory.Deleting && c.ID == all[0].ID && c.Before == all[0].Raw
			}
			if s.Temp == "" || s.Temp != filepath.Base(s.Temp) || len(s.Changes) != 2 ||
				!slices.ContainsFunc(s.Changes, deletes) {
				t.Errorf("staged is %+v", s)
			}
			return nil
		},
	})
	if err != nil || stages != 1 {
		t.Fatalf("Write = %v after %d stages, want 1", err, stages)
	}
	if cfg.Shape != File {
		if len(written.Splices.Parts) > 0 || written.Temp == "" {
			t.Errorf("written is %+v, want a name and no parts of a file", written.Staged)
		}
		return
	}
	d.checkSplices(was[d.path], written)
}

// checkSplices checks that what was written makes the file of what it was before.
func (d *writableStore) checkSplices(before string, written system.Written) {
	t, after := d.t, d.fileContent()
	if written.Splices.From != digest(before) || written.Splices.To != digest(after) {
		t.Errorf("digests are %s and %s, want those of before and after", written.Splices.From, written.Splices.To)
	}
	if got := spliced(before, written.Splices.Parts); got != after {
		t.Errorf("the parts make\n%s\nand the store holds\n%s", got, after)
	}
}

// spliced returns text with the parts replaced.
func spliced(text string, parts []memory.Splice) string {
	out, at := "", 0
	for _, p := range parts {
		out += text[at:p.At] + p.New
		at = int(p.At) + len(p.Old)
	}
	return out + text[at:]
}

func (cfg Config) testFailedStage(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	change := d.deletion(d.changeable()[0])
	check := d.unchanged()
	stop := errors.New("stop")
	_, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{change},
		Stage:   func(system.Staged) error { return stop },
	})
	if !errors.Is(err, stop) {
		t.Errorf("Write = %v, want %v", err, stop)
	}
	check()
}

func (cfg Config) testCancelledWrite(t *testing.T) {
	d := cfg.writable(t, cfg.Good)
	change := d.deletion(d.changeable()[0])
	check := d.unchanged()
	_, err := d.Write(cancelled(t), system.Write{Changes: []memory.Change{change}, Stage: neverStaged(t)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Write = %v, want %v", err, context.Canceled)
	}
	check()

	was := d.contents()
	ctx, cancel := context.WithCancel(t.Context())
	_, err = d.Write(ctx, system.Write{
		Changes: []memory.Change{change},
		Stage:   func(system.Staged) error { cancel(); return nil },
	})
	if _, changed := difference(was, d.contents()); (changed == "") != (err != nil) {
		t.Errorf("cancelled while it was staged: %v, and %q", err, changed)
	}
	d.noLitter(was)
}

func (cfg Config) testLinkThatComesBetween(t *testing.T) {
	if cfg.Shape == Database {
		t.Skip(notFor + "a database that is open is no path any more")
	}
	d := cfg.writable(t, cfg.Good)
	outside := filepath.Join(t.TempDir(), "outside")
	r := d.changeable()[0]
	file := d.file(r)
	text := d.contents()[file]
	d.put(outside, text)
	change := d.edit(r, "Mine")
	aside := filepath.Join(t.TempDir(), "aside")
	was := d.contents()
	_, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{change},
		Stage: func(system.Staged) error {
			return errors.Join(os.Rename(file, aside), os.Symlink(outside, file))
		},
	})
	checkHint(t, "Write", err)
	if now, err := os.ReadFile(outside); string(now) != text {
		t.Errorf("what the link leads to was written: %q, %v", now, err)
	}
	if to, err := os.Readlink(file); to != outside {
		t.Errorf("the link that came between is %q, %v", to, err)
	}
	d.noLitter(was)
}

// testNoEscape changes records whose names lead out of the store.
func (cfg Config) testNoEscape(t *testing.T) {
	if cfg.Shape != Folder {
		t.Skip(notFor + "the records of this store have no files of their own")
	}
	d := cfg.writable(t, cfg.Good)
	top := t.TempDir()
	outside := filepath.Join(top, "outside.md")
	real := d.changeable()[0]
	d.put(outside, real.Raw)
	rel, err := filepath.Rel(d.path, outside)
	if err != nil {
		t.Fatal(err)
	}
	add := d.addition("One more")
	check, there := d.unchanged(), tree(t, top)
	for _, name := range []string{
		outside,
		rel,
		rel[:len(rel)-len(".md")],
		"../../x",
		"a/../../x",
		"x\x00y",
		"",
		".",
		"..",
	} {
		for _, ch := range []memory.Change{d.deletion(real), d.edit(real, "Mine"), add} {
			ch.ID, ch.Record.ID, ch.Record.File = memory.ID(name), memory.ID(name), outside
			written, err := d.Write(t.Context(), system.Write{Changes: []memory.Change{ch}})
			if err == nil && (len(written.Fates) != 1 || written.Fates[0].Fate != memory.Gone) {
				t.Errorf("%v of %q was made: %+v", ch.Do, name, written)
			}
			if err != nil && !errors.Is(err, memory.ErrConflict) && !errors.Is(err, memory.ErrNotFound) {
				checkHint(t, "Write", err)
			}
		}
		if now := tree(t, top); !slices.Equal(now, there) {
			t.Fatalf("%q leads out of the store:\n%s", name, strings.Join(now, "\n"))
		}
		check()
	}
}
