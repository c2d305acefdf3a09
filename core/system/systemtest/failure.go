package systemtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// hinted fails unless err says what is wrong and what to do.
func hinted(t *testing.T, what string, err error) {
	t.Helper()
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code == "" || p.What == "" || p.Hint == "" {
		t.Errorf("%s = %v (%T), want a problem with code, sentence and hint", what, err, err)
	}
}

// refuses fails unless the store says of itself that it cannot be written, refuses
// the change and is left as it is.
func (d *desk) refuses(c memory.Change) {
	d.t.Helper()
	check := d.unchanged()
	hinted(d.t, "CanWrite", d.CanWrite())
	_, err := d.Write(d.t.Context(), system.Write{Changes: []memory.Change{c}})
	hinted(d.t, "Write", err)
	check()
}

func (cfg Config) testCannotWrite(t *testing.T) {
	for name, arrange := range map[string]func(d *desk) error{
		"folder": func(d *desk) error { return os.Mkdir(d.path, 0o755) },
		"full folder": func(d *desk) error {
			return errors.Join(os.Mkdir(d.path, 0o755), os.WriteFile(filepath.Join(d.path, "other"), nil, 0o600))
		},
		"pipe":            func(d *desk) error { return makePipe(d.path) },
		"link to itself":  func(d *desk) error { return os.Symlink(filepath.Base(d.path), d.path) },
		"link to a place": func(d *desk) error { return os.Symlink(d.root, d.path) },
	} {
		t.Run(name, func(t *testing.T) {
			d := cfg.desk(t, cfg.Good)
			deletion := d.deletion(d.records()[0])
			add := d.addition("One more")
			if err := os.Remove(d.path); err != nil {
				t.Fatal(err)
			}
			if err := arrange(d); err != nil {
				t.Skip("this cannot be made here:", err)
			}
			d.refuses(deletion)
			d.refuses(add)
		})
	}
}

func (cfg Config) testVanishedFolder(t *testing.T) {
	d := cfg.desk(t, cfg.Good)
	deletion, add := d.deletion(d.records()[0]), d.addition("One more")
	dir := filepath.Dir(d.path)
	_, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{deletion},
		Stage:   func(system.Staged) error { return os.RemoveAll(dir) },
	})
	hinted(t, "Write", err)
	if _, err := os.Lstat(dir); err == nil {
		t.Error("the folder was made again")
	}
	if dir != d.root {
		d.refuses(add)
	}
}

// share lets every user look at the store.
func (d *desk) share(folder os.FileMode) {
	d.t.Helper()
	if err := os.Chmod(d.path, 0o644); err != nil {
		d.t.Fatal(err)
	}
	open := []string{filepath.Dir(d.root), d.root}
	for dir := filepath.Dir(d.path); dir != d.root; dir = filepath.Dir(dir) {
		open = append(open, dir)
	}
	for _, dir := range open {
		if err := os.Chmod(dir, 0o755); err != nil {
			d.t.Fatal(err)
		}
	}
	dir := filepath.Dir(d.path)
	if err := os.Chmod(dir, folder); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = os.Chmod(dir, 0o755) }) // so that it can be removed
}

// testForeignStore tells the user of a store that is another's, or in a folder that
// is closed to him.
func (cfg Config) testForeignStore(t *testing.T) {
	for name, folder := range map[string]os.FileMode{"closed folder": 0o555, "open folder": 0o777} {
		t.Run(name, func(t *testing.T) {
			d := cfg.desk(t, cfg.Good)
			deletion := d.deletion(d.records()[0])
			d.share(folder)
			if folder == 0o777 && os.Getuid() != 0 {
				t.Skip("only root has a store that is not a test's own")
			}
			asStranger(t, func() { d.refuses(deletion) })
		})
	}
}

func (cfg Config) testStageComesBefore(t *testing.T) {
	d := cfg.desk(t, cfg.Good)
	was, all := d.contents(), d.records()
	stages := 0
	written, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{d.deletion(all[0]), d.addition("One more")},
		Stage: func(s system.Staged) error {
			stages++
			if _, wrong := differ(was, d.contents()); wrong != "" {
				t.Errorf("when it is staged, %s", wrong)
			}
			if s.Temp == "" || s.Temp != filepath.Base(s.Temp) || len(s.Changes) != 2 || s.Changes[0].Before != all[0].Raw {
				t.Errorf("staged is %+v", s)
			}
			return nil
		},
	})
	if err != nil || stages != 1 {
		t.Fatalf("Write = %v after %d stages, want 1", err, stages)
	}
	before, after := was[d.path], d.one()
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
	d := cfg.desk(t, cfg.Good)
	change := d.deletion(d.records()[0])
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
	d := cfg.desk(t, cfg.Good)
	change := d.deletion(d.records()[0])
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
	if _, changed := differ(was, d.contents()); (changed == "") != (err != nil) {
		t.Errorf("cancelled while it was staged: %v, and %q", err, changed)
	}
	d.noLitter(was)
}

func (cfg Config) testLinkThatComesBetween(t *testing.T) {
	d := cfg.desk(t, cfg.Good)
	outside := filepath.Join(t.TempDir(), "outside")
	text := d.one()
	d.put(outside, text)
	change := d.deletion(d.records()[0])
	aside := filepath.Join(t.TempDir(), "aside")
	was := d.contents()
	_, err := d.Write(t.Context(), system.Write{
		Changes: []memory.Change{change},
		Stage: func(system.Staged) error {
			return errors.Join(os.Rename(d.path, aside), os.Symlink(outside, d.path))
		},
	})
	hinted(t, "Write", err)
	if now, err := os.ReadFile(outside); string(now) != text {
		t.Errorf("what the link leads to was written: %q, %v", now, err)
	}
	if to, err := os.Readlink(d.path); to != outside {
		t.Errorf("the link that came between is %q, %v", to, err)
	}
	d.noLitter(was)
}
