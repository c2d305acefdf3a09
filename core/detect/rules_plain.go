package detect

// Secrets that belong to no particular service.
var (
	keyHolder = issuer{"sign in, or sign, as its owner", "revoke it: make another key, and take this one out of every place that trusts it",
		"https://www.rfc-editor.org/rfc/rfc7468"}
	puttyHolder = issuer{keyHolder.does, keyHolder.revoke, "https://the.earth.li/~sgtatham/putty/0.83/htmldoc/AppendixC.html"}
	ageHolder   = issuer{"read what was encrypted to it", "revoke it: make another identity, and encrypt again what it can read",
		"https://github.com/C2SP/C2SP/blob/main/age.md"}
	webToken = issuer{"act as the one it was issued to until it ends", "revoke it by ending the session, or by changing the key that signs", "https://www.rfc-editor.org/rfc/rfc7519"}
	place    = issuer{"sign in there", "revoke it: change the password there", "https://www.rfc-editor.org/rfc/rfc3986#section-3.2.1"}
	carrier  = issuer{"do what its owner may do there", "revoke it where it was issued", "https://www.rfc-editor.org/rfc/rfc6750"}
	schemes  = issuer{carrier.does, carrier.revoke, "https://www.rfc-editor.org/rfc/rfc9110#section-11.6.2"}
	owner    = issuer{"use it", "revoke it where it was made: its name says that it is secret", gitleaks}
	login    = issuer{"sign in with it", "revoke it: change the password wherever it is used", "https://cwe.mitre.org/data/definitions/798.html"}
	cut      = issuer{"see how a key begins, and often the rest stands elsewhere", "revoke it where it was made: the cut left only its beginning, and the whole key was there before",
		"https://cwe.mitre.org/data/definitions/532.html"}
)

var nearRules = []secretRule{
	{id: "age-secret-key", name: "age identity", by: &ageHolder, forms: []form{{"AGE-SECRET-KEY-1", "u50,64", 0, nil}}},
	{id: "jwt", name: "JSON web token", by: &webToken, forms: []form{{"eyJ", "j17+", 30, isWebToken}}},
	{id: "jwt-base64", name: "JSON web token in base64", by: &webToken, forms: []form{{"ZXlK", "c60+", 30, isWebTokenInBase64}}},
}

// Rules whose matchers are separate code.
const (
	rulePrivateKey = "private-key"
	rulePutty      = "putty-private-key"
	ruleURL        = "password-in-url"
	ruleHeader     = "authorization-header"
	ruleBearer     = "bearer-token"
	rulePassword   = "password"
	ruleCurl       = "curl-user"
	ruleGeneric    = "generic-secret"
	ruleCut        = "cut-key"
	ruleAWSSecret  = "aws-secret-access-key"
)

var plainRules = []secretRule{
	{id: rulePrivateKey, name: "Private key", by: &keyHolder},
	{id: rulePutty, name: "PuTTY private key", by: &puttyHolder},
	{id: ruleURL, name: "Password in a URL", by: &place},
	{id: ruleHeader, name: "Authorization header", by: &schemes},
	{id: ruleBearer, name: "Bearer token", by: &carrier},
	{id: ruleCurl, name: "Password for curl", by: &login, source: "https://curl.se/docs/manpage.html#-u"},
	{id: rulePassword, name: "Password", by: &login},
	{id: ruleGeneric, name: "Secret value", by: &owner, tails: []tail{
		{before: "l2,10", text: "_live_", body: "a16+", asked: true}, {before: "l2,10", text: "_test_", body: "a16+", asked: true}}},
	{id: ruleCut, name: "Beginning of a key", by: &cut},
}
