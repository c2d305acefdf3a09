package problems

import (
	"strings"
	"testing"
)

// FuzzTextsOfAnyKind: whatever two texts say, each issue has a sentence, a fingerprint, and places in the texts.
func FuzzTextsOfAnyKind(f *testing.F) {
	f.Add("Use `a/b.go` here.\n", "Use `c/b.go` here.\n")
	f.Add("```\nmake x\n", "- `npm run y`\n\xff")
	f.Fuzz(func(t *testing.T, a, b string) {
		p := told(a, b)
		look := p.Look(
			[]string{"Makefile", "c/b.go"},
			func(string) string { return a },
			func(string) bool { return false },
		)
		e := Evidence{Fates: map[string]Fate{}, Removed: map[string]Fate{}}
		for _, name := range look.Names {
			e.Fates[name] = Fate{Commit: "0123456789", To: "moved/" + name}
		}
		for _, entry := range look.Entries {
			e.Removed[entry.Key()] = Fate{Commit: "0"}
		}
		for _, is := range append(append(p.Differences(), p.OnlyOneTold(nil)...), look.Gone(e)...) {
			if is.What == "" || len(is.Fingerprint) != 32 || len(is.Places) == 0 {
				t.Fatalf("%+v", is)
			}
			for _, s := range is.Places {
				text := map[string]string{"/p/CLAUDE.md": a, "/p/AGENTS.md": b}[s.File]
				if s.Line < 1 || s.Line > strings.Count(text, "\n")+1 {
					t.Fatalf("line %d of %q", s.Line, text)
				}
			}
		}
	})
}
