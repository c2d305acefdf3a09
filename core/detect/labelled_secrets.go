package detect

import (
	"strings"
	"unicode/utf8"
)

// foreignLabels are words for "password" in other languages than English, as they are written before one. A label in
// lower case also counts with a capital.
const foreignLabels = `密码 密碼 口令 パスワード 暗証番号 비밀번호 암호 пароль Пароль ПАРОЛЬ passwort kennwort contraseña CONTRASEÑA contrasena senha wachtwoord
	hasło heslo lösenord adgangskode salasana jelszó şifre Şifre סיסמה รหัสผ่าน`

// foreignPhrases are those of several words, separated by semicolons.
const foreignPhrases = "mot de passe;palavra-passe;kata sandi;mật khẩu;كلمة المرور;clave de acceso"

// copulas come between a label and a value, in the languages of foreignLabels. Separated by semicolons.
const copulas = ":;：;=;＝; ist ; lautet ; es ; é ; est ; è ; is ; это ;は;是;为;為;는;은; | "

// findForeignPassword finds the password behind a label in another language that ends at s[end]: in the same line,
// after a colon or a word such as "ist".
func findForeignPassword(s string, end int) (p secretSpan, ok bool) {
	line := s[end:min(len(s), end+longestName)]
	if n := strings.IndexAny(line, "\n\r"); n >= 0 {
		line = line[:n]
	}
	first, length := len(line), 0
	for c := range strings.SplitSeq(copulas, ";") {
		if n := strings.Index(line, c); n >= 0 && n < first {
			first, length = n, len(c)
		}
	}
	if first == len(line) || strings.ContainsAny(line[:first], ".,;()[]{}。，") {
		return p, false
	}
	start := end + first + length
	for start < len(s) && (inClass(s[start], blank) || strings.IndexByte("\"'`*|\\", s[start]) >= 0) {
		start++
	}
	v := value{start: start, operator: 'i', nameEnd: end}
	v.end = v.shortEnd(s)
	if n := strings.IndexFunc(s[start:v.end], func(r rune) bool { return r >= utf8.RuneSelf }); n >= 0 {
		v.end = start + n // a password is not followed by a blank in Chinese and Japanese
	}
	text := s[v.start:v.end]
	if !v.isPassword(s, text, passwordName) || isMadeUp(text) || isElided(s, v.start, v.end) {
		return p, false
	}
	return secretSpan{v.start, v.end, ruleIndex(rulePassword)}, true
}

// findPIN finds the digits after a name that ends in PIN at s[end]: four to ten of them, in an assignment.
func findPIN(s string, end int) (p secretSpan, ok bool) {
	const least, most = 4, 10
	if end >= len(s) || s[end] != '=' && s[end] != '"' && s[end] != '\'' && s[end] != ':' {
		return p, false
	}
	v := valueAfter(s, end)
	text := s[v.start:max(v.start, v.end)]
	if v.operator != '=' && v.operator != ':' || len(text) < least || len(text) > most ||
		runEnd(text, 0, digit) < len(text) ||
		isSequence(text) ||
		strings.Trim(text, text[:1]) == "" {
		return p, false
	}
	return secretSpan{v.start, v.end, ruleIndex(rulePassword)}, true
}

// sessionNames are parts of the names of cookies that sign their bearer in. Separated by semicolons.
const sessionNames = "sess;sid;auth;token;jwt;remember;login;li_at;.aspx;ticket"

// harmlessCookies are parts of names of cookies that do not. Separated by semicolons.
const harmlessCookies = "csrf;xsrf;consent;analytics;visitor"

// isSession reports whether a cookie signs its bearer in.
func isSession(name, text string) bool {
	name = strings.ToLower(name)
	return len(text) >= 16 && containsAny(name, sessionNames) && !containsAny(name, harmlessCookies) &&
		isRandomCookie(text) &&
		!isMadeUp(text)
}

func isRandomCookie(text string) bool {
	plain := strings.TrimPrefix(text, "s%3A") // how Express marks a signed one
	return !strings.ContainsAny(plain, "$<>{}()[] ") &&
		(looksRandom(plain) || entropy(plain) >= 28 && runEnd(plain, 0, anyHex|dash) == len(plain) && hasDigit(plain))
}

// longestCookies is how many bytes of a header are read.
const longestCookies = 2048

// findCookie finds the cookie of a session among the pairs from s[start] on.
func (c *secretScanner) findCookie(s string, start int) (p secretSpan, ok bool) {
	limit := min(len(s), start+longestCookies)
	for start < limit {
		start = runEnd(s[:limit], start, blank)
		end := start
		for end < limit && s[end] > ' ' && strings.IndexByte("\"'`;", s[end]) < 0 {
			end++
		}
		c.steps += end - start + 1
		name, text, found := strings.Cut(s[start:end], "=")
		if !found {
			return p, false
		}
		if text = strings.TrimRight(text, `\,`); isSession(name, text) {
			at := start + len(name) + 1
			return secretSpan{at, at + len(text), ruleIndex(ruleCookie)}, true
		}
		if end >= limit || s[end] != ';' {
			return p, false
		}
		start = end + 1
	}
	return p, false
}

// findCookieHeader finds the cookie in the header whose "ookie" is at s[i], or in curl's option --cookie.
func (c *secretScanner) findCookieHeader(s string, i int) (p secretSpan, ok bool) {
	const name = "ookie"
	if !strings.HasPrefix(s[i:], name) {
		return p, false
	}
	j := i + len(name)
	for n := 0; n < 4 && j < len(s) && strings.IndexByte("\"'\\", s[j]) >= 0; n++ {
		j++
	}
	if j >= len(s) || s[j] != ':' && s[j] != ' ' && s[j] != '=' || s[j] != ':' && !strings.HasSuffix(s[:i], "--c") {
		return p, false
	}
	for j++; j < len(s) && (inClass(s[j], blank) || strings.IndexByte("\"'\\", s[j]) >= 0); {
		j++
	}
	return c.findCookie(s, j)
}

// findCurlCookie finds the cookie after curl's option -b at s[i].
func (c *secretScanner) findCurlCookie(s string, i int) (p secretSpan, ok bool) {
	const option, back = " -b ", 400
	if !strings.HasPrefix(s[i:], option) || !strings.Contains(bytesBefore(s, i, back), "curl") {
		return p, false
	}
	j := i + len(option)
	for j < len(s) && (inClass(s[j], blank) || strings.IndexByte("\"'\\", s[j]) >= 0) {
		j++
	}
	return c.findCookie(s, j)
}

// findCookieInJar finds the cookie in a line of a cookie file of curl and wget, whose flag and path are at s[i].
func findCookieInJar(s string, i int) (p secretSpan, ok bool) {
	line := s[i:min(len(s), i+longestCookies)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = strings.TrimSuffix(line[:n], "\r")
	}
	fields := strings.Split(line, "\t") // "", flag, path, secure, expires, name, value
	if len(fields) != 7 || !isSession(fields[5], fields[6]) {
		return p, false
	}
	return secretSpan{i + len(line) - len(fields[6]), i + len(line), ruleIndex(ruleCookie)}, true
}

// findStoredCookie finds the cookie in the storage state of a browser whose "domain" is at s[i].
func findStoredCookie(s string, i int) (p secretSpan, ok bool) {
	const back, key, named = 600, `"value"`, `"name"`
	from := max(0, i-back)
	at := strings.LastIndex(s[from:i], key)
	if at < 0 {
		return p, false
	}
	name := strings.LastIndex(s[from:from+at], named)
	if name < 0 {
		return p, false
	}
	n, v := valueAfter(s, from+name+len(named)-1), valueAfter(s, from+at+len(key)-1)
	if n.end <= n.start || v.end <= v.start || v.end > i {
		return p, false
	}
	v.end = v.endBefore(s, i)
	if !isSession(s[n.start:n.end], s[v.start:v.end]) {
		return p, false
	}
	return secretSpan{v.start, v.end, ruleIndex(ruleCookie)}, true
}

// findHtpasswd finds the hash of a password whose colon is at s[i], after the name of a user at the start of a line.
func findHtpasswd(s string, i int) (p secretSpan, ok bool) {
	const shortest = 20
	start := runStart(s, max(0, i-longestName), i, slug|dot)
	if start == i || start > 0 && strings.IndexByte("\n\r\"'` ", s[start-1]) < 0 {
		return p, false
	}
	end := runEnd(s, i+1, slug|dot|plusSlash|equals)
	for end < len(s) && (s[end] == '$' || s[end] == '}' && s[i+1] == '{' && end-i < 8 || s[end] == '{' && end == i+1) {
		end = runEnd(s, end+1, slug|dot|plusSlash|equals)
	}
	text := s[i+1 : end]
	hash := text[strings.LastIndexAny(text, "$}")+1:]
	if len(hash) < shortest || !isMixed(hash) || isPlaceholder(hash) {
		return p, false
	}
	return secretSpan{i + 1, end, ruleIndex(ruleHash)}, true
}

// seedLabels come before the words of a wallet. Separated by semicolons, in lower case.
const seedLabels = "mnemonic;seed phrase;seed_phrase;seedphrase;recovery phrase;recovery_phrase;seed words;助记词"

// findSeedPhrase finds the words after a label of seedLabels that ends at s[end]: 12 to 24 of them, in one line.
// Examples repeat words, and prose has shorter ones.
func findSeedPhrase(s string, end int) (p secretSpan, ok bool) {
	start := firstSeedWord(s, end)
	at, words, distinct := seedWords(s, start)
	isLength := words >= 12 && words <= 24 && words%3 == 0
	isProse := distinct["the"] || distinct["and"] || distinct["for"] || distinct["with"]
	if !isLength || isProse || at < len(s) && inClass(s[at], wordChar) || len(distinct)*5 < words*4 {
		return p, false
	}
	return secretSpan{start, at, ruleIndex(ruleSeed)}, true
}

// firstSeedWord returns where the words after a label that ends at s[at] begin: behind signs and words that join it to
// its value.
func firstSeedWord(s string, at int) int {
	const gap = 40
	for n := 0; n < gap && at < len(s) && (!inClass(s[at], alnum) || isFiller(s[at:])); n++ {
		if inClass(s[at], alnum) {
			at = runEnd(s, at, alnum)
		} else {
			at++
		}
	}
	return at
}

// seedWords returns the end of the words of 3 to 8 letters at s[at], separated by blanks, how many they are, and which.
func seedWords(s string, at int) (end, words int, distinct map[string]bool) {
	distinct = map[string]bool{}
	for at < len(s) {
		stop := runEnd(s[:min(len(s), at+9)], at, lower)
		if n := stop - at; n < 3 || n > 8 {
			break
		}
		distinct[s[at:stop]] = true
		words++
		at = stop
		if stop+1 >= len(s) || s[stop] != ' ' || !inClass(s[stop+1], lower) {
			break
		}
		at++
	}
	return at, words, distinct
}

// isFiller reports whether a text begins with a word that joins a label to its value.
func isFiller(s string) bool { return hasAnyPrefix(s, "is ;is:;was ;words ;phrase") }

// isWalletKey reports whether a value is the private key of a wallet: 32 random bytes in hexadecimal after 0x.
func isWalletKey(name, text string) bool {
	const digits = 64
	body, ok := strings.CutPrefix(text, "0x")
	return ok && len(body) == digits && runEnd(body, 0, anyHex) == digits && entropy(body) >= 30 && !isSequence(body) &&
		containsAny(
			strings.ToLower(name),
			"private;secret;wallet;deployer;signer",
		) && !testWallets()[strings.ToLower(text)]
}

// testWallets are the keys that Hardhat and Anvil document for their accounts, and that of the tests of Ethereum.
var testWallets = wordSet(
	`0x45a915e4d060149eb4365960e6a7a45f334393093061116b197e3240065ff2d8
	0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80 0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d
	0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a 0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6
	0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a 0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba
	0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e 0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356
	0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97 0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6`,
)

// addAWSSecret adds the secret half of a pair whose first half ends at s[end], as in "AKIA…:secret".
func (c *secretScanner) addAWSSecret(s string, end int) {
	const longest, length = 6, 40
	start := end
	for start < len(s) && start-end < longest && strings.IndexByte(":;,/| \t\n\r\"'`\\", s[start]) >= 0 {
		start++
	}
	stop := runEnd(s[:min(len(s), start+length+1)], start, alnum|plusSlash)
	if text := s[start:stop]; start > end && len(text) == length && looksRandom(text) && !isDigest(text) &&
		!isMadeUp(text) {
		c.found = append(c.found, secretSpan{start, stop, ruleIndex(ruleAWSSecret)})
	}
}

// isDigest reports whether a text is a hash in hexadecimal.
func isDigest(text string) bool { return runEnd(text, 0, anyHex) == len(text) }

// isKeyFor reports whether "key" at s[i] is said to be for something, as in "the key for staging is".
func isKeyFor(s string, i int) bool {
	const key = "key"
	return hasAnySuffix(strings.ToLower(bytesBefore(s, i, 12)), "the ;our ;this ;new ;test ;prod ;staging ") &&
		hasAnyPrefix(s[i+len(key):], " for ; is `; is \";: `")
}
