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
	MostStatements = 2000    // of prose, and as many lines of fenced code
	mostStatement  = 600     // bytes; a longer one is prose that no other record repeats
)

// Statement is a sentence, a bullet or a line of code of a text.
type Statement struct {
	Text string
	Line int  // the line on which it begins, from 1
	Code bool // it is a line of fenced code
}

// Statements returns what a text says: at most [MostStatements] sentences and bullets, each of at most 600 bytes, and
// as many lines of fenced code. It skips headings, tables, comments, imports and frontmatter, except for its
// description.
func Statements(text string) (all []Statement) {
	lines := 0
	p := parser{each: func(s Statement) { all = append(all, s) }}
	p.code = func(s Statement) {
		if lines++; lines <= MostStatements {
			all = append(all, s)
		}
	}
	p.read(text)
	return all
}

// statements calls each for every sentence and bullet of a text.
func statements(text string, each func(s string)) {
	p := parser{each: func(s Statement) { each(s.Text) }}
	p.read(text)
}

func (p *parser) read(text string) {
	text = text[:min(len(text), mostText)]
	text = strings.TrimPrefix(text, "\ufeff")
	if rest, found := strings.CutPrefix(text, "---\n"); found {
		if front, after, closed := strings.Cut(rest, "\n---"); closed && len(front) < 64<<10 {
			p.number = 1
			p.frontMatter(front)
			p.number = 1 + strings.Count(front, "\n") + 1
			text = after
		}
	}
	for line := range strings.Lines(text) {
		if p.n >= MostStatements {
			break
		}
		p.number++
		p.line(strings.TrimRight(line, " \t\r\n"))
	}
	p.flush()
}

// denies reports whether a word in lower case denies what is around it, as "never" does, in one of six languages.
func denies(word string) bool {
	return deniers()[signs.Replace(word)]
}

// signs removes characters from words.
var signs = strings.NewReplacer("'", "", "’", "", "*", "")

var deniers = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(deniersInEnglish + " " + deniersElsewhere) {
		all[w] = true
	}
	return all
})

// deniersInEnglish are the words that negate what follows.
const deniersInEnglish = `not never dont doesnt didnt isnt arent wasnt cant cannot wont shouldnt mustnt neednt no
 without avoid avoids neither nor nothing refrain forbid forbids forbidden disallow disallowed prohibit prohibited`

// deniersElsewhere are words that deny in German, French, Spanish, Portuguese and Russian.
const deniersElsewhere = `nicht nie niemals kein keine keinen keiner keinem ne pas jamais aucun aucune nunca jamás
 ningún ninguna não nem не никогда нельзя без`

// parser joins the lines of a paragraph or bullet.
type parser struct {
	each    func(Statement)
	code    func(Statement) // for lines of fenced code; nil for none
	n       int
	number  int // of the line
	part    strings.Builder
	begins  []beginning // of the lines in part
	fence   string
	comment bool
}

// beginning is where a line begins in a paragraph.
type beginning struct{ at, line int }

func (p *parser) frontMatter(front string) {
	for line := range strings.Lines(front) {
		p.number++
		if d, is := strings.CutPrefix(line, "description:"); is {
			p.emit(strings.Trim(strings.TrimSpace(d), `"'`), p.number)
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
		p.fenced(line, trimmed)
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
	if isImport(body) { // what it imports is said where it stands
		p.flush()
		return
	}
	if p.part.Len() > 0 {
		p.part.WriteByte(' ')
	}
	if p.part.Len() < 64<<10 {
		p.begins = append(p.begins, beginning{p.part.Len(), p.number})
		p.part.WriteString(body)
	}
}

// fenced takes a line of fenced code, or the one that ends it.
func (p *parser) fenced(line, trimmed string) {
	if strings.HasPrefix(trimmed, p.fence) {
		p.fence = ""
		return
	}
	if s := strings.TrimSpace(line); p.code != nil && s != "" && len(s) <= mostStatement && utf8.ValidString(s) {
		p.code(Statement{Text: s, Line: p.number, Code: true})
	}
}

// isImport reports whether a line only names a file to read in its place: @docs/rules.md.
func isImport(line string) bool {
	path, marked := strings.CutPrefix(line, "@")
	return marked && path != "" && !strings.ContainsAny(path, " \t")
}

var listMark = sync.OnceValue(
	func() *regexp.Regexp { return regexp.MustCompile(`^(?:[-*+•]+ +(?:\[[ xX]\] )?|[0-9]{1,4}[.)] )`) },
)

// withoutMarker returns a line without its list marker, and whether it had one.
func withoutMarker(line string) (string, bool) {
	mark := listMark().FindString(line)
	return strings.TrimSpace(line[len(mark):]), mark != ""
}

func (p *parser) flush() {
	text := p.part.String()
	begins := p.begins
	p.part.Reset()
	p.begins = nil
	emit := func(start, end int) {
		for len(begins) > 1 && begins[1].at <= start+1 { // a space may come first
			begins = begins[1:]
		}
		if len(begins) > 0 {
			p.emit(text[start:end], begins[0].line)
		}
	}
	start := 0
	inSpan := false
	for i := 0; i < len(text); i++ {
		if text[i] == '`' {
			inSpan = !inSpan && strings.IndexByte(text[i+1:], '`') >= 0
		}
		if c := text[i]; !inSpan && (c == '.' || c == '!' || c == '?' || c == ';') && endsSentence(text, start, i) {
			emit(start, i+1)
			start = i + 1
		}
	}
	emit(start, len(text))
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

func (p *parser) emit(s string, line int) {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > mostStatement || p.n >= MostStatements || !utf8.ValidString(s) {
		return
	}
	p.n++
	p.each(Statement{Text: s, Line: line})
}
