package detect

import (
	"cmp"
	"slices"
	"strings"

	"winnow/core/memory"
)

// Flags returns the places in a text that a rule of the families injection and hidden
// finds, in order. Two of one rule do not overlap; an instruction may hold hidden text.
// Shown is set where the place says something else than what is seen: it holds no
// character that cannot be seen.
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

// copied searches a copy of the text, or of a part of it, as it reads: some parts of it, or all.
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

// Suspicious is false for most texts that Flags finds nothing in, and never for one
// that it finds something in.
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

// odd reports whether a text may have flags without a keyword.
func odd(text string) bool { return nextOdd(text, 0) < len(text) || bracketed(text) }

// bracketed reports whether a text holds a delimiter of the agent or a comment.
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

// flagScanner searches one text.
type flagScanner struct {
	words *literals
	text  string
	out   []memory.Trace
	whole int // how far words were searched without their hyphens

	// Of a plain copy: the text that it was made of, and where in it its bytes stand.
	original string
	origin   func(start, end int) (int, int)

	near   nearby
	tokens []wordToken // words around the last keyword
	read   int         // how far the text was made into words
	lines  [10]int     // of each kind of harm: the end of the last line that was looked at
}

// search looks at every keyword from one byte to another.
func (s *flagScanner) search(from, to int) {
	s.words.each(s.text, from, to, func(k *keyword, at int) bool {
		if k.gate == nil || k.gate(s.text, at) {
			k.check(s, at)
		}
		return true
	})
}

// phrases looks for phrases around the keyword at byte at.
func (s *flagScanner) phrases(list []*phrase, at int) {
	s.eachPhrase(list, at, func(p *phrase, tokens []wordToken, from, to int) {
		if !(p.rule == RuleHide && (s.partedNegation(tokens[from:to]) || saysOfOthers(tokens[:from+1]))) {
			s.say(p.rule, tokens[from].start, tokens[to-1].end)
		}
	})
}

// eachPhrase calls found with each phrase that stands around the keyword at byte at, and with the words
// there, of which it is those between from and to.
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

// partedNegation reports whether a clause or a quotation begins right behind the negation that a
// phrase opens with: "if not, tell the user" hides nothing.
func (s *flagScanner) partedNegation(tokens []wordToken) bool {
	switch tokens[0].word {
	case "not", "never", "don't", "dont":
		return len(tokens) > 1 && strings.ContainsAny(s.text[tokens[0].end:tokens[1].start], ",:;\"")
	}
	return false
}

// saysOfOthers reports whether the last token, a negation, says what others than agents do not do,
// as in "screen readers do not inform users".
func saysOfOthers(tokens []wordToken) bool {
	n := len(tokens)
	return n > 2 && tokens[n-2].word == "do" && !tokens[n-2].opens && strings.HasSuffix(tokens[n-3].word, "s") &&
		!containsWord("agents assistants models bots always this is us unless", tokens[n-3].word)
}

// say notes a find, with the weight that its context leaves it.
func (s *flagScanner) say(rule string, start, end int) { s.weigh(rule, start, end, false) }

// weigh is say for what may be a command.
func (s *flagScanner) weigh(rule string, start, end int, command bool) {
	if s.unchanged(start, end) {
		return
	}
	w := talked(s.text, start, end, command, rule == RuleHide)
	if w != dropped && labelledWrong(s.text, start) {
		rule, w = excused(rule), meant
	}
	switch w {
	case quoted:
		s.note(RuleQuoted, start, end, "")
	case meant:
		s.note(rule, start, end, "")
	}
}

// unchanged reports whether a place of a plain copy reads as in the original, which is
// searched too.
func (s *flagScanner) unchanged(start, end int) bool {
	if s.origin == nil {
		return false
	}
	from, to := s.origin(start, end)
	return s.original[from:to] == s.text[start:end]
}

// note adds a trace. In a plain copy it shows what the copy says.
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

// excused returns the rule that is left of one whose find is explained by words that anybody can
// write beside an attack: of a high one that of quoted instructions, and else none.
func excused(rule string) string {
	if r, _ := Rule(rule); r.Severity == memory.High {
		return RuleQuoted
	}
	return ""
}

// textOf returns the text that places of traces are of.
func (s *flagScanner) textOf() string {
	if s.origin != nil {
		return s.original
	}
	return s.text
}

// inOrder sorts traces by place, and of those at one place the longest first.
func inOrder(traces []memory.Trace) []memory.Trace {
	slices.SortStableFunc(traces, func(a, b memory.Trace) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
	})
	return traces
}

// apart joins traces of one rule that overlap, and drops quoted instructions that lie
// in what is meant.
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
