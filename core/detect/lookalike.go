package detect

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Letters that look like ASCII letters, with the letters they look like. Those in the first rows
// are indistinguishable; the others are similar enough to be misread.
var lookalikeRows = []struct{ of, as string }{
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

// exact is how many rows of lookalikeRows are indistinguishable.
const exact = 2

// foldTo returns the ASCII character that a non-ASCII character looks like, or 0.
func foldTo(r rune) byte {
	switch {
	case r < 0x131:
		return 0
	case r >= 0xFF01 && r <= 0xFF5E: // full width
		return byte(r - 0xFF01 + '!')
	case r >= 0x1D400 && r <= 0x1D6A3: // letters of mathematics
		return letterAt(int(r-0x1D400) % 52)
	case r >= 0x1D7CE && r <= 0x1D7FF:
		return byte('0' + (r-0x1D7CE)%10)
	case r >= 0x24B6 && r <= 0x24E9: // circled
		return letterAt(int(r - 0x24B6))
	case r >= 0x1F130 && r <= 0x1F149: // squared
		return letterAt(int(r - 0x1F130))
	case r >= 0x1F150 && r <= 0x1F169:
		return letterAt(int(r - 0x1F150))
	case r >= 0x1F170 && r <= 0x1F189:
		return letterAt(int(r - 0x1F170))
	}
	return looksLike(r) &^ alikeBit
}

// looksLike returns the ASCII letter that r looks like, with alikeBit set if it is
// indistinguishable, or 0.
func looksLike(r rune) byte {
	t := looks()
	if r >= firstNear && r < lastNear {
		return t.near[r-firstNear]
	}
	if block := int(r) / blockLetters; block >= len(t.blocks) || !t.blocks[block] {
		return 0
	}
	return t.far[r]
}

// The letters of Greek, Cyrillic and Armenian are in this range.
const firstNear, lastNear = 0x370, 0x590

// Letters are looked up in blocks of this size. All letters in lookalikeRows are below lastFar.
const blockLetters, lastFar = 64, 0x20000

// looksTable holds the letters of lookalikeRows by rune.
type looksTable struct {
	near   [lastNear - firstNear]byte
	far    map[rune]byte
	blocks [lastFar / blockLetters]bool // where far has a letter
}

var looks = sync.OnceValue(func() *looksTable {
	t := &looksTable{far: map[rune]byte{}}
	for i, row := range lookalikeRows {
		at := 0
		for _, r := range row.of {
			c := row.as[at]
			if at++; i < exact {
				c |= alikeBit
			}
			if r >= firstNear && r < lastNear {
				t.near[r-firstNear] = c
			} else {
				t.far[r], t.blocks[r/blockLetters] = c, true
			}
		}
	}
	return t
})

const alikeBit = 0x80

// letterAt returns the n-th letter, capitals first.
func letterAt(n int) byte {
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
	styled // forms of ASCII letters themselves: full width, mathematics, in circles
	rare   // alphabets and letters that are rare in texts
)

func scriptOf(r rune) script {
	switch {
	case r < 0x251, r >= 0x3000 && r < 0xA700:
		return otherScript
	case r == 0x251, r == 0x261, r == 0x269, r >= 0x530 && r <= 0x58F, r >= 0x13A0 && r <= 0x13FF:
		return rare
	case r >= 0x370 && r <= 0x3FF:
		return greek
	case r >= 0x400 && r <= 0x52F:
		return cyrillic
	case r >= 0x1D400 && r <= 0x1D7FF, r >= 0xFF21 && r <= 0xFF3A, r >= 0xFF41 && r <= 0xFF5A, r >= 0x24B6 && r <= 0x24E9,
		r >= 0x1F130 && r <= 0x1F189, r >= 0x1D00 && r <= 0x1D22, r >= 0xA730 && r <= 0xA731, r == 0x299, r == 0x262, r == 0x29C, r == 0x26A, r == 0x29F, r == 0x274, r == 0x280, r == 0x28F:
		return styled
	}
	return otherScript
}

// imitation checks the word around byte i, which contains a letter that may imitate an ASCII
// letter. It returns the end of the word. start is its beginning if the word imitates an ASCII
// word, and otherwise -1.
func imitation(text string, i int) (start, end int) {
	w := wordAround(text, i)
	switch {
	case w.strange > 0 || w.first == 0 || w.spoken:
	case w.ascii > 0 && w.ascii+w.foreign >= 3:
		if !w.inflected(text) && !w.symbol && (w.first != greek || w.exact > 0 || w.ascii >= 3) {
			return w.start, w.end
		}
	case w.ascii > 0:
	case w.first == styled && w.foreign >= 4 && !holds(text, w.start, w.end, ideograph):
		return w.start, w.end
	case w.first != styled && w.foreign >= 4 && w.foreign == w.exact && holds(text, w.start, w.end, latin) && !holds(text, w.start, w.end, plainlyForeign):
		return w.start, w.end
	}
	return -1, w.end
}

// mixture is a word with letters of several alphabets.
type mixture struct {
	start, end     int
	ascii, foreign int
	exact          int // foreign letters that are indistinguishable from ASCII ones
	strange        int // letters that look like no ASCII letter
	first          script
	changes        int  // number of changes of alphabet
	symbol         bool // its only foreign letter is a Greek one used in sciences, at an end of the word
	spoken         bool // it is next to a phonetic letter
}

// wordAround returns the word around byte i.
func wordAround(text string, i int) (w mixture) {
	for w.start = i; w.start > max(0, i-64) && isLetter(text[w.start-1]); {
		w.start--
	}
	before, _ := utf8.DecodeLastRuneInString(text[:w.start])
	w.spoken = phonetic(before)
	var last script
	for w.end = w.start; w.end < len(text); {
		r, n := utf8.DecodeRuneInString(text[w.end:])
		sc := scriptOf(r)
		switch {
		case r < utf8.RuneSelf && isLetter(byte(r)):
			w.ascii++
		case sc == otherScript:
			w.spoken = w.spoken || phonetic(r)
			return w
		case foldTo(r) == 0:
			w.foreign, w.strange = w.foreign+1, w.strange+1
		default:
			w.foreign++
			if exactly(r) {
				w.exact++
			}
			if w.first == 0 {
				w.first = sc
			}
		}
		if w.end > w.start && sc != last {
			w.changes++
		}
		last = sc
		w.end += n
		w.symbol = w.foreign == 1 && w.first == greek && w.exact == 0 && w.changes <= 1
	}
	return w
}

func exactly(r rune) bool { return looksLike(r)&alikeBit != 0 }

// phonetic reports whether r is a letter or mark of the phonetic alphabet.
func phonetic(r rune) bool { return r >= 0x250 && r <= 0x2FF }

// inflected reports whether the word is a Latin name with an ending of the surrounding text's
// language.
func (w *mixture) inflected(text string) bool {
	return w.first != styled && w.changes == 1 && holds(text, w.start, w.end, plainlyForeign)
}

// holds reports whether a character of some kind is near a word, but not in it.
func holds(text string, start, end int, kind func(rune) bool) bool {
	before := text[max(0, start-80):start]
	after := text[end:min(len(text), end+80)]
	return strings.ContainsFunc(before, kind) || strings.ContainsFunc(after, kind)
}

func latin(r rune) bool { return r < utf8.RuneSelf && isLetter(byte(r)) }

func ideograph(r rune) bool { return r >= 0x3040 && r <= 0x9FFF || r >= 0xAC00 && r <= 0xD7A3 }

// plainlyForeign reports whether r is a Cyrillic or Greek letter that looks like no ASCII letter.
func plainlyForeign(r rune) bool {
	sc := scriptOf(r)
	return (sc == cyrillic || sc == greek) && !exactly(r)
}
