package cli

import (
	"strings"
)

// The lines between which stands what install added to a hook.
const (
	hookBegin = "# >>> winnow >>>\n"
	hookEnd   = "# <<< winnow <<<\n"
)

// hookBlock is what install adds to a hook: lines of a shell. They end the hook, and
// print something, only when something was found or could not be looked at.
func hookBlock(failOn string) string {
	return hookBegin + `# Looks for secrets, injected instructions and hidden text in what is staged.
if command -v winnow >/dev/null 2>&1; then
  winnow_found=$(winnow audit --staged --fail-on ` + failOn + ` 2>&1) || {
    printf '%s\n' "$winnow_found" 'To commit all the same: git commit --no-verify' >&2
    exit 1
  }
else
  echo 'winnow was not found: what is staged was not looked at' >&2
fi
` + hookEnd
}

// state says whose the hook is.
func (h *theHook) state() string {
	if h.now == nil {
		return hookNone
	}
	before, _, after, ok := cutBlock(string(h.now))
	switch {
	case !ok:
		return hookOther
	case after == "" && (before == "" || before == "#!/bin/sh\n"):
		return hookOurs
	}
	return hookMixed
}

// cutBlock returns what is before and behind the block in a hook.
func cutBlock(hook string) (before, block, after string, ok bool) {
	start := strings.Index(hook, hookBegin)
	if start < 0 || start > 0 && hook[start-1] != '\n' {
		return "", "", "", false
	}
	length := strings.Index(hook[start:], hookEnd)
	if length < 0 {
		return "", "", "", false
	}
	end := start + length + len(hookEnd)
	return hook[:start], hook[start:end], hook[end:], true
}

// replaceBlock returns a hook with another block, or none.
func replaceBlock(hook, block string) string {
	before, _, after, ok := cutBlock(hook)
	if !ok {
		return hook
	}
	return before + block + after
}

// insertBlock returns a hook with the block behind its first line, where no exit and no
// exec of the hook keeps it from being run. It is false when the hook is no script for
// a shell.
func insertBlock(hook, block string) (string, bool) {
	head, rest, _ := strings.Cut(hook, "\n")
	if hook == "" {
		return "#!/bin/sh\n" + block, true
	}
	if !forShell(strings.TrimRight(head, "\r")) || strings.HasSuffix(head, "\r") {
		return "", false
	}
	return head + "\n" + block + rest, true
}

// forShell reports whether the first line of a script says that a shell runs it which
// understands the block.
func forShell(head string) bool {
	path, ok := strings.CutPrefix(head, "#!")
	if !ok {
		return false
	}
	words := strings.Fields(path)
	if len(words) > 1 && strings.HasSuffix(words[0], "/env") {
		words = words[1:]
	}
	if len(words) == 0 {
		return false
	}
	switch words[0][strings.LastIndexByte(words[0], '/')+1:] {
	case "sh", "bash", "dash", "ash", "ksh", "zsh":
		return true
	}
	return false
}
