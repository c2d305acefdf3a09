package detect

import (
	"slices"
	"strings"

	"winnow/core/jstext"
)

// Secrets returns the spans of s that look like a secret, sorted and not overlapping. It also finds
// secrets that are encoded or split by invisible characters; such a span covers the whole encoding.
// Redacted is not a secret.
//
// The original lesson format cuts a task summary to 200 units before it redacts it. So in a text of
// exactly that length, or one that contains Redacted, the beginning of a key at the end counts too.
func Secrets(s string) []Span {
	c := secretScanner{literals: secretLiterals()}
	c.scanDecoded(&decodedText{text: s})
	return c.result(s)
}

// Scan returns what Secrets returns and, from the same pass, whether Flags may find something.
// suspicious is false only if Suspicious is.
func Scan(s string) (secrets []Span, suspicious bool) {
	c := secretScanner{literals: allLiterals(), checksFlags: true}
	c.scanDecoded(&decodedText{text: s})
	return c.result(s), c.mayFlag
}

// scanDecoded finds secrets in a text, and in the text decoded up to maxDecodeDepth times. Places are those
// in the text that it was decoded from.
func (c *secretScanner) scanDecoded(text *decodedText) {
	for d := range text.layers() {
		before := len(c.found)
		c.scan(d.text)
		c.addCutKey(d.text)
		c.mayFlag = c.mayFlag || c.checksFlags && mayFlagWithoutKeyword(d.text)
		for i := before; i < len(c.found); i++ {
			p := &c.found[i]
			p.start, p.end = d.sourceRange(p.start, p.end)
		}
	}
}

// addCutKey adds the beginning of a key at the cut end of s.
func (c *secretScanner) addCutKey(s string) {
	if c.tokenBegun || len(c.found) > 0 {
		if p, ok := CutKey(s); ok {
			c.found = append(c.found, secretSpan{p.Start, p.End, ruleIndex(ruleCut)})
		}
	}
}

// maxCutBytes is how many bytes at the end of a cut text may hold the beginning of a key.
const maxCutBytes = 100

// CutKey returns the beginning of a key at the end of a summary that was cut. A text counts as cut
// if it is exactly 200 units long or contains Redacted.
func CutKey(summary string) (Span, bool) {
	const cut = 200
	s := summary
	mayBeCut := len(s) >= cut && len(s) <= 3*cut && inClass(s[len(s)-1], slug) && jstext.Len(s) == cut
	if !mayBeCut && !strings.Contains(s, Redacted) {
		return Span{}, false
	}
	for _, find := range [...]func(string) int{cutTokenStart, cutPasswordStart, cutPEMStart} {
		if start := find(s); start >= 0 {
			return Span{start, len(s), ruleCut}, true
		}
	}
	return Span{}, false
}

// minCutBody is how many bytes after its prefix identify a key.
const minCutBody = 6

// mayBeCut reports whether enough of the body follows at s[i] to identify the key if it is cut off.
func (f *tokenForm) mayBeCut(s string, i int) bool {
	it, _ := parseBodyItem(f.body)
	end := min(len(s), i+minCutBody)
	return len(f.prefix) > 2 && end == i+minCutBody && (it.set == 0 || runEnd(s[:end], i, it.set|slug|plusSlash) == end)
}

// mayCutPassword reports whether the authority of a URL at s[i] may be cut off inside its password.
func mayCutPassword(s string, i int) bool {
	end := runEnd(s[:min(len(s), i+maxCutBytes)], i, slug|dot)
	return end+minCutBody < len(s) && s[end] == ':' && runEnd(s[:end+1+minCutBody], end+1, digit) <= end+minCutBody
}

// cutTokenStart returns where a token that is cut off at the end of s begins, or -1.
func cutTokenStart(s string) int {
	const longest = 40
	word := runStart(s, 0, len(s), slug|dot)
	last := max(0, len(s)-maxCutBytes)
	for _, r := range secretRules() {
		for _, f := range r.forms {
			it, _ := parseBodyItem(f.body)
			if len(f.prefix) < 3 || it.set == 0 {
				continue
			}
			start, set := word, it.set
			if strings.Contains(f.prefix, "/") { // an address
				start, set = last+strings.LastIndex(s[last:], f.prefix), alnum|slug|plusSlash
			}
			if start < last || len(s)-start > longest && start == word {
				continue
			}
			rest, ok := strings.CutPrefix(s[start:], f.prefix)
			if ok && len(rest) >= minCutBody && runEnd(rest, 0, set) == len(rest) && !isPlaceholder(rest) {
				return start
			}
		}
	}
	return -1
}

// cutPasswordStart returns where the password begins in a URL that is cut off inside it,
// or -1.
func cutPasswordStart(s string) int {
	i := lastIndexBefore(s, "://", len(s), maxCutBytes)
	if i < 0 {
		return -1
	}
	user, secret, ok := strings.Cut(s[i+3:], ":")
	if !ok || runEnd(user, 0, slug|dot) < len(user) || len(secret) < minCutBody ||
		strings.ContainsAny(secret, "@/?#: []") ||
		!hasDigit(secret) ||
		runEnd(secret, 0, digit) == len(secret) ||
		isPlaceholder(secret) {
		return -1
	}
	return len(s) - len(secret)
}

// cutPEMStart returns where a private key begins that is cut off in or soon after its first line,
// or -1.
func cutPEMStart(s string) int {
	start := lastIndexBefore(s, "-----BEGIN ", len(s), maxCutBytes)
	if start < 0 || !strings.Contains(s[start:], "PRIVATE KEY--") {
		return -1
	}
	return start
}

// MergeSpans sorts spans and joins those that overlap.
func MergeSpans(spans []Span) []Span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortStableFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	out := spans[:1]
	for _, p := range spans[1:] {
		last := &out[len(out)-1]
		if p.Start >= last.End {
			out = append(out, p)
		} else {
			last.End = max(last.End, p.End)
		}
	}
	return out
}

// SecretsInLine returns the spans of a line of JSON that look like a secret, sorted and not
// overlapping. It searches the line once, with the escapes of JSON decoded, and the end of each string for the
// beginning of a key that was cut. The line may be incomplete or malformed.
func SecretsInLine(line string) []Span {
	c := secretScanner{literals: secretLiterals()}
	u := Unescape(line)
	return c.scanLine(line, &u)
}

// LineScanner scans lines one after the other, in memory that it keeps for the next one. It must be used by one
// goroutine only. Its zero value is ready.
type LineScanner struct{ scanner secretScanner }

// Scan returns what SecretsInLine returns for a line that was unescaped, and the second result of the function Scan
// for its text.
func (l *LineScanner) Scan(line string, u *Unescaped) (secrets []Span, suspicious bool) {
	c := &l.scanner
	*c = secretScanner{
		literals: allLiterals(), checksFlags: true,
		found: c.found[:0], flagScanner: c.flagScanner,
	}
	secrets = c.scanLine(line, u)
	return secrets, c.mayFlag
}

func (c *secretScanner) scanLine(line string, u *Unescaped) []Span {
	c.scanDecoded(&u.decodedText)
	if len(c.found) == 0 && !c.tokenBegun {
		return nil
	}
	for quote, next := indexFrom(line, `"`, 0), 0; quote >= 0; quote = indexFrom(line, `"`, next) {
		end := jsonStringEnd(line, quote+1)
		c.addCutKeyOfString(line, quote+1, end)
		next = min(end+1, len(line))
	}
	return c.result(line)
}

// addCutKeyOfString adds the beginning of a key at the cut end of the JSON string line[start:end].
func (c *secretScanner) addCutKeyOfString(line string, start, end int) {
	text := Unescape(line[start:end])
	if key, ok := CutKey(text.text); ok {
		from, to := text.sourceRange(key.Start, key.End)
		c.found = append(c.found, secretSpan{start + from, start + to, ruleIndex(ruleCut)})
	}
}

// jsonStringEnd returns the index of the quote that ends the JSON string whose content begins at s[i],
// or len(s).
func jsonStringEnd(s string, i int) int {
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}
