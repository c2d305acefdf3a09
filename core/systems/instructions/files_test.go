package instructions

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/filestore"
	"winnow/core/memory"
)

func TestSecretInTheNameOfAFileIsMarked(t *testing.T) {
	s := &Files{Dir: "/shop"}
	path := "/shop/ghp_" + strings.Repeat("a1B2", 9) + ".md"
	r := s.record(&Item{Path: path, File: filestore.File{Path: path, Text: "plain"}}, 1)
	if !slices.ContainsFunc(r.Secrets, func(secret memory.Secret) bool { return secret.Field == memory.InID }) ||
		r.Flags&memory.FlagSecret == 0 {
		t.Errorf("%s: secrets %+v", r.ID, r.Secrets)
	}
}

func TestSettingsNameTexts(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{"/shop/.aider.conf.yml", "read: [a.md, 'b c.md']\n", "a.md b c.md"},
		{"/shop/.aider.conf.yml", "read:\n- a.md\n-\n- {x: y}\n", "a.md"},
		{"/shop/.aider.conf.yml", "read: a.md\n", "a.md"},
		{"/shop/.aider.conf.yml", "read: [a.md\n", ""},
		{"/shop/.aider.conf.yml", "\x00\xff", ""},
		{"/shop/.zed/settings.json", `{"context": {"fileName": "A.md"}}`, ""},
	} {
		if got := strings.Join(textsNamed(&filestore.File{Path: c.path, Text: c.text}), " "); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.path, c.text, got, c.want)
		}
	}
}

func FuzzTextsNamedInSettings(f *testing.F) {
	f.Add("read: [a.md]", ".aider.conf.yml")
	f.Add("read: &a [*a]", ".aider.conf.yml")
	f.Fuzz(func(t *testing.T, text, name string) {
		for _, named := range textsNamed(&filestore.File{Path: "/shop/" + name, Text: text}) {
			if named == "" {
				t.Errorf("%q names an empty path", text)
			}
		}
	})
}
