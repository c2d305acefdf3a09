package detect

// class is a set of byte classes, one bit each.
type class uint32

const (
	digit class = 1 << iota
	upper
	lower
	hexLower // a to f, with digit
	hexUpper // A to F, with digit
	under
	dash
	dot
	plus // + and /
	equal
	base32 // A to Z and 2 to 7
	tilde
	firstEight // a to h, with digit
	leads      // can precede a value, after its name
	ends       // ends a value
	blank      // space and tab
	visible    // neither white space nor a control character
	percent

	letter  = upper | lower
	alnum   = letter | digit
	word    = alnum | under
	slug    = word | dash
	hexes   = hexLower | digit
	hexAny  = hexes | hexUpper
	base64s = plus | equal
	tokens  = slug | dot | base64s | tilde
)

// classes holds the classes of each byte.
var classes = classTable()

func classTable() (t [256]class) {
	set := func(bytes string, c class) {
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
			t[c] |= ends
		}
	}
	set("234567", base32)
	set("abcdef", hexLower)
	set("ABCDEF", hexUpper)
	set("abcdefghABCDEFGH", firstEight)
	set("_", under)
	set("-", dash)
	set(".", dot)
	set("+/", plus)
	set("=", equal)
	set("~", tilde)
	set(" \t=>\"'`\\", leads)
	set("\"'`,;<>|\\", ends)
	set(" \t", blank)
	set("%", percent)
	return t
}

// classLetters maps the letters used in the body of a form to the classes they stand for.
var classLetters = [128]class{
	'd': digit, 'x': hexes, 'X': hexAny, 'a': alnum, 'l': lower | digit, 'u': upper | digit, 'z': letter,
	'w': word, 's': slug, 'b': alnum | base64s, 'B': alnum | plus, 't': slug | equal, 'j': slug | dot,
	'p': slug | dot | equal, 'e': base32, 'v': tokens, 'q': digit | firstEight, 'k': lower | digit | dash,
	'r': slug | dot | tilde, 'c': slug | base64s, 'g': visible, 'h': alnum | percent,
}

func is(c byte, set class) bool { return classes[c]&set != 0 }

// run returns the index of the first byte at or after i that is not in the set, or len(s).
func run(s string, i int, set class) int {
	for i < len(s) && classes[s[i]]&set != 0 {
		i++
	}
	return i
}

// runBack returns the start of the run of bytes in the set that ends just before i, or i.
func runBack(s string, i int, set class) int {
	for i > 0 && classes[s[i-1]]&set != 0 {
		i--
	}
	return i
}
