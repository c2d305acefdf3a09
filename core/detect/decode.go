package detect

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// decoding says which spellings decode resolves.
type decoding uint8

const (
	jsonEscapes decoding = 1 << iota // all escapes of a JSON string
	unitEscapes                      // \u escapes alone
	percents                         // %41
	unseen                           // characters of no width and terminal sequences are left out
	folded                           // a line break is left out, with what surrounds it
)

// decoded is a text whose spellings were resolved.
type decoded struct {
	text  string
	parts []part
}

// part is a run of a decoded text: copied as it stands, or, with a width, what that
// many bytes of the first text stand for.
type part struct{ at, from, width int32 }

// raw returns the place in the first text of the bytes start to end of the decoded.
func (d *decoded) raw(start, end int) (int, int) {
	p := d.part(start)
	from := int(p.from)
	if p.width == 0 {
		from += start - int(p.at)
	}
	p = d.part(end - 1)
	to := int(p.from + p.width)
	if p.width == 0 {
		to += end - int(p.at)
	}
	return from, to
}

// part returns the part that holds the byte i of the decoded text.
func (d *decoded) part(i int) part {
	n := sort.Search(len(d.parts), func(k int) bool { return int(d.parts[k].at) > i })
	return d.parts[max(n, 1)-1]
}

// moved turns spans of the decoded text into those of the first one.
func (d *decoded) moved(spans []Span) []Span {
	for i, p := range spans {
		spans[i].Start, spans[i].End = d.raw(p.Start, p.End)
	}
	return spans
}

// decode resolves the spellings in s that how names. It reports false when there are
// none.
func decode(s string, how decoding) (decoded, bool) {
	d := decoded{}
	if how == unseen && plainText(s) || how == folded && !mayFold(s) {
		return d, false
	}
	var out []byte
	copied := 0 // s up to here is in out
	for i := how.next(s, 0); i < len(s); {
		to, n := how.resolve(out, s[i:])
		if n == 0 {
			i = how.next(s, i+1)
			continue
		}
		if out == nil {
			out = make([]byte, 0, len(s))
			to, _ = how.resolve(out, s[i:])
		}
		if i > copied {
			d.parts = append(d.parts, part{int32(len(out)), int32(copied), 0})
			out = append(out, s[copied:i]...)
			to, _ = how.resolve(out, s[i:])
		}
		if len(to) > len(out) {
			d.parts = append(d.parts, part{int32(len(out)), int32(i), int32(n)})
		}
		out, copied = to, i+n
		i = how.next(s, copied)
	}
	if copied == 0 {
		return d, false
	}
	if copied < len(s) {
		d.parts = append(d.parts, part{int32(len(out)), int32(copied), 0})
		out = append(out, s[copied:]...)
	}
	d.text = string(out)
	return d, true
}

// next returns the first place from i on at which a spelling can begin, or len(s).
func (how decoding) next(s string, i int) int {
	if how&(unseen|folded) == 0 {
		c := byte('%')
		if how&percents == 0 {
			c = '\\'
		}
		if n := strings.IndexByte(s[i:], c); n >= 0 {
			return i + n
		}
		return len(s)
	}
	from := i
	for i < len(s) && (spellings[s[i]]&how == 0 || how == folded && !breaks(s[i:])) {
		i++
	}
	if how == folded && i < len(s) {
		return wrapStart(s, from, i)
	}
	return i
}

// spellings holds what can begin with each byte.
var spellings = [256]decoding{
	'\\': jsonEscapes | unitEscapes | folded, '%': percents, 0x1B: unseen, '\r': folded, '\n': folded,
	// The first bytes of the characters that noWidth names, and of U+009B.
	0xC2: unseen, 0xCD: unseen, 0xD8: unseen, 0xE1: unseen, 0xE2: unseen, 0xEF: unseen, 0xF3: unseen,
}

// resolve appends what the spelling stands for that s begins with, and returns the
// length of it, which is 0 when it is none.
func (how decoding) resolve(to []byte, s string) ([]byte, int) {
	switch c := s[0]; {
	case how&folded != 0:
		return to, fold(s)
	case c == '\\' && (how&jsonEscapes != 0 || how&unitEscapes != 0 && len(s) > 1 && s[1] == 'u'):
		r, n := resolved(s)
		if n == 0 {
			return to, 0
		}
		return how.emit(to, r, n, s)
	case c == '%' && how&percents != 0 && len(s) > 2 && is(s[1], hexAny) && is(s[2], hexAny):
		return append(to, hexValue(s[1])<<4|hexValue(s[2])), 3
	case c == 0x1B && how&unseen != 0:
		return how.emit(to, rune(c), 1, s)
	case c >= utf8.RuneSelf && how&unseen != 0:
		r, n := utf8.DecodeRuneInString(s)
		if noWidth(r) || r == 0x9B {
			return how.emit(to, r, n, s)
		}
	}
	return to, 0
}

// emit appends the character r, whose spelling is the first n bytes of s. When it is
// not to be seen, nothing is appended and what belongs to it counts to its spelling.
func (how decoding) emit(to []byte, r rune, n int, s string) ([]byte, int) {
	switch {
	case how&unseen == 0:
	case r == 0x1B:
		return to, n + escapeSequence(s[n:])
	case r == 0x9B:
		return to, n + controlSequence(s[n:])
	case noWidth(r):
		return to, n
	}
	return utf8.AppendRune(to, r), n
}

// escapeSequence returns how many bytes after an escape character belong to its
// sequence.
func escapeSequence(s string) int {
	const longest = 256 // of a text inside of a sequence
	if s == "" {
		return 0
	}
	switch s[0] {
	case '[':
		return 1 + controlSequence(s[1:])
	case ']', 'P', '_', '^', 'X':
		for i := 1; i < min(len(s), longest); i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1B && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
		return 1
	case '(', ')', '#', ' ':
		return min(len(s), 2)
	}
	if s[0] >= '0' && s[0] <= '~' {
		return 1
	}
	return 0
}

// controlSequence returns the length of the parameters and the last byte of a control
// sequence that s begins with, and 0 when it has no end.
func controlSequence(s string) int {
	const longest = 64
	for i := range min(len(s), longest) {
		switch c := s[i]; {
		case c >= '@' && c <= '~':
			return i + 1
		case c < ' ' || c > '~':
			return 0
		}
	}
	return 0
}

// hexValue returns the value of a hexadecimal digit.
func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}
