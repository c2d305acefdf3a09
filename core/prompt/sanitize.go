// Package prompt builds what the agent sends to its model, byte for byte: text cleaned of the
// prompt's delimiters, the Past Experience block, and the whole user prompt. If the agent would
// throw, the reason is returned as a value.
//
// Texts are strings as in package jstext.
package prompt

import (
	"regexp"
	"strings"
	"sync"

	"winnow/core/detect"
	"winnow/core/jstext"
)

// The delimiters around untrusted text, and the replacement for one inside it.
const (
	Begin    = "<<<UNTRUSTED_INPUT>>>"
	End      = "<<<END_UNTRUSTED_INPUT>>>"
	filtered = "[filtered]"
)

// The agent's limits, in UTF-16 units.
const (
	defaultSanitize = 2000
	defaultWrap     = 10_000
	outcomeUnits    = 20
	taskUnits       = 200
	lessonUnits     = 500
)

// sanitize replaces the delimiters in s and then cuts it to max units. Nothing that the agent's
// filter would replace is left: the replacement contains characters that no delimiter has, so
// neither it nor the cut can create a new delimiter.
func sanitize(s string, max int) string { return cut(filter(s, original, nil), max) }

// wrap puts s between the delimiters, sanitized and cut to max units.
func wrap(s string, max int) string {
	return string(appendWrapped(nil, sanitize(s, max)))
}

// cut returns at most max units of s. A negative max removes that many units from the end, like
// JavaScript's slice.
func cut(s string, max int) string {
	if max < 0 {
		max += jstext.Len(s)
	}
	return jstext.Slice(s, max)
}

func appendWrapped(dst []byte, s string) []byte {
	dst = append(append(dst, Begin...), '\n')
	dst = append(append(dst, s...), '\n')
	return append(dst, End...)
}

// filter replaces the delimiters of a rule. If at is not nil, it appends the places of the
// replacements in the result.
func filter(s string, by rule, at *[]int) string {
	i := by.next(s, 0)
	if i < 0 {
		return s
	}
	var out []byte
	last := 0
	for ; i >= 0; i = by.next(s, i) {
		n := by.match(s[i:])
		if n == 0 {
			i++
			continue
		}
		out = append(out, s[last:i]...)
		if at != nil {
			*at = append(*at, len(out))
		}
		out = append(out, filtered...)
		i += n
		last = i
	}
	if last == 0 {
		return s
	}
	return string(append(out, s[last:]...))
}

// rule says what counts as a delimiter.
type rule struct {
	openings string // the characters that a delimiter can begin with
	match    func(string) int
}

// original is the agent's own rule.
var original = rule{"<", delimiterLength}

// strict is the rule for blocks that Winnow itself serves. It also replaces delimiter variants that
// the agent's filter misses, which detect.DelimiterLen finds.
var strict = rule{detect.DelimiterOpenings, variantLength}

// variantLength returns the length of the delimiter or variant at the beginning of s, or 0. The agent's
// own rule finds some that are longer.
func variantLength(s string) int { return max(delimiterLength(s), detect.DelimiterLen(s)) }

// next returns the next place from i on at which a delimiter can begin, or -1.
func (r rule) next(s string, i int) int {
	if j := strings.IndexAny(s[i:], r.openings); j >= 0 {
		return i + j
	}
	return -1
}

// delimiterLength returns the length of the delimiter at the beginning of s, or 0:
//
//	<<<\s*(?:END_?\s*)?UNTRUSTED_?INPUT\s*>>>
//
// ASCII letters match in either case, and \s is JavaScript's white space.
func delimiterLength(s string) int { return len(delimiterForm().FindString(s)) }

const space = "[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]*"

var delimiterForm = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^<<<" + space + "(?:[Ee][Nn][Dd]_?" + space + ")?" +
		"[Uu][Nn][Tt][Rr][Uu][Ss][Tt][Ee][Dd]_?[Ii][Nn][Pp][Uu][Tt]" + space + ">>>")
})
