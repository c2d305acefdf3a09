package detect

import "strings"

// tokenForm is the form of a token that is recognized by its prefix.
type tokenForm struct {
	prefix string
	// body is what follows the prefix, as items separated by spaces. An item is a letter of
	// bodyLetters with a count ("x32", "w16+", "s27,300") or literal bytes. After a body with a
	// fixed or maximum count, no letter, digit or underscore may follow.
	body string
	// minEntropy is the minimum entropy of prefix and body, in tenths of a bit per byte.
	minEntropy uint8
	// check may be nil.
	check func(token string) bool
}

// maxExamined is how many bytes of a body without a maximum length are examined. It keeps the time
// linear for a text made of prefixes.
const maxExamined = 128

// matchEnd returns the end of the token whose prefix is at s[i], or 0 if it does not have the form.
// For a body without a maximum length it may stop early; see fullEnd.
func (f *tokenForm) matchEnd(s string, i int) int {
	at, open := i+len(f.prefix), false
	for body := f.body; body != ""; {
		var it bodyItem
		it, body = parseBodyItem(body)
		if it.set == 0 {
			if at >= len(s) || s[at] != it.literal {
				return 0
			}
			at++
			continue
		}
		most := it.max
		if open = most == 0; open {
			most = max(it.min, maxExamined)
		}
		end := runEnd(s[:min(len(s), at+most)], at, it.set)
		if end-at < it.min {
			return 0
		}
		at = end
	}
	if open {
		return trimDots(s, i+len(f.prefix), at)
	}
	if at < len(s) && inClass(s[at], wordChar) && inClass(s[at-1], wordChar) {
		return 0
	}
	return at
}

// fullEnd returns the real end of the token s[start:end] that matchEnd found.
func (f *tokenForm) fullEnd(s string, start, end int) int {
	set, body := byteClass(0), f.body
	for body != "" {
		var it bodyItem
		if it, body = parseBodyItem(body); it.max == 0 {
			set = it.set
		} else {
			set = 0
		}
	}
	return trimDots(s, end, runEnd(s, end, set))
}

// trimDots returns the end of s[start:end] without the full stops of the sentence around it.
func trimDots(s string, start, end int) int {
	return runStart(s, start, end, dot)
}

// bodyItem is one part of a body: between min and max bytes of a set, or one literal byte. max is 0
// if there is no maximum.
type bodyItem struct {
	set      byteClass
	literal  byte
	min, max int
}

// parseBodyItem splits a body into its first item and the rest.
func parseBodyItem(body string) (it bodyItem, rest string) {
	it.literal = body[0]
	i := 1
	number := func() (n int) {
		for ; i < len(body) && inClass(body[i], digit); i++ {
			n = n*10 + int(body[i]-'0')
		}
		return n
	}
	if i < len(body) && inClass(body[i], digit) && bodyLetters[it.literal] != 0 {
		it.set = bodyLetters[it.literal]
		it.min = number()
		it.max = it.min
		if i < len(body) && body[i] == '+' {
			it.max = 0
			i++
		} else if i < len(body) && body[i] == ',' {
			i++
			it.max = number()
		}
	}
	if i < len(body) && body[i] == ' ' {
		i++
	}
	return it, body[i:]
}

// matchWholeBody returns the end of the value at s[i] if all of it matches the body, or 0.
func matchWholeBody(s string, i int, body string) int {
	f := tokenForm{body: body}
	end := f.matchEnd(s, i)
	if end > i && (end == len(s) || inClass(s[end], endsValue|beforeValue) || strings.IndexByte(")]}.&", s[end]) >= 0) {
		return end
	}
	return 0
}
