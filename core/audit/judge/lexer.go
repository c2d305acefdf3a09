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

// lexer walks over the strings in a line of JSON, sound or not.
type lexer struct {
	s     string
	i     int
	depth int
	array [maxDepth]bool
	paths [maxDepth]string // of the container at each depth
	key   string           // of the member that is read
	named bool             // the next string in an object is a value
}

// tokens calls fn with the strings of a line in order. Of a line that is no JSON these
// are what stands between quotes.
func tokens(line string, fn func(token)) {
	l := lexer{s: line}
	for l.i < len(line) {
		c := line[l.i]
		l.i++
		switch c {
		case '"':
			fn(l.token())
		case '{', '[':
			l.open(c == '[')
		case '}', ']':
			l.depth = max(l.depth-1, 0)
			l.named = false
		case ':':
			l.named = true
		case ',':
			l.named = false
		}
	}
}

func (l *lexer) open(array bool) {
	path := l.path()
	l.depth = min(l.depth+1, maxDepth-1)
	l.array[l.depth], l.paths[l.depth] = array, path
	l.key, l.named = "", false
}

// path returns the keys above the value that is read.
func (l *lexer) path() string {
	above := l.paths[l.depth]
	switch {
	case l.array[l.depth] || l.key == "":
		return above
	case above == "":
		return l.key
	}
	return above + "." + l.key
}

// token takes the string whose text begins here.
func (l *lexer) token() token {
	t := token{start: l.i, end: textEnd(l.s, l.i)}
	l.i = min(t.end+1, len(l.s))
	if l.depth > 0 && !l.array[l.depth] && !l.named {
		t.key, t.path = true, l.paths[l.depth]
		l.key = ""
		if name := l.s[t.start:t.end]; word(name) {
			l.key = name
		}
		return t
	}
	t.path = l.path()
	return t
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

// textEnd returns the index of the quote that ends the string whose text begins at
// s[i], or len(s).
func textEnd(s string, i int) int {
	for i = special(s, i); i < len(s) && s[i] != '"'; i = special(s, i) {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	return min(i, len(s))
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

// sound reports whether a line is one JSON text, as RFC 8259 has it, that does not nest
// deep.
func sound(line string) bool {
	return json.Valid([]byte(line)) && (strings.Count(line, "[")+strings.Count(line, "{") < maxDepth || nesting(line) < maxDepth)
}

// nesting returns how deep a sound line nests.
func nesting(line string) (most int) {
	depth := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			i = textEnd(line, i+1)
		case '{', '[':
			depth++
			most = max(most, depth)
		case '}', ']':
			depth--
		}
	}
	return most
}
