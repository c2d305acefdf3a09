package jstext

// Part is one member of an object or one element of an array, as it is spelled
// in its text.
type Part struct {
	Key   string // with its quotes; empty for an element
	KeyAt int    // offset of the key in the text
	Value string // without space around it
	At    int    // offset of the value in the text
}

// Name returns the key without its quotes and escapes.
func (p *Part) Name() string { return Text(p.Key) }

// Scan calls each for the members of the object, or the elements of the array,
// that text is: each where it stands, in order, also those whose key comes again.
// It builds no values, so that what nobody asks for costs one look at its bytes.
// Scan accepts exactly the texts that Parse accepts. The kind is that of the
// text; a scalar has no parts. When each returns false the scan ends without an
// error, and the rest of text is not looked at.
func Scan(text string, each func(Part) bool) (Kind, error) {
	p := scanner{s: text}
	p.space()
	kind := p.opening()
	if kind == Null {
		v, ok := p.value(false)
		if !ok {
			return Null, p.syntaxError("")
		}
		return v.kind, p.end()
	}
	p.depth = 1
	p.i++
	p.space()
	for more := !p.closes(kind); ; {
		if more {
			part, ok := p.part(kind)
			if !ok {
				return kind, p.syntaxError("")
			}
			if !each(part) {
				return kind, nil
			}
		}
		next, ok := p.comma(kind)
		if !ok {
			return kind, p.syntaxError("")
		}
		if more = next; !more {
			return kind, p.end()
		}
	}
}

// Text returns the text of a string that is spelled as JSON, and "" for another
// value. Without escapes it is a slice of spelled.
func Text(spelled string) string {
	v, _ := Parse(spelled)
	return v.Str()
}

// part reads a member or an element.
func (p *scanner) part(kind Kind) (Part, bool) {
	var part Part
	p.space()
	part.KeyAt = p.i
	if kind == Object {
		_, ok := p.name(false)
		part.Key = p.s[part.KeyAt:p.i]
		if !ok || !p.colon() {
			return part, false
		}
	}
	p.space()
	part.At = p.i
	_, ok := p.value(false)
	part.Value = p.s[part.At:p.i]
	return part, ok
}

// end reports what follows the value, which should be nothing.
func (p *scanner) end() error {
	if p.space(); p.i < len(p.s) {
		return p.syntaxError("unexpected " + p.here())
	}
	return nil
}
