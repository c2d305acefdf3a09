package redact

import "strings"

// named is what the name of a value says about it.
type named uint8

const (
	nothing named = iota
	password
	token
	header
)

// names are the words that tell, by their first letter.
var names = [26][]telling{
	'p' - 'a': {{"password", password}, {"passwd", password}, {"passphrase", password}, {"pwd", password},
		{"private_key", token}, {"privatekey", token}},
	'd' - 'a': {{"db_pass", password}, {"dbpass", password}},
	's' - 'a': {{"secret", token}, {"signing_key", token}, {"signingkey", token}},
	't' - 'a': {{"token", token}},
	0: {{"authorization", header}, {"api_key", token}, {"apikey", token}, {"api-key", token},
		{"access_key", token}, {"accesskey", token}, {"access-key", token}, {"account_key", token},
		{"accountkey", token}, {"auth_key", token}, {"authkey", token}},
	'e' - 'a': {{"encryption_key", token}},
	'c' - 'a': {{"credential", token}},
	'x' - 'a': {{"x-auth", token}},
}

// nameSeconds holds, for each first letter of a word that tells, a bit for each
// second byte, by its lowest five bits.
var nameSeconds = nameSecondBits()

func nameSecondBits() (bits [26]uint32) {
	for c, list := range names {
		for _, n := range list {
			bits[c] |= 1 << (n.word[1] & 31)
		}
	}
	return bits
}

// telling is a word in a name and what it says.
type telling struct {
	word  string
	named named
}

// naming tells what a name such as DB_PASSWORD or apiKey promises: the most
// telling of the words in it. A header is one only when it is the whole name.
func naming(name string) named {
	said := nothing
	for i := range max(len(name), 1) - 1 {
		c := name[i] | 0x20 - 'a'
		if c > 25 || nameSeconds[c]>>(name[i+1]&31)&1 == 0 {
			continue
		}
		for _, n := range names[c] {
			if !hasFold(name[i:], n.word) {
				continue
			}
			if n.named == password {
				return password
			}
			if n.named != header || i+len(n.word) == len(name) {
				said = max(said, n.named)
			}
		}
	}
	return said
}

// placeholder reports whether a value stands for one that is somewhere else, or
// was redacted.
func placeholder(v string) bool {
	if strings.Contains(v, "REDACTED") || strings.Trim(v, "*xX.-_?") == "" {
		return true
	}
	switch v[0] {
	case '<', '{', '[', '%', '(':
		return true
	case '$':
		return len(v) > 1 && (v[1] == '{' || v[1] == '(' || is(v[1], upper|under))
	}
	return false
}

// call reports whether a value is an expression of code, not a literal.
func call(v string) bool {
	return strings.ContainsAny(v, "([{") || strings.Contains(v, "env.") || strings.Contains(v, "://")
}

// strong reports whether a value could be a password: letters and digits or
// marks, not a word of prose or an expression of code.
func strong(v string) bool {
	var seen class
	mark := false
	for i := range len(v) {
		seen |= classes[v[i]] & alnum
		mark = mark || strings.IndexByte("!@#$%^&*?+~", v[i]) >= 0
	}
	return (seen&digit != 0 || mark) && seen&letter != 0 && !call(v)
}
