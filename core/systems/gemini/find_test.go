package gemini

import (
	"os"
	"path/filepath"
	"testing"

	"winnow/core/system"
)

// TestFileOfAFolderBelowShowsAProject: Gemini CLI gives it to a session that reads a file beside it, as its requests
// showed.
func TestFileOfAFolderBelowShowsAProject(t *testing.T) {
	home := t.TempDir()
	for _, name := range []string{".gemini/settings.json", "shop/.git/HEAD", "shop/web/GEMINI.md", "empty/.git/HEAD", "plain/web/GEMINI.md"} {
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
