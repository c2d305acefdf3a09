package main

import (
	"os"
	"strings"
	"testing"

	"winnow/keymap"
)

// TestThePageHasTheKeysOfTheProgram fails when a key changed and the page did not: run `go run ./docs/keys`.
func TestThePageHasTheKeysOfTheProgram(t *testing.T) {
	text, err := os.ReadFile("../keys.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != document(keymap.Default()) {
		t.Error("docs/keys.md is out of date: go run ./docs/keys")
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
