package detect

import (
	"slices"
	"strings"
	"sync"
)

// literals finds, in one pass over a text, the places where literals of rules may be. It knows each
// literal by four of its bytes, in lower case, that are rare elsewhere. Two table lookups per
// position rule out most places. A possible place is compared with the literal, and only then the
// rule's own check runs.
//
// A literal of a secret is found by one group of four bytes at any offset. A keyword is found by
// two adjacent groups, of which only those at even offsets are tested.
type literals struct {
	even, odd filter // the groups that may be at even and odd offsets
	heads     [1 << headBits]uint16
	nodes     []node // nodes[0] is unused
	words     []telling
}

// filter rules out most groups of four bytes that are in no literal, by two hashes of the group.
type filter struct {
	bits  [1 << (gramBits - 6)]uint64
	again [1 << (againBits - 6)]uint64
}

const gramBits, againBits, headBits = 18, 16, 15

// node is a literal that contains a group of four bytes, and what the literal belongs to.
type node struct {
	gram uint32 // in lower case for a keyword
	next uint16
	kind kind
	off  uint8 // offset of the group in the literal
	rule int16
	form uint8
	key  *keyword
}

// kind says what a node belongs to.
type kind uint8

const (
	aForm    kind = iota // rule and form are indexes in the table
	aTail                // rule and form are indexes in the table; form is that of a tail
	aWord                // rule is the index of the word
	aDiscord             // the first digits of a number in base64
	aURL
	aKeyHead
	aPutty
	aBearer
	aCurl
	aName    // "key" after a word that makes it a secret
	aKeyword // a keyword of Flags
)

// allLiterals returns the literals of all rules, built on first use.
var allLiterals = sync.OnceValue(func() *literals {
	t := *secretLiterals()
	t.nodes = append(make([]node, 0, 12288), t.nodes...)
	usual := &filter{}
	for i := range len(usualText) - gramLen + 1 {
		usual.add(gramOf(usualText, i))
	}
	keys := keywords()
	for i := range slices.Backward(keys) {
		t.addKeyword(&keys[i], usual)
	}
	return &t
})

// secretLiterals returns the literals of secrets alone. A command that only masks its output needs
// no others, and would spend half of its time on them.
var secretLiterals = sync.OnceValue(func() *literals {
	t := &literals{nodes: make([]node, 1, 4096), words: tellings()}
	t.addSecrets()
	return t
})

func gramOf(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

const (
	mixer, mixerAgain = 0x9E3779B1, 0x85EBCA6B
	small             = 0x2020202020202020 // turns letters into lower case
)

// may reports whether a lower-case group may be in a literal. It has few false positives and no
// false negatives.
func (f *filter) may(g uint32) bool {
	h, again := g*mixer, g*mixerAgain
	return f.bits[h>>(32-gramBits+6)]&(1<<(h>>(32-gramBits)%64)) != 0 &&
		f.again[again>>(32-againBits+6)]&(1<<(again>>(32-againBits)%64)) != 0
}

func (f *filter) add(g uint32) {
	h, again := g*mixer>>(32-gramBits), g*mixerAgain>>(32-againBits)
	f.bits[h>>6] |= 1 << (h & 63)
	f.again[again>>6] |= 1 << (again & 63)
}

// next returns the first offset at or after i where a literal may be, or len(s).
func (t *literals) next(s string, i int) int {
	if i%stride != 0 && i+gramLen <= len(s) {
		if t.odd.may(gramOf(s, i) | small&0xFFFFFFFF) {
			return i
		}
		i++
	}
	for ; i+8 <= len(s); i += 4 {
		w := s[i : i+8]
		x := (uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56) | small
		switch {
		case t.even.may(uint32(x)):
			return i
		case t.odd.may(uint32(x >> 8)):
			return i + 1
		case t.even.may(uint32(x >> 16)):
			return i + 2
		case t.odd.may(uint32(x >> 24)):
			return i + 3
		}
	}
	for ; i+gramLen <= len(s); i++ {
		f := &t.even
		if i%stride != 0 {
			f = &t.odd
		}
		if f.may(gramOf(s, i) | small&0xFFFFFFFF) {
			return i
		}
	}
	return len(s)
}

// head returns the first node in the list for a group of four bytes.
func (t *literals) head(g uint32) uint16 { return t.heads[(g|small&0xFFFFFFFF)*mixer>>(32-headBits)] }

// add puts a node in front of the list for a group.
func (t *literals) add(group uint32, n node) {
	n.gram = group
	g := group | small&0xFFFFFFFF
	t.even.add(g)
	if n.kind != aKeyword {
		t.odd.add(g)
	}
	head := &t.heads[g*mixer>>(32-headBits)]
	n.next = *head
	t.nodes = append(t.nodes, n)
	*head = uint16(len(t.nodes) - 1)
}

// Minimum lengths that guarantee two adjacent groups in a keyword.
const (
	gramLen  = 4
	stride   = 2
	shortest = gramLen + stride - 1
)

// keyword is a word to search for, in lower case and at least 5 bytes long.
type keyword struct {
	text  string
	check func(s *flagScanner, at int) // checks the text around the keyword at byte at
	leet  bool                         // digits may replace its letters
	// concepts are the concepts of relations that the word belongs to.
	concepts concepts
	// phrases are the phrases to look for around the word.
	phrases []*phrase

	// gate, if not nil, must return true before check is called.
	gate func(text string, at int) bool
}

// addKeyword adds two groups of a keyword, in every spelling of their letters.
func (t *literals) addKeyword(k *keyword, usual *filter) {
	rare := rarestPair(k.text, usual)
	for off := rare; off < rare+stride; off++ {
		groups := []uint32{0}
		for i, c := range []byte(k.text[off : off+gramLen]) {
			ways := ""
			if k.leet {
				ways = leet[c]
			}
			for n := range groups {
				for _, w := range []byte(ways) {
					groups = append(groups, groups[n]|uint32(w|0x20)<<(8*i))
				}
				groups[n] |= uint32(c|0x20) << (8 * i)
			}
		}
		for _, g := range groups {
			t.add(g, node{kind: aKeyword, off: uint8(off), key: k})
		}
	}
}

// each calls fn with every keyword in text[from:to] and its offset, until fn returns false. The
// order is that of the first matching group of each keyword.
func (t *literals) each(text string, from, to int, fn func(k *keyword, at int) bool) {
	for i := t.next(text[:to], from); i < to; i = t.next(text[:to], i+1) {
		if !t.keywordsAt(text, i, fn) {
			return
		}
	}
}

// keywordsAt is each for the group at byte i.
func (t *literals) keywordsAt(text string, i int, fn func(k *keyword, at int) bool) bool {
	g := gramOf(text, i)
	for n := t.head(g); n != 0; n = t.nodes[n].next {
		d := &t.nodes[n]
		if at := i - int(d.off); d.kind == aKeyword && d.holds(g, i) && at >= 0 && d.key.at(text[at:]) && !fn(d.key, at) {
			return false
		}
	}
	return true
}

// holds reports whether g, at byte i, is the group of the keyword node d.
func (d *node) holds(g uint32, i int) bool { return i%stride == 0 && g|small&0xFFFFFFFF == d.gram }

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
		if c != k.text[i] && !(k.leet && strings.IndexByte(leet[k.text[i]], c) >= 0) {
			return false
		}
	}
	return true
}

// leet maps letters to the characters that replace them in leetspeak.
var leet = [256]string{'a': "4@", 'e': "3", 'g': "9", 'i': "1!", 'o': "0", 's': "5$", 't': "7"}

// usualText is typical of the texts an audit reads: field names, and the most common words of
// instructions and code.
const usualText = `lesson_id":task_summary":outcome":succeeded":failed lessons":tool_names":created_at":last_retrieved_at":` +
	`relevance_count":session_id":commands":requests":http":https://github.com/readme.md with from that the this then when ` +
	`ing tion ment ness ight ould over ever never read write start load need user make take star rest conf veri order ` +
	`should before after first using tests file files folder path error message instead output result response because ` +
	`and the for with use code name user not data test when agent api type are all run create patterns json context description ` +
	`new claude security only return task check performance bash content skill what build tool review design project state ` +
	`client specific analysis your documentation add key status get step example implement string app text model session version ` +
	`python integration self list change server validation workflow true feature import service update each query system input ` +
	`architecture any optimization can one docs time fix async est current must default best issue management search database ` +
	`requirement plan config function page document source event format request component dev verify structure prompt url set ` +
	`package development log configuration always mode without work class value react phase process usage based schema ` +
	`quality memory dependencies reference null action critical research table include commit complete script handling env ` +
	`next every high where rule operation existing echo into deployment report main full repo environment local auth types ` +
	`branch production web spec module flow yaml cache multiple framework access clear def line how have per via token public ` +
	`metrics shared will install application custom missing hooks comprehensive generate false they pass setup execution has ` +
	`core template node across team provide date target monitoring see functions platform title parallel count markdown keep ` +
	`product index export email follow summary identify load edit ask scope audit but language logic push number avoid through ` +
	`section success coverage post does field other these common case available ensure style anthropic role batch open focus ` +
	`grep apply domain single progress base find directory repository console confirm browser history mention operator`

// rarestPair returns the offset of the two adjacent groups of a keyword that are rarest in other
// texts.
func rarestPair(key string, usual *filter) (at int) {
	least := 3
	for i := 0; i+shortest <= len(key) && least > 0; i++ {
		n := 0
		for off := i; off < i+stride; off++ {
			if usual.may(gramOf(key, off)) {
				n++
			}
		}
		if n < least {
			least, at = n, i
		}
	}
	return at
}
