package annotate

import (
	"strings"
	"testing"
)

func TestTitleIsTheFirstLineWithWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "\n \n---\n": "", "\n## Deploys\nNever on Friday.": "Deploys", "  plain  \nmore": "plain",
		"---\nname: a\n---\n\n# Behind the head\n": "Behind the head", "---\nname: a\n---\n": "name: a",
		"---\nopen":              "open",
		strings.Repeat("é", 150): strings.Repeat("é", 100) + "…",
	} {
		if got := Title(text); got != want {
			t.Errorf("Title(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTitleNeverCutsASecret(t *testing.T) {
	before := strings.Repeat("x", 180) + " "
	if got := Title(before + "ghp_" + strings.Repeat("a1B2", 9) + " is the key"); got != before+"…" {
		t.Errorf("the title is %q", got)
	}
}
