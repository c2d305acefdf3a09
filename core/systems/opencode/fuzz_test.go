package opencode

import (
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"winnow/core/filestore"
	"winnow/core/jstext"
)

func hash(text []byte) [32]byte { return sha256.Sum256(text) }

func TestSettingsMayHaveComments(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 1, // one` + "\n" + `"b": [1, 2,], /* two */}`: `{"a":1,"b":[1,2]}`,
		`{"a": "no // comment, /* here */", }`:                `{"a":"no // comment, /* here */"}`,
		`{"a": "\"// quoted"}`:                                `{"a":"\"// quoted"}`,
		"\ufeff{}":                                            `{}`,
		`{"a": [ , ]}`:                                        "",
		`{"a": 1 /* open }`:                                   "",
		`{"a": 1,,}`:                                          "",
		`//`:                                                  "",
	} {
		v, err := parseSettings(text)
		got := ""
		if err == nil {
			got = string(v.AppendJSON(nil))
		}
		if got != want {
			t.Errorf("%q is %q (%v), want %q", text, got, err, want)
		}
	}
}

func TestPatternsNameFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"a.md", "b.md", "c.txt", ".hidden/d.md", "docs/e.md", "docs/deep/f.md", "docs/{g}.md",
	} {
		put(t, filepath.Join(dir, name), "x")
	}
	for pattern, want := range map[string]string{
		"*.md": "a.md b.md", "{b,a}.md": "b.md a.md", "?.txt": "c.txt", "[ab].md": "a.md b.md", "[!a].md": "b.md",
		"**/*.md":             ".hidden/d.md a.md b.md docs/deep/f.md docs/e.md docs/{g}.md",
		"docs/**":             "docs/deep/f.md docs/e.md docs/{g}.md",
		"docs":                "",
		"*/d.md":              ".hidden/d.md",
		"./a.md":              "a.md",
		"docs/{g}*":           "docs/{g}.md",
		"./docs/../a.md":      "a.md",
		"docs//e.md":          "docs/e.md",
		"docs/e.md/":          "",
		" a.md":               "",
		"!a.md":               "",
		"docs/[[:alpha:]].md": "docs/e.md",
		"{a,{b,c}}.{md,txt}":  "a.md b.md c.txt",
		"":                    "", "[": "", "{a": "", "none/*.md": "",
	} {
		files, cut := glob(dir, pattern)
		var got []string
		for _, f := range files {
			rel, err := filepath.Rel(dir, f)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, filepath.ToSlash(rel))
		}
		if strings.Contains(pattern, "**") {
			slices.Sort(got)
		}
		if strings.Join(got, " ") != want || cut {
			t.Errorf("%q names %q (cut %t), want %q", pattern, got, cut, want)
		}
	}
}

func TestWildPatternEnds(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink(".", filepath.Join(dir, "loop")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	put(t, filepath.Join(dir, "a/b/c.md"), "x")
	for _, pattern := range []string{
		strings.Repeat("**/", 30) + "*.md", strings.Repeat("{a,b}", 40), strings.Repeat("*/", 60) + "x",
		strings.Repeat("{", 3000), strings.Repeat("../", 100) + "*.none",
	} {
		glob(dir, pattern)
	}
}

func FuzzSettingsAreReadAsTheirPlainForm(f *testing.F) {
	for _, text := range []string{`{"instructions": ["a", "b",]} // end`, `{"a": "\\", /**/ "b": 1}`, `/* "`, `[1,/*,*/]`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := parseSettings(text)
		if err == nil {
			if _, err := parseSettings(string(v.AppendJSON(nil))); err != nil {
				t.Errorf("%q was read, and what it says is not: %v", text, err)
			}
		}
		if plain, err := jstext.WithoutComments(text); err == nil && len(plain) != len(text) {
			t.Errorf("%q became %q", text, plain)
		}
		if json.Valid([]byte(text)) && utf8.ValidString(text) && err != nil {
			t.Errorf("%q is JSON, and was refused: %v", text, err)
		}
	})
}

func FuzzPatternStaysBelowItsFolder(f *testing.F) {
	for _, p := range []string{"*.md", "**/x", "{a,b}/{c,d}", "[a-", "../*", "a//b", "\\*"} {
		f.Add(p)
	}
	dir := f.TempDir()
	for _, name := range []string{"a.md", "b/c.md"} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			f.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			f.Fatal(err)
		}
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if strings.Contains(pattern, "..") || strings.Contains(pattern, "/") && strings.Count(pattern, "*") > 6 {
			return
		}
		files, _ := glob(dir, pattern)
		for _, file := range files {
			if !filestore.Within(dir, file) {
				t.Errorf("%q names %s", pattern, file)
			}
		}
	})
}

func FuzzMessagesAndPartsAreRead(f *testing.F) {
	for _, text := range []string{asked, answered, tool("read", `{"status":"completed","metadata":{"loaded":["a",1]}}`), tool("bash", `{"metadata":{"exit":"x"}}`), `null`, `[[`} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, said, part string) {
		s := session{id: "s"}
		s.part(true, part, false)
		s.complete([]message{decodeMessage("m", 0, said)})
		if r := s.record(1, ""); r.ID == "" || r.Title == "" || r.Outcome == "" {
			t.Errorf("record is %+v", r)
		}
	})
}
