package threat

import "sync"

// Keywords are found by samples: of a text, every second byte and the three that follow
// it are looked up in a set. Each keyword has at least five bytes, so that one of its
// first two such groups is among those that are looked at, and is in the set. What the
// set holds by accident is told apart by comparing.
const (
	gramLen   = 4
	stride    = 2
	shortest  = gramLen + stride - 1
	gramBits  = 18
	gramWords = 1 << gramBits / 64
)

// lexicon is the keywords in the form that a text is searched with.
type lexicon struct {
	set   [gramWords]uint64
	grams map[uint32][]keyAt
}

// keyAt is a keyword, and how far behind its first byte a group of bytes is.
type keyAt struct {
	key *keyword
	off int
}

// keyword is a word to search for: in small letters, of at least 5 bytes.
type keyword struct {
	text  string
	check func(s *scanner, at int) // looks around the keyword at byte at
	leet  bool                     // digits may stand for its letters
}

// words returns the lexicon of all keywords. It is made when first used.
var words = sync.OnceValue(func() *lexicon {
	l := &lexicon{grams: map[uint32][]keyAt{}}
	keys := keywords()
	for i := range keys {
		l.add(&keys[i])
	}
	return l
})

func (l *lexicon) add(k *keyword) {
	for off := range stride {
		spelt := []uint32{0}
		for i := range gramLen {
			c := k.text[off+i]
			same := []byte{c}
			if k.leet {
				same = append(same, digits(c)...)
			}
			var longer []uint32
			for _, g := range spelt {
				for _, c := range same {
					longer = append(longer, g|uint32(c|0x20)<<(8*i))
				}
			}
			spelt = longer
		}
		for _, g := range spelt {
			l.grams[g] = append(l.grams[g], keyAt{k, off})
			h := hash(g)
			l.set[h/64] |= 1 << (h % 64)
		}
	}
}

// digits returns the characters that stand for a letter in leetspeak.
func digits(c byte) string {
	switch c {
	case 'a':
		return "4@"
	case 'e':
		return "3"
	case 'g':
		return "9"
	case 'i':
		return "1!"
	case 'o':
		return "0"
	case 's':
		return "5$"
	case 't':
		return "7"
	}
	return ""
}

func hash(gram uint32) uint32 { return gram * 2654435761 >> (32 - gramBits) }

// each calls fn with every keyword in a text and where it stands, in order of its first
// group that is found, until fn returns false.
func (l *lexicon) each(text string, fn func(k *keyword, at int) bool) {
	for i := 0; i+gramLen <= len(text); i += stride {
		s := text[i : i+gramLen]
		g := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24 | 0x20202020
		h := hash(g)
		if l.set[h/64]&(1<<(h%64)) == 0 {
			continue
		}
		for _, k := range l.grams[g] {
			if at := i - k.off; at >= 0 && k.key.at(text[at:]) && !fn(k.key, at) {
				return
			}
		}
	}
}

// at reports whether s begins with the keyword.
func (k *keyword) at(s string) bool {
	if len(s) < len(k.text) {
		return false
	}
	for i := range len(k.text) {
		c := s[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != k.text[i] && !(k.leet && stands(c, k.text[i])) {
			return false
		}
	}
	return true
}

// stands reports whether c stands for a letter in leetspeak.
func stands(c, letter byte) bool {
	for _, d := range []byte(digits(letter)) {
		if c == d {
			return true
		}
	}
	return false
}
