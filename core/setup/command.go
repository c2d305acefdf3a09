package setup

import (
	"regexp"
	"strings"
	"sync"

	"winnow/core/memory"
)

// A hook must not stop its agent: Claude Code takes status 2 for "block the prompt", and that is how a Go
// program ends when it cannot even start, for want of memory or of processes. So a shell starts it,
// which ends with status 0 whatever happens, and prints no error.
const (
	shellStart = `trap "exit 0" 0; `
	shellQuiet = "exec 2>/dev/null; "
	shellEnd   = "; exit 0"

	// On Windows an agent runs hooks by cmd, PowerShell or bash, and this means the same in all of them.
	powerStart = `powershell -NoProfile -NonInteractive -Command "try { & `
	powerEnd   = ` } catch { }; exit 0"`
)

// command returns the command of a hook.
func (h hooks) command(name, program string) string {
	verb := name
	switch {
	case name == Resume:
		verb = Recall
	case h.matcher(name) != "":
		verb = callVerb
	}
	call := " " + hookWord + " " + verb + " --agent " + h.agent
	if h.windows {
		program = strings.ReplaceAll(strings.ReplaceAll(program, `\`, "/"), "'", "''")
		return powerStart + "'" + program + "'" + call + powerEnd
	}
	return "sh -c " + memory.ShellWord(shellStart+shellQuiet+memory.ShellWord(program)+call+shellEnd)
}

// hookWord is the command of the program that hooks run.
const hookWord = "agent-hook"

// callVerb is what it does at a call of a tool.
const callVerb = "call"

var hookCall = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\s+` + hookWord + `\s+(recall|call|learn)(\s+--agent\s+\w+)?$`)
})

// hookOf returns the entry of a hook command of ours at an event, in the form of now or of earlier.
func hookOf(command, event string) (e Entry, ok bool) {
	word, rest, ok := cutWord(callIn(strings.TrimSpace(command)))
	m := hookCall().FindStringSubmatch(rest)
	if !ok || m == nil {
		return e, false
	}
	name := m[1]
	switch {
	case event == started && name == Recall:
		name = Resume
	case name == callVerb:
		name = calledAt(event)
	}
	return Entry{name, word}, isWinnow(word)
}

// callIn returns the call of the program in a command, without what keeps it from stopping an agent.
func callIn(command string) string {
	if call, ok := strings.CutPrefix(command, powerStart); ok {
		return strings.ReplaceAll(strings.TrimSuffix(call, powerEnd), "''", `'\''`)
	}
	if quoted, ok := strings.CutPrefix(command, "sh -c "); ok {
		if word, rest, ok := cutWord(quoted); ok && rest == "" {
			command = word
		}
	}
	command = strings.TrimPrefix(strings.TrimPrefix(command, shellStart), shellQuiet)
	command = strings.TrimSuffix(strings.TrimSuffix(command, shellEnd), " || true")
	return strings.TrimSuffix(command, " 2>/dev/null")
}

// cutWord returns the first word of a shell command without its quotes, and what follows it. It returns
// false if anything but quotes is special there.
func cutWord(command string) (word, rest string, ok bool) {
	var out strings.Builder
	for i := 0; i < len(command); i++ {
		switch c := command[i]; c {
		case '\'', '"':
			n := strings.IndexByte(command[i+1:], c)
			if n < 0 {
				return "", "", false
			}
			out.WriteString(command[i+1 : i+1+n])
			i += n + 1
		case '\\':
			if i++; i < len(command) {
				out.WriteByte(command[i])
			}
		case ' ', '\t':
			return out.String(), command[i:], true
		case ';', '&', '|', '(', ')', '<', '>', '\n':
			return "", "", false
		case '$':
			if !strings.HasPrefix(command[i+1:], "'") { // earlier, odd characters were spelled $'…'
				return "", "", false
			}
		default:
			out.WriteByte(c)
		}
	}
	return out.String(), "", true
}
