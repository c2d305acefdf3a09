package kimchi

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// An expression finds a threat. Both systems have patterns for backtracking engines. Package
// regexp, which is never slow, takes them with one exception: a gap of up to 2,048
// characters, which stands once in a pattern, is looked for between its two halves.
type expression struct {
	needs string // a text without which nothing matches; may be empty
	first *regexp.Regexp
	rest  *regexp.Regexp // behind the gap; nil without one
	stop  string         // the character that is in no gap
	// leading and trailing report whether white space next to the gap may belong to the half
	// before it, and to the half behind it.
	leading, trailing bool
	space             func(rune) bool
}

const longestGap = 2048

var gaps = regexp.MustCompile(`\[\^(\\n|>)\]\{0,2048\}`)

// compile reads a pattern for texts in small letters. What \s and \w match are given as they
// stand in a class of characters, and space as a function too.
func compile(pattern string, space func(rune) bool, spaceClass, wordClass string) expression {
	classes := strings.NewReplacer(`[\s`, "["+spaceClass, `\s`, "["+spaceClass+"]", `\w`, "["+wordClass+"]", `\b`, "(?:^|[^"+wordClass+"]|$)")
	e := expression{space: space, needs: needed(gaps.ReplaceAllString(pattern, ".*"))}
	at := gaps.FindStringSubmatchIndex(pattern)
	if at == nil {
		e.first = regexp.MustCompile(classes.Replace(pattern))
		return e
	}
	before, after := pattern[:at[0]], pattern[at[1]:]
	e.stop = strings.ReplaceAll(pattern[at[2]:at[3]], `\n`, "\n")
	e.leading, e.trailing = strings.HasSuffix(before, `\s+`), strings.HasPrefix(after, `\s+`)
	// Of white space next to the gap one character is enough: the others are trimmed off it.
	if e.leading {
		before = strings.TrimSuffix(before, "+")
	}
	if e.trailing {
		after = strings.Replace(after, "+", "", 1)
	}
	e.first, e.rest = regexp.MustCompile(classes.Replace(before)), regexp.MustCompile(classes.Replace(after))
	return e
}

// needed returns the longest text that everything holds which a pattern matches.
func needed(pattern string) (longest string) {
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err) // the patterns are ours
	}
	for _, part := range append(tree.Sub, tree) {
		if text := string(part.Rune); tree.Op != syntax.OpAlternate && part.Op == syntax.OpLiteral && len(text) > len(longest) {
			longest = text
		}
	}
	return longest
}

// in reports whether the expression matches anywhere in a text.
func (e *expression) in(text string) bool {
	switch {
	case !strings.Contains(text, e.needs):
		return false
	case e.rest == nil:
		return e.first.MatchString(text)
	}
	begins := e.first.FindAllStringIndex(text, -1)
	for _, end := range e.rest.FindAllStringIndex(text, -1) {
		for len(begins) > 1 && begins[1][1] <= end[0] {
			begins = begins[1:] // the nearest counts
		}
		if len(begins) > 0 && begins[0][1] <= end[0] && e.spans(text[begins[0][1]:end[0]]) {
			return true
		}
	}
	return false
}

// spans reports whether a text can be the gap, and white space next to it.
func (e *expression) spans(gap string) bool {
	if e.leading {
		gap = strings.TrimLeftFunc(gap, e.space)
	}
	if e.trailing {
		gap = strings.TrimRightFunc(gap, e.space)
	}
	return len(gap) <= longestGap*utf8.UTFMax && !strings.Contains(gap, e.stop) && utf8.RuneCountInString(gap) <= longestGap
}
