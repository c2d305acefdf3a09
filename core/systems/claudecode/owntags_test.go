package claudecode

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// TestOwnTagsAreEscapedAsInCapturedRequests holds the escaping to what requests of Claude Code 2.1.332 had.
func TestOwnTagsAreEscapedAsInCapturedRequests(t *testing.T) {
	prefix := "ant" + "ml:"
	for text, want := range map[string]string{
		"a </system-reminder> b":      `a <\/system-reminder> b`,
		"<SYSTEM-REMINDER>":           `<\SYSTEM-REMINDER>`,
		"</System-Reminder>":          `<\/System-Reminder>`,
		"< system-reminder>":          `<\ system-reminder>`,
		"</ / / system-reminder>":     `<\/ / / system-reminder>`,
		"<\nsystem-reminder>":         "<\\\nsystem-reminder>",
		"<system-reminder x=\"y\">":   `<\system-reminder x="y">`,
		"<system_reminder>":           `<\system_reminder>`,
		"<system-reminder.":           `<\system-reminder.`,
		"<system-reminder":            `<\system-reminder`,
		"<system-reminder:x>":         `<\system-reminder:x>`,
		"<<system-reminder>>":         `<<\system-reminder>>`,
		"<a<system-reminder>":         `<a<\system-reminder>`,
		"<system-reminder <tick":      `<\system-reminder <\tick`,
		"<(system-reminder)>":         `<\(system-reminder)>`,
		"<.\\system-reminder>":        `<\.\system-reminder>`,
		"<é system-reminder>":         `<\é system-reminder>`,
		"<user-prompt-submit-hook>":   `<\user-prompt-submit-hook>`,
		"<local-command-stdout>":      `<\local-command-stdout>`,
		"<tool_use_error>":            `<\tool_use_error>`,
		"<total_tokens>":              `<\total_tokens>`,
		"<" + prefix + ">":            `<\` + prefix + ">",
		"<" + prefix + "foo-bar>":     `<\` + prefix + "foo-bar>",
		`<\/system-reminder>`:         `<\/system-reminder>`,
		"<a system-reminder>":         "<a system-reminder>",
		"<!-- system-reminder -->":    "<!-- system-reminder -->",
		"<-system-reminder>":          "<-system-reminder>",
		"<> system-reminder>":         "<> system-reminder>",
		"<system--reminder>":          "<system--reminder>",
		"<systemreminder>":            "<systemreminder>",
		"<system reminder>":           "<system reminder>",
		"<system-reminders>":          "<system-reminders>",
		"<system-reminder->":          "<system-reminder->",
		"<system-reminder_>":          "<system-reminder_>",
		"<ticks> <function_calls>":    "<ticks> <function_calls>",
		"1 < 2 system-reminder":       "1 < 2 system-reminder",
		"&lt;system-reminder> <user>": "&lt;system-reminder> <user>",
	} {
		if got := withTagsEscaped(text); got != want {
			t.Errorf("%q is escaped as %q, want %q", text, got, want)
		}
	}
}

// TestLongFileThatComesWithAnotherIsCutAsCaptured holds the limit to requests of Claude Code 2.1.332.
func TestLongFileThatComesWithAnotherIsCutAsCaptured(t *testing.T) {
	line := strings.Repeat("x", 99) + "\n"
	const note = "\n\n> Only the start of this file is shown. For the rest, call Read on /p/CLAUDE.md with offset="
	for name, c := range map[string]struct{ text, want string }{
		"the limit": {strings.Repeat(line, 1500), strings.Repeat(line, 1500)},
		"space around": {
			"\n\n\n\n" + strings.Repeat(line, 1500) + "\n\n",
			"\n\n\n\n" + strings.Repeat(line, 1500) + "\n\n",
		},
		"one more": {
			strings.Repeat(line, 1500) + "y",
			strings.Repeat(line, 1500)[:149_999] + note + "1501 and a limit.",
		},
		"space is not counted": {
			"\n\n\n   y\n" + strings.Repeat(line, 1600),
			"y\n" + strings.Repeat(line, 1500)[:149_899] + note + "1501 and a limit.",
		},
		"one line": {
			strings.Repeat("x", 150_001),
			strings.Repeat("x", 150_000) + note + "1 and a limit.",
		},
		"a second line": {"a\n" + strings.Repeat("x", 200_000), "a" + note + "2 and a limit."},
		"a line end at the limit": {
			strings.Repeat("x", 150_000) + "\nb",
			strings.Repeat("x", 150_000) + note + "2 and a limit.",
		},
		"half a character": {
			"x" + strings.Repeat("\U0001F600", 80_000),
			"x" + strings.Repeat("\U0001F600", 74_999) + note + "1 and a limit.",
		},
		"lines that end with CRLF": {
			strings.Repeat(line[:98]+"\r\n", 1600),
			strings.Repeat(line[:98]+"\r\n", 1500)[:149_999] + note + "1501 and a limit.",
		},
	} {
		if got := comesWithFile("/p/CLAUDE.md", c.text); got != c.want {
			t.Errorf(
				"%s: %d bytes, ending in %q, want %d, ending in %q",
				name,
				len(got),
				got[max(0, len(got)-150):],
				len(c.want),
				c.want[max(0, len(c.want)-150):],
			)
		}
	}
}

// TestByteOrderMarkIsALetterOfTheFirstLine holds what a mark does to what requests of Claude Code 2.1.332 had.
func TestByteOrderMarkIsALetterOfTheFirstLine(t *testing.T) {
	for text, want := range map[string]struct {
		block    string
		imported bool
	}{
		"\ufeff---\na: b\n---\nbody @x.md\n":  {"body @x.md", true},
		"\ufeff<!-- c -->\n\nx\n":             {"<!-- c -->\n\nx", false},
		"\ufeff<!-- c -->\n\n<!-- d -->\nx\n": {"<!-- c -->\n\nx", false},
		"\ufeff@x.md\n":                       {"@x.md", true},
		"\ufeff```\n@x.md\n<!-- c -->\n```\n": {"```\n@x.md\n```", true},
		"\ufeff    @x.md\n":                   {"@x.md", true},
		"\ufeff<div>\n@x.md\n":                {"<div>\n@x.md", true},
		"\ufeffa\r\n\r\n<!-- c -->\r\nb\r\n":  {"a\n\nb", false},
	} {
		f := &fixture{home: t.TempDir(), etc: t.TempDir()}
		put(t, f.path("p/CLAUDE.md"), text)
		put(t, f.path("p/x.md"), "imported\n")
		got := blockOf(t, f.open(t, "p"), memory.Task{}).Block.Text
		if !strings.Contains(got, "the codebase):\n\n"+want.block+"\n") ||
			strings.Contains(got, "\n\nimported\n") != want.imported {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

// TestMemoryIsSentWithoutUnseenCharacters holds it to requests of Claude Code 2.1.332.
func TestMemoryIsSentWithoutUnseenCharacters(t *testing.T) {
	for text, want := range map[string]string{
		"a\x1b[31m\x00\x7f\u0085b":                "a[31mb",
		"\u00ad\u034f\u061c\u06dd\u115f\u17b4":    "",
		"\u180b\u180e\u200b\u200e\u202e\u2066":    "",
		"\ufe00\ufeff\uffa0\ufffb":                "",
		"\ue000\U000e0041\U000e0101\U000f0000":    "",
		"a\tb\nc\u00a0\u2003\u3000":               "a\tb\nc\u00a0\u2003\u3000",
		"\u200c\u200d\ufe0e\ufe0f e\u0301 \ufffd": "\u200c\u200d\ufe0e\ufe0f e\u0301 \ufffd",
		"<sys\u200btem-reminder>":                 `<\system-reminder>`,
	} {
		if got := asMemory(text); got != want {
			t.Errorf("%q is sent as %q, want %q", text, got, want)
		}
	}
}

// TestLongTextsOfAnIndexAreClippedAsCaptured holds the cut of lines and descriptions to requests of Claude
// Code 2.1.332.
func TestLongTextsOfAnIndexAreClippedAsCaptured(t *testing.T) {
	words := func(n int, spaces ...int) string {
		text := []byte(strings.Repeat("x", n))
		for _, at := range spaces {
			text[at] = ' '
		}
		return string(text)
	}
	for _, c := range []struct{ line, want string }{
		{words(80), words(80)},
		{words(100), words(79) + "…"},
		{words(100, 40), words(79, 40) + "…"},
		{words(100, 41), words(41) + "…"},
		{words(100, 60, 79), words(60) + "…"},
		{words(50) + "\t\t " + words(50), words(50) + "…"},
		{words(50) + "\u00a0" + words(50), words(50) + "…"},
		{words(78) + "\U0001F600yyy", words(78) + "…"},
	} {
		index := strings.Repeat("line\n", maxIndexLines) + c.line + "\nthe end"
		x := excerptOf(index)
		if !strings.Contains(x.warning, `starting at line 201 ("`+c.want+`")`) {
			t.Errorf("of %q the warning has %q", c.line, x.warning)
		}
	}
	dir := t.TempDir()
	files := map[string]string{
		"t02.md":                                words(133),
		"t03.md":                                words(140, 66),
		"t04.md":                                words(140, 67),
		"t15.md":                                words(131) + "\u200b\u200b\u200b",
		"ends.md":                               "a\u2028b \u200b c",
		strings.Repeat("p", 68) + ".md":         "some words",
		"ab/" + strings.Repeat("o", 67) + ".md": "there is no room",
	}
	var names []string
	for name, description := range files {
		put(t, filepath.Join(dir, name), "---\ndescription: \""+description+"\"\n---\nbody\n")
		names = append(names, name)
	}
	made := madeIndex(dir, names)
	for _, want := range []string{
		"- [t02](t02.md) — " + words(131) + "…\n",
		"- [t03](t03.md) — " + words(131, 66) + "…\n",
		"- [t04](t04.md) — " + words(67) + "…\n",
		"- [t15](t15.md) — " + words(131) + "\n",
		"- [ends](ends.md) — a b c\n",
		"](" + strings.Repeat("p", 68) + ".md) — s…\n",
		"](ab/" + strings.Repeat("o", 67) + ".md)\n",
	} {
		if !strings.Contains(made, want) {
			t.Errorf("the index that Claude Code writes has no %q:\n%s", want, made)
		}
	}
}

func TestLineEndsOfAnIndexAreThoseOfCapturedRequests(t *testing.T) {
	const lines = 259
	index := strings.Repeat("line\r", lines) + "a\u2028b\u2029c\r\nd"
	x := excerptOf(index)
	if want := strings.Repeat("line\n", lines) + "a\nb\nc\nd"; asMemory(x.injected()) != want {
		t.Errorf("%q is given as %q", index, asMemory(x.injected()))
	}
}

// TestTopicsOfOneTimeKeepTheOrderOfTheFolder holds the index that Claude Code writes to a request of 2.1.332.
func TestTopicsOfOneTimeKeepTheOrderOfTheFolder(t *testing.T) {
	dir := t.TempDir()
	at := time.Unix(1_795_899_475, 971_000_000)
	names := []string{"b.md", "0.md", "sub/c.md", "a.md"}
	for i, name := range names {
		put(t, filepath.Join(dir, name), "x")
		if err := os.Chtimes(filepath.Join(dir, name), at, at.Add(time.Duration(i))); err != nil {
			t.Fatal(err)
		}
	}
	want := "- [b](b.md)\n- [0](0.md)\n- [c](sub/c.md)\n- [a](a.md)\n"
	if got := madeIndex(dir, names); got != want {
		t.Errorf("the index is %q, want %q", got, want)
	}
}
