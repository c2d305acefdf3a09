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
	from := max(0, at-8)
	start := from + runBack(text[from:at], at-from, letter)
	if !containsWord("s ses sess session", text[start:at]) {
		return memory.Trace{}, false
	}
	end := run(text[:min(len(text), at+80)], at+1, alnum|dash)
	digits := strings.LastIndexAny(text[at:end], "0123456789") > strings.IndexAny(text[at:end], "0123456789") // two or more
	ok := (start == 0 || !wordByte(text[start-1]) && text[start-1] != '-') && end-at > shortestSession && digits
	return memory.Trace{Start: start, End: end, Rule: RuleSession}, ok
}

// uuidIn returns where the first UUID in s begins, or -1.
func uuidIn(s string) int {
	for i := 0; i+36 <= len(s); i++ {
		if i+8 < len(s) && s[i+8] == '-' && isUUID(s[i:i+36]) && (i == 0 || !is(s[i-1], hexAny)) {
			return i
		}
	}
	return -1
}

// isUUID reports whether s, 36 bytes long, is a UUID.
func isUUID(s string) bool { return run(s, 0, hexAny|dash) == 36 && whole(s, 0, uuidBody) == 36 }
