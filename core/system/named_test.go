package system_test

import (
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

func TestNamedComparesTheEndOfAPath(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"CLAUDE.md", "CLAUDE.md", true},
		{"CLAUDE.md", "/a/b/CLAUDE.md", true},
		{"CLAUDE.md", "a/MyCLAUDE.md", false},
		{"CLAUDE.md", "a/claude.md", false},
		{"CLAUDE.md", "CLAUDE.md/x", false},
		{"CLAUDE.md", "", false},
		{".claude/rules/**/*.md", ".claude/rules/a.md", true},
		{".claude/rules/**/*.md", "x/.claude/rules/a/b/c.md", true},
		{".claude/rules/**/*.md", "x/.claude/rules/a/b/c.txt", false},
		{".claude/rules/**/*.md", "x.claude/rules/a.md", false},
		{".claude/rules/**/*.md", "/.claude/rules/a.md", true},
		{"**/memory/**/*", "memory/x", true},
		{"**/memory/**/*", "memory", false},
		{"a/**", "a", true},
		{"a/**", "a/b/c", true},
		{"a/**", "b/c", false},
		{"*.db*", "x.db-wal", true},
		{"*.db*", "x.d", false},
		{"a*a", "a", false},
		{"a*a", "aa", true},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "a-c-b", false},
		{"*", "", false},
		{"*", "x", true},
	} {
		if got := system.Named("neither-this", c.pattern)(c.path); got != c.want {
			t.Errorf("%s is named as %s: %t", c.path, c.pattern, got)
		}
	}
}

func TestObjectWithLooksAtWholeLinesAndNotIntoTexts(t *testing.T) {
	looks := system.ObjectWith("a", "b")
	for head, want := range map[string]bool{
		`{"a":1,"b":2}`:                 true,
		"\ufeff {\"a\":1,\"b\":2":       true,
		"null\n\n{\"b\":\"\",\"a\":\"x": true,
		`{"a":1}` + "\n" + `{"b":1}`:    false,
		`["a","b"]`:                     false,
		`{"a":"say \"b\" to it"}`:       false,
		"":                              false,
	} {
		if got := looks([]byte(head)); got != want {
			t.Errorf("%q: %t", head, got)
		}
	}
}

func TestFramedSaysWhereTheBodyStands(t *testing.T) {
	l := system.Framed("block", "<m>\n", "\n</m>", "</m>")(&memory.Record{Body: "text"})
	if l.Text != "<m>\ntext\n</m>" || len(l.Parts) != 1 || l.Text[l.Parts[0].Start:l.Parts[0].End] != "text" ||
		!l.Prose {
		t.Errorf("%+v", l)
	}
}

func FuzzNamedEndsAndSaysTheSameOfAbsolutePaths(f *testing.F) {
	f.Add("a/**/b*c/*", "x/a/y/bzc/d")
	f.Add("**/**", "//")
	f.Fuzz(func(t *testing.T, pattern, path string) {
		if len(pattern) > 40 || len(path) > 200 || path == "" || strings.Count(pattern, "**") > 2 ||
			strings.HasPrefix(pattern, "/") {
			return
		}
		named := system.Named(pattern)
		if got := named(path); got && !named("x/"+path) {
			t.Errorf("%q is named as %q, but not below a folder", path, pattern)
		}
	})
}
