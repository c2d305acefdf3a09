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
		var v Value
		if ok := p.scalar(&v); !ok {
			return Null, p.syntaxError("")
		}
		return v.kind, p.end()
	}
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
		if !p.skipKey() {
			return part, false
		}
		part.Key = p.s[part.KeyAt:p.i]
		if !p.colon() {
			return part, false
		}
	}
	p.space()
	part.At = p.i
	if !p.skip() {
		return part, false
	}
	part.Value = p.s[part.At:p.i]
	return part, true
}

// end reports what follows the value, which should be nothing.
func (p *scanner) end() error {
	if p.space(); p.i < len(p.s) {
		return p.syntaxError("unexpected " + p.here())
	}
	return nil
}

// skip steps over a value. As Parse does, it keeps the open containers on a stack
// of its own.
func (p *scanner) skip() bool {
	var nest [16]Kind
	open := nest[:0]
	for more := true; more; {
		p.space()
		if kind := p.opening(); kind != Null {
			if len(open) == maxDepth-1 {
				return p.fail("nested too deep")
			}
			p.i++
			open = append(open, kind)
			p.space()
			more = !p.closes(kind)
		} else {
			if !p.skipScalar() {
				return false
			}
			more = false
		}
		for !more && len(open) > 0 {
			var ok bool
			if more, ok = p.comma(open[len(open)-1]); !ok {
				return false
			}
			if !more {
				open = open[:len(open)-1]
			}
		}
		if more && open[len(open)-1] == Object {
			if p.space(); !p.skipKey() || !p.colon() {
				return false
			}
		}
	}
	return true
}

func (p *scanner) skipScalar() bool {
	if p.peek() == '"' {
		return p.skipText()
	}
	var v Value
	return p.scalar(&v)
}

// skipText steps over a string, at its opening quote.
func (p *scanner) skipText() bool {
	var denoted [8]byte
	for p.i = plain(p.s, p.i+1); ; p.i = plain(p.s, p.i) {
		switch c := p.peek(); {
		case p.i >= len(p.s):
			return p.fail("unfinished string")
		case c == '"':
			p.i++
			return true
		case c != '\\':
			return p.fail("control character in a string")
		}
		p.i++
		if _, ok := p.escape(denoted[:0]); !ok {
			return false
		}
	}
}
