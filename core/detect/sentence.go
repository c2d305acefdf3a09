package detect

import "strings"

// sentenceBytes is how many bytes a sentence may extend to each side of a keyword.
const sentenceBytes = 300

// shortLine is the minimum length of a line that a sentence may continue after.
const shortLine = 45

// sentenceAround returns the sentence that contains byte at.
func sentenceAround(text string, at int) (from, to int) {
	from, to = max(0, at-sentenceBytes), min(len(text), at+sentenceBytes)
	whole := false
	for i := at - 1; i >= from; i-- {
		if is(text[i], alnum) {
			continue
		}
		if n := sentenceEnd(text, i); n > 0 && i+n <= at {
			if from = i + n; whole || text[i] != '.' || !refersBack(text[from:to]) {
				break
			}
			whole = true // the previous sentence may say what "it" is
		}
	}
	for i := at; i < to; i++ {
		if !is(text[i], alnum) && sentenceEnd(text, i) > 0 {
			to = i
			break
		}
	}
	return from, to
}

// refersBack reports whether a sentence begins with a reference to the previous one.
func refersBack(sentence string) bool {
	return containsAny(strings.ToLower(sentence[:min(len(sentence), 60)]), " it ; both ; it.; it,; them ; them.; them,; those ; that, ; they ")
}

// sentenceEnd returns the length of the sentence end at byte i, or 0. A sentence ends at a full
// stop before a capital, at an empty line, before a list item, and at the end of a JSON string.
func sentenceEnd(text string, i int) int {
	rest := text[i:]
	switch rest[0] {
	case '|':
		return 1
	case '.', '!', '?':
		marks := strings.TrimLeft(rest[1:min(len(rest), 6)], "*_\"'`)")
		if len(marks) > 1 && marks[0] == ' ' && (marks[1] < 'a' || marks[1] > 'z') {
			return 2
		}
	case '\\':
		if strings.HasPrefix(rest, `\n`) {
			return 2
		}
	case ' ':
		if strings.HasPrefix(rest, "  # ") {
			return 4 // a comment
		}
	case '\n':
		if hasAnySuffix(text[:i], "{;},;],") {
			return 1
		}
		if i < shortLine || strings.IndexByte(text[i-shortLine:i], '\n') >= 0 {
			return 1 // a wrapped line is longer
		}
		line := strings.TrimLeft(rest[1:min(len(rest), 40)], " \t")
		if line == "" || strings.IndexByte("\n\r-*#|>+`~<0123456789", line[0]) >= 0 {
			return 1
		}
	case '"':
		if len(rest) > 2 && (rest[1] == ',' || rest[1] == ':') && rest[2] == '"' {
			return 3
		}
	case 0xE3, 0xEF:
		for _, end := range []string{"。", "！", "？"} {
			if strings.HasPrefix(rest, end) {
				return len(end)
			}
		}
	}
	return 0
}
