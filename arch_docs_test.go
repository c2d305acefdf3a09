package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// TestLinksInTheDocumentsLeadSomewhere wants each link of a document to another file of the tree to name one that
// exists, and its fragment to name a heading there.
func TestLinksInTheDocumentsLeadSomewhere(t *testing.T) {
	pages := []string{"README.md"}
	err := filepath.WalkDir("docs", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".md" {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	link, code := regexp.MustCompile(`\]\(([^)\s]+)\)`), regexp.MustCompile("`[^`\n]*`")
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			seen++
			path, fragment, _ := strings.Cut(m[1], "#")
			at := filepath.Join(filepath.Dir(page), path)
			if path == "" {
				at = page
			}
			there, err := os.ReadFile(at)
			if err != nil {
				t.Errorf("%s: the link to %s leads nowhere", page, m[1])
			} else if fragment != "" && !hasHeading(string(there), fragment) {
				t.Errorf("%s: %s has no heading #%s", page, at, fragment)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d links were seen", seen)
	}
}

// hasHeading reports whether a page has a heading with this fragment, as forges make it of the words.
func hasHeading(page, fragment string) bool {
	for line := range strings.Lines(page) {
		words, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		made := strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
				return unicode.ToLower(r)
			}
			return -1
		}, strings.TrimSpace(words))
		if made == fragment {
			return true
		}
	}
	return false
}
