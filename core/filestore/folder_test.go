package filestore_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"winnow/core/filestore"
)

func TestFolderReadsItsRecordsWithinBounds(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"a.md": "one", "b.md": "four", "c.md": "six", "d.txt": "other"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("a.md", filepath.Join(dir, "link.md")); err != nil {
		t.Skip("does not apply without links:", err)
	}
	f := filestore.Folder{
		Path: dir, Most: 10, MostFile: 3, MostInAll: 6, NoLinks: true,
		Takes: func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".md") },
	}
	c := f.Read(t.Context())
	if c.Problem != nil || c.Cut || len(c.Files) != 4 || len(c.Others) != 1 {
		t.Fatalf("%+v", c)
	}
	a, b, long, link := c.Files[0], c.Files[1], c.Files[2], c.Files[3]
	if a.Text != "one" || a.Cut || b.Text != "fou" || !b.Cut || b.Name() != "b.md" {
		t.Errorf("%+v\n%+v", a, b)
	}
	if long.Problem == nil || long.Problem.Code != filestore.CodeTooMuch || long.Text != "" {
		t.Errorf("past what is read in all: %+v", long)
	}
	if link.Problem == nil || link.Problem.Code != filestore.CodeLink {
		t.Errorf("a link is read: %+v", link)
	}
	f.Most = 2 // whichever two the operating system lists first
	if c := f.Read(t.Context()); !c.Cut || len(c.Files)+len(c.Others) != 2 {
		t.Errorf("of two entries: %+v", c)
	}
	f.Path = filepath.Join(dir, "none")
	if c := f.Read(t.Context()); c.Problem == nil || c.Problem.Code != "missing" {
		t.Errorf("of no folder: %+v", c.Problem)
	}
}

func TestFrontMatterSetsAValueAndKeepsAllOtherBytes(t *testing.T) {
	for _, c := range []struct{ text, key, to, want string }{
		{"---\nname: a\ntype:  old \n---\nbody\n", "type", "new", "---\nname: a\ntype:  new \n---\nbody\n"},
		{"---\r\nname: \"a: b\"\r\n---\r\nbody", "name", "c: d", "---\r\nname: \"c: d\"\r\n---\r\nbody"},
		{"---\nname: a\n---\nbody\n", "type", "new", "---\nname: a\ntype: new\n---\nbody\n"},
		{"---\nname:\n---\n", "name", "x", "---\nname: x\n---\n"},
	} {
		f := filestore.ParseFrontMatter(c.text)
		got := f.With(c.text, c.key, c.to)
		if got != c.want || filestore.ParseFrontMatter(got).Value(c.key) != c.to {
			t.Errorf("%q becomes %q, want %q", c.text, got, c.want)
		}
	}
	for _, text := range []string{"", "no head", "---\nname: a\nno end"} {
		if f := filestore.ParseFrontMatter(text); f.Is || f.Body != 0 {
			t.Errorf("%q has a head: %+v", text, f)
		}
	}
}
