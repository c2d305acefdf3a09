package gemini

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// run is one run of Gemini CLI 0.61.0 against a model that plays a script: the files that lay there, and what the
// requests to the model held. {root} stands for the folder in which all of it lay. A text that is too long is
// there as its digest and length.
type run struct {
	Name     string
	Files    map[string]content
	Cwd      string
	Settings json.RawMessage
	Env      map[string]string
	Model    string
	Tools    [][2]json.RawMessage
	Want     struct {
		System, First string
		Tools         []string
		Refused       bool
	}
}

// content is a file: its text, a link, or a folder.
type content struct {
	text, link, hard string
	folder           bool
}

func (c *content) UnmarshalJSON(b []byte) error {
	if json.Unmarshal(b, &c.text) == nil {
		return nil
	}
	var in struct {
		Link, Hard, Repeat string
		Times              int
		B64                []byte
		Dir                bool
	}
	err := json.Unmarshal(b, &in)
	c.text, c.link, c.hard, c.folder = string(in.B64)+strings.Repeat(in.Repeat, in.Times), in.Link, in.Hard, in.Dir
	return err
}

func runs(t testing.TB) (all []run) {
	t.Helper()
	b, err := os.ReadFile("testdata/given.json")
	if err == nil {
		err = json.Unmarshal(b, &all)
	}
	if err != nil || len(all) < 60 {
		t.Fatalf("%d runs: %v", len(all), err)
	}
	return all
}

// build makes the folders of a run, and returns the root of them and the environment.
func (r *run) build(t *testing.T) (root string, env system.Env) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	must := func(err error) {
		if t.Helper(); err != nil {
			t.Fatal(err)
		}
	}
	must(err)
	at := func(text string) string { return strings.ReplaceAll(text, "{root}", root) }
	if r.Cwd == "" {
		r.Cwd = "p"
	}
	if r.Files["p"].link == "" {
		must(os.MkdirAll(filepath.Join(root, r.Cwd), 0o755))
	}
	settings := at(string(r.Settings))
	if settings == "" {
		settings = "{}"
	}
	if !strings.Contains(settings, "folderTrust") {
		settings = strings.Replace(settings, "{", `{"security":{"folderTrust":{"enabled":false}},`, 1)
		settings = strings.Replace(settings, ",}", "}", 1)
	}
	r.Files["home/.gemini/settings.json"] = content{text: settings}
	var hard [][2]string
	for name, c := range r.Files {
		path := filepath.Join(root, filepath.FromSlash(name))
		must(os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case c.folder:
			must(os.MkdirAll(path, 0o755))
		case c.link != "":
			must(os.Symlink(at(c.link), path))
		case c.hard != "":
			hard = append(hard, [2]string{filepath.Join(root, c.hard), path})
		default:
			must(os.WriteFile(path, []byte(at(c.text)), 0o644))
		}
	}
	for _, h := range hard {
		must(os.Link(h[0], h[1]))
	}
	dir := filepath.Join(root, r.Cwd)
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	vars := map[string]string{systemVariable: filepath.Join(root, "nowhere", settingsFile)}
	for name, value := range r.Env {
		vars[name] = at(value)
	}
	return root, system.Env{Home: filepath.Join(root, "home"), Dir: dir, Lookup: func(name string) (string, bool) {
		value, set := vars[name]
		return value, set
	}}
}

// same fails unless the text is the wanted one.
func same(t *testing.T, what, root, got, want string) {
	t.Helper()
	got = strings.ReplaceAll(got, root, "{root}")
	if strings.HasPrefix(want, "sha256:") {
		sum := sha256.Sum256([]byte(got))
		got = fmt.Sprintf("sha256:%s:%d", hex.EncodeToString(sum[:]), len([]rune(got)))
	}
	if got != want {
		t.Errorf("%s:\n%q\nthe real one is\n%q", what, got, want)
	}
}

// TestGivenTextsAreThoseOfTheRealProgram compares what is given with the requests of real runs.
func TestGivenTextsAreThoseOfTheRealProgram(t *testing.T) {
	for _, r := range runs(t) {
		t.Run(r.Name, func(t *testing.T) {
			root, env := r.build(t)
			g := givenIn(t.Context(), instructions.Question{Env: env, Dir: env.Dir})
			if (g.settings.refused != "") != r.Want.Refused {
				t.Fatalf("refused: %q", g.settings.refused)
			}
			if r.Want.Refused {
				return
			}
			id := func(string) memory.ID { return "" }
			g.settings.old = strings.HasPrefix(r.Model, oldModel)
			same(t, "system prompt", root, g.system(id).Text, r.Want.System)
			same(t, "first message", root, g.first(id).Text, r.Want.First)
			for i, call := range r.Tools {
				var args struct {
					File string `json:"file_path"`
					Dir  string `json:"dir_path"`
				}
				if err := json.Unmarshal(call[1], &args); err != nil {
					t.Fatal(err)
				}
				target := strings.ReplaceAll(args.File+args.Dir, "{root}", root)
				if !filepath.IsAbs(target) {
					target = filepath.Join(env.Dir, target)
				}
				same(t, "tool result", root, g.withRead(target, id).Text, r.Want.Tools[i])
			}
		})
	}
}
