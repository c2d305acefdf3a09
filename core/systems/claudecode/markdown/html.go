package markdown

import (
	"regexp"
	"strings"
)

const blockTags = `address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption` +
	`|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|meta|nav|noframes|ol|optgroup|option` +
	`|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul`

var (
	rawTag     = pattern(`(?i)^<(script|pre|style|textarea)[{sp}>]`)
	blockTag   = pattern(`(?i)^</?(?:` + blockTags + `)(?: +|\n|/?>)`)
	openTag    = pattern(`(?i)^<[a-z][\w-]*(?: +[a-z:_][\w.:-]*(?: *= *"[^"\n]*"| *= *'[^'\n]*'| *= *[^{sp}"'=<>` + "`" + `]+)?)*? */?>[ \t]*(?:\n|$)`)
	closeTag   = pattern(`(?i)^</[a-z][\w-]*[{sp}]*>[ \t]*(?:\n|$)`)
	notInline  = pattern(`(?i)^</?(?:script|pre|style|textarea)`)
	blankLines = pattern(`(?:\n[ \t]*)+\n`)
	letterTag  = pattern(`(?i)^<![a-z]`)
	rawEnds    = map[string]func() *regexp.Regexp{
		"script": pattern(`(?i)</script>[^\n]*\n+`), "pre": pattern(`(?i)</pre>[^\n]*\n+`),
		"style": pattern(`(?i)</style>[^\n]*\n+`), "textarea": pattern(`(?i)</textarea>[^\n]*\n+`),
	}
)

// htmlEnd returns how long the block of HTML is that a text begins with.
func htmlEnd(src string) int {
	rest, ok := indented(src, 3)
	if !ok || !strings.HasPrefix(rest, "<") {
		return 0
	}
	from := len(src) - len(rest)
	until := func(i, length int) int {
		if i < 0 {
			return len(src)
		}
		return newlinesEnd(src, i+length)
	}
	switch {
	case strings.HasPrefix(rest, "<!--"):
		at := from + commentEnd(rest, len(rest))
		line, _ := cutLine(src[at:])
		return newlinesEnd(src, at+len(line))
	case strings.HasPrefix(rest, "<?"):
		return until(index(src, "?>", from+2), 2)
	case letterTag().MatchString(rest):
		return until(index(src, ">", from+3), 1)
	case strings.HasPrefix(strings.ToUpper(rest[:min(9, len(rest))]), "<![CDATA["):
		return until(index(src, "]]>", from+9), 3)
	}
	if m := rawTag().FindStringSubmatch(rest); m != nil {
		if at := rawEnds[strings.ToLower(m[1])]().FindStringIndex(rest[len(m[0]):]); at != nil {
			return from + len(m[0]) + at[1]
		}
		return len(src)
	}
	m := blockTag().FindString(rest)
	if m == "" && !notInline().MatchString(rest) {
		if m = openTag().FindString(rest); m == "" {
			m = closeTag().FindString(rest)
		}
		m = strings.TrimRight(m, "\n")
	}
	if m == "" {
		return 0
	}
	if at := blankLines().FindStringIndex(rest[len(m):]); at != nil {
		return from + len(m) + at[1]
	}
	return len(src)
}

// commentEnd returns how long the comment is that a text begins with, and none where it
// is not closed.
func commentEnd(src string, none int) int {
	switch {
	case strings.HasPrefix(src, "<!-->"):
		return 5
	case strings.HasPrefix(src, "<!--->"):
		return 6
	}
	if i := index(src, "-->", 4); i >= 0 {
		return i + 3
	}
	return none
}

// index returns where a text stands from an offset on, or -1.
func index(src, what string, from int) int {
	if from > len(src) {
		return -1
	}
	i := strings.Index(src[from:], what)
	if i < 0 {
		return -1
	}
	return from + i
}
