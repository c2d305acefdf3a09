package markdown

import (
	"regexp"
	"strings"
	"sync"
)

const (
	blockTags = `address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption` +
		`|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option` +
		`|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul`
	blockTag = `</?(?:` + blockTags + `)(?: +|\n|/?>)`
	space    = `\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}` // JavaScript's white space
	anyTag   = `<[a-z][\w-]*(?: +[a-z:_][\w.:-]*(?: *= *"[^"\n]*"| *= *'[^'\n]*'| *= *[^` + space + "\"'=<>`]+)?)*? */?>[ \\t]*(?:\\n|$)" +
		`|</[a-z][\w-]*[` + space + `]*>[ \t]*(?:\n|$)`
)

// The kinds of blocks of HTML that count here, by their places in htmlForms.
const (
	comment  = 0
	otherTag = 9
)

// htmlForm is how a kind of block begins and ends: at a blank line where there is no end.
type htmlForm struct{ begin, end *regexp.Regexp }

var htmlForms = sync.OnceValue(func() (forms []htmlForm) {
	for _, f := range [...][2]string{
		comment: {`<!--`, `-->`}, {`<\?`, `\?>`}, {`<![a-z]`, `>`}, {`<!\[CDATA\[`, `\]\]>`},
		{`<script[` + space + `>]`, `</script>`}, {`<pre[` + space + `>]`, `</pre>`},
		{`<style[` + space + `>]`, `</style>`}, {`<textarea[` + space + `>]`, `</textarea>`},
		{blockTag, `^[ \t]*\n?$`}, otherTag: {anyTag, `^[ \t]*\n?$`},
	} {
		forms = append(forms, htmlForm{regexp.MustCompile(`(?i)^(?:` + f[0] + `)`), regexp.MustCompile(`(?i)` + f[1])})
	}
	return forms
})

var (
	interrupts = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(?:` + blockTag + `|<(?:script|pre|style|textarea|!--))`)
	})
	rawTag = sync.OnceValue(
		func() *regexp.Regexp { return regexp.MustCompile(`(?i)^</?(?:script|pre|style|textarea)`) },
	)
)

// htmlForm returns the kind of the block of HTML that begins at the rest of the line, or -1. Only HTML
// without indentation interrupts a paragraph. The paragraph of a list item that the line is not in
// does not matter.
func (p *blockParser) htmlForm(in *block) int {
	rest := p.rest()
	if in.kind == paragraph {
		in = in.parent
	}
	if last := p.open[len(p.open)-1]; last.kind == paragraph && !interrupts().MatchString(rest) {
		if last.parent.kind != item || last.parent == in {
			return -1
		}
	}
	bare := strings.TrimLeft(rest, " ")
	for i, f := range htmlForms() {
		if f.begin.MatchString(bare) && (i != otherTag || !rawTag().MatchString(bare)) {
			return i
		}
	}
	return -1
}

// endsHTML reports whether a block of HTML is complete before a line, the next one.
func endsHTML(b *block, line string) bool {
	form := htmlForms()[b.form]
	if b.form < otherTag-1 {
		line = b.lines[len(b.lines)-1].text
		if len(b.lines) == 1 && b.form != comment {
			line = strings.TrimLeft(line, " ")
			line = line[len(form.begin.FindString(line)):]
		}
	}
	return form.end.MatchString(line)
}
