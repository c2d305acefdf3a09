package opencode

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
	"winnow/core/systems/instructions"
)

// anyMachine returns a machine whose home is empty and which no variable sets up. Its
// folders for tests stand for the root of its file system.
func anyMachine(t *testing.T) machine {
	t.Helper()
	return machine{
		home:    t.TempDir(),
		top:     os.TempDir(),
		managed: "/nowhere",
		lookup:  func(string) (string, bool) { return "", false },
	}
}

func textFile(text string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(text), Mode: 0o644}
}

// shop is a project with instructions.
func shop() fs.FS {
	return fstest.MapFS{
		"shop/.git/HEAD":             textFile("ref: refs/heads/main\n"),
		"shop/AGENTS.md":             textFile("# The shop\n\nUse tabs.\n"),
		"shop/opencode.json":         textFile(`{"instructions": ["docs/*.md"], // more` + "\n}"),
		"shop/docs/style.md":         textFile("Write short sentences.\n"),
		"shop/web/AGENTS.md":         textFile("# Web\n\nNo framework.\n"),
		"shop/web/CLAUDE.md":         textFile("# Web, for another agent\n"),
		"shop/web/deep/down/file.go": textFile("package down\n"),
	}
}

// newFile returns the addition of a file that says text, under a name of its own.
func newFile(c system.Composer, text string) (memory.Change, error) {
	name := "new/" + string(memory.RevisionOf(text)) + "/AGENTS.md"
	e := memory.Edit{Body: &text, Name: &name}
	after, err := c.Compose("", e)
	if err != nil {
		return memory.Change{}, err
	}
	r := c.Decode(after)
	r.ID, err = c.(*instructions.AgentStore).NameOf(nil, after, e)
	return memory.Change{Do: memory.Adding, ID: r.ID, After: after, Record: r}, err
}

func noCounts() map[string]string {
	return map[string]string{"Writer/EditKeepsWhatOthersChanged": "a file of instructions has no counts that merge"}
}

func TestInstructionsAreAStoreLikeOthers(t *testing.T) {
	systemtest.Run(t, systemtest.Config{
		System:  systemOn(noon, anyMachine(t)),
		Shape:   systemtest.Folder,
		Store:   "shop",
		Good:    shop(),
		Field:   memory.InBody,
		Ability: "instructions",
		Env: func(root string) system.Env {
			return system.Env{
				Home:   filepath.Join(root, "home"),
				Dir:    filepath.Join(root, "shop/web"),
				Lookup: func(string) (string, bool) { return "", false },
			}
		},
		New:  newFile,
		Skip: noCounts(),
	})
}

func TestGlobalInstructionsAreAStoreLikeOthers(t *testing.T) {
	m := anyMachine(t)
	good := fstest.MapFS{
		"config/AGENTS.md":     textFile("Be brief.\n"),
		"config/opencode.json": textFile(`{"instructions": ["/nowhere/*.md"]}`),
		"config/more/one.md":   textFile("One more.\n"),
	}
	skip := noCounts()
	for _, name := range []string{
		"ChangeTouchesOnlyItsRecord",
		"MissingStoreIsCreatedByAnAddition",
		"UndoKeepsWhatOthersWrote",
	} {
		skip["Writer/"+name] = "one file holds for all projects: another one in a folder below is none of the store"
	}
	systemtest.Run(t, systemtest.Config{
		System: system.System{
			ID: id, Name: productName, Abilities: abilities(),
			Open: func(path string) (system.Store, error) {
				mine := m
				mine.lookup = func(name string) (string, bool) {
					switch name {
					case configDir:
						return path, true
					case configText:
						return `{"instructions": ["` + filepath.ToSlash(path) + `/more/*.md"]}`, true
					}
					return "", false
				}
				return open(mine, noon, path), nil
			},
		},
		Shape: systemtest.Folder, Store: "config", Good: good, Field: memory.InBody, Ability: "global instructions",
		New: newFile, Skip: skip,
	})
}

// database returns a folder that holds one, as a test makes it.
func database(t *testing.T, fn func(*written)) fs.FS {
	t.Helper()
	dir := t.TempDir()
	newDatabase(t, filepath.Join(dir, "opencode.db"), fn)
	return os.DirFS(dir)
}

func twoSessions(w *written) {
	w.session("ses_1", "/shop", 10, messageJSON{`{"role":"user"}`, []string{`{"type":"text","text":"Add a cart"}`}},
		messageJSON{`{"role":"assistant","time":{"completed":1},"finish":"stop"}`, []string{`{"type":"tool","tool":"read","state":{"status":"completed"}}`}})
	w.session("ses_2", "/shop", 20)
}

func TestSessionsAreAStoreLikeOthers(t *testing.T) {
	good := database(t, twoSessions)
	damaged := database(t, func(w *written) {
		w.session("ses_0", "/shop", 5)
		w.do("INSERT INTO session(id,project_id,directory,title,time_created) VALUES(NULL,'p',x'ff00','Nobody',1)")
		twoSessions(w)
	})
	kind, m := systemOn(noon, anyMachine(t)), anyMachine(t)
	kind.Open = func(path string) (system.Store, error) { return &Database{path: path, m: m, now: noon}, nil }
	systemtest.Run(t, systemtest.Config{
		System:  kind,
		Shape:   systemtest.Database,
		Store:   "opencode.db",
		Good:    good,
		Damaged: damaged,
		Ability: "sessions",
		Env: func(root string) system.Env {
			return system.Env{Home: filepath.Join(root, "home"), Dir: root, Lookup: func(name string) (string, bool) {
				return filepath.Join(root, "opencode.db"), name == databaseName
			}}
		},
	})
}
