package git

import (
	"slices"
	"strings"
	"testing"
)

func TestGitThatReachesOthersKnowsTheUserAndNothingElseOfTheCaller(t *testing.T) {
	leaks := []string{
		"GIT_DIR=/x",
		"GIT_WORK_TREE=/x",
		"GIT_CONFIG_PARAMETERS='a.b'='c'",
		"GIT_AUTHOR_DATE=1",
		"GIT_TRACE=1",
		"GIT_ALLOW_PROTOCOL=ext",
		"GIT_SHALLOW_FILE=/x",
	}
	stay := []string{
		"HOME=/h",
		"SSH_AUTH_SOCK=/s",
		"GIT_SSH_COMMAND=ssh -i k",
		"GIT_AUTHOR_NAME=CI",
		"GIT_COMMITTER_EMAIL=c@i",
		"GIT_SSL_CAINFO=/c",
		"GIT_CONFIG_GLOBAL=/g",
	}
	asks := []string{"GIT_ASKPASS=/a", "GPG_TTY=/dev/tty"}
	for _, ask := range []bool{false, true} {
		env := reachingEnvironment(slices.Concat(leaks, stay, asks), ask)
		for _, kv := range leaks {
			if slices.Contains(env, kv) {
				t.Errorf("%s reaches git", kv)
			}
		}
		for _, kv := range stay {
			if !slices.Contains(env, kv) {
				t.Errorf("%s does not reach git", kv)
			}
		}
		for _, kv := range asks {
			if slices.Contains(env, kv) != ask {
				t.Errorf("git may ask: %v; %s reaches it: %v", ask, kv, !ask)
			}
		}
		if prompt := slices.Contains(env, "GIT_TERMINAL_PROMPT=1"); prompt != ask {
			t.Errorf("git may ask: %v; it asks at the terminal: %v", ask, prompt)
		}
	}
}

func TestNameOfTheCommandIsFoundBehindSettings(t *testing.T) {
	if got := command(strings.Fields("-c a.b=c log -1")); got != "log" {
		t.Errorf("command = %q", got)
	}
}
