package detect

// form describes a token that is recognized by its prefix.
type form struct {
	prefix string
	// body describes what follows the prefix, as items separated by spaces. An item is a letter of
	// classLetters with a count ("x32", "w16+", "s27,300"), or literal bytes. If the body ends in a
	// fixed or maximum count, no letter, digit or underscore may follow it.
	body string
	// bits is the minimum entropy of prefix and body, in tenths of a bit per byte.
	bits uint8
	// check may be nil.
	check func(token string) bool
}

// judged is how many bytes of a body without a maximum length are examined. The limit keeps the
// time linear for a text made of prefixes.
const judged = 128

// end returns the end of the token whose prefix is at s[i], or 0 if it does not have the form. For
// a body without a maximum length, the result may lie before the real end; see rest.
func (f *form) end(s string, i int) int {
	at, open := i+len(f.prefix), false
	for body := f.body; body != ""; {
		var it item
		it, body = nextItem(body)
		if it.set == 0 {
			if at >= len(s) || s[at] != it.is {
				return 0
			}
			at++
			continue
		}
		most := it.most
		if open = most == 0; open {
			most = max(it.least, judged)
		}
		end := run(s[:min(len(s), at+most)], at, it.set)
		if end-at < it.least {
			return 0
		}
		at = end
	}
	if open {
		return trimmed(s, i+len(f.prefix), at)
	}
	if at < len(s) && is(s[at], word) && is(s[at-1], word) {
		return 0
	}
	return at
}

// rest returns the real end of a token for which end returned s[start:end].
func (f *form) rest(s string, start, end int) int {
	set, body := class(0), f.body
	for body != "" {
		var it item
		if it, body = nextItem(body); it.most == 0 {
			set = it.set
		} else {
			set = 0
		}
	}
	return trimmed(s, end, run(s, end, set))
}

// trimmed returns the end of s[start:end] without trailing punctuation of the sentence around it.
func trimmed(s string, start, end int) int {
	for end > start && is(s[end-1], dot) {
		end--
	}
	return end
}

// item is one part of a body: between least and most bytes of a set, or one literal byte. Most is 0
// if there is no maximum.
type item struct {
	set         class
	is          byte
	least, most int
}

// nextItem splits a body into its first item and the rest.
func nextItem(body string) (it item, rest string) {
	it.is = body[0]
	i := 1
	number := func() (n int) {
		for ; i < len(body) && is(body[i], digit); i++ {
			n = n*10 + int(body[i]-'0')
		}
		return n
	}
	if i < len(body) && is(body[i], digit) && classLetters[it.is] != 0 {
		it.set = classLetters[it.is]
		it.least = number()
		it.most = it.least
		if i < len(body) && body[i] == '+' {
			it.most = 0
			i++
		} else if i < len(body) && body[i] == ',' {
			i++
			it.most = number()
		}
	}
	if i < len(body) && body[i] == ' ' {
		i++
	}
	return it, body[i:]
}

// whole returns the end of the body at s[i], if the body matches and ends there.
func whole(s string, i int, body string) int {
	f := form{body: body}
	end := f.end(s, i)
	if end > i && (end == len(s) || is(s[end], ends|leads) || s[end] == ')' || s[end] == ']' || s[end] == '}' || s[end] == '.' || s[end] == '&') {
		return end
	}
	return 0
}
