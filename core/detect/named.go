package detect

import "strings"

// word finds the value of the name that contains the telling word at s[start]. matched reports
// whether the word is there at all.
func (c *secretScanner) word(s string, start int, w *telling) (p secretAt, ok, matched bool) {
	if !hasFold(s[start:], w.word) {
		return p, false, false
	}
	end := start + len(w.word)
	if w.named == service {
		p, ok = c.service(s, start, end, w)
		return p, ok, false
	}
	if s[start] == '_' || strings.HasSuffix(w.word, "=") || strings.HasSuffix(w.word, ":") {
		end = start + strings.Index(w.word, "pwd") + 3
	}
	if s[start:end] == "PWD" && (start == 0 || s[start-1] != ';' && s[start-1] != '_') {
		return p, false, true // the shell's working folder
	}
	if w.named == shortPass || w.named == authName {
		if start > 0 && s[start-1] == '/' || end < len(s) && (is(s[end], lower) || is(s[start], upper) && is(s[end], letter)) ||
			start > 0 && is(s[start-1], lower) && is(s[start], lower) && !hasAnySuffix(strings.ToLower(s[max(0, start-8):start]), passOwners) {
			return p, false, false
		}
	}
	p, ok = c.named(s, start, end, w.named)
	return p, ok, true
}

// passOwners precede "pass" and "auth" in names written as one word.
const passOwners = "user;db;my;root;admin;sql;smtp;mail;ftp;http;sudo;proxy;key;store;redis;rabbit;wifi;vnc;ssh;login;test;app;pg;svn;git;docker;basic;o"

// named finds the value of the name with the telling word s[start:end].
func (c *secretScanner) named(s string, start, end int, says named) (p secretAt, ok bool) {
	v := valueAfter(s, end)
	c.steps += v.start - end
	if v.end <= v.start || v == c.tried && says != header || says == header && v.name != end || elided(s, v.start, v.end) {
		return p, false
	}
	c.tried = v
	from := start
	for from > 0 && start-from < longestName && is(s[from-1], slug|dot) {
		from--
	}
	if harmlessName(s, from, start, end, v.name) {
		return p, false
	}
	text := s[v.start:v.end]
	c.steps += min(len(text), judged)
	switch says {
	case header:
		return credentials(s, v)
	case password, shortPass:
		if !v.password(s, text, says) || madeUp(text) {
			return p, false
		}
		return secretAt{v.start, v.until(s, len(s)), ruleOf().password}, true
	case authName:
		if v.op != '=' && v.op != ':' {
			return p, false
		}
	}
	if !v.secret(text) || madeUp(text) {
		return p, false
	}
	rule := ruleOf().generic
	if isAWSSecret(s[from:v.start], text) {
		if strings.HasSuffix(text, "EXAMPLE"+"KEY") {
			return p, false
		}
		rule = ruleOf().aws
	}
	return secretAt{v.start, v.until(s, len(s)), rule}, true
}

// password reports whether a value is a password. In prose it must look more like one than in an
// assignment.
func (v *value) password(s, text string, says named) bool {
	if len(text) < 6 || !strong(text) || email(text) {
		return false
	}
	if says == shortPass && (v.op == ',' || v.op == 'i' && !hasDigit(text) || s[v.name-1] == '.' || v.quoted && v.end < len(s) && s[v.end] == ' ') {
		return false // "pass" as a noun, before another sentence or a quotation
	}
	if says == shortPass && (v.op == '|' || v.op == '>') && (!hasDigit(text) || changes(text) < 2) {
		return false // "pass" as a verb: what passed
	}
	switch v.op {
	case ' ':
		return says == password && len(text) >= 8 && changes(text) >= 2 && !techWord(text) && random(text)
	case 'i', '|', ',', '>':
		return !techWord(text) && is(text[0], visible) && run(text, 0, digit|dash|lower) != len(text) || changes(text) >= 1 && !techWord(text) && !is(text[0], digit)
	}
	if says == shortPass && !v.quoted && v.op == ':' {
		return changes(text) >= 2 && !techWord(text) && wordy(text)*2 < len(text)
	}
	if !v.quoted && hasFold(text, "pass") && run(text, 0, word|dot) == len(text) && wordy(text)*3 > len(text)*2 {
		return false // a variable
	}
	return !techWord(text) || len(text) > 12 && mixed(text)
}

// secret reports whether a value is a key or token.
func (v *value) secret(text string) bool {
	text = text[:min(len(text), judged)]
	if changes(text) < 2 || call(text) || email(text) || strings.Contains(text, "12345678") || madeUpUUID(text) || sessionName(text) {
		return false
	}
	assigns := v.op == '=' || v.op == ':' || v.op == '>' || v.op == ','
	if assigns && (whole(text, 0, uuidBody) > 0 || len(text) >= 16 && run(text, 0, hexAny) == len(text) && hasDigit(text) && entropy(text) >= 25) {
		return true
	}
	if digest := run(text, 0, hexAny) == len(text); !assigns && (len(text) < 16 || techWord(text) || digest && (v.op != 'i' || len(text) < 32)) {
		return false
	}
	return random(text)
}

// madeUpUUID reports whether a UUID is not random.
func madeUpUUID(text string) bool { return strings.HasPrefix(text, "00000000-0000") }

// sessionName reports whether a text names a session, as agent:main:subagent:UUID does.
func sessionName(text string) bool {
	i := strings.LastIndexByte(text, ':')
	return i > 0 && run(text, 0, lower|dash) < i+1 && whole(text, i+1, uuidBody) > 0
}

// email reports whether a text is an e-mail address.
func email(v string) bool {
	name, host, ok := strings.Cut(v, "@")
	return ok && name != "" && run(name, 0, slug|dot|plus) == len(name) && run(host, 0, slug|dot) == len(host) &&
		strings.Contains(host, ".") && run(host, strings.LastIndexByte(host, '.')+1, lower) == len(host)
}

// isAWSSecret reports whether a name and value are those of an AWS secret access key.
func isAWSSecret(name, text string) bool {
	if len(text) != 40 || run(text, 0, alnum|plus) != 40 {
		return false
	}
	name = strings.ToLower(name)
	return strings.Contains(name, "secret") && (strings.Contains(name, "aws") || strings.Contains(name, "access"))
}

// service finds the value of a name that contains the name of a service, by the forms of that
// service's values.
func (c *secretScanner) service(s string, start, end int, w *telling) (p secretAt, ok bool) {
	v := valueAfter(s, end)
	c.steps += v.start - end
	if v.end <= v.start {
		return p, false
	}
	text := s[v.start:v.end]
	if (v.op == 'i' || v.op == ' ') && !telltale(s[end:v.start]) || !telltale(s[max(0, start-16):v.start]) || placeholder(text) {
		return p, false
	}
	for _, n := range w.near {
		c.steps += 8
		stop := whole(s, v.start, n.body)
		if stop == 0 || !hasDigit(s[v.start:stop]) && wordy(s[v.start:stop])*4 >= stop-v.start || entropy(s[v.start:stop]) < 22 || repeats(s[v.start:stop]) && !strings.Contains(n.body, "AAAA") {
			continue
		}
		if p.end == 0 || n.rule < p.rule {
			p = secretAt{v.start, stop, n.rule}
		}
	}
	return p, p.end > 0
}

// telltale reports whether part of a name says that the value is secret.
func telltale(part string) bool {
	return containsAny(strings.ToLower(part), "key;token;secret;pass;auth;api;cred;access;pat;com;login;bot")
}

// authSchemes may precede the credentials in an Authorization header.
const authSchemes = " basic bearer token digest apikey api-key key bot jwt splunk genie geniekey ssws oauth negotiate hawk auth "

// credentials finds the credentials after the scheme in an Authorization header.
func credentials(s string, v value) (p secretAt, ok bool) {
	if v.op != ':' && v.op != '=' {
		return p, false
	}
	start := v.start
	if end := run(s[:min(len(s), start+16)], start, alnum|dash); end < len(s) && strings.Contains(authSchemes, " "+strings.ToLower(s[start:end])+" ") && is(s[end], blank) {
		start = run(s, end, blank)
	}
	end := trimmed(s, start, run(s, start, tokens))
	text := s[start:end]
	if len(text) < 8 || madeUp(text) || elided(s, start, end) || run(text, 0, lower) == len(text) || !hasDigit(text) && changes(text) < 2 ||
		start == v.start && (len(text) < 16 || !random(text)) {
		return p, false
	}
	return secretAt{start, end, ruleOf().header}, true
}
