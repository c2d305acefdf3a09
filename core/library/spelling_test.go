package library

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestPathsThatDifferInCaseAreOneFileWhereTheFolderSaysSo(t *testing.T) {
	names := func(dir string) []string {
		return map[string][]string{"/": {"Users"}, "/Users": {"Ada", "BOB"}, "/Users/Ada": {"memory.jsonl", "B", "b"}}[filepath.ToSlash(dir)]
	}
	folds := func(a, b string) bool { return strings.EqualFold(a, b) }
	never := func(a, b string) bool { return a == b }
	for _, c := range []struct {
		typed, want string
		same        func(a, b string) bool
	}{
		{"/users/ada/MEMORY.jsonl", "/Users/Ada/memory.jsonl", folds},
		{"/Users/Ada/memory.jsonl", "/Users/Ada/memory.jsonl", folds},
		{"/users/ada/new.jsonl", "/Users/Ada/new.jsonl", folds},
		{"/Users/Ada/b", "/Users/Ada/b", folds}, // a name that is there is meant
		{"/users/ada/MEMORY.jsonl", "/users/ada/MEMORY.jsonl", never},
		{"/", "/", folds},
	} {
		if got := asSpelled(filepath.FromSlash(c.typed), names, c.same); filepath.ToSlash(got) != c.want {
			t.Errorf("%s is %s, want %s", c.typed, got, c.want)
		}
	}
}

func TestLinuxTakesNamesAsTheyAreTyped(t *testing.T) {
	dir := t.TempDir()
	for _, goos := range []string{"linux", "darwin", "windows"} {
		typed := filepath.Join(dir, "Memory.jsonl")
		if got := realCase(goos, typed); got != typed { // the folder here does not fold
			t.Errorf("%s: %s, want %s", goos, got, typed)
		}
	}
}
