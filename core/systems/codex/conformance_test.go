package codex

import (
	"io/fs"
	"path/filepath"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
	"winnow/core/systems/instructions"
)

func morning() time.Time { return time.Date(2026, 11, 24, 8, 0, 0, 0, time.UTC) }

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

// envOf returns an environment in which the home of Codex is a folder; without one it has none.
func envOf(home, dir string) system.Env {
	return system.Env{
		Home: filepath.Join(filepath.Dir(dir), "nobody"),
		Dir:  dir,
		Lookup: func(name string) (string, bool) {
			return home, name == homeVariable && home != ""
		},
	}
}

// systemOf returns the system whose home is the folder that a store's path tells.
func systemOf(t *testing.T, home func(path string) string) system.System {
	t.Helper()
	s := System(system.ThisMachine(), morning)
	s.Open = func(path string) (system.Store, error) {
		return agent().Open(envOf(home(path), path), morning, path), nil
	}
	s.StoresIn = func(dir string, entries []fs.DirEntry) []memory.Place {
		return agent().StoresIn(envOf("", dir), dir, entries)
	}
	return s
}

// newFile returns the addition of a file that says text, under a name of its own below a folder.
func newFile(below string) func(system.Composer, string) (memory.Change, error) {
	return func(c system.Composer, text string) (memory.Change, error) {
		name := below + string(memory.RevisionOf(text)) + "/AGENTS.md"
		e := memory.Edit{Body: &text, Name: &name}
		after, err := c.Compose("", e)
		if err != nil {
			return memory.Change{}, err
		}
		r := c.Decode(after)
		r.ID, err = c.(*instructions.AgentStore).NameOf(nil, after, e)
		return memory.Change{Do: memory.Adding, ID: r.ID, After: after, Record: r}, err
	}
}

func skips() map[string]string {
	return map[string]string{"Writer/EditKeepsWhatOthersChanged": "a file of instructions has no counts that merge"}
}

func TestInstructionsAreAStoreLikeOthers(t *testing.T) {
	systemtest.Run(t, systemtest.Config{
		System:  systemOf(t, func(string) string { return "" }),
		Shape:   systemtest.Folder,
		Store:   "shop",
		Field:   memory.InBody,
		Ability: instructionsName,
		Good: fstest.MapFS{
			"shop/.git/HEAD":              textFile("ref: refs/heads/main\n"),
			"shop/.codex/config.toml":     textFile("model = \"m\"\n"),
			"shop/AGENTS.md":              textFile("# The shop\n\nUse tabs.\n"),
			"shop/web/AGENTS.md":          textFile("# Web\n\nNo framework.\n"),
			"shop/web/AGENTS.override.md": textFile("# Web, for now\n"),
			"shop/web/deep/down/file.go":  textFile("package down\n"),
		},
		Env:  func(root string) system.Env { return envOf("", filepath.Join(root, "shop")) },
		New:  newFile("new/"),
		Skip: skips(),
	})
}

func TestGlobalInstructionsAreAStoreLikeOthers(t *testing.T) {
	skip := skips()
	for _, name := range []string{
		"ChangeTouchesOnlyItsRecord",
		"MissingStoreIsCreatedByAnAddition",
		"UndoKeepsWhatOthersWrote",
	} {
		skip["Writer/"+name] = "one file holds for all projects: another one in a folder below is none of the store"
	}
	kind := systemOf(t, func(path string) string { return path })
	kind.StoresIn = nil // a home is known by where it is
	systemtest.Run(t, systemtest.Config{
		System: kind, Shape: systemtest.Folder, Store: "home", Field: memory.InBody, Ability: globalName,
		Good: fstest.MapFS{
			"home/AGENTS.md":          textFile("Be brief.\n"),
			"home/AGENTS.override.md": textFile("Be long.\n"),
		},
		New: newFile("new/"), Skip: skip,
	})
}

func TestMemoriesAreAStoreLikeOthers(t *testing.T) {
	kind := systemOf(t, filepath.Dir)
	systemtest.Run(t, systemtest.Config{
		System: kind, Shape: systemtest.Folder, Store: ".codex/memories", Field: memory.InBody, Ability: memoriesName,
		Good: fstest.MapFS{
			".codex/config.toml":                              textFile("[features]\nmemories = true\n"),
			".codex/memories/memory_summary.md":               textFile("v1\n\nLikes Go.\n"),
			".codex/memories/MEMORY.md":                       textFile("# Task Group: shop\nscope: the shop\n"),
			".codex/memories/raw_memories.md":                 textFile("# Raw Memories\n\nNo raw memories yet.\n"),
			".codex/memories/rollout_summaries/2026-a.md":     textFile("thread_id: 1\n\nIt went well.\n"),
			".codex/memories/extensions/ad_hoc/notes/2026.md": textFile("Forget the shop.\n"),
		},
		Env: func(root string) system.Env { return envOf(filepath.Join(root, ".codex"), root) },
		New: newFile("skills/"), Skip: skips(),
	})
}
