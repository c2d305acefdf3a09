package markdown

import (
	"slices"
	"strings"
	"testing"
)

// TestCommentsGoAsBlocks holds the texts that Claude Code 2.1.330 was seen to send.
func TestCommentsGoAsBlocks(t *testing.T) {
	for text, want := range map[string]string{
		"a\n<!-- x -->\nb\n":                        "a\nb\n",
		"a\n\n    <!-- x -->\nb\n":                  "a\n\n    <!-- x -->\nb\n",
		"- a\n  <!-- x -->\n":                       "- a\n  <!-- x -->\n",
		"- a\n<!-- x -->\n- b\n":                    "- a\n- b\n",
		"> a\n<!-- x -->\n> b\n":                    "> a\n> b\n",
		"<p>\n<!-- x -->\n":                         "<p>\n<!-- x -->\n",
		"<b>a\n<!-- x -->\n":                        "<b>a\n",
		"<!-- a --> <!-- b --> t <!-- c -->\n\nx\n": "  t \n\nx\n",
		"<!-->\nb\n-->\n":                           "<!-->\nb\n-->\n",
		"```\n<!-- x -->\n":                         "```\n<!-- x -->\n",
		"a\r\n\r\n<!-- x -->\r\nb\r\n":              "a\n\nb\n",
		"a\r\n`<!-- x -->`\r\n":                     "a\r\n`<!-- x -->`\r\n",
		"[r]: u\n[r]: v\n<!-- x -->\n":              "[r]: u\n",
		"a <!-- b\n\nc -->\n\nd\n":                  "a <!-- b\n\nc -->\n\nd\n",
	} {
		if got, _ := Uncommented(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestTextsLeaveOutWhatIsNoText(t *testing.T) {
	for text, want := range map[string][]string{
		"`@a` @b ``@c``\n":           {" @b "},
		"- x `a @b`\n":               {"x `a @b`", "x "}, // the text of a tight item counts whole
		"- x `a @b`\n\n- @c\n":       {"x ", "@c"},
		"*@a* _@b_ @c_d_ **@e\n":     {"@a", "@b", " @c_d_ **@e"},
		"[x @a](@b) ![@c](u) [@d]\n": {"x @a", " [@d]"},
		"[@a][r]\n\n[r]: @b\n":       {"@a"},
		"<b>@a</b> <b c=\"@b\">\n":   {"@a"},
		"<div>\n@a\n\n@b\n":          {"@b"},
		"    @a\n\n~~~\n@b\n~~~\n@c": {"@c"},
		"a\\\n@a  \n@b\n":            {"@a", "@b"},
		"<!-- @a --> @b\n":           {" @b\n"},
		"> @a\n@b\n":                 {"@a\n@b"},
		"@a\n===\n":                  {"@a"},
		"-\n- `@a`\n":                {"`@a`"}, // an item that begins empty makes no list loose
		"- `@a`\n\n- b\n":            nil,
		"- a\n  > b\n  >\n- `@c`\n":  {"`@c`"},
		"[a]: b\n---\n`@c` @d\n":     {" @d"},
		"[a]:\n@b\n'c' @d\n":         {"'c' @d"},
		"[a](<@b> '@c') [a]( @d\n":   {" [a]( @d"},
		"[![@a](b) @c](@d) @e\n":     {" @c", " @e"},
		"***@a** b* **@c*\n":         {"@a", "@c"},
		"@a#b *@c`*`@d*\n":           {"@a#b ", "@c", "@d"},
		"# @a #\n## @b#\n":           {"@a", "@b#"},
		"<@a> <u@b.c> <!-- @d -->\n": {"<@a> "},
		"\t@a\n> \t\t@b\n>\t@c\n":    {"@c"},
	} {
		var got []string
		Texts(text, "@", func(run string) {
			if strings.Contains(run, "@") || strings.HasPrefix(text, "- x") {
				got = append(got, run)
			}
		})
		if !slices.Equal(got, want) {
			t.Errorf("%q has the texts %q, want %q", text, got, want)
		}
	}
}

// hostile are pieces that take a careless reader long when they are repeated.
var hostile = strings.Fields("[ ` ``a *a _a* <!-- < <a [a]( ![ ( \\ **a_ [a] `a``b <a/b=\" <? [` ]( > - [a](b")

func TestRepeatedSignsAreReadToTheEnd(t *testing.T) {
	for _, piece := range append(slices.Clone(hostile), ">", "[a]: b \"c\n", "<a b='", "[a][", "![[](", "_a*",
		"> a\nb\n", "1. a\n  - a\n", "[r]: u\n", "- a\n  - b\n") {
		text := "@x " + strings.Repeat(piece, 8_000/len(piece))
		seen := false
		Texts(text, "@", func(run string) { seen = seen || strings.Contains(run, "@x") })
		if got, _ := Uncommented(text + "\n\n<!-- x -->\n"); !seen || !strings.HasPrefix(got, "@x ") {
			t.Errorf("%q: the text is lost", piece)
		}
	}
}

// TestManyDefinitionsAreReadOnce since each is looked for in what the others leave.
func TestManyDefinitionsAreReadOnce(t *testing.T) {
	text := strings.Repeat("[r]: u\n", 100_000)
	if got, _ := Uncommented(text + "<!-- x -->\n"); got != "[r]: u\n" {
		t.Errorf("%d bytes are left, want one definition", len(got))
	}
}

// FuzzNothingIsAdded holds that a text without its comments says nothing that it did not say.
func FuzzNothingIsAdded(f *testing.F) {
	for _, s := range append(slices.Clone(hostile), "- a\n\n  b\n> c\nd\n", "a\n===\n\tb", "-\n\n  a", "> - a\nb",
		"<script>\n</script>", "* * *\n1. a\n   @b") {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4<<10 {
			return
		}
		got, _ := Uncommented(text + "<!--")
		rest := newlines(text) + "<!--"
		for _, c := range []byte(newlines(got)) {
			i := strings.IndexByte(rest, c)
			if i < 0 {
				t.Fatalf("%q becomes %q", text, got)
			}
			rest = rest[i+1:]
		}
		Texts(text, "@", func(string) {})
	})
}
