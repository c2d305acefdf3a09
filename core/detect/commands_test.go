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

func TestPatternOfAHookIsNoCommand(t *testing.T) {
	for _, command := range []string{"rm -rf /", ":(){ :|:& };:", "chmod 777 /etc"} {
		listed := "BLOCKED=(\n  \"" + command + "\"\n  \"git push\"\n)\n"
		if got := ruleIDs(listed); got != "" && got != RuleQuoted {
			t.Errorf("%q: %s", listed, got)
		}
		if got := ruleIDs("set -e\n" + command + "\n"); got == "" || got == RuleQuoted {
			t.Errorf("%q by itself: %q", command, got)
		}
	}
}

func TestDocumentedWayOutIsANote(t *testing.T) {
	for _, text := range []string{
		"**Pre-commit**: runs Ruff and MyPy before a commit. Override: `git commit --no-verify`",
		"Bypass intentionally (discouraged): `git commit --no-verify`.",
	} {
		if got := ruleIDs(text); got != "" && got != RuleQuoted {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := ruleIDs("To override the slow checks, commit with `git commit --no-verify`."); got != RuleChecks {
		t.Errorf("an order is %q", got)
	}
}
