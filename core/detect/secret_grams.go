package detect

import (
	"slices"
	"strings"
	"sync"
)

// grams is what the scanner knows of the text that it looks for: the four bytes of
// each that are the rarest elsewhere. One look at a byte and the three after it tells
// that nothing is there.
type grams struct {
	bits  [1 << (secretGramBits - 6)]uint64
	again [1 << (againBits - 6)]uint64 // by another number: most that is in bits by chance is not here
	heads [1 << headBits]uint16
	nodes []node // nodes[0] is none
	words []telling
}

const secretGramBits, againBits, headBits = 18, 16, 13

// node is a text that holds the four bytes, and what it is.
type node struct {
	gram uint32
	next uint16
	kind kind
	off  uint8 // of the four bytes in the text
	rule int16
	form uint8
}

// kind is what stands at a node.
type kind uint8

const (
	aForm    kind = iota // rule and form of the table
	aTail                // rule and tail of the table
	aWord                // rule is the index of the word
	aDiscord             // the first letters of a number in base64
	aURL
	aKeyHead
	aPutty
	aBearer
	aCurl
	inBase64
	aName // "key", behind a word that tells of what
)

var scanGrams = sync.OnceValue(newGrams)

func gramOf(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

const secretMixer, mixerAgain = 0x9E3779B1, 0x85EBCA6B

// may is true for what is in the set, and for little else.
func (t *grams) may(g uint32) bool {
	h := g * secretMixer
	return t.bits[h>>(32-secretGramBits+6)]&(1<<(h>>(32-secretGramBits)%64)) != 0
}

// mayAgain is may by another number.
func (t *grams) mayAgain(g uint32) bool {
	h := g * mixerAgain
	return t.again[h>>(32-againBits+6)]&(1<<(h>>(32-againBits)%64)) != 0
}

// next returns the first place from i on at which something may be, or len(s).
func (t *grams) next(s string, i int) int {
	for ; i+8 <= len(s); i += 5 {
		w := s[i : i+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		switch {
		case t.may(uint32(x)) && t.mayAgain(uint32(x)):
			return i
		case t.may(uint32(x>>8)) && t.mayAgain(uint32(x>>8)):
			return i + 1
		case t.may(uint32(x>>16)) && t.mayAgain(uint32(x>>16)):
			return i + 2
		case t.may(uint32(x>>24)) && t.mayAgain(uint32(x>>24)):
			return i + 3
		case t.may(uint32(x>>32)) && t.mayAgain(uint32(x>>32)):
			return i + 4
		}
	}
	for ; i+4 <= len(s); i++ {
		if g := gramOf(s, i); t.may(g) && t.mayAgain(g) {
			return i
		}
	}
	return len(s)
}

// add puts a node in, in front of those of the same bytes.
func (t *grams) add(gram string, n node) {
	g := gramOf(gram, 0)
	h := g * secretMixer >> (32 - secretGramBits)
	t.bits[h>>6] |= 1 << (h & 63)
	h = g * mixerAgain >> (32 - againBits)
	t.again[h>>6] |= 1 << (h & 63)
	head := &t.heads[g*secretMixer>>(32-headBits)]
	n.gram, n.next = g, *head
	t.nodes = append(t.nodes, n)
	*head = uint16(len(t.nodes) - 1)
}

func newGrams() *grams {
	t := &grams{nodes: make([]node, 1, 8192), words: tellings()}
	t.addWords()
	all := table()
	for i, r := range slices.Backward(all) {
		for k, f := range slices.Backward(r.forms) {
			t.addText(f.prefix, f.body, node{kind: aForm, rule: int16(i), form: uint8(k)})
			t.addBase64(f.prefix)
		}
		for k, f := range slices.Backward(r.tails) {
			if f.text == discordText {
				t.addDiscord(int16(i))
				continue
			}
			t.addText(f.text, f.body, node{kind: aTail, rule: int16(i), form: uint8(k)})
		}
	}
	for _, p := range [...]string{"-----BEGIN ", "postgres://", "postgresql://", "mongodb", "redis://", "mysql://", "AccountKey="} {
		t.addBase64(p)
	}
	return t
}

// addText puts in the bytes of a text by which it is found best. When it is too short,
// the bytes that can follow by the body count to it.
func (t *grams) addText(text, body string, n node) {
	if len(text) >= 4 {
		if !strings.HasPrefix(text, "sk-") { // which are told apart where they begin
			n.off = uint8(rarestGram(text))
		}
		t.add(text[n.off:n.off+4], n)
		return
	}
	it, rest := nextItem(body)
	if it.set == 0 {
		t.addText(text+string(it.is), rest, n)
		return
	}
	if it.least--; it.least > 0 {
		rest = body // the class goes on
	}
	for c := range 128 {
		if is(byte(c), it.set) {
			t.addText(text+string(byte(c)), rest, n)
		}
	}
}

// rarest returns the place of the four bytes in a text that stand in prose the least.
func rarestGram(text string) (at int) {
	most := -1
	for i := 0; i+4 <= len(text) && i < 200; i++ {
		n := 0
		for _, c := range []byte(text[i : i+4]) {
			if c < 'a' || c > 'z' {
				n++
			}
		}
		if n > most {
			most, at = n, i
		}
	}
	return at
}

// addBase64 puts in what base64 makes of a prefix, wherever in three bytes it begins.
func (t *grams) addBase64(prefix string) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for skip := 0; skip < 3 && skip+3 <= len(prefix); skip++ {
		x := uint(prefix[skip])<<16 | uint(prefix[skip+1])<<8 | uint(prefix[skip+2])
		g := string([]byte{alphabet[x>>18], alphabet[x>>12&63], alphabet[x>>6&63], alphabet[x&63]})
		t.add(g, node{kind: inBase64})
	}
}

// discordText stands for the number in base64 that Discord's tokens begin with.
const discordText = "number"

// addDiscord puts in the first three digits of a number in base64.
func (t *grams) addDiscord(rule int16) {
	for _, first := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		for _, third := range "AEIMQUYcgk" {
			for _, fourth := range "wxyz012345" {
				t.add(first+string(third)+string(fourth), node{kind: aDiscord, rule: rule})
			}
		}
	}
}

// addWords puts in the words that tell what a value is, and the beginnings of what has
// code of its own.
func (t *grams) addWords() {
	for i, w := range t.words {
		off := rarestGram(w.word)
		g := w.word[off : off+4]
		for _, spelled := range spellingsOf(g, off == 0) {
			t.add(spelled, node{kind: aWord, off: uint8(off), rule: int16(i)})
		}
	}
	for _, g := range []string{"bear", "Bear", "BEAR"} {
		t.add(g, node{kind: aBearer})
	}
	for _, g := range []string{"_key", "-key", " key", ".key", "_KEY", "-KEY", " KEY", ".KEY", "_Key", "-Key", " Key", ".Key"} {
		t.add(g, node{kind: aName})
	}
	for c := range byte(26) {
		t.add(string('a'+c)+"Key", node{kind: aName})
		t.add(string('a'+c)+"key", node{kind: aName})
		t.add(string('A'+c)+"KEY", node{kind: aName})
	}
	for c := byte('!'); c < 0x7F; c++ {
		t.add("://"+string(c), node{kind: aURL})
	}
	t.add("BEGI", node{kind: aKeyHead})
	t.add("Priv", node{kind: aPutty})
	t.add(" -u ", node{kind: aCurl})
	t.add("-use", node{kind: aCurl})
}

// spellingsOf returns a part of a word in the cases in which it stands in names.
func spellingsOf(part string, first bool) []string {
	upper := strings.ToUpper(part)
	out := []string{part}
	if upper != part {
		out = append(out, upper)
	}
	if title := upper[:1] + part[1:]; first && title != part && title != upper {
		out = append(out, title)
	}
	return out
}
