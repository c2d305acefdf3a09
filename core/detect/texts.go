package detect

import (
	"slices"
	"strings"

	"winnow/core/memory"
)

// Texts are texts that are looked for together, in time that hardly grows with their
// number. They do not change.
type Texts struct {
	list  []string // sorted, of known secrets
	short []string // of fewer bytes than a beginning
	// by holds the others by their first bytes, and begins a bit for some hash of these.
	by     map[uint32]*sameStart
	begins [1 << 10]uint64
}

// sameStart are texts that begin with the same bytes, so many that looking at each would take
// too long.
type sameStart struct {
	texts   map[string]bool
	lengths []int
}

// beginning is how many first bytes tell which texts can stand in a place.
const beginning = 4

// NewTexts returns the texts of a list, to be looked for.
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

// In returns where the texts are in text, as they are, in any spelling or wrapped over two
// lines: in order and apart from each other. The spans have no rule. Empty texts are nowhere.
func (t *Texts) In(text string) []Span { return InReadings(text, t.verbatim) }

// InReadings returns the places that find returns of a text: as it is, as it reads with its
// spellings resolved, and without line breaks. They are in order, apart from each other, and of
// the text as it is.
func InReadings(text string, find func(reading string) []Span) (spans []Span) {
	for d := range readings(text) {
		spans = append(spans, d.moved(find(d.text))...)
	}
	if d, ok := unwrapped(text); ok {
		spans = append(spans, d.moved(find(d.text))...)
	}
	return Merged(spans)
}

// verbatim returns where the texts stand as they are.
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

// PrepareRedaction returns which with Places set, for many records. A text that Mark itself
// holds is looked for nowhere.
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
