package jstext

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth is far deeper than JSON.stringify can write, and bounds the memory
// that a file of brackets can ask for.
const maxDepth = 1 << 17

// SyntaxError tells where and why a text is not JSON.
type SyntaxError struct {
	Offset int // of the first byte that cannot be, or the length of the text
	What   string
}

// Error returns what is wrong and the byte offset.
func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.What, e.Offset) }

// Parse returns the value of a JSON text, exactly RFC 8259 with JavaScript's
// object semantics (see Value). Strings without escapes are slices of s. The
// error is a *SyntaxError. Values nested more than 131,072 deep are refused.
func Parse(s string) (Value, error) {
	if n := len(s); n >= 2 && s[0] == '"' && plain(s, 1) == n-1 && s[n-1] == '"' {
		return StringValue(s[1 : n-1]), nil // most values
	}
	p := scanner{s: s, keep: true}
	v := p.value()
	if err := p.end(); err != nil {
		return Value{}, err
	}
	return v, nil
}

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
		kind = p.value().kind
		return kind, p.end()
	}
	for more := p.open(kind); more; more = p.next(kind) {
		part := p.part(kind)
		if p.err == nil && !each(part) {
			return kind, nil
		}
	}
	return kind, p.end()
}

// Text returns the text of a string that is spelled as JSON, and "" for another
// value. Without escapes it is a slice of spelled.
func Text(spelled string) string {
	v, _ := Parse(spelled)
	return v.Str()
}

// scanner reads a JSON text. After the first error it stands at the end of the text, where
// nothing more can be read.
type scanner struct {
	s     string
	i     int
	keep  bool  // build values; else they are only stepped over
	depth int   // how many containers are open
	err   error // the first
}

func (p *scanner) fail(what string) {
	if p.err == nil {
		p.err = &SyntaxError{Offset: p.i, What: what}
	}
	p.i = len(p.s)
}

// here names what stands at the current position.
func (p *scanner) here() string {
	if p.i >= len(p.s) {
		return "end of text"
	}
	if c := p.s[p.i]; c > ' ' && c < 0x7F {
		return "'" + string(rune(c)) + "'"
	}
	return fmt.Sprintf("byte 0x%02x", p.s[p.i])
}

func (p *scanner) space() {
	for p.i < len(p.s) {
		if c := p.s[p.i]; c > ' ' || c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return
		}
		p.i++
	}
}

// peek returns the byte at the current position, or 0 at the end.
func (p *scanner) peek() byte {
	if p.i < len(p.s) {
		return p.s[p.i]
	}
	return 0
}

// take steps over a character, if it stands here.
func (p *scanner) take(c byte) bool {
	if p.i == len(p.s) || p.s[p.i] != c {
		return false
	}
	p.i++
	return true
}

// end returns the error of what was read, or that something follows it.
func (p *scanner) end() error {
	if p.space(); p.i < len(p.s) {
		p.fail("unexpected " + p.here())
	}
	return p.err
}

// value reads a value.
func (p *scanner) value() (v Value) {
	p.space()
	switch p.peek() {
	case '"':
		v.kind, v.str = String, p.text()
	case '{', '[':
		v = p.container()
	case 't':
		v.kind, v.yes = Bool, true
		p.literal("true")
	case 'f':
		v.kind = Bool
		p.literal("false")
	case 'n':
		p.literal("null")
	default:
		v.kind, v.str = Number, p.number()
	}
	return v
}

// container reads an array or an object.
func (p *scanner) container() Value {
	v := Value{kind: p.opening()}
	var room [10]Member
	kids := room[:0]
	for more := p.open(v.kind); more; more = p.next(v.kind) {
		m := Member{Key: p.key(v.kind), Value: p.value()}
		if p.keep {
			kids = append(kids, m)
		}
	}
	if v.kind == Object {
		kids = ordered(kids)
	}
	v.kids = append(v.kids, kids...)
	return v
}

// opening returns the kind of the container that begins here, or Null.
func (p *scanner) opening() Kind {
	switch p.peek() {
	case '{':
		return Object
	case '[':
		return Array
	}
	return Null
}

// open steps into a container, and reports whether a part follows.
func (p *scanner) open(kind Kind) bool {
	if p.depth == maxDepth {
		p.fail("nested too deep")
		return false
	}
	p.depth++
	p.i++
	p.space()
	return !p.closed(kind)
}

// next steps over what stands behind a part, and reports whether another one follows.
func (p *scanner) next(kind Kind) bool {
	p.space()
	if p.take(',') {
		return true
	}
	if !p.closed(kind) {
		p.fail("unexpected " + p.here())
	}
	return false
}

// closed steps out of a container, if it ends here.
func (p *scanner) closed(kind Kind) bool {
	bracket := byte(']')
	if kind == Object {
		bracket = '}'
	}
	if !p.take(bracket) {
		return false
	}
	p.depth--
	return true
}

// part reads a member or an element.
func (p *scanner) part(kind Kind) (part Part) {
	p.space()
	part.KeyAt = p.i
	if kind == Object {
		p.name()
		part.Key = p.s[part.KeyAt:p.i]
		p.colon()
	}
	p.space()
	part.At = p.i
	p.value()
	part.Value = p.s[part.At:p.i]
	return part
}

// key reads the key and the colon before a member's value; nothing in an array.
func (p *scanner) key(kind Kind) string {
	if kind != Object {
		return ""
	}
	p.space()
	key := p.name()
	p.colon()
	return key
}

// name reads a key.
func (p *scanner) name() string {
	if p.peek() != '"' {
		p.fail("unexpected " + p.here() + ", not a key")
		return ""
	}
	return p.text()
}

// colon reads the colon after a key.
func (p *scanner) colon() {
	if p.space(); !p.take(':') {
		p.fail("unexpected " + p.here() + ", not ':'")
	}
}

func (p *scanner) literal(word string) {
	if !strings.HasPrefix(p.s[p.i:], word) {
		p.fail("unexpected " + p.here())
		return
	}
	p.i += len(word)
}

// number reads a number and returns its source.
func (p *scanner) number() string {
	start := p.i
	p.take('-')
	if !p.take('0') {
		p.digits()
	}
	if p.take('.') {
		p.digits()
	}
	if p.take('e') || p.take('E') {
		if !p.take('-') {
			p.take('+')
		}
		p.digits()
	}
	return p.s[start:p.i]
}

// digits reads one digit or more.
func (p *scanner) digits() {
	start := p.i
	for p.i < len(p.s) && p.s[p.i]-'0' <= 9 {
		p.i++
	}
	if p.i == start {
		p.fail("unexpected " + p.here())
	}
}

// text reads a string, at its opening quote. Unless it is kept, nothing is returned of one
// that has escapes.
func (p *scanner) text() string {
	start := p.i + 1
	p.i = plain(p.s, start)
	if p.take('"') {
		return p.s[start : p.i-1]
	}
	return p.escaped(start)
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
func (p *scanner) escaped(start int) string {
	var room [128]byte
	out := room[:0]
	for {
		if p.keep {
			out = Append(out, p.s[start:p.i])
		}
		if !p.take('\\') {
			break
		}
		out = p.escape(out)
		if !p.keep {
			out = out[:0]
		}
		start = p.i
		p.i = plain(p.s, start)
	}
	switch {
	case p.i == len(p.s):
		p.fail("unfinished string")
	case !p.take('"'):
		p.fail("control character in a string")
	}
	return string(out)
}

// escape reads what follows a backslash and appends what it denotes.
func (p *scanner) escape(out []byte) []byte {
	c := p.peek()
	if c == 'u' {
		return p.unicode(out)
	}
	i := strings.IndexByte(escapes, c)
	if i < 0 {
		p.fail("unexpected " + p.here() + " after a backslash")
		return out
	}
	p.i++
	return append(out, escapable[i])
}

// unicode reads u and four hex digits.
func (p *scanner) unicode(out []byte) []byte {
	var unit rune
	for range 4 {
		p.i++
		switch c := p.peek(); {
		case c-'0' <= 9:
			unit = unit<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			unit = unit<<4 | rune(c|0x20-'a'+10)
		default:
			p.fail("unexpected " + p.here() + ", not a hex digit")
			return out
		}
	}
	p.i++
	if unit >= 0xD800 && unit <= 0xDFFF {
		return appendUnit(out, unit)
	}
	return utf8.AppendRune(out, unit)
}
