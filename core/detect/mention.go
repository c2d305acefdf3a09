package detect

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// How much text around a place is examined to find out whether the place is only mentioned.
const (
	talkBefore = 140
	talkAfter  = 90
)

// weight says what remains of a find after its context was examined.
type weight uint8

const (
	meant   weight = iota // it is meant as an instruction
	quoted                // it seems to be quoted or discussed
	dropped               // it is both quoted and discussed, or it is forbidden
)

// talked returns the weight of the find at the bytes start to end. A negated find is dropped,
// unless it is negative itself (an order not to do something). A find that is both quoted and
// discussed is dropped too. Quotation marks around a command belong to the shell and do not count.
func talked(text string, start, end int, command, negative bool) weight {
	before := strings.ToLower(text[backTo(text, start, talkBefore):start])
	after := strings.ToLower(text[end:aheadTo(text, end, talkAfter)])
	if !negative && (negated(before) || listedAfterNo(before)) || negative && asksFirst(before, text[start:end]) || listedAsRefused(text, start) || command && inDenyList(text, start) {
		return dropped
	}
	var points weight
	for _, yes := range []bool{!command && inQuotes(before, after), command && (inTable(text, start) || inPattern(before, after)), talks(before, talkBy()) || talks(after, talkBy()) || talks(before, quotingBy()) || talks(after, quotingBy()), reported(before)} {
		if yes {
			points++
		}
	}
	return min(points, dropped)
}

// backTo returns where the context before byte i begins: at most n bytes, within the paragraph.
func backTo(text string, i, n int) int {
	from := max(0, i-n)
	if at := strings.LastIndex(text[from:i], "\n\n"); at >= 0 {
		return from + at + 2
	}
	for from < i && !utf8.RuneStart(text[from]) {
		from++
	}
	return from
}

// aheadTo returns where the context after byte i ends, with the same limits as backTo.
func aheadTo(text string, i, n int) int {
	to := min(len(text), i+n)
	if at := strings.Index(text[i:to], "\n\n"); at >= 0 {
		return i + at
	}
	return to
}

// negations directly precede something that must not be done.
var negations = []string{
	"never", "not", "don't", "dont", "do not", "must not", "mustn't", "cannot", "can't", "avoid", "without", "shouldn't", "won't",
	"instead of", "rather than", "over", "unset", "unset-all", "refuse to", "refuses to", "refused to", "forbid", "forbids", "forbidden to", "no", "nobody should", "avoided", "prevents", "disallow", "disallows", "stop using", "not use", "never use", "never run",
	"not run", "avoid using", "avoid running", "never pass", "not pass", "don't use", "don't run", "not blindly", "never blindly", "not to", "not ever", "not just", "unless", "nicht", "niemals", "nie", "kein", "keine", "keinen", "aucun", "éviter", "jamais", "nunca", "не",
}

// negated reports whether a text ends with a negation, followed by at most two words and
// punctuation.
func negated(before string) bool {
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

// listedAfterNo reports whether a text ends in the last part of a list of what must not be done, as
// in "Never amend, force-push, or pass".
func listedAfterNo(before string) bool {
	sentence := strings.TrimLeft(before[strings.LastIndexAny(before, ".!?;:")+1:], " \n*_-")
	at := strings.LastIndex(sentence, ", or ")
	return at >= 0 && len(strings.Fields(sentence[at:])) <= 5 && hasAnyPrefix(sentence, "never ;do not ;don't ;must not ;avoid ;no ")
}

// inQuotes reports whether a place is in quotation marks on its line.
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
		if strings.Contains(after, shut) && opened(before, string(open), shut) {
			return true
		}
	}
	return false
}

// closesQuote reports whether a quotation that is open before a span ends inside it: what seems to
// belong together is only half said.
func closesQuote(before, span string) bool {
	return strings.Contains(span, `"`) && opened(before[strings.LastIndexByte(before, '\n')+1:], `"`, `"`)
}

// opened reports whether a quotation is open at the end of a text.
func opened(text, open, shut string) (odd bool) {
	if open != shut {
		return strings.LastIndex(text, open) > strings.LastIndex(text, shut)
	}
	for i := range len(text) {
		if text[i] != open[0] || open == "'" && i > 0 && i+1 < len(text) && isLetter(text[i-1]) && isLetter(text[i+1]) {
			continue
		}
		odd = !odd
	}
	return odd
}

// talkWords are the beginnings of words by which people discuss such texts.
var talkWords = strings.Fields(`
	inject jailbreak attack malicious adversar hostile poison phish exploit vulnerab heuristic classif
	regex e.g. example fixture payload corpus sanitis sanitiz blocklist denylist
	quarantin mitigat owasp threat red-team redteam untrusted trick
	neutrali forbidden banned beware suspicious documented tokenizer tokeniser angriff attaque ataque`)

// quotingWords are words by which people discuss such texts when they quote them.
var quotingWords = strings.Fields("detect scanner pattern phrase reject refuse flags flagged filters filtered attempt catches blocks strip escap warn")

// byLetter groups words by their first letter.
func byLetter(words []string) *[256][]string {
	var by [256][]string
	for _, w := range words {
		by[w[0]] = append(by[w[0]], w)
	}
	return &by
}

var talkBy, quotingBy = sync.OnceValue(func() *[256][]string { return byLetter(talkWords) }), sync.OnceValue(func() *[256][]string { return byLetter(quotingWords) })

// talks reports whether a text contains one of the words, outside addresses and paths.
func talks(text string, by *[256][]string) bool {
	for i := range len(text) {
		if i > 0 && strings.IndexByte(" \n\t(\"'`*_[", text[i-1]) < 0 {
			continue
		}
		for _, w := range by[text[i]] {
			if strings.HasPrefix(text[i:], w) && !dotted(text[i:]) {
				return true
			}
		}
	}
	return containsAny(text, "such as;for instance;like this:;dangerous command;dangerous bash")
}

// dotted reports whether the word at the start of s continues after a full stop, as host names do.
func dotted(s string) bool {
	name := strings.TrimRight(s[:run(s, 0, slug|dot)], ".")
	return strings.Contains(name, ".") && !strings.HasPrefix(name, "e.g")
}

// statements reports whether a span that was read as one sentence is really several lines of a
// program. The first line must set a variable or explain a function, and no line may send anything.
func statements(span string) bool {
	first, _, lines := strings.Cut(span, "\n")
	first = strings.TrimSpace(first)
	if sender, _ := commandAt(span, 0, senders); !lines || sender >= 0 {
		return false
	}
	return strings.HasSuffix(first, `"""`) || strings.HasPrefix(first, "export ")
}

// resisted reports whether a text asks to ignore attempts to change an agent's behaviour instead of
// its earlier instructions, or whether the find is a title that mentions overriding a prompt.
func resisted(text string, start, end int) bool {
	said := lowerASCII(text[start:aheadTo(text, end, 20)])
	for try := range strings.SplitSeq(", die ; que inten; qui ten; qui essa; that try; that attempt", ";") {
		if ignored, _, ok := strings.Cut(said, try); ok {
			return !containsAny(ignored, "previous;prior;above;earlier;your;all ;system;alle;bisherig;vorherig;anterior;précéd")
		}
	}
	return strings.HasSuffix(said[:end-start], "prompt override") && strings.HasPrefix(said[end-start:], " (")
}

// sessionPrompt reports whether the text sets a prompt for a session by an option.
func sessionPrompt(text string, start, end int) bool {
	after := lowerASCII(text[end:aheadTo(text, end, 20)])
	return hasAnyPrefix(lowerASCII(text[start:end]), "replace") && hasAnyPrefix(after, " for a ; for the ")
}

// asksFirst reports whether doing something "without asking" is forbidden, so that somebody is
// asked.
func asksFirst(before, span string) bool {
	return containsAny(lowerASCII(span), " without ") && negated(before)
}

// fetched reports whether a sentence says where to get a key or what it is for, instead of where to
// send it.
func fetched(sentence string) bool {
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

// wordSaid reports whether the last word is part of what somebody says (the first of several
// things, as when users ask for a skill) or of the text on a button.
func wordSaid(text string, start, end int) bool {
	span := text[start:end]
	at := strings.LastIndexByte(span, '"')
	if at < 0 {
		return false
	}
	_, behind, _ := strings.Cut(text[end:aheadTo(text, end, talkAfter)], `"`)
	if hasAnyPrefix(behind, " button; tab; link; page; menu; icon; option; field; checkbox") {
		return true
	}
	return hasAnySuffix(lowerASCII(span[:at]), "says ;types ;writes ") && !strings.Contains(span[at:], " ") && hasAnyPrefix(behind, `, ";, or "; or "`)
}

// inPattern reports whether a place is in a quoted pattern that a program searches for.
func inPattern(before, after string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	return inQuotes(before, after) && containsAny(before, "grep -;egrep ;=~ ;.match(;.test(;re.search(;re.compile(")
}

// inTable reports whether byte i is in the first cell of a table row, which the other cells
// explain.
func inTable(text string, i int) bool {
	before := text[max(0, i-talkBefore):i]
	line := strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:])
	return strings.HasPrefix(line, "|") && strings.Count(line, "|") == 1
}

// listedAsRefused reports whether byte i is in a list item whose heading says not to do what the
// items say. The heading is the last line before the items.
func listedAsRefused(text string, i int) bool {
	from := max(0, i-talkBefore*8)
	lines := strings.Split(text[from:i], "\n")
	for k := len(lines) - 1; k >= 0; k-- {
		line := strings.TrimLeft(lines[k], " \t>|")
		item := line != "" && strings.IndexByte("-*+0123456789", line[0]) >= 0 && !strings.HasPrefix(line, "**")
		switch {
		case item && k == len(lines)-1 && saysNot(strings.ToLower(line)):
			return true
		case !item && k == len(lines)-1:
			return false
		case !item && strings.TrimSpace(line) != "":
			return saysNot(strings.ToLower(line))
		}
	}
	return false
}

// labelledWrong reports whether the line of byte i begins with a label that marks it as a wrong
// example.
func labelledWrong(text string, i int) bool {
	before := text[max(0, i-talkBefore*8):i]
	label, _, ok := strings.Cut(strings.TrimLeft(before[strings.LastIndexByte(before, '\n')+1:], " \t>-*"), ":")
	return ok && containsWord("wrong bad incorrect ❌ anti-pattern don't not", strings.TrimPrefix(strings.Trim(strings.ToLower(label), "*_` "), "❌ "))
}

// inDenyList reports whether byte i is in a JSON list of what an agent must not do.
func inDenyList(text string, i int) bool {
	before := text[max(0, i-talkBefore*16):i]
	deny := strings.LastIndex(before, `"deny"`)
	return deny >= 0 && !strings.Contains(before[deny:], "]") && strings.Contains(before[deny:], "[")
}

// saysNot reports whether a heading contains a negation.
func saysNot(line string) bool {
	return strings.Contains(line, "❌") || slices.ContainsFunc(strings.FieldsFunc(line, func(r rune) bool { return !latin(r) && r != '\'' && r != '’' }), func(w string) bool { return refusals()[w] })
}

var refusals = setOf("not never don't don’t dont avoid won't forbidden prohibited cannot wrong bad mistakes anti incorrect refuse blocks blocked banned nos")

// advising is what follows "do not tell the user" if only advice is withheld, or if it means not to
// leave the user alone with a task. Nothing is hidden then.
const advising = "interface;what is ;what to ;what they ;how to ;to run ;to do ;to go ;to install ;to use ;to open ;to check ;to try ;that you are unable;that you cannot;that you can't"

// informs reports whether an apparent order to hide something still tells somebody.
func informs(text string, start, end int) bool {
	after := strings.ToLower(strings.TrimLeft(text[end:aheadTo(text, end, talkAfter)], " \n*_"))
	span := strings.ToLower(text[start:end])
	for a := range strings.SplitSeq(advising, ";") {
		if strings.HasPrefix(after, a) || advised(span, after, a) {
			return true
		}
	}
	if !hasAnyPrefix(after, "qu';qu’;que ") { // French and Spanish may put the negation after the verb; what the user is told follows
		return false
	}
	before := strings.Fields(strings.ToLower(text[backTo(text, start, talkBefore):start]))
	words := append(before[max(0, len(before)-2):], strings.Fields(span)...)
	return !slices.ContainsFunc(words, func(w string) bool {
		return strings.HasPrefix(w, "n'") || strings.HasPrefix(w, "n’") ||
			containsWord("ne pas jamais sans rien no nunca jamás nada sin não nao nem sem", strings.Trim(w, "*_.,:`\""))
	})
}

// advised reports whether advice begins at the end of a span and continues after it.
func advised(span, after, advice string) bool {
	for i, c := range advice {
		if c == ' ' && strings.HasSuffix(span, " "+advice[:i]) && strings.HasPrefix(after+" ", advice[i+1:]) {
			return true
		}
	}
	return strings.Contains(span, " "+advice)
}

// reporting are the ends of phrases that say that somebody does, or wants, what follows.
const reporting = " to; will; would; could; can; may; might; says; said; saying; that say; which says; contains;" +
	" containing; mention; mentions; mentioning; called; named; titled; text; string; message; reads; they; it; we"

// reported reports whether the text says that somebody else does or wants what follows.
func reported(before string) bool {
	before = strings.TrimRight(before, " \t\n\"'`“‘«")
	for w := range strings.SplitSeq(reporting, ";") {
		if head, ok := strings.CutSuffix(before, w); ok {
			return !hasAnySuffix(head, "you;need;want you;have;is;important;ask you;going;order you;required;free")
		}
	}
	return false
}
