package detect

import (
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
)

// checkUnusual checks every character that is not plain text, and searches the text around those
// that hide or imitate others again in its visible form.
func (s *flagScanner) checkUnusual() {
	var windows []window
	for i := nextUnusual(s.text, 0); i < len(s.text); i = nextUnusual(s.text, i) {
		for end := min(i+8, len(s.text)); i < end; {
			start, next, how := s.checkUnusualAt(i)
			if start >= 0 {
				windows = addWindow(windows, s.text, start, next, how)
			}
			i = max(next, i+1)
		}
	}
	for _, w := range windows {
		s.searchVisibleForm(w)
	}
}

// checkUnusualAt checks the character at byte i and returns where to continue. start is where text
// to search again in its visible form begins, or -1; how says what to decode besides look-alikes.
func (s *flagScanner) checkUnusualAt(i int) (start, next int, how encodings) {
	c := s.text[i]
	switch {
	case c >= utf8.RuneSelf:
		start, next = s.checkRune(i)
		return start, next, 0
	case c == ' ' || c == '\t' || c == '\n':
		return -1, s.checkGap(i), 0
	case c < ' ' || c == 0x7F:
		return -1, s.checkControl(i), 0
	case isLetter(c) && (i == 0 || !isLetter(s.text[i-1])):
		from := spacedLettersStart(s.text, i)
		if n := spacedLettersLen(s.text[from:]); from+n > i {
			return from, from + n, spacedLetters
		}
	}
	return -1, i + 1, 0
}

// spacedLettersStart returns where the spaced letters around text[i] begin. It looks back only over
// what nextUnusual may have skipped.
func spacedLettersStart(text string, i int) int {
	for most := i - 16; i >= 2 && i > most; i -= 2 {
		if !isLetterSeparator(text[i-1]) || !isLetter(text[i-2]) || i > 2 && isLetter(text[i-3]) {
			break
		}
	}
	return i
}

// How much white space moves the text after it out of sight.
const (
	farColumns = 80
	farLines   = 20
)

// checkGap checks the white space that begins at byte i and returns its end.
func (s *flagScanner) checkGap(i int) int {
	end, lines, columns := i, 0, 0
	for ; end < len(s.text); end++ {
		switch s.text[end] {
		case '\n':
			lines, columns = lines+1, 0
			continue
		case ' ', '\t':
			columns++
			continue
		case '\r':
			if strings.HasPrefix(s.text[end+1:], "\n") {
				continue
			}
		}
		break
	}
	if end < len(s.text) && (lines > farLines || columns >= farColumns) {
		s.addTrace(RuleFar, end, end+min(lineLen(s.text[end:]), farColumns), "")
	}
	return max(end, i+1)
}

// commonRunesLen returns the length of the accented Latin letters or ideographs at the start of s.
// Most non-ASCII text consists of them.
func commonRunesLen(s string) (n int) {
	for n+3 <= len(s) {
		switch c := s[n]; {
		case c == 0xC3 && s[n+1] >= 0x80 && s[n+1] < 0xC0:
			n += 2
		case isIdeographic(c, s[n+1]) && s[n+1]&0xC0 == 0x80 && s[n+2]&0xC0 == 0x80:
			n += 3
		default:
			return n
		}
	}
	return n
}

// isIdeographic reports whether a character of three bytes that begins with two is of kana or an ideograph.
func isIdeographic(first, second byte) bool {
	return first == 0xE3 && (second == 0x81 || second == 0x82) || first >= 0xE4 && first <= 0xE9
}

// isAccent reports whether r, at byte i, is a mark that combines with the letter before it. U+034F joins instead.
func isAccent(text string, i int, r rune) bool {
	return r >= 0x300 && r <= 0x36F && r != 0x34F && i > 0 && isLetter(text[i-1])
}

// checkRune checks the non-ASCII character at byte i.
func (s *flagScanner) checkRune(i int) (start, next int) {
	if n := commonRunesLen(s.text[i:]); n > 0 {
		return -1, i + n
	}
	r, n := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case r == utf8.RuneError:
		return -1, i + max(n, 1)
	case r <= 0x9F:
		return -1, s.checkControl(i)
	case scriptOf(r) != otherScript:
		at, end := imitatedWord(s.text, i)
		if at < 0 {
			return -1, max(end, i+n)
		}
		s.addTrace(RuleLookalike, at, end, visibleForm(s.text[at:end]))
		return at, end
	case r == 'ı' || r == 'ſ': // in Turkish and in old prints
		return i, i + n
	case isAccent(s.text, i, r):
		return i, i + n
	case IsHidden(r) || r == 0xFE0E || r == 0xFE0F:
		return s.checkHidden(i, r, n)
	case strings.ContainsRune(DelimiterOpenings, r):
		if d := DelimiterLen(s.text[i:]); d > 0 {
			s.addTrace(RuleDelimiter, i, i+d, "")
			return -1, i + d
		}
	}
	return -1, i + n
}

// visibleForm returns a text with look-alike letters replaced.
func visibleForm(text string) string {
	return displayText(decodeWith(&decodedText{text: text}, lookalikeRunes).text)
}

// checkHidden checks the hidden character r at byte i, n bytes long, with those that follow it.
func (s *flagScanner) checkHidden(i int, r rune, n int) (start, next int) {
	switch {
	case isVariationSelector(r):
		return s.checkSelectors(i)
	case isTag(r):
		return s.checkTags(i)
	case isBidiControl(r):
		return s.checkBidi(i, r, n)
	case r == 0xAD:
		s.addTrace(RuleSoftHyphen, i, i+n, "")
		return i, i + n
	case r == 0xFEFF && i == 0, isNeededByScript(s.text, i, r, n):
		return -1, i + n
	}
	end := runeRunEnd(s.text, i, func(r rune) bool {
		return IsHidden(r) && r >= 0xA0 && r != 0xAD && !isVariationSelector(r) && !isBidiControl(r) && !isTag(r)
	})
	says := decodeZeroWidth(s.text[i:end])
	if strings.HasSuffix(says, "cannot be seen") {
		s.addTrace(RuleHidden, i, end, says)
	} else {
		s.addHidden(RuleHidden, i, end, says)
	}
	return i, end
}

// isNeededByScript reports whether the script around a hidden character needs it: a joiner in
// Arabic, Indian scripts or emoji, or a zero-width space in a script without spaces.
func isNeededByScript(text string, i int, r rune, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	switch r {
	case 0x200C, 0x200D:
		return isNeededJoiner(text, i, n) || before >= 0x600 && before < 0x1100
	case 0x200B:
		return isUnspacedScript(before) && isUnspacedScript(after)
	case 0x180B, 0x180C, 0x180D, 0x180E, 0x180F:
		return before >= 0x1820 && before <= 0x18AF
	case 0x17B4, 0x17B5, 0x115F, 0x1160:
		return before >= 0x1100 && before < 0x1200 || before >= 0x1780 && before < 0x1800
	}
	return false
}

// isUnspacedScript reports whether r belongs to a script written without spaces.
func isUnspacedScript(r rune) bool {
	return r >= 0xE00 && r <= 0xEFF || r >= 0x1000 && r <= 0x109F || r >= 0x1780 && r <= 0x17FF ||
		r >= 0x3040 && r <= 0x9FFF
}

// checkDelimiters searches for delimiters of prompts.
func (s *flagScanner) checkDelimiters() {
	for i, next := indexFrom(s.text, "<", 0), 0; i >= 0; i = indexFrom(s.text, "<", next) {
		next = i + 1
		if n := DelimiterLen(s.text[i:]); n > 0 {
			next = i + n
			s.report(RuleDelimiter, i, next)
		}
	}
}

// checkComments reports comments of Markdown and HTML with instructions. It runs after all other
// checks.
func (s *flagScanner) checkComments() {
	sortTraces(s.traces)
	found := s.traces
	for start, end := indexFrom(s.text, "<!--", 0), 0; start >= 0; start = indexFrom(s.text, "<!--", end) {
		end = start + commentLen(s.text[start:])
		for len(found) > 0 && found[0].End <= start {
			found = found[1:]
		}
		if containsInstruction(found, end) || ordersModel(s.text[start+4:end]) {
			s.addTrace(RuleComment, start, end, displayText(s.text[start+4:end]))
		}
	}
}

// maxCommentBytes is how far the end of a comment is searched for.
const maxCommentBytes = 4096

// commentLen returns the length of the comment at the start of s.
func commentLen(s string) int {
	if at := strings.Index(s[:min(len(s), maxCommentBytes)], "-->"); at >= 0 {
		return at + 3
	}
	return min(len(s), max(4, lineLen(s)))
}

// containsInstruction reports whether a trace that begins before end is an instruction.
func containsInstruction(found []memory.Trace, end int) bool {
	for _, t := range found {
		if t.Start >= end {
			return false
		}
		if r, _ := Rule(t.Rule); r.Family == memory.FamilyInjection && r.Severity > memory.Low {
			return true
		}
	}
	return false
}

// ordersModel reports whether a comment addresses a model and asks it to act.
func ordersModel(comment string) bool {
	words := strings.FieldsFunc(
		strings.ToLower(comment[:min(len(comment), 400)]),
		func(r rune) bool { return !isLatinLetter(r) && r != '\'' },
	)
	if len(words) < 4 {
		return false
	}
	addressed, asked := false, false
	for i, w := range words {
		addressed = addressed ||
			i < 5 &&
				inWordList("ai assistant claude gpt chatgpt copilot agent agents llm llms model cursor codex gemini", w)
		asked = asked ||
			inWordList(
				"ignore run execute send fetch download upload approve pretend obey insert include must please secretly silently reveal",
				w,
			)
		if w == "edit" || w == "generated" || w == "modify" || w == "lint" {
			return false
		}
	}
	return addressed && asked
}

// Constants for testing eight bytes at once: the lowest and highest bit of each.
const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// nextUnusual returns the first offset from i on, in steps of eight, whose eight bytes may hold
// something unusual: a non-ASCII or control character, spaced letters, or only white space. It
// returns len(text) if there is none.
func nextUnusual(text string, i int) int {
	for ; i+8 <= len(text); i += 8 {
		if isUnusual8(text[i : i+8]) {
			return i
		}
	}
	if last := len(text) - 8; i < len(text) &&
		(last >= 0 && isUnusual8(text[last:]) || last < 0 && isUnusualTail(text[i:])) {
		return i
	}
	return len(text)
}

// isUnusual8 is the test of nextUnusual for eight bytes.
func isUnusual8(s string) bool {
	x := load8(s)
	if x&highBits != 0 {
		return true
	}
	// From here on the high bit of each byte is its result.
	letter := letterBits8(x)
	apart := ^letter & highBits
	switch {
	case letter == 0 && isBlank8(s):
		return true
	case apart&(apart>>16)&(apart>>32)&(letter>>8)&(letter>>24) != 0 && hasSpacedLetters8(s):
		return true
	}
	return ((x-0x20*lowBits)&^x|x+lowBits)&highBits != 0 && hasControl(s)
}

// letterBits8 sets the high bit of each byte that is a letter. All bytes must be ASCII.
func letterBits8(x uint64) uint64 {
	x |= 0x20 * lowBits
	return (x + (0x80-'a')*lowBits) &^ (x + (0x7F-'z')*lowBits) & highBits
}

// hasSpacedLetters8 reports whether two letters of s are each between separators.
func hasSpacedLetters8(s string) bool {
	for i := range 4 {
		if isLetterSeparator(s[i]) && isLetter(s[i+1]) && isLetterSeparator(s[i+2]) && isLetter(s[i+3]) &&
			isLetterSeparator(s[i+4]) {
			return true
		}
	}
	return false
}

// isBlank8 reports whether s is only white space.
func isBlank8(s string) bool { return strings.Trim(s, " \n\r\t") == "" }

// hasControl reports whether s contains a control character other than tab and line feed.
func hasControl(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' && c != '\t' && c != '\n' || c == 0x7F {
			return true
		}
	}
	return false
}

// isUnusualTail is isUnusual8 for fewer than eight bytes.
func isUnusualTail(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 }) || hasControl(s)
}
