package safe

import (
	"unicode"
	"unicode/utf8"
)

const (
	nonJoiner  = 0x200C
	joiner     = 0x200D
	emojiStyle = 0xFE0F
	keycap     = 0x20E3
)

// joins reports whether r, a character that shows nothing by itself, makes one visible character of
// the one before and, if it needs one, the one at the start of rest.
func joins(before, r rune, rest string) bool {
	if r != joiner && r != nonJoiner && r != emojiStyle && !isSkinTone(r) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(rest)
	switch {
	case r == emojiStyle:
		return isEmoji(before) || after == keycap && isKeycapBase(before)
	case isSkinTone(r):
		return isEmoji(before)
	case r == joiner && isEmoji(after):
		return isEmoji(before) || before == emojiStyle || isSkinTone(before)
	}
	return isJoined(before) && isJoined(after) && scriptBlock(before) == scriptBlock(after)
}

func isSkinTone(r rune) bool { return r >= 0x1F3FB && r <= 0x1F3FF }

func isKeycapBase(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// isEmoji reports whether r is a picture that others can be joined to.
func isEmoji(r rune) bool { return r >= 0xA9 && unicode.Is(emoji, r) && !IsHidden(r) }

// emoji are the blocks of Unicode's Extended_Pictographic.
var emoji = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0xA9, 0xA9, 1}, {0xAE, 0xAE, 1}, {0x203C, 0x203C, 1}, {0x2049, 0x2049, 1}, {0x2122, 0x2122, 1},
		{0x2139, 0x2139, 1}, {0x2190, 0x21FF, 1}, {0x2300, 0x23FF, 1}, {0x24C2, 0x24C2, 1}, {0x25AA, 0x25FE, 1},
		{0x2600, 0x27BF, 1}, {0x2934, 0x2935, 1}, {0x2B00, 0x2BFF, 1}, {0x3030, 0x3030, 1}, {0x303D, 0x303D, 1},
		{0x3297, 0x3299, 2},
	},
	R32:         []unicode.Range32{{0x1F000, 0x1F3FA, 1}, {0x1F400, 0x1FAFF, 1}},
	LatinOffset: 2,
}

// isJoined reports whether r belongs to a script in which a joiner between two characters changes
// their shape: Arabic with its extensions, and the scripts of India to Khmer.
func isJoined(r rune) bool {
	return r >= 0x620 && r <= 0x7FF && unicode.In(r, unicode.L, unicode.M) ||
		r >= 0x900 && r <= 0xDFF && unicode.In(r, unicode.L, unicode.M)
}

// scriptBlock numbers the scripts that isJoined knows, Arabic as one.
func scriptBlock(r rune) rune {
	if r < 0x800 {
		return 0
	}
	return r >> 7
}
