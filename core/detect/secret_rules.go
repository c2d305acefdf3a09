package detect

import (
	"cmp"
	"slices"
	"sync"

	"winnow/core/memory"
)

// secretAuditRules returns the rules for secrets as the audit lists them.
func secretAuditRules() []memory.AuditRule {
	all := secretRules()
	out := make([]memory.AuditRule, len(all))
	for i := range all {
		out[i] = all[i].auditRule()
	}
	return out
}

// secretRule describes one kind of secret and how to recognize it.
type secretRule struct {
	id, name string
	issuer   *issuer
	severity memory.Severity // 0 means High
	// forms recognize tokens by their prefix.
	forms []tokenForm
	// infixes recognize tokens by a text inside or at the end of them.
	infixes []infixForm
	// named recognizes values by the name before them.
	named []namedForm
	// source documents the form if the issuer does not.
	source string
}

// issuer is the service that gives out a kind of secret.
type issuer struct {
	allows string // what whoever holds the secret can do
	revoke string // how to revoke it: the first thing to do
	source string // where the issuer documents its tokens
}

// namedForm is the form of a value that only its name tells apart.
type namedForm struct {
	name string // in lower case, as written before the value
	body string // the whole value, in the syntax of tokenForm.body
}

// infixForm is the form of a token that is recognized by a text inside it.
type infixForm struct {
	before       string // what comes before the infix: one item of a body
	infix        string
	after        string // what follows the infix, as in tokenForm.body; may be empty
	needsKeyword bool   // only after a word that says it is secret
}

func (r *secretRule) auditRule() memory.AuditRule {
	return memory.AuditRule{
		ID:       r.id,
		Family:   memory.FamilySecret,
		Severity: cmp.Or(r.severity, memory.High),
		Name:     r.name,
		Why:      "Whoever reads it can " + r.issuer.allows + ".",
		Next:     r.issuer.revoke,
		Source:   cmp.Or(r.source, r.issuer.source),
	}
}

// secretRules returns all rules for secrets, the most certain first. Where matches overlap, the
// first rule names the span.
var secretRules = sync.OnceValue(func() []secretRule {
	return slices.Concat(
		codeRules,
		modelRules,
		cloudRules,
		chatRules,
		payRules,
		toolRules,
		variousRules,
		tokenRules,
		plainRules,
	)
})

// ruleIndex returns the index of a rule in secretRules.
func ruleIndex(id string) int16 { return ruleIndexes()[id] }

var ruleIndexes = sync.OnceValue(func() map[string]int16 {
	all := make(map[string]int16, len(secretRules()))
	for i, r := range secretRules() {
		all[r.id] = int16(i)
	}
	return all
})

// gitleaks is the source of forms that their issuers do not document. See NOTICE in this folder.
const gitleaks = "https://github.com/gitleaks/gitleaks/blob/v8.30.1/config/gitleaks.toml"

// Secrets of no particular service.
var (
	privateKeyIssuer = issuer{
		"sign in, or sign, as its owner",
		"revoke it: make another key, and take this one out of every place that trusts it",
		"https://www.rfc-editor.org/rfc/rfc7468",
	}
	puttyIssuer = issuer{
		privateKeyIssuer.allows,
		privateKeyIssuer.revoke,
		"https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html",
	}
	ageIssuer = issuer{
		"read what was encrypted to it",
		"revoke it: make another identity, and encrypt again what it can read",
		"https://github.com/C2SP/C2SP/blob/main/age.md",
	}
	jwtIssuer = issuer{
		"act as the one it was issued to until it ends",
		"revoke it by ending the session, or by changing the key that signs",
		"https://www.rfc-editor.org/rfc/rfc7519",
	}
	urlIssuer = issuer{
		"sign in there",
		"revoke it: change the password there",
		"https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1",
	}
	bearerIssuer = issuer{
		"do what its owner may do there",
		"revoke it where it was issued",
		"https://www.rfc-editor.org/rfc/rfc6750",
	}
	headerIssuer = issuer{
		bearerIssuer.allows,
		bearerIssuer.revoke,
		"https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2",
	}
	namedSecretIssuer = issuer{"use it", "revoke it where it was made: its name says that it is secret", gitleaks}
	passwordIssuer    = issuer{
		"sign in with it",
		"revoke it: change the password wherever it is used",
		"https://cwe.mitre.org/data/definitions/798.html",
	}
	cookieIssuer = issuer{
		"act as the one who signed in, until the session ends",
		"revoke it: sign out there, which ends the session",
		"https://www.rfc-editor.org/rfc/rfc6265",
	}
	hashIssuer = issuer{
		"guess the password without being seen",
		"revoke it: change the password wherever it is used",
		"https://httpd.apache.org/docs/2.4/misc/password_encryptions.html",
	}
	walletIssuer = issuer{
		"move everything that is in the wallet",
		"revoke it: move what is in the wallet to a new one",
		"https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki",
	}
	cutKeyIssuer = issuer{
		"see how a key begins, and often the rest is elsewhere",
		"revoke it where it was made: the cut left only its beginning, and the whole key was there before",
		"https://cwe.mitre.org/data/definitions/532.html",
	}
)

var tokenRules = []secretRule{
	{
		id:     "age-secret-key",
		name:   "age identity",
		issuer: &ageIssuer,
		forms:  []tokenForm{{"AGE-SECRET-KEY-1", "u50,64", 0, nil}},
	},
	{id: "jwt", name: "JSON web token", issuer: &jwtIssuer, forms: []tokenForm{{"eyJ", "j17+", 30, isJWT}}},
	{
		id:     "jwt-base64",
		name:   "JSON web token in base64",
		issuer: &jwtIssuer,
		forms:  []tokenForm{{"ZXlK", "c60+", 30, isBase64JWT}},
	},
}

// Rules with matchers of their own.
const (
	rulePrivateKey  = "private-key"
	rulePutty       = "putty-private-key"
	ruleURL         = "password-in-url"
	ruleHeader      = "authorization-header"
	ruleBearer      = "bearer-token"
	rulePassword    = "password"
	ruleCurl        = "curl-user"
	ruleCommand     = "command-password"
	ruleCookie      = "session-cookie"
	ruleHash        = "password-hash"
	ruleSeed        = "seed-phrase"
	ruleWallet      = "wallet-private-key"
	ruleAWSKey      = "aws-access-key-id"
	ruleGoogleKey   = "gcp-api-key"
	ruleFirebaseKey = "firebase-key"
	ruleGeneric     = "generic-secret"
	ruleCut         = "cut-key"
	ruleAWSSecret   = "aws-secret-access-key"
)

var plainRules = []secretRule{
	{id: rulePrivateKey, name: "Private key", issuer: &privateKeyIssuer},
	{id: rulePutty, name: "PuTTY private key", issuer: &puttyIssuer},
	{id: ruleURL, name: "Password in a URL", issuer: &urlIssuer},
	{id: ruleHeader, name: "Authorization header", issuer: &headerIssuer},
	{id: ruleBearer, name: "Bearer token", issuer: &bearerIssuer},
	{id: ruleCurl, name: "Password for curl", issuer: &passwordIssuer, source: "https://curl.se/docs/manpage.html#-u"},
	{
		id:     ruleCommand,
		name:   "Password for a program",
		issuer: &passwordIssuer,
		source: "https://cwe.mitre.org/data/definitions/214.html",
	},
	{id: ruleCookie, name: "Cookie of a session", issuer: &cookieIssuer},
	{id: ruleHash, name: "Hash of a password", issuer: &hashIssuer, severity: memory.Medium},
	{id: ruleSeed, name: "Seed phrase of a wallet", issuer: &walletIssuer},
	{id: ruleWallet, name: "Private key of a wallet", issuer: &walletIssuer},
	{id: rulePassword, name: "Password", issuer: &passwordIssuer},
	{id: ruleGeneric, name: "Secret value", issuer: &namedSecretIssuer, infixes: []infixForm{
		{
			before:       "l2,10",
			infix:        "_live_",
			after:        "a16+",
			needsKeyword: true,
		}, {before: "l2,10", infix: "_test_", after: "a16+", needsKeyword: true}}},
	{id: ruleCut, name: "Beginning of a key", issuer: &cutKeyIssuer},
}

// IsGeneric reports whether a rule finds secrets of no known format: by their name or place alone.
func IsGeneric(rule string) bool {
	switch rule {
	case ruleURL,
		ruleHeader,
		ruleBearer,
		rulePassword,
		ruleCurl,
		ruleCommand,
		ruleCookie,
		ruleHash,
		ruleGeneric,
		ruleCut:
		return true
	}
	return false
}
