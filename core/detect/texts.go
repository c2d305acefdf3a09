package detect

import (
	"encoding/base64"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Texts are texts that are looked for together, in time that hardly grows with their
// number. They do not change.
type Texts struct {
	list  []string // sorted, of known secrets
	short []sought // of fewer bytes than a beginning
	// by holds the others by their first bytes, and begins a bit for some hash of these.
	by     map[uint32]*sameStart
	begins [1 << 10]uint64
}

// sought is a text as it may stand somewhere.
type sought struct {
	text string
	// core is set for what is in the middle of base64: all of that counts.
	core bool
}

// sameStart are texts that begin with the same bytes, so many that looking at each would take
// too long.
type sameStart struct {
	texts   map[string]sought
	lengths []int
}

// beginning is how many first bytes tell which texts can stand in a place.
const beginning = 4

// NewTexts returns the texts of a list, to be looked for.
func NewTexts(of []string) *Texts {
	t := &Texts{by: make(map[uint32]*sameStart, len(of))}
	for _, s := range of {
		t.add(sought{text: s})
		for _, c := range base64Forms(s) {
			t.add(sought{c, true})
		}
	}
	return t
}

func (t *Texts) add(s sought) {
	if len(s.text) < beginning {
		if s.text != "" {
			t.short = append(t.short, s)
		}
		return
	}
	key := begin(s.text)
	h := textSlot(key)
	t.begins[h>>6] |= 1 << (h & 63)
	a := t.by[key]
	if a == nil {
		a = &sameStart{texts: map[string]sought{}}
		t.by[key] = a
	}
	a.texts[s.text] = s
	if !slices.Contains(a.lengths, len(s.text)) {
		a.lengths = append(a.lengths, len(s.text))
	}
}

// begin returns the first bytes of s as a number.
func begin(s string) uint32 {
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

// textSlot returns the bit of Texts.begins for a beginning.
func textSlot(key uint32) uint32 { return key * 0x9E3779B1 >> 16 }

// In returns where the texts are in text, as they are or spelled with JSON escapes,
// percent-encoded, split by what is not seen, wrapped over two lines, or in base64: in order
// and apart from each other. The spans have no rule. Empty texts are nowhere.
func (t *Texts) In(text string) []Span { return InReadings(text, t.verbatim) }

// InReadings returns the places that find returns of a text: as it is, and as it reads
// without JSON escapes, percent-encoding, what is not seen and line breaks. They are in order, apart
// from each other, and of the text as it is.
func InReadings(text string, find func(reading string, asIs bool) []Span) []Span {
	spans := find(text, true)
	for _, how := range [...]decoding{jsonEscapes, percents, unseen, folded} {
		if d, ok := decode(text, how); ok {
			spans = append(spans, d.moved(find(d.text, false))...)
		}
	}
	return merged(spans)
}

// verbatim returns where the texts stand as they are, and with cores also where base64
// holds them.
func (t *Texts) verbatim(text string, cores bool) (spans []Span) {
	for _, s := range t.short {
		for from := 0; ; {
			i := strings.Index(text[from:], s.text)
			if i < 0 {
				break
			}
			spans = append(spans, Span{Start: from + i, End: from + i + len(s.text)})
			from += i + len(s.text)
		}
	}
	if len(t.by) == 0 {
		return spans
	}
	for i := 0; i+beginning <= len(text); i++ {
		key := begin(text[i:])
		if h := textSlot(key); t.begins[h>>6]>>(h&63)&1 == 0 {
			continue
		}
		a := t.by[key]
		if a == nil {
			continue
		}
		for _, n := range a.lengths {
			if i+n > len(text) {
				continue
			}
			if s, ok := a.texts[text[i:i+n]]; ok && (cores || !s.core) {
				spans = append(spans, s.span(text, i))
			}
		}
	}
	return spans
}

// span returns the place of a text that stands at text[i].
func (s sought) span(text string, i int) Span {
	p := Span{Start: i, End: i + len(s.text)}
	if s.core {
		p.Start = runBack(text, p.Start, alnum|base64s)
		p.End = run(text, p.End, alnum|base64s)
	}
	return p
}

// base64Forms returns what of t stands in base64 wherever t begins in what is encoded, in
// both alphabets. A short t has no part that tells.
func base64Forms(t string) (cores []string) {
	const least = 8
	if len(t) < least {
		return nil
	}
	for skip := range 3 {
		whole := t[skip : skip+(len(t)-skip)/3*3]
		cores = append(cores, base64.StdEncoding.EncodeToString([]byte(whole)))
		if c := base64.URLEncoding.EncodeToString([]byte(whole)); c != cores[len(cores)-1] {
			cores = append(cores, c)
		}
	}
	return cores
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
