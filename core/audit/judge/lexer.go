package judge

import (
	"encoding/json"
	"math/bits"
	"strings"
)

// token is a string in a line of JSON.
type token struct {
	start, end int    // of its source between the quotes
	key        bool   // it names a member
	path       string // the keys above it, parted by dots; those that are plain words
}

// maxDepth is how deep a line may nest to be taken for sound here.
const maxDepth = 64

// lexer reads a line of JSON, as RFC 8259 has it.
type lexer struct {
	s  string
	i  int
	fn func(token) // may be nil
}

// tokens calls fn with the strings of a line in order. It reports whether the line is one JSON
// text that does not nest deep.
func tokens(line string, fn func(token)) bool {
	l := lexer{s: line, fn: fn}
	return l.value("", 1) && l.next() == 0 && l.i == len(line)
}

// sound reports whether a line is one JSON text that does not nest deep.
func sound(line string) bool { return tokens(line, nil) }

// next returns the first byte behind white space, which is read next; 0 at the end.
func (l *lexer) next() byte {
	for ; l.i < len(l.s); l.i++ {
		if c := l.s[l.i]; c > ' ' || c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
	}
	return 0
}

// take reads the byte c, behind white space, if it is there.
func (l *lexer) take(c byte) bool {
	ok := l.next() == c && l.i < len(l.s)
	if ok {
		l.i++
	}
	return ok
}

// value reads a value below some keys.
func (l *lexer) value(path string, depth int) bool {
	c := l.next()
	switch {
	case c == '"':
		return l.text(token{path: path})
	case c == '{' || c == '[':
		return depth < maxDepth && l.list(path, depth, c+2)
	}
	start := l.i
	for l.i < len(l.s) && (letter(l.s[l.i]) || strings.IndexByte("+-.0123456789", l.s[l.i]) >= 0) {
		l.i++
	}
	return json.Valid([]byte(l.s[start:l.i]))
}

// list reads an array or an object up to the bracket that ends it.
func (l *lexer) list(path string, depth int, end byte) bool {
	l.i++
	if l.take(end) {
		return true
	}
	for {
		below := path
		if end == '}' {
			l.next()
			start := l.i
			if !l.text(token{key: true, path: path}) || !l.take(':') {
				return false
			}
			if name, _, _ := strings.Cut(l.s[start+1:], `"`); l.fn != nil && word(name) {
				below = strings.TrimPrefix(path+"."+name, ".")
			}
		}
		if !l.value(below, depth+1) {
			return false
		}
		if !l.take(',') {
			return l.take(end)
		}
	}
}

// text reads a string.
func (l *lexer) text(t token) bool {
	if l.i >= len(l.s) || l.s[l.i] != '"' {
		return false
	}
	t.start = l.i + 1
	for i := special(l.s, t.start); i < len(l.s) && l.s[i] >= ' '; i = special(l.s, i) {
		if l.s[i] == '"' {
			t.end, l.i = i, i+1
			if l.fn != nil {
				l.fn(t)
			}
			return true
		}
		n := 2
		if i+1 < len(l.s) && l.s[i+1] == 'u' {
			n = 6
		}
		if i+n > len(l.s) || n == 2 && strings.IndexByte(`"\/bfnrt`, l.s[i+1]) < 0 || n == 6 && strings.Trim(l.s[i+2:i+6], "0123456789abcdefABCDEF") != "" {
			return false
		}
		i += n
	}
	return false
}

// word reports whether a key is one that a person would write: a short name.
func word(s string) bool {
	if s == "" || len(s) > 40 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; c != '_' && c != '-' && c != '.' && c != '$' && c-'0' > 9 && (c|0x20)-'a' > 'z'-'a' {
			return false
		}
	}
	return true
}

// special returns the index of the first byte from i on that is a quote, a backslash
// or a control character, or at least len(s).
func special(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 | uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		quote, slash := w^ones*'"', w^ones*'\\'
		// A byte is found when subtracting makes it borrow and it had no high bit; the
		// first one is never found by chance.
		if found := ((w-ones*' ')&^w | (quote-ones)&^quote | (slash-ones)&^slash) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for ; i < len(s); i++ {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			break
		}
	}
	return i
}
