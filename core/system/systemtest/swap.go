package systemtest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// testSwappedFolder has another program replace a record's folder with a link or another folder
// with the same files: between the look and the change, or right before the change is made.
func (cfg Config) testSwappedFolder(t *testing.T) {
	for _, by := range []string{"link", "folder"} {
		for _, staged := range []bool{false, true} {
			for _, do := range []memory.ChangeKind{memory.Editing, memory.Deleting} {
				name := by + " before " + string(do.String())
				if staged {
					name += " is staged"
				}
				t.Run(name, func(t *testing.T) { cfg.checkSwapped(t, by == "link", staged, do) })
			}
		}
	}
}

func (cfg Config) checkSwapped(t *testing.T, link, staged bool, do memory.ChangeKind) {
	d := cfg.writable(t, cfg.Good)
	r := d.changeable()[0]
	dir := filepath.Dir(d.file(r))
	other := filepath.Join(t.TempDir(), "other")
	aside := filepath.Join(t.TempDir(), "aside")
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	change := d.deletion(r)
	if do == memory.Editing {
		change = d.edit(r, "Mine")
	}
	now := other // where the replacement is
	swap := func(system.Staged) error {
		if link {
			return errors.Join(os.Rename(dir, aside), os.Symlink(other, dir))
		}
		now = dir
		return errors.Join(os.Rename(dir, aside), os.Rename(other, dir))
	}
	was := contentsBelow(t, dir)
	w := system.Write{Changes: []memory.Change{change}, Stage: swap}
	if !staged {
		if err := swap(system.Staged{}); err != nil {
			t.Skip("symbolic links cannot be made here:", err)
		}
		w.Stage = nil
	}
	_, err := d.Write(t.Context(), w)
	checkHint(t, "Write", err)
	for _, at := range []string{now, aside} {
		if _, how := difference(was, contentsBelow(t, at)); how != "" {
			t.Errorf("in %s, %s", at, how)
		}
	}
}

// contentsBelow returns the contents of the files below a folder, by their paths in it.
func contentsBelow(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	in := os.DirFS(dir)
	err := fs.WalkDir(in, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := fs.ReadFile(in, path)
		all[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
