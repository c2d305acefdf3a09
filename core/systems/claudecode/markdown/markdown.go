// Package markdown finds what Claude Code looks for in the Markdown of instruction files: HTML
// comments that are blocks of their own, and runs of plain text. Claude Code uses marked 17
// (https://marked.js.org) without GFM. Goldmark agrees with it except for HTML blocks, so this
// package reads those itself.
package markdown

import (
	"bytes"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"winnow/core/jstext"
)

// Limits that the original does not have. Anything beyond them is treated as plain text, so that no
// file takes long.
const (
	maxDepth  = 60       // nested blocks
	maxInline = 64 << 10 // bytes of one paragraph
	maxEffort = 8 << 20
)

// parse returns the tree of a document.
func parse(src []byte) ast.Node {
	blocks := parser.DefaultBlockParsers()
	for i := range blocks {
		switch p, _ := blocks[i].Value.(parser.BlockParser); p {
		case parser.NewHTMLBlockParser():
			blocks[i].Value = htmlParser{p}
		case parser.NewBlockquoteParser(), parser.NewListParser():
			blocks[i].Value = shallow{p}
		}
	}
	inlines, spent := parser.DefaultInlineParsers(), &effort{left: maxEffort}
	for i := range inlines {
		if p, is := inlines[i].Value.(parser.InlineParser); is {
			inlines[i].Value = limited{p, spent}
		}
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...), parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	).Parse(text.NewReader(src))
}

// shallow wraps a parser of blocks that contain other blocks, and limits their nesting.
type shallow struct{ parser.BlockParser }

// Open implements [parser.BlockParser].
func (s shallow) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	depth := 0
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	if depth > maxDepth {
		return nil, parser.NoChildren
	}
	return s.BlockParser.Open(parent, r, pc)
}

// effort is the total that all inline parsers of a document may spend. A sign costs as much as the
// number of signs before it in its paragraph, since it can be compared with each of them.
type effort struct {
	left  int
	block ast.Node
	signs int // in the block
}

// limited is an inline parser that finds nothing once the effort is used up.
type limited struct {
	parser.InlineParser
	spent *effort
}

// Parse implements [parser.InlineParser].
func (l limited) Parse(block ast.Node, r text.Reader, pc parser.Context) ast.Node {
	e := l.spent
	if e.block != block {
		e.block, e.signs = block, 0
	}
	e.signs++
	lines := block.Lines()
	length := lines.At(lines.Len()-1).Stop - lines.At(0).Start
	if e.left -= e.signs + length/16; e.left < 0 || length > maxInline {
		return nil
	}
	return l.InlineParser.Parse(block, r, pc)
}

// CloseBlock implements [parser.CloseBlocker].
func (l limited) CloseBlock(block ast.Node, r text.Reader, pc parser.Context) {
	if c, is := l.InlineParser.(parser.CloseBlocker); is {
		c.CloseBlock(block, r, pc)
	}
}

var comments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!--[\s\S]*?-->`) })

// withoutComments returns an HTML block without its comments, and whether it can contain any. The
// result is empty if only white space is left.
func withoutComments(block *ast.HTMLBlock, raw string) (string, bool) {
	if block.HTMLBlockType != comment || !strings.Contains(raw, "-->") {
		return "", false
	}
	rest := comments().ReplaceAllString(raw, "")
	if jstext.Trim(rest) == "" {
		rest = ""
	}
	return rest, true
}

// Uncommented returns a text without the HTML comments that are blocks of their own, and whether
// there were any. If there were, its line ends become LF. As in the original, a repeated link
// definition is lost with them.
func Uncommented(text string) (string, bool) {
	if !strings.Contains(text, "<!--") {
		return text, false
	}
	src := []byte(newlines(text))
	var out strings.Builder
	at, removed := 0, false
	defined := map[string]bool{}
	_ = ast.Walk(parse(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) { // only the callback returns errors
		if n.Type() == ast.TypeInline || !entering {
			return ast.WalkSkipChildren, nil
		}
		rest, cuts := "", false
		begin, end := extent(n, src)
		switch n := n.(type) {
		case *ast.HTMLBlock:
			rest, cuts = withoutComments(n, string(src[begin:end]))
		case *ast.LinkReferenceDefinition:
			label := util.ToLinkReference(n.Label)
			cuts, defined[label] = defined[label], true
		}
		if cuts && n.Parent().Kind() == ast.KindDocument {
			removed = removed || n.Kind() == ast.KindHTMLBlock
			out.Write(src[at:begin])
			out.WriteString(rest)
			at = end
		}
		return ast.WalkContinue, nil
	})
	if !removed {
		return text, false
	}
	out.Write(src[at:])
	return out.String(), true
}

// extent returns where the lines of a block begin, and where the empty lines after it end.
func extent(n ast.Node, src []byte) (begin, end int) {
	lines := n.Lines()
	if lines == nil || lines.Len() == 0 {
		return 0, 0
	}
	begin, end = bytes.LastIndexByte(src[:lines.At(0).Start], '\n')+1, lines.At(lines.Len()-1).Stop
	for end < len(src) && src[end] == '\n' {
		end++
	}
	return begin, end
}

// Texts calls fn with each run of plain text in a document, in order: everything but code, HTML,
// images and link addresses. It may skip a document that does not contain sign.
func Texts(text, sign string, fn func(text string)) {
	if !strings.Contains(text, sign) {
		return
	}
	src := []byte(newlines(text))
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			fn(run.String())
			run.Reset()
		}
	}
	_ = ast.Walk(parse(src), func(n ast.Node, entering bool) (ast.WalkStatus, error) { // only the callback returns errors
		t, is := n.(*ast.Text)
		if !is {
			flush()
		}
		switch n := n.(type) {
		case *ast.HTMLBlock:
			if rest, _ := withoutComments(n, string(n.Lines().Value(src))); entering && rest != "" {
				fn(rest)
			}
		case *ast.TextBlock: // in a tight list: it counts as a whole, including code
			if entering {
				fn(string(n.Lines().Value(src)))
			}
		case *ast.CodeSpan, *ast.Image, *ast.RawHTML, *ast.AutoLink:
			return ast.WalkSkipChildren, nil
		}
		if is && entering {
			for i, piece := range escapes().Split(string(t.Segment.Value(src)), -1) {
				if i > 0 {
					flush()
				}
				run.WriteString(piece)
			}
			if t.HardLineBreak() {
				flush()
			} else if t.SoftLineBreak() {
				run.WriteByte('\n')
			}
		}
		return ast.WalkContinue, nil
	})
}

var escapes = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\[!-/:-@\[-` + "`" + `{-~]`) })

func newlines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
