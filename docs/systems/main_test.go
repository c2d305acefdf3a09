package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"winnow/core/systems/all"
)

// TestPageHasTheSystemsOfTheProgram fails when a system changed and docs/systems.md did
// not: go run ./docs/systems.
func TestPageHasTheSystemsOfTheProgram(t *testing.T) {
	stored, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	if string(stored) != page(all.Systems(time.Now)) {
		t.Error("docs/systems.md is out of date: go run ./docs/systems")
	}
}

func TestEverySystemSaysWhatItCanDo(t *testing.T) {
	for _, k := range all.Systems(time.Now) {
		if len(k.Abilities) == 0 {
			t.Errorf("%s declares no abilities", k.ID)
		}
		for _, a := range k.Abilities {
			if a.Store == "" {
				t.Errorf("%s has an ability without a sort of store: %+v", k.ID, a)
			}
		}
	}
}
