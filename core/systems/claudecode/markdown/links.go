package markdown

import (
	"slices"
	"strings"
)

// define takes the link definitions at the beginning of a paragraph out of it. A paragraph that has
// nothing else goes.
func (p *blockParser) define(b *block) {
	var found []*block
	text := b.text()
	for strings.HasPrefix(text, "[") {
		label, length := linkDefinition(text)
		if length == 0 {
			break
		}
		n := strings.Count(text[:length], "\n")
		if text = text[length:]; text == "" {
			n = len(b.lines)
		}
		label = normalized(label)
		p.labels[label] = true
		d := &block{kind: definition, parent: b.parent, lines: b.lines[:n], label: label}
		d.afterBlank = b.afterBlank && found == nil
		found = append(found, d)
		b.lines = b.lines[n:]
	}
	if found == nil {
		return
	}
	siblings := b.parent.children
	i := slices.Index(siblings, b)
	if len(b.lines) > 0 {
		found = append(found, b)
	}
	b.parent.children = append(siblings[:i], found...)
}

// normalized returns the same label for labels that mean the same definition.
func normalized(label string) string {
	return strings.ToLower(strings.Join(strings.Fields(label), " "))
}

// linkDefinition returns the label of the definition that a text begins with, and its length with
// the line end.
func linkDefinition(s string) (label string, length int) {
	at := labelLength(s)
	if at == 0 || at >= len(s) || s[at] != ':' {
		return "", 0
	}
	label = s[1 : at-1]
	at = skipSpace(s, at+1)
	n := definedLength(s[at:])
	if n == 0 {
		return "", 0
	}
	at += n
	if title := skipSpace(s, at); title > at {
		if n := titleLength(s[title:]); n > 0 {
			if end, ok := lineEnd(s, title+n); ok {
				return label, end
			}
		}
	}
	if end, ok := lineEnd(s, at); ok {
		return label, end
	}
	return "", 0
}

// definedLength returns the length of the link destination that a text begins with in a definition,
// where parentheses need not be balanced, or 0.
func definedLength(s string) int {
	if strings.HasPrefix(s, "<") {
		line, _, _ := strings.Cut(s, "\n")
		return strings.IndexByte(line, '>') + 1
	}
	if n := strings.IndexAny(s, " \t\n"); n >= 0 {
		return n
	}
	return len(s)
}

// maxLabel is the longest label in bytes.
const maxLabel = 999

// labelLength returns the length of the label in brackets that a text begins with, or 0.
func labelLength(s string) int {
	if s == "" || s[0] != '[' {
		return 0
	}
	for i := 1; i < len(s) && i <= maxLabel+1; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return 0
		case ']':
			if strings.Trim(s[1:i], " \t\n") == "" {
				return 0
			}
			return i + 1
		}
	}
	return 0
}

// destinationLength returns the length of the link destination that a text begins with.
func destinationLength(s string) (n int, ok bool) {
	if strings.HasPrefix(s, "<") {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '<', '\n':
				return 0, false
			case '>':
				return i + 1, true
			}
		}
		return 0, false
	}
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && isPunctuation(s[i+1]):
			i++
		case c == '(':
			if depth++; depth > 32 {
				return 0, false
			}
		case c == ')':
			if depth--; depth < 0 {
				return i, true
			}
		case c <= ' ' || c == 0x7f:
			return i, true
		}
	}
	return len(s), true
}

// titleLength returns the length of the link title that a text begins with, or 0.
func titleLength(s string) int {
	if s == "" || strings.IndexByte(`"'(`, s[0]) < 0 {
		return 0
	}
	end := s[0]
	if end == '(' {
		end = ')'
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case end:
			return i + 1
		case '(':
			if end == ')' {
				return 0
			}
		}
	}
	return 0
}

// skipSpace returns where white space at a place ends.
func skipSpace(s string, at int) int { return len(s) - len(strings.TrimLeft(s[at:], " \t\n")) }

// lineEnd returns where the line at a place ends, and whether nothing but spaces is left of it.
func lineEnd(s string, at int) (end int, ok bool) {
	rest := strings.TrimLeft(s[at:], " \t")
	if rest == "" {
		return len(s), true
	}
	return len(s) - len(rest) + 1, rest[0] == '\n'
}

func isPunctuation(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}
