package problems

import "testing"

// TestALayerIsNotSaidToBeGone: found in a public repository, of which 15 places named a folder of each module. What
// was moved is said of any folder.
func TestALayerIsNotSaidToBeGone(t *testing.T) {
	deleted := Fate{Commit: "66f526e4f"}
	for name, want := range map[string]bool{
		"interfaces/": false, "./domain/": false, "packages/ui/": true, "docs/prices.md": true, "install.sh": true,
	} {
		path := name
		m := mention{as: name, paths: []string{path}}
		l := Look{}
		if _, said := l.fateOf(&m, &Evidence{Fates: map[string]Fate{path: deleted}}); said != want {
			t.Errorf("%s is said to be gone: %v, want %v", name, said, want)
		}
		moved := deleted
		moved.To = "elsewhere/x"
		if _, said := l.fateOf(&m, &Evidence{Fates: map[string]Fate{path: moved}}); !said {
			t.Errorf("%s is not said to be moved", name)
		}
	}
}

// TestNamesOfWhatIsNotHere: found in public repositories, of which half of the names that were said to be gone were of
// these kinds.
func TestNamesOfWhatIsNotHere(t *testing.T) {
	for text, want := range map[string]int{
		"The lock is in `src/locking.ts`.":                              1, // the folder is there, and the file one below
		"The fuller version is `docs/made/guide.md` of the project.":    0, // no such folder: of projects that it makes
		"This replaces the old setup (`src/locking.ts`).":               0,
		"Read `src/locking.ts` (if it exists).":                         0,
		"**`src/locking.ts`**:\n\n```ts\nexport const lock = 1\n```\n":  0, // what somebody writes there
		"Read `src/locking.ts`:\n\n```ts\nexport const lock = 1\n```\n": 1,
	} {
		p := told(text, "")
		files := []string{"CLAUDE.md", "docs/guide.md", "src/engine/locking.ts", "src/index.ts"}
		nothing := func(string) string { return "" }
		l := p.Look(files, nothing, func(string) bool { return false })
		if got := len(l.Gone(Evidence{})); got != want {
			t.Errorf("%q names %d that are gone, want %d", text, got, want)
		}
	}
}
