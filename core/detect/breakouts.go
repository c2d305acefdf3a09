package detect

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Breakouts returns the spans of a rendered block where text from a record ends the block early: it
// repeats the block's end, exactly or in look-alike letters, or closes a tag that it did not open.
// Tags of web pages do not count. Unless l.Prose is set, a line also breaks out if it begins a
// heading, a code fence, another entry or a speaker, or if it separates records. The traces are
// sorted offsets into l.Text.
func Breakouts(l memory.Landed) []memory.Trace {
	var out []memory.Trace
	for _, p := range l.Parts {
		if p.Start < 0 || p.End > len(l.Text) || p.Start >= p.End {
			continue
		}
		e := breakoutScanner{part: l.Text[p.Start:p.End], offset: p.Start, prose: l.Prose}
		if !l.Prose {
			e.entryPrefix = entryPrefixAt(l.Text, p.Start)
			e.checkLines(l.Text[p.End:])
		}
		e.checkEnds(l.Ends)
		e.checkClosingTags()
		out = append(out, e.traces...)
	}
	return mergeTraces(sortTraces(out))
}

// breakoutScanner checks one part of a block that comes from a record.
type breakoutScanner struct {
	part        string
	offset      int    // offset of the part in the block
	entryPrefix string // how the block begins an entry: "- ["
	prose       bool   // the block holds a document
	traces      []memory.Trace
}

func (e *breakoutScanner) add(rule string, start, end int) {
	e.traces = append(e.traces, memory.Trace{Start: e.offset + start, End: e.offset + end, Rule: rule})
}

// entryPrefixAt returns how the entry around byte at begins, such as "- [". A record that begins a
// line the same way forges another entry.
func entryPrefixAt(text string, at int) string {
	line := bytesBefore(text, at, 64)
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " ")
	n := 0
	for n < len(line) && !inClass(line[n], wordChar) && line[n] < utf8.RuneSelf {
		n++
	}
	if n == 0 || line[0] != '-' && line[0] != '*' && line[0] != '+' {
		return ""
	}
	return line[:n]
}

// checkLines checks how each line of the part begins, except the first. after is the rest of the
// block, which completes the last line.
func (e *breakoutScanner) checkLines(after string) {
	after = after[:min(lineLen(after), 200)]
	for i := 0; i < len(e.part); {
		r, n := utf8.DecodeRuneInString(e.part[i:])
		if !isVisibleLineBreak(r) {
			i += n
			continue
		}
		if r == '\r' && strings.HasPrefix(e.part[i+1:], "\n") {
			n = 2
		}
		line := e.part[i+n:]
		end := i + n + lineLen(line)
		line = line[:lineLen(line)]
		if end == len(e.part) {
			line += after
		}
		if rule := e.lineRule(line); rule != "" {
			e.add(rule, i, end)
		}
		i += n
	}
}

// isVisibleLineBreak reports whether r is shown as a line break.
func isVisibleLineBreak(r rune) bool { return isLineBreak(r) || r == 0x0B || r == 0x0C || r == 0x85 }

// lineRule returns the rule that a line breaks by how it begins, or "".
func (e *breakoutScanner) lineRule(line string) string {
	line = line[:min(len(line), 400)]
	line = strings.TrimLeftFunc(line, func(r rune) bool { return jstext.IsSpace(r) || IsHidden(r) })
	bare := strings.TrimRight(line, " \t")
	switch {
	case startsHeading(line), isHeadingUnderline(bare):
		return RuleBreakoutHeading
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		return RuleBreakoutFence
	case bare == "§" || strings.Trim(bare, "═") == "" && len(bare) > 9:
		return RuleBreakoutLine
	case e.entryPrefix != "" && strings.HasPrefix(line, e.entryPrefix), strings.HasPrefix(line, "- ["):
		return RuleBreakoutEntry
	case startsWithSpeaker(line):
		return RuleBreakoutRole
	}
	return ""
}

// isHeadingUnderline reports whether Markdown takes the line before this one for a heading.
func isHeadingUnderline(line string) bool {
	return len(line) >= 2 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// speakers are the names that may begin a message of a conversation.
var speakers = []string{"system", "user", "assistant", "human", "developer", "tool"}

// startsWithSpeaker reports whether a line begins with a speaker: "System:", "[assistant]",
// "<system>".
func startsWithSpeaker(line string) bool {
	line = strings.TrimLeft(lowerASCII(line[:min(len(line), 32)]), "*_[<|( #")
	for _, who := range speakers {
		if rest, ok := strings.CutPrefix(line, who); ok {
			rest = strings.TrimLeft(rest, "*_ ")
			return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, ">") ||
				strings.HasPrefix(rest, "|")
		}
	}
	return false
}

// checkEnds searches for texts that end the block.
func (e *breakoutScanner) checkEnds(ends []string) {
	for _, end := range ends {
		want := endLetters(end)
		if len(want) < 3 {
			e.checkEndLine(end)
			continue
		}
		first := rune(want[0])
		for i := 0; i < len(e.part); {
			r, n := utf8.DecodeRuneInString(e.part[i:])
			if apparentRune(r) == first {
				if m := spelledLen(bytesAfter(e.part, i, maxDelimiterBytes+len(want)), want, apparentRune); m > 0 {
					if !e.isShown(i, i+m) && !e.closesOwn(end, i) {
						e.add(RuleBreakoutEnd, i, i+m)
					}
					n = m
				}
			}
			i += n
		}
	}
}

// isShown reports whether a document shows the text part[start:end] to its readers, in a code span of its own.
func (e *breakoutScanner) isShown(start, end int) bool {
	const mark = "`"
	return e.prose && strings.HasSuffix(e.part[:start], mark) && strings.HasPrefix(e.part[end:], mark)
}

// closesOwn reports whether a closing tag at part[at] closes one that a document opened itself. Nobody but the agent
// writes a reminder.
func (e *breakoutScanner) closesOwn(end string, at int) bool {
	name, isClosing := strings.CutPrefix(end, "</")
	if !e.prose || !isClosing || name == "system-reminder>" {
		return false
	}
	return strings.Count(e.part[:at], "<"+name) > strings.Count(e.part[:at], end)
}

// checkEndLine searches for an end too short to count except as a whole line, such as "§".
func (e *breakoutScanner) checkEndLine(end string) {
	end = visibleForm(strings.TrimSpace(end))
	if end == "" {
		return
	}
	at := 0
	for line := range strings.SplitSeq(e.part, "\n") {
		if line != "" && visibleForm(strings.TrimSpace(line)) == end {
			e.add(RuleBreakoutLine, at, at+len(line))
		}
		at += len(line) + 1
	}
}

// endLetters returns the characters of an end that a reader cannot overlook.
func endLetters(end string) string {
	var out strings.Builder
	for _, r := range end {
		if c := apparentRune(r); c != ignoredRune && c < utf8.RuneSelf {
			out.WriteRune(c)
		}
	}
	return out.String()
}

// webPageTags are HTML elements. Records often mention them and no known system wraps records in
// them, so closing one ends no block.
const webPageTags = "html head body div span p section article main nav header footer script style ul ol li table tr td th h1 h2 h3 a button form details summary img svg template"

// checkClosingTags searches for closing tags that the part did not open before.
func (e *breakoutScanner) checkClosingTags() {
	open := map[string]int{}
	for i, end := indexFrom(e.part, "<", 0), 0; i >= 0; i = indexFrom(e.part, "<", end) {
		start := i + 1
		closes := strings.HasPrefix(e.part[start:], "/")
		if closes {
			start++
		}
		end = start
		for end < min(len(e.part), start+64) && (isCommandNameByte(e.part[end]) || e.part[end] == ':') {
			end++
		}
		name := lowerASCII(e.part[start:end])
		rest := strings.TrimLeft(bytesAfter(e.part, end, 16), " \t\n")
		switch {
		case name == "" || !isLetter(name[0]):
		case !closes:
			open[name]++
		case open[name] > 0:
			open[name]--
		case slices.Contains(strings.Fields(webPageTags), name):
		case strings.HasPrefix(rest, ">"):
			e.add(RuleBreakoutTag, i, end+1)
		}
	}
}

// DelimiterOpenings are the characters that a delimiter may begin with: angle brackets and their
// look-alikes.
const DelimiterOpenings = "<＜‹«≪ᐸ"

// Limits that keep DelimiterLen fast on a text full of brackets.
const (
	maxDelimiterBytes = 256
	maxBracketBytes   = 32
)

// DelimiterLen returns the length of the delimiter of a prompt's untrusted part that s begins with,
// or 0. It accepts what a model could still take for <<<UNTRUSTED_INPUT>>>, which is more than the
// agent's own filter catches: two or more opening brackets, the words, and a closing bracket, in
// any case or look-alike letters, with spaces, hyphens, dots or invisible characters between them.
// A delimiter has at most 256 bytes.
func DelimiterLen(s string) int {
	s = s[:min(len(s), maxDelimiterBytes)]
	i := openingBracketsLen(s)
	if i == 0 {
		return 0
	}
	i += spelledWordLen(s[i:], "END")
	n := spelledWordLen(s[i:], "UNTRUSTEDINPUT")
	if n == 0 {
		return 0
	}
	i += n
	for end := 0; ; {
		r, n := utf8.DecodeRuneInString(s[i:])
		c := delimiterRune(r)
		if n == 0 || c != '>' && (c != ignoredRune || end > 0) {
			return end
		}
		if i += n; c == '>' {
			end = i
		}
	}
}

// openingBracketsLen returns the length of the opening brackets at the start of s, with ignored
// characters between them, or 0 for fewer than two.
func openingBracketsLen(s string) int {
	i, count := 0, 0
	for i < min(len(s), maxBracketBytes) {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == '«' || r == '≪' {
			count++ // one character counts as two brackets
		}
		if c := delimiterRune(r); c == '<' {
			count++
		} else if c != ignoredRune {
			break
		}
		i += n
	}
	if count < 2 {
		return 0
	}
	return i
}

// spelledWordLen returns the length of the prefix of s that spells the word, or 0.
func spelledWordLen(s, word string) int { return spelledLen(s, word, delimiterRune) }

// spelledLen returns the length of the prefix of s that spells word once readAs has mapped each
// character, or 0. It skips characters that readAs maps to ignoredRune.
func spelledLen(s, word string, readAs func(rune) rune) int {
	at := 0
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch c := readAs(r); {
		case c == rune(word[at]):
			at++
		case c != ignoredRune:
			return 0
		}
		if i += n; at == len(word) {
			return i
		}
	}
	return 0
}

// ignoredRune marks a character that a reader overlooks inside a delimiter.
const ignoredRune = -1

// delimiterRune is apparentRune, but also ignores slashes.
func delimiterRune(r rune) rune {
	if c := apparentRune(r); c != '/' {
		return c
	}
	return ignoredRune
}

// apparentRune returns what a reader takes r for: the ASCII capital or mark that it looks like,
// ignoredRune if it is invisible or minor, or r itself.
func apparentRune(r rune) rune {
	switch {
	case r >= 'a' && r <= 'z':
		return r - 'a' + 'A'
	case r > ' ' && r < 0x7F && r != '_' && r != '-' && r != '.' && r != '*':
		return r
	case r < 0x7F, IsHidden(r), isLineBreak(r), jstext.IsSpace(r), r >= 0x2000 && r <= 0x2015:
		return ignoredRune
	}
	if c := lookalikeOf(r); c != 0 {
		return apparentRune(rune(c))
	}
	if c := apparentMark(r); c != 0 {
		return c
	}
	if unicode.In(r, unicode.Mn, unicode.Cf, unicode.Pd, unicode.Pc) {
		return ignoredRune
	}
	return r
}

// apparentMark returns the mark or letter that r looks like in a tag, or 0.
func apparentMark(r rune) rune {
	switch r {
	case '‹', '«', '≪', 'ᐸ':
		return '<'
	case '›', '»', '≫', 'ᐳ':
		return '>'
	case 'İ':
		return 'I'
	case 0x2044, 0x2215: // fraction slash and division slash
		return '/'
	}
	return 0
}
