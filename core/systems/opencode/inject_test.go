package opencode

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"winnow/core/memory"
	"winnow/core/vectortest"
)

// content is a file of a vector: a string, or bytes in base 64.
type content string

func (c *content) UnmarshalJSON(raw []byte) error {
	var bytes struct {
		Base64 string `json:"$b64"`
	}
	if raw[0] != '{' {
		return json.Unmarshal(raw, (*string)(c))
	}
	if err := json.Unmarshal(raw, &bytes); err != nil {
		return err
	}
	text, err := base64.StdEncoding.DecodeString(bytes.Base64)
	*c = content(text)
	return err
}

// injected is a vector: a tree below a home, and what the program sent to its model.
type injected struct {
	Name, Version, Kind, Cwd, Order string
	Files, Serve                    map[string]content
	Links, Env                      map[string]string
	Git, Reads                      []string
	Worktrees                       []struct {
		Of, At string
		Append map[string]string
	}
	Want struct {
		Injected      bool
		Text, Refused string
		Nested        []string
		Pieces        []struct{ Path, Text string }
	}
}

// lay makes the tree of a vector, and returns the machine on which it is the home.
func (v *injected) lay(t *testing.T) (machine, string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	here := func(text string) string { return strings.ReplaceAll(text, "$HOME", home) }
	folders := []string{"P"}
	for _, dir := range v.Git {
		folders = append(folders, filepath.Join(dir, ".git"))
	}
	if _, link := v.Links[v.Cwd]; !link {
		folders = append(folders, v.Cwd)
	}
	for _, dir := range folders {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for path, text := range v.Files {
		put(t, filepath.Join(home, path), here(string(text)))
		for _, w := range v.Worktrees {
			if below, is := strings.CutPrefix(path, w.Of+"/"); is {
				put(t, filepath.Join(home, w.At, below), here(string(text)+w.Append[below]))
			}
		}
	}
	for _, w := range v.Worktrees {
		put(t, filepath.Join(home, w.At, ".git"), "gitdir: elsewhere\n")
	}
	for link, target := range v.Links {
		link = filepath.Join(home, link)
		if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(here(target), link); err != nil {
			t.Skip("links cannot be made here:", err)
		}
	}
	return testMachine(home, v.variables(here)), home
}

func (v *injected) variables(here func(string) string) map[string]string {
	env := map[string]string{}
	for name, value := range v.Env {
		env[name] = here(value)
	}
	return env
}

func TestInjectOpenCode(t *testing.T) {
	vectortest.EachFlat(t, string(id), "inject", func(t *testing.T, v injected) {
		m, home := v.lay(t)
		cwd := filepath.Join(home, v.Cwd)
		task := memory.Task{Folder: cwd}
		for _, read := range v.Reads {
			task.Files = append(task.Files, filepath.Join(home, read))
		}
		r, err := openFolder(m, cwd).Recall(t.Context(), task)
		if err != nil {
			t.Fatal(err)
		}
		there := func(text string) string { return strings.ReplaceAll(text, home, "$HOME") }
		if why := there(m.opening(cwd).settings.refused); why != v.Want.Refused {
			t.Errorf("it is refused by %q, want %q", why, v.Want.Refused)
		}
		text := there(v.fetched(t, r.Block))
		if v.Order == "" && text != v.Want.Text {
			t.Errorf("the text is\n%q\nwant\n%q", text, v.Want.Text)
		}
		if v.Order != "" {
			v.checkPieces(t, text)
		}
		v.checkNested(t, &r, there)
	})
}

// fetched puts into a block what was served under the addresses that it names.
func (v *injected) fetched(t *testing.T, b memory.Block) string {
	t.Helper()
	text := b.Text
	for _, p := range b.Parts {
		if !strings.HasPrefix(p.Path, "http") {
			continue
		}
		for path, body := range v.Serve {
			if strings.HasSuffix(p.Path, "/"+strings.TrimPrefix(path, "/")) && body != "" {
				if text != "" {
					text += "\n"
				}
				text += heading + p.Path + "\n" + string(body)
			}
		}
	}
	return text
}

// checkPieces compares the pieces of a block whose order depends on the disk.
func (v *injected) checkPieces(t *testing.T, text string) {
	t.Helper()
	var want []string
	for _, p := range v.Want.Pieces {
		want = append(want, heading+p.Path+"\n"+p.Text)
	}
	got := strings.Split(text, "\n"+heading)
	for i := range got[1:] {
		got[i+1] = heading + got[i+1]
	}
	dirs := func(pieces []string) (all []string) {
		for _, p := range pieces {
			path, _, _ := strings.Cut(strings.TrimPrefix(p, heading), "\n")
			all = append(all, filepath.Dir(path))
		}
		return slices.Compact(all)
	}
	if v.Order == "readdir" && !slices.Equal(dirs(got), dirs(want)) {
		t.Errorf("the folders are %q, want %q", dirs(got), dirs(want))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("the pieces are\n%q\nwant\n%q", got, want)
	}
}

func (v *injected) checkNested(t *testing.T, r *memory.Recall, there func(string) string) {
	t.Helper()
	var got, want []string
	for _, b := range r.Also {
		got = append(got, there(b.Text))
	}
	for _, text := range v.Want.Nested {
		if text != "" {
			want = append(want, text)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the reads bring\n%q\nwant\n%q", got, want)
	}
}

// TestInjectSettingsAreMergedInTheOrderOfTheVersion has the order that the program
// was seen to use.
func TestInjectSettingsAreMergedInTheOrderOfTheVersion(t *testing.T) {
	home := t.TempDir()
	for path, name := range map[string]string{
		".config/opencode/opencode.json": "a",
		"cc.json":                        "b",
		"P/opencode.json":                "c",
		"P/.opencode/opencode.json":      "d",
		".opencode/opencode.json":        "e",
		"X/opencode.json":                "f",
		"P/sub/.opencode/opencode.jsonc": "g",
		"P/sub/.opencode/opencode.json":  "h",
	} {
		put(t, filepath.Join(home, path), `{"instructions": ["`+name+`.md"]}`)
	}
	put(t, filepath.Join(home, "P/.git/HEAD"), "")
	m := testMachine(home, map[string]string{
		configFile: filepath.Join(home, "cc.json"), configDir: filepath.Join(home, "X"), configText: `{"instructions": ["i.md"]}`,
	})
	got := ""
	for _, e := range m.settingsFor(filepath.Join(home, "P/sub"), filepath.Join(home, "P")).entries {
		got += strings.TrimSuffix(e.text, ".md")
	}
	if got != "abchgdefi" {
		t.Errorf("it merges in the order %s, want abchgdefi", got)
	}
}

// TestInjectReferencesToFilesAreFilledIn has what the program was seen to make of
// references.
func TestInjectReferencesToFilesAreFilledIn(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "P/n.txt"), " a.md \n")
	put(t, filepath.Join(home, "P/quote"), "\"\\\n.")
	put(t, filepath.Join(home, "h.txt"), "b.md")
	m := testMachine(home, map[string]string{"NAME": "c"})
	for text, want := range map[string]string{
		`["{file:n.txt}", "{file:~/h.txt}", "{file:` + home + `/h.txt}", "{env:NAME}-{env:NONE}"]`: `["a.md", "b.md", "b.md", "c-"]`,
		"[\n // {file:gone}\n]": "[\n // {file:gone}\n]",
		`"{file:quote}"`:        `"\"\\\n."`,
		`["{file:gone}"]`:       "",
	} {
		got, why := m.fillReferences(text, filepath.Join(home, "P"))
		if (got != want || why != "") && (want != "" || why == "") {
			t.Errorf("%s becomes %s (%s), want %s", text, got, why, want)
		}
	}
}

func TestInjectAnyFoldersEndAtALink(t *testing.T) {
	home := t.TempDir()
	put(t, filepath.Join(home, "real/z.md"), "z")
	put(t, filepath.Join(home, "real/deep/y.md"), "y")
	put(t, filepath.Join(home, "docs/a.md"), "a")
	if err := os.Symlink("../real", filepath.Join(home, "docs/d")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	want := []string{filepath.Join(home, "docs/a.md"), filepath.Join(home, "docs/d/z.md")}
	if files, _ := glob(home, "docs/**/*.md"); !slices.Equal(files, want) {
		t.Errorf("the files are %q, want %q", files, want)
	}
	if files, _ := glob(home, "docs/**"); !slices.Equal(files, want[:1]) {
		t.Errorf("the files are %q, want %q", files, want[:1])
	}
}

// TestFilesOfAPatternComeInTheReverseOfTheListing asks the disk for the order, which
// differs from one to another.
func TestFilesOfAPatternComeInTheReverseOfTheListing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range strings.Fields("z10 z9 z1 y10 y9 a10 a9 a1 b10 b9") {
		put(t, filepath.Join(dir, name+".md"), "x")
		put(t, filepath.Join(dir, "below", name+".md"), "x")
	}
	var want []string
	for _, in := range []string{dir, filepath.Join(dir, "below")} {
		f, err := os.Open(in)
		if err != nil {
			t.Fatal(err)
		}
		entries, err := f.ReadDir(-1)
		if err != nil || f.Close() != nil {
			t.Fatal(err)
		}
		slices.Reverse(entries)
		for _, e := range entries {
			if !e.IsDir() {
				want = append(want, filepath.Join(in, e.Name()))
			}
		}
	}
	if got, _ := glob(dir, "**/*.md"); !slices.Equal(got, want) {
		t.Errorf("the files are\n%q\nwant\n%q", got, want)
	}
}
