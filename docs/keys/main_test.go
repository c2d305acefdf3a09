package main

import (
	"os"
	"strings"
	"testing"

	"winnow/keymap"
)

// TestReadmeHasTheKeysOfTheProgram fails when a key changed and the table in the
// README did not: run `go run ./docs/keys`.
func TestReadmeHasTheKeysOfTheProgram(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	fresh, err := update(string(text), keymap.Default())
	if err != nil {
		t.Fatal(err)
	}
	if fresh != string(text) {
		t.Error("the keys in README.md are out of date: go run ./docs/keys")
	}
	if text, err := os.ReadFile("../keys.md"); err != nil || string(text) != names(keymap.Default()) {
		t.Error("docs/keys.md is out of date: go run ./docs/keys", err)
	}
}

func TestEveryBindingIsInTheTable(t *testing.T) {
	m := keymap.Default()
	rows := table(m)
	for _, s := range m.Sections() {
		for _, k := range s.Bindings {
			if !strings.Contains(rows, "`"+k.Help().Key+"` "+k.Help().Desc) {
				t.Errorf("%s: %s is missing", s.Title, k.Help().Desc)
			}
		}
	}
}

func TestAReadmeWithoutMarkersIsLeftAlone(t *testing.T) {
	for _, text := range []string{"no keys", begin + "unfinished"} {
		if _, err := update(text, keymap.Default()); err == nil {
			t.Errorf("%q was updated", text)
		}
	}
}
