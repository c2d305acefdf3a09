package detect

import (
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// isVariationSelector reports whether r selects a variant of the character before it.
func isVariationSelector(r rune) bool {
	return r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF
}

// checkSelectors checks the variation selectors from byte i on. One after a character that has variants
// is legitimate. Several, or one after any other character, carry data: the 16 and the 240 selectors
// stand for one byte each.
func (s *flagScanner) checkSelectors(i int) (start, next int) {
	var data []byte
	end := i
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !isVariationSelector(r) {
			break
		}
		if r >= 0xE0100 {
			data = append(data, byte(r-0xE0100+16))
		} else {
			data = append(data, byte(r-0xFE00))
		}
		end += n
	}
	before, _ := utf8.DecodeLastRuneInString(s.text[:i])
	switch {
	case len(data) > 1:
		s.addTrace(RuleSelectors, i, end, textOrHex(data))
	case before >= 0xA0 && !IsHidden(before), before == 0x200D, before >= '0' && before <= '9', before == '#', before == '*':
		return -1, end
	default:
		s.addTrace(RuleHidden, i, end, "")
	}
	return i, end
}

// textOrHex returns bytes as text if they are text, and otherwise in hexadecimal.
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

// checkTags checks the tag characters from byte i on, and decodes them. It ignores those that turn a
// black flag into the flag of a region.
func (s *flagScanner) checkTags(i int) (start, next int) {
	var text strings.Builder
	end, closed := i, false
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if r < 0xE0000 || r > 0xE007F {
			break
		}
		if r >= 0xE0020 && r < 0xE007F {
			text.WriteByte(byte(r - 0xE0000))
		}
		closed = r == 0xE007F
		end += n
	}
	if before, _ := utf8.DecodeLastRuneInString(s.text[:i]); before == 0x1F3F4 && closed && text.Len() <= 6 && isRegionFlag(text.String()) {
		return -1, end
	}
	s.addTrace(RuleTags, i, end, displayText(text.String()))
	return i, end
}

// isRegionFlag reports whether a text names a flag: a region and a part of it.
func isRegionFlag(s string) bool {
	return len(s) >= 3 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// isBidiControl reports whether r changes the order in which text is shown.
func isBidiControl(r rune) bool {
	return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 || r == 0x200E || r == 0x200F || r == 0x61C
}

// bidiNames describe the characters by their code.
var bidiNames = map[rune]string{
	0x202A: "left to right from here", 0x202B: "right to left from here", 0x202C: "end of an order",
	0x202D: "forced left to right from here", 0x202E: "forced right to left from here",
	0x2066: "left to right by itself", 0x2067: "right to left by itself", 0x2068: "an order by itself", 0x2069: "end of what is by itself",
	0x200E: "left-to-right mark", 0x200F: "right-to-left mark", 0x61C: "Arabic letter mark",
}

// checkBidi checks the character r at byte i. Near Arabic and Hebrew letters only the overrides, which
// force a direction, are flagged: such texts need the other characters.
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

// decodeZeroWidth decodes a run of characters without width, if it uses two kinds of them and encodes at
// least a byte. Otherwise it says how many there are.
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
