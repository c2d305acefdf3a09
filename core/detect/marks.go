package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/memory"
)

// Marks returns the places in the text of a record that act on the reader of a prompt that includes
// it, in order: line breaks (with a special mark if they start a heading), hidden characters, and
// variants of the prompt's delimiters, including those that the agent's filter misses.
func Marks(text string) (marks []memory.Mark) {
	if !mayHaveMarks(text) {
		return nil
	}
	for i := 0; i < len(text); {
		m, n := markAt(text, i)
		if n == 0 {
			_, n = utf8.DecodeRuneInString(text[i:])
		} else {
			marks = append(marks, m)
		}
		i += n
	}
	return marks
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

func isLineBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029
}

// startsHeading reports whether a line begins with a heading.
func startsHeading(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t\u00a0\u200b"), "#")
}

// StartsWithLoneSurrogate reports whether s begins with a lone surrogate, encoded in three bytes. It is half
// a character, which an agent leaves where it cuts a text.
func StartsWithLoneSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF
}

// IsHidden reports whether r is invisible, or changes how other characters are shown. The tab, line
// breaks and emoji selectors do not count.
func IsHidden(r rune) bool { return (r < ' ' || r >= 0x7F) && unicode.Is(hiddenRunes, r) }

var hiddenRunes = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0, 8, 1}, {0xB, 0xC, 1}, {0xE, 0x1F, 1}, {0x7F, 0x9F, 1}, {0xAD, 0xAD, 1}, {0x34F, 0x34F, 1}, {0x61C, 0x61C, 1}, {0x115F, 0x1160, 1},
		{0x17B4, 0x17B5, 1}, {0x180B, 0x180F, 1}, {0x200B, 0x200F, 1}, {0x202A, 0x202E, 1}, {0x2060, 0x206F, 1}, {0x3164, 0x3164, 1},
		{0xFE00, 0xFE0D, 1}, {0xFEFF, 0xFEFF, 1}, {0xFFA0, 0xFFA0, 1}, {0xFFF9, 0xFFFB, 1},
	},
	R32:         []unicode.Range32{{0x1D173, 0x1D17A, 1}, {0xE0000, 0xE0FFF, 1}},
	LatinOffset: 5,
}

// isNeededJoiner reports whether the character at i, n bytes long, is a joiner between characters that need
// one, in some scripts and in emoji.
func isNeededJoiner(text string, i, n int) bool {
	if r, _ := utf8.DecodeRuneInString(text[i:]); r != 0x200C && r != 0x200D {
		return false
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	needs := func(r rune) bool { return r >= 0x590 && r != utf8.RuneError && (!IsHidden(r) || r == 0xFE0F) }
	return needs(before) && needs(after)
}
