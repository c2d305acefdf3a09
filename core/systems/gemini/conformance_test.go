package gemini

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

// envOf returns an environment in which a folder is the home of a person, and folders need no trust.
func envOf(home, dir string) system.Env {
	return system.Env{Home: home, Dir: dir, Lookup: func(name string) (string, bool) {
		switch name {
		case trustVariable:
			return "true", true
		case systemVariable:
			return filepath.Join(home, "nowhere", settingsFile), true
		}
		return "", false
	}}
}

// systemOf returns the system for a home that the path of a store tells.
func systemOf(home func(path string) string) system.System {
	s := System(system.ThisMachine(), morning)
	s.Open = func(path string) (system.Store, error) {
		return agent().Open(envOf(home(path), path), morning, path), nil
	}
	s.StoresIn = func(dir string, entries []fs.DirEntry) []memory.Place {
		return agent().StoresIn(envOf(home(dir), dir), dir, entries)
	}
	return s
}

// newFile returns the addition of a file that says text, whose name has its digest between two texts.
func newFile(before, after string) func(system.Composer, string) (memory.Change, error) {
	return func(c system.Composer, text string) (memory.Change, error) {
		name := before + string(memory.RevisionOf(text)) + after
		e := memory.Edit{Body: &text, Name: &name}
		stored, err := c.Compose("", e)
		if err != nil {
			return memory.Change{}, err
		}
		r := c.Decode(stored)
		if s := c.(*instructions.AgentStore); s.Place.Name == asGlobal {
			r.ID = memory.ID(name) // NewID refuses a file that Gemini CLI does not look for
		} else {
			r.ID, err = s.Info().NewID(nil, stored, e)
		}
		return memory.Change{Do: memory.Adding, ID: r.ID, After: stored, Record: r}, err
	}
}

func skips() map[string]string {
	return map[string]string{"Writer/EditKeepsWhatOthersChanged": "a file of instructions has no counts that merge"}
}

func TestInstructionsAreAStoreLikeOthers(t *testing.T) {
	nobody := func(path string) string { return filepath.Join(filepath.Dir(path), "nobody") }
	systemtest.Run(t, systemtest.Config{
		System: systemOf(nobody), Shape: systemtest.Folder, Store: "shop", Field: memory.InBody, Ability: asProject,
		Good: fstest.MapFS{
			"shop/.git/HEAD":             textFile("ref: refs/heads/main\n"),
			"shop/.gemini/settings.json": textFile("{}\n"),
			"shop/GEMINI.md":             textFile("# The shop\n\nUse tabs.\n"),
			"shop/web/GEMINI.md":         textFile("# Web\n\nNo framework.\n"),
			"shop/api/GEMINI.md":         textFile("# API\n\nNo versions.\n"),
			"shop/web/deep/down/file.go": textFile("package down\n"),
		},
		Env: func(root string) system.Env { return envOf(filepath.Join(root, "nobody"), filepath.Join(root, "shop")) },
		New: newFile("new/", "/GEMINI.md"), Skip: skips(),
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
	kind := systemOf(filepath.Dir)
	kind.StoresIn = nil // a home is known by where it is
	systemtest.Run(t, systemtest.Config{
		System: kind, Shape: systemtest.Folder, Store: "ada/.gemini", Field: memory.InBody, Ability: asGlobal,
		Good: fstest.MapFS{
			"ada/.gemini/settings.json": textFile(`{"context": {"fileName": ["AGENTS.md"]}}`),
			"ada/.gemini/GEMINI.md":     textFile("Be brief.\n"),
			"ada/.gemini/AGENTS.md":     textFile("Be long.\n"),
		},
		New: newFile("new/", "/GEMINI.md"), Skip: skip,
	})
}

func TestPrivateMemoryIsAStoreLikeOthers(t *testing.T) {
	home := func(path string) string { // of ada/.gemini/tmp/shop/memory, also for what lies around it
		for p := path; p != filepath.Dir(p); p = filepath.Dir(p) {
			if filepath.Base(p) == homeFolder {
				return filepath.Dir(p)
			}
		}
		return filepath.Join(path, "nobody")
	}
	skip := skips()
	skip["Writer/MissingStoreIsCreatedByAnAddition"] = "a folder at another place is that of a project"
	systemtest.Run(t, systemtest.Config{
		System:  systemOf(home),
		Shape:   systemtest.Folder,
		Store:   "ada/.gemini/tmp/shop/memory",
		Field:   memory.InBody,
		Ability: asPrivate,
		Good: fstest.MapFS{
			"ada/.gemini/tmp/shop/.project_root":    textFile("/home/ada/shop"),
			"ada/.gemini/tmp/shop/memory/MEMORY.md": textFile("- port 8081\n- see deploy.md\n"),
			"ada/.gemini/tmp/shop/memory/deploy.md": textFile("# Deploy\n\nBy hand.\n"),
			"ada/.gemini/tmp/shop/memory/people.md": textFile("Ada knows the shop.\n"),
		},
		Env:  func(root string) system.Env { return envOf(filepath.Join(root, "ada"), root) },
		New:  newFile("", ".md"),
		Skip: skip,
	})
}
