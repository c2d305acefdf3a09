package claudecode

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"winnow/core/memory"
)

// fixture is a home folder with two projects that Claude Code worked in.
type fixture struct {
	home, etc string
	want      expected
	now       time.Time
	live      map[int]bool // processes that run
	vars      map[string]string
}

// expected is what the fixture says of itself.
type expected struct {
	Now      time.Time         `json:"reference_now"`
	Slug     map[string]string `json:"slug"`
	Project1 struct {
		Indexed    int            `json:"indexed"`
		Dangling   []string       `json:"dangling_index_links"`
		Orphans    []string       `json:"orphan_files"`
		NoHeader   []string       `json:"no_frontmatter"`
		Old        []string       `json:"old_frontmatter"`
		Nested     []string       `json:"nested_metadata_frontmatter"`
		Over200    []string       `json:"over_200_lines"`
		Injection  []string       `json:"injection"`
		Secrets    []string       `json:"secrets"`
		Unresolved []string       `json:"unresolved_wikilinks"`
		AgeDays    map[string]int `json:"age_days"`
	} `json:"project1"`
	Project2 struct {
		RawLines    int      `json:"index_raw_lines"`
		RawBytes    int      `json:"index_raw_bytes"`
		LoadedLines int      `json:"index_loaded_lines"`
		LoadedBytes int      `json:"index_loaded_bytes"`
		OverLines   bool     `json:"over_line_limit"`
		OverBytes   bool     `json:"over_byte_limit"`
		Broken      []string `json:"broken_frontmatter"`
		CRLF        []string `json:"bom_crlf"`
		Empty       []string `json:"empty"`
	} `json:"project2"`
	LoadOrder []string `json:"load_order_cwd_shop_api"`
	Imports   struct {
		Hops     int      `json:"docs_say_max_hops"`
		Limit4   []string `json:"with_limit_4"`
		Cycle    []string `json:"cycle"`
		Never    []string `json:"never"`
		Missing  []string `json:"missing"`
		External []string `json:"external_needs_approval"`
	} `json:"imports"`
	Transcripts map[string]struct {
		Project  string   `json:"project"`
		Injected []string `json:"injected"`
		Live     int      `json:"live_registry_pid"`
	} `json:"transcripts"`
}

const stores = "../../../testdata/stores/claudecode/"

// unpack writes the fixture, with its dates, into a folder of the test. What names its
// home names that folder instead.
func unpack(t testing.TB) *fixture {
	t.Helper()
	dir := t.TempDir()
	f := &fixture{
		home: filepath.Join(dir, "home-dev"),
		etc:  filepath.Join(dir, "etc-claude-code"),
		live: map[int]bool{},
		vars: map[string]string{},
	}
	dates := struct {
		Mtimes map[string]time.Time `json:"mtimes"`
	}{}
	const was = "/home/dev"
	place := func(name string) string {
		name = strings.ReplaceAll(name, slug(was), slug(f.home))
		return filepath.Join(dir, filepath.FromSlash(name))
	}
	for archive, below := range map[string]string{"home.txtar": "", "transcripts.txtar": "home-dev/.claude/"} {
		a, err := txtar.ParseFile(stores + archive)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range a.Files {
			if below == "" && file.Name == "expected.json" {
				decode(t, file.Data, &f.want)
			}
			if file.Name == "mtimes.json" {
				decode(t, file.Data, &dates)
			}
			if strings.HasSuffix(file.Name, ".jsonl") || strings.Contains(file.Name, "sessions/") {
				file.Data = bytes.ReplaceAll(
					bytes.ReplaceAll(file.Data, []byte(was), []byte(f.home)),
					[]byte(slug(was)),
					[]byte(slug(f.home)),
				)
			}
			put(t, place(below+file.Name), string(file.Data))
		}
	}
	for name, at := range dates.Mtimes {
		if err := os.Chtimes(place(name), at, at); err != nil {
			t.Fatal(err)
		}
	}
	f.now = f.want.Now
	for _, root := range []string{"shop_api", "site"} {
		if err := os.MkdirAll(filepath.Join(f.home, "work", root, ".git"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func decode(t testing.TB, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) machine() machine {
	m := machineOf(f.home, func(name string) (string, bool) { v, ok := f.vars[name]; return v, ok })
	m.managed = f.etc
	m.ordered = func(dir string) []fs.DirEntry { return names(dir, maxFiles) } // as the fixture has it
	m.alive = func(pid int) bool { return f.live[pid] }
	return m
}

func (f *fixture) path(rel string) string { return filepath.Join(f.home, filepath.FromSlash(rel)) }

// memory returns the folder of auto memory of a project.
func (f *fixture) memory(project string) string {
	return filepath.Join(f.home, ".claude", "projects", slug(f.path(project)), "memory")
}

// open returns the store at a path of the home folder.
func (f *fixture) open(t testing.TB, rel string) *store {
	t.Helper()
	s := open(f.path(rel), f.machine(), func() time.Time { return f.now })
	return s
}

// records returns the records of a store, by ID, and their IDs in order.
func records(t testing.TB, s *store) (map[memory.ID]memory.Record, []memory.ID) {
	t.Helper()
	all, order := map[memory.ID]memory.Record{}, []memory.ID(nil)
	err := s.List(t.Context(), func(r memory.Record) error {
		all[r.ID] = r
		order = append(order, r.ID)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(order) {
		t.Errorf("IDs are not unique: %q", order)
	}
	return all, order
}

// fact returns what a record says under a name.
func fact(r memory.Record, name string) string {
	i := slices.IndexFunc(r.Facts, func(f memory.Fact) bool { return f.Name == name })
	if i < 0 {
		return ""
	}
	return r.Facts[i].Text
}

// noted reports whether a note of a record has all the words.
func noted(r memory.Record, words ...string) bool {
	return slices.ContainsFunc(r.Notes, func(n string) bool {
		return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(n, w) })
	})
}

func healthy(h []memory.Health, code string) *memory.Health {
	for i := range h {
		if h[i].Code == code {
			return &h[i]
		}
	}
	return nil
}

func touch(t testing.TB, path string, at time.Time) {
	t.Helper()
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// memoryFolderOf returns a folder of auto memory that was looked into.
func memoryFolderOf(dir, name, unused string) *memoryFolder {
	sh := &memoryFolder{dir: dir, name: name, unused: unused}
	sh.list()
	return sh
}
