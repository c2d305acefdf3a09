package detect

import (
	"strings"
	"sync"
)

// own holds the table indexes of the rules that have their own matchers.
type own struct{ generic, password, header, bearer, url, key, putty, curl, cut, aws int16 }

var ruleOf = sync.OnceValue(func() own {
	return own{
		ruleIndex(ruleGeneric), ruleIndex(rulePassword), ruleIndex(ruleHeader), ruleIndex(ruleBearer), ruleIndex(ruleURL),
		ruleIndex(rulePrivateKey), ruleIndex(rulePutty), ruleIndex(ruleCurl), ruleIndex(ruleCut), ruleIndex(ruleAWSSecret),
	}
})

// longestAuthority is how many bytes of a URL are searched for a password.
const longestAuthority = 512

// bearer finds the token after the word Bearer at s[i]. Prose would continue with a plain word; a
// token is longer and mixes character classes.
func bearer(s string, i int) (p secretAt, ok bool) {
	const name = "bearer"
	if !hasFold(s[i:], name) {
		return p, false
	}
	start := spaces(s, i+len(name))
	if start == i+len(name) {
		return p, false
	}
	end := trimmed(s, start, run(s, start, tokens))
	token := s[start:end]
	if len(token) < 12 || madeUp(token) || elided(s, start, end) || !mixed(token) && (len(token) < 20 || run(token, 0, lower|dash) == len(token)) {
		return p, false
	}
	return secretAt{start, end, ruleOf().bearer}, true
}

// urlPassword finds the password of a URL whose authority begins at s[i].
func urlPassword(s string, i int) (p secretAt, ok bool) {
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
		return p, false
	}
	colon := strings.IndexByte(s[i:at], ':')
	if colon < 0 || i+colon+1 == at {
		return p, false
	}
	user, secret := s[i:i+colon], s[i+colon+1:at]
	if madeUp(secret) || secret == user || strings.ContainsAny(secret, "{}") || strings.Contains(secret, "$(") || len(secret) < 3 {
		return p, false
	}
	return secretAt{i + colon + 1, at, ruleOf().url}, true
}

// privateKey finds the PEM private key whose "BEGIN" is at s[i], up to the last line of its body
// that is present.
func (c *secretScanner) privateKey(s string, i int) (p secretAt, ok bool) {
	const begin, end, dashes, longest = "BEGIN", "-----END", "-----", 80
	start := i
	if start > 0 && s[start-1] == ' ' {
		start--
	}
	start = runBack(s[:start], start, dash)
	if i-start < 4 || i-start > 6 || !strings.HasPrefix(s[i:], begin) {
		return p, false
	}
	label, after, found1 := strings.Cut(s[i+len(begin):min(len(s), i+longest)], "----")
	if !found1 || !strings.Contains(strings.ReplaceAll(label, "+", " "), "PRIVATE KEY") { // + is a space in form encoding
		return p, false
	}
	c.begun = true
	stop := run(s, min(len(s), i+longest)-len(after), dash)
	p = secretAt{start, pemBody(s, stop), ruleOf().key}
	from, to := stop, p.end
	if foot := strings.Index(s[stop:], dashes); foot >= 0 && strings.HasPrefix(s[stop+foot:], end) {
		to = stop + foot
		stop += foot + len(end)
		if _, rest, ok := strings.Cut(s[stop:min(len(s), stop+longest)], dashes); ok {
			stop = min(len(s), stop+longest) - len(rest)
		}
		p.end = stop
	}
	return p, holdsKey(s, from, to)
}

// holdsKey reports whether s[from:to] contains a line of a key, or s[from:] the beginning of one
// that was cut off. An ellipsis does not count.
func holdsKey(s string, from, to int) bool {
	const least, leastOfCut = 20, 6
	first := lineGap(s, from)
	end := run(s, first, alnum|base64s)
	if end-first >= leastOfCut && changes(s[first:end]) > 0 && !elided(s, first, end) {
		return true
	}
	for i := from; i < to; i++ {
		start := i
		if i = run(s[:to], i, alnum|base64s); i-start >= least && !elided(s, start, i) {
			return true
		}
	}
	return false
}

// pemBody returns the end of the base64 lines that start at i, for a key without its footer. Line
// ends may be escaped, or replaced by white space and quotation prefixes. A word of prose ends the
// body.
func pemBody(s string, i int) int {
	end := i
	for i < len(s) {
		j := lineGap(s, i)
		k := run(s, j, alnum|base64s)
		if k < len(s) && s[k] == ':' && j > i { // "Proc-Type: 4,ENCRYPTED"
			k = j
		}
		if k-j < 20 && (k == j || k-j < 4 && !is(s[k-1], base64s) || !is(s[k-1], base64s) && !mixed(s[j:k])) {
			next := headerLine(s, j)
			if next == 0 {
				return end
			}
			i = next
			continue
		}
		i, end = k, k
	}
	return end
}

// lineGap returns where the next line of a body begins after s[i].
func lineGap(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] <= ' ' || s[i] == '>' || s[i] == '|' || s[i] == '"' || s[i] == '\'':
			i++
		case strings.HasPrefix(s[i:], `\n`) || strings.HasPrefix(s[i:], `\r`):
			i += 2
		default:
			return i
		}
	}
	return i
}

// headerLine returns the end of the PEM header line at s[i], or 0.
func headerLine(s string, i int) int {
	for _, h := range [...]string{"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Charset:"} {
		if strings.HasPrefix(s[i:], h) {
			end := i + len(h)
			for end < len(s) && end-i < 128 && s[end] != '\n' && !strings.HasPrefix(s[end:], `\n`) {
				end++
			}
			return end
		}
	}
	return 0
}

// putty finds the private lines of the PuTTY key file at s[i].
func putty(s string, i int) (p secretAt, ok bool) {
	const lines, mac = "Private-Lines: ", "Private-MAC: "
	if !strings.HasPrefix(s[i:], lines) {
		return p, false
	}
	start := run(s, i+len(lines), digit)
	end := pemBody(s, start)
	if end == start {
		return p, false
	}
	if j := lineGap(s, end); strings.HasPrefix(s[j:], mac) {
		end = run(s, j+len(mac), hexAny)
	}
	return secretAt{i, end, ruleOf().putty}, true
}

// curlUser finds the password after curl's option -u or --user at s[i].
func curlUser(s string, i int) (p secretAt, ok bool) {
	const back = 400
	j := i + len(" -u ")
	if s[i] == '-' {
		const user = "-user"
		if !strings.HasPrefix(s[i:], user) || i+len(user) >= len(s) || s[i+len(user)] != ' ' && s[i+len(user)] != '=' {
			return p, false
		}
		j = i + len(user) + 1
	}
	j = run(s, j, blank)
	if j >= len(s) || !strings.Contains(s[max(0, i-back):i], "curl") {
		return p, false
	}
	quote := byte(0)
	if s[j] == '"' || s[j] == '\'' {
		quote = s[j]
		j++
	}
	end := j
	for end < len(s) && end-j < 256 && s[end] > ' ' && s[end] != quote && (quote != 0 || s[end] != '\\') {
		end++
	}
	user, secret, found1 := strings.Cut(s[j:end], ":")
	secret = strings.Trim(secret, `'"`)
	if !found1 || len(secret) < 4 && len(user) < 8 || madeUp(secret) && madeUp(user) || strings.HasPrefix(user, "+") || strings.ContainsAny(secret, "$(<") && !strong(secret) || secret == user {
		return p, false
	}
	if secret == "" && strong(user) {
		return secretAt{j, j + len(user), ruleOf().curl}, true
	}
	if !strong(secret) && !mixed(secret) {
		return p, false
	}
	start := j + len(user) + 1
	for start < end && (s[start] == '"' || s[start] == '\'') {
		start++
	}
	return secretAt{start, start + len(secret), ruleOf().curl}, true
}
