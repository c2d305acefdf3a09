package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityNamesTestsThatExist keeps docs/security.md true: every test and script that holds a line exists.
func TestSecurityNamesTestsThatExist(t *testing.T) {
	text, err := os.ReadFile("docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]bool{}
	err = filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllSubmatch(source, -1) {
			tests[string(m[1])] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`(Test\\w+|\\w+\\.txtar)`").FindAllStringSubmatch(string(text), -1)
	if len(names) < 30 {
		t.Errorf("only %d tests and scripts are named", len(names))
	}
	for _, m := range names {
		_, err := os.Stat(filepath.Join("testdata", "script", m[1]))
		if !tests[m[1]] && err != nil {
			t.Errorf("%s does not exist", m[1])
		}
	}
}
