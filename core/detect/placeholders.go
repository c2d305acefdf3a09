package detect

import (
	"encoding/base64"
	"math/bits"
	"net/url"
	"strings"
	"sync"
)

// isPlaceholder reports whether a value is a placeholder for a secret kept elsewhere, was redacted,
// or is a documented example.
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
	for i := range v {
		for set := placeholderWordsByByte[v[i]|0x20]; set != 0; set &= set - 1 {
			if hasPrefixFold(v[i:], placeholderWords[bits.TrailingZeros64(set)]) {
				return true
			}
		}
	}
	return false
}

// maxElidedLen is the minimum length of a value that no person would shorten with an ellipsis. A
// program cut the text, and the rest must be masked.
const maxElidedLen = 16

// isElided reports whether the value s[start:end] is followed by an ellipsis for the rest of it.
func isElided(s string, start, end int) bool {
	return hasAnyPrefix(s[end:], "...;###;***") || strings.HasPrefix(s[end:], "…") && end-start < maxElidedLen
}

// isRepetitive reports whether one byte is repeated in s more often than could happen by chance.
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

// isMadeUp is placeholder for values that are recognized only by their names. Such a value may also
// be a sequence, or a usual password of tests.
func isMadeUp(v string) bool {
	if plain, err := url.PathUnescape(v); err == nil && len(plain) < len(v) && len(plain) >= 8 {
		v = plain
	}
	return strings.HasPrefix(v, "eyJ") && strings.Contains(v, ".") && !isJWT(v) || isPlaceholder(v) || isSequence(v) || isTestPassword(v) || isTestPassword(leetToLetters.Replace(strings.TrimRight(v, "0123456789!?@#$%&*.-_"))) || isBase64Placeholder(v)
}

// isCounting reports whether the body of a token is typed in order, starting from 1 or a.
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

// isTestPassword reports whether a value is a usual password of documentation and tests: made of words for
// passwords, with few digits.
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

// leetToLetters replaces digits and marks with the letters they stand for.
var leetToLetters = strings.NewReplacer("0", "o", "3", "e", "@", "a", "$", "s", "1", "i", "4", "a")

// isBase64Placeholder reports whether a value is a placeholder in base64, or a user with one.
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

// placeholderWords are the beginnings of what people write in place of a secret.
var placeholderWords = [...]string{
	"your_", "your-", "yourkey", "yourtoken", "yourpass", "yoursecret", "yourapi", "yourown", "my_token", "my-token", "changeme",
	"change_me", "change-me", "hardcoded", "invalid", "change-this", "placeholder", "dummy", "redacted", "replace", "insert", "tokenhere", "token_here",
	"key-here", "key_here", "keyhere", "token-here", "stringhere", "secret-here", "secret_here", "put_your", "abcdefghijklmnop",
	"process.env", "os.environ", "getenv", "xxxxx", "some-other", "some_other", "example.com",
}

// placeholderWordsByByte has a bit set for each of these words, by their first letter.
var placeholderWordsByByte = func() (t [256]uint64) {
	for i, w := range placeholderWords {
		t[w[0]] |= 1 << i
	}
	return t
}()

// maxTestWord is the length of the longest word in fixtures.
const maxTestWord = 11

// testPasswordWords are the words that passwords in documentation and tests are made of.
var testPasswordWords = wordSet(`password passwort passwd passwsrd passwrd passphrase word words pass pwd pw p secret token key api test tests testing tester user username admin
	administrator root demo example sample dummy fake mock my your the this that is a an new old wrong correct right invalid valid bad good weak
	strong secure super very some any another other different hello world foo bar baz qux abc def ghi xyz change me placeholder default
	value here string random staging dev local temp tmp initial first second client server access auth bearer basic private live data
	db database postgres postgresql mysql redis mongo rabbitmq guest app application service account login welcome letmein qwe qwer qwerty
	alice bob john jane doe confirm current long short enough sensitive hidden jwt x y z for in not of to and or only hash hashed encoded clear cleartext plain text sk pk`)

// documentedKeys are keys that vendors and standards publish in their documentation, and those on the
// allow list of gitleaks.
var documentedKeys = wordSet(`sk_test_4eC39HqLyjWDarjtT1zdp7dc sk_test_BQokikJOvBiI2HlWgH4olfQ2 550e8400-e29b-41d4-a716-446655440000
	SplxlOBeZQQYbYS6WxSbIA 2YotnFZFEjr1zCsicMWpAA tGzv3JOkF0XG5Qx2TlKWIA czZCaGRSa3F0MzpnWDFmQmF0M2JW gX1fBat3bV QWxhZGRpbjpvcGVuIHNlc2FtZQ==
	mF_9.B5f-4.1JqM 7Fjfp0ZBr1KtDRbnfVdmIw AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
	6fe4476ee5a1832882e326b506d14126 AIzaSyAnLA7NfeLquW1tJFpx_eQCxoX-oo6YyIs AIzaSyCkEhVjf3pduRDt6d1yKOMitrUEke8agEM
	AIzaSyDMAScliyLx7F0NPDEJi1QmyCgHIAODrlU AIzaSyD3asb-2pEZVqMkmL6M9N6nHZRR_znhrh0 AIzayDNSXIbFmlXbIE6mCzDLQAqITYefhixbX4A
	AIzaSyAdOS2zB6NCsk1pCdZ4-P6GBdi_UUPwX7c AIzaSyASWm6HmTMdYWpgMnjRBjxcQ9CKctWmLd4 AIzaSyANUvH9H9BsUccjsu2pCmEkOPjjaXeDQgY
	AIzaSyA5_iVawFQ8ABuTZNUdcwERLJv_a_p4wtM AIzaSyA4UrcGxgwQFTfaI3no3t7Lt1sjmdnP5sQ AIzaSyDSb51JiIcB6OJpwwMicseKRhhrOq1cS7g
	AIzaSyBF2RrAIm4a0mO64EShQfqfd2AFnzAvvuU AIzaSyBcE-OOIbhjyR83gm4r2MFCu4MJmprNXsw AIzaSyB8qGxt4ec15vitgn44duC5ucxaOi4FmqE
	AIzaSyA8vmApnrHNFE0bApF4hoZ11srVL_n0nvY`)

func wordSet(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for w := range strings.FieldsSeq(words) {
			set[w] = true
		}
		return set
	})
}
