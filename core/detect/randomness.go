package detect

import (
	"math"
	"strings"
	"sync"
)

// entropy returns the entropy of s per byte, in tenths of a bit, computed from the byte frequencies
// in its first 64 bytes.
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

// logarithmTable holds n times the binary logarithm of n.
var logarithmTable = sync.OnceValue(func() *[entropyBytes + 1]float32 {
	t := &[entropyBytes + 1]float32{}
	for n := 1; n <= entropyBytes; n++ {
		t[n] = float32(float64(n) * math.Log2(float64(n)))
	}
	return t
})

// isMixed reports whether letters and digits alternate as in random text instead of a name: at least
// three changes between lower case, upper case and digits, as changes counts them.
func isMixed(s string) bool { return classChanges(s) >= 3 }

// classChanges counts the changes between lower case, upper case and digits in s, except the change
// after a capital letter.
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

// wordBytes returns how many bytes of s are in runs of at least four letters that could be words: in
// one case except for a capital, and made of letter pairs that words contain.
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

// commonPairs are the frequent letter pairs of English, by first letter.
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

// looksRandom reports whether the value of a name that promises a secret really is one, and not a word,
// a name in code, a date or a path.
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

// isCodeOrAddress reports whether a value is an expression of code or an address instead of a literal.
func isCodeOrAddress(v string) bool {
	number := strings.TrimPrefix(v, "-")
	return strings.HasPrefix(number, "0x") || strings.HasPrefix(number, "0X") || v != "" && (v[0] == '+' || v[0] == '&') && runEnd(v, 1, wordChar|dot) >= len(v)-1 && wordBytes(v)*2 > len(v) ||
		strings.ContainsAny(v, "([{") || strings.HasPrefix(v, "~/") || strings.Contains(v, "env.") || strings.Contains(v, "://") ||
		strings.HasPrefix(v, "arn:") || strings.HasPrefix(v, "sha256:") || strings.HasPrefix(v, "sha512-") ||
		strings.HasPrefix(v, "/") && (len(v) != 40 || strings.Count(v, "/") > 3 || wordBytes(v)*3 > len(v))
}

// isStrong reports whether a value could be a password: letters with digits or marks, or random
// letters of both cases, but no word of prose and no expression of code.
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

// isCodeName reports whether a value is two or three words of code, as in "e2e-tester" and
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

// Checks for the field check of forms.

// isNotExample reports whether a key ID is not one that AWS uses in its documentation.
func isNotExample(token string) bool { return !strings.HasSuffix(token, "EXAMPLE") }

// isNotDigest reports whether a token is not a digest with a name before it.
func isNotDigest(token string) bool {
	return isMixed(token) && runEnd(token, strings.IndexByte(token, '-')+1, lowerHex) < len(token)
}

// isNotName reports whether a token is not a name in code.
func isNotName(token string) bool { return wordBytes(token)*2 < len(token) }

func hasDigit(token string) bool { return strings.ContainsAny(token, "0123456789") }

// isOpenAIKey reports whether a key that does not name its kind is from OpenAI: it contains the text
// that OpenAI's older keys contain.
func isOpenAIKey(token string) bool { return strings.Contains(token, "T3Blbk"+"FJ") }

// percentEncoded reports whether a signature looks as it does in an address.
func percentEncoded(token string) bool { return isMixed(token) }

// isJWT reports whether the token has a header of at least 13 characters and a body. The
// signature may be missing.
func isJWT(token string) bool {
	head, rest, ok := strings.Cut(token, ".")
	body, _, _ := strings.Cut(rest, ".")
	return ok && len(head) >= 13 && len(body) >= 4 && !containsAny(decodeBase64(head)+decodeBase64(body), "John Doe;1234567890;:\"none\"") // neither the example of https://jwt.io nor unsigned
}

// isBase64JWT reports whether base64 text contains the header of a web token.
func isBase64JWT(token string) bool { return strings.HasPrefix(token, "ZXlKa") || isMixed(token) }
