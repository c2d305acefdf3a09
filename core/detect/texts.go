package detect

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// Texts is an immutable set of texts to search for together. The search time hardly grows with
// their number.
type Texts struct {
	list  []string // known secrets, sorted
	short []string // texts shorter than `beginning` bytes
	// by holds the other texts by their first bytes. begins has a bit set for a hash of each of
	// those beginnings.
	by     map[uint32]*sameStart
	begins [1 << 10]uint64
}

// sameStart holds texts with the same first bytes, when there are too many to compare one by one.
type sameStart struct {
	texts   map[string]bool
	lengths []int
}

// beginning is how many first bytes are used to look up the texts that may match at a place.
const beginning = 4

// NewTexts returns the set of the given texts.
func NewTexts(of []string) *Texts {
	t := &Texts{by: make(map[uint32]*sameStart, len(of))}
	for _, s := range of {
		t.add(s)
	}
	return t
}

func (t *Texts) add(s string) {
	if len(s) < beginning {
		if s != "" {
			t.short = append(t.short, s)
		}
		return
	}
	key := gramOf(s, 0)
	h := textSlot(key)
	t.begins[h>>6] |= 1 << (h & 63)
	a := t.by[key]
	if a == nil {
		a = &sameStart{texts: map[string]bool{}}
		t.by[key] = a
	}
	a.texts[s] = true
	if !slices.Contains(a.lengths, len(s)) {
		a.lengths = append(a.lengths, len(s))
	}
}

// textSlot returns the bit of Texts.begins for a beginning.
func textSlot(key uint32) uint32 { return key * 0x9E3779B1 >> 16 }

// In returns where the texts occur in text: verbatim, in any spelling, or wrapped over two lines.
// The spans are sorted, do not overlap, and have no rule. Empty texts are never found.
func (t *Texts) In(text string) []Span { return InReadings(text, t.verbatim) }

// InReadings calls find for text itself, for text with its spellings resolved, and for text without
// line breaks. It returns all places found, as sorted, non-overlapping ranges of text.
func InReadings(text string, find func(reading string) []Span) (spans []Span) {
	for d := range readings(text) {
		spans = append(spans, d.moved(find(d.text))...)
	}
	if d, ok := unwrapped(text); ok {
		spans = append(spans, d.moved(find(d.text))...)
	}
	return Merged(spans)
}

// verbatim returns where the texts occur unchanged.
func (t *Texts) verbatim(text string) (spans []Span) {
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
	if len(t.by) == 0 {
		return spans
	}
	for i := 0; i+beginning <= len(text); i++ {
		key := gramOf(text, i)
		if h := textSlot(key); t.begins[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		a := t.by[key]
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
	texts := NewTexts(which.Also)
	which.Places = func(text string) (places [][2]int) {
		for _, p := range texts.In(text) {
			places = append(places, [2]int{p.Start, p.End})
		}
		return places
	}
	return which
}
