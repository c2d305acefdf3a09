package detect

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"winnow/core/memory"
)

// Flags returns the matches of the rules for injected and hidden text, sorted. Traces of one rule
// do not overlap, but an instruction may contain hidden text. Trace.Shown is the decoded match if
// decoding changes it, without invisible characters.
func Flags(text string) []memory.Trace {
	s := flagScanner{text: text, literals: allLiterals()}
	s.searchKeywords(0, len(text))
	s.checkDelimiters()
	s.checkUnusual()
	for d := range decodeLayers(text) {
		if d.source != nil {
			s.searchCopy(flagScanner{text: d.text, original: text, toOriginal: d.sourceRange}, d.changedRanges()...)
		}
	}
	s.checkComments()
	return mergeTraces(sortTraces(s.traces))
}

// searchCopy searches a decoded copy of the text or of a part of it: only the changed ranges, or
// everything if none are given.
func (s *flagScanner) searchCopy(copy flagScanner, changed ...[2]int) {
	copy.literals = s.literals
	if changed == nil {
		changed = [][2]int{{0, len(copy.text)}}
	}
	for _, at := range changed {
		copy.searchKeywords(at[0], at[1])
	}
	copy.checkDelimiters()
	s.traces = append(s.traces, copy.traces...)
}

// Suspicious is a cheap test before Flags. False means that Flags finds nothing; true means that it
// may.
func Suspicious(text string) bool {
	for d := range decodeLayers(text) {
		found := mayFlagWithoutKeyword(d.text)
		s := flagScanner{text: d.text}
		allLiterals().eachKeyword(d.text, 0, len(d.text), func(k *keyword, at int) bool {
			found = found || s.finds(k, at)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// mayFlagWithoutKeyword reports whether a text may match rules that are not found by a keyword.
func mayFlagWithoutKeyword(text string) bool {
	return nextUnusual(text, 0) < len(text) || hasDelimiterOrComment(text)
}

// hasDelimiterOrComment reports whether a text contains a prompt delimiter or an HTML comment.
func hasDelimiterOrComment(text string) bool {
	for i := indexFrom(text, "<", 0); i >= 0; i = indexFrom(text, "<", i+1) {
		if DelimiterLen(text[i:]) > 0 || strings.HasPrefix(text[i:], "<!--") {
			return true
		}
	}
	return false
}

// flagScanner searches one text for flags.
type flagScanner struct {
	literals *literalIndex
	text     string
	traces   []memory.Trace

	// Set for a decoded copy: the text it was decoded from, and how a range of the copy maps to it.
	original   string
	toOriginal func(start, end int) (int, int)

	unjudged          bool              // report matches whatever their context
	words             []sentenceWord    // of the last sentence read
	sentencesReadTo   int               // end of the last sentence read
	phrasesCheckedTo  [len(phrases)]int // for each textbook line, the end of the last sentence checked
	commandsCheckedTo [10]int           // for each kind of harm, the end of the last line checked
}

// searchKeywords runs the check of every keyword between two byte offsets.
func (s *flagScanner) searchKeywords(from, to int) {
	s.literals.eachKeyword(s.text, from, to, func(k *keyword, at int) bool {
		if k.gate == nil || k.gate(s.text, at) {
			k.check(s, at)
		}
		return true
	})
}

// finds reports whether the check of a keyword matches something, whatever its context.
func (s *flagScanner) finds(k *keyword, at int) bool {
	s.unjudged = true
	if k.gate == nil || k.gate(s.text, at) {
		k.check(s, at)
	}
	return len(s.traces) > 0
}

// report adds a match, judged by its context.
func (s *flagScanner) report(rule string, start, end int) { s.reportFind(rule, start, end, false) }

// reportFind is report for a match that may be a shell command.
func (s *flagScanner) reportFind(rule string, start, end int, command bool) {
	if s.sameInOriginal(start, end) {
		return
	}
	if s.unjudged {
		s.addTrace(rule, start, end, "")
		return
	}
	switch judgeContext(s.text, start, end, command, rule == RuleHide) {
	case meant:
		s.addTrace(rule, start, end, "")
	case quoted:
		s.addTrace(RuleQuoted, start, end, "")
	}
}

// sameInOriginal reports whether a match in a decoded copy reads the same in the original, which is
// searched by itself.
func (s *flagScanner) sameInOriginal(start, end int) bool {
	if s.toOriginal == nil {
		return false
	}
	from, to := s.toOriginal(start, end)
	return s.original[from:to] == s.text[start:end]
}

// addTrace adds a trace. In a decoded copy the trace shows the decoded text, and is of high severity if a
// person who reads the original does not see what it says.
func (s *flagScanner) addTrace(rule string, start, end int, shown string) {
	t := memory.Trace{Start: start, End: end, Rule: rule, Shown: shown}
	if s.toOriginal != nil {
		if s.sameInOriginal(start, end) {
			return
		}
		t.Shown = displayText(s.text[start:end])
		t.Start, t.End = s.toOriginal(start, end)
		if rule != RuleQuoted && isDisguised(s.original[t.Start:t.End], s.text[start:end]) {
			t.Severity = memory.High
		}
	}
	if t.End > t.Start {
		s.traces = append(s.traces, t)
	}
}

// isDisguised reports whether a text spells no word of what it decodes to.
func isDisguised(text, decoded string) bool {
	const least = 4 // letters; shorter words occur in any text
	text = lowerASCII(text)
	for word := range strings.FieldsFuncSeq(lowerASCII(decoded), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(word) >= least && !strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// sortTraces sorts traces by start, longest first.
func sortTraces(traces []memory.Trace) []memory.Trace {
	slices.SortStableFunc(traces, func(a, b memory.Trace) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
	})
	return traces
}

// mergeTraces joins overlapping traces of one rule and drops quoted instructions inside a trace of
// another rule.
func mergeTraces(traces []memory.Trace) []memory.Trace {
	last := map[string]int{}
	out := traces[:0]
	coveredTo := 0
	for _, t := range traces {
		if t.Rule == RuleQuoted && t.Start < coveredTo {
			continue
		}
		if i, ok := last[t.Rule]; ok && out[i].End > t.Start {
			out[i].End = max(out[i].End, t.End)
			out[i].Severity = max(out[i].Severity, t.Severity)
			continue
		}
		last[t.Rule] = len(out)
		out = append(out, t)
		if t.Rule != RuleQuoted {
			coveredTo = max(coveredTo, t.End)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

// ActsOnModel reports whether a text has a flag above low severity, which the audit names as a place to read or as
// evidence. Records with such a text are marked.
func ActsOnModel(text string) bool { return len(flagsAboveNotes(text)) > 0 }

// flagsAboveNotes returns the flags above low severity.
func flagsAboveNotes(text string) (out []memory.Trace) {
	for _, t := range Flags(text) {
		rule, _ := Rule(t.Rule)
		if max(rule.Severity, t.Severity) > memory.Low {
			out = append(out, t)
		}
	}
	return out
}

// CheckInput returns what must not be stored without asking in text that a person typed or that was
// extracted: flags above low severity, hidden characters, delimiters, and lines that would become
// headings. It allows plain line breaks and lone surrogates, which an agent leaves where it cuts a
// text.
func CheckInput(text string) []memory.Trace {
	out := flagsAboveNotes(text)
	found := len(out)
	by := coverage{traces: out}
	for _, m := range Marks(text) {
		t := memory.Trace{Start: m.Start, End: m.End}
		switch m.Kind {
		case memory.MarkHidden:
			t.Rule = RuleHidden
		case memory.MarkDelimiter:
			t.Rule = RuleDelimiter
		case memory.MarkHeading:
			t.Rule = RuleBreakoutHeading
			t.End += lineLen(text[m.End:])
		}
		switch last := len(out) - 1; {
		case t.Rule == "" || StartsWithLoneSurrogate(text[m.Start:]):
		case m.Kind != memory.MarkHeading && by.covers(t):
		case last >= found && t.Rule == RuleHidden && out[last].Rule == t.Rule && out[last].End == t.Start:
			out[last].End = t.End
		default:
			out = append(out, t)
		}
	}
	return sortTraces(out)
}

// coverage tells which spans lie inside some traces. Spans must be asked about in order.
type coverage struct {
	traces []memory.Trace // sorted
	end    int            // the furthest end of the traces already passed
}

func (c *coverage) covers(t memory.Trace) bool {
	for len(c.traces) > 0 && c.traces[0].Start <= t.Start {
		c.end = max(c.end, c.traces[0].End)
		c.traces = c.traces[1:]
	}
	return t.End <= c.end
}
