package detect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Breakouts returns the places in a rendered block that come from a record and break out of the
// block. They are sorted ranges of bytes of l.Text. A part of the block breaks out if it contains an
// end of the block, verbatim or as a reader would read it, or if it closes a tag that it did not open,
// except tags of web pages. If l.Prose is not set, a line of a part also breaks out if it begins a
// heading, a code fence, another entry or a speaker, or if it separates records.
func Breakouts(l memory.Landed) []memory.Trace {
	var out []memory.Trace
	for _, p := range l.Parts {
		if p.Start < 0 || p.End > len(l.Text) || p.Start >= p.End {
			continue
		}
		e := escapes{part: l.Text[p.Start:p.End], base: p.Start}
		if !l.Prose {
			e.entry = entryMark(l.Text, p.Start)
			e.lines(l.Text[p.End:])
		}
		e.ends(l.Ends)
		e.tags()
		out = append(out, e.out...)
	}
	return apart(inOrder(out))
}

// escapes examines one part of a block.
type escapes struct {
	part  string
	base  int    // offset of the part in the block
	entry string // marks at the start of the line that contains the part: "- ["
	out   []memory.Trace
}

func (e *escapes) note(rule string, start, end int) {
	e.out = append(e.out, memory.Trace{Start: e.base + start, End: e.base + end, Rule: rule})
}

// entryMark returns the marks at the start of the line of byte at, which every entry of the block
// begins with: "- [", "  - ".
func entryMark(text string, at int) string {
	line := text[max(0, at-64):at]
	line = strings.TrimLeft(line[strings.LastIndexByte(line, '\n')+1:], " ")
	n := 0
	for n < len(line) && !inWord[line[n]] && line[n] < utf8.RuneSelf {
		n++
	}
	if n == 0 || line[0] != '-' && line[0] != '*' && line[0] != '+' {
		return ""
	}
	return line[:n]
}

// lines checks each line of the part except the first. behind is what the block adds after the last
// line.
func (e *escapes) lines(behind string) {
	behind = behind[:min(lineLen(behind), 200)]
	for i := 0; i < len(e.part); {
		r, n := utf8.DecodeRuneInString(e.part[i:])
		if !breaksLine(r) {
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
			line += behind
		}
		if rule := e.starts(line); rule != "" {
			e.note(rule, i, end)
		}
		i += n
	}
}

// breaksLine reports whether a reader sees a new line after r.
func breaksLine(r rune) bool { return lineBreak(r) || r == 0x0B || r == 0x0C || r == 0x85 }

// starts returns the rule for what a line starts, or none.
func (e *escapes) starts(line string) string {
	line = line[:min(len(line), 400)]
	line = strings.TrimLeftFunc(line, func(r rune) bool { return jstext.IsSpace(r) || Hidden(r) })
	bare := strings.TrimRight(line, " \t")
	switch {
	case startsHeading(line), underlines(bare):
		return RuleBreakoutHeading
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		return RuleBreakoutFence
	case bare == "§" || strings.Trim(bare, "═") == "" && len(bare) > 9:
		return RuleBreakoutLine
	case e.entry != "" && strings.HasPrefix(line, e.entry), strings.HasPrefix(line, "- ["):
		return RuleBreakoutEntry
	case speaks(line):
		return RuleBreakoutRole
	}
	return ""
}

// underlines reports whether a line turns the line before it into a heading.
func underlines(line string) bool {
	return len(line) >= 2 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// speakers are the names that may begin a message of a conversation.
var speakers = []string{"system", "user", "assistant", "human", "developer", "tool"}

// speaks reports whether a line begins with a speaker: "System:", "[assistant]",
// "<system>".
func speaks(line string) bool {
	line = strings.TrimLeft(lowerASCII(line[:min(len(line), 32)]), "*_[<|( #")
	for _, who := range speakers {
		if rest, ok := strings.CutPrefix(line, who); ok {
			rest = strings.TrimLeft(rest, "*_ ")
			return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "]") || strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "|")
		}
	}
	return false
}

// ends searches for the ends of the block.
func (e *escapes) ends(all []string) {
	for _, end := range all {
		want := significant(end)
		if len(want) < 3 {
			e.lineOf(end)
			continue
		}
		first := rune(want[0])
		for i := 0; i < len(e.part); {
			r, n := utf8.DecodeRuneInString(e.part[i:])
			if seen(r) == first {
				if m := spells(e.part[i:], want); m > 0 {
					e.note(RuleBreakoutEnd, i, i+m)
					n = m
				}
			}
			i += n
		}
	}
}

// lineOf searches for an end that is so short that it counts only as a line of its own.
func (e *escapes) lineOf(end string) {
	end = asRead(strings.TrimSpace(end))
	if end == "" {
		return
	}
	at := 0
	for line := range strings.SplitSeq(e.part, "\n") {
		if line != "" && asRead(strings.TrimSpace(line)) == end {
			e.note(RuleBreakoutLine, at, at+len(line))
		}
		at += len(line) + 1
	}
}

// significant returns the characters by which a reader recognizes an end.
func significant(end string) string {
	var out strings.Builder
	for _, r := range end {
		if c := seen(r); c != skipped && c < utf8.RuneSelf {
			out.WriteRune(c)
		}
	}
	return out.String()
}

// spells returns the length of the prefix of s, at most 256 bytes, that reads as want, or 0.
func spells(s, want string) int {
	return spelledBy(s[:min(len(s), delimiterBytes+len(want))], want, seen)
}

// pageTags are elements of web pages. Lessons and documents mention them, and no known system puts
// records between them, so closing one ends nothing.
const pageTags = "html head body div span p section article main nav header footer script style ul ol li table tr td th h1 h2 h3 a button form details summary img svg template"

// tags searches for closing tags that the part did not open before.
func (e *escapes) tags() {
	open := map[string]int{}
	for i := 0; ; {
		at := strings.IndexByte(e.part[i:], '<')
		if at < 0 {
			return
		}
		i += at
		start := i + 1
		closes := strings.HasPrefix(e.part[start:], "/")
		if closes {
			start++
		}
		end := start
		for end < min(len(e.part), start+64) && (nameByte(e.part[end]) || e.part[end] == ':') {
			end++
		}
		name := lowerASCII(e.part[start:end])
		rest := strings.TrimLeft(e.part[end:min(len(e.part), end+16)], " \t\n")
		switch {
		case name == "" || !isLetter(name[0]):
		case !closes:
			open[name]++
		case open[name] > 0:
			open[name]--
		case slices.Contains(strings.Fields(pageTags), name):
		case strings.HasPrefix(rest, ">"):
			e.note(RuleBreakoutTag, i, end+1)
		}
		i = end
	}
}
