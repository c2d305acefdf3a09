// Package markdown reads Markdown as Claude Code reads its instruction files: with the
// rules of marked 17 (https://marked.js.org, MIT licence) without GFM, oddities included.
// Only what decides about comments and imports is kept: where blocks begin and end, and
// which runs of characters are plain text.
package markdown

import (
	"regexp"
	"strings"
	"sync"
)

// Limits that the original does not have. What lies beyond is read as plain text, so
// that no file takes long.
const (
	maxDepth  = 40       // blocks in each other
	maxInline = 64 << 10 // bytes of one paragraph
	maxEffort = 2 << 20  // bytes that are looked at to pair brackets, tags and emphasis
)

var comments = pattern(`<!--[\s\S]*?-->`)

// pattern compiles an expression when it is first used. In it, {sp} is what JavaScript
// calls white space, for use in brackets.
func pattern(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(expression, "{sp}", `\s\x0b\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`))
	})
}

// Uncommented returns a text without the HTML comments that are blocks of their own, and
// whether there were any. Only then do its line ends become LF.
func Uncommented(text string) (string, bool) {
	if !strings.Contains(text, "<!--") {
		return text, false
	}
	var out strings.Builder
	removed := false
	for _, b := range newLexer().blocks(newlines(text), nil, false) {
		if rest, is := afterComments(&b); is {
			removed = true
			out.WriteString(rest)
			continue
		}
		out.WriteString(b.raw)
	}
	if !removed {
		return text, false
	}
	return out.String(), true
}

// afterComments returns what a block of HTML that begins with a comment has besides
// comments; nothing for what is only space.
func afterComments(b *block) (string, bool) {
	if b.kind != html || !strings.HasPrefix(trimLeft(b.raw), "<!--") || !strings.Contains(b.raw, "-->") {
		return "", false
	}
	rest := comments().ReplaceAllString(b.raw, "")
	if trimLeft(rest) == "" {
		return "", true
	}
	return rest, true
}

// Texts calls fn with each run of plain text in a document, in order: what is no code,
// no HTML, no image and no address of a link. Runs of a paragraph without a sign may be
// left out.
func Texts(text, sign string, fn func(text string)) {
	if !strings.Contains(text, sign) {
		return
	}
	l := newLexer()
	l.sign = sign
	walk(l, l.blocks(newlines(text), nil, false), fn)
}

func walk(l *lexer, all []block, fn func(text string)) {
	for i := range all {
		b := &all[i]
		switch b.kind {
		case html:
			if rest, is := afterComments(b); is && rest != "" {
				fn(rest)
			}
		case text:
			fn(b.text)
			l.inline(b.text, 0, fn)
		case paragraph, heading:
			l.inline(b.text, 0, fn)
		case quote, list, item:
			walk(l, b.blocks, fn)
		}
	}
}

func newlines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
