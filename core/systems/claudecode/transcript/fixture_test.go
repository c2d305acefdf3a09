package transcript

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

const packed = "../../../../testdata/stores/claudecode/transcripts.txtar"

// expected is what the fixture says of a transcript.
type expected struct {
	Project         string
	State           string
	Task            string
	Tools           []string
	ToolErrors      int      `json:"tool_errors"`
	Rejected        int      `json:"rejected_by_user"`
	MemoryWrites    int      `json:"memory_writes"`
	Pending         int      `json:"pending_tool_uses"`
	Torn            bool     `json:"torn_last_line"`
	Injected        []string `json:"injected"`
	LiveRegistryPID int      `json:"live_registry_pid"`
}

// unpack writes the fixture as a configuration folder and returns that, and what is
// expected by session.
func unpack(t testing.TB) (dir string, want map[string]expected) {
	t.Helper()
	a, err := txtar.ParseFile(packed)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, f := range a.Files {
		if f.Name == "expected.json" {
			if err := json.Unmarshal(f.Data, &want); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, f := range a.Files {
		if want[strings.TrimSuffix(filepath.Base(f.Name), ".jsonl")].Torn {
			f.Data = f.Data[:len(f.Data)-1]
		}
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, want
}

// ends are the words of the fixture for the ends.
var ends = map[End]string{
	Finished:    "finished",
	Interrupted: "interrupted",
	Broken:      "api_error",
	Open:        "in_flight_or_crashed",
}

func TestFixtureIsReadAsExpected(t *testing.T) {
	dir, want := unpack(t)
	for id, w := range want {
		path := filepath.Join(dir, "projects", w.Project, id+".jsonl")
		s, err := Session(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		var tools []string
		for _, step := range s.Steps {
			tools = append(tools, step.Tool)
		}
		if s.ID != id || ends[s.End] != w.State || s.Task != w.Task || !slices.Equal(tools, w.Tools) ||
			s.Failed+s.Rejected != w.ToolErrors || s.Rejected != w.Rejected || len(s.Writes) != w.MemoryWrites ||
			s.Pending != w.Pending {
			t.Errorf("%s: %+v\nwant %+v", id, s, w)
		}
		in, err := Injected(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		var recalled []string
		for _, p := range in.Pieces {
			if p.How == Recalled {
				recalled = append(recalled, filepath.Base(p.Path))
			}
		}
		if !slices.Equal(recalled, w.Injected) {
			t.Errorf("%s: recalled %q, want %q", id, recalled, w.Injected)
		}
		if w.LiveRegistryPID > 0 {
			live := Live(dir, func(pid int) bool { return pid == w.LiveRegistryPID })
			if len(live) != 1 || live[0].Session != id || live[0].Folder != "/home/dev/work/site" ||
				live[0].State != "busy" ||
				live[0].Since.UnixMilli() != 1792490000000 {
				t.Errorf("live: %+v", live)
			}
		}
	}
}

func TestInjectedTextsAreThoseOnRecord(t *testing.T) {
	dir, _ := unpack(t)
	in, err := Injected(
		t.Context(),
		filepath.Join(dir, "projects/-home-dev-work-shop-api/2b802e19-0320-4588-a910-39a3fc6ef4cd.jsonl"),
	)
	if err != nil || in.Unknown != "" {
		t.Fatal(in, err)
	}
	var got []string
	for _, p := range in.Received() {
		got = append(got, string(p.How)+" "+p.Type+" "+p.Path)
		if p.Content == "" {
			t.Errorf("%s says nothing", p.Path)
		}
	}
	want := []string{
		"instructions User /home/dev/.claude/CLAUDE.md", "instructions Project /home/dev/work/shop_api/CLAUDE.md",
		"instructions Local /home/dev/work/shop_api/CLAUDE.local.md",
		"instructions AutoMem /home/dev/.claude/projects/-home-dev-work-shop-api/memory/MEMORY.md",
		"nested Project /home/dev/work/shop_api/.claude/rules/api.md",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if p := in.Pieces[4]; !p.Differs {
		t.Errorf("nested: %+v", p)
	}
}

func TestHeadOfFixtureNamesFolderAndVersion(t *testing.T) {
	dir, want := unpack(t)
	for id, w := range want {
		h, err := Head(filepath.Join(dir, "projects", w.Project, id+".jsonl"))
		if err != nil || h.Session != id || h.Folder == "" || h.Version != "2.1.281" || h.Began.IsZero() {
			t.Errorf("%s: %+v, %v", id, h, err)
		}
	}
}

// BenchmarkHeads200 is what finding the folders of 200 projects costs: the newest
// transcript of each, of 20, and its head.
func BenchmarkHeads200(b *testing.B) {
	dirs := projects200(b)
	b.ReportAllocs()
	for b.Loop() {
		for _, dir := range dirs {
			if h, err := Head(List(dir)[0].Path); err != nil || h.Folder == "" {
				b.Fatal(h, err)
			}
		}
	}
}

// projects200 returns 200 folders of 20 transcripts.
func projects200(b *testing.B) []string {
	src, _ := unpack(b)
	data, err := os.ReadFile(
		filepath.Join(src, "projects/-home-dev-work-shop-api/2b802e19-0320-4588-a910-39a3fc6ef4cd.jsonl"),
	)
	if err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	var dirs []string
	for i := range 200 {
		dir := filepath.Join(root, "p"+string(rune('a'+i%26))+string(rune('a'+i/26)))
		dirs = append(dirs, dir)
		if err := os.Mkdir(dir, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 20 {
			if err := os.WriteFile(filepath.Join(dir, string(rune('a'+j))+".jsonl"), data, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	return dirs
}
