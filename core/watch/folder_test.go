package watch

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEverythingInAFolderIsSeen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "memory")
	put(t, filepath.Join(dir, "old.md"), "0")
	ch := follow(t, New(start), dir+string(filepath.Separator))
	added := filepath.Join(dir, "new.md")
	put(t, added, "1")
	waitForText(t, ch, added, "1")
	if err := os.WriteFile(added, []byte("in place"), 0o644); err != nil {
		t.Fatal(err)
	}
	waitForText(t, ch, added, "in place")
	if err := os.Remove(added); err != nil {
		t.Fatal(err)
	}
	next(t, ch)
}

func TestAFolderThatComesLaterIsSeen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later", "memory")
	ch := follow(t, New(start), dir+string(filepath.Separator))
	first := filepath.Join(dir, "first.md")
	put(t, first, "1")
	waitForText(t, ch, first, "1")
	second := filepath.Join(dir, "second.md")
	put(t, second, "2")
	waitForText(t, ch, second, "2")
}

func TestWithoutEventsAFolderIsLookedThrough(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "memory")
	path := filepath.Join(dir, "a.md")
	put(t, path, "1")
	before := stampsOf([]string{dir + string(filepath.Separator)})[0]
	if err := os.WriteFile(path, []byte("longer, and in place"), 0o644); err != nil {
		t.Fatal(err)
	}
	if after := stampsOf([]string{dir + string(filepath.Separator)})[0]; after.equal(before) {
		t.Error("a file that changed in place leaves the folder as it was")
	}
	if plain := stampsOf([]string{dir})[0]; plain.within != 0 {
		t.Error("a path without a separator at its end is looked through")
	}
}

func TestAFileBesideAWatchedOneIsNotSeen(t *testing.T) {
	dir := t.TempDir()
	s := find([]string{filepath.Join(dir, "a")})
	if _, ok := s.matters(filepath.Join(dir, "b")); ok {
		t.Error("a name that nobody waits for matters")
	}
}
