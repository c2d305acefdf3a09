package karnevil9

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/system"
)

// folder makes a folder with the files; a name that ends with / is a folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		dir := filepath.Dir(path)
		if strings.HasSuffix(name, "/") {
			dir = path
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if dir == path {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func env(dir string, vars map[string]string) system.Env {
	return system.Env{Dir: dir, Lookup: func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}}
}

// places returns the stores of a survey relative to root, those that do not
// exist with a question mark.
func places(t *testing.T, root string, s memory.Survey) string {
	t.Helper()
	var all []string
	for _, p := range s.Places {
		rel, err := filepath.Rel(root, string(p.Store))
		if err != nil {
			t.Fatal(err)
		}
		if !p.Exists {
			rel += "?"
		}
		all = append(all, filepath.ToSlash(rel))
	}
	return strings.Join(all, " ")
}

func TestStoresAreFoundWhereTheAgentKeepsThem(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		dir   string
		vars  map[string]string
		want  string
		note  string // on the first place where was looked
	}{
		"nothing": {want: "", note: "not set"},
		"both layouts": {
			files: map[string]string{"sessions/memory.jsonl": "", "data/memory.jsonl": ""},
			want:  "sessions/memory.jsonl data/memory.jsonl",
			note:  "not set",
		},
		"variable": {
			files: map[string]string{"x.jsonl": ""},
			vars:  map[string]string{pathVariable: "x.jsonl"},
			want:  "x.jsonl",
		},
		"variable, gone": {vars: map[string]string{pathVariable: "x.jsonl"}, want: "x.jsonl?", note: "does not exist"},
		"empty variable": {vars: map[string]string{pathVariable: ""}, want: "", note: "empty path"},
		"variable first": {
			files: map[string]string{"sessions/memory.jsonl": "", "x": ""},
			vars:  map[string]string{pathVariable: "x"},
			want:  "x sessions/memory.jsonl",
		},
		"named twice": {
			files: map[string]string{"sessions/memory.jsonl": ""},
			vars:  map[string]string{pathVariable: "./sessions/memory.jsonl"},
			want:  "sessions/memory.jsonl",
		},
		".env": {
			files: map[string]string{
				".env":      "A=1\nexport KARNEVIL9_MEMORY_PATH = \"x y.jsonl\" # here\n",
				"x y.jsonl": "",
			},
			want: "x y.jsonl",
			note: "not set",
		},
		"environment won": {
			files: map[string]string{".env": "KARNEVIL9_MEMORY_PATH=x", "x": "", "y": ""},
			vars:  map[string]string{pathVariable: "y"},
			want:  "y",
		},
		"empty one won": {
			files: map[string]string{".env": "KARNEVIL9_MEMORY_PATH=x", "x": ""},
			vars:  map[string]string{pathVariable: ""},
			want:  "",
			note:  "empty path",
		},
		"git root": {
			files: map[string]string{".git/": "", "sessions/memory.jsonl": "", "a/b/": ""},
			dir:   "a/b",
			want:  "sessions/memory.jsonl",
			note:  "not set",
		},
		"worktree": {
			files: map[string]string{".git": "gitdir: x", "data/memory.jsonl": "", "a/sessions/memory.jsonl": ""},
			dir:   "a",
			want:  "a/sessions/memory.jsonl data/memory.jsonl",
			note:  "not set",
		},
		"game": {
			files: map[string]string{"active-memory.jsonl": "", "run-1/active-memory.jsonl": ""},
			want:  "active-memory.jsonl run-1/active-memory.jsonl",
			note:  "not set",
		},
	} {
		t.Run(name, func(t *testing.T) {
			root := folder(t, c.files)
			s := find(t.Context(), env(filepath.Join(root, filepath.FromSlash(c.dir)), c.vars))
			if got := places(t, root, s); got != c.want {
				t.Errorf("found %q, want %q", got, c.want)
			}
			if note := s.Looked[0].Note; !strings.Contains(note, c.note) {
				t.Errorf("note %q, want %q in it", note, c.note)
			}
			for _, p := range s.Places {
				if p.Why == "" || p.System != ID {
					t.Errorf("place without a reason or a system: %+v", p)
				}
			}
		})
	}
}

func TestDotenvIsReadAsTheAgentReadsIt(t *testing.T) {
	const none = "none"
	for text, want := range map[string]string{
		"KARNEVIL9_MEMORY_PATH=a/b.jsonl":                  "a/b.jsonl",
		"KARNEVIL9_MEMORY_PATH=a # b":                      "a",
		"KARNEVIL9_MEMORY_PATH='a # b'":                    "a # b",
		"KARNEVIL9_MEMORY_PATH=\"a\\nb\"":                  "a\nb",
		"KARNEVIL9_MEMORY_PATH='a\\nb'":                    `a\nb`,
		"KARNEVIL9_MEMORY_PATH=`a b`":                      "a b",
		"KARNEVIL9_MEMORY_PATH: a":                         "a",
		"  export KARNEVIL9_MEMORY_PATH= a \r\nB=c":        "a",
		"KARNEVIL9_MEMORY_PATH=":                           "",
		"KARNEVIL9_MEMORY_PATH=''":                         "",
		"KARNEVIL9_MEMORY_PATH=a\nKARNEVIL9_MEMORY_PATH=b": "b",
		"#KARNEVIL9_MEMORY_PATH=a":                         none,
		"XKARNEVIL9_MEMORY_PATH=a":                         none,
		"KARNEVIL9_MEMORY_PATH":                            none,
		"":                                                 none,
	} {
		got, ok := parseDotenv(text, pathVariable)
		if !ok {
			got = none
		}
		if got != want {
			t.Errorf("%q = %q, want %q", text, got, want)
		}
	}
}

func TestStoresAreSpottedByNameOrByTheirFirstLine(t *testing.T) {
	lesson := string(lessons(2))
	root := folder(t, map[string]string{
		"memory.jsonl":        "",
		"active-memory.jsonl": "",
		"kept.jsonl":          lesson,
		"bom.jsonl":           "\ufeff" + lesson,
		"log.jsonl":           `{"event":"x"}`,
		"empty.jsonl":         "",
		"broken.jsonl":        "{",
		"huge.jsonl":          strings.Repeat("x", 2*peekSize),
		"lessons.txt":         lesson,
	})
	if err := os.Symlink("memory.jsonl", filepath.Join(root, "link.jsonl")); err != nil {
		t.Skip("symbolic links cannot be made here:", err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	s := memory.Survey{Places: storesIn(root, entries)}
	if got, want := places(t, root, s), "active-memory.jsonl bom.jsonl kept.jsonl memory.jsonl"; got != want {
		t.Errorf("found %q, want %q", got, want)
	}
}

func FuzzDotenv(f *testing.F) {
	f.Add("KARNEVIL9_MEMORY_PATH='a\nb' # c")
	f.Fuzz(func(t *testing.T, text string) {
		if value, ok := parseDotenv(text, pathVariable); !ok && value != "" {
			t.Errorf("a value %q that is not there", value)
		}
	})
}
