package detect

import "strings"

// findNameWord finds the value of the name that contains the telling word at s[start]. matched reports
// whether the word is there at all.
func (c *secretScanner) findNameWord(s string, start int, w *nameWord) (p secretSpan, ok, matched bool) {
	if !hasPrefixFold(s[start:], w.word) {
		return p, false, false
	}
	end := start + len(w.word)
	if w.kind == serviceName {
		p, ok = c.findServiceValue(s, start, end, w)
		return p, ok, false
	}
	if s[start] == '_' || strings.HasSuffix(w.word, "=") || strings.HasSuffix(w.word, ":") {
		end = start + strings.Index(w.word, "pwd") + 3
	}
	if s[start:end] == "PWD" && (start == 0 || s[start-1] != ';' && s[start-1] != '_') {
		return p, false, true // the shell's working folder
	}
	if w.kind == passName || w.kind == authName {
		if start > 0 && s[start-1] == '/' || end < len(s) && (inClass(s[end], lower) || inClass(s[start], upper) && inClass(s[end], letter)) ||
			start > 0 && inClass(s[start-1], lower) && inClass(s[start], lower) && !hasAnySuffix(strings.ToLower(s[max(0, start-8):start]), passPrefixes) {
			return p, false, false
		}
	}
	p, ok = c.findNamed(s, start, end, w.kind)
	return p, ok, true
}

// passPrefixes precede "pass" and "auth" in names written as one word.
const passPrefixes = "user;db;my;root;admin;sql;smtp;mail;ftp;http;sudo;proxy;key;store;redis;rabbit;wifi;vnc;ssh;login;test;app;pg;svn;git;docker;basic;o"

// findNamed finds the value of the name with the telling word s[start:end].
func (c *secretScanner) findNamed(s string, start, end int, kind nameKind) (p secretSpan, ok bool) {
	v := valueAfter(s, end)
	c.steps += v.start - end
	if v.end <= v.start || v == c.rejected && kind != headerName || kind == headerName && v.nameEnd != end || isElided(s, v.start, v.end) {
		return p, false
	}
	c.rejected = v
	from := start
	for from > 0 && start-from < longestName && inClass(s[from-1], slug|dot) {
		from--
	}
	if isHarmlessName(s, from, start, end, v.nameEnd) {
		return p, false
	}
	text := s[v.start:v.end]
	c.steps += min(len(text), maxExamined)
	switch kind {
	case headerName:
		return findHeaderCredentials(s, v)
	case passwordName, passName:
		if !v.isPassword(s, text, kind) || isMadeUp(text) {
			return p, false
		}
		return secretSpan{v.start, v.endBefore(s, len(s)), specialRule().password}, true
	case authName:
		if v.operator != '=' && v.operator != ':' {
			return p, false
		}
	}
	if !v.isSecret(text) || isMadeUp(text) {
		return p, false
	}
	rule := specialRule().generic
	if isAWSSecret(s[from:v.start], text) {
		if strings.HasSuffix(text, "EXAMPLE"+"KEY") {
			return p, false
		}
		rule = specialRule().aws
	}
	return secretSpan{v.start, v.endBefore(s, len(s)), rule}, true
}

// isPassword reports whether a value is a password. In prose it must look more like one than in an
// assignment.
func (v *value) isPassword(s, text string, kind nameKind) bool {
	if len(text) < 6 || !isStrong(text) || isEmail(text) {
		return false
	}
	if kind == passName && (v.operator == '|' || v.operator == '>') && (!hasDigit(text) || classChanges(text) < 2) {
		return false // "pass" as a verb: what passed
	}
	switch v.operator {
	case ' ':
		return kind == passwordName && len(text) >= 8 && classChanges(text) >= 2 && !isTechnicalTerm(text) && looksRandom(text)
	case 'i', '|', ',', '>':
		return !isTechnicalTerm(text) && inClass(text[0], visible) && runEnd(text, 0, digit|dash|lower) != len(text) || classChanges(text) >= 1 && !isTechnicalTerm(text) && !inClass(text[0], digit)
	}
	if kind == passName && !v.quoted && v.operator == ':' {
		return classChanges(text) >= 2 && !isTechnicalTerm(text) && wordBytes(text)*2 < len(text)
	}
	if !v.quoted && hasPrefixFold(text, "pass") && runEnd(text, 0, wordChar|dot) == len(text) && wordBytes(text)*3 > len(text)*2 {
		return false // a variable
	}
	return !isTechnicalTerm(text) || len(text) > 12 && isMixed(text)
}

// isSecret reports whether a value is a key or token.
func (v *value) isSecret(text string) bool {
	text = text[:min(len(text), maxExamined)]
	if classChanges(text) < 2 || isCodeOrAddress(text) || isEmail(text) || strings.Contains(text, "12345678") || isZeroUUID(text) || isSessionName(text) {
		return false
	}
	assigns := v.operator == '=' || v.operator == ':' || v.operator == '>' || v.operator == ','
	if assigns && (matchWholeBody(text, 0, uuidBody) > 0 || len(text) >= 16 && runEnd(text, 0, anyHex) == len(text) && hasDigit(text) && entropy(text) >= 25) {
		return true
	}
	if digest := runEnd(text, 0, anyHex) == len(text); !assigns && (len(text) < 16 || isTechnicalTerm(text) || digest && (v.operator != 'i' || len(text) < 32)) {
		return false
	}
	return looksRandom(text)
}

// isZeroUUID reports whether a UUID is not random.
func isZeroUUID(text string) bool { return strings.HasPrefix(text, "00000000-0000") }

// isSessionName reports whether a text names a session, as agent:main:subagent:UUID does.
func isSessionName(text string) bool {
	i := strings.LastIndexByte(text, ':')
	return i > 0 && runEnd(text, 0, lower|dash) < i+1 && matchWholeBody(text, i+1, uuidBody) > 0
}

// isEmail reports whether a text is an e-mail address.
func isEmail(v string) bool {
	name, host, ok := strings.Cut(v, "@")
	return ok && name != "" && runEnd(name, 0, slug|dot|plusSlash) == len(name) && runEnd(host, 0, slug|dot) == len(host) &&
		strings.Contains(host, ".") && runEnd(host, strings.LastIndexByte(host, '.')+1, lower) == len(host)
}

// isAWSSecret reports whether a name and value are those of an AWS secret access key.
func isAWSSecret(name, text string) bool {
	if len(text) != 40 || runEnd(text, 0, alnum|plusSlash) != 40 {
		return false
	}
	name = strings.ToLower(name)
	return strings.Contains(name, "secret") && (strings.Contains(name, "aws") || strings.Contains(name, "access"))
}

// findServiceValue finds the value of a name that contains the name of a service, by the forms of that
// service's values.
func (c *secretScanner) findServiceValue(s string, start, end int, w *nameWord) (p secretSpan, ok bool) {
	v := valueAfter(s, end)
	c.steps += v.start - end
	if v.end <= v.start {
		return p, false
	}
	text := s[v.start:v.end]
	if (v.operator == 'i' || v.operator == ' ') && !namesSecret(s[end:v.start]) || !namesSecret(s[max(0, start-16):v.start]) || isPlaceholder(text) {
		return p, false
	}
	for _, n := range w.values {
		c.steps += 8
		stop := matchWholeBody(s, v.start, n.body)
		if stop == 0 || !hasDigit(s[v.start:stop]) && wordBytes(s[v.start:stop])*4 >= stop-v.start || entropy(s[v.start:stop]) < 22 || isRepetitive(s[v.start:stop]) && !strings.Contains(n.body, "AAAA") {
			continue
		}
		if p.end == 0 || n.rule < p.rule {
			p = secretSpan{v.start, stop, n.rule}
		}
	}
	return p, p.end > 0
}

// namesSecret reports whether part of a name says that the value is secret.
func namesSecret(part string) bool {
	return containsAny(strings.ToLower(part), "key;token;secret;pass;auth;api;cred;access;pat;com;login;bot")
}

// authSchemes may precede the credentials in an Authorization header.
const authSchemes = " basic bearer token digest apikey api-key key bot jwt splunk genie geniekey ssws oauth negotiate hawk auth "

// findHeaderCredentials finds the credentials after the scheme in an Authorization header.
func findHeaderCredentials(s string, v value) (p secretSpan, ok bool) {
	if v.operator != ':' && v.operator != '=' {
		return p, false
	}
	start := v.start
	if end := runEnd(s[:min(len(s), start+16)], start, alnum|dash); end < len(s) && strings.Contains(authSchemes, " "+strings.ToLower(s[start:end])+" ") && inClass(s[end], blank) {
		start = runEnd(s, end, blank)
	}
	end := trimDots(s, start, runEnd(s, start, tokenChar))
	text := s[start:end]
	if len(text) < 8 || isMadeUp(text) || isElided(s, start, end) || runEnd(text, 0, lower) == len(text) || !hasDigit(text) && classChanges(text) < 2 ||
		start == v.start && (len(text) < 16 || !looksRandom(text)) {
		return p, false
	}
	return secretSpan{start, end, specialRule().header}, true
}
