package prompt

// SanitizeStrict is Sanitize by the rule of blocks that Winnow itself serves.
func SanitizeStrict(s string, max int) string {
	return cut(filter(s, strict, nil), max)
}
