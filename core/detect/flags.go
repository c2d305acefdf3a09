package detect

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Flags returns the matches of the rules for injected and hidden text, sorted. Traces of one rule
// do not overlap, but an instruction may contain hidden text. Trace.Shown is the decoded match if
// decoding changes it, without invisible characters.
func Flags(text string) []memory.Trace {
	s := flagScanner{text: text, literals: allLiterals()}
	s.concepts.addFirstWord(text)
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
	copy.concepts.addFirstWord(copy.text)
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
		s.concepts.addFirstWord(d.text)
		allLiterals().eachKeyword(d.text, 0, len(d.text), func(k *keyword, at int) bool {
			found = found || s.mayFlag(k, at, false)
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
	literals  *literalIndex
	text      string
	traces    []memory.Trace
	recodedTo int // recoded copies were searched up to here

	// Set for a decoded copy: the text it was decoded from, and how a range of the copy maps to it.
	original   string
	toOriginal func(start, end int) (int, int)

	concepts          conceptTracker
	tokens            []wordToken // the words around the last keyword
	tokenizedTo       int         // the text is split into words up to here
	commandsCheckedTo [10]int     // for each kind of harm, the end of the last line checked
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

// checkPhrases reports the listed phrases that match around the keyword at byte at.
func (s *flagScanner) checkPhrases(list []*phrase, at int) {
	s.eachPhraseMatch(list, at, func(p *phrase, tokens []wordToken, from, to int) {
		if !(p.rule == RuleHide && (s.clauseFollowsNegation(tokens[from:to]) || negatesSomeoneElse(tokens[:from+1]))) {
			s.report(p.rule, tokens[from].start, tokens[to-1].end)
		}
	})
}

// eachPhraseMatch calls found for each listed phrase that matches tokens[from:to] around the
// keyword at byte at.
func (s *flagScanner) eachPhraseMatch(list []*phrase, at int, found func(p *phrase, tokens []wordToken, from, to int)) {
	tokens, k := s.tokensAt(at)
	if k == len(tokens) {
		return
	}
	for _, p := range list {
		if from, to, ok := p.pattern().find(tokens, k); ok {
			found(p, tokens, from, to)
		}
	}
}

// clauseFollowsNegation reports whether the negation that opens a phrase ends its clause: "if not,
// tell the user" hides nothing.
func (s *flagScanner) clauseFollowsNegation(tokens []wordToken) bool {
	switch tokens[0].word {
	case "not", "never", "don't", "dont":
		return len(tokens) > 1 && strings.ContainsAny(s.text[tokens[0].end:tokens[1].start], ",:;\"")
	}
	return false
}

// negatesSomeoneElse reports whether the last token, a negation, has a subject other than an agent,
// as in "screen readers do not inform users".
func negatesSomeoneElse(tokens []wordToken) bool {
	n := len(tokens)
	return n > 2 && tokens[n-2].word == "do" && !tokens[n-2].opensClause && strings.HasSuffix(tokens[n-3].word, "s") &&
		!inWordList("agents assistants models bots always this is us unless", tokens[n-3].word)
}

// report adds a match, judged by its context.
func (s *flagScanner) report(rule string, start, end int) { s.reportFind(rule, start, end, false) }

// reportFind is report for a match that may be a shell command.
func (s *flagScanner) reportFind(rule string, start, end int, command bool) {
	if s.sameInOriginal(start, end) {
		return
	}
	s.addJudged(rule, start, end, judgeContext(s.text, start, end, command, rule == RuleHide))
}

// addJudged adds a match by the verdict on its context.
func (s *flagScanner) addJudged(rule string, start, end int, v verdict) {
	switch {
	case v == dropped:
	case isLabelledWrong(s.text, start):
		s.addTrace(downgraded(rule), start, end, "")
	case v == quoted:
		s.addTrace(RuleQuoted, start, end, "")
	default:
		s.addTrace(rule, start, end, "")
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

// addTrace adds a trace unless the words around it explain it. In a decoded copy the trace shows
// the decoded text.
func (s *flagScanner) addTrace(rule string, start, end int, shown string) {
	if s.toOriginal != nil {
		if s.sameInOriginal(start, end) {
			return
		}
		shown = displayText(s.text[start:end])
		start, end = s.toOriginal(start, end)
	}
	if end <= start {
		return
	}
	switch span := s.originalText()[start:end]; {
	case (rule == RuleHide || rule == RuleConcealed) && tellsSomebody(s.originalText(), start, end), rule == RuleSend && saysWhereToGetKey(span):
		rule = downgraded(rule)
	case rule == RuleOverride && setsSessionPrompt(s.originalText(), start, end):
		rule = downgraded(rule)
	case rule == RuleOverride && isAboutResisting(s.originalText(), start, end):
		return
	case rule == RuleDelayed && isQuotedWord(s.originalText(), start, end), rule == RuleSend && isProgramLines(span):
		return
	}
	if rule != "" {
		s.traces = append(s.traces, memory.Trace{Start: start, End: end, Rule: rule, Shown: shown})
	}
}

// downgraded returns the rule for a match that nearby words explain. An attacker could write those
// words too, so a rule of high severity becomes RuleQuoted; any other is dropped.
func downgraded(rule string) string {
	if r, _ := Rule(rule); r.Severity == memory.High {
		return RuleQuoted
	}
	return ""
}

// originalText returns the text that the offsets of traces refer to.
func (s *flagScanner) originalText() string {
	if s.toOriginal != nil {
		return s.original
	}
	return s.text
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

// CheckInput returns what must not be stored without asking in text that a person typed or that was
// extracted: flags above low severity, hidden characters, delimiters, and lines that would become
// headings. It allows plain line breaks and lone surrogates, which an agent leaves where it cuts a
// text.
func CheckInput(text string) []memory.Trace {
	var out []memory.Trace
	for _, t := range Flags(text) {
		if r, _ := Rule(t.Rule); r.Severity > memory.Low {
			out = append(out, t)
		}
	}
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
