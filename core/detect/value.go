package detect

// Limits on how far names and values are read, so that a text made of names takes linear time.
const (
	longestName = 64
	longestGap  = 48
)

// value is the value s[start:end] of a name, and how it was assigned.
type value struct {
	start, end int
	// op is what stands between name and value: = : > , or |, i for "is", or a space for nothing.
	op     byte
	quoted bool
	name   int // end of the name
}

// valueAfter returns the value of the name that continues at s[i]. Its end is 0 if there is no
// value.
func valueAfter(s string, i int) (v value) {
	v.name = run(s[:min(len(s), i+longestName)], i, slug|dot)
	j := v.name
	for n := 0; n < 3 && j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`' || s[j] == '\\' || s[j] == ']' || s[j] == ')' || s[j] == '*'); n++ {
		j++
	}
	ok, tagged := false, j > v.name
	if v.op, j = operator(s, j); v.op == 0 {
		if j, ok = v.fill(s, j); !ok || tagged && v.op == ':' && j < len(s) && s[j] == '"' {
			return v // the next of several tags, as in `json:"password" validate:"min=8"`
		}
	}
	v.start = v.lead(s, j)
	if v.op == ',' && !v.quoted || v.start >= len(s) {
		return v
	}
	v.end = v.stop(s)
	return v
}

// operator returns the assignment operator at s[i], after blanks, and where it ends.
func operator(s string, i int) (op byte, end int) {
	i = run(s, i, blank)
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

// fill skips the few words that may come between a name and its value, as in "password for the
// admin is", and returns where the value may begin.
func (v *value) fill(s string, i int) (int, bool) {
	limit := min(len(s), v.name+longestGap)
	for words := 0; words < 6; words++ {
		start := run(s, i, blank)
		if start == i && words > 0 || start >= limit {
			return i, false
		}
		end := run(s[:limit], start, slug)
		if end == start || words == 0 && start > v.name && !plainWord(s[start:end]) {
			v.op = ' '
			return start, words == 0 && start > v.name
		}
		switch s[start:end] {
		case "is", "was", "are", "be", "as", "Is", "IS":
			v.op = 'i'
			return pastChange(s, end), true
		}
		if !plainWord(s[start:end]) {
			return i, false
		}
		if i = end; v.op == 0 {
			if op, j := operator(s, i); op != 0 && op != ',' && op != '|' {
				v.op, v.name = op, i
				return j, true
			}
		}
	}
	return i, false
}

// pastChange returns where the value begins after "is" or "was", as in "was changed to".
func pastChange(s string, i int) int {
	for range 3 {
		start := run(s, i, blank)
		end := run(s[:min(len(s), start+longestGap)], start, lower)
		switch s[start:end] {
		case "changed", "set", "reset", "rotated", "updated", "now", "to", "still", "currently":
			i = end
		default:
			return i
		}
	}
	return i
}

// plainWord reports whether a word has only letters and dashes.
func plainWord(w string) bool { return run(w, 0, letter|dash) == len(w) }

// lead skips what stands between an operator and the value.
func (v *value) lead(s string, i int) int {
	for n := 0; n < 8 && i < len(s); n++ {
		switch c := s[i]; {
		case c == '"' || c == '\'' || c == '`':
			if v.quoted {
				return i
			}
			v.quoted = true
		case is(c, blank) || c == '\\' && !v.quoted || c == '=' && !v.quoted || c == '*' && n < 3:
		case (c == '\n' || c == '\r') && v.op == '>':
			n--
			if i-v.name > longestGap {
				return i
			}
		default:
			return i
		}
		i++
	}
	return i
}

// stop returns the end of the value without trailing punctuation, looking at no more than judged
// bytes.
func (v *value) stop(s string) int { return v.until(s, min(len(s), v.start+judged)) }

// until returns the end of the value, at most limit.
func (v *value) until(s string, limit int) int {
	end := v.start
	for end < limit && !is(s[end], ends) || v.quoted && end < limit && (s[end] == ',' || s[end] == ';' || s[end] == '|') {
		end++
	}
	for end > v.start && (s[end-1] == '.' || s[end-1] == ')' || s[end-1] == ']' || s[end-1] == '}' || s[end-1] == '*' && !v.quoted) && !v.quoted {
		end--
	}
	return end
}
