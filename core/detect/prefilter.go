package detect

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// literalIndex finds the literals of all rules in one pass over a text. It knows each literal by
// one gram: four of its bytes, in lower case, that are rare elsewhere. Two bit lookups per offset
// rule out most offsets. Where a gram may match, the text is compared with the literal, and only
// then the rule's own check runs.
//
// The literal of a secret has one gram, found at any offset. A keyword has two adjacent grams, so
// that testing even offsets is enough.
type literalIndex struct {
	filters   [gramStride]gramFilter // the grams to find at even and at odd offsets
	buckets   [1 << bucketBits]uint16
	entries   []literalEntry // entries[0] is unused
	nameWords []nameWord
}

// gramFilter is a Bloom filter of grams with two hashes.
type gramFilter struct {
	bits  [1 << (filterBits - 6)]uint64
	bits2 [1 << (filterBits2 - 6)]uint64
}

const filterBits, filterBits2, bucketBits = 18, 16, 15

// literalEntry is a literal with a given gram and what it belongs to. Entries with one hash form a
// list.
type literalEntry struct {
	gram    uint32 // in lower case for a keyword
	next    uint16
	kind    literalKind
	offset  uint8 // offset of the gram in the literal
	rule    int16
	form    uint8
	keyword *keyword
}

// literalKind says which check a literal leads to.
type literalKind uint8

const (
	tokenLiteral   literalKind = iota // rule and form are indexes in the table
	infixLiteral                      // rule and form are indexes in the table; form is that of an infix
	nameLiteral                       // rule is the index of the name word
	discordLiteral                    // the first digits of a number in base64
	urlLiteral
	pemLiteral
	puttyLiteral
	bearerLiteral
	curlLiteral
	programLiteral // rule is the index of the program
	pipedLiteral
	expectLiteral
	cookieLiteral
	curlCookieLiteral
	cookieJarLiteral
	storageLiteral
	htpasswdLiteral
	keyNameLiteral // "key" after a qualifier
	keywordLiteral // a keyword of Flags
)

// allLiterals returns the literals of all rules, built on first use.
var allLiterals = sync.OnceValue(func() *literalIndex {
	t := *secretLiterals()
	t.entries = append(make([]literalEntry, 0, 12288), t.entries...)
	usual := &gramFilter{}
	for i := range len(commonText) - gramLen + 1 {
		usual.add(gramAt(commonText, i))
	}
	keys := allKeywords()
	for i := range slices.Backward(keys) {
		t.addKeyword(&keys[i], usual)
	}
	return &t
})

// secretLiterals returns the literals of secrets only. A command that only masks its output needs
// no others, and building them takes half of its time.
var secretLiterals = sync.OnceValue(func() *literalIndex {
	t := &literalIndex{entries: make([]literalEntry, 1, 4096), nameWords: allNameWords()}
	t.addSecrets()
	return t
})

// gramAt returns the gram at s[i].
func gramAt(s string, i int) uint32 {
	return uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 | uint32(s[i+3])<<24
}

// lowerGram returns a gram with ASCII letters in lower case.
func lowerGram(g uint32) uint32 { return g | lowerCase&0xFFFFFFFF }

const (
	hashFactor, hashFactor2 = 0x9E3779B1, 0x85EBCA6B
	lowerCase               = 0x2020202020202020 // turns ASCII letters into lower case
)

// mayContain reports whether a lower-case gram was added. It has few false positives and no false
// negatives.
func (f *gramFilter) mayContain(g uint32) bool {
	h, h2 := g*hashFactor, g*hashFactor2
	return f.bits[h>>(32-filterBits+6)]&(1<<(h>>(32-filterBits)%64)) != 0 &&
		f.bits2[h2>>(32-filterBits2+6)]&(1<<(h2>>(32-filterBits2)%64)) != 0
}

func (f *gramFilter) add(g uint32) {
	h, h2 := g*hashFactor>>(32-filterBits), g*hashFactor2>>(32-filterBits2)
	f.bits[h>>6] |= 1 << (h & 63)
	f.bits2[h2>>6] |= 1 << (h2 & 63)
}

// next returns the first offset at or after i where a literal may be, or len(s).
func (t *literalIndex) next(s string, i int) int {
	if i%gramStride != 0 && i+gramLen <= len(s) {
		if t.filters[1].mayContain(lowerGram(gramAt(s, i))) {
			return i
		}
		i++
	}
	for ; i+8 <= len(s); i += 4 {
		x := load8(s[i:i+8]) | lowerCase
		switch {
		case t.filters[0].mayContain(uint32(x)):
			return i
		case t.filters[1].mayContain(uint32(x >> 8)):
			return i + 1
		case t.filters[0].mayContain(uint32(x >> 16)):
			return i + 2
		case t.filters[1].mayContain(uint32(x >> 24)):
			return i + 3
		}
	}
	for ; i+gramLen <= len(s); i++ {
		if t.filters[i%gramStride].mayContain(lowerGram(gramAt(s, i))) {
			return i
		}
	}
	return len(s)
}

// firstEntry returns the first entry in the list for a gram, or 0.
func (t *literalIndex) firstEntry(g uint32) uint16 {
	return t.buckets[lowerGram(g)*hashFactor>>(32-bucketBits)]
}

// add puts an entry in front of the list for a gram.
func (t *literalIndex) add(group uint32, n literalEntry) {
	n.gram = group
	g := lowerGram(group)
	t.filters[0].add(g)
	if n.kind != keywordLiteral {
		t.filters[1].add(g)
	}
	head := &t.buckets[g*hashFactor>>(32-bucketBits)]
	n.next = *head
	t.entries = append(t.entries, n)
	*head = uint16(len(t.entries) - 1)
}

// A keyword must be long enough for two adjacent grams.
const (
	gramLen       = 4
	gramStride    = 2
	minKeywordLen = gramLen + gramStride - 1
)

// keyword is a literal of Flags, in lower case and at least minKeywordLen bytes long.
type keyword struct {
	text  string
	check func(s *flagScanner, at int) // checks the text around the keyword at byte at
	// gate is a cheap test that must pass before check is called; nil always passes.
	gate func(text string, at int) bool
}

// addKeyword adds two grams of a keyword.
func (t *literalIndex) addKeyword(k *keyword, common *gramFilter) {
	rare := rarestGrams(k.text, common)
	for off := rare; off < rare+gramStride; off++ {
		t.add(lowerGram(gramAt(k.text, off)), literalEntry{kind: keywordLiteral, offset: uint8(off), keyword: k})
	}
}

// eachKeyword calls fn with every keyword in text[from:to] and its offset, in order of their grams,
// until fn returns false.
func (t *literalIndex) eachKeyword(text string, from, to int, fn func(k *keyword, at int) bool) {
	for i := t.next(text[:to], from); i < to; i = t.next(text[:to], i+1) {
		if !t.keywordsAt(text, i, fn) {
			return
		}
	}
}

// keywordsAt is eachKeyword for the gram at byte i.
func (t *literalIndex) keywordsAt(text string, i int, fn func(k *keyword, at int) bool) bool {
	g := gramAt(text, i)
	for n := t.firstEntry(g); n != 0; n = t.entries[n].next {
		d := &t.entries[n]
		if at := i - int(d.offset); d.kind == keywordLiteral && d.matchesGram(g, i) && at >= 0 &&
			d.keyword.matchesAt(text[at:]) &&
			!fn(d.keyword, at) {
			return false
		}
	}
	return true
}

// matchesGram reports whether g, at byte i, is the gram of the keyword entry d.
func (d *literalEntry) matchesGram(g uint32, i int) bool {
	return i%gramStride == 0 && lowerGram(g) == d.gram
}

// matchesAt reports whether s begins with the keyword.
func (k *keyword) matchesAt(s string) bool {
	if len(s) < len(k.text) {
		return false
	}
	for i := range len(k.text) {
		if lowerByte(s[i]) != k.text[i] {
			return false
		}
	}
	return true
}

// commonText is typical of what an audit reads: field names and the most common words of
// instructions and code. Its grams are not rare.
const commonText = `lesson_id":task_summary":outcome":succeeded":failed lessons":tool_names":created_at":last_retrieved_at":` +
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

// rarestGrams returns the offset of the two adjacent grams of a keyword that are rarest in common
// text.
func rarestGrams(key string, common *gramFilter) (at int) {
	least := 3
	for i := 0; i+minKeywordLen <= len(key) && least > 0; i++ {
		n := 0
		for off := i; off < i+gramStride; off++ {
			if common.mayContain(gramAt(key, off)) {
				n++
			}
		}
		if n < least {
			least, at = n, i
		}
	}
	return at
}

// addSecrets adds the literals of all secrets.
func (t *literalIndex) addSecrets() {
	t.addNames()
	all := secretRules()
	for i, r := range slices.Backward(all) {
		for k, f := range slices.Backward(r.forms) {
			t.addText(f.prefix, f.body, literalEntry{kind: tokenLiteral, rule: int16(i), form: uint8(k)})
		}
		for k, f := range slices.Backward(r.infixes) {
			if f.infix == discordText {
				t.addDiscord(int16(i))
				continue
			}
			t.addText(f.infix, f.after, literalEntry{kind: infixLiteral, rule: int16(i), form: uint8(k)})
		}
	}
}

// addText adds the rarest gram of a text. If the text is too short, it adds one for each byte that
// the body allows next.
func (t *literalIndex) addText(text, body string, n literalEntry) {
	if len(text) >= 4 {
		if !strings.HasPrefix(text, "sk-") { // these differ only at the beginning
			n.offset = uint8(rarestGram(text))
		}
		t.add(gramAt(text, int(n.offset)), n)
		return
	}
	it, rest := parseBodyItem(body)
	if it.set == 0 {
		t.addText(text+string(it.literal), rest, n)
		return
	}
	if it.min--; it.min > 0 {
		rest = body // more bytes of this class follow
	}
	for c := range 128 {
		if inClass(byte(c), it.set) {
			t.addText(text+string(byte(c)), rest, n)
		}
	}
}

// rarestGram returns the offset of the gram of a text with the fewest lower-case letters, which is
// rare in prose.
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

// discordText stands for the base64 number that Discord tokens begin with.
const discordText = "number"

// addDiscord adds the first three digits of a number in base64, in every combination.
func (t *literalIndex) addDiscord(rule int16) {
	for _, first := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		for _, third := range "AEIMQUYcgk" {
			for _, fourth := range "wxyz012345" {
				t.add(gramAt(first+string(third)+string(fourth), 0), literalEntry{kind: discordLiteral, rule: rule})
			}
		}
	}
}

// addNames adds the words in names of secrets, and the literals of matchers with their own code.
func (t *literalIndex) addNames() {
	for i, w := range t.nameWords {
		off := rarestGram(w.word)
		g := w.word[off : off+4]
		for _, spelled := range letterCases(g, off == 0) {
			t.add(gramAt(spelled, 0), literalEntry{kind: nameLiteral, offset: uint8(off), rule: int16(i)})
		}
	}
	for _, l := range []struct {
		kind  literalKind
		grams string // separated by semicolons
	}{
		{bearerLiteral, "bear;Bear;BEAR"},
		{pemLiteral, "BEGI"},
		{puttyLiteral, "Priv"},
		{curlLiteral, " -u ;-use"},
		{pipedLiteral, "sudo;chpa;--pa"},
		{expectLiteral, "send"},
		{cookieLiteral, "ooki"},
		{curlCookieLiteral, " -b "},
		{cookieJarLiteral, "\tTRU;\tFAL"},
		{storageLiteral, "\"dom"},
		{htpasswdLiteral, ":$ap;:$2y;:$2b;:$2a;:$5$;:$6$;:$y$;:{SH"},
		{keyNameLiteral, "_key;-key; key;.key;_KEY;-KEY; KEY;.KEY;_Key;-Key; Key;.Key"},
	} {
		for g := range strings.SplitSeq(l.grams, ";") {
			t.add(gramAt(g, 0), literalEntry{kind: l.kind})
		}
	}
	for i, p := range programs() {
		t.addText(p.name+" ", "g1", literalEntry{kind: programLiteral, rule: int16(i)})
	}
	for c := range byte(26) {
		t.add(gramAt(string('a'+c)+"Key", 0), literalEntry{kind: keyNameLiteral})
		t.add(gramAt(string('a'+c)+"key", 0), literalEntry{kind: keyNameLiteral})
		t.add(gramAt(string('A'+c)+"KEY", 0), literalEntry{kind: keyNameLiteral})
	}
	for c := byte('!'); c < 0x7F; c++ {
		t.add(gramAt("://"+string(c), 0), literalEntry{kind: urlLiteral})
	}
}

// letterCases returns part of a word in each letter case that names use.
func letterCases(part string, first bool) []string {
	if strings.ContainsFunc(part, func(r rune) bool { return r >= utf8.RuneSelf }) {
		if first && inClass(part[0], lower) {
			return []string{part, string(part[0]-'a'+'A') + part[1:]}
		}
		return []string{part}
	}
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
