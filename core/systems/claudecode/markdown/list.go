package markdown

import (
	"regexp"
	"strings"
	"unicode/utf16"

	"winnow/core/jstext"
)

var quoteMarker = pattern(`^ {0,3}>[ \t]?`)

// isQuote reports whether a line begins with the marker of a quote.
func isQuote(line string) bool {
	rest, ok := indented(line, 3)
	return ok && strings.HasPrefix(rest, ">")
}

// quoteEnd returns how long the quote is that a text begins with, lines that go on with a
// paragraph included.
func quoteEnd(src string) int {
	at := 0
	for at < len(src) && isQuote(src[at:]) {
		at += strings.IndexByte(src[at:], '>') + 1
		if at < len(src) && src[at] == ' ' {
			at++
		}
		if at < len(src) && src[at] != '\n' {
			at += paragraphEnd(src[at:])
		}
		if at < len(src) {
			at++
		}
	}
	return at
}

// quote returns the quote that a text begins with.
func (l *lexer) quote(src string) (block, bool) {
	if !isQuote(src) {
		return block{}, false
	}
	lines := strings.Split(strings.TrimRight(src[:quoteEnd(src)], "\n"), "\n")
	b := block{kind: quote}
	for len(lines) > 0 {
		n := quoted(lines)
		text := unquoted(lines[:n])
		b.raw, b.text = joined(b.raw, strings.Join(lines[:n], "\n")), joined(b.text, text)
		lines = lines[n:]
		top := l.top
		l.top = true
		b.blocks = l.blocks(text, b.blocks, true)
		l.top = top
		if len(lines) == 0 || len(b.blocks) == 0 {
			continue
		}
		last := &b.blocks[len(b.blocks)-1]
		if last.kind == code {
			break
		}
		if last.kind != quote && last.kind != list {
			continue
		}
		old, more := *last, last.raw+"\n"+strings.Join(lines, "\n")
		if old.kind == quote {
			*last, _ = l.quote(more)
			b.raw = cutEnd(b.raw, len(old.raw)) + last.raw
			b.text = cutEnd(b.text, len(old.text)) + last.text
			break
		}
		again, ok := l.list(more)
		if !ok {
			break
		}
		*last = again
		b.raw = cutEnd(b.raw, len(old.raw)) + again.raw
		b.text = cutEnd(b.text, len(old.raw)) + again.raw
		lines = strings.Split(more[min(len(again.raw), len(more)):], "\n")
	}
	return b, true
}

func joined(before, after string) string {
	if before == "" {
		return after
	}
	return before + "\n" + after
}

func cutEnd(s string, n int) string { return s[:max(0, len(s)-n)] }

// quoted returns how many lines there are up to the one where a quote is gone on with
// without its marker.
func quoted(lines []string) int {
	in := false
	for i, line := range lines {
		if isQuote(line) {
			in = true
		} else if in {
			return i
		}
	}
	return len(lines)
}

// unquoted returns lines without the markers. What would underline a heading no longer
// does when it has none.
func unquoted(lines []string) string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if rest, ok := indented(line, 3); ok && i > 0 {
			if bare := strings.TrimRight(rest, " "); bare != "" && (strings.Trim(bare, "=") == "" || strings.Trim(bare, "-") == "") {
				line = "    " + rest
			}
		}
		out[i] = line[len(quoteMarker().FindString(line)):]
	}
	return strings.Join(out, "\n")
}

var (
	bullets = pattern(`^( {0,3}(?:[*+-]|\d{1,9}[.)]))(?:[ \t][^\n]+)?(?:\n|$)`)
	bullet  = pattern(`^( *)(?:[*+-]|\d{1,9}[.)])(?:[ \t]|$)`)
	openers = pattern("(?i)^( *)(?:```|~~~|#|>|<(?:[a-z].*>|!--))")
)

// alike are the expressions for an item of the same list, by the last sign of its bullet.
var alike = func() map[byte]func() *regexp.Regexp {
	out := map[byte]func() *regexp.Regexp{}
	for _, sign := range [...]string{`\*`, `\+`, `-`, `\d{1,9}\.`, `\d{1,9}\)`} {
		out[sign[len(sign)-1]] = pattern(`^( {0,3}` + sign + `)([\t ][^\n]*)?(?:\n|$)`)
	}
	return out
}()

// begins reports whether an expression matches a line with at most so many spaces.
func begins(re *regexp.Regexp, line string, most int) bool {
	m := re.FindStringSubmatch(line)
	return m != nil && len(m[1]) <= most
}

// items gathers the items of a list.
type items struct {
	src       string // that is left
	raw       string
	texts     []string
	loose     bool
	blankLast bool
}

// list returns the list that a text begins with.
func (l *lexer) list(src string) (block, bool) {
	m := bullets().FindStringSubmatch(src)
	if m == nil {
		return block{}, false
	}
	sign := jstext.Trim(m[1])
	is, re := items{src: src}, alike[sign[len(sign)-1]]()
	for is.src != "" && is.take(re) {
	}
	if len(is.texts) == 0 {
		return block{}, false
	}
	b := block{kind: list, raw: trimRight(is.raw)}
	last := len(is.texts) - 1
	is.texts[last] = trimRight(is.texts[last])
	for _, t := range is.texts {
		l.top = false
		it := block{kind: item, blocks: l.blocks(t, nil, false)}
		for _, in := range it.blocks {
			is.loose = is.loose || in.kind == space && strings.Count(in.raw, "\n") > 1
		}
		b.blocks = append(b.blocks, it)
	}
	if is.loose {
		for _, it := range b.blocks {
			for i := range it.blocks {
				if it.blocks[i].kind == text {
					it.blocks[i].kind = paragraph
				}
			}
		}
	}
	return b, true
}

// take takes the next item, and reports whether there was one.
func (is *items) take(re *regexp.Regexp) bool {
	m := re.FindStringSubmatch(is.src)
	first, _ := cutLine(is.src)
	if m == nil || isRule(first, 3, " \t") {
		return false
	}
	is.src = is.src[len(m[0]):]
	raw, line := m[0], expanded(m[2], len(m[1]))
	blank := jstext.Trim(line) == ""
	indent, text := len(m[1])+1, ""
	if !blank {
		n := len(line) - len(strings.TrimLeft(line, " "))
		if n > 4 {
			n = 1
		}
		text, indent = line[n:], len(m[1])+n
	}
	if next, _ := cutLine(is.src); blank && strings.Trim(next, " \t") == "" {
		raw += next + "\n"
		is.src = is.src[min(len(is.src), len(next)+1):]
	} else {
		more, body := is.rest(line, blank, indent)
		raw += more
		text += body
	}
	is.loose = is.loose || is.blankLast
	if !is.loose && endsBlank(raw) {
		is.blankLast = true
	}
	is.raw += raw
	is.texts = append(is.texts, text)
	return true
}

// rest takes the lines that belong to an item behind its first.
func (is *items) rest(line string, blank bool, indent int) (raw, text string) {
	most := min(3, indent-1)
	var raws, texts strings.Builder
	for is.src != "" {
		next, rest := cutLine(is.src)
		spaced := strings.ReplaceAll(next, "\t", "    ")
		if begins(openers(), next, most) || begins(bullet(), next, most) || isRule(next, most, " ") {
			break
		}
		texts.WriteByte('\n')
		if in := len(spaced) - len(strings.TrimLeft(spaced, " ")); in >= indent && in < len(spaced) || jstext.Trim(next) == "" {
			texts.WriteString(cutUnits(spaced, indent))
		} else {
			if blank || goesNotOn(line, most) {
				s := texts.String()
				return raws.String(), s[:len(s)-1]
			}
			texts.WriteString(next)
		}
		blank = jstext.Trim(next) == ""
		raws.WriteString(next + "\n")
		is.src = rest
		line = cutUnits(spaced, indent)
	}
	return raws.String(), texts.String()
}

var blocksBegin = pattern("^( *)(?:```|~~~|#)")

// goesNotOn reports whether a line is of a block that no line without indentation goes on
// with.
func goesNotOn(line string, most int) bool {
	spaced := strings.ReplaceAll(line, "\t", "    ")
	in := len(spaced) - len(strings.TrimLeft(spaced, " "))
	return in >= 4 && in < len(spaced) || begins(blocksBegin(), line, most) || isRule(line, most, " ")
}

// endsBlank reports whether an item ends in a blank line.
func endsBlank(raw string) bool {
	rest, ended := strings.CutSuffix(strings.TrimRight(raw, " \t"), "\n")
	return ended && strings.HasSuffix(strings.TrimRight(rest, " \t"), "\n")
}

// expanded returns a line with its tabs as spaces, where it begins in a column.
func expanded(line string, column int) string {
	if !strings.Contains(line, "\t") {
		return line
	}
	var out strings.Builder
	for _, r := range line {
		if r != '\t' {
			out.WriteRune(r)
			column++
			continue
		}
		n := 4 - column%4
		out.WriteString(strings.Repeat(" ", n))
		column += n
	}
	return out.String()
}

// cutUnits returns a text without so many UTF-16 units.
func cutUnits(s string, n int) string {
	for i, r := range s {
		if n <= 0 {
			return s[i:]
		}
		n -= max(1, utf16.RuneLen(r))
	}
	return ""
}

func trimRight(s string) string {
	t := jstext.Trim("x" + s)
	return t[1:]
}

func trimLeft(s string) string {
	t := jstext.Trim(s + "x")
	return t[:len(t)-1]
}
