package mcpmemory

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"winnow/core/entries"
	"winnow/core/memory"
	"winnow/core/system"
	"winnow/core/system/systemtest"
)

func morning() time.Time { return time.Date(2026, 11, 29, 8, 0, 0, 0, time.UTC) }

func textFile(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text), Mode: 0o644} }

func envOf(home, dir string) system.Env {
	return system.Env{Home: home, Dir: dir, Lookup: func(string) (string, bool) { return "", false }}
}

// graph returns what version 2026.8.31 of the server wrote.
func graph(t testing.TB) string {
	b, err := os.ReadFile("testdata/graph.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestGraphIsAStoreLikeOthers(t *testing.T) {
	const store = "shop/memory.jsonl"
	settings := func(root string) (home string) { // not in the folder that the tests watch
		home = t.TempDir()
		text := `{"mcpServers": {"memory": {"env": {"` + variable + `": "` + filepath.Join(root, store) + `"}}}}`
		if err := os.WriteFile(filepath.Join(home, ".claude.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return home
	}
	const more = `{"type":"entity","name":"Bo","entityType":"person","observations":["Lives in Graz"]}` + "\n" +
		`{"type":"entity","name":"Cy","entityType":"person","observations":["Lives in Linz"]}` + "\n"
	systemtest.Run(t, systemtest.Config{
		System: System(morning), Store: store, Field: memory.InBody, Ability: "graph",
		Good: fstest.MapFS{store: textFile(more + graph(t))},
		Damaged: fstest.MapFS{store: textFile(
			strings.Replace(graph(t), "\n", "\n{\"type\":\"entity\",\"name\":\n{\"type\":\"entity\",\"name\":\"Bo\",\"observations\":[]}\n", 1),
		)},
		Add: func(text string) memory.Edit {
			title := "note " + string(entries.ID(text))
			return memory.Edit{Title: &title, Body: &text}
		},
		Env: func(root string) system.Env { return envOf(settings(root), filepath.Join(root, "shop")) },
		Skip: map[string]string{
			"FindCostsNothingWhereNothingIs":    "the settings that name it are written by this test",
			"Writer/EditKeepsWhatOthersChanged": "a record has no counts that merge",
		},
	})
}

// TestRelationsGoAlong: the server deletes the relations of an entity with it.
func TestRelationsGoAlong(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.jsonl")
	if err := os.WriteFile(path, []byte(graph(t)), 0o600); err != nil {
		t.Fatal(err)
	}
	_, records := open(path, morning).Records()
	gone := memory.Change{Do: memory.Deleting, ID: records[0].ID, Before: records[0].Raw, Record: records[0], Line: 1}
	more, why := companions(records, []memory.Change{gone})
	if len(more) != 1 || more[0].ID != records[2].ID || !more[0].Companion || len(why) != 1 {
		t.Errorf("%+v, %q go along", more, why)
	}
}

func TestEditKeepsWhatItDoesNotSet(t *testing.T) {
	stored := `{ "type":"entity", "extra": 1.0, "name":"A\u0064a","entityType":"person","observations":["a"] }`
	body, kind, name := "a\nb", "woman", "Bo"
	got, err := edited(stored, memory.Edit{Body: &body, Kind: &kind})
	want := `{ "type":"entity", "extra": 1.0, "name":"A\u0064a","entityType":"woman","observations":["a","b"] }`
	if err != nil || got != want {
		t.Errorf("the line is %s (%v), want %s", got, err, want)
	}
	for _, c := range []struct {
		stored string
		e      memory.Edit
	}{
		{stored, memory.Edit{Title: &name}},
		{`{"type":"relation","from":"a","to":"b","relationType":"c"}`, memory.Edit{Kind: &kind}},
		{`{"type":"other"}`, memory.Edit{Body: &body}},
		{`{"type":"entity","name":"a","entityType":"c","observations":["x\ny"]}`, memory.Edit{Body: &body}},
		{"", memory.Edit{}},
	} {
		if got, err := edited(c.stored, c.e); err == nil {
			t.Errorf("an edit of %q gives %q", c.stored, got)
		}
	}
}

func TestSettingsOfEachAgentNameTheFile(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, "graph.jsonl")
	for name, text := range map[string]string{
		".claude.json":              `{"projects": {"/srv": {"mcpServers": {"m": {"env": {"MEMORY_FILE_PATH": "@@"}}}}}}`,
		".codex/config.toml":        "[mcp_servers.m.env]\nMEMORY_FILE_PATH = \"@@\"\n",
		".config/goose/config.yaml": "extensions:\n  m:\n    envs:\n      MEMORY_FILE_PATH: @@\n",
		".gemini/settings.json":     "{ // a comment\n\"mcpServers\": {\"m\": {\"env\": {\"MEMORY_FILE_PATH\": \"@@\"}}}}",
		".cursor/mcp.json":          `{"MEMORY_FILE_PATH": "memory.jsonl"}`,
		".factory/mcp.json":         `{"MEMORY_FILE_PATH": `,
	} {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(text, "@@", file)), 0o600); err != nil {
			t.Fatal(err)
		}
		want := []string{file}
		if strings.Contains(name, "mcp.json") {
			want = nil // a path below the unknown folder of the server, and settings that are no JSON
		}
		if got := named(path); !slices.Equal(got, want) {
			t.Errorf("%s names %q, want %q", name, got, want)
		}
	}
	if found := find(t.Context(), envOf(home, "")); len(found.Places) == 0 || found.Places[0].Path != file {
		t.Errorf("found are %+v", found.Places)
	}
}

func FuzzGraph(f *testing.F) {
	f.Add(graph(f), uint8(0), "x")
	f.Add("{}\r\n\n"+graph(f)+"\n", uint8(2), "a\nb")
	f.Add(`{"type":"entity","name":"a"}`+"\n"+`{"type":"entity","name":"a"}`, uint8(1), "")
	f.Fuzz(func(t *testing.T, text string, which uint8, body string) {
		form := form()
		n := form.Split(text)
		if len(n.Spans) == 0 {
			return
		}
		i := int(which) % len(n.Spans)
		raw := n.Raw(i)
		gone := memory.Change{Do: memory.Deleting, ID: form.Record(raw, i+1).ID, Before: raw, Line: i + 1}
		made, p := form.Rewrite(text, []memory.Change{gone}, nil)
		if p != nil {
			return
		}
		if want := slices.Delete(n.Raws(), i, i+1); !slices.Equal(form.Split(made.Text).Raws(), want) {
			t.Fatalf("deleting %q leaves %q, want %q", raw, form.Split(made.Text).Raws(), want)
		}
		after, err := edited(raw, memory.Edit{Body: &body})
		if err != nil || after == raw {
			return
		}
		change := memory.Change{Do: memory.Editing, ID: gone.ID, Before: raw, After: after, Line: i + 1}
		made, p = form.Rewrite(text, []memory.Change{change}, nil)
		if want := n.Raws(); p == nil {
			want[i] = after
			if got := form.Split(made.Text).Raws(); !slices.Equal(got, want) {
				t.Fatalf("editing %q leaves %q, want %q", raw, got, want)
			}
		}
	})
}
