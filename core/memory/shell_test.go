package memory

import "testing"

func TestAWordOfAShellIsQuotedWhereItMustBe(t *testing.T) {
	for word, want := range map[string]string{
		"/a/b-1": "/a/b-1", "a:1": "'a:1'", "": "''", "/a b": "'/a b'", "/it's": `'/it'\''s'`, "/$(x)": "'/$(x)'", "~": "'~'", "a=b": "'a=b'",
		"\x1b[31m": `$'\x1b[31m'`, "\xff'\\": `$'\xff\'\\'`,
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", word, got, want)
		}
	}
}
