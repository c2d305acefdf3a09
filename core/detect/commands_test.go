package detect

import (
	"strings"
	"testing"
)

// A tool name such as write-file is not an order to write.
func TestAddedKeyNeedsSeparateVerb(t *testing.T) {
	const key = "authorized_keys has ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI8KcSpC"
	for text, want := range map[string]string{
		"Completed using write-file, shell-exec; " + key: "",
		"then parse config and install; " + key:          "; authorized_keys",
	} {
		var got []string
		for _, tr := range Flags(text) {
			if tr.Rule == RuleAccess {
				got = append(got, text[tr.Start:tr.End])
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
