package filter

import (
	"slices"
	"strings"
	"time"
	"unicode"

	"winnow/core/memory"
)

// Kind says how a term matches.
type Kind uint8

// The kinds of terms.
const (
	Word  Kind = iota // text in the title, the lesson or a tool
	Field             // a value of a field
	Fuzzy             // letters that occur in the title in this order
)

// Term is one word of a query.
type Term struct {
	Kind Kind
	Not  bool
	Name string // name of the field if Kind is Field
	Text string // what to look for
	// Exact means that case matters, because the word has an upper-case letter.
	Exact bool
	// FuzzyFallback means that no record has the word, so it was matched as a fuzzy one.
	FuzzyFallback bool
	// Problem says why the value of a field is invalid. The term is then ignored.
	Problem string

	match func(*memory.Record, time.Time) bool
}

// Parse returns the terms of a query. See the package comment.
func Parse(text string) (terms []Term) {
	for _, w := range split(text) {
		if t, ok := parseTerm(w); ok {
			terms = append(terms, t)
		}
	}
	return terms
}

// word is a word of a query. A quoted word is plain text.
type word struct {
	text   string
	quoted bool
	not    bool
}

// split splits a query at spaces outside quotation marks. An unclosed mark extends to the end.
func split(s string) []word {
	var words []word
	for {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
		if s == "" {
			return words
		}
		not := s[0] == '!'
		body := s
		if not {
			body = s[1:]
		}
		if rest, ok := strings.CutPrefix(body, `"`); ok {
			text, after, _ := strings.Cut(rest, `"`)
			words = append(words, word{text: text, quoted: true, not: not})
			s = after
			continue
		}
		end := strings.IndexFunc(body, unicode.IsSpace)
		if end < 0 {
			end = len(body)
		}
		words = append(words, word{text: body[:end], not: not})
		s = body[end:]
	}
}

func parseTerm(w word) (Term, bool) {
	t := Term{Not: w.not, Text: w.text}
	if !w.quoted {
		if rest, ok := strings.CutPrefix(w.text, "~"); ok {
			t.Kind, t.Text = Fuzzy, strings.ReplaceAll(rest, "\x00", "")
			return t, t.Text != ""
		}
		if name, value, ok := strings.Cut(w.text, ":"); ok && slices.Contains(Fields(), strings.ToLower(name)) {
			return fieldTerm(t, strings.ToLower(name), value), true
		}
	}
	t.Exact = strings.ContainsFunc(t.Text, unicode.IsUpper)
	return t, t.Text != ""
}

func (t *Term) fuzzy() bool { return t.Kind == Fuzzy || t.FuzzyFallback }

func (t *Term) matches(r *memory.Record, now time.Time) bool {
	if t.Kind == Field {
		return t.match(r, now)
	}
	return t.inRecord(r)
}

func (t *Term) inRecord(r *memory.Record) bool {
	has := func(text string) bool { return t.index(text) >= 0 }
	return has(r.Title) || has(r.Body) || slices.ContainsFunc(r.Tools, has) ||
		r.File != "" && has(string(r.ID)) // people know a file by its name
}

// index returns the position of t's text in s, or -1.
func (t *Term) index(s string) int {
	if t.Exact {
		return strings.Index(s, t.Text)
	}
	return indexFold(s, t.Text)
}

// indexFold returns the position of low in s, ignoring case, or -1. Low must be lower case. It folds only
// letters whose upper and lower case have the same length.
func indexFold(s, low string) int {
	n := len(low)
	if n == 0 {
		return 0
	}
	first, other := low[0], low[0]
	if 'a' <= first && first <= 'z' {
		other = first - ('a' - 'A')
	}
	if first >= 0x80 {
		return indexUnicode(s, low)
	}
	for i := 0; i+n <= len(s); i++ {
		if c := s[i]; (c == first || c == other) && equalFold(s[i:i+n], low) {
			return i
		}
	}
	return -1
}

// indexUnicode is indexFold for a low that does not begin with ASCII.
func indexUnicode(s, low string) int {
	for i := range s {
		if i+len(low) > len(s) {
			return -1
		}
		if strings.EqualFold(s[i:i+len(low)], low) {
			return i
		}
	}
	return -1
}

// equalFold is strings.EqualFold, but faster for ASCII.
func equalFold(a, low string) bool {
	for i := range len(low) {
		c := a[i]
		if c >= 0x80 || low[i] >= 0x80 {
			return strings.EqualFold(a[i:], low[i:])
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != low[i] {
			return false
		}
	}
	return true
}
