package arbiter

import (
	"slices"
	"strings"
)

// command is one command of a model's reply.
type command struct {
	name, args string
}

// iteration is one round of the loop of tools: the commands and what they returned.
type iteration struct {
	commands []command
	results  string
}

const (
	loopBegin = "[LOOP DETECTED]\nThe following tool calls have ERR'd twice in a row — repeating them won't change the result.  Change argument, change tool, ask for help, or stop trying:\n"
	loopEnd   = "[END LOOP DETECTED]\n\n"
	// loopLine is how many bytes of a call are named.
	loopLine = 200
)

// failed returns the commands of a round that Arbiter takes for failed. It judges by the
// first result that begins with the name, whatever its arguments are.
func (it iteration) failed() []command {
	var out []command
	for _, c := range it.commands {
		if _, bad := verdict(it.results, c.name); bad {
			out = append(out, c)
		}
	}
	return out
}

// verdict returns the part of the results by which Arbiter judges a command of the name,
// and whether that is an error.
func verdict(results, name string) (part string, bad bool) {
	at := strings.Index(results, "[/"+name)
	if at < 0 {
		return "", false
	}
	part = results[at:]
	if end := strings.Index(part, "[END "+upper(name)+"]"); end >= 0 {
		part = part[:end]
	}
	_, body, more := strings.Cut(part, "\n")
	if !more {
		return part, false
	}
	return part, strings.HasPrefix(body, "ERR:") || strings.Contains(body, "\nERR:")
}

// upper is toupper() in the C locale.
func upper(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c &^ 0x20
		}
	}
	return string(b)
}

// warning returns the text that Arbiter puts before the results of a round when calls of
// it failed in the round before as well, and the empty text otherwise.
func warning(before, now []command) string {
	var b strings.Builder
	var named []string
	for _, c := range now {
		call := "/" + c.name + " " + c.args
		call = call[:min(len(call), loopLine)]
		if !slices.Contains(before, c) || slices.Contains(named, call) {
			continue
		}
		named = append(named, call)
		b.WriteString("  " + call + "\n")
	}
	if len(named) == 0 {
		return ""
	}
	return loopBegin + b.String() + loopEnd
}
