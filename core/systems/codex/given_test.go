//go:build unix

package codex

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"winnow/core/memory"
	"winnow/core/system"
)

// packed is a text of the vectors: a string, or a list of strings and of pairs of a string and how often it is
// repeated, or {"$b64": bytes}.
type packedText struct{ json.RawMessage }

func (p packedText) text(t *testing.T) string {
	t.Helper()
	var whole string
	var bytes struct {
		B64 string `json:"$b64"`
	}
	var parts []json.RawMessage
	switch {
	case json.Unmarshal(p.RawMessage, &whole) == nil:
		return whole
	case json.Unmarshal(p.RawMessage, &bytes) == nil:
		b, err := base64.StdEncoding.DecodeString(bytes.B64)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if err := json.Unmarshal(p.RawMessage, &parts); err != nil {
		t.Fatal(err)
	}
	out := ""
	for _, part := range parts {
		var pair []any
		if json.Unmarshal(part, &pair) == nil {
			out += strings.Repeat(pair[0].(string), int(pair[1].(float64)))
		} else {
			out += packedText{part}.text(t)
		}
	}
	return out
}

// given is one run of Codex 0.169.0, or 0.171.0 for the second version of memories, against a model that
// answers at once: the files there were, and what of them the first request held. {ROOT} stands for the folder that
// they were in.
type given struct {
	Name, Cwd  string
	CodexHome  string
	HomeLink   string
	Env        map[string]string
	Files      map[string]packedText
	Agents     packedText
	Memory     packedText
	MemoryFrom packedText // from the line before the summary
	Refused    bool       // it did not start
}

// arrange makes the files of a case.
func (g *given) arrange(t *testing.T, root string) system.Env {
	t.Helper()
	if g.HomeLink != "" {
		must(t, os.MkdirAll(filepath.Join(root, g.HomeLink), 0o755))
		must(t, os.Symlink(filepath.Join(root, g.HomeLink), filepath.Join(root, g.CodexHome)))
	}
	for _, name := range slices.Sorted(maps.Keys(g.Files)) {
		path := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		var odd struct {
			Link      string
			Dir, Fifo int
		}
		_ = json.Unmarshal(g.Files[name].RawMessage, &odd)
		switch {
		case odd.Link != "":
			must(t, os.Symlink(strings.ReplaceAll(odd.Link, "{ROOT}", root), path))
		case odd.Dir > 0:
			must(t, os.MkdirAll(path, 0o755))
		case odd.Fifo > 0:
			must(t, syscall.Mkfifo(path, 0o600))
		default:
			must(t, os.WriteFile(path, []byte(strings.ReplaceAll(g.Files[name].text(t), "{ROOT}", root)), 0o600))
		}
	}
	must(t, os.MkdirAll(filepath.Join(root, g.Cwd), 0o755))
	return system.Env{
		Home: filepath.Join(root, "home"),
		Dir:  filepath.Join(root, g.Cwd),
		Lookup: func(name string) (string, bool) {
			v, ok := g.Env[name]
			return strings.ReplaceAll(v, "{ROOT}", root), ok
		},
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func allGiven(t *testing.T) (all []given) {
	t.Helper()
	b, err := os.ReadFile("testdata/given.json")
	must(t, err)
	must(t, json.Unmarshal(b, &all))
	return all
}

func noon() time.Time { return time.Date(2026, 11, 24, 12, 0, 0, 0, time.UTC) }

func TestRecallIsWhatCodexWasSeenToSend(t *testing.T) {
	all := allGiven(t)
	if len(all) < 140 {
		t.Errorf("%d cases, want those that were captured", len(all))
	}
	for _, g := range all {
		t.Run(g.Name, func(t *testing.T) { g.check(t) })
	}
}

func (g *given) check(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	env := g.arrange(t, root)
	r, err := agent().Open(env, noon, env.Dir).Recall(t.Context(), memory.Task{Folder: env.Dir})
	must(t, err)
	if (r.Stop != nil) != g.Refused {
		t.Errorf("Codex refused to start: %t, and the recall says %+v", g.Refused, r.Stop)
	}
	got := map[string]string{}
	for _, b := range append([]memory.Block{r.Block}, r.Also...) {
		got[b.Name] = strings.ReplaceAll(b.Text, root, "{ROOT}")
	}
	for name, want := range map[string]packedText{instructionsName: g.Agents, memoriesName: g.Memory} {
		text := ""
		if want.RawMessage != nil {
			text = want.text(t)
		}
		if g.MemoryFrom.RawMessage != nil && name == memoriesName {
			_, got[name], _ = strings.Cut(got[name], "note in {ROOT}")
			_, got[name], _ = strings.Cut(got[name], "\n\n")
			text = g.MemoryFrom.text(t)
		}
		if got[name] != text {
			t.Errorf("%s are\n%q\nwant\n%q", name, shown(got[name]), shown(text))
		}
	}
}

func shown(text string) string { return text[:min(len(text), 1500)] }
