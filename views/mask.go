package views

import "winnow/views/safe"

// Mask hides the secrets of a text in which none were looked for yet: of facts, notes,
// paths and names, which come without places. Nil hides none, once a person asked to see
// them.
type Mask func(text string) string

// beyondCut is how many more bytes are looked at than cells can show, so that a secret
// which is cut is still one.
const beyondCut = 256

// line returns the start of a text, what cells can show, as one safe line.
func (m Mask) line(s string, cells int) string {
	s = clip(s, cells+beyondCut/16)
	if m != nil {
		s = m(s)
	}
	return safe.Line(s)
}

// whole returns a text as it is shown at length, cut where the detail cuts texts.
func (m Mask) whole(s string) string {
	s = cut(s)
	if m != nil {
		s = m(s)
	}
	return safe.Line(s)
}
