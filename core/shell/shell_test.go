package shell

import (
	"strings"
	"testing"
)

func TestCommandsOfALine(t *testing.T) {
	for line, want := range map[string]string{
		"git push":                                 "git push",
		"cd sub && go test ./... 2>&1 | tail -5":   "cd sub;&& go test ./...;| tail -5",
		"make || true":                             "make;|| true",
		"FOO=1 bun test > out.txt; echo done":      "FOO=1 bun test;; echo done",
		"python3 - <<'PY'\nprint(1)\nrm x\nPY\nls": "python3 -;; ls",
		"for f in *; do gofmt -l $f; done":         "gofmt -l $f",
		"echo 'a && b' # not && this\npwd":         "echo 'a && b';; pwd",
		"if ! which jq; then brew install jq; fi":  "which jq;; brew install jq",
		"grep -c \"x|y\" a.txt|&sort":              "grep -c \"x|y\" a.txt;| sort",
		"a &>/dev/null & b":                        "a;; b",
		"":                                         "",
		"'":                                        "",
		"ls\n'":                                    "ls",
		"(cd x && npm ci)":                         "cd x;&& npm ci",
		"curl -s localhost:3000 >/dev/null 2>&1; ls": "curl -s localhost:3000;; ls",
		"export A=1; time make":                      "export A=1;; make",
		"sh -c 'a b; c'":                             "sh -c 'a b; c';(; a b);(; c)",
		"echo \"$(git push)\"":                       "(; git push);echo \"$(git push)\"",
		"diff <(a) `b`":                              "(; a);(; b);diff <(a) `b`",
		"case $x in y) z;; esac":                     "z",
		"eval git push":                              "eval git push;(; git push)",
		strings.Repeat("(", 300) + "a":               "",
	} {
		var got []string
		for _, c := range Split(line) {
			text := strings.TrimSpace(c.After + " " + c.Text)
			if c.Inner {
				text = "(" + text + ")"
			}
			got = append(got, text)
		}
		if strings.Join(got, ";") != want {
			t.Errorf("%q: %q, want %q", line, strings.Join(got, ";"), want)
		}
	}
}

func TestWordsHaveNoQuotes(t *testing.T) {
	for line, want := range map[string]string{
		`git 'pu'"s"h a\ b`:    "git|push|a b",
		"git pu\\\nsh":         "git|push",
		`A="x y" B= env`:       "A=x y|B=|env",
		`echo "a \" \x $HOME"`: `echo|a " \x $HOME`,
		"x ''":                 "x|",
	} {
		all := Split(line)
		if len(all) != 1 || strings.Join(all[0].Words, "|") != want {
			t.Errorf("%q: %+v, want %q", line, all, want)
		}
	}
}

// FuzzSplit checks that every line is split without end or panic, and that no command is without words.
func FuzzSplit(f *testing.F) {
	for _, line := range []string{
		"a && b", "cat <<E\nx\nE", "$(", "`", "\\", "'\"", ">", "<<", "a 2>&1|b", "<<<", "do", "sh -c 'sh -c a'", "((1))",
		"f() { a; }", "[[ a ]] && b", "x=(a b) y", "a{b,c}", "eval eval eval a",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		all := Split(line)
		if len(all) > mostCommands {
			t.Errorf("%d commands", len(all))
		}
		for i := range all {
			if len(all[i].Words) == 0 {
				t.Errorf("%q: %+v", line, all[i])
			}
		}
	})
}
