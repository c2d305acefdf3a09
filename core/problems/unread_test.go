package problems

import (
	"strings"
	"testing"
)

func TestImportsAreWrittenAsNamesWhereTheyAreNotInCode(t *testing.T) {
	for line, want := range map[string]string{
		"See @a/b.md first":              "See `a/b.md` first",
		"@a/b.md and @a/b.md":            "`a/b.md` and `a/b.md`",
		"**@a/b.md**":                    "**`a/b.md`**",
		"`@a/b.md` or me@a/b.md":         "",
		"@a/b.mdx, @a/b.md.bak":          "",
		"`` ` @a/b.md `` and @a/b.md":    "`` ` @a/b.md `` and `a/b.md`",
		"` @a/b.md ` and @a/b.md ":       "` @a/b.md ` and `a/b.md` ",
		"`@a/b.md` here and @a/b.md too": "`@a/b.md` here and `a/b.md` too",
		"an open ` and @a/b.md":          "an open ` and `a/b.md`",
	} {
		p := told("```\n@a/b.md\n```\n"+line+"\n", "")
		_, mends := p.texts["/p/CLAUDE.md"].backquoting("a/b.md")
		got := ""
		for _, m := range mends {
			got += strings.Replace(line, m.Old, m.New, 1)
			if m.Line != 4 {
				t.Errorf("%q: line %d", line, m.Line)
			}
		}
		if got != want {
			t.Errorf("%q becomes %q, want %q", line, got, want)
		}
	}
}
