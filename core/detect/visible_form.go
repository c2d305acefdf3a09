package detect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// windowMargin is how much text around a hidden or imitating character is searched again in its
// visible form.
const windowMargin = 160

// window is a part of a text that is searched again in its visible form.
type window struct {
	start, end int
	how        encodings // includes spaced if its letters stand apart
}

// addWindow adds the surroundings of the bytes start to end to the windows. Calls must come in rising
// order.
func addWindow(all []window, text string, start, end int, how encodings) []window {
	w := window{max(0, start-windowMargin), min(len(text), end+windowMargin), how}
	for w.start > 0 && !utf8.RuneStart(text[w.start]) {
		w.start--
	}
	for w.end < len(text) && !utf8.RuneStart(text[w.end]) {
		w.end++
	}
	if last := len(all) - 1; last >= 0 && w.start <= all[last].end {
		all[last].end = max(all[last].end, w.end)
		all[last].how |= how
		return all
	}
	return append(all, w)
}

// searchVisibleForm searches a part of the text in its visible form: without invisible characters, then with a
// space for each of them, with imitating letters replaced, and with letters that stand apart
// joined.
func (s *flagScanner) searchVisibleForm(w window) {
	text := s.text[w.start:w.end]
	plain := decodeWith(&decodedText{text: text}, lookalikeRunes)
	s.searchDecodedPart(decodeWith(plain, w.how), w.start, w.end)
	if gaps := decodeWith(&decodedText{text: text}, lookalikeRunes|spaceForInvisible); gaps.text != plain.text {
		s.searchDecodedPart(decodeWith(gaps, w.how), w.start, w.end)
	}
}

// searchDecodedPart searches a decoded copy of a part of the text. A place in the copy extends to the next
// visible character of the text, so that it includes invisible characters after it.
func (s *flagScanner) searchDecodedPart(d *decodedText, from, to int) {
	s.searchCopy(flagScanner{text: d.text, original: s.text, toOriginal: func(start, end int) (int, int) {
		first, last := d.sourceRange(start, end)
		behind := to - from
		if end < len(d.text) {
			behind, _ = d.sourceRange(end, end+1)
		}
		return from + first, from + max(last, behind)
	}})
}

// appendVisible appends the character that s[i], n bytes long, looks like.
func (how encodings) appendVisible(to []byte, s string, i int) ([]byte, int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	c := lookalikeOf(r)
	switch tag := r >= 0xE0020 && r <= 0xE007E; {
	case c != 0:
		to = append(to, c)
	case tag || IsHidden(r) && r >= utf8.RuneSelf && !(jstext.IsSpace(r) && r != 0xFEFF):
		if how&spaceForInvisible != 0 && !(tag && endsWithTagRune(s[:i])) {
			to = append(to, ' ')
		}
		if tag {
			to = append(to, byte(r-0xE0000))
		}
	case jstext.IsSpace(r):
		to = append(to, ' ')
	case r < utf8.RuneSelf || unicode.Is(unicode.Mn, r): // a control character, or a mark on a letter
	default:
		return to, 0
	}
	return to, n
}

// endsWithTagRune reports whether a text ends with a tag character.
func endsWithTagRune(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r >= 0xE0000 && r <= 0xE007F
}

// appendJoinedLetters appends letters that stand apart as one word: "s y s t e m" becomes "system". If that
// joins several words, they are separated again by the words that instructions are made of.
func appendJoinedLetters(to []byte, run string) []byte {
	var letters []byte
	for i := range len(run) {
		if inClass(run[i], alnum) {
			letters = append(letters, run[i])
		}
	}
	for len(letters) > 0 {
		n := instructionWordLen(letters)
		to = append(to, letters[:max(n, 1)]...)
		letters = letters[max(n, 1):]
		if n > 0 && len(letters) > 0 {
			to = append(to, ' ')
		}
	}
	return to
}

// instructionWords are words that instructions are made of. A word comes before any shorter word that it
// begins with.
var instructionWords = strings.Fields(`ignore disregard forget override bypass all any the your my previous prior above earlier
	system instructions instruction prompts prompt rules guidelines directives do not never tell mention reveal user about this
	you are now act as developer mode run send`)

// instructionWordsByLetter holds the words by their first letter.
var instructionWordsByLetter = func() (by [32][]string) {
	for _, w := range instructionWords {
		by[w[0]&31] = append(by[w[0]&31], w)
	}
	return by
}()

// instructionWordLen returns the length of the word from apartWords at the start of s, in upper or lower
// case, or 0.
func instructionWordLen(s []byte) int {
	if !isLetter(s[0]) {
		return 0
	}
	for _, w := range instructionWordsByLetter[s[0]&31] {
		n := 0
		for n < len(w) && n < len(s) && s[n]|0x20 == w[n] {
			n++
		}
		if n == len(w) {
			return n
		}
	}
	return 0
}

// spacedLettersLen returns the length of a run at the start of s of at least six letters that are
// separated by one other character each, or 0.
func spacedLettersLen(s string) int {
	n, count := 0, 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') && (n+1 >= len(s) || !isLetter(s[n+1])) {
		n, count = n+1, count+1
		if n+1 < len(s) && isLetterSeparator(s[n]) && isLetter(s[n+1]) {
			n++
		} else if n+3 < len(s) && isLetterSeparator(s[n]) {
			k := n
			for k < len(s) && k < n+4 && isLetterSeparator(s[k]) {
				k++
			}
			if k < len(s) && isLetter(s[k]) && (k+1 == len(s) || isLetterSeparator(s[k+1])) {
				n = k
			} else {
				break
			}
		} else {
			break
		}
	}
	if count < 6 {
		return 0
	}
	return n
}

// isLetterSeparator reports whether a character may separate the letters of one word.
func isLetterSeparator(c byte) bool {
	return c == ' ' || c == '-' || c == '.' || c == '_' || c == '*' || c == '/' || c == '|' || c == '+' || c == '~' || c == '\n' || c == '\t'
}

// displayText returns a text for display: at most 200 bytes, on one line, without invisible
// characters.
func displayText(s string) string {
	var out strings.Builder
	for _, r := range s {
		switch {
		case out.Len() >= 200:
			return out.String() + "…"
		case r == '\n' || r == '\t' || r == '\r' || isLineBreak(r) || jstext.IsSpace(r):
			out.WriteByte(' ')
		case IsHidden(r), r == utf8.RuneError, !unicode.IsGraphic(r), unicode.Is(unicode.Variation_Selector, r):
		default:
			out.WriteRune(r)
		}
	}
	return out.String()
}
