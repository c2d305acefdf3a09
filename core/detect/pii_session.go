package detect

import (
	"strings"

	"winnow/core/memory"
)

// sessionReach is how many bytes after the word session its ID may begin.
const sessionReach = 48

// shortestSession is the minimum length of an ID after "ses_".
const shortestSession = 16

// uuidBehind searches for a session's UUID after the word that ends at byte end.
func uuidBehind(text string, _, end int) memory.Trace {
	line := text[end:min(len(text), end+sessionReach+36)]
	line = line[:lineLen(line)]
	n := uuidIn(line)
	if n < 0 {
		return memory.Trace{}
	}
	return memory.Trace{Start: end + n, End: end + n + 36, Rule: RuleSession}
}

// sessionAround checks for a session ID that begins as agents begin them, with an underscore at
// byte at.
func sessionAround(text string, at, end int) memory.Trace {
	if at == 0 || text[at-1] != 's' && text[at-1] != 'n' {
		return memory.Trace{}
	}
	from := max(0, at-8)
	start := from + runBack(text[from:at], at-from, letter)
	if !containsWord("s ses sess session", text[start:at]) || start > 0 && (wordByte(text[start-1]) || text[start-1] == '-') {
		return memory.Trace{}
	}
	id := text[end:run(text[:min(len(text), at+80)], end, alnum|dash)]
	digits := strings.LastIndexAny(id, "0123456789") > strings.IndexAny(id, "0123456789") // at least two digits
	if len(id) < shortestSession || !digits {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end + len(id), Rule: RuleSession}
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
