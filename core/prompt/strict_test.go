package prompt

import "winnow/core/detect"

// SanitizeStrict is Sanitize for blocks that Winnow itself serves: it also
// replaces what a reader takes for a delimiter and the agent's filter misses, which
// is what threat.Delimiter says. None of these is left in the result.
func SanitizeStrict(s string, max int) string {
	return cut(filter(s, strict, nil), max)
}

// strict is the rule of SanitizeStrict.
var strict = rule{detect.DelimiterOpenings, variant}

// variant returns the length of the delimiter in the wider sense that s begins
// with, or 0. The agent's own rule knows some that are longer.
func variant(s string) int { return max(delimiter(s), detect.Delimiter(s)) }
