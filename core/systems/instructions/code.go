package instructions

import "strings"

// markdownCode returns the regions of a Markdown text that Qwen Code takes for code: blocks between fences, indented
// blocks behind an empty line, and what runs of backticks of one length enclose. In a list it finds no indented block,
// and in a quote of several lines no code at all.
func markdownCode(text string) (regions [][2]int) {
	c := codeFinder{text: text, blank: true}
	for line := range strings.Lines(text) {
		c.line(line)
		c.at += len(line)
	}
	c.proseUntil(len(text))
	return c.regions
}

// codeFinder goes through a text line by line.
type codeFinder struct {
	text      string
	regions   [][2]int
	at, prose int    // the line, and the beginning of the prose before it
	fence     string // that is open
	blank     bool   // the line before was empty, or code
	inList    bool
	quoted    int // lines of the quote before the line
}

func (c *codeFinder) line(line string) {
	trimmed, mark := strings.TrimSpace(line), fenceOf(line)
	isIndented := strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t")
	isQuote := strings.HasPrefix(trimmed, ">") && !isIndented && c.fence == ""
	if !isQuote {
		c.endQuote()
	}
	switch {
	case c.fence != "":
		if c.blank = strings.HasPrefix(mark, c.fence) && trimmed == mark; c.blank {
			c.fence = ""
		}
		c.code(len(line))
	case mark != "":
		c.fence, c.inList = mark, false
		c.code(len(line))
	case isQuote:
		if c.quoted++; c.quoted == 1 {
			c.proseUntil(c.at)
		}
		c.inList, c.blank = false, false
	case isIndented && c.blank && trimmed != "" && !c.inList:
		c.code(len(line))
	default:
		c.plain(line, trimmed)
	}
}

// plain takes a line that is neither code nor quoted.
func (c *codeFinder) plain(line, trimmed string) {
	c.blank = trimmed == ""
	continues := c.blank || line[0] == ' ' || line[0] == '\t'
	c.inList = isItem(line) || c.inList && continues
}

// endQuote ends a quote. In one of several lines nothing is code.
func (c *codeFinder) endQuote() {
	if c.quoted > 1 {
		c.prose = c.at
	}
	c.quoted = 0
}

// code adds the line as code.
func (c *codeFinder) code(n int) {
	c.proseUntil(c.at)
	c.regions = append(c.regions, [2]int{c.at, c.at + n})
	c.prose = c.at + n
}

// proseUntil adds the code in the prose before a position.
func (c *codeFinder) proseUntil(at int) {
	if at == len(c.text) {
		c.endQuote()
	}
	if c.prose < at {
		c.regions = append(c.regions, codeSpans(c.text, c.prose, at)...)
		c.prose = at
	}
}

// isItem reports whether a line begins an item of a list.
func isItem(line string) bool {
	rest := strings.TrimLeft(line, " ")
	marker := strings.TrimLeft(rest, "0123456789")
	if marker == "" || len(rest) != len(marker) && marker[0] != '.' && marker[0] != ')' {
		return false
	}
	return strings.IndexByte("-+*.)", marker[0]) >= 0 && len(marker) > 1 && (marker[1] == ' ' || marker[1] == '\t') &&
		(len(rest) != len(marker) || strings.IndexByte("-+*", marker[0]) >= 0)
}

// fenceOf returns the run of backticks or tildes that opens or closes a fenced block in a line, or "".
func fenceOf(line string) string {
	rest := strings.TrimLeft(line, " ")
	if len(line)-len(rest) > 3 || rest == "" || rest[0] != '`' && rest[0] != '~' {
		return ""
	}
	after := strings.TrimLeft(rest, rest[:1])
	mark := rest[:len(rest)-len(after)]
	if len(mark) < 3 || mark[0] == '`' && strings.Contains(after, "`") {
		return ""
	}
	return mark
}

// codeSpans returns the regions between runs of backticks of one length in a part of a text. A paragraph ends
// them.
func codeSpans(text string, from, to int) (regions [][2]int) {
	for paragraph := range strings.SplitAfterSeq(text[from:to], "\n\n") {
		for at := 0; at < len(paragraph); {
			open := strings.IndexByte(paragraph[at:], '`')
			if open < 0 {
				break
			}
			at += open
			n := runOf(paragraph[at:])
			end := closing(paragraph, at+n, n)
			if end < 0 {
				at += n
				continue
			}
			regions = append(regions, [2]int{from + at, from + end})
			at = end
		}
		from += len(paragraph)
	}
	return regions
}

// runOf returns how many backticks a text begins with.
func runOf(text string) int { return len(text) - len(strings.TrimLeft(text, "`")) }

// closing returns the position behind the next run of n backticks from at on, or -1.
func closing(text string, at, n int) int {
	for at < len(text) {
		next := strings.IndexByte(text[at:], '`')
		if next < 0 {
			return -1
		}
		at += next
		run := runOf(text[at:])
		if at += run; run == n {
			return at
		}
	}
	return -1
}
