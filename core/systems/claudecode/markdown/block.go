package markdown

import (
	"strings"

	"winnow/core/jstext"
)

// kind is what sort of block it is.
type kind uint8

const (
	space kind = iota
	code
	heading
	rule
	quote
	list
	item
	html
	definition
	paragraph
	text // a line of a list item that is no paragraph
)

// block is a piece of a document. The raws of the blocks of a document make up its text,
// but for repeated definitions, which the original loses.
type block struct {
	kind   kind
	raw    string
	text   string  // of a leaf with inline text, and of a quote without its markers
	blocks []block // of a quote, a list or an item
}

// lexer reads blocks. Top is unset in a list item up to the first block in another: lines
// there are text, and no paragraphs.
type lexer struct {
	defs   map[string]bool
	top    bool
	depth  int
	effort int // that is left
	sign   string
}

func newLexer() *lexer { return &lexer{defs: map[string]bool{}, top: true, effort: maxEffort} }

// blocks appends the blocks of a text. Clipped is set when a paragraph at the end of out
// goes on in it.
func (l *lexer) blocks(src string, out []block, clipped bool) []block {
	l.depth++
	defer func() { l.depth-- }()
	if l.depth > maxDepth {
		l.top = true
		return append(out, block{kind: paragraph, raw: src, text: src})
	}
	for src != "" {
		b := l.next(src)
		src = src[min(len(b.raw), len(src)):]
		var last *block
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		lines := last != nil && (last.kind == paragraph || last.kind == text)
		switch {
		case b.kind == space && len(b.raw) == 1 && last != nil:
			last.raw += "\n"
		case b.kind == code && b.text != fenced && lines:
			last.join(b.raw, unindented(b.raw))
		case b.kind == definition && lines:
			last.join(b.raw, b.raw)
		case b.kind == definition && l.defs[b.text]:
			// The original drops it.
		case b.kind == paragraph && clipped && last != nil && last.kind == paragraph,
			b.kind == text && last != nil && last.kind == text:
			last.join(b.raw, b.text)
		default:
			if b.kind == definition {
				l.defs[b.text] = true
			}
			out = append(out, b)
		}
		if b.kind == paragraph {
			clipped = false
		}
	}
	l.top = true
	return out
}

// join appends a block to the one that it goes on with.
func (b *block) join(raw, text string) {
	if !strings.HasSuffix(b.raw, "\n") {
		b.raw += "\n"
	}
	b.raw += raw
	b.text += "\n" + text
}

// fenced is the text of a block of code between fences.
const fenced = "```"

// next returns the block that a text begins with.
func (l *lexer) next(src string) block {
	if raw := blank().FindString(src); raw != "" {
		return block{kind: space, raw: raw}
	}
	if raw := codes().FindString(src); raw != "" {
		return block{kind: code, raw: raw}
	}
	if n := fencesEnd(src); n > 0 {
		return block{kind: code, raw: src[:n], text: fenced}
	}
	if b, ok := headingOf(src); ok {
		return b
	}
	if line, _ := cutLine(src); isRule(line, 3, " \t") {
		return block{kind: rule, raw: line}
	}
	if b, ok := l.quote(src); ok {
		return b
	}
	if b, ok := l.list(src); ok {
		return b
	}
	if n := htmlEnd(src); n > 0 {
		return block{kind: html, raw: src[:n]}
	}
	if m := definitions().FindStringSubmatch(src); m != nil && jstext.Trim(m[1]) != "" {
		return block{kind: definition, raw: m[0], text: strings.ToLower(spaces().ReplaceAllString(m[1], " "))}
	}
	if b, ok := underlined(src); ok {
		return b
	}
	if !l.top {
		line, _ := cutLine(src)
		return block{kind: text, raw: line, text: line}
	}
	raw := src[:paragraphEnd(src)]
	return block{kind: paragraph, raw: raw, text: raw}
}

var (
	spaces      = pattern(`[{sp}]+`)
	definitions = pattern(`^ {0,3}\[((?:\\[\s\S]|[^\[\]\\])+)\]: *(?:\n[ \t]*)?([^<{sp}][^{sp}]*|<.*?>)` +
		`(?:(?: +(?:\n[ \t]*)?| *\n[ \t]*)(?:"(?:\\"?|[^"\\])*"|'[^'\n]*(?:\n[^'\n]+)*\n?'|\([^()]*\)))? *(?:\n+|$)`)
	headings = pattern(`^ {0,3}#{1,6}(?:[{sp}][^\n]*)?(?:\n+|$)`)
)

// cutLine returns the first line of a text without its end, and what follows the end.
func cutLine(src string) (line, rest string) {
	line, rest, _ = strings.Cut(src, "\n")
	return line, rest
}

// indented returns what stands behind at most so many spaces, and false where more are.
func indented(src string, most int) (string, bool) {
	rest := strings.TrimLeft(src, " ")
	return rest, len(src)-len(rest) <= most
}

// newlinesEnd returns where a run of newlines that begins at i ends.
func newlinesEnd(src string, i int) int {
	for i < len(src) && src[i] == '\n' {
		i++
	}
	return i
}

// Blank lines, indented code, and what makes a line indented code.
var (
	blank   = pattern(`^(?:[ \t]*(?:\n|$))+`)
	codes   = pattern(`^(?:(?: {4}| {0,3}\t)[^\n]+(?:\n(?:[ \t]*(?:\n|$))*)?)+`)
	indents = pattern(`(?m)^(?: {1,4}|\t)`)
)

// unindented returns indented code without what makes it code.
func unindented(raw string) string {
	return indents().ReplaceAllString(strings.TrimRight(raw, "\n"), "")
}

// fenceOf returns the run of backquotes or tildes that opens a block of code in a line;
// empty for none.
func fenceOf(line string) string {
	rest, ok := indented(line, 3)
	if !ok || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return ""
	}
	n := len(rest) - len(strings.TrimLeft(rest, rest[:1]))
	if n < 3 || rest[0] == '`' && strings.Contains(rest[n:], "`") {
		return ""
	}
	return rest[:n]
}

// fencesEnd returns how long the fenced code is that a text begins with.
func fencesEnd(src string) int {
	line, _ := cutLine(src)
	fence := fenceOf(line)
	if fence == "" {
		return 0
	}
	for at := len(line) + 1; at < len(src); {
		line, _ := cutLine(src[at:])
		if rest, ok := indented(line, 3); ok && strings.HasPrefix(rest, fence) && strings.Trim(strings.TrimRight(rest, " "), "~`") == "" {
			return at + len(line)
		}
		at += len(line) + 1
	}
	return len(src)
}

// headingOf returns the heading that a text begins with.
func headingOf(src string) (block, bool) {
	if rest, ok := indented(src, 3); !ok || !strings.HasPrefix(rest, "#") {
		return block{}, false
	}
	raw := headings().FindString(src)
	if raw == "" || strings.ContainsAny(raw, "\u2028\u2029") {
		return block{}, false
	}
	text := jstext.Trim(strings.TrimLeft(strings.TrimLeft(raw, " "), "#"))
	if bare := strings.TrimRight(text, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		text = jstext.Trim(bare)
	}
	return block{kind: heading, raw: raw, text: text}, true
}

// isRule reports whether a line is a thematic break: three or more of one sign, with no
// more than most spaces before it.
func isRule(line string, most int, between string) bool {
	rest, ok := indented(line, most)
	if !ok || rest == "" || !strings.Contains("-_*", rest[:1]) {
		return false
	}
	return strings.Count(rest, rest[:1]) >= 3 && strings.Trim(rest, rest[:1]+between) == ""
}

// underlined returns the heading that a text begins with and that a line of = or - makes.
func underlined(src string) (block, bool) {
	if interruptsUnderlined(src) {
		return block{}, false
	}
	line, _ := cutLine(src)
	at := len(line)
	for at < len(src) && !strings.ContainsAny(line, "\u2028\u2029") {
		var rest string
		line, rest = cutLine(src[at+1:])
		if under, ok := indented(line, 3); ok {
			if bare := strings.TrimRight(under, " "); bare != "" && (strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == "") {
				end := newlinesEnd(src, at+1+len(line))
				return block{kind: heading, raw: src[:end], text: jstext.Trim(src[:at])}, true
			}
		}
		if jstext.Trim(line) == "" && (rest != "" || strings.HasSuffix(src[at+1:], "\n")) || interruptsUnderlined(src[at+1:]) {
			return block{}, false
		}
		at += 1 + len(line)
	}
	return block{}, false
}

var interrupts = pattern(`^(?: {0,3}(?:[*+-]|\d{1,9}[.)]) | {4}| {0,3}\t| {0,3}(?:` + "`{3,}" + `|~{3,})| {0,3}>| {0,3}#| {0,3}<[^\n>]+>\n)`)

// interruptsUnderlined reports whether a line begins what cannot be in such a heading.
func interruptsUnderlined(src string) bool { return interrupts().MatchString(src) }

// paragraphEnd returns how long the paragraph is that a text begins with.
func paragraphEnd(src string) int {
	line, _ := cutLine(src)
	at := len(line)
	for at+1 < len(src) && src[at+1] != '\n' && !interruptsParagraph(src[at+1:]) {
		line, _ = cutLine(src[at+1:])
		at += 1 + len(line)
	}
	return at
}

var breaks = pattern(`^(?: {0,3}#{1,6}(?:[{sp}]|$)| {0,3}>| {0,3}~{3,}[^\n]*\n| {0,3}(?:[*+-]|1[.)])[ \t]| +\n|</?(?:` +
	blockTags + `)(?: +|\n|/?>)|<(?:script|pre|style|textarea|!--))`)

// interruptsParagraph reports whether a line begins a block that ends a paragraph.
func interruptsParagraph(src string) bool {
	line, _ := cutLine(src)
	return isRule(line, 3, " \t") || len(line) < len(src) && fenceOf(line) != "" || breaks().MatchString(src)
}
