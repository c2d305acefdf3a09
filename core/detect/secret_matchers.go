package detect

import "strings"

// longestAuthority is how many bytes of a URL are searched for a password.
const longestAuthority = 512

// findBearer finds the token after the word Bearer at s[i]. A token is longer than a word of prose
// and mixes letters and digits.
func findBearer(s string, i int) (p secretSpan, ok bool) {
	const name = "bearer"
	if !hasPrefixFold(s[i:], name) {
		return p, false
	}
	start := skipSpace(s, i+len(name))
	if start == i+len(name) {
		return p, false
	}
	end := trimDots(s, start, runEnd(s, start, tokenChar))
	token := s[start:end]
	variable, _, isAssignment := strings.Cut(strings.TrimRight(token, "="), "=") // "TOKEN_TYPE=Bearer HEADER=X-Token"
	isAssignment = isAssignment && runEnd(variable, 0, upper|underscore) == len(variable)
	if len(token) < 12 || isAssignment || isMadeUp(token) || isSlugOfWords(token) || isElided(s, start, end) ||
		!isMixed(token) && (len(token) < 20 || runEnd(token, 0, lower|dash) == len(token)) {
		return p, false
	}
	return secretSpan{start, end, ruleIndex(ruleBearer)}, true
}

// findURLPassword finds the password of a URL whose authority begins at s[i].
func findURLPassword(s string, i int) (p secretSpan, ok bool) {
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
	if isMadeUp(secret) || secret == user || strings.ContainsAny(secret, "{}") || strings.Contains(secret, "$(") ||
		len(secret) < 3 {
		return p, false
	}
	return secretSpan{i + colon + 1, at, ruleIndex(ruleURL)}, true
}

// findPrivateKey finds the PEM private key whose "BEGIN" is at s[i]. Without a footer it ends at
// the last line of its body.
func (c *secretScanner) findPrivateKey(s string, i int) (p secretSpan, ok bool) {
	const begin, end, dashes, longest = "BEGIN", "-----END", "-----", 80
	start := i
	if start > 0 && s[start-1] == ' ' {
		start--
	}
	start = runStart(s, 0, start, dash)
	if i-start < 4 || i-start > 6 || !strings.HasPrefix(s[i:], begin) {
		return p, false
	}
	label, after, found1 := strings.Cut(s[i+len(begin):min(len(s), i+longest)], "----")
	// in form encoding + is a space
	if !found1 || !strings.Contains(strings.ReplaceAll(label, "+", " "), "PRIVATE KEY") {
		return p, false
	}
	c.tokenBegun = true
	stop := runEnd(s, min(len(s), i+longest)-len(after), dash)
	p = secretSpan{start, pemBodyEnd(s, stop), ruleIndex(rulePrivateKey)}
	from, to := stop, p.end
	if foot := strings.Index(s[stop:], dashes); foot >= 0 && strings.HasPrefix(s[stop+foot:], end) {
		to = stop + foot
		stop += foot + len(end)
		if _, rest, ok := strings.Cut(bytesAfter(s, stop, longest), dashes); ok {
			stop = min(len(s), stop+longest) - len(rest)
		}
		p.end = stop
	}
	return p, containsKeyLine(s, from, to)
}

// containsKeyLine reports whether s[from:to] contains a line of a key, or s[from:] the beginning of
// one that was cut off. An ellipsis makes it an example.
func containsKeyLine(s string, from, to int) bool {
	const least, leastOfCut = 20, 6
	first := skipLineGap(s, from)
	end := runEnd(s, first, alnum|base64Marks)
	if end-first >= leastOfCut && classChanges(s[first:end]) > 0 && hasCapital(s[first:end]) &&
		!isElided(s, first, end) {
		return true
	}
	for i := from; i < to; i++ {
		start := i
		if i = runEnd(s[:to], i, alnum|base64Marks); i-start >= least && hasCapital(s[start:i]) &&
			!isElided(s, start, i) {
			return true
		}
	}
	return false
}

// pemBodyEnd returns the end of the base64 lines from s[i] on. Line breaks may be escaped or
// replaced by white space and quotation marks. A word of prose ends the body.
func pemBodyEnd(s string, i int) int {
	end := i
	for i < len(s) {
		j := skipLineGap(s, i)
		k := runEnd(s, j, alnum|base64Marks)
		if k < len(s) && s[k] == ':' && j > i { // "Proc-Type: 4,ENCRYPTED"
			k = j
		}
		if k-j < 20 &&
			(k == j || k-j < 4 && !inClass(s[k-1], base64Marks) || !inClass(s[k-1], base64Marks) && !isMixed(s[j:k])) {
			next := pemHeaderEnd(s, j)
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

// skipLineGap returns where the next line of a PEM body begins.
func skipLineGap(s string, i int) int {
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

// pemHeaderEnd returns the end of the PEM header line at s[i], or 0.
func pemHeaderEnd(s string, i int) int {
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

// findPuttyKey finds the private lines of the PuTTY key file at s[i].
func findPuttyKey(s string, i int) (p secretSpan, ok bool) {
	const lines, mac = "Private-Lines: ", "Private-MAC: "
	if !strings.HasPrefix(s[i:], lines) {
		return p, false
	}
	start := runEnd(s, i+len(lines), digit)
	end := pemBodyEnd(s, start)
	if end == start {
		return p, false
	}
	if j := skipLineGap(s, end); strings.HasPrefix(s[j:], mac) {
		end = runEnd(s, j+len(mac), anyHex)
	}
	return secretSpan{i, end, ruleIndex(rulePutty)}, true
}

// findCurlPassword finds the password after curl's option -u or --user at s[i].
func findCurlPassword(s string, i int) (p secretSpan, ok bool) {
	const back = 400
	j, ok := afterUserOption(s, i)
	if !ok || j >= len(s) || !strings.Contains(bytesBefore(s, i, back), "curl") {
		return p, false
	}
	j, end := loginArgument(s, j)
	user, secret, isPair := strings.Cut(s[j:end], ":")
	secret = strings.Trim(secret, `'"`)
	if !isPair || !isLogin(user, secret) {
		return p, false
	}
	if secret == "" && isStrong(user) {
		return secretSpan{j, j + len(user), ruleIndex(ruleCurl)}, true
	}
	if !isStrong(secret) && !isMixed(secret) {
		return p, false
	}
	start := j + len(user) + 1
	for start < end && (s[start] == '"' || s[start] == '\'') {
		start++
	}
	return secretSpan{start, start + len(secret), ruleIndex(ruleCurl)}, true
}

// afterUserOption returns where the argument of curl's option at s[i] begins.
func afterUserOption(s string, i int) (at int, ok bool) {
	const user = "-user"
	if s[i] != '-' {
		return runEnd(s, i+len(" -u "), blank), true
	}
	at = i + len(user)
	if !strings.HasPrefix(s[i:], user) || at >= len(s) || s[at] != ' ' && s[at] != '=' {
		return 0, false
	}
	return runEnd(s, at+1, blank), true
}

// loginArgument returns the argument of a command at s[i], without its quotation marks. The blanks of a quoted one end
// it too: a login has none.
func loginArgument(s string, i int) (start, end int) {
	const most = 256
	quote := byte(0)
	if s[i] == '"' || s[i] == '\'' {
		quote = s[i]
		i++
	}
	end = i
	for end < len(s) && end-i < most && s[end] > ' ' && s[end] != quote && (quote != 0 || s[end] != '\\') {
		end++
	}
	return i, end
}

// isLogin reports whether the two parts of an argument can be a login: they are long enough, and neither code nor
// made up.
func isLogin(user, secret string) bool {
	isShort := len(secret) < 4 && len(user) < 8
	isCode := strings.HasPrefix(user, "+") || strings.ContainsAny(secret, "$(<") && !isStrong(secret)
	return !isShort && !isCode && secret != user && (!isMadeUp(secret) || !isMadeUp(user))
}
