package instructions

import (
	"strings"
	"testing"
)

func TestCodeOfMarkdownIsFound(t *testing.T) {
	for text, want := range map[string]string{
		"a `@b` c":                          "`@b`",
		"a ``@b ` c`` d":                    "``@b ` c``",
		"a ` @b\n\nc ` @d":                  "",
		"a\n```sh\n@b\n```\n@c\n":           "```sh\n@b\n```\n",
		"~~~\n@a\n```\n~~~\n@b":             "~~~\n@a\n```\n~~~\n",
		"```\nopen @a":                      "```\nopen @a",
		"a\n    @still a paragraph":         "",
		"> ```\n> @a\n> ```\nb `c`":         "`c`",
		"> `@a`\n\nb":                       "`@a`",
		"- item\n\n      @a\n\nb\n\n    @c": "    @c",
		"a\n\n    @code\n    @more\nb":      "    @code\n    @more\n",
	} {
		var got strings.Builder
		for _, r := range markdownCode(text) {
			got.WriteString(text[r[0]:r[1]])
		}
		if got.String() != want {
			t.Errorf("code in %q is %q, want %q", text, got.String(), want)
		}
	}
}

func FuzzMarkdownCode(f *testing.F) {
	for _, text := range []string{"", "a `b` c", "```\na\n", "~~~ x\n\n    y\n`", "``a`\n\n``"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, r := range markdownCode(text) {
			if r[0] < last || r[1] <= r[0] || r[1] > len(text) {
				t.Fatalf("regions %v of %q overlap or lie outside", markdownCode(text), text)
			}
			last = r[1]
		}
	})
}
