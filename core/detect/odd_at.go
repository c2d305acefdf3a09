package detect

import (
	"slices"
	"strings"
	"unicode/utf8"

	"winnow/core/memory"
)

// odd checks every character that is not plain text. It searches the text around those that hide or
// imitate others again, in its visible form.
func (s *flagScanner) odd() {
	var windows []window
	for i := nextOdd(s.text, 0); i < len(s.text); i = nextOdd(s.text, i) {
		for end := min(i+8, len(s.text)); i < end; {
			start, next, how := s.oddAt(i)
			if start >= 0 {
				windows = widen(windows, s.text, start, next, how)
			}
			i = max(next, i+1)
		}
	}
	for _, w := range windows {
		s.folded(w)
	}
}

// oddAt checks the character at byte i. It returns where to continue, and how to decode the text
// further. start is where text that hides or imitates begins, or -1.
func (s *flagScanner) oddAt(i int) (start, next int, how decoding) {
	c := s.text[i]
	switch {
	case c >= utf8.RuneSelf:
		start, next = s.runeAt(i)
		return start, next, 0
	case c == ' ' || c == '\t' || c == '\n':
		return -1, s.gap(i), 0
	case c < ' ' || c == 0x7F:
		return -1, s.control(i), 0
	case isLetter(c) && (i == 0 || !isLetter(s.text[i-1])):
		from := apartFrom(s.text, i)
		if n := spacedLen(s.text[from:]); from+n > i {
			return from, from + n, spaced
		}
	}
	return -1, i + 1, 0
}

// apartFrom returns where a run of letters that stand apart begins, given one of them. It looks
// back only a few letters, those skipped by testing eight bytes at a time.
func apartFrom(text string, i int) int {
	for most := i - 16; i >= 2 && i > most && separates(text[i-1]) && isLetter(text[i-2]) && (i == 2 || !isLetter(text[i-3])); {
		i -= 2
	}
	return i
}

// How many characters on a line, or how many lines, of white space move the text after them out of
// sight.
const (
	farColumns = 80
	farLines   = 20
)

// gap checks the white space that begins at byte i, and returns its end.
func (s *flagScanner) gap(i int) int {
	end, lines, columns := i, 0, 0
	for ; end < len(s.text); end++ {
		switch s.text[end] {
		case '\n':
			lines, columns = lines+1, 0
			continue
		case ' ', '\t':
			columns++
			continue
		case '\r':
			if strings.HasPrefix(s.text[end+1:], "\n") {
				continue
			}
		}
		break
	}
	if end < len(s.text) && (lines > farLines || columns >= farColumns) {
		s.note(RuleFar, end, end+min(lineLen(s.text[end:]), farColumns), "")
	}
	return max(end, i+1)
}

// common returns the length of accented Latin letters or ideographs at the start of s, or 0. Most
// non-ASCII text consists of them.
func common(s string) (n int) {
	for n+3 <= len(s) {
		switch c := s[n]; {
		case c == 0xC3 && s[n+1] >= 0x80 && s[n+1] < 0xC0:
			n += 2
		case (c == 0xE3 && (s[n+1] == 0x81 || s[n+1] == 0x82) || c >= 0xE4 && c <= 0xE9) && s[n+1]&0xC0 == 0x80 && s[n+2]&0xC0 == 0x80:
			n += 3
		default:
			return n
		}
	}
	return n
}

// runeAt checks the non-ASCII character at byte i.
func (s *flagScanner) runeAt(i int) (start, next int) {
	if n := common(s.text[i:]); n > 0 {
		return -1, i + n
	}
	r, n := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case r == utf8.RuneError:
		return -1, i + max(n, 1)
	case r <= 0x9F:
		return -1, s.control(i)
	case scriptOf(r) != otherScript:
		at, end := imitation(s.text, i)
		if at < 0 {
			return -1, max(end, i+n)
		}
		s.note(RuleLookalike, at, end, asRead(s.text[at:end]))
		return at, end
	case r == 'ı' || r == 'ſ': // used in Turkish and in old prints
		return i, i + n
	case r >= 0x300 && r <= 0x36F && i > 0 && isLetter(s.text[i-1]) && r != 0x34F: // a mark on a letter
		return i, i + n
	case Hidden(r) || r == 0xFE0E || r == 0xFE0F:
		return s.hiddenAt(i, r, n)
	case strings.ContainsRune(DelimiterOpenings, r):
		if d := Delimiter(s.text[i:]); d > 0 {
			s.note(RuleDelimiter, i, i+d, "")
			return -1, i + d
		}
	}
	return -1, i + n
}

// asRead returns a text with imitating letters replaced by the letters they look like.
func asRead(text string) string { return shownText(decodedOf(&decoded{text: text}, imitated).text) }

// hiddenAt checks the hidden character r at byte i, n bytes long, and those after it.
func (s *flagScanner) hiddenAt(i int, r rune, n int) (start, next int) {
	switch {
	case selector(r):
		return s.selectors(i)
	case r >= 0xE0000 && r <= 0xE007F:
		return s.tags(i)
	case bidi(r):
		return s.bidi(i, r, n)
	case r == 0xAD:
		s.note(RuleSoftHyphen, i, i+n, "")
		return i, i + n
	case r == 0xFEFF && i == 0, needed(s.text, i, r, n):
		return -1, i + n
	}
	end := i
	for end < len(s.text) {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if !Hidden(r) || r < 0xA0 || r == 0xAD || selector(r) || bidi(r) || r >= 0xE0000 && r <= 0xE007F {
			break
		}
		end += n
	}
	s.note(RuleHidden, i, end, spelling(s.text[i:end]))
	return i, end
}

// needed reports whether a character without width is where its script needs one: a joiner in
// Arabic, Indian scripts or emoji, or a line break opportunity in a script without spaces.
func needed(text string, i int, r rune, n int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i+n:])
	switch r {
	case 0x200C, 0x200D:
		return joins(text, i, n) || before >= 0x600 && before < 0x1100
	case 0x200B:
		return unspaced(before) && unspaced(after)
	case 0x180B, 0x180C, 0x180D, 0x180E, 0x180F:
		return before >= 0x1820 && before <= 0x18AF
	case 0x17B4, 0x17B5, 0x115F, 0x1160:
		return before >= 0x1100 && before < 0x1200 || before >= 0x1780 && before < 0x1800
	}
	return false
}

// unspaced reports whether r belongs to a script written without spaces.
func unspaced(r rune) bool {
	return r >= 0xE00 && r <= 0xEFF || r >= 0x1000 && r <= 0x109F || r >= 0x1780 && r <= 0x17FF || r >= 0x3040 && r <= 0x9FFF
}

// brackets searches for the agent's own delimiters and for comments.
func (s *flagScanner) brackets() {
	for i := 0; ; {
		at := strings.IndexByte(s.text[i:], '<')
		if at < 0 {
			return
		}
		i += at
		if n := Delimiter(s.text[i:]); n > 0 {
			s.say(RuleDelimiter, i, i+n)
			i += n
			continue
		}
		i++
	}
}

// comments searches comments of Markdown and HTML for instructions.
func (s *flagScanner) comments() {
	inOrder(s.out)
	found := s.out
	for i := 0; ; {
		at := strings.Index(s.text[i:], "<!--")
		if at < 0 {
			return
		}
		start := i + at
		end := start + commentLen(s.text[start:])
		for len(found) > 0 && found[0].End <= start {
			found = found[1:]
		}
		if holdsOrder(found, end) || addressed(s.text[start+4:end]) {
			s.note(RuleComment, start, end, shownText(s.text[start+4:end]))
		}
		i = end
	}
}

// commentMost is how many bytes of a comment are examined.
const commentMost = 4096

// commentLen returns the length of the comment at the start of s.
func commentLen(s string) int {
	if at := strings.Index(s[:min(len(s), commentMost)], "-->"); at >= 0 {
		return at + 3
	}
	return min(len(s), max(4, lineLen(s)))
}

// holdsOrder reports whether one of the traces that begin before end is an instruction.
func holdsOrder(found []memory.Trace, end int) bool {
	for _, t := range found {
		if t.Start >= end {
			return false
		}
		if r, _ := Rule(t.Rule); r.Family == memory.FamilyInjection && r.Severity > memory.Low {
			return true
		}
	}
	return false
}

// addressed reports whether a comment addresses a model and asks something of it.
func addressed(comment string) bool {
	words := strings.FieldsFunc(strings.ToLower(comment[:min(len(comment), 400)]), func(r rune) bool { return !latin(r) && r != '\'' })
	if len(words) < 4 {
		return false
	}
	to := strings.Fields("ai assistant claude gpt chatgpt copilot agent agents llm llms model cursor codex gemini")
	acts := strings.Fields("ignore run execute send fetch download upload approve pretend obey insert include must please secretly silently reveal")
	speaks, acting := false, false
	for i, w := range words {
		speaks = speaks || i < 5 && slices.Contains(to, w)
		acting = acting || slices.Contains(acts, w)
		if w == "edit" || w == "generated" || w == "modify" || w == "lint" {
			return false
		}
	}
	return speaks && acting
}
