package detect

import "strings"

// maxSentenceBytes is how many bytes a sentence may extend to each side of a keyword.
const maxSentenceBytes = 300

// minWrappedLine is the minimum length of a line that a sentence may continue after.
const minWrappedLine = 45

// sentenceAround returns the sentence that contains byte at.
func sentenceAround(text string, at int) (from, to int) {
	from, to = max(0, at-maxSentenceBytes), min(len(text), at+maxSentenceBytes)
	joined := false
	for i := at - 1; i >= from; i-- {
		if inClass(text[i], alnum) {
			continue
		}
		if n := sentenceEndLen(text, i); n > 0 && i+n <= at {
			if from = i + n; joined || text[i] != '.' || !refersBack(text[from:to]) {
				break
			}
			joined = true // the previous sentence may say what "it" is
		}
	}
	for i := at; i < to; i++ {
		if !inClass(text[i], alnum) && sentenceEndLen(text, i) > 0 {
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

// sentenceEndLen returns the length of the sentence end at byte i, or 0. A sentence ends at a full
// stop before a capital, at an empty line, before a list item, and at the end of a JSON string.
func sentenceEndLen(text string, i int) int {
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
		if i < minWrappedLine || strings.IndexByte(text[i-minWrappedLine:i], '\n') >= 0 {
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
