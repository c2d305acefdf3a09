package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWindowsHasItsOwnPrograms(t *testing.T) {
	for goos, want := range map[string]programs{
		"windows": {"notepad", "more"},
		"linux":   {"", "less"},
		"darwin":  {"", "less"},
	} {
		if got := defaultPrograms(goos); got != want {
			t.Errorf("%s: %+v, want %+v", goos, got, want)
		}
	}
}

func TestProgramInAFolderWithSpaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Program Files", "editor")
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if got := (&Env{}).commandWords(path); !slices.Equal(got, []string{path}) {
		t.Errorf("%q", got)
	}
	if got := (&Env{}).commandWords("code --wait"); !slices.Equal(got, []string{"code", "--wait"}) {
		t.Errorf("%q", got)
	}
}
