package detect

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// TextSet is an immutable set of texts to search for together. The search time hardly grows with
// their number.
type TextSet struct {
	known []string // known secrets, sorted
	short []string // texts shorter than `beginning` bytes
	// byPrefix holds the other texts by their first bytes. begins has a bit set for a hash of each of
	// those beginnings.
	byPrefix   map[uint32]*samePrefix
	prefixBits [1 << 10]uint64
}

// samePrefix holds texts with the same first bytes, when there are too many to compare one by one.
type samePrefix struct {
	texts   map[string]bool
	lengths []int
}

// prefixLen is how many first bytes are used to look up the texts that may match at a place.
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

// prefixSlot returns the bit of Texts.begins for a beginning.
func prefixSlot(key uint32) uint32 { return key * 0x9E3779B1 >> 16 }

// Find returns where the texts occur in text: verbatim, in any spelling, or wrapped over two lines.
// The spans are sorted, do not overlap, and have no rule. Empty texts are never found.
func (t *TextSet) Find(text string) []Span { return FindDecoded(text, t.findVerbatim) }

// FindDecoded calls find for text itself, for text with its spellings resolved, and for text without
// line breaks. It returns all places found, as sorted, non-overlapping ranges of text.
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
		for from := 0; ; {
			i := strings.Index(text[from:], s)
			if i < 0 {
				break
			}
			spans = append(spans, Span{Start: from + i, End: from + i + len(s)})
			from += i + len(s)
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

// PrepareRedaction returns which with Places set, so that it can be applied to many records. Texts
// that are part of Redacted are never searched for.
func PrepareRedaction(which memory.Redaction) memory.Redaction {
	which.Also = slices.DeleteFunc(slices.Clone(which.Also), func(t string) bool { return strings.Contains(Redacted, t) })
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
