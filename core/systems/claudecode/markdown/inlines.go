package markdown

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// piece is a piece of the text of a block: text, a run of emphasis signs, or neither.
type piece struct {
	text        string
	before, cut bool // what is no text is before it, or after it

	sign          byte // of emphasis; else 0
	left, length  int  // signs that are text, and those that there were
	opens, closes bool
}

// bracket is a bracket that may begin a link.
type bracket struct {
	piece, signs int // how many pieces there were, and how many runs of emphasis signs
	at           int // behind it
	image, off   bool
	followed     bool // by another bracket
}

// inlineParser reads the text of a block.
type inlineParser struct {
	s        string
	at       int
	labels   map[string]bool
	pieces   []piece
	signs    []int // the pieces that are runs of emphasis signs
	brackets []bracket
	effort   *int            // the total that may be spent on the document
	seen     int             // signs so far
	missing  map[string]bool // what is not in the rest of the text
}

// inlines returns the pieces of a text. A sign costs as much as the number of signs before it, since
// it can be compared with each of them. When the effort is used up, signs are text.
func inlines(s string, labels map[string]bool, effort *int) []piece {
	p := &inlineParser{s: s, labels: labels, effort: effort, missing: map[string]bool{}}
	for p.at < len(s) {
		n, signs := 0, len(s) <= maxInline && *effort >= 0
		for n < len(s)-p.at && !isSign(s[p.at+n], signs) {
			n++
		}
		p.text(n)
		if p.at < len(s) {
			p.special(s[p.at])
		}
	}
	p.emphasis(0)
	return p.pieces
}

// isSign reports whether a byte may begin something else than text; without all, only whether it may
// end a line or escape.
func isSign(c byte, all bool) bool {
	switch c {
	case '\\', '\n':
		return true
	case '`', '<', '*', '_', '!', '[', ']':
		return all
	}
	return false
}

// text adds the next n bytes as text.
func (p *inlineParser) text(n int) {
	if n > 0 {
		p.pieces = append(p.pieces, piece{text: p.s[p.at : p.at+n]})
		p.at += n
	}
}

// skip goes past the next n bytes, which are no text.
func (p *inlineParser) skip(n int) {
	p.pieces = append(p.pieces, piece{cut: true})
	p.at += n
}

// special reads what begins with a sign.
func (p *inlineParser) special(c byte) {
	switch rest := p.s[p.at:]; {
	case c == '\n':
		p.lineBreak()
	case c == '\\':
		if len(rest) > 1 && (isPunctuation(rest[1]) || rest[1] == '\n') {
			p.skip(2)
		} else {
			p.text(1)
		}
	case !p.spend():
		p.text(1)
	case c == '`':
		p.code()
	case c == '<':
		if n := p.tagLength(rest); n > 0 {
			p.skip(n)
		} else {
			p.text(1)
		}
	case c == '*' || c == '_':
		p.run(c)
	case c == '[':
		p.openBracket(1)
	case c == '!' && strings.HasPrefix(rest, "!["):
		p.openBracket(2)
	case c == ']':
		p.closeBracket()
	default:
		p.text(1)
	}
}

// spend reports whether there is effort left for a sign, and spends it.
func (p *inlineParser) spend() bool {
	p.seen++
	*p.effort -= p.seen + len(p.s)/16
	return *p.effort >= 0
}

// lineBreak ends a line. Two spaces before its end break the text.
func (p *inlineParser) lineBreak() {
	hard := strings.HasSuffix(p.s[:p.at], "  ")
	if n := len(p.pieces); n > 0 && p.pieces[n-1].sign == 0 {
		p.pieces[n-1].text = strings.TrimRight(p.pieces[n-1].text, " \t")
	}
	if hard {
		p.skip(1)
	} else {
		p.text(1)
	}
}

// code reads a code span.
func (p *inlineParser) code() {
	rest := p.s[p.at:]
	n := len(rest) - len(strings.TrimLeft(rest, "`"))
	fence := rest[:n]
	for i := n; !p.missing[fence]; {
		next := strings.Index(rest[i:], fence)
		if next < 0 {
			break
		}
		i += next
		length := len(rest[i:]) - len(strings.TrimLeft(rest[i:], "`"))
		if i += length; length == n {
			p.skip(i)
			return
		}
	}
	p.missing[fence] = true
	p.text(n)
}

var tags = sync.OnceValue(func() *regexp.Regexp {
	const attribute = `(?:[ \t\n]+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:[ \t\n]*=[ \t\n]*(?:[^"'=<>` + "`" + `\x00-\x20]+|'[^']*'|"[^"]*"))?)`
	return regexp.MustCompile(`^(?:<[A-Za-z][A-Za-z0-9.+-]{1,31}:[^\x00-\x20<>]*>` +
		`|<[a-zA-Z0-9.!#$%&'*+/=?^_` + "`" + `{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*>` +
		`|<[A-Za-z][A-Za-z0-9-]*` + attribute + `*[ \t\n]*/?>|</[A-Za-z][A-Za-z0-9-]*[ \t\n]*>)`)
})

// tagLength returns the length of the HTML or link in angle brackets that a text begins with, or 0.
func (p *inlineParser) tagLength(s string) int {
	for _, form := range [...][2]string{
		{"<!-->", ""}, {"<!--->", ""}, {"<!--", "-->"}, {"<?", "?>"}, {"<![CDATA[", "]]>"}, {"<!", ">"},
	} {
		begin, end := form[0], form[1]
		if !strings.HasPrefix(s, begin) || begin == "<!" && (len(s) < 3 || !isLetter(s[2])) {
			continue
		}
		if p.missing[begin+end] {
			return 0
		}
		n := strings.Index(s[len(begin):], end)
		if n < 0 {
			p.missing[begin+end] = true
			return 0
		}
		return len(begin) + n + len(end)
	}
	return len(tags().FindString(s))
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// run reads a run of emphasis signs.
func (p *inlineParser) run(c byte) {
	rest := p.s[p.at:]
	n := len(rest) - len(strings.TrimLeft(rest, string(c)))
	before, _ := utf8.DecodeLastRuneInString(p.s[:p.at])
	after, _ := utf8.DecodeRuneInString(rest[n:])
	if p.at == 0 {
		before = '\n'
	}
	if n == len(rest) {
		after = '\n'
	}
	leftFlanking := !unicode.IsSpace(after) && (!isMark(after) || unicode.IsSpace(before) || isMark(before))
	rightFlanking := !unicode.IsSpace(before) && (!isMark(before) || unicode.IsSpace(after) || isMark(after))
	opens, closes := leftFlanking, rightFlanking
	if c == '_' {
		opens, closes = leftFlanking &&
			(!rightFlanking || isMark(before)), rightFlanking &&
			(!leftFlanking || isMark(after))
	}
	p.signs = append(p.signs, len(p.pieces))
	p.pieces = append(p.pieces, piece{text: rest[:n], sign: c, left: n, length: n, opens: opens, closes: closes})
	p.at += n
}

func isMark(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }

// emphasis pairs the runs of emphasis signs after the first n. What remains of a run is text.
func (p *inlineParser) emphasis(n int) {
	runs := p.signs[n:]
	before := make([]int, len(runs)+1) // the run before it that can still open
	before[0] = -1
	type class struct {
		sign   byte
		opens  bool
		length int
	}
	floor := map[class]int{} // runs up to here open nothing for closers of the class
	for i := 0; i < len(runs); {
		closer := &p.pieces[runs[i]]
		open := -1
		key := class{closer.sign, closer.opens, closer.length % 3}
		if closer.closes && closer.left > 0 {
			lowest, known := floor[key]
			if !known {
				lowest = -1
			}
			for open = before[i]; open > lowest && !pairs(&p.pieces[runs[open]], closer); open = before[open] {
			}
			if open <= lowest {
				floor[key], open = before[i], -1
			}
		}
		if open < 0 {
			if before[i+1] = i; !closer.opens || closer.left == 0 {
				before[i+1] = before[i]
			}
			i++
			continue
		}
		opener := &p.pieces[runs[open]]
		used := 1 + min(1, opener.left-1, closer.left-1)
		opener.left, opener.cut = opener.left-used, true
		closer.left, closer.before = closer.left-used, true
		if before[i] = open; opener.left == 0 {
			before[i] = before[open]
		}
	}
	for _, i := range runs {
		p.pieces[i].text = p.pieces[i].text[:p.pieces[i].left]
	}
	p.signs = p.signs[:n]
}

// pairs reports whether two runs are the ends of an emphasis.
func pairs(opener, closer *piece) bool {
	return opener.opens && opener.sign == closer.sign &&
		(!closer.opens && !opener.closes || closer.length%3 == 0 || (opener.length+closer.length)%3 != 0)
}

// openBracket reads the beginning of a link or, with two signs, of an image.
func (p *inlineParser) openBracket(n int) {
	if k := len(p.brackets); k > 0 {
		p.brackets[k-1].followed = true
	}
	p.brackets = append(p.brackets, bracket{piece: len(p.pieces), signs: len(p.signs), at: p.at + n, image: n == 2})
	p.text(n)
}

// closeBracket reads the end of the text of a link or image, and the rest of it.
func (p *inlineParser) closeBracket() {
	k := len(p.brackets) - 1
	if k < 0 {
		p.text(1)
		return
	}
	b := p.brackets[k]
	p.brackets = p.brackets[:k]
	n := 0
	if !b.off {
		n = p.targetLength(b)
	}
	if n == 0 {
		p.text(1)
		return
	}
	p.emphasis(b.signs)
	if b.image {
		p.pieces = p.pieces[:b.piece]
	} else {
		p.pieces[b.piece] = piece{cut: true}
		for i := range p.brackets {
			p.brackets[i].off = p.brackets[i].off || !p.brackets[i].image
		}
	}
	p.skip(n)
}

// targetLength returns the length of what follows the text of a link, with its bracket, or 0 if it is
// no link.
func (p *inlineParser) targetLength(b bracket) int {
	rest := p.s[p.at+1:]
	if n := inlineTarget(rest); n > 0 {
		return 1 + n
	}
	n := labelLength(rest)
	label := p.s[b.at:p.at]
	switch {
	case n > 0:
		label = rest[1 : n-1]
	case strings.HasPrefix(rest, "[]"):
		n = 2
		fallthrough
	default:
		if b.followed {
			return 0
		}
	}
	if !p.labels[normalized(label)] {
		return 0
	}
	return 1 + n
}

// inlineTarget returns the length of the destination and title in parentheses that a text begins
// with, or 0.
func inlineTarget(s string) int {
	if !strings.HasPrefix(s, "(") {
		return 0
	}
	at := skipSpace(s, 1)
	n, ok := destinationLength(s[at:])
	if !ok {
		return 0
	}
	at += n
	if title := skipSpace(s, at); title > at {
		at = skipSpace(s, title+titleLength(s[title:]))
	}
	if at >= len(s) || s[at] != ')' {
		return 0
	}
	return at + 1
}
