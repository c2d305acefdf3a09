package jstext

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"
)

// text reads a string, at its opening quote. Without keep it returns none of one that has
// escapes.
func (p *scanner) text(keep bool) (string, bool) {
	start := p.i + 1
	p.i = plain(p.s, start)
	if p.peek() == '"' {
		p.i++
		return p.s[start : p.i-1], true
	}
	return p.escaped(start, keep)
}

// plain returns the index of the first byte from i on that is a quote, a
// backslash or a control character, or len(s).
func plain(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	var word [8]byte
	for ; i+8 <= len(s); i += 8 {
		copy(word[:], s[i:i+8])
		w := binary.LittleEndian.Uint64(word[:])
		quote, slash := w^ones*'"', w^ones*'\\'
		// A byte is found when subtracting makes it borrow and it had no high bit.
		found := (w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash
		if found&highs != 0 {
			break
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}

// escaped reads the rest of a string that began at start, into a new one.
func (p *scanner) escaped(start int, keep bool) (string, bool) {
	var denoted [8]byte
	out := denoted[:0]
	if keep {
		out = make([]byte, 0, p.i-start+32)
	}
	for {
		if keep {
			out = Append(out, p.s[start:p.i])
		}
		switch c := p.peek(); {
		case p.i >= len(p.s):
			return "", p.fail("unfinished string")
		case c == '"':
			p.i++
			return string(out), true
		case c != '\\':
			return "", p.fail("control character in a string")
		}
		p.i++
		if !keep {
			out = out[:0]
		}
		var ok bool
		if out, ok = p.escape(out); !ok {
			return "", false
		}
		start = p.i
		p.i = plain(p.s, start)
	}
}

// escape reads what follows a backslash and appends what it denotes.
func (p *scanner) escape(out []byte) ([]byte, bool) {
	c := p.peek()
	if c == 'u' {
		return p.unicode(out)
	}
	i := strings.IndexByte(escapes, c)
	if i < 0 {
		return nil, p.fail("unexpected " + p.here() + " after a backslash")
	}
	p.i++
	return append(out, escapable[i]), true
}

// unicode reads u and four hex digits.
func (p *scanner) unicode(out []byte) ([]byte, bool) {
	var unit rune
	for range 4 {
		p.i++
		switch c := p.peek(); {
		case c-'0' <= 9:
			unit = unit<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit = unit<<4 | rune(c|0x20-'a'+10)
		default:
			return nil, p.fail("unexpected " + p.here() + ", not a hex digit")
		}
	}
	p.i++
	if unit >= 0xD800 && unit <= 0xDFFF {
		return appendUnit(out, unit), true
	}
	return utf8.AppendRune(out, unit), true
}
