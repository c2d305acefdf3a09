package markdown

import (
	"bytes"
	"regexp"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
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
	comment  ast.HTMLBlockType = 0
	otherTag ast.HTMLBlockType = 9
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
	rawTag = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^</?(?:script|pre|style|textarea)`) })
)

// htmlParser reads blocks of HTML.
type htmlParser struct{ parser.BlockParser }

// Open implements [parser.BlockParser]. Only HTML without indentation interrupts a paragraph. The
// paragraph of a list item that the line is not in does not matter.
func (htmlParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, segment := r.PeekLine()
	if last := pc.LastOpenedBlock().Node; ast.IsParagraph(last) && !interrupts().Match(line) {
		if item := last.Parent(); item.Kind() != ast.KindListItem || item == parent {
			return nil, parser.NoChildren
		}
	}
	bare := bytes.TrimLeft(line, " ")
	for i, f := range htmlForms() {
		kind := ast.HTMLBlockType(i)
		if f.begin.Match(bare) && (kind != otherTag || !rawTag().Match(bare)) {
			node := ast.NewHTMLBlock(kind)
			node.Lines().Append(segment)
			r.AdvanceToEOL()
			return node, parser.NoChildren
		}
	}
	return nil, parser.NoChildren
}

// Continue implements [parser.BlockParser].
func (htmlParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, segment := r.PeekLine()
	block, lines := node.(*ast.HTMLBlock), node.Lines()
	form := htmlForms()[block.HTMLBlockType]
	if block.HTMLBlockType < otherTag-1 {
		last := lines.At(lines.Len() - 1)
		line = last.Value(r.Source())
		if lines.Len() == 1 && block.HTMLBlockType != comment {
			line = bytes.TrimLeft(line, " ")
			line = line[len(form.begin.Find(line)):]
		}
	}
	if form.end.Match(line) {
		return parser.Close
	}
	lines.Append(segment)
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}
