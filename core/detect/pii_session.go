package detect

import (
	"strings"

	"winnow/core/memory"
)

// sessionReach is how far behind the word session its id may stand.
const sessionReach = 48

// shortestSession is the fewest characters of an id behind "ses_".
const shortestSession = 16

// sessionsIn adds the ids of sessions in a text: UUIDs behind the word, and ids that begin
// as agents begin them.
func sessionsIn(out []memory.Trace, text string) []memory.Trace {
	for i := nextSession(text, 0); i < len(text); {
		line := text[i:min(len(text), i+sessionReach+36)]
		if end := strings.IndexByte(line, '\n'); end >= 0 {
			line = line[:end]
		}
		if n := uuidIn(line); n >= 0 {
			out = append(out, memory.Trace{Start: i + n, End: i + n + 36, Rule: RuleSession})
			i += n + 36
		}
		i = nextSession(text, i)
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

// sessionWord is how the word session ends.
const sessionWord = "ession"

// nextSession returns the first place from i on that is right behind the word, or
// len(text).
func nextSession(text string, i int) int {
	if n := strings.Index(text[i:], sessionWord); n >= 0 {
		return i + n + len(sessionWord)
	}
	return len(text)
}

// prefixed returns the id of a session whose underscore is at byte at.
func prefixed(text string, at int) (memory.Trace, bool) {
	if at == 0 || text[at-1] != 's' && text[at-1] != 'n' {
		return memory.Trace{}, false
	}
	start := at
	for start > max(0, at-8) && isLetter(text[start-1]) {
		start--
	}
	switch text[start:at] {
	case "s", "ses", "sess", "session":
	default:
		return memory.Trace{}, false
	}
	end, digits := at+1, 0
	for end < min(len(text), at+80) && (isLetter(text[end]) || isDigit(text[end]) || text[end] == '-') {
		if isDigit(text[end]) {
			digits++
		}
		end++
	}
	ok := (start == 0 || !wordByte(text[start-1]) && text[start-1] != '-') && end-at > shortestSession && digits > 1
	return memory.Trace{Start: start, End: end, Rule: RuleSession}, ok
}

// uuidIn returns where the first UUID in s begins, or -1.
func uuidIn(s string) int {
	for i := 8; i < len(s); i++ {
		n := strings.IndexByte(s[i:], '-')
		if n < 0 || i+n+28 > len(s) {
			return -1
		}
		i += n
		if at := i - 8; isUUID(s[at:at+36]) && (at == 0 || !hexDigit(s[at-1])) {
			return at
		}
	}
	return -1
}

// isUUID reports whether s, 36 bytes long, is a UUID.
func isUUID(s string) bool {
	for i := range len(s) {
		switch dash := i == 8 || i == 13 || i == 18 || i == 23; {
		case dash && s[i] != '-', !dash && !hexDigit(s[i]):
			return false
		}
	}
	return true
}
