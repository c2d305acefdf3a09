package detect

import (
	"slices"
	"strings"
)

// findNameWord finds the value of the name that contains the name word at s[start]. matched reports
// whether the word is there at all.
func (c *secretScanner) findNameWord(s string, start int, w *nameWord) (p secretSpan, ok, matched bool) {
	if !hasPrefixFold(s[start:], w.word) {
		return p, false, false
	}
	end := start + len(w.word)
	switch w.kind {
	case foreignName:
		if p, ok = c.findNamed(s, start, end, passwordName); !ok {
			p, ok = findForeignPassword(s, end)
		}
		return p, ok, true
	case seedName:
		p, ok = findSeedPhrase(s, end)
		return p, ok, false
	case pinName:
		p, ok = findPIN(s, end)
		return p, ok, false
	case serviceName:
		p, ok = c.findServiceValue(s, start, end, w)
		return p, ok, false
	}
	if s[start] == '_' || strings.HasSuffix(w.word, "=") || strings.HasSuffix(w.word, ":") {
		end = start + strings.Index(w.word, "pwd") + 3
	}
	if isWorkingFolder(s, start, end) {
		return p, false, true
	}
	if (w.kind == passName || w.kind == authName) && isInOtherWord(s, start, end) {
		return p, false, false
	}
	p, ok = c.findNamed(s, start, end, w.kind)
	return p, ok, true
}

// isWorkingFolder reports whether s[start:end] is the variable of a shell's working folder.
func isWorkingFolder(s string, start, end int) bool {
	return s[start:end] == "PWD" && (start == 0 || s[start-1] != ';' && s[start-1] != '_')
}

// isInOtherWord reports whether "pass" or "auth" at s[start:end] is a part of another word or of a path, and not of a
// name written as one word.
func isInOtherWord(s string, start, end int) bool {
	if start > 0 && s[start-1] == '/' {
		return true
	}
	if end < len(s) && (inClass(s[end], lower) || inClass(s[start], upper) && inClass(s[end], letter)) {
		return true
	}
	return start > 0 && isOneWord(s[start-1], s[start]) &&
		!hasAnySuffix(strings.ToLower(bytesBefore(s, start, 8)), passPrefixes)
}

// isOneWord reports whether two letters are in the same case, so that they are of one word.
func isOneWord(a, b byte) bool {
	return inClass(a, lower) && inClass(b, lower) || inClass(a, upper) && inClass(b, upper)
}

// passPrefixes precede "pass" and "auth" in names written as one word, as in "dbpass".
const passPrefixes = "user;db;my;root;admin;sql;smtp;mail;ftp;http;sudo;proxy;key;store;redis;rabbit;wifi;vnc;ssh;login;test;app;pg;svn;git;docker;basic;o"

// findNamed finds the value of the name that contains the name word s[start:end].
func (c *secretScanner) findNamed(s string, start, end int, kind nameKind) (p secretSpan, ok bool) {
	v := valueAfter(s, end)
	c.steps += v.start - end
	if !c.isToBeRead(v, kind, end) || isElided(s, v.start, v.end) {
		return p, false
	}
	c.rejected = v
	from := runStart(s, max(0, start-longestName), start, slug|dot)
	v.inQuery = v.operator == '=' && isInQuery(s, from)
	v.end = v.shortEnd(s)
	text := s[v.start:v.end]
	if isHarmlessName(s, from, start, end, v.nameEnd) || v.isHarmlessHere(s, from, text) {
		return p, false
	}
	c.steps += min(len(text), maxExamined)
	if kind == tokenName && isWalletKey(s[max(0, min(from, start-longestQualifier)):v.nameEnd], text) {
		return secretSpan{v.start, v.end, ruleIndex(ruleWallet)}, true
	}
	switch kind {
	case headerName:
		return findHeaderCredentials(s, v)
	case passwordName, passName:
		if !v.isPassword(s, text, kind) || isMadeUp(text) || v.isExampleInProse(s, from, text) {
			return p, false
		}
		return secretSpan{v.start, v.endBefore(s, len(s)), ruleIndex(rulePassword)}, true
	}
	return v.findKey(s, from, text, kind)
}

// findKey returns the value of the name of a kind at s[from] if it is a key or token.
func (v *value) findKey(s string, from int, text string, kind nameKind) (p secretSpan, ok bool) {
	if !v.mayBeKeyOf(kind, text) || !v.isSecret(s, text) || isMadeUp(text) {
		return p, false
	}
	rule := ruleIndex(ruleGeneric)
	if isAWSSecret(s[from:v.start], text) {
		if strings.HasSuffix(text, "EXAMPLE"+"KEY") {
			return p, false
		}
		rule = ruleIndex(ruleAWSSecret)
	}
	return secretSpan{v.start, v.endBefore(s, len(s)), rule}, true
}

// isToBeRead reports whether v has to be examined: it is not empty, and was not rejected already for an earlier word of
// the same name. The word that ends at end names a header only if the whole name ends there too.
func (c *secretScanner) isToBeRead(v value, kind nameKind, end int) bool {
	if kind == headerName {
		return v.end > v.start && v.nameEnd == end
	}
	return v.end > v.start && v != c.rejected
}

// isInQuery reports whether the name at s[from] is one in the query of a link.
func isInQuery(s string, from int) bool { return from > 0 && (s[from-1] == '?' || s[from-1] == '&') }

// isHarmlessHere reports whether the value of the name at s[from] is no secret because of what is around both.
func (v *value) isHarmlessHere(s string, from int, text string) bool {
	return v.isNoSecretHere(s, from, text) || v.isFilter(s, from) || isInModule(s, v.start, text)
}

// mayBeKeyOf reports whether a value can be the key that a name of a kind has.
func (v *value) mayBeKeyOf(kind nameKind, text string) bool {
	switch kind {
	case keyForName:
		return v.quoted && len(text) >= 16 && !isDigest(text)
	case authName:
		const shortestKey = 32 // in hexadecimal; "auth" also names parts of a program, with short ids
		return (v.operator == '=' || v.operator == ':') && (!isDigest(text) || len(text) >= shortestKey)
	}
	return true
}

// isPassword reports whether a value is a password. In prose it must look random; in an assignment
// less is enough.
func (v *value) isPassword(s, text string, kind nameKind) bool {
	if len(text) < 6 || !isStrong(text) || isEmail(text) || v.operator == '|' && !v.fillsCell(s) {
		return false
	}
	if v.isVersion(s, text) || kind == passName && v.isOtherPass(s, text) {
		return false
	}
	switch v.operator {
	case ' ':
		return kind == passwordName && len(text) >= 8 && classChanges(text) >= 2 && !isTechnicalTerm(text) &&
			looksRandom(text)
	case 'i', '|', ',', '>':
		return v.isSaidPassword(text)
	}
	return v.isAssignedPassword(text, kind)
}

// isVersion reports whether a value is the version of a package, as in onepassword-sdk==0.4.1b1.
func (v *value) isVersion(s, text string) bool {
	return !v.quoted && strings.HasPrefix(s[v.nameEnd:], "==") && inClass(text[0], digit)
}

// isOtherPass reports whether "pass" is a word of a sentence or a report and no name of the value.
func (v *value) isOtherPass(s, text string) bool {
	return v.isBeforeSentence(s, text) || v.isInReport(text) || v.isAfterSentence(s) || v.isNoun(s, text) ||
		v.isResult(s)
}

// isBeforeSentence reports whether "pass" is a noun before another sentence or a quotation.
func (v *value) isBeforeSentence(s, text string) bool {
	endsInQuotation := v.quoted && v.end < len(s) && s[v.end] == ' '
	return v.operator == ',' || v.operator == 'i' && !hasDigit(text) || s[v.nameEnd-1] == '.' || endsInQuotation
}

// isInReport reports whether "pass" is a verb, as in a report of tests.
func (v *value) isInReport(text string) bool {
	return (v.operator == '|' || v.operator == '>') && (!hasDigit(text) || classChanges(text) < 2)
}

// isNoun reports whether "pass" is one, as in "since the last pass): `AB-316`".
func (v *value) isNoun(s, text string) bool {
	return s[v.nameEnd] == ')' || isDigest(text) && v.followsWord(s)
}

// isSaidPassword reports whether a value that a sentence, a list or a table names is a password.
func (v *value) isSaidPassword(text string) bool {
	if !v.quoted && runEnd(text, 0, letter) >= len(text)-1 {
		return false // a word and its punctuation
	}
	return !isTechnicalTerm(text) && inClass(text[0], visible) && runEnd(text, 0, digit|dash|lower) != len(text) ||
		classChanges(text) >= 1 && !isTechnicalTerm(text) && !inClass(text[0], digit)
}

// isAssignedPassword reports whether a value that is assigned to a name of a kind is a password.
func (v *value) isAssignedPassword(text string, kind nameKind) bool {
	if kind == passName && !v.quoted && v.operator == ':' {
		return classChanges(text) >= 2 && !isTechnicalTerm(text) && wordBytes(text)*2 < len(text)
	}
	if !v.quoted && isPassVariable(text) {
		return false
	}
	return !isTechnicalTerm(text) || len(text) > 12 && isMixed(text)
}

// isPassVariable reports whether a value is the name of a variable for a password.
func isPassVariable(text string) bool {
	return hasPrefixFold(text, "pass") && runEnd(text, 0, wordChar|dot) == len(text) &&
		wordBytes(text)*3 > len(text)*2
}

// isAfterSentence reports whether more than two words come between "pass" and the value, as in "pass land here as
// 01-Raw".
func (v *value) isAfterSentence(s string) bool {
	const mostFillers = 2
	before := strings.ToLower(bytesBefore(s, v.start, longestGap))
	at := strings.LastIndex(before, "pass")
	return (v.operator == 'i' || v.operator == ':') &&
		len(strings.Fields(strings.TrimRight(before[at+1:], ":`\"' "))) > mostFillers+1
}

// followsWord reports whether the name is one word of a sentence, as in "for this pass: `3f6c1e9`".
func (v *value) followsWord(s string) bool {
	start := runStart(s, max(0, v.nameEnd-longestName), v.nameEnd, slug|dot)
	return start > 1 && s[start-1] == ' ' && inClass(s[start-2], lower)
}

// isResult reports whether the name is PASS, alone and in capitals, and more words follow the value, or it is in the
// next cell of a table or the other choice, as in the report of a test.
func (v *value) isResult(s string) bool {
	const name = "PASS"
	isAlone := strings.HasSuffix(s[:v.nameEnd], name) && runStart(s, 0, v.nameEnd, wordChar) == v.nameEnd-len(name)
	isFollowed := v.operator == ':' && !v.quoted && strings.HasPrefix(s[v.end:], " ")
	isChosen := v.operator == ':' && hasAnySuffix(s[:v.nameEnd-len(name)], `? ";? '`) // ok ? "PASS" : "✗ " + failed
	return isAlone && (isFollowed || isChosen || v.operator == '|')
}

// isExampleInProse reports whether the password text of the name at s[from] is quoted as an example in a text about
// attacks or weak passwords: a season, month or day with a year, as people try first. An assignment is no example.
func (v *value) isExampleInProse(s string, from int, text string) bool {
	isQuoted := v.quoted || hasAnySuffix(s[:from], "`")
	if !isQuoted || v.operator == '=' || !isSeasonWithYear(text) {
		return false
	}
	line := bytesBefore(s, from, contextBefore)
	line = line[strings.LastIndexByte(line, '\n')+1:]
	follows := strings.ContainsAny(strings.TrimLeft(line, "-*#>|0123456789. \t"), " ")
	if v.operator == ':' && !follows || strings.ContainsAny(line, "{=,\"") {
		return false // a key of a file of settings
	}
	before := strings.ToLower(s[contextStart(s, from, contextBefore):from])
	after := strings.ToLower(s[v.end:contextEnd(s, v.end, contextAfter)])
	isAbout := func(said string) bool {
		return containsWordStart(said, discussionWords()) || containsWordStart(said, weaknessWords())
	}
	return isAbout(before) || isAbout(after)
}

// weaknessWords are beginnings of words with which people discuss passwords that are easy to guess.
var weaknessWords = wordsByFirstByte(
	"weak guess spray brute breach compromis crack common wordlist predictable pentest",
)

// isSeasonWithYear reports whether a value is a season, a month or a day of the week with a year, and perhaps marks.
func isSeasonWithYear(v string) bool {
	const yearLen = 4
	n := runEnd(v, 0, letter)
	year := strings.TrimLeft(v[n:], "@#-_.")
	end := runEnd(year, 0, digit)
	isYear := end == yearLen && hasAnyPrefix(year, "19;20")
	return isYear && strings.Trim(year[end:], "!?@#$%&*.") == "" && seasons()[strings.ToLower(v[:n])]
}

var seasons = wordSet(`spring summer autumn fall winter january february march april may june july august september
	october november december monday tuesday wednesday thursday friday saturday sunday`)

// isSecret reports whether a value is a key or token.
func (v *value) isSecret(s, text string) bool {
	text = text[:min(len(text), maxExamined)]
	if classChanges(text) < 2 || isCodeOrAddress(text) || !isPossibleKey(text) || v.operator == '|' && !v.fillsCell(s) {
		return false
	}
	assigns := strings.IndexByte("=:>,", v.operator) >= 0
	if assigns && (matchWholeBody(text, 0, uuidBody) > 0 || isRandomHex(text)) {
		return true
	}
	if digest := runEnd(text, 0, anyHex) == len(text); !assigns &&
		(len(text) < 16 || isTechnicalTerm(text) || digest && (v.operator != 'i' || len(text) < 32)) {
		return false
	}
	return looksRandom(text)
}

// isPossibleKey reports whether a value is neither the address of a person, nor the ID of something, nor digits in
// their order.
func isPossibleKey(text string) bool {
	return !isEmail(text) && !strings.Contains(text, "12345678") && !isZeroUUID(text) && !isSessionName(text) &&
		!isSlackID(text)
}

// isRandomHex reports whether a value is hexadecimal digits in no order.
func isRandomHex(text string) bool {
	return len(text) >= 16 && runEnd(text, 0, anyHex) == len(text) && hasDigit(text) && entropy(text) >= 25
}

// isZeroUUID reports whether a UUID is not random.
func isZeroUUID(text string) bool { return strings.HasPrefix(text, "00000000-0000") }

// isSessionName reports whether a text names a session, as agent:main:subagent:UUID does.
func isSessionName(text string) bool {
	i := strings.LastIndexByte(text, ':')
	return i > 0 && runEnd(text, 0, lower|dash) < i+1 && matchWholeBody(text, i+1, uuidBody) > 0
}

// isSlackID reports whether a text is the ID of a channel, person or team of Slack.
func isSlackID(text string) bool {
	return len(text) >= 9 && len(text) <= 12 && strings.IndexByte("CDGTUWB", text[0]) >= 0 && text[1] == '0' &&
		runEnd(text, 0, upper|digit) == len(text)
}

// fillsCell reports whether the value is all that its cell of a table has.
func (v *value) fillsCell(s string) bool {
	rest := strings.TrimLeft(bytesAfter(s, v.end, longestGap), "\"'`* \t")
	return rest == "" || strings.IndexByte("|\r\n\\", rest[0]) >= 0
}

// isEmail reports whether a text is an e-mail address.
func isEmail(v string) bool {
	name, host, ok := strings.Cut(v, "@")
	return ok && name != "" && runEnd(name, 0, slug|dot|plusSlash) == len(name) &&
		runEnd(host, 0, slug|dot) == len(host) &&
		strings.Contains(host, ".") &&
		runEnd(host, strings.LastIndexByte(host, '.')+1, lower) == len(host)
}

// isAWSSecret reports whether a name and value are those of an AWS secret access key.
func isAWSSecret(name, text string) bool {
	if len(text) != 40 || runEnd(text, 0, alnum|plusSlash) != 40 {
		return false
	}
	name = strings.ToLower(name)
	return strings.Contains(name, "secret") && (strings.Contains(name, "aws") || strings.Contains(name, "access"))
}

// findServiceValue finds the value of a name that contains the name of a service, by the forms of
// that service's tokens.
func (c *secretScanner) findServiceValue(s string, start, end int, w *nameWord) (p secretSpan, ok bool) {
	v := valueAfter(s, end)
	c.steps += v.start - end
	if v.end <= v.start {
		return p, false
	}
	text := s[v.start:v.end]
	inOtherWord := start > 0 && strings.Contains(w.word, "_") && isOneWord(s[start-1], s[start]) // as in add_api_key
	if isPublished(s[start:v.nameEnd]) || inOtherWord {
		return p, false
	}
	if !v.isCalledSecret(s, start, end) || isPlaceholder(text) {
		return p, false
	}
	for _, n := range w.values {
		c.steps += 8
		stop := matchWholeBody(s, v.start, n.body)
		if stop == 0 || !isServiceToken(s[v.start:stop], n.body) {
			continue
		}
		if p.end == 0 || n.rule < p.rule {
			p = secretSpan{v.start, stop, n.rule}
		}
	}
	return p, p.end > 0
}

// isCalledSecret reports whether a name that has that of a service at s[start:end] says that the value is secret. In a
// sentence, what comes behind the service has to say so.
func (v *value) isCalledSecret(s string, start, end int) bool {
	isSaid := v.operator == 'i' || v.operator == ' '
	return (!isSaid || namesSecret(s[end:v.start])) && namesSecret(s[max(0, start-16):v.start])
}

// isServiceToken reports whether a value with the form of a service's tokens is random enough to be one.
func isServiceToken(text, body string) bool {
	isWords := !hasDigit(text) && wordBytes(text)*4 >= len(text) || isSlugOfWords(text)
	isRepeated := isRepetitive(text) && !strings.Contains(body, "AAAA")
	return !isWords && !isRepeated && entropy(text) >= 22
}

// namesSecret reports whether part of a name says that the value is secret.
func namesSecret(part string) bool {
	return containsAny(strings.ToLower(part), "key;token;secret;pass;auth;api;cred;access;pat;com;login;bot")
}

// authSchemes may precede the credentials in an Authorization header.
const authSchemes = " basic bearer token digest apikey api-key key bot jwt splunk genie geniekey ssws oauth negotiate hawk auth "

// findHeaderCredentials finds the credentials in an Authorization header, after the scheme.
func findHeaderCredentials(s string, v value) (p secretSpan, ok bool) {
	if v.operator != ':' && v.operator != '=' {
		return p, false
	}
	start := v.start
	if end := runEnd(s[:min(len(s), start+16)], start, alnum|dash); end < len(s) &&
		strings.Contains(authSchemes, " "+strings.ToLower(s[start:end])+" ") &&
		inClass(s[end], blank) {
		start = runEnd(s, end, blank)
	}
	end := trimDots(s, start, runEnd(s, start, tokenChar))
	text := s[start:end]
	if len(text) < 8 || isMadeUp(text) || isElided(s, start, end) || runEnd(text, 0, lower) == len(text) ||
		!hasDigit(text) && classChanges(text) < 2 ||
		start == v.start && (len(text) < 16 || !looksRandom(text)) {
		return p, false
	}
	return secretSpan{start, end, ruleIndex(ruleHeader)}, true
}

// nameKind says what a word in a name says about the value.
type nameKind uint8

const (
	noName       nameKind = iota
	serviceName           // the name of a service
	authName              // "auth", at the end of a name
	tokenName             // a secret value
	passwordName          //
	passName              // "pass", at the end of a name
	headerName            // "Authorization"
	keyForName            // "key" in "the key for staging"
	foreignName           // a password in another language
	seedName              // the words of a wallet
	pinName               // "_PIN", at the end of a name
)

// nameWord is a word in names of secrets, with the forms of values that rules expect after it.
type nameWord struct {
	word   string
	kind   nameKind
	values []valueForm
}

type valueForm struct {
	rule int16
	body string
}

// baseNameWords name secrets of any service. A word comes before longer words that begin with it.
var baseNameWords = [...]nameWord{
	{word: "pass", kind: passName}, {word: "passcode", kind: passwordName}, {word: "passphrase", kind: passwordName},
	{word: "passwd", kind: passwordName}, {word: "password", kind: passwordName},
	{
		word: "_pwd",
		kind: passwordName,
	}, {word: "pwd=", kind: passwordName}, {word: "pwd:", kind: passwordName}, {word: "dbpwd", kind: passwordName},
	{
		word: "secret",
		kind: tokenName,
	}, {word: "token", kind: tokenName}, {word: "credential", kind: tokenName}, {word: "creds", kind: tokenName},
	{word: "_pin", kind: pinName}, {word: "auth", kind: authName}, {word: "authorization", kind: headerName},
}

// allNameWords returns baseNameWords and the names of services in the rules.
func allNameWords() []nameWord {
	words := baseNameWords[:len(baseNameWords):len(baseNameWords)]
	for _, w := range slices.Concat(strings.Fields(foreignLabels), strings.Split(foreignPhrases, ";")) {
		words = append(words, nameWord{word: lowerASCII(w), kind: foreignName})
	}
	for w := range strings.SplitSeq(seedLabels, ";") {
		words = append(words, nameWord{word: w, kind: seedName})
	}
	at := map[string]int{}
	for i, r := range secretRules() {
		for _, n := range r.named {
			k, ok := at[n.name]
			if !ok {
				k = len(words)
				at[n.name] = k
				words = append(words, nameWord{word: n.name, kind: serviceName})
			}
			words[k].values = append(words[k].values, valueForm{int16(i), n.body})
		}
	}
	return words
}

// keyQualifiers make "key" the name of a secret, as in "api key".
var keyQualifiers = [...]string{
	"api", "access", "account", "auth", "private", "signing", "encryption", "encrypt", "secret", "master", "shared",
	"session",
	"service", "storage", "license", "admin", "app", "application", "subscription", "consumer", "webhook",
	"integration", "deploy",
}

// isKeyName reports whether a qualifier precedes the "key" at s[i].
func isKeyName(s string, i int) bool {
	if i > 0 && inClass(s[i-1], blank|slug|dot) && !inClass(s[i-1], alnum) {
		i--
	}
	for _, w := range keyQualifiers {
		if i >= len(w) && hasPrefixFold(s[i-len(w):], w) {
			return true
		}
	}
	return false
}

// harmlessSuffixes follow a name word in names of values that are not secret, as in "token_id".
var harmlessSuffixes = [...]string{
	"id", "name", "url", "uri", "file", "path", "length", "len", "size", "type", "count", "version", "endpoint",
	"arn", "expir",
	"field", "label", "prefix", "policy", "format", "index", "ref", "selector", "reset", "manager", "change",
	"rotation", "hint",
	"generator", "strength", "rule", "requirement", "recovery", "form", "input", "column", "param", "validat",
	"check", "store",
	"address", "mint", "program", "rate", "budget", "limit", "usage", "ring", "board", "alias", "hash", "digest",
	"fingerprint", "lifetime", "ttl", "scope", "izer", "ise", "ize",
}

// places end names of where secrets are kept, as in "SECRET_DIR". With another word behind them they say less:
// "SECRET_STORAGE_KEY".
var places = [...]string{"dir", "folder", "bucket", "region", "storage"}

// harmlessPrefixes precede "token" in names of values that are not secret.
const harmlessPrefixes = "csrf;xsrf;authenticity;public;publickey;public_key;public-key;next;page;continuation;cancel;max;pagination;dummy;fake;cursor;sync"

// isHarmlessName reports whether the name s[start:end] with the name word s[at:after] has a value
// that is not secret.
func isHarmlessName(s string, start, at, after, end int) bool {
	if slices.Contains(places[:], strings.ToLower(strings.Trim(s[after:end], "_-. "))) {
		return true
	}
	rest := strings.TrimLeft(s[after:end], "_-.s ")
	for _, w := range harmlessSuffixes {
		if hasPrefixFold(rest, w) && (len(rest) == len(w) || len(w) > 3 || !inClass(rest[len(w)], lower)) {
			return true
		}
	}
	return hasAnySuffix(strings.ToLower(strings.TrimRight(s[start:at], "_-. ")), harmlessPrefixes) ||
		isPublished(s[start:end])
}

// followsPlaceholder reports whether the name at s[from] is itself a placeholder in angle brackets, as in
// "<password>@host", in a quotation that ends after it, and at the end of several words: "<initial admin password>".
func (v *value) followsPlaceholder(s string, from int) bool {
	if v.operator != '>' {
		return false
	}
	before := strings.TrimRight(bytesBefore(s, from, longestName), lettersAndBlanks)
	isWords := strings.HasSuffix(before, "<") && s[from-1] == ' ' && s[v.start-1] != '>'
	isQuoted := from >= 2 && s[from-1] == '<' && strings.IndexByte("\"'`", s[from-2]) >= 0
	return isWords || isQuoted || s[v.start-1] == '>' && s[v.start] == '@'
}

const lettersAndBlanks = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ "

// isParameterWord reports whether s[start:] belongs to the expansion of a shell's variable named at s[from]: what is
// printed if it is not set, as in "${PASSWORD:?is not set}", or what stands for one that is, as in
// "${PASSWORD:+given}".
func isParameterWord(s string, from, start int) bool {
	if start == 0 || s[start-1] != ':' {
		return false
	}
	return s[start] == '?' || s[start] == '+' && strings.HasSuffix(s[:from], "${")
}

// isDownloadLink reports whether a name at s[from] is that of the token in a public link: to a file in Firebase's
// storage and to the picture of a badge.
func isDownloadLink(s string, from int) bool { return hasAnySuffix(s[:from], "alt=media&;.svg?") }

// isNoSecretHere reports whether what is around the name at s[from] and its value says that the value is no secret.
func (v *value) isNoSecretHere(s string, from int, text string) bool {
	return v.followsPlaceholder(s, from) || isParameterWord(s, from, v.start) || isDownloadLink(s, from) ||
		v.isNextItem(s) || isDigestOfFile(s, from, *v, text) || isOfVisitors(s, from)
}

// isNextItem reports whether the name is in one code span of Markdown, and the value in the next of a list, as in
// "`redactKey`, `joinLog`", or after a word, as in "`except: pass` blocks: `main.py`".
func (v *value) isNextItem(s string) bool {
	const mark = '`'
	isSpan := v.nameEnd < len(s) && s[v.nameEnd] == mark && s[v.start-1] == mark
	return isSpan && (v.operator == ',' || v.operator == ':' && s[v.nameEnd+1] == ' ')
}

// isFilter reports whether the value is a function that a template applies to what the name at s[from] holds, as in
// "{{ .Values.adminPassword | b64enc }}".
func (v *value) isFilter(s string, from int) bool {
	before := bytesBefore(s, from, longestName)
	return v.operator == '|' && strings.LastIndex(before, "{{") > strings.LastIndex(before, "}}")
}

// isInModule reports whether the value s[start:] is the name of what a module has, as in
// "new_api_key_row::NewApiKeyRow".
func isInModule(s string, start int, text string) bool {
	return strings.HasSuffix(s[:start], "::") && runEnd(text, 0, letter|underscore) == len(text)
}

// isDigestOfFile reports whether the name at s[from] is the path of a file, and the value its digest, as in
// `"lib/secrets.cjs": "02b4…"`.
func isDigestOfFile(s string, from int, v value, text string) bool {
	const shortest = 32 // in hexadecimal
	ext := s[from+strings.LastIndexByte(s[from:v.nameEnd], '.')+1 : v.nameEnd]
	isFile := len(ext) < v.nameEnd-from && len(ext) <= 4 && runEnd(ext, 0, lower) == len(ext)
	return isFile && len(text) >= shortest && isDigest(text)
}

// isOfVisitors reports whether the name at s[from] is in a call that starts a program which a page sends to everybody
// with its key, to count visits or report errors.
func isOfVisitors(s string, from int) bool {
	const before = 120
	return containsAny(bytesBefore(s, from, before), "Bugsnag.start(;posthog.init(;LogRocket.init(;mixpanel.init(;"+
		"amplitude.init(;Sentry.init(;algoliasearch(;datadogRum.init(;rollbar.init(;heap.load(;Raygun(")
}

// isPublished reports whether a name is that of a value that is sent to every visitor, as VITE_GOOGLE_CLIENT_ID.
func isPublished(name string) bool {
	return hasAnySuffix(
		strings.ToLower(withoutSeparators.Replace(name)),
		"clientid;appid;projectid;publishablekey;publickey;sitekey",
	)
}

var withoutSeparators = strings.NewReplacer("_", "", "-", "")

// technicalTerms are beginnings of words with digits that are no passwords.
var technicalTerms = [...]string{
	"base64", "base32", "scram", "sha", "md5", "utf", "oauth", "argon2", "pbkdf2", "http", "x509", "ipv", "rfc",
	"argon2id", "aes", "rsa", "hs256", "rs256",
	"win32", "bcrypt", "scrypt", "2fa", "u2f", "k8s", "oidc", "saml", "pkcs", "p12", "ed25519", "nist", "cwe", "cve",
	"v1", "v2", "v3",
	"i18n", "l10n", "s3", "ec2", "1password", "h264", "mp3", "mp4", "iso", "fido2", "auth0", "win10", "python3",
	"log4j", "neo4j",
}

// isTechnicalTerm reports whether a value is such a word.
func isTechnicalTerm(v string) bool {
	for _, w := range technicalTerms {
		if hasPrefixFold(v, w) && (len(v) == len(w) || !inClass(v[len(w)], letter)) {
			return true
		}
	}
	return false
}

// Limits on how far names and values are read, so that a text made of names takes linear time.
const (
	longestName = 64
	longestGap  = 48
	// longestQualifier is how far before a name its qualifier is, as in "the wallet's private key".
	longestQualifier = 24
)

// value is the value s[start:end] of a name and how it was assigned.
type value struct {
	start, end int
	// operator is between name and value: = : > , or |, i for "is", or a space for none.
	operator byte
	quoted   bool
	inQuery  bool // of a link, where & begins the next name
	nameEnd  int  // end of the name
}

// valueAfter returns the value of the name that continues at s[i], with end 0 if there is none.
func valueAfter(s string, i int) (v value) {
	v.nameEnd = runEnd(s[:min(len(s), i+longestName)], i, slug|dot)
	j := skipClosers(s, v.nameEnd)
	ok, inTag := false, j > v.nameEnd
	if v.operator, j = parseOperator(s, j); v.operator == 0 {
		if j, ok = v.skipFillers(s, j); !ok || inTag && v.operator == ':' && j < len(s) && s[j] == '"' {
			return v // the next of several tags, as in `json:"password" validate:"min=8"`
		}
	}
	v.start = v.skipLead(s, j)
	if v.operator == ',' && !v.quoted || v.start >= len(s) {
		return v
	}
	v.end = v.shortEnd(s)
	return v
}

// skipClosers skips the signs at s[i] that end a quotation, an index or an emphasis around a name.
func skipClosers(s string, i int) int {
	const most = 3
	for n := 0; n < most && i < len(s) && strings.IndexByte("\"'`\\])*", s[i]) >= 0; n++ {
		i++
	}
	return i
}

// parseOperator returns the assignment operator after blanks at s[i] and where it ends.
func parseOperator(s string, i int) (op byte, end int) {
	i = runEnd(s, i, blank)
	if i >= len(s) {
		return 0, i
	}
	c := s[i]
	switch {
	case strings.IndexByte("?.+", c) >= 0 && strings.HasPrefix(s[i+1:], "="):
		return '=', i + 2
	case strings.HasPrefix(s[i:], "->"):
		return '>', i + 2
	case strings.HasPrefix(s[i:], "://"):
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

// skipFillers skips words between a name and its value, as in "password for the admin is", and
// returns where the value may begin.
func (v *value) skipFillers(s string, i int) (int, bool) {
	limit := min(len(s), v.nameEnd+longestGap)
	for words := 0; words < 6; words++ {
		start := runEnd(s, i, blank)
		if start == i && words > 0 || start >= limit {
			return i, false
		}
		end := runEnd(s[:limit], start, slug)
		followsName := words == 0 && start > v.nameEnd
		if end == start || followsName && !isPlainWord(s[start:end]) {
			v.operator = ' '
			return start, followsName
		}
		switch s[start:end] {
		case "is", "was", "are", "be", "as", "Is", "IS":
			v.operator = 'i'
			return skipChangeVerbs(s, end), true
		}
		if !isPlainWord(s[start:end]) {
			return i, false
		}
		i = end
		if op, j := parseOperator(s, i); strings.IndexByte("=:>", op) >= 0 {
			if v.namesVariable(s) || op == '=' && s[i] == '=' {
				return i, false // the value is that of the word, as in "API_TOKEN channel=general"
			}
			v.operator, v.nameEnd = op, i
			return j, true
		}
	}
	return i, false
}

// namesVariable reports whether the name is that of a variable of a shell, as in API_TOKEN.
func (v *value) namesVariable(s string) bool {
	name := s[runStart(s, max(0, v.nameEnd-longestName), v.nameEnd, wordChar):v.nameEnd]
	return strings.Contains(name, "_") && strings.ToUpper(name) == name
}

// skipChangeVerbs skips the rest of phrases such as "was changed to".
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

// skipLead skips quotes and blanks between an operator and the value.
func (v *value) skipLead(s string, i int) int {
	for n := 0; n < 8 && i < len(s); n++ {
		switch c := s[i]; {
		case isQuote(c):
			if v.quoted {
				return i
			}
			v.quoted = true
		case inClass(c, blank), !v.quoted && (c == '\\' || c == '='), c == '*' && n < 3:
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

// shortEnd returns the end of the value, examining at most maxExamined bytes.
func (v *value) shortEnd(s string) int { return v.endBefore(s, min(len(s), v.start+maxExamined)) }

// endBefore returns the end of the value without trailing punctuation, at most limit.
func (v *value) endBefore(s string, limit int) int {
	end := v.start
	for end < limit && !inClass(s[end], endsValue) && (s[end] != '&' || !v.inQuery) ||
		v.quoted && end < limit && strings.IndexByte(",;|", s[end]) >= 0 {
		end++
	}
	if v.quoted {
		return end
	}
	return v.start + len(strings.TrimRight(s[v.start:end], ".)]}*”’“‘»」"))
}
