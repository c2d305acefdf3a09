package detect

import (
	"strings"

	"winnow/core/memory"
)

// maxSessionDistance is how many bytes after the word session its ID may begin.
const maxSessionDistance = 48

// minSessionIDLen is the minimum length of an ID after "ses_".
const minSessionIDLen = 16

// sessionUUIDAfter searches for a session's UUID after the word that ends at byte end.
func sessionUUIDAfter(text string, _, end int) memory.Trace {
	line := text[end:min(len(text), end+maxSessionDistance+36)]
	line = line[:lineLen(line)]
	n := indexUUID(line)
	if n < 0 {
		return memory.Trace{}
	}
	return memory.Trace{Start: end + n, End: end + n + 36, Rule: RuleSession}
}

// sessionIDAt checks for a session ID that begins as agents begin them, with an underscore at
// byte at.
func sessionIDAt(text string, at, end int) memory.Trace {
	if at == 0 || text[at-1] != 's' && text[at-1] != 'n' {
		return memory.Trace{}
	}
	from := max(0, at-8)
	start := from + runStart(text[from:at], at-from, letter)
	if !inWordList("s ses sess session", text[start:at]) || start > 0 && (isNameByte(text[start-1]) || text[start-1] == '-') {
		return memory.Trace{}
	}
	id := text[end:runEnd(text[:min(len(text), at+80)], end, alnum|dash)]
	digits := strings.LastIndexAny(id, "0123456789") > strings.IndexAny(id, "0123456789") // at least two digits
	if len(id) < minSessionIDLen || !digits {
		return memory.Trace{}
	}
	return memory.Trace{Start: start, End: end + len(id), Rule: RuleSession}
}

// indexUUID returns where the first UUID in s begins, or -1.
func indexUUID(s string) int {
	for i := 0; i+36 <= len(s); i++ {
		if i+8 < len(s) && s[i+8] == '-' && isUUID(s[i:i+36]) && (i == 0 || !inClass(s[i-1], anyHex)) {
			return i
		}
	}
	return -1
}

// isUUID reports whether s, 36 bytes long, is a UUID.
func isUUID(s string) bool {
	return runEnd(s, 0, anyHex|dash) == 36 && matchWholeBody(s, 0, uuidBody) == 36
}
