package filestore_test

import (
	"testing"

	"winnow/core/filestore"
)

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
