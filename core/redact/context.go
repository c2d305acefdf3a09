package redact

import "strings"

// How far names and values are read to tell what they are: so much, that a text of
// names alone takes linear time.
const (
	longestName      = 64
	longestAuthority = 512
	judgedValue      = 64
)

// bearer finds the token after the word Bearer at s[i]. Prose goes on with a
// word; a token is longer and mixed.
func bearer(s string, i int) Span {
	const name = "bearer"
	if !hasFold(s[i:], name) {
		return Span{}
	}
	start := spaces(s, i+len(name))
	if start == i+len(name) {
		return Span{}
	}
	end := run(s, start, tokens)
	for end > start && is(s[end-1], dot) {
		end--
	}
	token := s[start:end]
	if len(token) < 12 || !mixed(token) && (len(token) < 20 || run(token, 0, lower|dash) == len(token)) {
		return Span{}
	}
	return Span{start, end, "bearer-token"}
}

// privateKey finds a private key in PEM form at s[i], with its body up to the
// last line that is there.
func privateKey(s string, i int) Span {
	const begin, end, dashes = "-----BEGIN ", "-----END ", "-----"
	if !strings.HasPrefix(s[i:], begin) {
		return Span{}
	}
	label, after, ok := strings.Cut(s[i+len(begin):min(len(s), i+80)], dashes)
	if !ok || !strings.Contains(label, "PRIVATE KEY") || run(label, 0, upper|digit) == 0 {
		return Span{}
	}
	stop := min(len(s), i+80) - len(after)
	foot := strings.Index(s[stop:], dashes)
	if foot < 0 || !strings.HasPrefix(s[stop+foot:], end) {
		return Span{i, pemBody(s, stop), "private-key"}
	}
	stop += foot + len(end)
	if _, rest, ok := strings.Cut(s[stop:min(len(s), stop+80)], dashes); ok {
		stop = min(len(s), stop+80) - len(rest)
	}
	return Span{i, stop, "private-key"}
}

// pemBody returns the end of the base64 lines from i on, of a key whose foot is
// missing. Line ends may be escaped, and white space may stand for them; a word of
// prose ends the body.
func pemBody(s string, i int) int {
	end := i
	for i < len(s) {
		j := spaces(s, i)
		for strings.HasPrefix(s[j:], `\n`) || strings.HasPrefix(s[j:], `\r`) {
			j = spaces(s, j+2)
		}
		k := run(s, j, alnum|base64s)
		if k-j < 20 && (k == j || !is(s[k-1], base64s) && !mixed(s[j:k])) {
			return end
		}
		i, end = k, k
	}
	return end
}

// urlPassword finds the password of a URL whose authority begins at s[i].
func urlPassword(s string, i int) Span {
	end, at := i, -1
	for ; end < len(s) && end-i < longestAuthority; end++ {
		c := s[end]
		if c <= ' ' || strings.IndexByte("/?#\"'`<>\\", c) >= 0 {
			break
		}
		if c == '@' {
			at = end
		}
	}
	if at < 0 {
		return Span{}
	}
	colon := strings.IndexByte(s[i:at], ':')
	if colon < 0 || i+colon+1 == at || placeholder(s[i+colon+1:at]) {
		return Span{}
	}
	return Span{i + colon + 1, at, "password-in-url"}
}

// assigned finds the value of a telling name around the : or = at s[i]. A long
// value is judged by its beginning.
func assigned(s string, i int) Span {
	kind := naming(name(s, i))
	if kind == nothing {
		return Span{}
	}
	start := run(s, i+1, leads)
	v := s[start:valueEnd(s[:min(len(s), start+judgedValue)], start)]
	switch {
	case v == "" || placeholder(v):
		return Span{}
	case kind == header:
		return credentials(s, start)
	case kind == password:
		if len(v) < 6 || !strong(v) {
			return Span{}
		}
		return Span{start, valueEnd(s, start), "password"}
	case len(v) < 12 || !mixed(v) || call(v):
		return Span{}
	}
	end := valueEnd(s, start)
	if first := shapeOf(s, start); first.End >= end {
		return first
	}
	return Span{start, end, "generic-secret"}
}

// shapeOf returns the token at s[i], where a word begins.
func shapeOf(s string, i int) Span {
	p, _ := shapeAt(s, i)
	return p
}

// credentials finds what follows the scheme of an Authorization header.
func credentials(s string, i int) Span {
	end := run(s, i, letter)
	start := spaces(s, end)
	if start == end {
		return Span{}
	}
	if end = run(s, start, tokens); end-start < 8 || run(s[start:end], 0, lower) == end-start {
		return Span{}
	}
	return Span{start, end, "authorization-header"}
}

// name returns the identifier before position i, without quotes around it.
func name(s string, i int) string {
	for i > 0 && (s[i-1] == ' ' || s[i-1] == '"' || s[i-1] == '\'' || s[i-1] == '\\') {
		i--
	}
	start := i
	for start > 0 && i-start < longestName && is(s[start-1], slug|dot) {
		start--
	}
	return s[start:i]
}

// valueEnd returns the end of the value from i on, without the marks that belong to
// the text around it.
func valueEnd(s string, i int) int {
	end := i
	for end < len(s) && !is(s[end], ends) {
		end++
	}
	for end > i && strings.IndexByte(".)]}", s[end-1]) >= 0 {
		end--
	}
	return end
}
