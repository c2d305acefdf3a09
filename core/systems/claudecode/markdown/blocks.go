package markdown

import "strings"

type kind int

const (
	document kind = iota
	quote
	list
	item
	paragraph
	heading
	fencedCode
	indentedCode
	html
	thematicBreak
	definition // of a link
)

// block is a block of a document.
type block struct {
	kind       kind
	parent     *block
	children   []*block
	lines      []line // of a paragraph, heading, definition or HTML
	afterBlank bool   // an empty line is before it
	inTight    bool   // a paragraph of a list without empty lines

	marker byte   // of a list: the sign of its items; of fenced code: that of the fence
	indent int    // columns of an item before its text, or of a fence
	fence  int    // length of the fence
	form   int    // of HTML: a place in htmlForms
	label  string // of a definition
}

// line is a line of a document, and what it adds to its block.
type line struct {
	start, end int
	text       string // without the signs of blocks around it, with the line end
}

// raw returns the lines of a block.
func (b *block) raw() string {
	var s strings.Builder
	for _, l := range b.lines {
		s.WriteString(l.text)
	}
	return s.String()
}

// text returns the text of a block, without white space at the end.
func (b *block) text() string { return strings.TrimRight(b.raw(), " \t\n") }

// blockParser reads a document line by line.
type blockParser struct {
	src     string
	open    []*block // from the document to the last one
	matched int      // how many of them the line continues
	labels  map[string]bool
	blankIn *block // the innermost block in which the line before is empty; nil if it is not

	at, end int  // the rest of the line
	column  int  // of at
	inTab   bool // only part of the tab at at is used
	began   bool // a block began in the line
}

// parse returns the blocks of a text, and the labels of link definitions in it.
func parse(src string) (*block, map[string]bool) {
	p := &blockParser{src: src, open: []*block{{kind: document}}, labels: map[string]bool{}}
	doc := p.open[0]
	for start := 0; start < len(src); {
		end := len(src)
		if n := strings.IndexByte(src[start:], '\n'); n >= 0 {
			end = start + n + 1
		}
		p.line(start, end)
		start = end
	}
	p.closeTo(0)
	return doc, p.labels
}

// line reads a line: the open blocks that it continues, the blocks that begin in it, and its text.
func (p *blockParser) line(start, end int) {
	p.at, p.end, p.column, p.inTab, p.began = start, end, 0, false, false
	for p.matched = 1; p.matched < len(p.open); p.matched++ {
		if !p.continues(p.open[p.matched]) {
			break
		}
	}
	for p.matched <= len(p.open) && p.begins() {
	}
	if p.matched > len(p.open) { // it is the end of fenced code, or below a heading
		p.blankIn = nil
		return
	}
	_, blank := p.indentation()
	in, last := p.open[p.matched-1], p.open[len(p.open)-1]
	switch lazy := p.matched < len(p.open) && last.kind == paragraph; {
	case blank && in.kind != html:
		p.closeTo(p.matched)
	case in.kind == html:
		p.closeTo(p.matched)
		in.lines = append(in.lines, line{start, end, p.rest()})
	case lazy || in.kind == paragraph:
		p.skipIndentation()
		last.lines = append(last.lines, line{start, end, p.rest()})
	case in.kind == heading:
		in.lines = append(in.lines, line{start, end, headingText(p.rest())})
		p.closeTo(p.matched - 1)
	case in.kind == thematicBreak:
		p.closeTo(p.matched - 1)
	case in.kind != fencedCode && in.kind != indentedCode:
		p.skipIndentation()
		b := p.add(paragraph)
		b.lines = append(b.lines, line{start, end, p.rest()})
	}
	if p.blankIn = nil; blank && !p.began {
		p.blankIn = p.open[min(p.matched, len(p.open))-1]
	}
}

// continues reports whether the line continues an open block, and goes past what says so.
func (p *blockParser) continues(b *block) bool {
	indent, blank := p.indentation()
	switch b.kind {
	case quote:
		return indent < 4 && p.quoteSign()
	case list:
		return true
	case item:
		if blank {
			p.skipIndentation()
			return len(b.children) > 0
		}
		if indent >= b.indent {
			p.advance(b.indent)
			return true
		}
		return false
	case paragraph:
		return !blank
	case indentedCode:
		if indent >= 4 {
			p.advance(4)
		}
		return indent >= 4 || blank
	case fencedCode:
		rest := strings.TrimLeft(p.src[p.at:p.end], " \t")
		sign := rest[:len(rest)-len(strings.TrimLeft(rest, string(b.marker)))]
		if indent < 4 && len(sign) >= b.fence && strings.Trim(rest[len(sign):], " \t\n") == "" {
			p.closeTo(p.matched)
			p.matched = len(p.open) + 1
			return false
		}
		p.advance(min(indent, b.indent))
		return true
	case html:
		return !endsHTML(b, p.src[p.at:p.end])
	}
	return false
}

// begins begins the next block that begins in the line, if there is one.
func (p *blockParser) begins() bool {
	in := p.open[p.matched-1]
	if in.kind != paragraph && in.kind >= heading {
		return false
	}
	indent, blank := p.indentation()
	if blank {
		return false
	}
	interrupts := p.open[len(p.open)-1].kind == paragraph
	if indent >= 4 {
		if !interrupts {
			p.advance(4)
			p.add(indentedCode)
		}
		return false
	}
	rest := strings.TrimLeft(p.src[p.at:p.end], " \t")
	switch {
	case in.kind == paragraph && isUnderline(rest):
		return p.setext(in)
	case isThematicBreak(rest):
		p.add(thematicBreak)
	case p.beginsItem(in, indent, rest):
	case strings.HasPrefix(rest, "#") && isHeading(rest):
		p.skipIndentation()
		p.add(heading)
	case fenceLength(rest) > 0:
		b := p.add(fencedCode)
		b.marker, b.fence, b.indent = rest[0], fenceLength(rest), indent
	case rest[0] == '>' && p.mayNest(in):
		p.quoteSign()
		p.add(quote)
	case rest[0] == '<':
		form := p.htmlForm(in)
		if form < 0 {
			return false
		}
		p.add(html).form = form
	default:
		return false
	}
	return true
}

// add adds a block to the innermost one that the line continues and that can hold it.
func (p *blockParser) add(k kind) *block {
	for !holds(p.open[p.matched-1].kind, k) {
		p.matched--
	}
	p.closeTo(p.matched)
	in := p.open[p.matched-1]
	b := &block{kind: k, parent: in, afterBlank: p.isAfterBlank(in)}
	in.children = append(in.children, b)
	p.open = append(p.open, b)
	p.matched++
	p.began = true
	return b
}

func holds(in, k kind) bool {
	switch in {
	case document, quote, item:
		return k != item
	case list:
		return k == item
	}
	return false
}

// isAfterBlank reports whether the line before is empty in a block. An empty line in a quote is none
// around it.
func (p *blockParser) isAfterBlank(in *block) bool {
	if p.blankIn == nil {
		return false
	}
	for b := p.blankIn; b != nil && b != in; b = b.parent {
		if b.kind == quote {
			return false
		}
	}
	return true
}

// closeTo closes the open blocks after the first n.
func (p *blockParser) closeTo(n int) {
	for ; len(p.open) > n; p.open = p.open[:len(p.open)-1] {
		switch b := p.open[len(p.open)-1]; b.kind {
		case paragraph:
			p.define(b)
		case list:
			b.close()
		}
	}
}

// close marks the paragraphs of a list that no empty line makes loose.
func (b *block) close() {
	for i, item := range b.children {
		loose := i > 0 && item.afterBlank
		for j, child := range item.children {
			loose = loose || j > 0 && child.afterBlank
		}
		if loose {
			return
		}
	}
	for _, item := range b.children {
		for _, child := range item.children {
			child.inTight = child.kind == paragraph
		}
	}
}

// mayNest reports whether a block may hold further blocks.
func (p *blockParser) mayNest(in *block) bool {
	if in.kind == paragraph {
		in = in.parent
	}
	depth := 0
	for ; in != nil; in = in.parent {
		depth++
	}
	return depth <= maxDepth
}

// beginsItem begins an item, and a list if it is not of the list that the line continues.
func (p *blockParser) beginsItem(in *block, indent int, rest string) bool {
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	if digits > 9 || digits >= len(rest) {
		return false
	}
	sign := rest[digits]
	signs := "*+-"
	if digits > 0 {
		signs = ".)"
	}
	if strings.IndexByte(signs, sign) < 0 {
		return false
	}
	after := rest[digits+1:]
	if after != "" && strings.IndexByte(" \t\n", after[0]) < 0 {
		return false
	}
	empty := strings.Trim(after, " \t\n") == ""
	if in.kind == paragraph && (empty || digits > 0 && rest[:digits] != "1") {
		return false
	}
	if same := in.kind == list && in.marker == sign; !same && !p.mayNest(in) {
		return false
	}
	p.skipIndentation()
	p.advance(digits + 1)
	spaces, _ := p.indentation()
	if spaces > 4 || empty {
		spaces = 1
	}
	p.advance(spaces)
	if in.kind != list || in.marker != sign {
		p.add(list).marker = sign
	}
	p.add(item).indent = indent + digits + 1 + spaces
	return true
}

// setext turns a paragraph into the heading that a line of signs makes of it. If the paragraph has only
// link definitions, the line is read like one behind it.
func (p *blockParser) setext(b *block) bool {
	p.closeTo(p.matched - 1)
	if len(b.lines) == 0 {
		p.matched--
		return p.begins()
	}
	b.kind = heading
	return false
}

func isUnderline(rest string) bool {
	rest = strings.TrimRight(rest, " \t\n")
	return rest != "" && (strings.Trim(rest, "=") == "" || strings.Trim(rest, "-") == "")
}

func isThematicBreak(rest string) bool {
	if strings.IndexByte("*-_", rest[0]) < 0 {
		return false
	}
	n := strings.Count(rest, rest[:1])
	return n >= 3 && n == len(strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' {
			return -1
		}
		return r
	}, rest))
}

func isHeading(rest string) bool {
	after := strings.TrimLeft(rest, "#")
	return len(rest)-len(after) <= 6 && (after == "" || strings.IndexByte(" \t\n", after[0]) >= 0)
}

// headingText returns the text in a line of a heading.
func headingText(rest string) string {
	text := strings.Trim(strings.TrimLeft(rest, "#"), " \t\n")
	bare := strings.TrimRight(text, "#")
	if trimmed := strings.TrimRight(bare, " \t"); bare == "" || trimmed != bare {
		return trimmed
	}
	return text
}

// fenceLength returns the length of the fence that begins a line, or 0.
func fenceLength(rest string) int {
	for _, sign := range []string{"`", "~"} {
		info := strings.TrimLeft(rest, sign)
		if n := len(rest) - len(info); n >= 3 && (sign == "~" || !strings.Contains(info, sign)) {
			return n
		}
	}
	return 0
}

// indentation returns the columns of white space at the rest of the line, and whether it has nothing
// else.
func (p *blockParser) indentation() (columns int, blank bool) {
	column := p.column
	for i := p.at; i < p.end; i++ {
		switch p.src[i] {
		case ' ':
			column++
		case '\t':
			column += 4 - column%4
		default:
			return column - p.column, p.src[i] == '\n'
		}
	}
	return column - p.column, true
}

func (p *blockParser) skipIndentation() {
	columns, _ := p.indentation()
	p.advance(columns)
}

// advance goes on by n columns.
func (p *blockParser) advance(n int) {
	for ; n > 0 && p.at < p.end && p.src[p.at] != '\n'; n-- {
		tab := p.src[p.at] == '\t'
		p.column++
		if p.inTab = tab && p.column%4 != 0; !p.inTab {
			p.at++
		}
	}
}

// quoteSign goes past the sign of a quote.
func (p *blockParser) quoteSign() bool {
	rest := strings.TrimLeft(p.src[p.at:p.end], " \t")
	if !strings.HasPrefix(rest, ">") {
		return false
	}
	p.skipIndentation()
	p.advance(1)
	if columns, _ := p.indentation(); columns > 0 {
		p.advance(1)
	}
	return true
}

// rest returns the rest of the line. What is left of a tab becomes spaces.
func (p *blockParser) rest() string {
	if !p.inTab {
		return p.src[p.at:p.end]
	}
	return strings.Repeat(" ", 4-p.column%4) + p.src[p.at+1:p.end]
}
