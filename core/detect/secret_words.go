package detect

import "strings"

// named classifies the name of a value.
type named uint8

const (
	nothing    named = iota
	service          // the name of a service
	authName         // "auth", at the end of a name
	namesToken       // a secret value
	password         //
	shortPass        // "pass", at the end of a name
	header           // "Authorization"
)

// telling is a word in a name, what it says about the value, and the forms of values that rules
// expect after it.
type telling struct {
	word  string
	named named
	near  []nearForm
}

type nearForm struct {
	rule int16
	body string
}

// baseWords are the words that say something by themselves. A word comes before longer words that
// begin with it.
var baseWords = [...]telling{
	{word: "pass", named: shortPass}, {word: "passcode", named: password}, {word: "passphrase", named: password},
	{word: "passwd", named: password}, {word: "password", named: password}, {word: "passwort", named: password},
	{word: "_pwd", named: password}, {word: "pwd=", named: password}, {word: "pwd:", named: password}, {word: "dbpwd", named: password},
	{word: "secret", named: namesToken}, {word: "token", named: namesToken}, {word: "credential", named: namesToken}, {word: "creds", named: namesToken},
	{word: "auth", named: authName}, {word: "authorization", named: header},
}

// tellings returns baseWords together with the words of the table's rules.
func tellings() []telling {
	words := baseWords[:len(baseWords):len(baseWords)]
	at := map[string]int{}
	for i, r := range table() {
		for _, n := range r.near {
			k, ok := at[n.name]
			if !ok {
				k = len(words)
				at[n.name] = k
				words = append(words, telling{word: n.name, named: service})
			}
			words[k].near = append(words[k].near, nearForm{int16(i), n.body})
		}
	}
	return words
}

// keyWords before "key" make the name of a secret.
var keyWords = [...]string{
	"api", "access", "account", "auth", "private", "signing", "encryption", "encrypt", "secret", "master", "shared", "session",
	"service", "storage", "license", "admin", "app", "application", "subscription", "consumer", "webhook", "integration", "deploy",
}

// isKeyName reports whether the word before the "key" at s[i] makes it the name of a secret.
func isKeyName(s string, i int) bool {
	if i > 0 && is(s[i-1], blank|slug|dot) && !is(s[i-1], alnum) {
		i--
	}
	for _, w := range keyWords {
		if i >= len(w) && hasFold(s[i-len(w):], w) {
			return true
		}
	}
	return false
}

// harmless lists how the rest of a name begins if the value is not a secret.
var harmless = [...]string{
	"id", "name", "url", "uri", "file", "path", "length", "len", "size", "type", "count", "version", "endpoint", "arn", "expir",
	"field", "label", "prefix", "policy", "format", "index", "ref", "selector", "reset", "manager", "change", "rotation", "hint",
	"generator", "strength", "rule", "requirement", "recovery", "form", "input", "column", "param", "validat", "check", "store",
	"budget", "limit", "usage", "ring", "board", "alias", "hash", "digest", "fingerprint", "lifetime", "ttl", "scope", "izer", "ise", "ize",
}

// harmlessBefore lists words before "token" in names of values that are not secret.
const harmlessBefore = "csrf;xsrf;authenticity;public;next;page;continuation;cancel;max;pagination;dummy;fake;cursor;sync"

// harmlessName reports whether s[start:end] names something that is not secret. Its telling word is
// s[at:after].
func harmlessName(s string, start, at, after, end int) bool {
	rest := strings.TrimLeft(s[after:end], "_-.s ")
	for _, w := range harmless {
		if hasFold(rest, w) && (len(rest) == len(w) || len(w) > 3 || !is(rest[len(w)], lower)) {
			return true
		}
	}
	return hasAnySuffix(strings.ToLower(strings.TrimRight(s[start:at], "_-. ")), harmlessBefore)
}

// techWords are beginnings of words with digits that may stand where a password could.
var techWords = [...]string{
	"base64", "base32", "sha", "md5", "utf", "oauth", "argon2", "pbkdf2", "http", "x509", "ipv", "rfc", "aes", "rsa", "hs256", "rs256",
	"win32", "bcrypt", "scrypt", "2fa", "u2f", "k8s", "oidc", "saml", "pkcs", "p12", "ed25519", "nist", "cwe", "cve", "v1", "v2", "v3",
	"i18n", "l10n", "s3", "ec2", "1password", "h264", "mp3", "mp4", "iso", "fido2", "auth0", "win10", "python3", "log4j", "neo4j",
}

// techWord reports whether a word with digits is a technical term.
func techWord(v string) bool {
	for _, w := range techWords {
		if hasFold(v, w) && (len(v) == len(w) || !is(v[len(w)], letter)) {
			return true
		}
	}
	return false
}
