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
