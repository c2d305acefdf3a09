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
	if end > i && (end == len(s) || inClass(s[end], endsValue|beforeValue) || s[end] == ')' || s[end] == ']' || s[end] == '}' || s[end] == '.' || s[end] == '&') {
		return end
	}
	return 0
}

// byteClass is a set of classes of bytes, one bit each.
type byteClass uint32

const (
	digit byteClass = 1 << iota
	upper
	lower
	hexLower // a to f, with digit
	hexUpper // A to F, with digit
	underscore
	dash
	dot
	plusSlash // + and /
	equals
	base32 // A to Z and 2 to 7
	tilde
	letterAToH  // a to h, with digit
	beforeValue // between a name and its value
	endsValue   // ends a value
	blank       // space and tab
	visible     // neither white space nor a control character
	percent
	wrapping // may precede the line break that wraps a text

	letter      = upper | lower
	alnum       = letter | digit
	wordChar    = alnum | underscore
	slug        = wordChar | dash
	lowerHex    = hexLower | digit
	anyHex      = lowerHex | hexUpper
	base64Marks = plusSlash | equals
	tokenChar   = slug | dot | base64Marks | tilde
)

// byteClasses holds the classes of each byte.
var byteClasses = buildByteClasses()

func buildByteClasses() (t [256]byteClass) {
	set := func(bytes string, c byteClass) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	for c := range byte(0x7F) {
		switch {
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= 'A' && c <= 'Z':
			t[c] = upper | base32
		case c >= 'a' && c <= 'z':
			t[c] = lower
		}
		if c > ' ' {
			t[c] |= visible
		} else {
			t[c] |= endsValue
		}
	}
	set("234567", base32)
	set("abcdef", hexLower)
	set("ABCDEF", hexUpper)
	set("abcdefghABCDEFGH", letterAToH)
	set("_", underscore)
	set("-", dash)
	set(".", dot)
	set("+/", plusSlash)
	set("=", equals)
	set("~", tilde)
	set(" \t=>\"'`\\", beforeValue)
	set("\"'`,;<>|\\", endsValue)
	set(" \t", blank)
	set("%", percent)
	set(" \t\"'`+", wrapping)
	return t
}

// bodyLetters are the letters for classes in the body of a form.
var bodyLetters = [128]byteClass{
	'd': digit, 'x': lowerHex, 'X': anyHex, 'a': alnum, 'l': lower | digit, 'u': upper | digit, 'z': letter,
	'w': wordChar, 's': slug, 'b': alnum | base64Marks, 'B': alnum | plusSlash, 't': slug | equals, 'j': slug | dot,
	'p': slug | dot | equals, 'e': base32, 'v': tokenChar, 'q': digit | letterAToH, 'k': lower | digit | dash,
	'r': slug | dot | tilde, 'c': slug | base64Marks, 'g': visible, 'h': alnum | percent,
}

func inClass(c byte, set byteClass) bool { return byteClasses[c]&set != 0 }

// indexFrom returns the index of the first sub in s at or after i, or -1.
func indexFrom(s, sub string, i int) int {
	if n := strings.Index(s[i:], sub); n >= 0 {
		return i + n
	}
	return -1
}

// lastIndexBefore returns the index of the last sub in the n bytes before s[i], or -1.
func lastIndexBefore(s, sub string, i, n int) int {
	if k := strings.LastIndex(bytesBefore(s, i, n), sub); k >= 0 {
		return max(0, i-n) + k
	}
	return -1
}

// bytesBefore returns up to n bytes of s before s[i].
func bytesBefore(s string, i, n int) string { return s[max(0, i-n):i] }

// bytesAfter returns up to n bytes of s from s[i] on.
func bytesAfter(s string, i, n int) string { return s[i:min(len(s), i+n)] }

// runEnd returns the end of the run of bytes in the set that starts at s[i].
func runEnd(s string, i int, set byteClass) int {
	for i < len(s) && byteClasses[s[i]]&set != 0 {
		i++
	}
	return i
}

// runStart returns the start of the run of bytes in the set that ends before s[i], not before from.
func runStart(s string, from, i int, set byteClass) int {
	for i > from && byteClasses[s[i-1]]&set != 0 {
		i--
	}
	return i
}
