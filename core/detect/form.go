package detect

// form is the form of a token that is known by its beginning.
type form struct {
	prefix string
	// body is what follows: letters of classLetters, each with how many of them there
	// are ("x32", "w16+", "s27,300"), and other bytes that stand for themselves, parted
	// by spaces. A body that ends in a fixed or highest number is followed by no
	// letter, digit or underscore.
	body string
	// bits is the least entropy of prefix and body, in tenths of a bit a byte.
	bits uint8
	// check may be nil.
	check func(token string) bool
}

// judged is how much of a body of any length is read to tell what it is, so that a
// text of prefixes alone takes linear time.
const judged = 128

// end returns the end of the token whose prefix is at s[i], or 0 when it has not the
// form. The end of a long body of any number of bytes is not looked for.
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

// rest returns the end of a token that was judged by s[start:end].
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

// trimmed returns the end of s[start:end] without the marks of the sentence around it.
func trimmed(s string, start, end int) int {
	for end > start && is(s[end-1], dot) {
		end--
	}
	return end
}

// item is one part of a body: least to most bytes of a set, or the byte that it is.
// Most is 0 for any number.
type item struct {
	set         class
	is          byte
	least, most int
}

// nextItem returns the first item of a body, and the rest of it.
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

// whole reports whether s[i:] is of the body and ends there, and returns its end.
func whole(s string, i int, body string) int {
	f := form{body: body}
	end := f.end(s, i)
	if end > i && (end == len(s) || is(s[end], ends|leads) || s[end] == ')' || s[end] == ']' || s[end] == '}' || s[end] == '.' || s[end] == '&') {
		return end
	}
	return 0
}
