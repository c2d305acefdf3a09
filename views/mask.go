package views

import "winnow/views/safe"

// Mask hides the secrets in a text that was not searched before: facts, notes, paths and names have
// no known places of secrets. A nil Mask hides nothing, because the user asked to see secrets.
type Mask func(text string) string

// beyondCut is how many bytes beyond the visible part are searched, so that a secret is recognized
// although it is cut.
const beyondCut = 256

// line returns as much of the start of a text as fits into cells, as one safe line.
func (m Mask) line(s string, cells int) string {
	return safe.Line(m.hide(clip(s, cells+beyondCut/16)))
}

// longText returns a text as it is shown at length, cut where the detail cuts texts.
func (m Mask) longText(s string) string { return safe.Line(m.hide(cut(s))) }

// lines is longText, line by line.
func (m Mask) lines(s string) []string { return shownLines(m.hide(cut(s)), nil, true) }

// hide returns a text without its secrets.
func (m Mask) hide(s string) string {
	if m == nil {
		return s
	}
	return m(s)
}
