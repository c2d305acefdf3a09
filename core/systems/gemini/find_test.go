package gemini

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"winnow/core/system"
)

// TestFileOfAFolderBelowShowsAProject: Gemini CLI gives it to a session that reads a file beside it, as its requests
// showed.
func TestFileOfAFolderBelowShowsAProject(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{
		".gemini/settings.json", "shop/.git/HEAD", "shop/web/GEMINI.md", "empty/.git/HEAD", "plain/web/GEMINI.md",
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// the home folder has files of many projects
	for dir, want := range map[string]int{"shop": 1, "empty": 0, "plain": 1, "plain/web": 1, "": 0} {
		env := system.Env{
			Home:   home,
			Dir:    filepath.Join(home, dir),
			Lookup: func(string) (string, bool) { return "", false },
		}
		if got := agent().Find(t.Context(), env).Places; len(got) != want {
			t.Errorf("in %s found %+v, want %d projects", dir, got, want)
		}
	}
}

func TestAtMostTenMemoriesOfProjectsThatAreGoneAreNamed(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "work", "shop")
	env := system.Env{Home: home, Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
	if err := os.MkdirAll(filepath.Join(home, "work", "there"), 0o755); err != nil {
		t.Fatal(err)
	}
	for gone := range 14 {
		if lines := leftHealth(env, dir); len(lines) != min(gone, 10) {
			t.Fatalf("%d projects are gone, and %d are named: %+v", gone, len(lines), lines)
		}
		for name, text := range map[string]string{
			fmt.Sprintf("gone-%d/.project_root", gone):    filepath.Join(home, "work", fmt.Sprint("gone-", gone)),
			fmt.Sprintf("gone-%d/memory/note.md", gone):   "A note.",
			fmt.Sprintf("there-%d/.project_root", gone):   filepath.Join(home, "work", "there"),
			fmt.Sprintf("there-%d/memory/note.md", gone):  "A note.",
			fmt.Sprintf("no-note-%d/.project_root", gone): filepath.Join(home, "work", fmt.Sprint("no-note-", gone)),
		} {
			path := filepath.Join(projects(env), name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
