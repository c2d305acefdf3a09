package views

import "winnow/views/safe"

// Mask hides the secrets of a text that was not searched for them yet: facts, notes,
// paths and names come without the places of secrets. Nil hides nothing: a person asked to see
// secrets.
type Mask func(text string) string

// beyondCut is how many more bytes are looked at than cells can show, so that a secret
// is recognised although it is cut.
const beyondCut = 256

// line returns the start of a text, what cells can show, as one safe line.
func (m Mask) line(s string, cells int) string {
	return safe.Line(m.hide(clip(s, cells+beyondCut/16)))
}

// whole returns a text as it is shown at length, cut where the detail cuts texts.
func (m Mask) whole(s string) string { return safe.Line(m.hide(cut(s))) }

// lines is whole, line by line.
func (m Mask) lines(s string) []string { return shownLines(m.hide(cut(s)), nil, true) }

// hide returns a text without its secrets.
func (m Mask) hide(s string) string {
	if m == nil {
		return s
	}
	return m(s)
}
