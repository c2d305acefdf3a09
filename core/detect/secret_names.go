package detect

import "strings"

// nameKind classifies the name of a value.
type nameKind uint8

const (
	noName       nameKind = iota
	serviceName           // the name of a service
	authName              // "auth", at the end of a name
	tokenName             // a secret value
	passwordName          //
	passName              // "pass", at the end of a name
	headerName            // "Authorization"
)

// nameWord is a word in a name, what it says about the value, and the forms of values that rules
// expect after it.
type nameWord struct {
	word   string
	kind   nameKind
	values []valueForm
}

type valueForm struct {
	rule int16
	body string
}

// baseNameWords are the words that say something by themselves. A word comes before longer words that
// begin with it.
var baseNameWords = [...]nameWord{
	{word: "pass", kind: passName}, {word: "passcode", kind: passwordName}, {word: "passphrase", kind: passwordName},
	{word: "passwd", kind: passwordName}, {word: "password", kind: passwordName}, {word: "passwort", kind: passwordName},
	{word: "_pwd", kind: passwordName}, {word: "pwd=", kind: passwordName}, {word: "pwd:", kind: passwordName}, {word: "dbpwd", kind: passwordName},
	{word: "secret", kind: tokenName}, {word: "token", kind: tokenName}, {word: "credential", kind: tokenName}, {word: "creds", kind: tokenName},
	{word: "auth", kind: authName}, {word: "authorization", kind: headerName},
}

// allNameWords returns baseWords together with the words of the table's rules.
func allNameWords() []nameWord {
	words := baseNameWords[:len(baseNameWords):len(baseNameWords)]
	at := map[string]int{}
	for i, r := range secretRules() {
		for _, n := range r.named {
			k, ok := at[n.name]
			if !ok {
				k = len(words)
				at[n.name] = k
				words = append(words, nameWord{word: n.name, kind: serviceName})
			}
			words[k].values = append(words[k].values, valueForm{int16(i), n.body})
		}
	}
	return words
}

// keyQualifiers before "key" make the name of a secret.
var keyQualifiers = [...]string{
	"api", "access", "account", "auth", "private", "signing", "encryption", "encrypt", "secret", "master", "shared", "session",
	"service", "storage", "license", "admin", "app", "application", "subscription", "consumer", "webhook", "integration", "deploy",
}

// isKeyName reports whether the word before the "key" at s[i] makes it the name of a secret.
func isKeyName(s string, i int) bool {
	if i > 0 && inClass(s[i-1], blank|slug|dot) && !inClass(s[i-1], alnum) {
		i--
	}
	for _, w := range keyQualifiers {
		if i >= len(w) && hasPrefixFold(s[i-len(w):], w) {
			return true
		}
	}
	return false
}

// harmlessSuffixes lists how the rest of a name begins if the value is not a secret.
var harmlessSuffixes = [...]string{
	"id", "name", "url", "uri", "file", "path", "length", "len", "size", "type", "count", "version", "endpoint", "arn", "expir",
	"field", "label", "prefix", "policy", "format", "index", "ref", "selector", "reset", "manager", "change", "rotation", "hint",
	"generator", "strength", "rule", "requirement", "recovery", "form", "input", "column", "param", "validat", "check", "store",
	"budget", "limit", "usage", "ring", "board", "alias", "hash", "digest", "fingerprint", "lifetime", "ttl", "scope", "izer", "ise", "ize",
}

// harmlessPrefixes lists words before "token" in names of values that are not secret.
const harmlessPrefixes = "csrf;xsrf;authenticity;public;next;page;continuation;cancel;max;pagination;dummy;fake;cursor;sync"

// isHarmlessName reports whether s[start:end] names something that is not secret. Its telling word is
// s[at:after].
func isHarmlessName(s string, start, at, after, end int) bool {
	rest := strings.TrimLeft(s[after:end], "_-.s ")
	for _, w := range harmlessSuffixes {
		if hasPrefixFold(rest, w) && (len(rest) == len(w) || len(w) > 3 || !inClass(rest[len(w)], lower)) {
			return true
		}
	}
	return hasAnySuffix(strings.ToLower(strings.TrimRight(s[start:at], "_-. ")), harmlessPrefixes)
}

// technicalTerms are beginnings of words with digits that may stand where a password could.
var technicalTerms = [...]string{
	"base64", "base32", "sha", "md5", "utf", "oauth", "argon2", "pbkdf2", "http", "x509", "ipv", "rfc", "aes", "rsa", "hs256", "rs256",
	"win32", "bcrypt", "scrypt", "2fa", "u2f", "k8s", "oidc", "saml", "pkcs", "p12", "ed25519", "nist", "cwe", "cve", "v1", "v2", "v3",
	"i18n", "l10n", "s3", "ec2", "1password", "h264", "mp3", "mp4", "iso", "fido2", "auth0", "win10", "python3", "log4j", "neo4j",
}

// isTechnicalTerm reports whether a word with digits is a technical term.
func isTechnicalTerm(v string) bool {
	for _, w := range technicalTerms {
		if hasPrefixFold(v, w) && (len(v) == len(w) || !inClass(v[len(w)], letter)) {
			return true
		}
	}
	return false
}
