package detect

// Limits on how far names and values are read, so that a text made of names takes linear time.
const (
	longestName = 64
	longestGap  = 48
)

// value is the value s[start:end] of a name, and how it was assigned.
type value struct {
	start, end int
	// operator is what stands between name and value: = : > , or |, i for "is", or a space for nothing.
	operator byte
	quoted   bool
	nameEnd  int // end of the name
}

// valueAfter returns the value of the name that continues at s[i]. Its end is 0 if there is no
// value.
func valueAfter(s string, i int) (v value) {
	v.nameEnd = runEnd(s[:min(len(s), i+longestName)], i, slug|dot)
	j := v.nameEnd
	for n := 0; n < 3 && j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`' || s[j] == '\\' || s[j] == ']' || s[j] == ')' || s[j] == '*'); n++ {
		j++
	}
	var ok bool
	if v.operator, j = parseOperator(s, j); v.operator == 0 {
		if j, ok = v.skipFillers(s, j); !ok {
			return v
		}
	}
	v.start = v.skipLead(s, j)
	if v.operator == ',' && !v.quoted || v.start >= len(s) {
		return v
	}
	v.end = v.shortEnd(s)
	return v
}

// parseOperator returns the assignment operator at s[i], after blanks, and where it ends.
func parseOperator(s string, i int) (op byte, end int) {
	i = runEnd(s, i, blank)
	if i >= len(s) {
		return 0, i
	}
	c := s[i]
	switch {
	case (c == '?' || c == '.' || c == '+') && i+1 < len(s) && s[i+1] == '=':
		return '=', i + 2
	case c == '-' && i+1 < len(s) && s[i+1] == '>':
		return '>', i + 2
	case c == ':' && i+2 < len(s) && s[i+1] == '/' && s[i+2] == '/':
		return 0, i
	case c == ':' || c == '=' || c == '|':
		for i < len(s) && (s[i] == c || s[i] == '=' || s[i] == '>') {
			i++
		}
		return c, i
	case c == '>' || c == ',':
		return c, i + 1
	}
	return 0, i
}

// skipFillers skips the few words that may come between a name and its value, as in "password for the
// admin is", and returns where the value may begin.
func (v *value) skipFillers(s string, i int) (int, bool) {
	limit := min(len(s), v.nameEnd+longestGap)
	for words := 0; words < 6; words++ {
		start := runEnd(s, i, blank)
		if start == i && words > 0 || start >= limit {
			return i, false
		}
		end := runEnd(s[:limit], start, slug)
		if end == start || words == 0 && start > v.nameEnd && !isPlainWord(s[start:end]) {
			v.operator = ' '
			return start, words == 0 && start > v.nameEnd
		}
		switch s[start:end] {
		case "is", "was", "are", "be", "as", "Is", "IS":
			v.operator = 'i'
			return skipChangeVerbs(s, end), true
		}
		if !isPlainWord(s[start:end]) {
			return i, false
		}
		if i = end; v.operator == 0 {
			if op, j := parseOperator(s, i); op != 0 && op != ',' && op != '|' {
				v.operator, v.nameEnd = op, i
				return j, true
			}
		}
	}
	return i, false
}

// skipChangeVerbs returns where the value begins after "is" or "was", as in "was changed to".
func skipChangeVerbs(s string, i int) int {
	for range 3 {
		start := runEnd(s, i, blank)
		end := runEnd(s[:min(len(s), start+longestGap)], start, lower)
		switch s[start:end] {
		case "changed", "set", "reset", "rotated", "updated", "now", "to", "still", "currently":
			i = end
		default:
			return i
		}
	}
	return i
}

// isPlainWord reports whether a word has only letters and dashes.
func isPlainWord(w string) bool { return runEnd(w, 0, letter|dash) == len(w) }

// skipLead skips what stands between an operator and the value.
func (v *value) skipLead(s string, i int) int {
	for n := 0; n < 8 && i < len(s); n++ {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			if v.quoted {
				return i
			}
			v.quoted = true
		case inClass(c, blank) || c == '\\' && !v.quoted || c == '=' && !v.quoted || c == '*' && n < 3:
		case (c == '\n' || c == '\r') && v.operator == '>':
			n--
			if i-v.nameEnd > longestGap {
				return i
			}
		default:
			return i
		}
		i++
	}
	return i
}

// shortEnd returns the end of the value without trailing punctuation, looking at no more than judged
// bytes.
func (v *value) shortEnd(s string) int { return v.endBefore(s, min(len(s), v.start+maxExamined)) }

// endBefore returns the end of the value, at most limit.
func (v *value) endBefore(s string, limit int) int {
	end := v.start
	for end < limit && !inClass(s[end], endsValue) || v.quoted && end < limit && (s[end] == ',' || s[end] == ';' || s[end] == '|') {
		end++
	}
	for end > v.start && (s[end-1] == '.' || s[end-1] == ')' || s[end-1] == ']' || s[end-1] == '}' || s[end-1] == '*' && !v.quoted) && !v.quoted {
		end--
	}
	return end
}
