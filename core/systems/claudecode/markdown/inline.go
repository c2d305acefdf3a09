package markdown

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
)

// inline calls fn with the runs of plain text in the text of a paragraph or heading.
func (l *lexer) inline(src string, depth int, fn func(text string)) {
	if !strings.Contains(src, l.sign) {
		return // nobody asks for other text
	}
	if len(src) > maxInline || depth > maxDepth {
		fn(src)
		return
	}
	p := &inlines{l: l, src: src, masked: l.masked(src), depth: depth, fn: fn}
	for p.at < len(p.src) {
		p.step()
	}
	p.flush()
}

// inlines reads the inline text of one block.
type inlines struct {
	l      *lexer
	src    string
	masked string // src with what emphasis skips blotted out, byte for byte
	at     int
	depth  int
	fn     func(text string)
	text   strings.Builder // the run of plain text up to at
	// before is the sign before at, where that is plain text.
	before rune
}

// flush ends a run of plain text.
func (p *inlines) flush() {
	if p.text.Len() > 0 {
		p.fn(p.text.String())
		p.text.Reset()
	}
	p.before = 0
}

// skip passes what is no plain text.
func (p *inlines) skip(n int) {
	p.flush()
	p.at += n
}

// into reads what is in emphasis or a link.
func (p *inlines) into(text string, n int) {
	p.skip(n)
	p.l.inline(text, p.depth+1, p.fn)
}

var (
	tags = pattern(`^(?:</[a-zA-Z][\w:-]*[{sp}]*>|<[a-zA-Z][\w-]*(?:[{sp}]+[a-zA-Z:_][\w.:-]*(?:[{sp}]*=[{sp}]*"[^"]*"|[{sp}]*=[{sp}]*'[^']*'|[{sp}]*=[{sp}]*[^{sp}"'=<>` + "`" +
		`]+)?)*?[{sp}]*/?>|<\?[\s\S]*?\?>|<![a-zA-Z]+[{sp}][\s\S]*?>|<!\[CDATA\[[\s\S]*?\]\]>)`)
	autolinks = pattern(`^<(?:[a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^{sp}\x00-\x1f<>]*|[a-zA-Z0-9.!#$%&'*+/=?^_` + "`" +
		`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+)>`)
	lineBreaks = pattern(`^ {2,}\n`)
)

// step reads the next piece.
func (p *inlines) step() {
	rest := p.src[p.at:]
	sign := rest[0]
	if strings.IndexByte("<[!`", sign) >= 0 {
		if p.l.effort -= len(rest); p.l.effort < 0 {
			sign = 0 // plain text
		}
	}
	switch sign {
	case '\\':
		if len(rest) > 1 && rest[1] < 0x80 && unicode.In(rune(rest[1]), unicode.P, unicode.S) {
			p.skip(2)
			return
		}
	case '<':
		n := 0
		if strings.HasPrefix(rest, "<!--") {
			n = commentEnd(rest, 0)
		}
		if n == 0 {
			n = max(len(tags().FindString(rest)), len(autolinks().FindString(rest)))
		}
		if n > 0 {
			p.skip(n)
			return
		}
	case '[', '!':
		if p.bracket(rest) {
			return
		}
	case '*', '_':
		if text, n := p.emphasis(); n > 0 {
			p.into(text, n)
			return
		}
	case '`':
		if n := codeSpan(rest); n > 0 {
			p.skip(n)
			return
		}
	}
	if n := lineBreak(rest); n > 0 {
		p.skip(n)
		return
	}
	p.plain(textEnd(rest))
}

// plain takes the next bytes as text.
func (p *inlines) plain(n int) {
	raw := p.src[p.at : p.at+n]
	if r, _ := utf8.DecodeLastRuneInString(raw); r != '_' {
		if p.before = r; r > 0xffff {
			p.before = '\ue000' // the original sees half of it, which is no sign at all
		}
	}
	p.text.WriteString(raw)
	p.at += n
}

// lineBreak returns how long the hard break is that a text begins with.
func lineBreak(src string) int {
	n := len(lineBreaks().FindString(src))
	if strings.HasPrefix(src, "\\\n") {
		n = 2
	}
	if n == 0 || trimLeft(src[n:]) == "" {
		return 0
	}
	return n
}

// textEnd returns how long the plain text is that a text begins with.
func textEnd(src string) int {
	at := len(src) - len(strings.TrimLeft(src, "`"))
	if at == 0 {
		_, at = utf8.DecodeRuneInString(src)
	}
	if lineBreaks().MatchString(src[at:]) {
		return at
	}
	for at < len(src) && !strings.ContainsRune("\\<![`*_", rune(src[at])) {
		_, n := utf8.DecodeRuneInString(src[at:])
		at += n
		if src[at-n] != ' ' && strings.HasPrefix(src[at:], "  ") && lineBreaks().MatchString(src[at:]) {
			return at
		}
	}
	return at
}

// codeSpan returns how long the span of code is that a text begins with.
func codeSpan(src string) int {
	n := backquotes(src)
	for at := n; at < len(src); {
		i := strings.IndexByte(src[at:], '`')
		if i < 0 {
			return 0
		}
		at += i
		m := backquotes(src[at:])
		if m == n {
			return at + m
		}
		at += m
	}
	return 0
}

func backquotes(src string) int { return len(src) - len(strings.TrimLeft(src, "`")) }

func isPunct(r rune) bool { return unicode.In(r, unicode.P, unicode.S) }

// isWord reports whether a sign is neither space nor punctuation.
func isWord(r rune) bool { return !isPunct(r) && !jstext.IsSpace(r) }

// emphasis returns the text in the emphasis that begins at at, and how long it is with
// its signs; 0 for none.
func (p *inlines) emphasis() (string, int) {
	src := p.src[p.at:]
	sign := src[0]
	left := len(src) - len(strings.TrimLeft(src, src[:1]))
	next, _ := utf8.DecodeRuneInString(src[left:])
	switch {
	case left == len(src) || jstext.IsSpace(next):
		return "", 0
	case sign == '_' && isWord(next) && (unicode.IsLetter(p.before) || unicode.IsNumber(p.before)):
		return "", 0
	case isPunct(next) && p.before != 0 && isWord(p.before), isPunct(next) && (p.before == '*' || p.before == '_'):
		return "", 0
	}
	d := delimiters{masked: p.masked[p.at+left:], sign: sign, effort: &p.l.effort}
	total, middle := left, 0
	for d.next() {
		n := d.length
		switch {
		case !d.closes:
			total += n
			continue
		case d.opens && left%3 != 0 && (left+n)%3 == 0:
			middle += n
			continue
		}
		if total -= n; total > 0 {
			continue
		}
		n = min(n, n+total+middle)
		end := left + d.at + n
		out := 1
		if min(left, n)%2 == 0 {
			out = 2
		}
		if end > len(src) || end < 2*out {
			return "", 0
		}
		return src[out : end-out], end
	}
	return "", 0
}

// delimiters finds the runs of a sign that can open or close emphasis.
type delimiters struct {
	masked        string
	sign          byte
	at, length    int // of the run
	opens, closes bool
	begun         bool
	effort        *int
}

// next goes on to the next run that can do anything.
func (d *delimiters) next() bool {
	at := d.at + d.length
	if !d.begun {
		d.begun = true
		at = d.orphan()
	}
	for {
		i := strings.IndexByte(d.masked[at:], d.sign)
		if *d.effort -= 20 + i/20; i < 0 || *d.effort < 0 {
			return false
		}
		at += i
		n := len(d.masked[at:]) - len(strings.TrimLeft(d.masked[at:], string(d.sign)))
		d.at, d.length = at, n
		at += n
		after := ' '
		if at < len(d.masked) {
			after, _ = utf8.DecodeRuneInString(d.masked[at:])
		}
		if before, size := utf8.DecodeLastRuneInString(d.masked[:d.at]); size > 0 && d.judge(before, after) {
			return true
		}
	}
}

// judge sets what a run can do, and reports whether that is anything.
func (d *delimiters) judge(before, after rune) bool {
	d.opens, d.closes = false, false
	switch {
	case isPunct(before) && jstext.IsSpace(after):
		d.closes = true
	case isWord(before) && !isWord(after):
		d.closes = true
	case !isWord(before) && isWord(after):
		d.opens = true
	case jstext.IsSpace(before) && isPunct(after):
		d.opens = true
	case isPunct(before) && isPunct(after):
		d.opens, d.closes = true, true
	case d.sign == '*' && isWord(before) && isWord(after):
		d.opens, d.closes = true, true
	default:
		return false
	}
	return true
}

// Where a single sign is in strong emphasis of the other sign.
var orphans = map[byte]func() *regexp.Regexp{
	'*': pattern(`^([^_*]*__[^_*]*\*[^_*]*)__`),
	'_': pattern(`^([^_*]*\*\*[^_*]*_[^_*]*)\*\*`),
}

// orphan returns where to begin: behind a single sign in strong emphasis of the other.
func (d *delimiters) orphan() int {
	if m := orphans[d.sign]().FindStringSubmatch(d.masked); m != nil {
		return len(m[1])
	}
	return 0
}
