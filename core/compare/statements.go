package compare

import (
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// The limits of reading a record.
const (
	mostText       = 4 << 20 // bytes
	mostStatements = 2000
	mostStatement  = 600 // bytes; a longer one is prose that no other record repeats
)

// statements splits a text into sentences and bullets, and calls each for every one. It skips headings,
// tables, fenced code, comments and frontmatter, except for its description.
func statements(text string, each func(s string)) {
	text = text[:min(len(text), mostText)]
	text = strings.TrimPrefix(text, "\ufeff")
	p := parser{each: each}
	if rest, found := strings.CutPrefix(text, "---\n"); found {
		if front, after, closed := strings.Cut(rest, "\n---"); closed && len(front) < 64<<10 {
			p.frontMatter(front)
			text = after
		}
	}
	for line := range strings.Lines(text) {
		if p.n >= mostStatements {
			break
		}
		p.line(strings.TrimRight(line, " \t\r\n"))
	}
	p.flush()
}

// parser joins the lines of a paragraph or bullet.
type parser struct {
	each    func(string)
	n       int
	part    strings.Builder
	fence   string
	comment bool
}

func (p *parser) frontMatter(front string) {
	for line := range strings.Lines(front) {
		if d, is := strings.CutPrefix(line, "description:"); is {
			p.emit(strings.Trim(strings.TrimSpace(d), `"'`))
		}
	}
}

func (p *parser) line(line string) {
	trimmed := strings.TrimLeft(line, " \t>")
	if p.comment || strings.HasPrefix(trimmed, "<!--") {
		p.comment = !strings.Contains(trimmed, "-->")
		return
	}
	if p.fence != "" {
		if strings.HasPrefix(trimmed, p.fence) {
			p.fence = ""
		}
		return
	}
	for _, f := range []string{"```", "~~~"} {
		if strings.HasPrefix(trimmed, f) {
			p.flush()
			p.fence = f
			return
		}
	}
	if trimmed == "" || trimmed[0] == '#' || trimmed[0] == '|' || strings.Trim(trimmed, "-=*_ ") == "" {
		p.flush()
		return
	}
	body, is := withoutMarker(trimmed)
	if is {
		p.flush()
	}
	if p.part.Len() > 0 {
		p.part.WriteByte(' ')
	}
	if p.part.Len() < 64<<10 {
		p.part.WriteString(body)
	}
}

var listMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+•]+ +(?:\[[ xX]\] )?|[0-9]{1,4}[.)] )`) })

// withoutMarker returns a line without its list marker, and whether it had one.
func withoutMarker(line string) (string, bool) {
	mark := listMark().FindString(line)
	return strings.TrimSpace(line[len(mark):]), mark != ""
}

func (p *parser) flush() {
	text := p.part.String()
	p.part.Reset()
	start := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; (c == '.' || c == '!' || c == '?' || c == ';') && endsSentence(text, start, i) {
			p.emit(text[start : i+1])
			start = i + 1
		}
	}
	p.emit(text[start:])
}

// endsSentence reports whether the punctuation mark at i ends a sentence that begins at start.
func endsSentence(text string, start, i int) bool {
	if i+1 < len(text) && text[i+1] != ' ' && text[i+1] != '"' && text[i+1] != ')' {
		return false
	}
	if text[i] != '.' {
		return true
	}
	word := text[max(start, i-8):i]
	word = strings.ToLower(word[strings.LastIndexByte(word, ' ')+1:])
	switch strings.TrimLeft(word, "(") {
	case "e.g", "i.e", "etc", "vs", "cf", "approx", "no", "incl":
		return false
	}
	return true
}

func (p *parser) emit(s string) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > mostStatement || p.n >= mostStatements || !utf8.ValidString(s) {
		return
	}
	p.n++
	p.each(s)
}
