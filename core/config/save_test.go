package config

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/memory"
)

// commented has comments, an order of its own and no line end at its end.
const commented = "# mine\n[views.b]\nfilter = \"x\" # keep\n\n# theme last\n[history]\ndays = 7 # a week"

func TestASavedViewLeavesAllElseInTheFile(t *testing.T) {
	for _, was := range []string{
		"",
		commented,
		commented + "\n",
		strings.ReplaceAll(commented, "\n", "\r\n") + "\r\n",
	} {
		path := filepath.Join(t.TempDir(), "winnow", "config.toml")
		if was != "" {
			if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700),
				os.WriteFile(path, []byte(was), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		v := View{Filter: `used:never "two words" \ é`, Sort: "age", Reverse: true}
		if err := SaveView(t.Context(), path, "stale ones", v); err != nil {
			t.Fatal(err)
		}
		now, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(now), was) {
			t.Fatalf("%q, %v", now, err)
		}
		if strings.Contains(was, "\r\n") && strings.Contains(strings.ReplaceAll(string(now), "\r\n", ""), "\n") {
			t.Errorf("two kinds of line ends: %q", now)
		}
		got := Read(path)
		if v, ok := got.Views["stale ones"]; len(got.Mistakes) > 0 || !ok || v.Filter != `used:never "two words" \ é` || !v.Reverse {
			t.Errorf("%q: %v %+v", now, got.Mistakes, got.Views)
		}
	}
}

func TestAViewThatCannotBeSavedChangesNothing(t *testing.T) {
	for was, name := range map[string]string{
		"theme = \n":                         "a",
		"theme = \"dark\"\nnonsense = 1\n":   "b",
		commented:                            "b",
		"views = { x = { filter = \"y\" } }": "c",
		"# 1\n":                              "\x1b[2J",
		"# 2\n":                              " ",
		"# 3\n":                              "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
		"# 4\n" + strings.Repeat("#", mostConfig-20): "d",
	} {
		path := filepath.Join(t.TempDir(), "config.toml")
		if err := os.WriteFile(path, []byte(was), 0o600); err != nil {
			t.Fatal(err)
		}
		q := new(memory.Problem)
		if err := SaveView(t.Context(), path, name, View{Filter: "x"}); !errors.As(err, &q) || q.Hint == "" {
			t.Errorf("%.40q: %v", was, err)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != was {
			t.Errorf("%.40q became %.60q, %v", was, now, err)
		}
	}
}

// TestAViewIsAddedToWhatAnotherWriterPutThere while the first look at the file is already over.
func TestAViewIsAddedToWhatAnotherWriterPutThere(t *testing.T) {
	first, err := withView("c", []byte("theme = \"dark\"\n"), "a", View{Filter: "x"})
	if err != nil {
		t.Fatal(err)
	}
	second, err := withView("c", append(first, "# theirs\n"...), "b", View{Filter: "y"})
	if err != nil || !strings.Contains(string(second), "[views.\"a\"]\nfilter = \"x\"\n# theirs\n\n[views.\"b\"]") {
		t.Errorf("%q, %v", second, err)
	}
}

// FuzzSaveView: whatever the file and the view are, the file only grows, and is read afterwards.
func FuzzSaveView(f *testing.F) {
	f.Add(commented, "a", "b")
	f.Add("views.x = {}", "\"", "\\")
	f.Fuzz(func(t *testing.T, was, name, filter string) {
		next, err := withView("c", []byte(was), name, View{Filter: filter})
		if err != nil {
			return
		}
		after := File{}
		after.parse(next)
		if !strings.HasPrefix(string(next), was) || len(after.Mistakes) > 0 || after.Views[name].Filter != filter {
			t.Errorf("%q: %v", next, after.Mistakes)
		}
	})
}
