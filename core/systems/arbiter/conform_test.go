package arbiter

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
)

const stores = "../../../testdata/stores/arbiter"

// clock is some time after the last of the fixtures.
func clock() time.Time { return time.Unix(1_780_000_000, 0).UTC() }

// good returns a home with a store of few lessons, which is enough for the suite and
// spares it some hundred transactions.
func good(t *testing.T) fs.FS {
	t.Helper()
	_, path := copied(t)
	change(t, path, "DELETE FROM lessons WHERE id > 5")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return fstest.MapFS{"home/.arbiter/tenants.db": &fstest.MapFile{Data: text, Mode: 0o644}}
}

func TestConformance(t *testing.T) {
	systemtest.Run(t, systemtest.Config{
		System: System(clock), Good: good(t), Store: "home/.arbiter/tenants.db", Shape: systemtest.Database,
		Env: func(root string) system.Env {
			return system.Env{
				Home:   filepath.Join(root, "home"),
				Dir:    root,
				Lookup: func(string) (string, bool) { return "", false },
			}
		},
		Skip: map[string]string{
			"Writer/MissingStoreIsCreatedByAnAddition": "the database has tables of many purposes, and Arbiter alone makes them",
			"Writer/UndoKeepsWhatOthersWrote":          "the database numbers a new lesson: TestUndoKeepsWhatOthersAdded",
			"Writer/ComposedIsDecoded":                 "the database numbers a new lesson: TestComposedRowsAreDecoded",
		},
		Add: func(text string) memory.Edit {
			body := "Added by hand."
			return memory.Edit{Title: &text, Body: &body}
		},
	})
}
