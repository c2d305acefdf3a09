package memory

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"
)

func TestAWordOfAShellIsQuotedWhereItMustBe(t *testing.T) {
	for word, want := range map[string]string{
		"/a/b-1": "/a/b-1", "a:1": "'a:1'", "": "''", "/a b": "'/a b'", "/it's": `'/it'\''s'`, "/$(x)": "'/$(x)'",
		"~": "'~'", "a=b": "'a=b'",
		"\x1b[31m": "'\x1b[31m'", `a\`: `'a'\\''`, "a\nb": "'a\nb'", "%self": "'%self'",
	} {
		if got := ShellWord(word); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", word, got, want)
		}
	}
}

func TestAPathIsShownInPrintableCharacters(t *testing.T) {
	for path, want := range map[string]string{
		"/a/b": "/a/b", "/it's": `'/it'\''s'`, "-x": "./-x", "-": "-", "~/a b": "~/'a b'", "~/ok": "~/ok",
		"/\x1b[2J": `"$(printf '/\033[2J')"`, "/a'%\\\xff\u202e": `"$(printf '/a\047\045\134\377\342\200\256')"`,
		"/a\n": "FILE", "/a\nb": `"$(printf '/a\012b')"`, "-\x01": `"$(printf './-\001')"`, "": "''",
	} {
		got := ShellPath(path)
		if got != want {
			t.Errorf("ShellPath(%q) = %s, want %s", path, got, want)
		}
		if strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("ShellPath(%q) = %q cannot be printed", path, got)
		}
	}
}

// hostileWords would do something in a shell if they were not quoted.
var hostileWords = []string{
	"", "a", "-rf", "--", "it's", `'`, `''`, `'\''`, `\`, `\\`, `a\`, `\'`, `'; touch RAN; #`, "\x01'; touch RAN; #",
	`"$(touch RAN)"`, "$(touch RAN)", "`touch RAN`",
	"a\nb", "\n", "a\r\ntouch RAN", "a\ttouch RAN", "$HOME", "~", "~root", "a b", "*", "?", "[a-z]", "{a,b}", "!!",
	"!x", "#x", "a;b", "a&b", "a|b", "<x", ">x", "=ls", "%self", "^x",
	"\x1b]0;x\x07", "\u202e", "日本語", "é", "\xff\xfe", "%s%n", "\\n", `\033`,
}

// TestEveryShellReadsTheWord runs the shells that are here.
func TestEveryShellReadsTheWord(t *testing.T) {
	ran := 0
	for _, shell := range []string{"sh", "dash", "bash", "zsh", "fish", "ksh"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			continue
		}
		ran++
		var script strings.Builder // of all words, since a shell takes longer to start than to read them
		var words, wants []string
		for _, word := range hostileWords {
			for _, quoted := range []string{ShellWord(word), ShellPath(word)} {
				want := "<" + word + "><end>"
				if quoted != ShellWord(word) && strings.HasPrefix(word, "-") {
					want = "<./" + word + "><end>"
				}
				if quoted == "FILE" {
					want = "<FILE><end>"
				}
				script.WriteString("printf '<%s>' " + quoted + " end\nprintf '\\036'\n")
				words, wants = append(words, quoted), append(wants, want)
			}
		}
		cmd := exec.Command(path, "-c", script.String())
		cmd.Dir = t.TempDir()
		cmd.Env = []string{"HOME=/nowhere", "LC_ALL=C.UTF-8"}
		out, err := cmd.CombinedOutput()
		got := strings.Split(string(out), "\036")
		if err != nil || len(got) != len(wants)+1 {
			t.Errorf("%s ends with %v and reads %d words of %d:\n%s", shell, err, len(got)-1, len(wants), out)
			continue
		}
		for i, want := range wants {
			if got[i] != want {
				t.Errorf("%s reads %s as %q, want %q", shell, words[i], got[i], want)
			}
		}
	}
	if ran == 0 {
		t.Skip("there is no shell here")
	}
}

// FuzzShellPathIsPrintedAndHasNoEnd: what is shown has no character that acts on a terminal, and no quote ends before
// its end.
func FuzzShellPathIsPrintedAndHasNoEnd(f *testing.F) {
	for _, path := range hostileWords {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		q := ShellPath(path)
		inner, printed := strings.CutPrefix(q, `"$(printf '`)
		switch {
		case strings.ContainsFunc(q, func(r rune) bool { return !unicode.IsPrint(r) }):
			t.Fatalf("%q is %q", path, q)
		case printed:
			if strings.Contains(strings.TrimSuffix(inner, `')"`), "'") {
				t.Fatalf("%q is %s", path, q)
			}
		case strings.Contains(q, "'"):
			_, inner, _ = strings.Cut(strings.TrimSuffix(q, "'"), "'")
			if strings.ContainsAny(strings.NewReplacer(`'\''`, "", `'\\'`, "").Replace(inner), `'\`) {
				t.Fatalf("%q is %s", path, q)
			}
		case strings.ContainsFunc(q, func(r rune) bool { return isSpecial(r) && r != '~' }):
			t.Fatalf("%q is %s", path, q)
		}
	})
}
