package detect

// byteClass is a set of byte classes, one bit each.
type byteClass uint32

const (
	digit byteClass = 1 << iota
	upper
	lower
	hexLower // a to f, with digit
	hexUpper // A to F, with digit
	underscore
	dash
	dot
	plusSlash // + and /
	equals
	base32 // A to Z and 2 to 7
	tilde
	letterAToH  // a to h, with digit
	beforeValue // can precede a value, after its name
	endsValue   // ends a value
	blank       // space and tab
	visible     // neither white space nor a control character
	percent

	letter      = upper | lower
	alnum       = letter | digit
	wordChar    = alnum | underscore
	slug        = wordChar | dash
	lowerHex    = hexLower | digit
	anyHex      = lowerHex | hexUpper
	base64Marks = plusSlash | equals
	tokenChar   = slug | dot | base64Marks | tilde
)

// byteClasses holds the classes of each byte.
var byteClasses = buildByteClasses()

func buildByteClasses() (t [256]byteClass) {
	set := func(bytes string, c byteClass) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	for c := range byte(0x7F) {
		switch {
		case c >= '0' && c <= '9':
			t[c] = digit
		case c >= 'A' && c <= 'Z':
			t[c] = upper | base32
		case c >= 'a' && c <= 'z':
			t[c] = lower
		}
		if c > ' ' {
			t[c] |= visible
		} else {
			t[c] |= endsValue
		}
	}
	set("234567", base32)
	set("abcdef", hexLower)
	set("ABCDEF", hexUpper)
	set("abcdefghABCDEFGH", letterAToH)
	set("_", underscore)
	set("-", dash)
	set(".", dot)
	set("+/", plusSlash)
	set("=", equals)
	set("~", tilde)
	set(" \t=>\"'`\\", beforeValue)
	set("\"'`,;<>|\\", endsValue)
	set(" \t", blank)
	set("%", percent)
	return t
}

// bodyLetters maps the letters used in the body of a form to the classes they stand for.
var bodyLetters = [128]byteClass{
	'd': digit, 'x': lowerHex, 'X': anyHex, 'a': alnum, 'l': lower | digit, 'u': upper | digit, 'z': letter,
	'w': wordChar, 's': slug, 'b': alnum | base64Marks, 'B': alnum | plusSlash, 't': slug | equals, 'j': slug | dot,
	'p': slug | dot | equals, 'e': base32, 'v': tokenChar, 'q': digit | letterAToH, 'k': lower | digit | dash,
	'r': slug | dot | tilde, 'c': slug | base64Marks, 'g': visible, 'h': alnum | percent,
}

func inClass(c byte, set byteClass) bool { return byteClasses[c]&set != 0 }

// runEnd returns the index of the first byte at or after i that is not in the set, or len(s).
func runEnd(s string, i int, set byteClass) int {
	for i < len(s) && byteClasses[s[i]]&set != 0 {
		i++
	}
	return i
}

// runStart returns the start of the run of bytes in the set that ends just before i, or i.
func runStart(s string, i int, set byteClass) int {
	for i > 0 && byteClasses[s[i-1]]&set != 0 {
		i--
	}
	return i
}
