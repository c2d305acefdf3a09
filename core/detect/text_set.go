package detect

import (
	"slices"
	"strings"
	"unicode"

	"winnow/core/memory"
)

// TextSet is an immutable set of texts to search for together. The search time hardly grows with
// their number.
type TextSet struct {
	known []string // known secrets, sorted
	short []string // texts shorter than prefixLen
	// byPrefix holds the other texts by their prefix. prefixBits has a bit for the hash of each prefix.
	byPrefix   map[uint32]*samePrefix
	prefixBits [1 << 10]uint64
}

// samePrefix holds the texts with one prefix.
type samePrefix struct {
	texts   map[string]bool
	lengths []int
}

// prefixLen is the length of the prefix by which texts are looked up.
const prefixLen = 4

// NewTextSet returns the set of the given texts.
func NewTextSet(of []string) *TextSet {
	t := &TextSet{byPrefix: make(map[uint32]*samePrefix, len(of))}
	for _, s := range of {
		t.add(s)
	}
	return t
}

func (t *TextSet) add(s string) {
	if len(s) < prefixLen {
		if s != "" {
			t.short = append(t.short, s)
		}
		return
	}
	key := gramAt(s, 0)
	h := prefixSlot(key)
	t.prefixBits[h>>6] |= 1 << (h & 63)
	a := t.byPrefix[key]
	if a == nil {
		a = &samePrefix{texts: map[string]bool{}}
		t.byPrefix[key] = a
	}
	a.texts[s] = true
	if !slices.Contains(a.lengths, len(s)) {
		a.lengths = append(a.lengths, len(s))
	}
}

// prefixSlot returns the bit of TextSet.prefixBits for a prefix.
func prefixSlot(key uint32) uint32 { return key * 0x9E3779B1 >> 16 }

// Find returns where the texts occur in text: verbatim, encoded, or wrapped over two lines. The
// spans are sorted, do not overlap and have no rule. Empty texts are never found.
func (t *TextSet) Find(text string) []Span { return FindDecoded(text, t.findVerbatim) }

// FindDecoded calls find for text itself, for each layer of decoding, and for text with its lines
// unwrapped. It returns all spans found, mapped to text, sorted and merged.
func FindDecoded(text string, find func(reading string) []Span) (spans []Span) {
	for d := range decodeLayers(text) {
		spans = append(spans, d.mapToSource(find(d.text))...)
	}
	if d, ok := unwrapLines(text); ok {
		spans = append(spans, d.mapToSource(find(d.text))...)
	}
	return MergeSpans(spans)
}

// findVerbatim returns where the texts occur unchanged.
func (t *TextSet) findVerbatim(text string) (spans []Span) {
	for _, s := range t.short {
		for i := indexFrom(text, s, 0); i >= 0; i = indexFrom(text, s, i+len(s)) {
			spans = append(spans, Span{Start: i, End: i + len(s)})
		}
	}
	if len(t.byPrefix) == 0 {
		return spans
	}
	for i := 0; i+prefixLen <= len(text); i++ {
		key := gramAt(text, i)
		if h := prefixSlot(key); t.prefixBits[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		a := t.byPrefix[key]
		if a == nil {
			continue
		}
		for _, n := range a.lengths {
			if i+n <= len(text) && a.texts[text[i:i+n]] {
				spans = append(spans, Span{Start: i, End: i + n})
			}
		}
	}
	return spans
}

// PrepareRedaction sets Places of a redaction, so that it can be applied to many records. It drops
// texts that are part of Redacted.
func PrepareRedaction(which memory.Redaction) memory.Redaction {
	which.Also = slices.DeleteFunc(
		slices.Clone(which.Also),
		func(t string) bool { return strings.Contains(Redacted, t) },
	)
	if len(which.Also) == 0 {
		which.Places = func(string) [][2]int { return nil }
		return which
	}
	texts := NewTextSet(which.Also)
	which.Places = func(text string) (places [][2]int) {
		for _, p := range texts.Find(text) {
			places = append(places, [2]int{p.Start, p.End})
		}
		return places
	}
	return which
}

// RuleKnown is the rule of a span that no other rule matches but that repeats a secret found
// elsewhere.
const RuleKnown = "known-secret"

// NewKnownSecrets returns the set of the random secrets in a list, with their decoded forms. It returns nil if there
// are none; a nil *TextSet finds no copies.
func NewKnownSecrets(found []string) *TextSet {
	random := RandomOf(found)
	if len(random) == 0 {
		return nil
	}
	t := NewTextSet(random)
	t.known = random
	return t
}

// RandomOf returns the random secrets in a list, with their decoded forms, each once and sorted.
func RandomOf(found []string) []string {
	return slices.DeleteFunc(withDecoded(found), func(s string) bool { return !Random(s) })
}

// Same reports whether two sets of known secrets are equal.
func (v *TextSet) Same(w *TextSet) bool {
	if v == nil || w == nil {
		return v == w
	}
	return slices.Equal(v.known, w.known)
}

// withDecoded returns the texts of a list and the decoded form of each that is encoded, each once
// and sorted.
func withDecoded(found []string) []string {
	out := slices.Clone(found)
	for _, s := range found {
		for d := range decodeLayers(s) {
			if d.source == nil {
				continue
			}
			out = append(out, d.text)
			for _, p := range Secrets(d.text) {
				out = append(out, d.text[p.Start:p.End])
			}
		}
		if d, ok := unwrapLines(s); ok {
			out = append(out, d.text)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Secrets returns the result of the function Secrets, and the copies of known values.
func (v *TextSet) Secrets(s string) []Span { return WithCopies(Secrets(s), v.Copies(s)) }

// SecretsInLine returns the result of the function SecretsInLine, and the copies of known values.
func (v *TextSet) SecretsInLine(line string) []Span {
	return WithCopies(SecretsInLine(line), v.Copies(line))
}

// Copies returns where known values occur in a text, except inside longer words.
func (v *TextSet) Copies(s string) []Span {
	if v == nil {
		return nil
	}
	return slices.DeleteFunc(v.Find(s), func(k Span) bool { return !isWholeWord(s, k) })
}

// WithCopies adds copies of known values to the secrets that rules found. A secret that overlaps a
// copy grows to include it.
func WithCopies(found, copies []Span) []Span {
	rules := len(found)
next:
	for _, k := range copies {
		for i := range found[:rules] {
			if f := &found[i]; k.Start < f.End && f.Start < k.End {
				f.Start, f.End = min(f.Start, k.Start), max(f.End, k.End)
				continue next
			}
		}
		found = append(found, Span{Start: k.Start, End: k.End, Rule: RuleKnown})
	}
	return MergeSpans(found)
}

// isWholeWord reports whether a span is not part of a longer word, which may contain a short value
// by chance.
func isWholeWord(s string, p Span) bool {
	const chance = 20
	return p.End-p.Start >= chance ||
		(p.Start == 0 || !inClass(s[p.Start-1], alnum)) && (p.End == len(s) || !inClass(s[p.End], alnum))
}

// Random reports whether a secret is searched for in other files: it is random by length and entropy, so that the same
// text is the same secret. A word, a version, a file and the name of a type or model are not.
func Random(secret string) bool {
	const least, longWord = 10, 8
	text := secret[:min(len(secret), maxExamined)]
	if IsPasswordHash(text) {
		return false // it is no password, and is often of a known one
	}
	if strings.HasPrefix(text, "-----BEGIN ") || matchWholeBody(text, 0, uuidBody) > 0 {
		return true
	}
	if plain, ok := plainBase64(text); ok && len(plain) >= 3 {
		text = plain
	}
	if len(text) < least || !looksRandom(text) || isSlackID(text) || wordBytes(text)*3 >= len(text) || isEmail(text) {
		return false
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(" -_./:\r\n", r) }) {
		if len(part) >= longWord && classChanges(part) >= 2 {
			return true
		}
	}
	return false
}

// IsPasswordHash reports whether a value is the hash of a password, perhaps after a user's name, as bcrypt, scrypt,
// argon2 and crypt write it. Compose files double its marks.
func IsPasswordHash(value string) bool {
	at := strings.IndexByte(value, '$')
	isAfterName := at > 0 && value[at-1] == ':' && runEnd(value, 0, slug|dot) == at-1
	return (at == 0 || isAfterName) && strings.Count(value, "$") > 2
}

// Distinctive reports whether a secret that a person redacts is removed wherever it stands in the same store and in our
// history: it is long enough, and neither words nor a number with other meanings. Other files need [Random].
func Distinctive(secret string) bool {
	const least, leastDigits = 8, 10
	if len(secret) < least {
		return false
	}
	if strings.Trim(secret, "0123456789.:-/ ") == "" {
		return len(secret) >= leastDigits && strings.Trim(secret, "0123456789") == ""
	}
	return !isWords(secret)
}

// isWords reports whether a text consists of words: letters in one case, except for a capital at
// the start of a word, and separators. No word is longer than words are.
func isWords(s string) bool {
	const longest, shortest, all = 15, 3, 40
	if len(s) > all && !strings.Contains(s, " ") {
		return false
	}
	run := 0
	last := rune(0)
	for _, r := range s {
		switch {
		case unicode.IsLetter(r) && (run == 0 || !unicode.IsUpper(r) || unicode.IsUpper(last)):
			run++
		case unicode.IsLetter(r) && run >= shortest:
			run = 1
		case strings.ContainsRune(" -_.,'!?", r):
			run = 0
		default:
			return false
		}
		if run > longest {
			return false
		}
		last = r
	}
	return true
}
