package detect

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	encoding32 "encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"hash/crc32"
	"math"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"
)

// entropy returns the Shannon entropy of the first 64 bytes of s, in tenths of a bit per byte.
func entropy(s string) int {
	s = s[:min(len(s), entropyBytes)]
	var counts [128]uint8
	logs, sum := logarithmTable(), float32(0)
	for i := range len(s) {
		counts[s[i]&127]++
	}
	for i := range len(s) {
		n := &counts[s[i]&127]
		sum += logs[*n]
		*n = 0
	}
	return int(10 * (logs[len(s)] - sum) / float32(max(len(s), 1)))
}

const entropyBytes = 64

// logarithmTable holds n·log2(n).
var logarithmTable = sync.OnceValue(func() *[entropyBytes + 1]float32 {
	t := &[entropyBytes + 1]float32{}
	for n := 1; n <= entropyBytes; n++ {
		t[n] = float32(float64(n) * math.Log2(float64(n)))
	}
	return t
})

// isMixed reports whether letters and digits alternate as in random text, unlike in a name.
func isMixed(s string) bool { return classChanges(s) >= 3 }

// hasSmallLetter reports whether a token is no hexadecimal number in capitals.
func hasSmallLetter(token string) bool { return strings.ToUpper(token) != token }

// hasCapital reports whether a text has a capital, as base64 of some length has.
func hasCapital(text string) bool { return strings.ToLower(text) != text }

// classChanges counts the changes between lower case, upper case and digits in s, except from a
// capital to lower case.
func classChanges(s string) (n int) {
	last := byteClass(0)
	for i := range len(s) {
		now := byteClasses[s[i]] & (digit | upper | lower)
		if last != 0 && now != 0 && now != last && (last != upper || now != lower) {
			n++
		}
		last = now
	}
	return n
}

// wordBytes returns how many bytes of s are in runs of at least four letters that could be words:
// in one case, except for a capital, and made of common letter pairs.
func wordBytes(s string) (n int) {
	common := commonPairs()
	for i := 0; i < len(s); {
		if !inClass(s[i], letter) {
			i++
			continue
		}
		end := i + 1
		if inClass(s[i], upper) && end < len(s) && inClass(s[end], upper) {
			end = runEnd(s, end, upper)
		} else {
			end = runEnd(s, end, lower)
		}
		if end-i >= 4 {
			pairs := 0
			for k := i; k+1 < end; k++ {
				pairs += int(common[s[k]&31] >> (s[k+1] & 31) & 1)
			}
			if pairs*10 >= (end-i-1)*7 {
				n += end - i
			}
		}
		i = end
	}
	return n
}

// commonPairs are the frequent letter pairs of English: a bit set of second letters by first
// letter.
var commonPairs = sync.OnceValue(func() (t [32]uint32) {
	const pairs = "thheineranreonatenndtiesorteofedisitalarsttontngsehaasouiolevecomedehirironeicearaceli" +
		"challbemasiomurcaeltalansdifohopeecprnoctusacotiltrlyncetutsssorsunlowageiewheewiemadolrtpowenaul" +
		"nitsmoowpaimmiaishirsuidosiviaamficiviplligtuevldrympfeblabghtyopwosaayexkefrooavagifapgrodbosprd" +
		"doucbueiovbyrmepttocfaefcurnscgidayocrcldugaquueffbaeylsvaumppualupugohtrugdsltpircrregauckewmubr" +
		"biptakpuuirgibtlnykirkysobmmfuphogmsyeudmbipuboirlgudrhrcctwftwnnuafhunneovorvnfxpgnsmflizoknlmygl" +
		"awjuoaeqsyslpsjolfnvjenkkngsdyhyzeksxtbsikddkaaumaptrpwsazoxixefebtstchcktyhyp"
	for i := 0; i+1 < len(pairs); i++ {
		t[pairs[i]&31] |= 1 << (pairs[i+1] & 31)
	}
	return t
})

// looksRandom reports whether a value is a random key and not a word, a name in code, a date or a
// path.
func looksRandom(v string) bool {
	v = v[:min(len(v), maxExamined)]
	n := classChanges(v)
	switch {
	case len(v) < 10 || len(v) < 16 && n < 3 || n < 2:
		return false
	case runEnd(v, 0, digit|dash|dot) == len(v) || strings.Trim(v, "0123456789-:.TZ+") == "":
		return false
	case strings.Count(v, "/") > 1 && wordBytes(v)*3 > len(v):
		return false
	}
	return entropy(v) >= min(30, 10+len(v)) &&
		(n*3 >= len(v) || n*6 >= len(v) && wordBytes(v)*2 < len(v) || n >= 3 && wordBytes(v)*3 < len(v))
}

// isCodeOrAddress reports whether a value is an expression of code, a path or an address.
func isCodeOrAddress(v string) bool {
	return hasAnyPrefix(strings.TrimPrefix(v, "-"), "0x;0X") || hasAnyPrefix(v, codePrefixes) ||
		strings.ContainsAny(v, "([{") || containsAny(v, "env.;://") || strings.HasSuffix(v, "aws4_request") ||
		isExpression(v) || isQuantity(v) || isPlace(v)
}

// isExpression reports whether a value is names with signs of code, or a list of rules.
func isExpression(v string) bool {
	return isNameWithSign(v) || isRuleList(v) || isOptionalMember(v) || isChainOfNames(v)
}

// isQuantity reports whether a value is a colour, a style, a measure or a time.
func isQuantity(v string) bool { return isColour(v) || isStyle(v) || isMeasure(v) || isTimestamp(v) }

// isPlace reports whether a value is where something is: a file, a package, a host or an account.
func isPlace(v string) bool {
	return isPackage(v) || isFileName(v) || isHandle(v) || isAbsolutePath(v) || isDomainName(v) || isModuleVersion(v)
}

// isChainOfNames reports whether a value is names joined by "::" or "|", the last two of them of letters alone, as
// "api_key_row::ApiKeyRow" is, and "AppId|SecretId|SecretKey". A password may have | between its words.
func isChainOfNames(v string) bool {
	names := strings.FieldsFunc(strings.TrimRight(v, "\"';,"), func(r rune) bool {
		return r == '|' || r == ':' || r >= utf8.RuneSelf
	})
	isChoice := strings.Contains(v, "|") && containsAny(v, "Id;Key;Secret;Token")
	if len(names) < 2 || !isChoice && !strings.Contains(v, "::") {
		return false
	}
	for _, name := range names[len(names)-2:] {
		if len(name) < 2 || runEnd(name, 0, letter|underscore) < len(name) {
			return false
		}
	}
	return wordBytes(v)*4 >= len(names[len(names)-1])+len(names[len(names)-2])
}

// codePrefixes are beginnings of paths, names and digests, and of keys for every visitor of a page: PostHog's and
// Mapbox's. Separated by semicolons.
const codePrefixes = "~/;../;./;arn:;sha256:;sha512-;phc_;pk.eyJ"

// isNameWithSign reports whether a value is a name after a + or &, as in "&password".
func isNameWithSign(v string) bool {
	isSigned := v != "" && (v[0] == '+' || v[0] == '&')
	return isSigned && runEnd(v, 1, wordChar|dot) >= len(v)-1 && wordBytes(v)*2 > len(v)
}

// isAbsolutePath reports whether a value is one, and not an AWS secret that begins with a slash.
func isAbsolutePath(v string) bool {
	const secretLen, mostSlashes = 40, 3
	return strings.HasPrefix(v, "/") &&
		(len(v) != secretLen || strings.Count(v, "/") > mostSlashes || wordBytes(v)*3 > len(v))
}

// isMeasure reports whether a value says how long something is, as "5-digit" and "8-character" do.
func isMeasure(v string) bool {
	n := runEnd(v, 0, digit)
	return n > 0 && n < len(v) && v[n] == '-' && runEnd(v, n+1, lower) == len(v)
}

// isTimestamp reports whether a value is a day with a time, as in "2026-04-25T04:04:47Z".
func isTimestamp(v string) bool {
	return hasAnyPrefix(v, "19;20") && strings.Contains(v, ":") && strings.Trim(v, "0123456789-:.TZ+") == ""
}

// isRuleList reports whether a value is a list of rules for a field of a form, as in "required|string|min:8".
func isRuleList(v string) bool {
	rules := strings.Split(v, "|")
	for _, rule := range rules {
		name, _, _ := strings.Cut(rule, ":")
		if len(name) < 2 || runEnd(name, 0, lower|underscore) < len(name) {
			return false
		}
	}
	return len(rules) > 1
}

// isOptionalMember reports whether a value is a member that may be missing, as in "passwordInput?.value".
func isOptionalMember(v string) bool {
	object, member, ok := strings.Cut(v, "?.")
	return ok && runEnd(object, 0, wordChar|dot) == len(object) && runEnd(member, 0, wordChar|dot) == len(member)
}

// isFileName reports whether a value is the name of a file of settings, code or text, or the place of lines in a file,
// as in "shop-439509-2cfc6b202fa3.json", "tests/test_e2e.py" and "main.py:211-212".
func isFileName(v string) bool {
	const shortest = 12
	const ends = ".json;.yaml;.yml;.toml;.ini;.py;.ts;.tsx;.js;.go;.rs;.rb;.java;.php;.sh;.md;.txt;.html;.xml;.csv;.sql;" +
		".pem;.crt;.log;.zip;.pdf;.png;.jpg;.svg;.mp4;.mkv"
	file, lines, hasLines := strings.Cut(v, ":")
	if runEnd(file, 0, slug|dot|plusSlash) < len(file) {
		return false
	}
	if hasLines {
		ext := file[strings.LastIndexByte(file, '.')+1:]
		isPlace := lines != "" && runEnd(lines, 0, digit|dash) == len(lines)
		return isPlace && len(ext) < len(file) && ext != "" && runEnd(ext, 0, lower) == len(ext)
	}
	return len(v) >= shortest && hasAnySuffix(v, ends)
}

// isDomainName reports whether a value is the name of a host below a domain, as in "dev-s8w01y.eu.shop.com".
func isDomainName(v string) bool {
	const fewest, shortestTop, longestTop = 2, 2, 6
	last := v[strings.LastIndexByte(v, '.')+1:]
	return strings.Count(v, ".") >= fewest && !strings.Contains(v, "..") &&
		len(last) >= shortestTop && len(last) <= longestTop && runEnd(last, 0, lower) == len(last) &&
		runEnd(v, 0, lower|digit|dash|dot) == len(v)
}

// isModuleVersion reports whether a value is the version of a module, with the time of its commit or what comes before
// a release, as in "v0.0.0-20190820223206-44cdfe8d8ba9".
func isModuleVersion(v string) bool {
	number, rest, _ := strings.Cut(v, "-")
	return rest != "" && strings.HasPrefix(number, "v") && strings.Count(number, ".") == 2 &&
		runEnd(number, 1, digit|dot) == len(number)
}

// isHandle reports whether a value is an attribute or a name after an @, as in "@long-clickable".
func isHandle(v string) bool { return len(v) > 1 && v[0] == '@' && runEnd(v, 1, lower|dash) == len(v) }

// isPackage reports whether a value is the name of a package of npm, as @scope/name.
func isPackage(v string) bool {
	scope, _, ok := strings.Cut(v, "/")
	return ok && len(scope) > 1 && scope[0] == '@' && runEnd(v, 1, lower|digit|dash|dot|plusSlash) == len(v)
}

// isColour reports whether a value is a colour, as in #d1fae5.
func isColour(v string) bool {
	return len(v) >= 4 && len(v) <= 9 && v[0] == '#' && runEnd(v, 1, anyHex) == len(v)
}

// isStyle reports whether a value is a colour by the name of its class, as in text-emerald-600 and bg-green-500/20.
func isStyle(v string) bool {
	name := strings.TrimRight(v, "0123456789/")
	return len(name) < len(v) && runEnd(name, 0, lower|dash) == len(name) && strings.Count(name, "-") == 2 &&
		hasAnyPrefix(name, "text-;bg-;border-;fill-;stroke-;ring-")
}

// isStrong reports whether a value could be a password: letters with digits or marks, or random
// letters of both cases, but no word and no code.
func isStrong(v string) bool {
	var seen byteClass
	mark := false
	for i := range len(v) {
		seen |= byteClasses[v[i]] & alnum
		mark = mark || strings.IndexByte("!@#$%^&*?+~", v[i]) >= 0
	}
	changes, words := classChanges(v), wordBytes(v)
	isRandomCase := len(v) >= 10 && (changes >= 4 && words*2 < len(v) || changes >= 3 && words == 0)
	if seen&digit == 0 && !mark && !isRandomCase {
		return false
	}
	return seen&letter != 0 && !isCodeOrAddress(v) && !isCodeName(v)
}

// isCodeName reports whether a value is a name of two or three words, such as "e2e-tester" and
// "Sessions#create".
func isCodeName(v string) bool {
	parts := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune(".#-/", r) })
	if len(parts) > 3 || len(parts) == 1 && !strings.ContainsAny(v, "/") {
		return false
	}
	words := 0
	for _, part := range parts {
		switch {
		case wordBytes(part)*3 >= len(part)*2 && runEnd(part, 0, letter) == len(part):
			words++
		case len(part) > 3 || runEnd(part, 0, digit) == len(part):
			return false
		}
	}
	return words > 0
}

// Checks that rules name for their tokens.

// isNotExample rejects the key IDs in the documentation of AWS.
func isNotExample(token string) bool { return !strings.HasSuffix(token, "EXAMPLE") }

// isNotDigest rejects digests with a name before them.
func isNotDigest(token string) bool {
	return isMixed(token) && runEnd(token, strings.IndexByte(token, '-')+1, lowerHex) < len(token)
}

// isNotName rejects names in code.
func isNotName(token string) bool { return wordBytes(token)*2 < len(token) }

func hasDigit(token string) bool { return strings.ContainsAny(token, "0123456789") }

// isModelKey rejects the names of OpenSSH's algorithms for keys in hardware.
func isModelKey(token string) bool {
	return isMixed(token) && !hasAnyPrefix(token, "sk-ecdsa-sha2;sk-ssh-")
}

// isOpenAIKey accepts keys with the text that all older keys of OpenAI contain.
func isOpenAIKey(token string) bool { return strings.Contains(token, "T3Blbk"+"FJ") }

// isJWT accepts web tokens with a header and a body, which is JSON if it is not encrypted. The signature may be
// missing.
func isJWT(token string) bool {
	head, rest, ok := strings.Cut(token, ".")
	body, signature, _ := strings.Cut(rest, ".")
	isEncrypted := strings.Count(signature, ".") == 2
	isClaims := isEncrypted || hasAnyPrefix(body, "ew;ex;ey;ez")
	if !ok || len(head) < 13 || len(body) < 4 || !isClaims || isSequence(signature) {
		return false
	}
	// Neither the example of https://jwt.io, also with another name, nor unsigned, nor for every visitor, nor
	// Supabase's for each local start.
	// Nor of a link to a picture in a comment on GitHub, which is of use for five minutes.
	const published = "John Doe;1234567890;:1516239022;:\"none\";\"role\":\"anon\";supabase-demo;" +
		"\"aud\":\"raw.githubusercontent.com\""
	return !containsAny(decodeBase64(head)+decodeBase64(body), published)
}

// Claims returns the decoded header and body of a web token, and whether the body says for whom or for what it is, and
// who issued it or when. One that does not was signed to try the signing.
func Claims(token string) (text string, ok bool) {
	head, rest, _ := strings.Cut(token, ".")
	body, _, _ := strings.Cut(rest, ".")
	body = decodeBase64(body)
	isOf := containsAny(body, `"sub";"aud";"scope";"role";"email";"id";"user`)
	return decodeBase64(head) + body, isOf && containsAny(body, `"iat";"exp";"iss"`)
}

// IsUUID reports whether a text is a UUID.
func IsUUID(text string) bool { return matchWholeBody(text, 0, uuidBody) > 0 }

// HasValidChecksum reports whether a token of GitHub or npm ends in the checksum of its body, so that it was issued:
// the last six of 36 characters are a CRC-32 in base 62.
func HasValidChecksum(token string) bool {
	const body, sum, digits = 30, 6, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	_, rest, ok := strings.Cut(token, "_")
	if !ok || len(rest) != body+sum || !hasAnyPrefix(token, "ghp_;gho_;ghu_;ghs_;npm_") {
		return false
	}
	n := uint64(0)
	for _, c := range []byte(rest[body:]) {
		d := strings.IndexByte(digits, c)
		if d < 0 {
			return false
		}
		n = n*uint64(len(digits)) + uint64(d)
	}
	return n == uint64(crc32.ChecksumIEEE([]byte(rest[:body])))
}

// isBase64JWT accepts base64 of a web token.
func isBase64JWT(token string) bool { return strings.HasPrefix(token, "ZXlKa") || isMixed(token) }

// isPlaceholder reports whether a value is a placeholder for a secret, was redacted, or is a
// documented example.
func isPlaceholder(v string) bool {
	if v == "" || isRedacted(v) || isRepetitive(v) || documentedKeys()[v] {
		return true
	}
	switch v[0] {
	case '<', '{', '[', '(':
		return true
	case '%':
		return len(v) < 3 || v[len(v)-1] == '%'
	case '$':
		if isDollarName(v) || strings.HasPrefix(v, "$ANSIBLE_VAULT") { // the header of encrypted data
			return true
		}
	case '@':
		return v[len(v)-1] == '@'
	case '!':
		return runEnd(v, 1, lower) == len(v) // a YAML tag, such as !vault
	}
	return hasPlaceholderWord(v)
}

// isRedacted reports whether a value was left out in part or as a whole.
func isRedacted(v string) bool {
	return strings.Contains(v, "REDACTED") || strings.Contains(v, "...") ||
		strings.Contains(v[:min(len(v), maxElidedLen)], "…") || strings.Trim(v, "*xX.-_?#") == ""
}

// isDollarName reports whether a value that begins with a dollar is a variable, an expression, or a member in Perl and
// PHP, where "-" is a part of "->".
func isDollarName(v string) bool {
	if hasPrefixFold(v, "$env:") {
		return true // in PowerShell
	}
	end := runEnd(v, 1, wordChar)
	if len(v) > 1 && (v[1] == '{' || v[1] == '(' || inClass(v[1], upper|underscore) || end == len(v)) {
		return true
	}
	return end == len(v)-1 && v[len(v)-1] == '-'
}

// hasPlaceholderWord reports whether a word of a value says that it is a placeholder.
func hasPlaceholderWord(v string) bool {
	v = v[:min(len(v), maxExamined)]
	words := placeholderWords()
	for i := range v {
		for _, w := range words[v[i]|0x20] {
			if hasPrefixFold(v[i:], w) {
				return true
			}
		}
	}
	return false
}

// maxElidedLen is the length from which an ellipsis means that a program cut a real value. A person
// shortens an example to fewer bytes.
const maxElidedLen = 16

// isElided reports whether an ellipsis stands for the rest of the value s[start:end].
func isElided(s string, start, end int) bool {
	return hasAnyPrefix(s[end:], `...;\.\.\.;###;***`) || strings.HasPrefix(s[end:], "…") && end-start < maxElidedLen
}

// isRepetitive reports whether one byte is repeated in s more often than chance allows.
func isRepetitive(s string) bool {
	const most = 12
	n := 1
	for i := 1; i < min(len(s), maxExamined); i++ {
		if s[i] != s[i-1] {
			n = 0
		}
		if n++; n > most {
			return true
		}
	}
	return false
}

// isMadeUp is isPlaceholder for values that are recognized only by their names. Such a value may
// also be a sequence or a usual password of tests.
func isMadeUp(v string) bool {
	if plain, err := url.PathUnescape(v); err == nil && len(plain) < len(v) && len(plain) >= 8 {
		v = plain
	}
	isNoJWT := strings.HasPrefix(v, "eyJ") && strings.Contains(v, ".") && !isJWT(v)
	return isNoJWT || isPlaceholder(v) || isNameInCode(v) || isUsual(v) || isAccountLine(v) ||
		isBase64Placeholder(v) || isBase32Word(v)
}

// isNameInCode reports whether a value is a name that code gives to a secret.
func isNameInCode(v string) bool { return isMember(v) || isTypeName(v) || isConstant(v) }

// isUsual reports whether a value is what people take without thinking, or for a test.
func isUsual(v string) bool {
	return isSequence(v) || isPeriodicOrUsual(v) || isTestPassword(v) || isSpelledTestPassword(v)
}

// isAccountLine reports whether a value begins a line of /etc/passwd, which has no password: "root:x:0:0:root:/root".
func isAccountLine(v string) bool {
	fields := strings.SplitN(v, ":", 5)
	return len(fields) > 3 && fields[1] == "x" && runEnd(fields[2], 0, digit) == len(fields[2])
}

// isSlugOfWords reports whether a value is words in small letters joined by dashes, as in "test-primary" and
// "ort01-super-secret-value". A word may end in two digits or be these, and the last may be a longer number:
// "very-long-key-123".
func isSlugOfWords(v string) bool {
	const shortest, longest, mostDigits = 2, 14, 2
	if at := strings.LastIndexByte(v, '-'); at > 0 && len(v)-at-1 == runEnd(v[at+1:], 0, digit) && len(v)-at <= 4 {
		v = v[:at]
	}
	if !strings.Contains(v, "-") {
		return false
	}
	for part := range strings.SplitSeq(v, "-") {
		word := strings.TrimRight(part, "0123456789")
		isNumber := word == "" && part != ""
		isWord := len(word) >= shortest && len(word) <= longest && runEnd(word, 0, lower) == len(word)
		if !isNumber && !isWord || len(part)-len(word) > mostDigits {
			return false
		}
	}
	return true
}

// isMember reports whether a value is a member of an object in code with the name of a secret, as in "user.apiKey",
// "data?.hasApiKey" and "!!hasApiKey", or a variable: "apiKeyToUse".
func isMember(v string) bool {
	name := strings.TrimLeft(v, "!")
	if !containsAny(name, "Key;Token;Secret;Password") {
		return false
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(name, "?.", "."), ".") {
		if part == "" || !inClass(part[0], lower) || runEnd(part, 0, lower|upper) < len(part) {
			return false
		}
	}
	return true
}

// isConstant reports whether a value is the name of a constant or a variable of the environment, as CRON_SECRET is.
func isConstant(v string) bool {
	name, _, _ := strings.Cut(v, "=")
	return strings.Contains(name, "_") && runEnd(name, 0, upper|underscore) == len(name)
}

// isTypeName reports whether a value is words that begin with capitals, as the names of types do: HonoJsonWebKey. One
// that begins in lower case has to be words for the most part, and one that ends in a digit to name a secret:
// joinLogForUrl, summitPassInput2.
func isTypeName(v string) bool {
	const shortest, mostDigits = 3, 1
	name := strings.TrimRight(v, "0123456789")
	words, last := 0, 0
	for i := range len(name) {
		if i > 0 && inClass(name[i], upper) {
			if i-last < shortest {
				return false
			}
			words, last = words+1, i
		}
	}
	isLetters := runEnd(name, 0, letter) == len(name)
	isName := isLetters && len(name)-last >= shortest && wordBytes(name)*4 >= len(name)
	if words == 0 || !isName || len(v)-len(name) > mostDigits {
		return false
	}
	isWordsMostly := name == v && wordBytes(name)*2 >= len(name)
	isNamed := isWordsMostly || containsAny(name, "Pass;Key;Token;Secret")
	return inClass(v[0], upper) && name == v || words > 1 && isNamed
}

// isPeriodicOrUsual reports whether a value is one text over and over, or the digest of a usual password.
func isPeriodicOrUsual(v string) bool { return isPeriodic(v) || isDigestOfWord(v) }

// isPeriodic reports whether a value is one text over and over, as in "a1b2c3d4e5f67890a1b2c3d4e5f67890".
func isPeriodic(v string) bool {
	const shortest, longest, shortestPart, longestPart = 16, 128, 4, 20
	if len(v) < shortest || len(v) > longest {
		return false
	}
	for n := shortestPart; n <= min(len(v)/2, longestPart); n++ {
		if v[n:] == v[:len(v)-n] {
			return true
		}
	}
	return false
}

// isDigestOfWord reports whether a value is the digest of a usual password, as the first users of many programs have.
func isDigestOfWord(v string) bool {
	return digestsOfWords()[v] || digestsOfWords()[strings.ToLower(v)]
}

var digestsOfWords = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	const words = "admin password root test guest user 123456 12345678 123456789 admin123 qwerty"
	for word := range strings.FieldsSeq(words) {
		md, sha, long := md5.Sum([]byte(word)), sha1.Sum([]byte(word)), sha256.Sum256([]byte(word))
		for _, sum := range [...][]byte{md[:], sha[:], long[:]} {
			out[hex.EncodeToString(sum)] = true
			out[base64.StdEncoding.EncodeToString(sum)] = true
		}
	}
	return out
})

// isSequence reports whether half of a value consists of runs such as abc, 321 and aaa.
func isSequence(v string) bool {
	_, inRuns := orderedBytes(v)
	return inRuns >= 4 && inRuns*2 >= len(v)
}

// isCounting reports whether the body of a token counts up from 1 or a.
func isCounting(body string) bool {
	first, inRuns := orderedBytes(body)
	return (first == '1' || first|0x20 == 'a') && inRuns*2 >= len(body)
}

// orderedBytes returns how many bytes of a value are in runs such as abc, 321 and aaa, and the first
// byte of the first run if that rises.
func orderedBytes(v string) (first byte, inRuns int) {
	for i := 0; i+2 < len(v); {
		end := i + 1
		for end < len(v) && inClass(v[end], alnum) && byteStep(v, end) == byteStep(v, i+1) && byteStep(v, end)+1 <= 2 {
			end++
		}
		if end-i < 3 {
			i++
			continue
		}
		if inRuns == 0 && byteStep(v, i+1) == 1 {
			first = v[i]
		}
		inRuns += end - i
		i = end
	}
	return first, inRuns
}

// byteStep returns the difference between the byte v[i] and the one before it, whatever their case: "AbCdEf" counts. A
// zero follows nine.
func byteStep(v string, i int) byte {
	if v[i] == '0' && v[i-1] == '9' {
		return 1
	}
	if inClass(v[i], letter) && inClass(v[i-1], letter) {
		return (v[i] | 0x20) - (v[i-1] | 0x20)
	}
	return v[i] - v[i-1]
}

// isTestPassword reports whether a value is made of testPasswordWords and few digits.
func isTestPassword(v string) bool {
	digits := 0
	for i := 0; i < len(v); {
		if !inClass(v[i], letter) {
			if i++; inClass(v[i-1], digit) {
				digits++
			}
			continue
		}
		n := min(len(v)-i, maxTestWord)
		for n > 0 && !testPasswordWords()[strings.ToLower(v[i:i+n])] {
			n--
		}
		if n == 0 {
			return false
		}
		i += n
	}
	return digits <= 4 && digits < len(v)
}

// isSpelledTestPassword is isTestPassword for a value with digits for letters, as in "ChangeM3" and "P@ssw0rd2024!".
func isSpelledTestPassword(v string) bool {
	word := strings.TrimRight(v, "0123456789!?@#$%&*.-_")
	return isTestPassword(leetToLetters.Replace(v)) || isTestPassword(leetToLetters.Replace(word))
}

// leetToLetters replaces digits and marks by the letters that they stand for.
var leetToLetters = strings.NewReplacer("0", "o", "3", "e", "@", "a", "$", "s", "1", "i", "4", "a")

// isBase64Placeholder reports whether a value is base64 of a placeholder, alone or after a user name, or of words that
// name a secret, as "Base64EncodedMasterKey" does.
func isBase64Placeholder(v string) bool {
	text, isText := plainBase64(v)
	if !isText {
		return false
	}
	user, secret, ok := strings.Cut(text, ":")
	if !ok {
		user, secret = "", user
	}
	isNamed := containsAny(strings.ToLower(secret), "secret;token;key;base64") && wordBytes(secret)*2 >= len(secret)
	return secret == "" || secret == user || isNamed || isMadeUp(secret)
}

// isBase32Word reports whether a value is base32 of words, as the seeds of second factors in examples are. Seeds of
// random letters are real ones.
func isBase32Word(v string) bool {
	const least = 10 // letters: fewer occur by chance
	plain, err := encoding32.StdEncoding.WithPadding(encoding32.NoPadding).DecodeString(strings.TrimRight(v, "="))
	return err == nil && len(plain) >= least && runEnd(string(plain), 0, letter) == len(plain) &&
		wordBytes(string(plain))*2 >= len(plain)
}

// plainBase64 returns the text that a value is base64 of.
func plainBase64(v string) (text string, ok bool) {
	if len(v) < 8 || len(v)%4 != 0 || runEnd(v, 0, alnum|base64Marks) < len(v) {
		return "", false
	}
	plain, err := base64.StdEncoding.DecodeString(v)
	if err != nil {
		return "", false
	}
	for _, c := range plain {
		if !isTextByte(c) {
			return "", false
		}
	}
	return string(plain), true
}

// placeholderWords occur in what people write in place of a secret.
var placeholderWords = wordsByFirstByte(
	`your_ your- yourkey yourtoken yourpass yoursecret yourapi yourown my_token my-token changeme change_me
	change-me hardcoded invalid change-this
	placeholder dummy redacted replace insert tokenhere token_here key-here key_here keyhere token-here stringhere
	secret-here secret_here put_your password_here password-here
	abcdefghijklmnop wjalrxutnfemi process.env os.environ getenv xxxxx some-other some_other example.com`,
)

// maxTestWord is the length of the longest of testPasswordWords.
const maxTestWord = 11

// testPasswordWords make up the passwords in documentation and tests.
var testPasswordWords = wordSet(
	`password passwort passwd passwsrd passwrd passphrase word words pass pwd pw p secret token key api test tests
	testing tester user username admin
	administrator root demo example sample dummy fake mock my your the this that is a an new old wrong correct right
	invalid valid bad good weak
	strong secure super very some any another other different hello world foo bar baz qux abc def ghi xyz change me
	placeholder default
	value here string random staging dev local temp tmp initial first second client server access auth bearer basic
	private live data
	db database postgres postgresql mysql redis mongo rabbitmq guest app application service account login welcome
	letmein qwe qwer qwerty
	alice bob john jane doe confirm current long short enough sensitive hidden jwt x y z for in not of to and or
	only hash hashed encoded clear cleartext plain text sk pk`,
)

// documentedKeys are published in the documentation of vendors and standards, or on the allow list
// of gitleaks.
var documentedKeys = wordSet(
	`sk_test_4eC39HqLyjWDarjtT1zdp7dc sk_test_BQokikJOvBiI2HlWgH4olfQ2 550e8400-e29b-41d4-a716-446655440000
	SplxlOBeZQQYbYS6WxSbIA 2YotnFZFEjr1zCsicMWpAA tGzv3JOkF0XG5Qx2TlKWIA czZCaGRSa3F0MzpnWDFmQmF0M2JW gX1fBat3bV
	QWxhZGRpbjpvcGVuIHNlc2FtZQ== JBSWY3DPEHPK3PXP
	Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==
	mF_9.B5f-4.1JqM 7Fjfp0ZBr1KtDRbnfVdmIw AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe
	6fe4476ee5a1832882e326b506d14126 AIzaSyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs AIzaSyCkEhVjf3pduRDt6d1yKOMitrUEke8agEM
	AIzaSyDMAScliyLx7F0NPDEJi1QmyCgHIAODrlU AIzaSyD3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0
	AIzayDNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A
	AIzaSyAdOS2zB6NCsk1pCdZ4-P6GBdi_UUPwX7c AIzaSyASWm6HmTMdYWpgMnjRBjxcQ9CKctWmLd4
	AIzaSyANUvH9H9BsUccjsu2pCmEkOPjjaXeDQgY
	AIzaSyA5_iVawFQ8ABuTZNUdcwERLJv_a_p4wtM AIzaSyA4UrcGxgwQFTfaI3no3t7Lt1sjmdnP5sQ
	AIzaSyDSb51JiIcB6OJpwwMicseKRhhrOq1cS7g
	AIzaSyBF2RrAIm4a0mO64EShQfqfd2AFnzAvvuU AIzaSyBcE-OOIbhjyR83gm4r2MFCu4MJmprNXsw
	AIzaSyB8qGxt4ec15vitgn44duC5ucxaOi4FmqE
	AIzaSyA8vmApnrHNFE0bApF4hoZ11srVL_n0nvY`,
)
