package detect

// How far names and values are read to tell what they are: so much, that a text of
// names alone takes linear time.
const (
	longestName = 64
	longestGap  = 48
)

// value is what a name names: s[start:end], and how it was said.
type value struct {
	start, end int
	// op is = : > , or | for what stands between them, i for "is", and a space when
	// there is nothing.
	op     byte
	quoted bool
	name   int // where the name ends
}

// valueAfter returns the value whose name goes on at s[i]; its end is 0 when there is
// none.
func valueAfter(s string, i int) (v value) {
	v.name = run(s[:min(len(s), i+longestName)], i, slug|dot)
	j := v.name
	for n := 0; n < 3 && j < len(s) && (s[j] == '"' || s[j] == '\'' || s[j] == '`' || s[j] == '\\' || s[j] == ']' || s[j] == ')' || s[j] == '*'); n++ {
		j++
	}
	var ok bool
	if v.op, j = operator(s, j); v.op == 0 {
		if j, ok = v.fill(s, j); !ok {
			return v
		}
	}
	v.start = v.lead(s, j)
	if v.op == ',' && !v.quoted || v.start >= len(s) {
		return v
	}
	v.end = v.stop(s)
	return v
}

// operator returns what assigns at s[i], after blanks, and where it ends.
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

// fill passes over the few words that can stand between a name and its value, as in
// "password for the admin is", and returns where the value can begin.
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

// pastChange returns where the value begins behind "is" or "was", as in "was changed to".
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

// plainWord reports whether a word is of letters alone.
func plainWord(w string) bool { return run(w, 0, letter|dash) == len(w) }

// lead passes over what stands between an operator and the value.
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

// stop returns the end of the value, without the marks that belong to the text around
// it, as far as it is judged by.
func (v *value) stop(s string) int { return v.until(s, min(len(s), v.start+judged)) }

// until returns the end of the value, which is at most limit.
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
