package detect

import (
	"encoding/hex"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/memory"
)

// isVariationSelector reports whether r selects a variant of the preceding character.
func isVariationSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

// checkSelectors checks the variation selectors from byte i on. One after a character that has
// variants is legitimate. Several in a row carry data, one byte each.
func (s *flagScanner) checkSelectors(i int) (start, next int) {
	end := runeRunEnd(s.text, i, isVariationSelector)
	var data []byte
	for _, r := range s.text[i:end] {
		if r >= 0xE0100 {
			r -= 0xE0100 - 16
		}
		data = append(data, byte(r))
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:i])
	switch {
	case len(data) > 1:
		s.addHidden(RuleSelectors, i, end, textOrHex(data))
	case before >= 0xA0 && !IsHidden(before),
		before == 0x200D,
		before >= '0' && before <= '9',
		before == '#',
		before == '*':
		return -1, end
	default:
		s.addTrace(RuleHidden, i, end, "")
	}
	return i, end
}

// addHidden adds characters that nobody sees, and what they say. Two words or more are no accident.
func (s *flagScanner) addHidden(rule string, start, end int, says string) {
	s.addTrace(rule, start, end, says)
	said := strings.FieldsFunc(says, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(said) > 1 && len(said[0])+len(said[1]) > 3 && len(s.traces) > 0 {
		s.traces[len(s.traces)-1].Severity = memory.High
	}
}

// textOrHex returns bytes as text if most are printable, and otherwise in hexadecimal.
func textOrHex(data []byte) string {
	printable := 0
	for _, c := range data {
		if c >= ' ' && c < 0x7F {
			printable++
		}
	}
	if printable*5 >= len(data)*4 {
		return displayText(string(data))
	}
	return displayText(hex.EncodeToString(data[:min(len(data), 64)]))
}

// checkTags checks and decodes the tag characters from byte i on. It ignores those that make the
// flag of a region.
func (s *flagScanner) checkTags(i int) (start, next int) {
	end := runeRunEnd(s.text, i, isTag)
	text := strings.Map(func(r rune) rune {
		if r < 0xE0020 || r == cancelTag {
			return -1
		}
		return r - 0xE0000
	}, s.text[i:end])
	if strings.HasSuffix(s.text[:i], "🏴") && strings.HasSuffix(s.text[:end], string(rune(cancelTag))) &&
		isRegion(text) {
		return -1, end
	}
	s.addHidden(RuleTags, i, end, displayText(text))
	return i, end
}

// cancelTag ends the tag characters of a flag.
const cancelTag = 0xE007F

// isTag reports whether r is a tag character: an invisible copy of an ASCII character.
func isTag(r rune) bool { return r >= 0xE0000 && r <= cancelTag }

// isRegion reports whether a text is the code of a region with a flag, as in "gbeng".
func isRegion(s string) bool {
	return len(s) >= 3 && len(s) <= 6 && runEnd(s, 0, lower|digit) == len(s)
}

// runeRunEnd returns the end of the run of characters of a kind that starts at s[i].
func runeRunEnd(s string, i int, kind func(rune) bool) int {
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !kind(r) {
			break
		}
		i += n
	}
	return i
}

// isBidiControl reports whether r changes the order in which text is shown.
func isBidiControl(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x61C
}

// bidiNames describe the bidi control characters.
var bidiNames = map[rune]string{
	0x202A: "left to right from here", 0x202B: "right to left from here", 0x202C: "end of an order",
	0x202D: "forced left to right from here", 0x202E: "forced right to left from here",
	0x2066: "left to right by itself", 0x2067: "right to left by itself", 0x2068: "an order by itself",
	0x2069: "end of what is by itself",
	0x200E: "left-to-right mark", 0x200F: "right-to-left mark", 0x61C: "Arabic letter mark",
}

// checkBidi checks the bidi control r at byte i. Near Arabic and Hebrew letters it flags only the
// overrides, because such texts need the others.
func (s *flagScanner) checkBidi(i int, r rune, n int) (start, next int) {
	if r != 0x202D && r != 0x202E && rightToLeftLetterNear(s.text, i, n) {
		return -1, i + n
	}
	s.addTrace(RuleBidi, i, i+n, bidiNames[r])
	return i, i + n
}

// rightToLeftLetterNear reports whether there is a right-to-left letter near byte i.
func rightToLeftLetterNear(text string, i, n int) bool {
	from, to := max(0, i-100), min(len(text), i+n+100)
	return strings.ContainsFunc(text[from:to], func(r rune) bool {
		return r >= 0x590 && r <= 0x8FF && r != 0x61C || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC
	})
}

// decodeZeroWidth decodes a run of two kinds of zero-width characters as the bits of a text. If
// they encode no text it says how many there are; it returns "" for a run that is too short to
// carry data.
func decodeZeroWidth(s string) string {
	var kinds [2]rune
	var data []byte
	count := 0
	for _, r := range s {
		which := 0
		switch {
		case count == 0 || r == kinds[0]:
			kinds[0] = r
		case kinds[1] == 0 || r == kinds[1]:
			kinds[1], which = r, 1
		}
		if count%8 == 0 {
			data = append(data, 0)
		}
		data[len(data)-1] = data[len(data)-1]<<1 | byte(which)
		count++
	}
	if count < 16 || kinds[1] == 0 {
		return ""
	}
	text := textOrHex(data)
	if count%8 == 0 && text == displayText(string(data)) {
		return text
	}
	for i := range data {
		data[i] = ^data[i]
	}
	if text := textOrHex(data); count%8 == 0 && text == displayText(string(data)) {
		return text
	}
	return strconv.Itoa(count) + " characters that cannot be seen"
}

// Marks returns what to point out when a record's text is shown inside a prompt, in order: line
// breaks, with those that start a heading marked as such, hidden characters, and variants of the
// prompt's delimiters, also those that the agent's filter misses.
func Marks(text string) []memory.Mark { return slices.Collect(EachMark(text)) }

// EachMark yields what Marks returns.
func EachMark(text string) iter.Seq[memory.Mark] {
	return func(yield func(memory.Mark) bool) {
		if !mayHaveMarks(text) {
			return
		}
		for i := 0; i < len(text); {
			m, n := markAt(text, i)
			if n == 0 {
				_, n = utf8.DecodeRuneInString(text[i:])
			} else if !yield(m) {
				return
			}
			i += n
		}
	}
}

// mayHaveMarks is a cheap test. It returns false for most texts without marks.
func mayHaveMarks(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf, c == 0x7F, c < ' ' && c != '\t':
			return true
		case c == '<' && strings.IndexByte(text[i+1:], '<') >= 0:
			return true
		}
	}
	return false
}

// markAt returns the mark at byte i and its length, or length 0.
func markAt(text string, i int) (memory.Mark, int) {
	r, n := utf8.DecodeRuneInString(text[i:])
	mark := func(kind memory.MarkKind, n int, note string) (memory.Mark, int) {
		return memory.Mark{Kind: kind, Start: i, End: i + n, Note: note}, n
	}
	switch {
	case isLineBreak(r):
		if r == '\r' && strings.HasPrefix(text[i+1:], "\n") {
			n = 2
		}
		if startsHeading(text[i+n:]) {
			return mark(memory.MarkHeading, n, "a line break that starts a heading")
		}
		return mark(memory.MarkNewline, n, "a line break from the record")
	case strings.ContainsRune(DelimiterOpenings, r):
		if n := DelimiterLen(text[i:]); n > 0 {
			return mark(memory.MarkDelimiter, n, "a variant of the prompt's delimiter")
		}
	case r == utf8.RuneError && n == 1:
		if StartsWithLoneSurrogate(text[i:]) {
			return mark(memory.MarkHidden, 3, "half a character")
		}
	case IsHidden(r) && !isNeededJoiner(text, i, n):
		return mark(memory.MarkHidden, n, "a character that cannot be seen")
	}
	return memory.Mark{}, 0
}

// startsHeading reports whether a line begins with a heading.
func startsHeading(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t\u00a0\u200b"), "#")
}

// StartsWithLoneSurrogate reports whether s begins with a lone surrogate, encoded in three bytes.
// An agent leaves such half characters where it cuts a text.
func StartsWithLoneSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF
}

// IsHidden reports whether r is invisible, or changes how other characters are shown. The tab, line
// breaks and emoji selectors do not count.
func IsHidden(r rune) bool { return (r < ' ' || r >= 0x7F) && unicode.Is(hiddenRunes, r) }

var hiddenRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0, 8, 1}, {0xB, 0xC, 1}, {0xE, 0x1F, 1}, {0x7F, 0x9F, 1}, {0xAD, 0xAD, 1}, {0x34F, 0x34F, 1},
		{0x61C, 0x61C, 1}, {0x115F, 0x1160, 1}, {0x17B4, 0x17B5, 1}, {0x180B, 0x180F, 1}, {0x200B, 0x200F, 1},
		{0x202A, 0x202E, 1}, {0x2060, 0x206F, 1}, {0x3164, 0x3164, 1}, {0xFE00, 0xFE0D, 1},
		{0xFEFF, 0xFEFF, 1}, {0xFFA0, 0xFFA0, 1}, {0xFFF9, 0xFFFB, 1},
	},
	R32:         []unicode.Range32{{0x1D173, 0x1D17A, 1}, {0xE0000, 0xE0FFF, 1}},
	LatinOffset: 5,
}

// isNeededJoiner reports whether the character at byte i, n bytes long, is a joiner that its script
// or an emoji needs.
func isNeededJoiner(text string, i, n int) bool {
	if r, _ := utf8.DecodeRuneInString(text[i:]); r != 0x200C && r != 0x200D {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	needs := func(r rune) bool { return r >= 0x590 && r != utf8.RuneError && (!IsHidden(r) || r == 0xFE0F) }
	return needs(before) && needs(after)
}

// isPlainASCII reports whether s is ASCII without terminal sequences.
func isPlainASCII(s string) bool {
	const ones, highs, escape = 0x0101010101010101, 0x8080808080808080, 0x1B
	var all, not uint64 // the high bit of each byte is its result
	for ; len(s) >= 8; s = s[8:] {
		x := load8(s)
		all |= x
		x ^= escape * ones
		not |= (x - ones) &^ x
	}
	for i := range len(s) {
		all |= uint64(s[i])
		if s[i] == escape {
			return false
		}
	}
	return (all|not)&highs == 0
}

// isZeroWidth reports whether r can split a word without being seen.
func isZeroWidth(r rune) bool { return r >= 0xAD && unicode.Is(zeroWidthRunes, r) }

var zeroWidthRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{
			0xAD,
			0xAD,
			1,
		}, {0x34F, 0x34F, 1}, {0x61C, 0x61C, 1}, {0x180E, 0x180E, 1}, {0x200B, 0x200F, 1}, {0x202A, 0x202E, 1},
		{0x2060, 0x206F, 1}, {0xFE00, 0xFE0F, 1}, {0xFEFF, 0xFEFF, 1},
	},
	R32:         []unicode.Range32{{0xE0000, 0xE0FFF, 1}},
	LatinOffset: 1,
}
