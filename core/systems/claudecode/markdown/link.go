package markdown

import (
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
)

var (
	addresses = pattern(`^\]\([{sp}]*(<(?:\\.|[^\n<>\\])+>|[^ \t\n\x00-\x1f]*)(?:(?:[ \t]+(?:\n[ \t]*)?|\n[ \t]*)` +
		`(?:"(?:\\"?|[^"\\])*"|'(?:\\'?|[^'\\])*'|\((?:\\\)?|[^)\\])*\)))?[{sp}]*\)`)
	references = pattern(`^\]\[((?:\\[\s\S]|[^\[\]\\])+)\]`)
	shortcuts  = pattern(`^\[((?:\\[\s\S]|[^\[\]\\])+)\](?:\[\])?`)
	innerLabel = pattern(`^\[(?:\\[\s\S]|[^\[\]\\])*\]`)
	brackets   = strings.NewReplacer(`\[`, "[", `\]`, "]")
)

// bracket reads a link or an image, or the bracket that begins none. It is false where
// what stands there is to be read as something else.
func (p *inlines) bracket(rest string) bool {
	image := strings.HasPrefix(rest, "!")
	src := strings.TrimPrefix(rest, "!")
	if !strings.HasPrefix(src, "[") {
		return false
	}
	text, n := address(src)
	if n == 0 {
		text, n = p.l.reference(src)
	}
	switch {
	case n > 0 && image:
		p.skip(n + 1) // its text is not looked into
	case n > 0:
		p.into(brackets.Replace(text), n)
	case n < 0: // what could be one, and is not
		p.text.WriteByte(rest[0])
		p.before = 0
		p.at++
	default:
		return false
	}
	return true
}

// address returns the text of the link with an address that a text begins with, and its
// length.
func address(src string) (string, int) {
	var found []int
	end := label(src, func(rest string) bool {
		found = addresses().FindStringSubmatchIndex(rest)
		return found != nil
	})
	if end < 0 {
		return "", 0
	}
	rest, text := src[end:], src[1:end]
	to, n := rest[found[2]:found[3]], found[1]
	if trimmed := jstext.Trim(to); strings.HasPrefix(trimmed, "<") {
		if !strings.HasSuffix(trimmed, ">") {
			return "", 0
		}
		inner := trimmed[:len(trimmed)-1]
		if (len(trimmed)-len(strings.TrimRight(inner, `\`)))%2 == 0 {
			return "", 0
		}
		return text, end + n
	}
	switch shut := closing(to); {
	case shut == -2:
		return "", 0
	case shut >= 0: // the address ends before
		return text, len(trimRight(src[:min(len(src), 4+len(text)+shut)]))
	}
	return text, end + n
}

// closing returns where a bracket closes that was not opened in a text, -1 when none
// does, and -2 when one is left open.
func closing(text string) int {
	if !strings.Contains(text, ")") {
		return -1
	}
	level := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			level++
		case ')':
			if level--; level < 0 {
				return i
			}
		}
	}
	if level > 0 {
		return -2
	}
	return -1
}

// label returns where the label that a text begins with ends, at a bracket from which on
// the text fits; -1 for none. A run of backquotes begins code, or else ends the label.
func label(src string, fits func(rest string) bool) int {
	var ends []int // where it could end instead
	at := 1
loop:
	for at < len(src) {
		switch src[at] {
		case ']':
			if fits(src[at:]) {
				return at
			}
			break loop
		case '[':
			n := len(innerLabel().FindString(src[at:]))
			if n == 0 {
				break loop
			}
			at += n
		case '\\':
			if at+1 == len(src) {
				break loop
			}
			_, n := utf8.DecodeRuneInString(src[at+1:])
			at += 1 + n
		case '`':
			n := backquotes(src[at:])
			if n > 1 && strings.HasPrefix(src[at+n:], "]") {
				ends = append(ends, at+n)
			}
			i := strings.IndexByte(src[at+n:], '`')
			if i < 0 {
				break loop
			}
			at += n + i
			at += backquotes(src[at:])
		default:
			at++
		}
	}
	for i := len(ends) - 1; i >= 0; i-- {
		if fits(src[ends[i]:]) {
			return ends[i]
		}
	}
	return -1
}

// reference returns the text of the link to a definition that a text begins with, and its
// length: -1 where there is no such definition, and 0 for what is no reference.
func (l *lexer) reference(src string) (string, int) {
	var found []string
	end := label(src, func(rest string) bool {
		found = references().FindStringSubmatch(rest)
		return found != nil && jstext.Trim(found[1]) != ""
	})
	text, to, n := "", "", 0
	if end >= 0 {
		text, to, n = src[1:end], found[1], end+len(found[0])
	} else if m := shortcuts().FindStringSubmatch(src); m != nil && jstext.Trim(m[1]) != "" {
		text, to, n = m[1], m[1], len(m[0])
	} else {
		return "", 0
	}
	if !l.defs[strings.ToLower(spaces().ReplaceAllString(to, " "))] {
		return "", -1
	}
	return text, n
}

// masked returns a text in which emphasis cannot begin or end in what has to be skipped:
// references, escaped signs, links, code and tags. Its bytes stand where those of the
// text do.
func (l *lexer) masked(src string) string {
	if !strings.ContainsAny(src, "*_") {
		return src
	}
	b := []byte(src)
	blot := func(from, to int) {
		for i := from + 1; i < to-1; i++ {
			b[i] = 'a'
		}
		b[from], b[to-1] = '[', ']'
	}
	l.blotReferences(src, blot)
	for i := 0; i+1 < len(b); i++ {
		if r, n := utf8.DecodeRune(b[i+1:]); b[i] == '\\' && isPunct(r) {
			for k := range 1 + n {
				b[i+k] = '+'
			}
			i += n
		}
	}
	now := string(b)
	for i := 0; i < len(now); {
		n := 0
		switch now[i] {
		case '[':
			n = skippedLink(now[i:])
		case '`':
			if n = skippedCode(now[i:]); n == 0 {
				i += backquotes(now[i:])
				continue
			}
		case '<':
			n = len(skippedTag().FindString(now[i:]))
		}
		if n == 0 {
			i++
			continue
		}
		blot(i, i+n)
		i += n
	}
	return string(b)
}

// blotReferences blots the references to definitions out.
func (l *lexer) blotReferences(src string, blot func(from, to int)) {
	if len(l.defs) == 0 {
		return
	}
	for i := 0; i < len(src); {
		if src[i] != '[' && !strings.HasPrefix(src[i:], "![") {
			i++
			continue
		}
		begin := i
		if src[i] == '!' {
			i++
		}
		var m string
		end := label(src[i:], func(rest string) bool {
			m = references().FindString(rest)
			return m != ""
		})
		n := 0
		if end >= 0 {
			n = end + len(m)
		} else if m = shortcuts().FindString(src[i:]); m != "" && !strings.HasPrefix(src[i+len(m):], "(") {
			n = len(m)
		}
		if n == 0 {
			i++
			continue
		}
		whole := src[begin : i+n]
		if l.defs[whole[strings.LastIndexByte(whole, '[')+1:len(whole)-1]] {
			blot(begin, i+n)
		}
		i += n
	}
}

// skippedCode returns how long the code is that a text begins with, for emphasis.
func skippedCode(src string) int {
	n := backquotes(src)
	i := strings.IndexByte(src[n:], '`')
	if i <= 0 || backquotes(src[n+i:]) != n {
		return 0
	}
	return n + i + n
}

// What emphasis skips: the address of a link, and a tag.
var (
	skippedAddress = pattern(`^\]\((?:\\[\s\S]|[^\\()]|\((?:\\[\s\S]|[^\\()])*\))*\)`)
	skippedTag     = pattern(`^<(?:>|[^<> ][^<>]*>)`)
)

// skippedLink returns how long the link is that a text begins with, for emphasis.
func skippedLink(src string) int {
	at := 1
	for at < len(src) && src[at] != ']' {
		switch src[at] {
		case '[':
			return 0
		case '`':
			n := skippedCode(src[at:])
			if n == 0 {
				return 0
			}
			at += n
		default:
			at++
		}
	}
	if n := len(skippedAddress().FindString(src[min(at, len(src)):])); n > 0 {
		return at + n
	}
	return 0
}
