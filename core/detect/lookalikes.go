package detect

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Letters that look like ASCII letters, with the letters they look like. Those in the first rows
// are indistinguishable; the others are similar enough to be misread.
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
	case r >= 0x1F130 && r <= 0x1F149: // squared
		return nthLetter(int(r - 0x1F130))
	case r >= 0x1F150 && r <= 0x1F169:
		return nthLetter(int(r - 0x1F150))
	case r >= 0x1F170 && r <= 0x1F189:
		return nthLetter(int(r - 0x1F170))
	}
	return lookalikeEntry(r) &^ indistinguishableBit
}

// lookalikeEntry returns the ASCII letter that r looks like, with alikeBit set if it is
// indistinguishable, or 0.
func lookalikeEntry(r rune) byte {
	t := lookalikes()
	if r >= denseFirst && r < denseEnd {
		return t.dense[r-denseFirst]
	}
	if block := int(r) / blockSize; block >= len(t.blocks) || !t.blocks[block] {
		return 0
	}
	return t.sparse[r]
}

// The letters of Greek, Cyrillic and Armenian are in this range.
const denseFirst, denseEnd = 0x370, 0x590

// Letters are looked up in blocks of this size. All letters in lookalikeRows are below lastFar.
const blockSize, maxLookalike = 64, 0x20000

// lookalikeTable holds the letters of lookalikeRows by rune.
type lookalikeTable struct {
	dense  [denseEnd - denseFirst]byte
	sparse map[rune]byte
	blocks [maxLookalike / blockSize]bool // where far has a letter
}

var lookalikes = sync.OnceValue(func() *lookalikeTable {
	t := &lookalikeTable{sparse: map[rune]byte{}}
	for i, row := range lookalikeRows {
		at := 0
		for _, r := range row.letters {
			c := row.ascii[at]
			if at++; i < indistinguishableRows {
				c |= indistinguishableBit
			}
			if r >= denseFirst && r < denseEnd {
				t.dense[r-denseFirst] = c
			} else {
				t.sparse[r], t.blocks[r/blockSize] = c, true
			}
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

// script is a writing system whose letters can imitate ASCII letters.
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
	case r >= 0x1D400 && r <= 0x1D7FF, r >= 0xFF21 && r <= 0xFF3A, r >= 0xFF41 && r <= 0xFF5A, r >= 0x24B6 && r <= 0x24E9,
		r >= 0x1F130 && r <= 0x1F189, r >= 0x1D00 && r <= 0x1D22, r >= 0xA730 && r <= 0xA731, r == 0x299, r == 0x262, r == 0x29C, r == 0x26A, r == 0x29F, r == 0x274, r == 0x280, r == 0x28F:
		return styledLatin
	}
	return otherScript
}

// imitatedWord checks the word around byte i, which contains a letter that may imitate an ASCII
// letter. It returns the end of the word. start is its beginning if the word imitates an ASCII
// word, and otherwise -1.
func imitatedWord(text string, i int) (start, end int) {
	w := mixedWordAt(text, i)
	switch {
	case w.unlike > 0 || w.firstScript == 0 || w.phonetic:
	case w.ascii > 0 && w.ascii+w.foreign >= 3:
		if !w.hasForeignEnding(text) && !w.scienceSymbol && (w.firstScript != greek || w.indistinguishable > 0 || w.ascii >= 3) {
			return w.start, w.end
		}
	case w.ascii > 0:
	case w.firstScript == styledLatin && w.foreign >= 4 && !nearWord(text, w.start, w.end, isIdeograph):
		return w.start, w.end
	case w.firstScript != styledLatin && w.foreign >= 4 && w.foreign == w.indistinguishable && nearWord(text, w.start, w.end, isLatinLetter) && !nearWord(text, w.start, w.end, isClearlyForeign):
		return w.start, w.end
	}
	return -1, w.end
}

// mixedWord is a word with letters of several alphabets.
type mixedWord struct {
	start, end        int
	ascii, foreign    int
	indistinguishable int // foreign letters that are indistinguishable from ASCII ones
	unlike            int // letters that look like no ASCII letter
	firstScript       script
	scriptChanges     int  // number of changes of alphabet
	scienceSymbol     bool // its only foreign letter is a Greek one used in sciences, at an end of the word
	phonetic          bool // it is next to a phonetic letter
}

// mixedWordAt returns the word around byte i.
func mixedWordAt(text string, i int) (w mixedWord) {
	for w.start = i; w.start > max(0, i-64) && isLetter(text[w.start-1]); {
		w.start--
	}
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

// hasForeignEnding reports whether the word is a Latin name with an ending of the surrounding text's
// language.
func (w *mixedWord) hasForeignEnding(text string) bool {
	return w.firstScript != styledLatin && w.scriptChanges == 1 && nearWord(text, w.start, w.end, isClearlyForeign)
}

// nearWord reports whether a character of some kind is near a word, but not in it.
func nearWord(text string, start, end int, kind func(rune) bool) bool {
	before := text[max(0, start-80):start]
	after := text[end:min(len(text), end+80)]
	return strings.ContainsFunc(before, kind) || strings.ContainsFunc(after, kind)
}

func isLatinLetter(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) }

func isIdeograph(r rune) bool { return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 }

// isClearlyForeign reports whether r is a Cyrillic or Greek letter that looks like no ASCII letter.
func isClearlyForeign(r rune) bool {
	sc := scriptOf(r)
	return (sc == cyrillic || sc == greek) && !isIndistinguishable(r)
}
