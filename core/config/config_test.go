package config

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const whole = `theme = "solar"

[keys]
curate.delete = ["d", "delete"]
global.undo = "u"

[keys.lessons]
filter = "/"

[views.stale]
filter = "used:never age:>14d"
sort = "age"
reverse = true
columns = ["age", "flags"]

[views]
"two words" = {filter = "flag:s"}

[columns]
all = ["rel"]
"claudecode/auto memory" = ["kind", "age"]

[history]
days = 30
mb = 0

[learn]
filter = "judge --strict"
commit = true
approve = true

[share]
fail_on = "high"
`

func TestSettings(t *testing.T) {
	f := Read(written(t, whole))
	c := f.Config
	if f.Problem() != nil {
		t.Fatal(f.Mistakes)
	}
	if c.Theme != "solar" || c.Learn.Filter != "judge --strict" || !c.Learn.Commit || !c.Learn.Approve ||
		*c.History.Days != 30 ||
		*c.History.MB != 0 ||
		c.Share.FailOn != "high" {
		t.Errorf("%+v", c)
	}
	if got, want := f.Bindings(), (map[string][]string{
		"curate.delete":  {"d", "delete"},
		"global.undo":    {"u"},
		"lessons.filter": {"/"},
	}); !reflect.DeepEqual(
		got,
		want,
	) {
		t.Errorf("keys %v", got)
	}
	if v := c.Views["stale"]; v.Filter != "used:never age:>14d" || v.Sort != "age" || !v.Reverse ||
		len(v.Columns) != 2 ||
		c.Views["two words"].Filter != "flag:s" {
		t.Errorf("views %+v", c.Views)
	}
	for kind, want := range map[string]string{
		"claudecode/auto memory": "kind",
		"claudecode/project":     "rel",
		"hermes":                 "rel",
	} {
		if got := c.Columns.Of(kind); len(got) == 0 || got[0] != want {
			t.Errorf("columns of %s: %v", kind, got)
		}
	}
	for key, want := range map[string]int{
		"theme":                  1,
		"keys.curate.delete":     4,
		"keys.lessons.filter":    8,
		"views.stale.sort":       12,
		"views.two words.filter": 17,
		"history.mb":             25,
		"learn":                  27,
		"nothing":                0,
	} {
		if got := f.Line(key); got != want {
			t.Errorf("%s is in line %d, want %d", key, got, want)
		}
	}
}

func TestMissingFileIsNoMistake(t *testing.T) {
	for _, path := range []string{
		"",
		filepath.Join(t.TempDir(), "config.toml"),
		written(t, ""),
		written(t, "# nothing\n"),
	} {
		if f := Read(path); !reflect.DeepEqual(f.Config, Config{}) || f.Problem() != nil {
			t.Errorf("%s: %+v", path, f)
		}
	}
}

// broken holds files with mistakes, and what is reported about each.
var broken = map[string]string{
	"[learn]\ncommit = true\nfiltre = \"x\"\n":              "line 3: there is no setting learn.filtre",
	"[lern]\ncommit = true\n":                               "line 1: there is no setting lern",
	"thema = \"dark\"\n":                                    "line 1: there is no setting thema",
	"[learn]\ncommit = 1\n":                                 "line 2: learn.commit: want true or false",
	"[learn]\napprove = \"yes\"\n":                          "line 2: learn.approve: want true or false",
	"[learn]\nfilter = [\"a\"]\n":                           "line 2: learn.filter: want text in quotes",
	"[learn]\ncommit = tru\n":                               "line 2: ",
	"[learn\n":                                              "line 1: ",
	"learn]\n":                                              "line 1: ",
	"theme = dark\n":                                        "line 1: ",
	"theme = \"dark\n":                                      "line 1: ",
	"theme = 1\n":                                           "line 1: theme: want a name in quotes",
	"theme =\n":                                             "line 1: ",
	"= 1\n":                                                 "line 1: ",
	"theme = \"a\"\ntheme = \"b\"\n":                        "line 2: ",
	"[learn]\n[learn]\n":                                    "line 2: ",
	"\x00\xff":                                              "it is not UTF-8 text",
	"theme = \"\x01\"\n":                                    "line 1: ",
	strings.Repeat("# long\n", 20_000):                      "larger than 64 kB",
	"[keys]\ndelete = \"d\"\n":                              "line 2: keys.delete: want the place and the action",
	"[keys]\ncurate.delete = 4\n":                           "line 2: keys.curate.delete: want a key in quotes",
	"[keys]\ncurate.delete = []\n":                          "line 2: keys.curate.delete: want a key in quotes",
	"[keys.curate]\ndelete = [\"d\", 4]\n":                  "line 2: keys.curate.delete: want a key in quotes",
	"keys = \"d\"\n":                                        "line 1: keys: want",
	"[views.a]\nsort = \"size\"\n":                          `line 2: views.a.sort: "size" is not one of store, `,
	"[views.a]\nfilter = 1\n":                               "line 2: views.a.filter: want text in quotes",
	"[views.a]\nreverse = \"no\"\n":                         "line 2: views.a.reverse: want true or false",
	"[views.a]\norder = \"age\"\n":                          "line 2: there is no setting views.a.order",
	"[views.a]\ncolumns = [\"age\", \"agee\"]\n":            `line 2: views.a.columns: "agee" is not one of `,
	"[views]\n\" \" = {}\n":                                 "line 2: views. : a view needs a name",
	"[columns]\nall = \"age\"\n":                            "line 2: columns.all: want a list",
	"[columns]\nall = [\"age\", \"age\"]\n":                 `line 2: columns.all: "age" appears twice`,
	"[history]\ndays = \"90\"\n":                            "line 2: history.days: want a whole number",
	"[history]\ndays = -1\n":                                "line 2: history.days: want a whole number from 0 to 100000",
	"[history]\nmb = 1.5\n":                                 "line 2: history.mb: want a whole number",
	"[history]\nmb = 99999999999999999999\n":                "line 2: ",
	"[share]\nfail_on = \"never\"\n":                        `line 2: share.fail_on: "never" is not one of high, review, medium, low`,
	"[learn]\nfilter = [\n  1,\n  2\n]\ncommit = \"x\"\n":   "line 2: learn.filter: want text in quotes",
	"[[learn]]\ncommit = true\n":                            "line 1: ",
	"[learn]\ncommit = true\n\n[views.a]\ncolumns = [1]\n":  "line 5: views.a.columns: want a list",
	"theme = \"dark\" # fine\n[share]\nfail-on = \"low\"\n": "line 3: there is no setting share.fail-on",

	"[learn]\ndistil = \"claude -p\"\n":   `line 2: learn.distil: want a list of words: ["claude", "-p"]`,
	"[learn]\ndistil = [\" \", \"-p\"]\n": "line 2: learn.distil: its first word is the program, and it is empty",
}

// TestBrokenFilesAreToldByLine also checks that nothing of a file with a mistake has an effect.
func TestBrokenFilesAreToldByLine(t *testing.T) {
	for text, want := range broken {
		f := Read(written(t, text))
		p := f.Problem()
		if p == nil || !strings.Contains(p.What, want) || strings.Contains(p.What, "\n") || p.Hint == "" {
			t.Errorf("%.60q: %v, want %q", text, p, want)
			continue
		}
		first := f.Mistakes[0]
		if strings.Contains(want, "line ") &&
			(first.Line == 0 || first.Column == 0 || first.Text != strings.Split(text, "\n")[first.Line-1]) {
			t.Errorf("%.60q: no place: %+v", text, first)
		}
		if !reflect.DeepEqual(f.Config, Config{}) {
			t.Errorf("%.60q: %+v holds", text, f.Config)
		}
	}
	if Read(t.TempDir()).Problem() == nil {
		t.Error("a folder was read")
	}
}

func TestWordsOfRemovedFeaturesAreIgnoredAndNamed(t *testing.T) {
	f := parsed([]byte("[views.a]\nsort = \"helped\"\nfilter = \"x\"\n[history]\ndays = 7\n" +
		"[keys]\nrecall.compare = \"C\"\nrecall.copy = \"y\"\n"))
	if len(f.Mistakes) > 0 || len(f.Bindings()) != 1 || f.Views["a"].Sort != "" || f.Views["a"].Filter != "x" ||
		*f.History.Days != 7 {
		t.Errorf("%+v %v", f.Config, f.Mistakes)
	}
	var ignored []string
	for i := range f.Ignored {
		ignored = append(ignored, f.Ignored[i].Error())
	}
	if want := []string{
		`line 2: views.a.sort: "helped" was removed and is ignored`, `line 7: keys.recall.compare: was removed and is ignored`,
	}; !slices.Equal(ignored, want) {
		t.Errorf("ignored: %v", f.Ignored)
	}
}

// FuzzParse checks that no file prevents the start, and that every mistake has a sentence.
func FuzzParse(f *testing.F) {
	f.Add(whole)
	for text := range broken {
		if len(text) < 1000 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if file := parsed([]byte(text)); file.Problem() != nil && file.Mistakes[0].What == "" {
			t.Errorf("%+v", file.Mistakes)
		}
	})
}

// parsed returns the file with these bytes.
func parsed(data []byte) *File {
	f := &File{}
	f.parse(data)
	return f
}
