package detect

import (
	"regexp"
	"slices"
	"strings"
	"sync"
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

// judgeContext returns the verdict on the match text[start:end]. What is forbidden is dropped; negative
// says that the match is itself an order not to do something. A quotation counts as a mention, and so do
// words of discussion. Quotation marks around a command belong to the shell and do not count.
func judgeContext(text string, start, end int, command, negative bool) verdict {
	before := strings.ToLower(text[contextStart(text, start, contextBefore):start])
	after := strings.ToLower(text[end:contextEnd(text, end, contextAfter)])
	forbidden := isForbidden(after) || underNegatedHeading(text, start) || isDenied(text, start, end)
	if forbidden || !negative && isNegated(before) {
		return dropped
	}
	mentions := 0
	if isLabelledWrong(text, start) || command && isWayOut(before) {
		mentions++
	}
	if !command && inQuotes(before, after) || command && inExample(text, start, before, after) {
		mentions++
	}
	if containsWordStart(before, discussionWords()) || containsWordStart(after, discussionWords()) {
		mentions++
	}
	return min(verdict(mentions), dropped)
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

// negations are words that forbid what follows in their clause.
var negations = wordSet(
	`never not don't dont don’t can't cannot avoid avoided avoids without shouldn't won't mustn't unset
	unset-all refuse refuses refused forbid forbids forbidden no nobody prevents disallow disallows unless
	instead rather than over stop block blocks blocked reject rejects deny denies nicht niemals nie kein
	keine keinen ohne verbiete aucun aucune éviter jamais sans pas nunca jamás evitar não nem sem non mai
	senza niet nooit geen не никогда нельзя запрещено asla`,
)

// spacelessNegations are those of languages without spaces between words, separated by semicolons.
const spacelessNegations = "不要;不得;不能;不可;切勿;请勿;勿;禁止;严禁;避免;绝不;不应;別;" +
	"ないで;禁じ;금지;마세요"

// isNegated reports whether a text ends in a clause with a negation at most some words back.
func isNegated(before string) bool {
	clause := before[max(strings.LastIndexAny(before, ".!?;"), strings.LastIndex(before, "。"))+1:]
	for at := strings.LastIndexByte(clause, '\n'); at >= 0; at = strings.LastIndexByte(clause[:at], '\n') {
		if next := clause[at+1:]; next == "" || !inClass(next[0], lower|blank) {
			clause = next // not a line that was wrapped
			break
		}
	}
	if containsAny(clause, spacelessNegations) {
		return true
	}
	near := 5 // words
	words := strings.Fields(strings.TrimLeft(clause, " \n-*>#"))
	if slices.Contains(words[max(0, len(words)-3):], "even") {
		near += 3 // as in "never skip these gates, even with"
	}
	if listsForbidden(words) || hasAnySuffix(clause, "what to ;when to ;whether to ") {
		return true // the verb is a part of a question
	}
	for i := len(words) - 1; i >= max(0, len(words)-near); i-- {
		if negations()[strings.Trim(words[i], "*_`\"':(,")] {
			return true
		}
		if i == len(words)-1 || !strings.HasSuffix(words[i], ",") || words[i+1] == "even" {
			continue
		}
		if !strings.HasSuffix(words[i], "`,") || !strings.HasPrefix(words[i+1], "`") {
			return false
		}
		near += 4 // a list of commands, which one negation forbids
	}
	return false
}

// listsForbidden reports whether a clause begins with a negation and is a list of what must not be done.
func listsForbidden(words []string) bool {
	opening := words[:min(len(words), 2)]
	negated := slices.ContainsFunc(opening, func(w string) bool { return negations()[strings.Trim(w, "*_`\"'")] })
	return negated && slices.Contains(words, "or")
}

// isForbidden reports whether the rest of a sentence says that what precedes it must not be done.
func isForbidden(after string) bool {
	if at := strings.IndexAny(after, ".;\n"); at >= 0 {
		after = after[:at]
	}
	return containsAny(after, "not allowed;not permitted;forbidden;prohibited;are reverted;is reverted;are rejected;"+
		"is rejected;not acceptable;"+
		"verboten;interdit;prohibido;proibido;vietato;запрещ;禁止;是不允许;不允许;금지;禁じ")
}

// inQuotes reports whether the match between before and after is in quotation marks on its line.
func inQuotes(before, after string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after = after[:lineLen(after)]
	for _, q := range []string{"\"\"", "``", "“”", "„“", "«»", "「」", "‘’", "''"} {
		open, n := utf8.DecodeRuneInString(q)
		shut := q[n:]
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
		apostrophe := open == "'" && i > 0 && i+1 < len(text) && isLetter(text[i-1]) && isLetter(text[i+1])
		if text[i] == open[0] && !apostrophe {
			isOpen = !isOpen
		}
	}
	return isOpen
}

// discussionWords are beginnings of words with which people discuss attacks.
var discussionWords = wordsByFirstByte(`
	inject jailbreak attack malicious adversar hostile poison phish exploit vulnerab heuristic classif
	regex e.g. example fixture payload corpus sanitis sanitiz blocklist denylist
	quarantin mitigat owasp threat red-team redteam untrusted trick homoglyph lookalike
	neutrali banned beware suspicious documented tokenizer tokeniser angriff attaque ataque
	detect scanner strip escap flags flagged filters filtered attempt catches`)

// containsWordStart reports whether a word of a text begins with one of the words.
func containsWordStart(text string, words *[256][]string) bool {
	for i := range len(text) {
		if i > 0 && strings.IndexByte(" \n\t(\"'`*_[", text[i-1]) < 0 {
			continue
		}
		if slices.ContainsFunc(words[text[i]], func(w string) bool {
			return strings.HasPrefix(text[i:], w) && !isDomain(text[i:runEnd(text, i, slug|dot)])
		}) {
			return true
		}
	}
	return containsAny(text, "such as;like this:;dangerous command")
}

// inExample reports whether a command is the first cell of a table row, which the other cells explain, or a
// quoted pattern that a program searches for.
func inExample(text string, start int, before, after string) bool {
	before = before[strings.LastIndexByte(before, '\n')+1:]
	line := strings.TrimSpace(before)
	isElement := line == `"` || line == "'"                           // of a list of patterns, in the script of a hook
	isPermission := hasAnyPrefix(line, `"bash(;"powershell(;"shell(`) // it allows a command, and runs none
	return strings.HasPrefix(line, "|") && strings.Count(line, "|") == 1 || isPermission ||
		isElement && endsElement(text[start:]) ||
		inQuotes(before, after) && containsAny(before, "grep -;egrep ;=~ ;.match(;.test(;re.search(;re.compile(") ||
		containsAny(before, "pattern: /;regex: /;re: /")
}

// endsElement reports whether the line that goes on in a text ends with a quotation mark, and perhaps a comma.
func endsElement(text string) bool {
	line := strings.TrimRight(text[:lineLen(text)], " \t\r,")
	return line != "" && strings.IndexByte("\"'", line[len(line)-1]) >= 0
}

// isLabelledWrong reports whether the line of byte i begins with a label such as "Wrong:".
func isLabelledWrong(text string, i int) bool {
	before := bytesBefore(text, i, contextBefore)
	line := strings.TrimLeft(before[strings.LastIndexByte(before, '\n')+1:], " \t>-*_")
	label, _, ok := strings.Cut(strings.ToLower(line), ":")
	return strings.HasPrefix(line, "❌") ||
		ok && inWordList("wrong bad incorrect anti-pattern", strings.Trim(label, "*_` "))
}

// isWayOut reports whether a text ends in a label that names what follows as the exception to a check, as in
// "Bypass (discouraged): `".
func isWayOut(before string) bool {
	label := strings.TrimRight(before[:max(0, strings.LastIndexByte(before, '`'))], "* ")
	label = label[strings.LastIndexAny(label, ".;\n")+1:]
	return strings.HasSuffix(label, ":") &&
		containsAny(label, "bypass;override;escape hatch;emergenc;discouraged;not recommended")
}

// underNegatedHeading reports whether byte i is in a list item or table row that forbids it, or that is under
// a line that does.
func underNegatedHeading(text string, i int) bool {
	from := max(0, i-contextBefore*8)
	i += len(text[i:]) - len(strings.TrimLeft(text[i:], "-*+> ")) // a match may begin with the mark of its item
	lines := strings.Split(text[from:i], "\n")
	own := lines[len(lines)-1]
	if !isItem(own) {
		return false
	}
	if containsNegation(strings.ToLower(own)) {
		return true
	}
	for k := len(lines) - 2; k >= 0; k-- {
		if line := strings.TrimSpace(lines[k]); line != "" && !isItem(line) {
			return containsNegation(strings.ToLower(line))
		}
	}
	return false
}

// isItem reports whether a line is an item of a list or a row of a table.
func isItem(line string) bool {
	line = strings.TrimLeft(line, " \t>")
	return line != "" && strings.IndexByte("-*+|0123456789", line[0]) >= 0 && !strings.HasPrefix(line, "**")
}

// A list of what an agent must not do, in the settings of several agents, and a command with the decision
// about it.
var (
	openDenyList = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(
			`(?i)"[\w.-]*(?:deny|denied|denylist|exclude|excluded|excludetools|blocklist|forbidden|disallow\w*)"` +
				`\s*:\s*\[`,
		)
	})
	decidedAgainst = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[^"\n]*"\s*:\s*"(?:deny|ask|reject)"`)
	})
)

// isDenied reports whether text[start:end] is in a list of what an agent must not do, or in a key whose
// value is a decision against it.
func isDenied(text string, start, end int) bool {
	before := bytesBefore(text, start, contextBefore*16)
	lists := openDenyList().FindAllStringIndex(before, -1)
	if n := len(lists); n > 0 && isListOpen(before[lists[n-1][1]:]) {
		return true
	}
	return decidedAgainst().MatchString(bytesAfter(text, end, contextAfter))
}

// isListOpen reports whether a list does not end in a text that begins within it. Brackets in its strings end nothing.
func isListOpen(text string) bool {
	quoted := false
	for i := range len(text) {
		switch {
		case text[i] == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
		case text[i] == ']' && !quoted:
			return false
		}
	}
	return true
}

// wrongWords are words of headings over what must not be done.
const wrongWords = "prohibited wrong bad mistakes anti incorrect banned nos dangerous verboten interdit prohibido " +
	"proibido запрещено"

// containsNegation reports whether a line in lower case forbids something, or is about what is wrong.
func containsNegation(line string) bool {
	if containsAny(line, "❌;⛔;🚫;red flag;"+spacelessNegations) {
		return true
	}
	words := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t#*_`\"():,.!?|-", r) })
	return slices.ContainsFunc(words, func(w string) bool {
		return negations()[w] || inWordList(wrongWords, w)
	})
}
