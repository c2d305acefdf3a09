package private

import (
	"strings"

	"winnow/core/memory"
)

// sessionReach is how far behind the word session its id may stand.
const sessionReach = 48

// shortestSession is the fewest characters of an id behind "ses_".
const shortestSession = 16

// sessionsIn returns the ids of sessions in a text: UUIDs behind the word, and ids that
// begin as agents begin them.
func sessionsIn(text string) (out []memory.Trace) {
	for i := 0; ; {
		at := strings.Index(text[i:], "ession")
		if at < 0 {
			break
		}
		i += at + len("ession")
		line := text[i:min(len(text), i+sessionReach+36)]
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		if n := uuidIn(line); n >= 0 {
			out = append(out, memory.Trace{Start: i + n, End: i + n + 36, Rule: RuleSession})
			i += n + 36
		}
	}
	for i := 0; ; {
		at := strings.IndexByte(text[i:], '_')
		if at < 0 {
			return out
		}
		at += i
		i = at + 1
		if t, ok := prefixed(text, at); ok {
			out = append(out, t)
			i = t.End
		}
	}
}

// prefixed returns the id of a session whose underscore is at byte at.
func prefixed(text string, at int) (memory.Trace, bool) {
	start := at
	for start > max(0, at-8) && letter(text[start-1]) {
		start--
	}
	switch text[start:at] {
	case "s", "ses", "sess", "session":
	default:
		return memory.Trace{}, false
	}
	end, digits := at+1, 0
	for end < min(len(text), at+80) && (letter(text[end]) || digit(text[end]) || text[end] == '-') {
		if digit(text[end]) {
			digits++
		}
		end++
	}
	ok := (start == 0 || !wordByte(text[start-1]) && text[start-1] != '-') && end-at > shortestSession && digits > 1
	return memory.Trace{Start: start, End: end, Rule: RuleSession}, ok
}

// uuidIn returns where the first UUID in s begins, or -1.
func uuidIn(s string) int {
	for i := 0; i+36 <= len(s); i++ {
		if s[i+8] == '-' && uuid(s[i:i+36]) && (i == 0 || !hexDigit(s[i-1])) {
			return i
		}
	}
	return -1
}

// uuid reports whether s, 36 bytes long, is a UUID.
func uuid(s string) bool {
	for i := range len(s) {
		switch dash := i == 8 || i == 13 || i == 18 || i == 23; {
		case dash && s[i] != '-', !dash && !hexDigit(s[i]):
			return false
		}
	}
	return true
}
