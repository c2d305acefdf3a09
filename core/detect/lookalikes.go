package detect

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// windowMargin is how many bytes around a hidden or look-alike character are searched again in
// their visible form.
const windowMargin = 160

// window is a part of a text to search again in its visible form.
type window struct {
	start, end int
	how        encodings // includes spacedLetters if the window has some
}

// addWindow adds text[start:end] with its margins to the windows. Calls must come in text order.
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

// searchVisibleForm searches a window as a reader sees it: look-alike letters replaced, spaced
// letters joined, and invisible characters first removed and then replaced by spaces.
func (s *flagScanner) searchVisibleForm(w window) {
	text := s.text[w.start:w.end]
	plain := decodeWith(&decodedText{text: text}, lookalikeRunes)
	s.searchDecodedPart(decodeWith(plain, w.how), w.start, w.end)
	if gaps := decodeWith(&decodedText{text: text}, lookalikeRunes|spaceForInvisible); gaps.text != plain.text {
		s.searchDecodedPart(decodeWith(gaps, w.how), w.start, w.end)
	}
}

// searchDecodedPart searches a decoded copy of a part of the text. A match extends to the next
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

// appendVisible appends what the character at s[i] looks like, and returns its length or 0.
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
	case r < utf8.RuneSelf || unicode.Is(unicode.Mn, r): // a control character or combining mark: append nothing
	default:
		return to, 0
	}
	return to, n
}

// endsWithTagRune reports whether a text ends with a tag character.
func endsWithTagRune(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return isTag(r)
}

// appendJoinedLetters appends spaced letters as one word: "s y s t e m" becomes "system". Where
// that joins several words, it separates the instructionWords again.
func appendJoinedLetters(to []byte, run string) []byte {
	var letters []byte
	for i := range len(run) {
		if inClass(run[i], alnum) {
			letters = append(letters, run[i])
		}
	}
	words := instructionWords()
	for len(letters) > 0 {
		n := instructionWordLen(letters, words)
		to = append(to, letters[:max(n, 1)]...)
		letters = letters[max(n, 1):]
		if n > 0 && len(letters) > 0 {
			to = append(to, ' ')
		}
	}
	return to
}

// instructionWords are words that instructions are made of. A longer word comes before its
// prefixes.
var instructionWords = wordsByFirstByte(
	`ignore disregard forget override bypass all any the your my previous prior above earlier
	system instructions instruction prompts prompt rules guidelines directives do not never tell mention reveal user
	about this
	you are now act as developer mode run send`,
)

// instructionWordLen returns the length of the instruction word at the start of s, in any case, or 0.
func instructionWordLen(s []byte, words *[256][]string) int {
	if !isLetter(s[0]) {
		return 0
	}
	for _, w := range words[s[0]|0x20] {
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

// spacedLettersLen returns the length of at least six separated letters at the start of s, or 0.
func spacedLettersLen(s string) int {
	n, count := 0, 0
	for n < len(s) && (isLetter(s[n]) || s[n] >= '0' && s[n] <= '9') && (n+1 >= len(s) || !isLetter(s[n+1])) {
		n, count = n+1, count+1
		gap := letterGapLen(s[n:])
		if gap == 0 {
			break
		}
		n += gap
	}
	if count < 6 {
		return 0
	}
	return n
}

// letterGapLen returns how many separators s begins with before the next letter of a word: one, or up to four before
// a letter that stands alone.
func letterGapLen(s string) int {
	switch {
	case len(s) < 2 || !isLetterSeparator(s[0]):
		return 0
	case isLetter(s[1]):
		return 1
	case len(s) < 4:
		return 0
	}
	k := 1
	for k < min(len(s), 4) && isLetterSeparator(s[k]) {
		k++
	}
	if k < len(s) && isLetter(s[k]) && (k+1 == len(s) || isLetterSeparator(s[k+1])) {
		return k
	}
	return 0
}

// isLetterSeparator reports whether a character may separate the letters of one word.
func isLetterSeparator(c byte) bool {
	return c == ' ' || c == '-' || c == '.' || c == '_' || c == '*' || c == '/' || c == '|' || c == '+' || c == '~' ||
		c == '\n' || c == '\t'
}

// displayText returns at most 200 bytes of a text on one line, without invisible characters.
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

// lookalikeRows list letters that look like ASCII letters. Those in the first rows are
// indistinguishable; the others are similar enough to be misread.
var lookalikeRows = []struct{ letters, ascii string }{
	{"аеорсухіјѕһԁԛԝѵӏАВЕІЈКМНОРСТУХЅԌ", "aeopcyxijshdqwvlABEIJKMHOPCTYXSG"}, // Cyrillic
	{"οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oABEZHIKMNOPTYX"},                                   // Greek
	{"ктмнгпивьёї", "ktmhrnubbei"},
	{"αβγεηικνρστυχω", "abyenikvpotuxw"},
	{"օսհոցզՕ", "ouhngqO"},                                   // Armenian
	{"ᎪᏴᏟᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEGHIJKLMPRSTVWZ"},           // Cherokee
	{"ıɡɑɩſℓⅰⅴⅹⅼⅽⅾⅿ", "igaislivxlcdm"},                       // Latin and numerals
	{"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"}, // small capitals
	{"ℎℬℰℱℋℐℒℳℛℯℊℴℭℌℑℜℨℂℍℕℙℚℝℤ", "hBEFHILMRegoCHIRZCHNPQRZ"},
}

// indistinguishableRows is how many rows of lookalikeRows are indistinguishable.
const indistinguishableRows = 2

// lookalikeOf returns the ASCII character that a non-ASCII character looks like, or 0.
func lookalikeOf(r rune) byte {
	switch {
	case r < 0x131:
		return 0
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return byte(r - 0xFF01 + '!')
	case r >= 0x1D400 && r <= 0x1D6A3: // letters of mathematics
		return nthLetter(int(r-0x1D400) % 52)
	case r >= 0x1D7CE && r <= 0x1D7FF:
		return byte('0' + (r-0x1D7CE)%10)
	case r >= 0x24B6 && r <= 0x24E9: // circled
		return nthLetter(int(r - 0x24B6))
	case r >= 0x1F130 && r <= 0x1F189 && (r-0x1F130)%32 < 26: // three alphabets in squares and circles
		return nthLetter(int(r-0x1F130) % 32)
	}
	return lookalikeEntry(r) &^ indistinguishableBit
}

// lookalikeEntry returns the ASCII letter that r looks like, with indistinguishableBit set if no
// reader could tell, or 0.
func lookalikeEntry(r rune) byte {
	if t := lookalikes(); r < lookalikeEnd {
		return t[r]
	}
	return 0
}

// lookalikeEnd is above every letter in lookalikeRows.
const lookalikeEnd = 'ꜱ' + 1

var lookalikes = sync.OnceValue(func() *[lookalikeEnd]byte {
	t := &[lookalikeEnd]byte{}
	for i, row := range lookalikeRows {
		at := 0
		for _, r := range row.letters {
			c := row.ascii[at]
			if at++; i < indistinguishableRows {
				c |= indistinguishableBit
			}
			t[r] = c
		}
	}
	return t
})

const indistinguishableBit = 0x80

// nthLetter returns the n-th letter, capitals first.
func nthLetter(n int) byte {
	if n < 26 {
		return byte('A' + n)
	}
	return byte('a' + n - 26)
}

// script is a writing system whose letters can pass for ASCII letters.
type script uint8

const (
	otherScript script = iota
	cyrillic
	greek
	styledLatin // forms of ASCII letters themselves: full width, mathematics, in circles
	rareScript  // alphabets and letters that are rare in texts
)

func scriptOf(r rune) script {
	switch {
	case r < 0x251, r >= 0x3000 && r < 0xA700:
		return otherScript
	case r == 0x251, r == 0x261, r == 0x269, r >= 0x530 && r <= 0x58F, r >= 0x13A0 && r <= 0x13FF:
		return rareScript
	case r >= 0x370 && r <= 0x3FF:
		return greek
	case r >= 0x400 && r <= 0x52F:
		return cyrillic
	case isStyledLatin(r):
		return styledLatin
	}
	return otherScript
}

// isStyledLatin reports whether r is a form of an ASCII letter itself: full width, in mathematics, in a circle, or a
// small capital.
func isStyledLatin(r rune) bool {
	switch {
	case r >= 0x1D400 && r <= 0x1D7FF,
		r >= 0xFF21 && r <= 0xFF3A,
		r >= 0xFF41 && r <= 0xFF5A,
		r >= 0x24B6 && r <= 0x24E9,
		r >= 0x1F130 && r <= 0x1F189,
		r >= 0x1D00 && r <= 0x1D22,
		r >= 0xA730 && r <= 0xA731:
		return true
	}
	switch r {
	case 0x299, 0x262, 0x29C, 0x26A, 0x29F, 0x274, 0x280, 0x28F:
		return true
	}
	return false
}

// imitatedWord checks the word around byte i, which contains a letter that may pass for an ASCII
// letter. It returns the end of the word, and its start if the word imitates an ASCII word,
// otherwise -1.
func imitatedWord(text string, i int) (start, end int) {
	w := mixedWordAt(text, i)
	switch {
	case w.unlike > 0 || w.firstScript == 0 || w.phonetic:
	case w.ascii > 0 && w.mixesScripts(text), w.ascii == 0 && w.foreign >= 4 && w.standsForLatin(text):
		return w.start, w.end
	}
	return -1, w.end
}

// mixesScripts reports whether a word of ASCII letters has a letter that imitates one.
func (w *mixedWord) mixesScripts(text string) bool {
	return w.ascii+w.foreign >= 3 && !w.hasForeignEnding(text) && !w.scienceSymbol &&
		(w.firstScript != greek || w.indistinguishable > 0 || w.ascii >= 3)
}

// standsForLatin reports whether a word without ASCII letters is to be read as one of them: letters of a style outside
// of ideographs, or letters that no reader can tell from ASCII in a text of Latin letters.
func (w *mixedWord) standsForLatin(text string) bool {
	if w.firstScript == styledLatin {
		return !nearWord(text, w.start, w.end, isIdeograph)
	}
	return w.foreign == w.indistinguishable && nearWord(text, w.start, w.end, isLatinLetter) &&
		!nearWord(text, w.start, w.end, isClearlyForeign)
}

// mixedWord is a word with letters of more than one script.
type mixedWord struct {
	start, end        int
	ascii, foreign    int
	indistinguishable int // foreign letters that no reader can tell from ASCII
	unlike            int // letters that look like no ASCII letter
	firstScript       script
	scriptChanges     int  // changes of script within the word
	scienceSymbol     bool // its only foreign letter is a Greek symbol at one end, as in Δt
	phonetic          bool // next to a letter of the phonetic alphabet
}

// mixedWordAt returns the word around byte i.
func mixedWordAt(text string, i int) (w mixedWord) {
	w.start = runStart(text, max(0, i-64), i, letter)
	before, _ := utf8.DecodeLastRuneInString(text[:w.start])
	w.phonetic = isPhonetic(before)
	var last script
	for w.end = w.start; w.end < len(text); {
		r, n := utf8.DecodeRuneInString(text[w.end:])
		sc := scriptOf(r)
		switch {
		case r < utf8.RuneSelf && isLetter(byte(r)):
			w.ascii++
		case sc == otherScript:
			w.phonetic = w.phonetic || isPhonetic(r)
			return w
		case lookalikeOf(r) == 0:
			w.foreign, w.unlike = w.foreign+1, w.unlike+1
		default:
			w.foreign++
			if isIndistinguishable(r) {
				w.indistinguishable++
			}
			if w.firstScript == 0 {
				w.firstScript = sc
			}
		}
		if w.end > w.start && sc != last {
			w.scriptChanges++
		}
		last = sc
		w.end += n
		w.scienceSymbol = w.foreign == 1 && w.firstScript == greek && w.indistinguishable == 0 && w.scriptChanges <= 1
	}
	return w
}

func isIndistinguishable(r rune) bool { return lookalikeEntry(r)&indistinguishableBit != 0 }

// isPhonetic reports whether r is a letter or mark of the phonetic alphabet.
func isPhonetic(r rune) bool { return r >= 0x250 && r <= 0x2FF }

// hasForeignEnding reports whether the word is a Latin name with an ending in the language around
// it, as in "URLа".
func (w *mixedWord) hasForeignEnding(text string) bool {
	return w.firstScript != styledLatin && w.scriptChanges == 1 && nearWord(text, w.start, w.end, isClearlyForeign)
}

// nearWord reports whether a character of some kind is near the word, but not in it.
func nearWord(text string, start, end int, kind func(rune) bool) bool {
	before := bytesBefore(text, start, 80)
	after := bytesAfter(text, end, 80)
	return strings.ContainsFunc(before, kind) || strings.ContainsFunc(after, kind)
}

func isLatinLetter(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) }

func isIdeograph(r rune) bool { return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 }

// isClearlyForeign reports whether r is a Cyrillic or Greek letter that looks like no ASCII letter.
func isClearlyForeign(r rune) bool {
	sc := scriptOf(r)
	return (sc == cyrillic || sc == greek) && !isIndistinguishable(r)
}
