package detect

import (
	"strings"
	"sync"
)

// Keywords are found by samples: of a text, every second byte and the three that follow
// it are looked up in a set. Each keyword has at least five bytes, so that of any two of
// its groups side by side one is among those that are looked at. In the set are the two
// that stand in other texts the least. What the set holds by accident is told apart by
// comparing.
const (
	gramLen   = 4
	stride    = 2
	shortest  = gramLen + stride - 1
	gramBits  = 17
	gramWords = 1 << gramBits / 64
	small     = 0x2020202020202020 // makes letters small
)

// lexicon is the keywords in the form that a text is searched with.
type lexicon struct {
	set   [gramWords]uint64
	slots [slots]slot // by hash, or behind it
	keys  []keyAt     // keys[0] is none
}

// slots is more than twice the number of groups, and a power of two.
const slots = 1 << 13

// slot tells the keywords that a group of bytes is of.
type slot struct {
	gram        uint32
	first, last uint16 // in keys; 0 when the slot is free
}

// slot returns the place of a group: where it is, or the free one where it would be.
func (l *lexicon) slot(gram uint32) *slot {
	for i := hash(gram) % slots; ; i = (i + 1) % slots {
		if s := &l.slots[i]; s.first == 0 || s.gram == gram {
			return s
		}
	}
}

// keyAt is a keyword, and how far behind its first byte a group of bytes is.
type keyAt struct {
	key  *keyword
	off  uint8
	next uint16 // in keys, of the same group
}

// keyword is a word to search for: in small letters, of at least 5 bytes.
type keyword struct {
	text  string
	check func(s *flagScanner, at int) // looks around the keyword at byte at
	leet  bool                         // digits may stand for its letters

	// What may asks before check, if not nil.
	gate func(text string, at int) bool
}

// words returns the lexicon of all keywords. It is made when first used.
var flagKeywords = sync.OnceValue(func() *lexicon {
	keys := keywords()
	l := &lexicon{keys: make([]keyAt, 1, slots/2)}
	for i := range keys {
		l.add(&keys[i])
	}
	return l
})

func (l *lexicon) add(k *keyword) {
	rare := rarestPair(k.text)
	for off := rare; off < rare+stride; off++ {
		var spelt [81]uint32 // three ways to write each of four letters
		n := 1
		for i := range gramLen {
			c := k.text[off+i]
			other := ""
			if k.leet {
				other = digits(c)
			}
			for s, before := range spelt[:n] {
				for d := range len(other) {
					spelt[n+s*len(other)+d] = before | uint32(other[d]|0x20)<<(8*i)
				}
				spelt[s] = before | uint32(c|0x20)<<(8*i)
			}
			n *= 1 + len(other)
		}
		for _, g := range spelt[:n] {
			l.put(g, keyAt{key: k, off: uint8(off)})
		}
	}
}

// usual is what many texts that an audit reads are full of: names of fields, and the
// commonest parts of words.
const usual = `lesson_id":task_summary":outcome":succeeded":failed lessons":tool_names":created_at":last_retrieved_at":` +
	`relevance_count":session_id":commands":requests":http":https://github.com/readme.md with from that the this then when ` +
	`ing tion ment ness ight ould over ever never read write start load need user make take star rest conf veri order ` +
	`should before after first using tests file files folder path error message instead output result response because `

// rarest returns where the two groups of a keyword begin that stand in other texts the
// least.
func rarestPair(key string) (at int) {
	least := 3
	for i := 0; i+shortest <= len(key) && least > 0; i++ {
		n := 0
		for off := i; off < i+stride; off++ {
			if strings.Contains(usual, key[off:off+gramLen]) {
				n++
			}
		}
		if n < least {
			least, at = n, i
		}
	}
	return at
}

// put adds a keyword behind those of the same group.
func (l *lexicon) put(gram uint32, k keyAt) {
	h := hash(gram)
	l.set[h/64%gramWords] |= 1 << (h % 64)
	l.keys = append(l.keys, k)
	at := uint16(len(l.keys) - 1)
	s := l.slot(gram)
	if s.first == 0 {
		s.gram, s.first = gram, at
	} else {
		l.keys[s.last].next = at
	}
	s.last = at
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

const mixer = 2654435761

func hash(gram uint32) uint32 { return gram * mixer >> (32 - gramBits) }

// may is true for groups of the set, and for few others.
func (l *lexicon) may(gram uint32) bool {
	h := gram * mixer
	return l.set[h>>(32-gramBits+6)]&(1<<(h>>(32-gramBits)%64)) != 0
}

// each calls fn with every keyword in a text and where it stands, in order of its first
// group that is looked at, until fn returns false.
func (l *lexicon) each(text string, fn func(k *keyword, at int) bool) {
	i := 0
	for ; i+10 <= len(text); i += 8 {
		s := text[i : i+10]
		x := (uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56) | small
		last := uint32(x>>48) | (uint32(s[8])|uint32(s[9])<<8|small&0xFFFF)<<16
		if l.may(uint32(x)) && !l.ask(text, i, fn) || l.may(uint32(x>>16)) && !l.ask(text, i+2, fn) ||
			l.may(uint32(x>>32)) && !l.ask(text, i+4, fn) || l.may(last) && !l.ask(text, i+6, fn) {
			return
		}
	}
	for ; i+gramLen <= len(text); i += stride {
		if !l.ask(text, i, fn) {
			return
		}
	}
}

// ask compares the keywords of the group at byte i.
func (l *lexicon) ask(text string, i int, fn func(k *keyword, at int) bool) bool {
	s := text[i : i+gramLen]
	g := uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24 | small&0xFFFFFFFF
	for n := l.slot(g).first; n != 0; n = l.keys[n].next {
		k := &l.keys[n]
		if at := i - int(k.off); at >= 0 && k.key.at(text[at:]) && !fn(k.key, at) {
			return false
		}
	}
	return true
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
