package claudecode

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
)

// vars are what the environment says of a machine on which the stores of the suite lie:
// the folder of a project is then called the same wherever the project lies.
func vars(root string) func(string) (string, bool) {
	all := map[string]string{"CLAUDE_CONFIG_DIR": filepath.Join(root, "cfg"), "CLAUDE_CODE_PROJECT_DIR_NAME": "here"}
	return func(name string) (string, bool) { v, ok := all[name]; return v, ok }
}

// suiteKind is the kind on a machine whose configuration lies beside the project that
// is opened.
func suiteKind() system.System {
	now := func() time.Time { return time.Date(2026, 10, 20, 12, 0, 0, 0, time.UTC) }
	nowhere := func() machine {
		m := machineOf("", func(string) (string, bool) { return "", false })
		m.managed = "/nonexistent/claude-code"
		return m
	}
	k := systemOn(now, nowhere)
	at := func(path string) machine {
		root := filepath.Dir(path)
		if i := strings.Index(path, "/cfg/projects/"); i >= 0 {
			root = path[:i]
		}
		m := machineOf(root, vars(root))
		m.managed = "/nonexistent/claude-code"
		m.alive = func(int) bool { return false }
		return m
	}
	k.Open = func(path string) (system.Store, error) { return open(path, at(path), now), nil }
	k.Reads = func(path string) (memory.Place, bool) { return reads(at(path), path) }
	return k
}

func files(texts map[string]string) fs.FS {
	out := fstest.MapFS{}
	for name, text := range texts {
		out[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return out
}

const memories = "cfg/projects/here/memory/"

func sound() map[string]string {
	return map[string]string{
		"work/main.go":                                 "package main\n",
		"work/.git/HEAD":                               "ref: refs/heads/main\n",
		"work/packages/app/CLAUDE.md":                  "# App\n\nIts tests need a browser.\n",
		"work/packages/app/.claude/rules/style.md":     "---\npaths: \"*.ts\"\n---\n# Style\n\nTabs.\n",
		"work/.claude/agent-memory/reviewer/MEMORY.md": "# Reviewer\n\nLooks at errors first.\n",
		memories + "user_role.md":                      "---\nname: user-role\ndescription: \"Writes Go; wants diffs\"\nmetadata: \n  node_type: memory\n  type: user\n  originSessionId: 1-2\n---\n\nA body that says [[tests]].\n",
		memories + "tests.md":                          "---\nname: tests\ndescription: Tests need a database\ntype: feedback\nodd: [1, 2]\n---\nRun the tests again.\n\n**Why:** because.\n",
		memories + "sub/crlf.md":                       "\ufeff---\r\nname: crlf\r\ndescription: 'Lines of Windows'\r\ntype: reference\r\n---\r\nOne\r\nTwo\r\n",
		memories + "no_end.md":                         "---\nname: no-end\ndescription: >-\n  folded\n  text\ntype: project\n---\nNo line end",
		memories + "MEMORY.md":                         "# Index\n\n- [Role](user_role.md) — writes Go\n- [Tests](tests.md)\n- [Windows](sub/crlf.md) — lines\n",
		memories + "CAPITALS_x.md":                     "---\ndescription: No name\ntype: project # a comment\n---\n\nText.\n",
	}
}

func damaged() map[string]string {
	all := sound()
	all[memories+"d1.md"] = "---\nname: d1\ndescription: \"never closed\ntype: project\n---\nBody.\n"
	all[memories+"t1.md"] = "---\nname: t1\ndescription: no fence\ntype: user\n"
	return all
}

func addition(text string) memory.Edit {
	body, kind := "Added by hand.", "project"
	return memory.Edit{Title: &text, Body: &body, Kind: &kind}
}

// TestFolderOfALostProjectPassesTheSuite has memories of which nobody knows the project.
func TestFolderOfALostProjectPassesTheSuite(t *testing.T) {
	lost := func(all map[string]string) fs.FS {
		out := map[string]string{}
		for name, text := range all {
			if rel, ok := strings.CutPrefix(name, memories); ok {
				out["cfg/projects/lost/memory/"+rel] = text
			}
		}
		return files(out)
	}
	systemtest.Run(t, systemtest.Config{
		System:  suiteKind(),
		Shape:   systemtest.Folder,
		Store:   "cfg/projects/lost",
		Ability: "project",
		Field:   memory.InTitle,
		Good:    lost(sound()), Damaged: lost(damaged()), Add: addition,
		Env: func(root string) system.Env { return system.Env{Home: root, Dir: root, Lookup: vars(root)} },
		Skip: map[string]string{
			"SearchFindsTheStore":               "a folder of projects is found in its configuration, and not below a folder that is named",
			"Writer/EditKeepsWhatOthersChanged": "a memory has no counts; TestEditsOfDifferentFieldsMerge tries what it has",
			"Writer/LinkIsKept":                 "a folder of projects is known by its place",
		},
	})
}

func TestProjectPassesTheSuite(t *testing.T) {
	kind := suiteKind()
	systemtest.Run(t, systemtest.Config{
		System: kind, Shape: systemtest.Folder, Store: "work", Ability: "project", Field: memory.InTitle,
		Good: files(sound()), Damaged: files(damaged()),
		Add: addition,
		Env: func(root string) system.Env {
			return system.Env{Home: root, Dir: filepath.Join(root, "work"), Lookup: vars(root)}
		},
		Skip: map[string]string{
			"Writer/EditKeepsWhatOthersChanged":   "a memory has no counts; TestEditsOfDifferentFieldsMerge tries what it has",
			"Writer/VanishedFolderHasItsSentence": "its memories do not lie in the folder of the project",
			"Writer/LinkIsKept":                   "the memories of a project lie under the name of its path, whatever that leads to",
		},
	})
}
