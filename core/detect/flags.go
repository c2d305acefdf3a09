package detect

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Flags returns the places in a text that match a rule of the families injection and hidden,
// sorted. Traces of one rule do not overlap, but an instruction may contain hidden text. Shown is
// set if the place reads differently from how it looks; Shown itself contains no invisible
// characters.
func Flags(text string) []memory.Trace {
	s := flagScanner{text: text, words: allLiterals()}
	s.near.begin(text)
	s.search(0, len(text))
	s.brackets()
	s.odd()
	for d := range readings(text) {
		if d.of != nil {
			s.copied(flagScanner{text: d.text, original: text, origin: d.raw}, d.changed()...)
		}
	}
	s.comments()
	return apart(inOrder(s.out))
}

// copied searches a decoded copy of the text, or of a part of it: the changed parts only, or all of
// it if none are given.
func (s *flagScanner) copied(plain flagScanner, changed ...[2]int) {
	plain.words = s.words
	plain.near.begin(plain.text)
	if changed == nil {
		changed = [][2]int{{0, len(plain.text)}}
	}
	for _, at := range changed {
		plain.search(at[0], at[1])
	}
	plain.brackets()
	s.out = append(s.out, plain.out...)
}

// Suspicious is a cheap test before Flags. It may return true for a text without flags, but never
// returns false for a text that Flags finds something in.
func Suspicious(text string) bool {
	for d := range readings(text) {
		found := odd(d.text)
		s := flagScanner{text: d.text}
		s.near.begin(d.text)
		allLiterals().each(d.text, 0, len(d.text), func(k *keyword, at int) bool {
			found = found || s.suspects(k, at, false)
			return !found
		})
		if found {
			return true
		}
	}
	return false
}

// odd reports whether a text may have flags that no keyword leads to.
func odd(text string) bool { return nextOdd(text, 0) < len(text) || bracketed(text) }

// bracketed reports whether a text contains an agent's delimiter or an HTML comment.
func bracketed(text string) bool {
	for i := strings.IndexByte(text, '<'); i >= 0; {
		if Delimiter(text[i:]) > 0 || strings.HasPrefix(text[i:], "<!--") {
			return true
		}
		next := strings.IndexByte(text[i+1:], '<')
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}

// flagScanner searches one text for flags.
type flagScanner struct {
	words *literals
	text  string
	out   []memory.Trace
	whole int // the text was searched without hyphens up to here

	// Set for a decoded copy: the text it was made from, and a function that maps a range of the
	// copy to the range in the original.
	original string
	origin   func(start, end int) (int, int)

	near   nearby
	tokens []wordToken // words around the last keyword
	read   int         // the text is split into words up to here
	lines  [10]int     // for each kind of harm, the end of the last line examined
}

// search checks every keyword between two byte offsets.
func (s *flagScanner) search(from, to int) {
	s.words.each(s.text, from, to, func(k *keyword, at int) bool {
		if k.gate == nil || k.gate(s.text, at) {
			k.check(s, at)
		}
		return true
	})
}

// phrases looks for the listed phrases around the keyword at byte at.
func (s *flagScanner) phrases(list []*phrase, at int) {
	s.eachPhrase(list, at, func(p *phrase, tokens []wordToken, from, to int) {
		if !(p.rule == RuleHide && (s.partedNegation(tokens[from:to]) || saysOfOthers(tokens[:from+1]))) {
			s.say(p.rule, tokens[from].start, tokens[to-1].end)
		}
	})
}

// eachPhrase calls found for each listed phrase around the keyword at byte at. It passes the words
// around the keyword; the phrase is tokens[from:to].
func (s *flagScanner) eachPhrase(list []*phrase, at int, found func(p *phrase, tokens []wordToken, from, to int)) {
	tokens, k := s.tokensAt(at)
	if k == len(tokens) {
		return
	}
	for _, p := range list {
		if from, to, ok := p.read().find(tokens, k); ok {
			found(p, tokens, from, to)
		}
	}
}

// partedNegation reports whether a clause or a quotation begins right after the negation that opens
// a phrase: "if not, tell the user" hides nothing.
func (s *flagScanner) partedNegation(tokens []wordToken) bool {
	switch tokens[0].word {
	case "not", "never", "don't", "dont":
		return len(tokens) > 1 && strings.ContainsAny(s.text[tokens[0].end:tokens[1].start], ",:;\"")
	}
	return false
}

// saysOfOthers reports whether the last token, a negation, describes somebody other than an agent,
// as in "screen readers do not inform users".
func saysOfOthers(tokens []wordToken) bool {
	n := len(tokens)
	return n > 2 && tokens[n-2].word == "do" && !tokens[n-2].opens && strings.HasSuffix(tokens[n-3].word, "s") &&
		!containsWord("agents assistants models bots always this is us unless", tokens[n-3].word)
}

// say records a find, weighted by its context.
func (s *flagScanner) say(rule string, start, end int) { s.weigh(rule, start, end, false) }

// weigh is say for a find that may be a command.
func (s *flagScanner) weigh(rule string, start, end int, command bool) {
	if s.unchanged(start, end) {
		return
	}
	w := talked(s.text, start, end, command, rule == RuleHide)
	if w != dropped && labelledWrong(s.text, start) {
		rule, w = excused(rule), meant
	}
	if w == meant && !command && closesQuote(strings.ToLower(s.text[backTo(s.text, start, talkBefore):start]), s.text[start:end]) {
		w = quoted
	}
	switch w {
	case quoted:
		s.note(RuleQuoted, start, end, "")
	case meant:
		s.note(rule, start, end, "")
	}
}

// unchanged reports whether a place in a decoded copy reads the same in the original, which is
// searched separately.
func (s *flagScanner) unchanged(start, end int) bool {
	if s.origin == nil {
		return false
	}
	from, to := s.origin(start, end)
	return s.original[from:to] == s.text[start:end]
}

// note adds a trace, unless its context explains it. For a decoded copy, the trace shows the
// decoded text.
func (s *flagScanner) note(rule string, start, end int, shown string) {
	if s.origin != nil {
		if s.unchanged(start, end) {
			return
		}
		shown = shownText(s.text[start:end])
		start, end = s.origin(start, end)
	}
	if end <= start {
		return
	}
	switch span := s.textOf()[start:end]; {
	case (rule == RuleHide || rule == RuleConcealed) && informs(s.textOf(), start, end), rule == RuleSend && fetched(span):
		rule = excused(rule)
	case rule == RuleOverride && sessionPrompt(s.textOf(), start, end):
		rule = excused(rule)
	case rule == RuleOverride && resisted(s.textOf(), start, end):
		return
	case rule == RuleDelayed && wordSaid(s.textOf(), start, end), rule == RuleSend && statements(span):
		return
	}
	if rule != "" {
		s.out = append(s.out, memory.Trace{Start: start, End: end, Rule: rule, Shown: shown})
	}
}

// excused returns the rule for a find that is explained by words which an attacker could also
// write: RuleQuoted for a rule of high severity, otherwise none.
func excused(rule string) string {
	if r, _ := Rule(rule); r.Severity == memory.High {
		return RuleQuoted
	}
	return ""
}

// textOf returns the text that the offsets of traces refer to.
func (s *flagScanner) textOf() string {
	if s.origin != nil {
		return s.original
	}
	return s.text
}

// inOrder sorts traces by start, the longest first.
func inOrder(traces []memory.Trace) []memory.Trace {
	slices.SortStableFunc(traces, func(a, b memory.Trace) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
	})
	return traces
}

// apart joins overlapping traces of one rule, and drops quoted instructions inside a trace of
// another rule.
func apart(traces []memory.Trace) []memory.Trace {
	last := map[string]int{}
	out := traces[:0]
	meantTo := 0
	for _, t := range traces {
		if t.Rule == RuleQuoted && t.Start < meantTo {
			continue
		}
		if i, ok := last[t.Rule]; ok && out[i].End > t.Start {
			if t.End > out[i].End {
				out[i].End = t.End
			}
			continue
		}
		last[t.Rule] = len(out)
		out = append(out, t)
		if r := t.Rule; r != RuleQuoted {
			meantTo = max(meantTo, t.End)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}
