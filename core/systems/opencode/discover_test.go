package opencode

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/core/filestore"
)

// packed is the tree of instruction files that the vectors were made with. It is kept
// packed, so that no agent takes it for its own instructions.
const packed = "../../../testdata/stores/opencode/instructions.txtar"

// vectors are what OpenCode 1.18.33 sent to its model.
const vectors = "../../../testdata/vectors/opencode/instructions.json"

// unpack lays the tree out in a folder that stands for /home/dev, and returns the machine
// on which that is the home.
func unpack(t *testing.T, env map[string]string) (machine, string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	a, err := txtar.ParseFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		put(t, filepath.Join(home, f.Name), strings.ReplaceAll(string(f.Data), "/home/dev", home))
	}
	if err := os.Mkdir(filepath.Join(home, "work/demo/.git"), 0o755); err != nil {
		t.Fatal(err)
	}
	return testMachine(home, env), home
}

func testMachine(home string, env map[string]string) machine {
	return machine{
		home: home, top: home, managed: filepath.Join(home, "etc"),
		lookup: func(name string) (string, bool) {
			v, ok := env[name]
			return strings.ReplaceAll(v, "/home/dev", home), ok
		},
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, home string, paths ...string) {
	t.Helper()
	for _, p := range paths {
		if err := os.Remove(filepath.Join(home, p)); err != nil {
			t.Fatal(err)
		}
	}
}

// opened is one vector.
type opened struct {
	Paths  []string
	Block  string
	Result string `json:"tool_result"`
}

func load(t *testing.T) map[string]opened {
	t.Helper()
	text, err := os.ReadFile(vectors)
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]opened
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	return all
}

const remoteURL = "http://127.0.0.1:18081/remote-rules.md"

// vectorCase says in what circumstances a vector was made.
type vectorCase struct {
	folder  string
	env     map[string]string
	arrange func(t *testing.T, home string)
}

func vectorCases() map[string]vectorCase {
	const on = "1"
	gone := func(paths ...string) func(*testing.T, string) {
		return func(t *testing.T, home string) { t.Helper(); remove(t, home, paths...) }
	}
	noAgents := []string{
		"work/demo/AGENTS.md",
		"work/demo/packages/web/AGENTS.md",
		"work/demo/packages/web/src/AGENTS.md",
	}
	noneGlobal := append([]string{".config/opencode/AGENTS.md"}, noAgents...)
	return map[string]vectorCase{
		"A-web":                   {folder: "work/demo/packages/web"},
		"B-root":                  {folder: "work/demo"},
		"G-api-claude-shadowed":   {folder: "work/demo/packages/api"},
		"E-no-project-config":     {folder: "work/demo", env: map[string]string{noProjectConfig: on}},
		"F-config-dir":            {folder: "work/demo", env: map[string]string{configDir: "/home/dev/alt-config"}},
		"L-disable-claude-prompt": {folder: "work/demo", env: map[string]string{noClaudePrompt: "true"}},
		"J-nogit":                 {folder: "work/plain/sub"},
		"I-empty-agents": {folder: "work/demo", arrange: func(t *testing.T, home string) {
			t.Helper()
			put(t, filepath.Join(home, "work/demo/AGENTS.md"), "")
			remove(t, home, "work/demo/packages/web/AGENTS.md")
		}},
		"C-claude-fallback": {folder: "work/demo/packages/api", arrange: gone(noAgents...)},
		"D-context-fallback": {
			folder:  "work/demo",
			env:     map[string]string{noClaudePrompt: on},
			arrange: gone(noAgents...),
		},
		"K-global-claude": {folder: "work/demo", arrange: gone(noneGlobal...)},
		"M-global-none-disabled": {
			folder:  "work/demo",
			env:     map[string]string{noClaude: on},
			arrange: gone(noneGlobal...),
		},
		"H-nested-read": {folder: "work/demo", arrange: gone(".config/opencode/AGENTS.md")},
	}
}

// sent returns the paths and the text that a model would get, with what the fetched file
// held when the vectors were made.
func sent(o *opening) (paths []string, text string) {
	var pieces []piece
	for _, f := range o.files {
		pieces = append(pieces, piece{path: f.path, text: filestore.Read(f.path, 512<<10).Text})
	}
	for _, u := range o.urls {
		pieces = append(pieces, piece{path: u.text, text: "REMOTE RULES (fake)\n"})
	}
	b := joined(nil, "", pieces, "\n", "").Block("", "")
	for _, p := range b.Parts {
		paths = append(paths, p.Path)
	}
	return paths, b.Text
}

func TestStartingTextIsWhatTheModelGot(t *testing.T) {
	want := load(t)
	cases := vectorCases()
	if len(want) != len(cases) {
		t.Errorf("%d vectors, and circumstances of %d", len(want), len(cases))
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m, home := unpack(t, c.env)
			if c.arrange != nil {
				c.arrange(t, home)
			}
			o := m.opening(filepath.Join(home, c.folder))
			paths, text := sent(&o)
			for i := range paths {
				paths[i] = strings.Replace(paths[i], home, "/home/dev", 1)
			}
			if !slices.Equal(paths, want[name].Paths) {
				t.Errorf("paths are\n%s\nwant\n%s", strings.Join(paths, "\n"), strings.Join(want[name].Paths, "\n"))
			}
			if text = strings.ReplaceAll(text, home, "/home/dev"); text != want[name].Block {
				t.Errorf("text is\n%q\nwant\n%q", text, want[name].Block)
			}
		})
	}
}
