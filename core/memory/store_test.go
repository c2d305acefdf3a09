package memory_test

import (
	"testing"

	"winnow/core/memory"
)

func TestStoreIDTellsPathAndSystem(t *testing.T) {
	for id, want := range map[memory.StoreID][2]string{
		memory.At("claudecode", "/a/b:c"): {"claudecode", "/a/b:c"},
		"/a/b:c":                          {"", "/a/b:c"},
		`C:\a\b`:                          {"", `C:\a\b`},
		"./x:y":                           {"", "./x:y"},
		"":                                {"", ""},
	} {
		if got := [2]string{string(id.System()), id.Path()}; got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
}

func TestIndexLinesThatGoAlongAreNotCountedAsDeleted(t *testing.T) {
	plan := memory.Plan{Changes: []memory.Change{
		{Do: memory.Deleting, ID: "memory:b.md"},
		{Do: memory.Deleting, ID: "memory:c.md"},
		{Do: memory.Editing, ID: "memory:MEMORY.md", Companion: true},
	}}
	if got := plan.Deleted(); got != 2 {
		t.Errorf("the plan deletes %d records, want 2", got)
	}
}
