package redact

// class is a set of byte classes.
type class uint32

const (
	digit class = 1 << iota
	upper
	lower
	hexLower // a to f, with digit
	under
	dash
	dot
	base64s // + / =
	base32  // A to Z and 2 to 7
	tilde
	leads    // stands between a name and its value
	ends     // stands after a value
	hexUpper // A to F, with digit

	letter = upper | lower
	alnum  = letter | digit
	word   = alnum | under
	slug   = word | dash
	hex    = hexLower | digit
	hexAny = hex | hexUpper
	tokens = slug | dot | base64s | tilde
)

// classes gives the classes of each byte.
var classes = classTable()

func classTable() (t [256]class) {
	set := func(bytes string, c class) {
		for i := range len(bytes) {
			t[bytes[i]] |= c
		}
	}
	set("0123456789", digit)
	set("ABCDEFGHIJKLMNOPQRSTUVWXYZ", upper)
	set("abcdefghijklmnopqrstuvwxyz", lower)
	set("abcdef", hexLower)
	set("ABCDEF", hexUpper)
	set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", base32)
	set("_", under)
	set("-", dash)
	set(".", dot)
	set("+/=", base64s)
	set("~", tilde)
	set(" =>\"'`\\", leads)
	set("\"'`,;<>|\\", ends)
	for c := range ' ' + 1 {
		t[c] |= ends
	}
	return t
}

func is(c byte, set class) bool { return classes[c]&set != 0 }

// run returns the index of the first byte from i on that is not of the set, or
// len(s).
func run(s string, i int, set class) int {
	for i < len(s) && classes[s[i]]&set != 0 {
		i++
	}
	return i
}

// runBack returns the index of the first byte of the bytes before i that are of the
// set, or i.
func runBack(s string, i int, set class) int {
	for i > 0 && classes[s[i-1]]&set != 0 {
		i--
	}
	return i
}
