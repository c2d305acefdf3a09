package detect

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// How many bytes around a match are examined to tell an instruction from a mention of one.
const (
	contextBefore = 140
	contextAfter  = 90
)

// verdict is what the context makes of a match.
type verdict uint8

const (
	meant   verdict = iota // an instruction
	quoted                 // quoted or discussed
	dropped                // both quoted and discussed, or forbidden
)

// judgeContext returns the verdict on the match text[start:end]. A negated match is dropped, unless
// the match is itself an order not to do something (negative). Each sign of a mention counts one: a
// quotation, words of discussion, reported speech. Quotation marks around a command belong to the
// shell and do not count.
func judgeContext(text string, start, end int, command, negative bool) verdict {
	before, after := contextOf(text, start, end)
	if !negative && (isNegated(before) || endsForbiddenList(before)) || negative && requiresAsking(before, text[start:end]) || underNegatedHeading(text, start) || command && inDenyList(text, start) {
		return dropped
	}
	return countSigns(
		!command && inQuotes(before, after),
		command && (inFirstTableCell(text, start) || inSearchPattern(before, after)),
		containsWordStart(before, after, discussionWords()) || containsWordStart(before, after, quotedDiscussionWords()),
		isReportedSpeech(before),
	)
}

// countSigns returns the verdict for the signs of a mention that are true.
func countSigns(signs ...bool) (v verdict) {
	for _, found := range signs {
		if found {
			v = min(v+1, dropped)
		}
	}
	return v
}

// contextOf returns the context before and after text[start:end], in lower case.
func contextOf(text string, start, end int) (before, after string) {
	return strings.ToLower(text[contextStart(text, start, contextBefore):start]), strings.ToLower(text[end:contextEnd(text, end, contextAfter)])
}

// contextStart returns where the context before byte i begins: at most n bytes back, in the same
// paragraph.
func contextStart(text string, i, n int) int {
	from := max(0, i-n)
	if at := strings.LastIndex(text[from:i], "\n\n"); at >= 0 {
		return from + at + 2
	}
	for from < i && !utf8.RuneStart(text[from]) {
		from++
	}
	return from
}

// contextEnd returns where the context after byte i ends, with the same limits as contextStart.
func contextEnd(text string, i, n int) int {
	to := min(len(text), i+n)
	if at := strings.Index(text[i:to], "\n\n"); at >= 0 {
		return i + at
	}
	return to
}

// negations are words directly before something that must not be done.
var negations = []string{
	"never", "not", "don't", "dont", "do not", "must not", "mustn't", "cannot", "can't", "avoid", "without", "shouldn't", "won't",
	"instead of", "rather than", "over", "unset", "unset-all", "refuse to", "refuses to", "refused to", "forbid", "forbids", "forbidden to", "no", "nobody should", "avoided", "prevents", "disallow", "disallows", "stop using", "not use", "never use", "never run",
	"not run", "avoid using", "avoid running", "never pass", "not pass", "don't use", "don't run", "not blindly", "never blindly", "not to", "not ever", "not just", "unless", "nicht", "niemals", "nie", "kein", "keine", "keinen", "aucun", "éviter", "jamais", "nunca", "не",
}

// isNegated reports whether a text ends with a negation, followed by at most a few words of the
// same clause.
func isNegated(before string) bool {
	at := strings.LastIndexAny(before, ".!?;\n")
	before = strings.TrimRight(before[at+1:], " \t`\"'*_:(")
	for range 5 {
		for _, n := range negations {
			if strings.HasSuffix(before, n) && (len(before) == len(n) || !isLetter(before[len(before)-len(n)-1])) {
				return true
			}
		}
		cut := strings.LastIndexByte(before, ' ')
		if cut < 0 || strings.HasSuffix(before[:cut], ",") {
			return false
		}
		before = strings.TrimRight(before[:cut], " \t`\"'*_:(,")
	}
	return false
}

// endsForbiddenList reports whether a text ends in the last item of a list of what must not be done,
// as in "Never amend, force-push, or pass".
func endsForbiddenList(before string) bool {
	sentence := strings.TrimLeft(before[strings.LastIndexAny(before, ".!?;:")+1:], " \n*_-")
	at := strings.LastIndex(sentence, ", or ")
	return at >= 0 && len(strings.Fields(sentence[at:])) <= 5 && hasAnyPrefix(sentence, "never ;do not ;don't ;must not ;avoid ;no ")
}

// inQuotes reports whether the match between before and after is in quotation marks on its line.
func inQuotes(before, after string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	if at := strings.IndexByte(after, '\n'); at >= 0 {
		after = after[:at]
	}
	for _, q := range []string{"\"\"", "``", "“”", "„“", "«»", "「」", "‘’", "''"} {
		open, n := utf8.DecodeRuneInString(q)
		shut := q[n:]
		if strings.HasSuffix(before, string(open)) && strings.HasPrefix(after, shut) {
			return true
		}
		if strings.Contains(after, shut) && isQuoteOpen(before, string(open), shut) {
			return true
		}
	}
	return false
}

// isQuoteOpen reports whether a text ends inside a quotation.
func isQuoteOpen(text, open, shut string) (isOpen bool) {
	if open != shut {
		return strings.LastIndex(text, open) > strings.LastIndex(text, shut)
	}
	for i := range len(text) {
		if text[i] != open[0] || open == "'" && i > 0 && i+1 < len(text) && isLetter(text[i-1]) && isLetter(text[i+1]) {
			continue
		}
		isOpen = !isOpen
	}
	return isOpen
}

// discussionWords are beginnings of words with which people discuss attacks.
var discussionWords = wordsByFirstByte(`
	inject jailbreak attack malicious adversar hostile poison phish exploit vulnerab heuristic classif
	regex e.g. example fixture payload corpus sanitis sanitiz blocklist denylist
	quarantin mitigat owasp threat red-team redteam untrusted trick
	neutrali forbidden banned beware suspicious documented tokenizer tokeniser angriff attaque ataque`)

// quotedDiscussionWords count as discussion too, but for a relation only next to a quotation.
var quotedDiscussionWords = wordsByFirstByte("detect scanner pattern phrase reject refuse flags flagged filters filtered attempt catches blocks strip escap warn")

// containsWordStart reports whether a word in the context begins with one of the words, outside host
// names and paths.
func containsWordStart(before, after string, words *[256][]string) bool {
	for _, text := range []string{before, after} {
		for i := range len(text) {
			if i > 0 && strings.IndexByte(" \n\t(\"'`*_[", text[i-1]) < 0 {
				continue
			}
			if slices.ContainsFunc(words[text[i]], func(w string) bool { return strings.HasPrefix(text[i:], w) && !isDottedName(text[i:]) }) {
				return true
			}
		}
		if containsAny(text, "such as;for instance;like this:;dangerous command;dangerous bash") {
			return true
		}
	}
	return false
}

// isDottedName reports whether s begins with a name that contains dots, as host names do.
func isDottedName(s string) bool {
	name := strings.TrimRight(s[:runEnd(s, 0, slug|dot)], ".")
	return strings.Contains(name, ".") && !strings.HasPrefix(name, "e.g")
}

// isProgramLines reports whether a match that looked like one sentence is several lines of a
// program: the first line exports a variable or ends a docstring, and no line sends anything.
func isProgramLines(span string) bool {
	first, _, lines := strings.Cut(span, "\n")
	first = strings.TrimSpace(first)
	if sender, _ := findCommand(span, 0, sendCommands); !lines || sender >= 0 {
		return false
	}
	return strings.HasSuffix(first, `"""`) || strings.HasPrefix(first, "export ")
}

// isAboutResisting reports whether a match asks to ignore attempts to change an agent instead of
// the agent's instructions, or is a title about overriding a prompt.
func isAboutResisting(text string, start, end int) bool {
	said := lowerASCII(text[start:contextEnd(text, end, 20)])
	for try := range strings.SplitSeq(", die ; que inten; qui ten; qui essa; that try; that attempt", ";") {
		if ignored, _, ok := strings.Cut(said, try); ok {
			return !containsAny(ignored, "previous;prior;above;earlier;your;all ;system;alle;bisherig;vorherig;anterior;précéd")
		}
	}
	return strings.HasSuffix(said[:end-start], "prompt override") && strings.HasPrefix(said[end-start:], " (")
}

// setsSessionPrompt reports whether a match describes an option that sets the prompt of a session.
func setsSessionPrompt(text string, start, end int) bool {
	after := lowerASCII(text[end:contextEnd(text, end, 20)])
	return hasAnyPrefix(lowerASCII(text[start:end]), "replace") && hasAnyPrefix(after, " for a ; for the ")
}

// requiresAsking reports whether the match forbids doing something without asking.
func requiresAsking(before, span string) bool {
	return containsAny(lowerASCII(span), " without ") && isNegated(before)
}

// saysWhereToGetKey reports whether a sentence says where to get a key instead of where to send it.
func saysWhereToGetKey(sentence string) bool {
	s := lowerASCII(sentence)
	if at := strings.LastIndex(s, "http"); at >= 0 {
		label, ok := strings.CutSuffix(strings.TrimRight(sentence[:at], " "), ":")
		if ok && !slices.ContainsFunc(strings.Fields(label), func(w string) bool { return w[0] > 'Z' }) {
			return true // a name, as in "Email OTP: https://…"
		}
		return hasAnySuffix(strings.TrimRight(s[:at], " <[(`\""), " from") && !strings.Contains(s, " to ") && strings.Count(s, "http") == 1
	}
	return containsAny(s, "webhook secret;webhook token;telegram bot token;telegram token;discord token;discord bot token") && !containsAny(s, " to ; into ")
}

// isQuotedWord reports whether a match ends in a quotation of what a user says, as in the triggers
// of a skill, or of the label of a button.
func isQuotedWord(text string, start, end int) bool {
	span := text[start:end]
	at := strings.LastIndexByte(span, '"')
	if at < 0 {
		return false
	}
	_, behind, _ := strings.Cut(text[end:contextEnd(text, end, contextAfter)], `"`)
	if hasAnyPrefix(behind, " button; tab; link; page; menu; icon; option; field; checkbox") {
		return true
	}
	return hasAnySuffix(lowerASCII(span[:at]), "says ;types ;writes ") && !strings.Contains(span[at:], " ") && hasAnyPrefix(behind, `, ";, or "; or "`)
}

// inSearchPattern reports whether a match is in a quoted pattern that a program searches for.
func inSearchPattern(before, after string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return inQuotes(before, after) && containsAny(before, "grep -;egrep ;=~ ;.match(;.test(;re.search(;re.compile(")
}

// inFirstTableCell reports whether byte i is in the first cell of a table row, which the other
// cells usually explain.
func inFirstTableCell(text string, i int) bool {
	before := bytesBefore(text, i, contextBefore)
	line := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
	return strings.HasPrefix(line, "|") && strings.Count(line, "|") == 1
}

// underNegatedHeading reports whether byte i is in a list item that is negated, or whose list
// follows a line that is negated.
func underNegatedHeading(text string, i int) bool {
	from := max(0, i-contextBefore*8)
	lines := strings.Split(text[from:i], "\n")
	for k := len(lines) - 1; k >= 0; k-- {
		line := strings.TrimLeft(lines[k], " \t>|")
		item := line != "" && strings.IndexByte("-*+0123456789", line[0]) >= 0 && !strings.HasPrefix(line, "**")
		switch {
		case item && k == len(lines)-1 && containsNegation(strings.ToLower(line)):
			return true
		case !item && k == len(lines)-1:
			return false
		case !item && strings.TrimSpace(line) != "":
			return containsNegation(strings.ToLower(line))
		}
	}
	return false
}

// isLabelledWrong reports whether the line of byte i begins with a label such as "Wrong:".
func isLabelledWrong(text string, i int) bool {
	before := bytesBefore(text, i, contextBefore*8)
	label, _, ok := strings.Cut(strings.TrimLeft(before[strings.LastIndexByte(before, '\n')+1:], " \t>-*"), ":")
	return ok && inWordList("wrong bad incorrect ❌ anti-pattern don't not", strings.TrimPrefix(strings.Trim(strings.ToLower(label), "*_` "), "❌ "))
}

// inDenyList reports whether byte i is in the JSON list "deny" of an agent's permissions.
func inDenyList(text string, i int) bool {
	before := bytesBefore(text, i, contextBefore*16)
	deny := strings.LastIndex(before, `"deny"`)
	return deny >= 0 && !strings.Contains(before[deny:], "]") && strings.Contains(before[deny:], "[")
}

// containsNegation reports whether a lower-case line contains a negation.
func containsNegation(line string) bool {
	return strings.Contains(line, "❌") || slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return !isLatinLetter(r) && r != '\'' && r != '’' }), func(w string) bool { return negationWords()[w] })
}

var negationWords = wordSet("not never don't don’t dont avoid won't forbidden prohibited cannot wrong bad mistakes anti incorrect refuse blocks blocked banned nos")

// adviceBeginnings follow "do not tell the user" when only advice is withheld, as in "do not tell
// the user to run it". Nothing is hidden then.
const adviceBeginnings = "interface;what is ;what to ;what they ;how to ;to run ;to do ;to go ;to install ;to use ;to open ;to check ;to try ;that you are unable;that you cannot;that you can't"

// tellsSomebody reports whether an apparent order to hide something hides nothing.
func tellsSomebody(text string, start, end int) bool {
	after := strings.ToLower(strings.TrimLeft(text[end:contextEnd(text, end, contextAfter)], " \n*_"))
	span := strings.ToLower(text[start:end])
	for a := range strings.SplitSeq(adviceBeginnings, ";") {
		if strings.HasPrefix(after, a) || continuesAdvice(span, after, a) {
			return true
		}
	}
	if !hasAnyPrefix(after, "qu';qu’;que ") { // French and Spanish may put the negation after the verb; what the user is told follows
		return false
	}
	before := strings.Fields(strings.ToLower(text[contextStart(text, start, contextBefore):start]))
	words := append(before[max(0, len(before)-2):], strings.Fields(span)...)
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "n'") || strings.HasPrefix(w, "n’") ||
			inWordList("ne pas jamais sans rien no nunca jamás nada sin não nao nem sem", strings.Trim(w, "*_.,:`\""))
	})
}

// continuesAdvice reports whether advice is in a match, or begins at its end and continues after
// it.
func continuesAdvice(span, after, advice string) bool {
	for i, c := range advice {
		if c == ' ' && strings.HasSuffix(span, " "+advice[:i]) && strings.HasPrefix(after+" ", advice[i+1:]) {
			return true
		}
	}
	return strings.Contains(span, " "+advice)
}

// reportingEndings are words after which a text reports what somebody else does or wants.
const reportingEndings = " to; will; would; could; can; may; might; says; said; saying; that say; which says; contains;" +
	" containing; mention; mentions; mentioning; called; named; titled; text; string; message; reads; they; it; we"

// isReportedSpeech reports whether a text ends with such a word that is not addressed to the
// reader.
func isReportedSpeech(before string) bool {
	before = strings.TrimRight(before, " \t\n\"'`“‘«")
	for w := range strings.SplitSeq(reportingEndings, ";") {
		if head, ok := strings.CutSuffix(before, w); ok {
			return !hasAnySuffix(head, "you;need;want you;have;is;important;ask you;going;order you;required;free")
		}
	}
	return false
}
