package judge

import (
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

// lexer walks over a line of JSON, sound or not.
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

// sound reports whether a line is one JSON text, as RFC 8259 has it. It is false for
// some that are, if they nest deep.
func sound(line string) bool {
	l := lexer{s: line}
	for {
		if !l.value() {
			return false
		}
		for { // what closes here
			l.space()
			if l.depth == 0 {
				return l.i == len(line)
			}
			c := l.take()
			if c == ',' {
				break
			}
			if array := l.array[l.depth]; array && c != ']' || !array && c != '}' {
				return false
			}
			l.depth--
		}
		if !l.member() {
			return false
		}
	}
}

// value takes a scalar, or the beginnings of containers up to one, or an empty one.
func (l *lexer) value() bool {
	for {
		l.space()
		c := l.take()
		switch c {
		case '"':
			return l.text()
		case '{', '[':
			if l.depth++; l.depth == maxDepth {
				return false
			}
			l.array[l.depth] = c == '['
			l.space()
			if l.i < len(l.s) && l.s[l.i] == c+2 { // the byte that closes it
				return true
			}
			if !l.member() {
				return false
			}
		case 't':
			return l.literal("rue")
		case 'f':
			return l.literal("alse")
		case 'n':
			return l.literal("ull")
		default:
			l.i--
			return l.number()
		}
	}
}

// member takes the key of a member and its colon; nothing in an array.
func (l *lexer) member() bool {
	if l.array[l.depth] {
		return true
	}
	l.space()
	if l.take() != '"' || !l.text() {
		return false
	}
	l.space()
	return l.take() == ':'
}

func (l *lexer) space() {
	for l.i < len(l.s) && (l.s[l.i] == ' ' || l.s[l.i] == '\t' || l.s[l.i] == '\r' || l.s[l.i] == '\n') {
		l.i++
	}
}

// take returns the next byte, or 0 after the last one.
func (l *lexer) take() byte {
	l.i++
	if l.i > len(l.s) {
		return 0
	}
	return l.s[l.i-1]
}

func (l *lexer) literal(rest string) bool {
	ok := l.i <= len(l.s) && strings.HasPrefix(l.s[l.i:], rest)
	l.i += len(rest)
	return ok
}

// text takes a string after its opening quote.
func (l *lexer) text() bool {
	for {
		l.i = special(l.s, l.i)
		switch l.take() {
		case '"':
			return true
		case '\\':
			n := escapeLen(l.s[l.i-1:])
			if n == 0 {
				return false
			}
			l.i += n - 1
		default:
			return false
		}
	}
}

func (l *lexer) number() bool {
	if l.i < len(l.s) && l.s[l.i] == '-' {
		l.i++
	}
	if l.i < len(l.s) && l.s[l.i] == '0' {
		l.i++
	} else if !l.digits() {
		return false
	}
	if l.i < len(l.s) && l.s[l.i] == '.' {
		l.i++
		if !l.digits() {
			return false
		}
	}
	if l.i < len(l.s) && l.s[l.i]|0x20 == 'e' {
		l.i++
		if l.i < len(l.s) && (l.s[l.i] == '+' || l.s[l.i] == '-') {
			l.i++
		}
		return l.digits()
	}
	return true
}

// digits takes one digit or more.
func (l *lexer) digits() bool {
	start := l.i
	for l.i < len(l.s) && l.s[l.i]-'0' <= 9 {
		l.i++
	}
	return l.i > start
}
