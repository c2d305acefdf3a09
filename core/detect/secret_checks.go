package detect

import (
	"encoding/base64"
	"math"

	"net/url"
	"strings"
	"sync"
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
	return entropy(v) >= min(30, 10+len(v)) && (n*3 >= len(v) || n*6 >= len(v) && wordBytes(v)*2 < len(v) || n >= 3 && wordBytes(v)*3 < len(v))
}

// isCodeOrAddress reports whether a value is an expression of code, a path or an address.
func isCodeOrAddress(v string) bool {
	number := strings.TrimPrefix(v, "-")
	return strings.HasPrefix(number, "0x") || strings.HasPrefix(number, "0X") || v != "" && (v[0] == '+' || v[0] == '&') && runEnd(v, 1, wordChar|dot) >= len(v)-1 && wordBytes(v)*2 > len(v) ||
		strings.ContainsAny(v, "([{") || strings.HasPrefix(v, "~/") || strings.Contains(v, "env.") || strings.Contains(v, "://") ||
		strings.HasPrefix(v, "arn:") || strings.HasPrefix(v, "sha256:") || strings.HasPrefix(v, "sha512-") ||
		strings.HasPrefix(v, "/") && (len(v) != 40 || strings.Count(v, "/") > 3 || wordBytes(v)*3 > len(v))
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
	if seen&digit == 0 && !mark && (len(v) < 10 || classChanges(v) < 4 || wordBytes(v)*2 >= len(v)) {
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

// isOpenAIKey accepts keys with the text that all older keys of OpenAI contain.
func isOpenAIKey(token string) bool { return strings.Contains(token, "T3Blbk"+"FJ") }

// isJWT accepts web tokens with a header and a body. The signature may be missing.
func isJWT(token string) bool {
	head, rest, ok := strings.Cut(token, ".")
	body, _, _ := strings.Cut(rest, ".")
	return ok && len(head) >= 13 && len(body) >= 4 && !containsAny(decodeBase64(head)+decodeBase64(body), "John Doe;1234567890;:\"none\"") // neither the example of https://jwt.io nor unsigned
}

// isBase64JWT accepts base64 of a web token.
func isBase64JWT(token string) bool { return strings.HasPrefix(token, "ZXlKa") || isMixed(token) }

// isPlaceholder reports whether a value is a placeholder for a secret, was redacted, or is a
// documented example.
func isPlaceholder(v string) bool {
	if v == "" || strings.Contains(v, "REDACTED") || strings.Contains(v, "...") || strings.Contains(v[:min(len(v), maxElidedLen)], "…") ||
		strings.Trim(v, "*xX.-_?#") == "" || isRepetitive(v) || documentedKeys()[v] {
		return true
	}
	switch v[0] {
	case '<', '{', '[', '(':
		return true
	case '%':
		return len(v) < 3 || v[len(v)-1] == '%'
	case '$':
		if strings.HasPrefix(v, "$ANSIBLE_VAULT") {
			return true // header of encrypted data
		}
		if len(v) > 1 && (v[1] == '{' || v[1] == '(' || inClass(v[1], upper|underscore) || runEnd(v, 1, wordChar) == len(v)) {
			return true
		}
	case '@':
		return v[len(v)-1] == '@'
	case '!':
		return runEnd(v, 1, lower) == len(v) // a YAML tag, such as !vault
	}
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
	return hasAnyPrefix(s[end:], "...;###;***") || strings.HasPrefix(s[end:], "…") && end-start < maxElidedLen
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
	return strings.HasPrefix(v, "eyJ") && strings.Contains(v, ".") && !isJWT(v) || isPlaceholder(v) || isSequence(v) || isTestPassword(v) || isTestPassword(leetToLetters.Replace(strings.TrimRight(v, "0123456789!?@#$%&*.-_"))) || isBase64Placeholder(v)
}

// isCounting reports whether the body of a token counts up from 1 or a.
func isCounting(body string) bool {
	first, inRuns := orderedBytes(body)
	return (first == '1' || first|0x20 == 'a') && inRuns*2 >= len(body)
}

// isSequence reports whether half of a value consists of runs such as abc, 321 and aaa.
func isSequence(v string) bool {
	_, inRuns := orderedBytes(v)
	return inRuns >= 4 && inRuns*2 >= len(v)
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

// byteStep returns the difference between the byte v[i] and the one before it. A zero follows nine.
func byteStep(v string, i int) byte {
	if v[i] == '0' && v[i-1] == '9' {
		return 1
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

// leetToLetters replaces digits and marks by the letters that they stand for.
var leetToLetters = strings.NewReplacer("0", "o", "3", "e", "@", "a", "$", "s", "1", "i", "4", "a")

// isBase64Placeholder reports whether a value is base64 of a placeholder, alone or after a user
// name.
func isBase64Placeholder(v string) bool {
	if len(v) < 8 || len(v)%4 != 0 || runEnd(v, 0, alnum|base64Marks) < len(v) {
		return false
	}
	text, err := base64.StdEncoding.DecodeString(v)
	if err != nil {
		return false
	}
	for _, c := range text {
		if !isTextByte(c) {
			return false
		}
	}
	user, secret, ok := strings.Cut(string(text), ":")
	if !ok {
		user, secret = "", user
	}
	return secret == "" || secret == user || isMadeUp(secret)
}

// placeholderWords occur in what people write in place of a secret.
var placeholderWords = wordsByFirstByte(`your_ your- yourkey yourtoken yourpass yoursecret yourapi yourown my_token my-token changeme change_me change-me hardcoded invalid change-this
	placeholder dummy redacted replace insert tokenhere token_here key-here key_here keyhere token-here stringhere secret-here secret_here put_your
	abcdefghijklmnop process.env os.environ getenv xxxxx some-other some_other example.com`)

// maxTestWord is the length of the longest of testPasswordWords.
const maxTestWord = 11

// testPasswordWords make up the passwords in documentation and tests.
var testPasswordWords = wordSet(`password passwort passwd passwsrd passwrd passphrase word words pass pwd pw p secret token key api test tests testing tester user username admin
	administrator root demo example sample dummy fake mock my your the this that is a an new old wrong correct right invalid valid bad good weak
	strong secure super very some any another other different hello world foo bar baz qux abc def ghi xyz change me placeholder default
	value here string random staging dev local temp tmp initial first second client server access auth bearer basic private live data
	db database postgres postgresql mysql redis mongo rabbitmq guest app application service account login welcome letmein qwe qwer qwerty
	alice bob john jane doe confirm current long short enough sensitive hidden jwt x y z for in not of to and or only hash hashed encoded clear cleartext plain text sk pk`)

// documentedKeys are published in the documentation of vendors and standards, or on the allow list
// of gitleaks.
var documentedKeys = wordSet(`sk_test_4eC39HqLyjWDarjtT1zdp7dc sk_test_BQokikJOvBiI2HlWgH4olfQ2 550e8400-e29b-41d4-a716-446655440000
	SplxlOBeZQQYbYS6WxSbIA 2YotnFZFEjr1zCsicMWpAA tGzv3JOkF0XG5Qx2TlKWIA czZCaGRSa3F0MzpnWDFmQmF0M2JW gX1fBat3bV QWxhZGRpbjpvcGVuIHNlc2FtZQ==
	mF_9.B5f-4.1JqM 7Fjfp0ZBr1KtDRbnfVdmIw AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
	6fe4476ee5a1832882e326b506d14126 AIzaSyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs AIzaSyCkEhVjf3pduRDt6d1yKOMitrUEke8agEM
	AIzaSyDMAScliyLx7F0NPDEJi1QmyCgHIAODrlU AIzaSyD3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0 AIzayDNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A
	AIzaSyAdOS2zB6NCsk1pCdZ4-P6GBdi_UUPwX7c AIzaSyASWm6HmTMdYWpgMnjRBjxcQ9CKctWmLd4 AIzaSyANUvH9H9BsUccjsu2pCmEkOPjjaXeDQgY
	AIzaSyA5_iVawFQ8ABuTZNUdcwERLJv_a_p4wtM AIzaSyA4UrcGxgwQFTfaI3no3t7Lt1sjmdnP5sQ AIzaSyDSb51JiIcB6OJpwwMicseKRhhrOq1cS7g
	AIzaSyBF2RrAIm4a0mO64EShQfqfd2AFnzAvvuU AIzaSyBcE-OOIbhjyR83gm4r2MFCu4MJmprNXsw AIzaSyB8qGxt4ec15vitgn44duC5ucxaOi4FmqE
	AIzaSyA8vmApnrHNFE0bApF4hoZ11srVL_n0nvY`)
