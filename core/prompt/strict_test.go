package prompt

// SanitizeStrict is Sanitize with the rule for blocks that Winnow itself serves.
func SanitizeStrict(s string, max int) string {
	return cut(filter(s, strict, nil), max)
}
