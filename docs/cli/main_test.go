package main

import (
	"os"
	"testing"
)

// TestThePageHasTheCommandsOfTheProgram fails when a help text changed and docs/cli.md did not: run
// `go run ./docs/cli`.
func TestThePageHasTheCommandsOfTheProgram(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	text, err := os.ReadFile("../cli.md")
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != page() {
		t.Error("docs/cli.md is out of date: go run ./docs/cli")
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("the page left %v in the home folder, %v", left, err)
	}
}
