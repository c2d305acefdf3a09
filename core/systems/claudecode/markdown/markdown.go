// Package markdown finds what Claude Code looks for in the Markdown of instruction files: HTML
// comments that are blocks of their own, and runs of plain text. Claude Code uses marked 17
// (https://marked.js.org) without GFM, which reads CommonMark except for HTML blocks. A library for
// CommonMark would cost every start of the program a millisecond, for tables of what is not needed.
package markdown

import (
	"regexp"
	"strings"
	"sync"

	"winnow/core/jstext"
)

// Limits that the original does not have. Anything beyond them is treated as plain text, so that no
// file takes long.
const (
	maxDepth  = 60       // nested blocks
	maxInline = 64 << 10 // bytes of one paragraph
	maxEffort = 8 << 20
)

var comments = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<!--[\s\S]*?-->`) })

// withoutComments returns an HTML block without its comments, and whether it can contain any. The
// result is empty if only white space is left.
func withoutComments(b *block, raw string) (string, bool) {
	if b.form != comment || !strings.Contains(raw, "-->") {
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
	src := newlines(text)
	var out strings.Builder
	at, removed := 0, false
	defined := map[string]bool{}
	doc, _ := parse(src)
	doc.walk(func(b *block) {
		rest, cuts := "", false
		switch b.kind {
		case html:
			begin, end := b.extent(src)
			rest, cuts = withoutComments(b, src[begin:end])
		case definition:
			cuts, defined[b.label] = defined[b.label], true
		}
		if cuts && b.parent == doc {
			begin, end := b.extent(src)
			removed = removed || b.kind == html
			out.WriteString(src[at:begin])
			out.WriteString(rest)
			at = end
		}
	})
	if !removed {
		return text, false
	}
	return out.String() + src[at:], true
}

// walk calls fn with the blocks in a block, in order.
func (b *block) walk(fn func(*block)) {
	for _, child := range b.children {
		fn(child)
		child.walk(fn)
	}
}

// extent returns where the lines of a block begin, and where the empty lines after it end.
func (b *block) extent(src string) (begin, end int) {
	last := b.lines[len(b.lines)-1]
	if end = last.end; b.kind == definition {
		end = last.start + len(strings.TrimRight(src[last.start:last.end], " \t\n"))
	}
	for end < len(src) && src[end] == '\n' {
		end++
	}
	return b.lines[0].start, end
}

// Texts calls fn with each run of plain text in a document, in order: everything but code, HTML,
// images and link addresses. It may skip a document that does not contain sign.
func Texts(text, sign string, fn func(text string)) {
	if !strings.Contains(text, sign) {
		return
	}
	doc, labels := parse(newlines(text))
	effort := maxEffort
	doc.walk(func(b *block) {
		switch b.kind {
		case html:
			if rest, _ := withoutComments(b, b.raw()); rest != "" {
				fn(rest)
			}
		case paragraph, heading:
			text := b.text()
			if b.inTight { // it counts as a whole, including code
				fn(text)
			}
			runs(inlines(text, labels, &effort), fn)
		}
	})
}

// runs calls fn with each run of text in the pieces of a block.
func runs(pieces []piece, fn func(text string)) {
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			fn(run.String())
			run.Reset()
		}
	}
	for _, p := range pieces {
		if p.before {
			flush()
		}
		run.WriteString(p.text)
		if p.cut {
			flush()
		}
	}
	flush()
}

func newlines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
