package compare

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// token is a word of a statement as written, in lower case.
type token struct {
	text string
	// apart means that a comma, a bracket or the like precedes it.
	apart  bool
	code   bool // in a code span of several words
	quoted bool // a code span of its own
}

// mostTokens is how many words of a statement are parsed.
const mostTokens = 60

// tokens returns the words of a statement, and its code spans of several words.
func (l *lexicon) tokens(s string) (words []token, spans []string) {
	s = l.phrases.Replace(strings.ToLower(l.language.Replace(s + " ")))
	parts := strings.Split(s, "`")
	for i, part := range parts {
		code := i%2 == 1 && i < len(parts)-1 && strings.ContainsRune(strings.TrimSpace(part), ' ')
		if code {
			spans = append(spans, strings.Join(strings.Fields(part), " "))
		}
		words = appendTokens(words, part, code)
		if i%2 == 1 && !code && len(words) > 0 {
			words[len(words)-1].quoted = strings.TrimSpace(part) != ""
		}
	}
	return words[:min(len(words), mostTokens)], spans
}

func appendTokens(words []token, s string, code bool) []token {
	apart := false
	start := -1
	end := func(i int) {
		if start >= 0 {
			words, apart = appendToken(words, s[start:i], apart, code)
		}
		start = -1
	}
	for i, r := range s {
		switch {
		case unicode.IsSpace(r), r == '=':
			end(i)
		case strings.ContainsRune(",;()[]{}\"!?|<>—–→", r):
			end(i)
			apart = true
		case start < 0:
			start = i
		}
	}
	end(len(s))
	return words
}

// appendToken appends a word without the punctuation around it. It also returns whether the next word is
// apart.
func appendToken(words []token, w string, apart, code bool) ([]token, bool) {
	w = signs.Replace(w)
	trimmed := strings.TrimRight(w, ".:_")
	next := strings.HasSuffix(w, ":") && !strings.HasSuffix(w, "::")
	trimmed = strings.TrimLeft(trimmed, "_")
	if trimmed == "" || trimmed == "-" || trimmed == "--" || trimmed == "&" {
		return words, apart || w == "-" || w == "--" || next
	}
	if host, port, is := strings.Cut(trimmed, ":"); is && digits(port) && host != "" &&
		!strings.ContainsAny(host, "/.") {
		return append(words, token{text: host, apart: apart, code: code}, token{text: port, code: code}), next
	}
	n := len(trimmed) - len(strings.TrimLeft(trimmed, letters))
	if slices.Contains(versioned, trimmed[:n]) && number(trimmed[n:]).kind != 0 {
		name := token{text: trimmed[:n], apart: apart, code: code}
		return append(words, name, token{text: trimmed[n:], code: code}), next
	}
	return append(words, token{text: trimmed, apart: apart, code: code}), next
}

// signs removes characters from words.
var signs = strings.NewReplacer("'", "", "’", "", "*", "")

const letters = "abcdefghijklmnopqrstuvwxyz"

// versioned are the names to which a version is often appended, as in "node20".
var versioned = []string{
	"node", "python", "py", "go", "java", "jdk", "php", "ruby", "es", "postgres", "ubuntu", "debian", "rails", "django",
	"react", "port",
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// kindOf is the kind of a number.
type kindOf uint8

const (
	noNumber kindOf = iota
	plainNumber
	dateNumber
	lineNumber // a line of a file; these never contradict each other
	timeNumber
)

// numeral is a number in a comparable form.
type numeral struct {
	kind kindOf
	text string // without a leading v and without underscores
	unit string // the suffix, such as "s" or "%"
}

// small are the numbers that are often written as words.
var small = [...]string{"two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// number parses a word as a number. The kind is noNumber if it is none.
func number(w string) numeral {
	if i := slices.Index(small[:], w); i >= 0 {
		return numeral{kind: plainNumber, text: strconv.Itoa(i + 2)}
	}
	w = strings.TrimPrefix(w, "v")
	if w == "" || w[0]-'0' > 9 {
		return numeral{}
	}
	if len(w) == 10 && w[4] == '-' && w[7] == '-' && digits(w[:4]+w[5:7]+w[8:]) {
		return numeral{kind: dateNumber, text: w}
	}
	if h, m, is := strings.Cut(w, ":"); is && len(h) <= 2 && len(m) == 2 && digits(h+m) {
		return numeral{kind: timeNumber, text: w}
	}
	i := endOfDigits(w)
	unit := strings.TrimPrefix(w[i:], "+")
	if !isUnit(unit) {
		return numeral{}
	}
	return numeral{kind: plainNumber, text: strings.ReplaceAll(strings.TrimSuffix(w[:i], "."), "_", ""), unit: unit}
}

// isUnit reports whether a number can end so: with nothing, with % or with a unit of at most three letters. 1st is an
// ordinal, and 2b a name.
func isUnit(suffix string) bool {
	switch suffix {
	case "", "%":
		return true
	case "x", "st", "nd", "rd", "th", "d", "e", "a", "b":
		return false
	}
	return len(suffix) <= 3 && strings.Trim(suffix, letters) == ""
}

// endOfDigits returns where the digits at the start of a word end, with the points and underscores between them.
func endOfDigits(w string) (i int) {
	isDigit := func(i int) bool { return i < len(w) && w[i]-'0' <= 9 }
	separates := func(i int) bool {
		return i+1 < len(w) && (w[i] == '.' || w[i] == '_') && (isDigit(i+1) || w[i+1] == 'x')
	}
	for isDigit(i) || separates(i) {
		i++
	}
	return i
}

// comparable reports whether two numbers differ, have the same kind and unit, and neither is a less precise
// form of the other, as 22 is of 22.1.
func (n numeral) comparable(m numeral) bool {
	return n.kind == m.kind && n.kind != lineNumber && n.unit == m.unit && n.text != m.text &&
		!strings.HasPrefix(n.text, m.text+".") && !strings.HasPrefix(m.text, n.text+".")
}
