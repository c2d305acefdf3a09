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

// naming tells what a name such as DB_PASSWORD or apiKey promises.
func naming(name string) named {
	if len(name) < 3 {
		return nothing
	}
	name = strings.ToLower(name)
	switch {
	case has(name, "password", "passwd", "passphrase", "pwd", "db_pass", "dbpass"):
		return password
	case name == "authorization", strings.HasSuffix(name, "-authorization"):
		return header
	case has(name, "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey",
		"access-key", "account_key", "accountkey", "private_key", "privatekey", "signing_key",
		"signingkey", "encryption_key", "auth_key", "authkey", "credential", "x-auth"):
		return token
	}
	return nothing
}

func has(s string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
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
