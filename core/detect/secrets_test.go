package detect

import (
	"slices"
	"strings"
	"testing"

	"winnow/core/jstext"
)

// fakeBody looks random but is nobody's key.
const fakeBody = "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"

// secretCases are texts with the secret in them.
var secretCases = []struct{ rule, before, secret, after string }{
	{"github-pat", "clone with ", "ghp_" + fakeBody, " now"},
	{"github-app-token", "GITHUB_TOKEN=", "ghs_" + fakeBody, ""},
	{"github-fine-grained-pat", "(", "github_pat_11" + fakeBody + "_x", ")"},
	{"github-oauth", "line\\n", "gho_" + fakeBody, "\\n"},
	{"gitlab-pat", "", "glpat-x1Y2z3A4b5C6d7E8f9G0", "."},
	{"anthropic-api-key", "key ", "sk-ant-api03-" + fakeBody, ""},
	{"sk-api-key", "key ", "sk-" + fakeBody, ", then"},
	{"openai-api-key", "key ", "sk-proj-" + fakeBody, ""},
	{"aws-access-key-id", "id ", "AKIA" + "QW3RT7ZUIOPA5SDF", " ok"},
	{"aws-access-key-id", "id ", "ASIA" + "QW3RT7ZUIOPA5SDF", ""},
	{"aws-secret-access-key", "aws_secret_access_key = ", "q7LmV9xT4vRb8/K7MDENG/bPxRfiCY" + "A1B2C3D4E5", "\n"},
	{"slack-bot-token", "bot ", "xoxb-7493810265-q8Zk2LmVwT", " posts"},
	{"gcp-api-key", "maps ", "AIza" + fakeBody[:35], ""},
	{"gcp-oauth-token", "", "ya29." + fakeBody, ""},
	{"stripe-key", "charge with ", "sk_live_" + fakeBody[:24], ""},
	{"stripe-key", "charge with ", "rk_live_" + fakeBody[:24], ""},
	{"stripe-webhook-secret", "", "whsec_" + fakeBody, ""},
	{"sendgrid-api-key", "", "SG." + fakeBody[:22] + "." + fakeBody, ""},
	{"npm-token", "//registry/:_authToken=", "npm_" + fakeBody[:36], ""},
	{"pypi-token", "", "pypi-AgEIcHlwaS5vcmc" + fakeBody, ""},
	{"jwt", "jwt ", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "."},
	{
		"private-key",
		"key:\n",
		"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nAQEFAASCBKcw\n-----END PRIVATE KEY-----",
		"\nend",
	},
	{
		"private-key",
		"",
		`-----BEGIN RSA PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END RSA PRIVATE KEY-----`,
		`\nend`,
	},
	{"private-key", "", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU", ""},
	{"password", "| DB pass | ", "Zq7Rk2Vw9Xt4", " |"},
	{"password-in-url", "postgres://app:", "hunter2", "@db.internal:5432/x"},
	{"password-in-url", "redis://:", "p%40ss", "@cache"},
	{"authorization-header", "Authorization: Bearer ", "k7Qw2mZp9LxT4vRb8N", " sent"},
	{"bearer-token", "bearer ", "k9f83hd72hs02jd7", ""},
	{"authorization-header", "Authorization: Basic ", "dXNlcjpodW50ZXIy", ""},
	{"password", "password=", "hunter2", " ok"},
	{"password", `{"db_password": "`, "t9r3k!mule", `"}`},
	{"password", `{\"password\":\"`, "t9r3k!mule", `\"}`},
	{"generic-secret", "client_secret: ", "q8Z3v7L1x0C5b9N2m4", ""},
	{"nats-seed", "seed ", "SUAM" + strings.Repeat("A2B3C4D5E6F7G", 4) + "AB", ""},
	{"huggingface-token", "", "hf_" + fakeBody, ""},
	{"databricks-api-token", "", "dapi" + "0a1b2c3d4e5f" + "6a7b8c9d0e1f2a3b4c5d", ""},
	{"vault-service-token", "", "hvs." + fakeBody, ""},
	{"twilio-api-key", "", "SK" + "0a1b2c3d4e5f" + "6a7b8c9d0e1f2a3b4c5d", ""},
}

func TestSecretSpans(t *testing.T) {
	for _, c := range secretCases {
		s := c.before + c.secret + c.after
		want := []Span{{len(c.before), len(c.before) + len(c.secret), c.rule}}
		if got := Secrets(s); !slices.Equal(got, want) {
			t.Errorf("%q: got %+v, want %+v", s, got, want)
		}
	}
}

func TestOrdinaryWordsAreNotSecrets(t *testing.T) {
	for _, s := range []string{
		"", "task-force", "risk-based review of disk-usage", "Bearer of news", "the bearer token expired",
		"a bearer authentication-middleware check", "sk-", "ghp_", "AKIA", "use sk-learn-pipelines-and-models",
		"password: required", "the password is wrong", "token=next_page_2", "max_tokens: 4096", "tokens: 128k",
		"password=$DB_PASSWORD", "password=${PASS}", "password: <your password>", "token=[REDACTED]",
		"secret = getSecret(name1)", "token: process.env.API_TOKEN1", "https://example.org:8080/a@b",
		"postgres://localhost:5432/db", "postgres://app:[REDACTED]@db", "-----BEGIN CERTIFICATE-----",
		"-----BEGIN PUBLIC KEY-----\nMIIB", "eyJ is how a token begins", "Bearer [REDACTED]",
		"AKIAIOSFODNN7EXAMPLEandmore", "commit 3f2b8c1e5a774c0e9d0b2f6a1b7c9e10", "SUMMARY OF THE WORK",
		"Completed using read-file, edit-file. 2 step(s) succeeded.", "Note: it works", "a == b", "x := y",
		"password=************", "[REDACTED]", "SGML.and.more", "Author: authorization code flow",
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: found %+v", s, got)
		}
	}
}

func TestRedactIsIdempotent(t *testing.T) {
	for _, c := range secretCases {
		once := Redact(c.before + c.secret + c.after)
		if want := c.before + Redacted + c.after; once != want {
			t.Errorf("got %q, want %q", once, want)
		}
		if twice := Redact(once); twice != once {
			t.Errorf("%q became %q", once, twice)
		}
	}
}

func TestSecretSplitByHiddenCharactersIsFound(t *testing.T) {
	const s = "é ghp_A1b2\u200bC3d4E5f6\u00adG7h8I9j0K1l2M3n4 end"
	if got := Redact(s); got != "é "+Redacted+" end" {
		t.Errorf("got %q", got)
	}
}

func TestCutKeyIsFound(t *testing.T) {
	full := strings.Repeat("word ", 37) + "AKIAIOSFODN" + "7EXA"
	if got := Secrets(full); len(got) != 1 || full[got[0].Start:] != "AKIAIOSFODN7EXA" {
		t.Errorf("cut at 200: got %+v", got)
	}
	if got := Secrets(full[5:]); len(got) > 0 {
		t.Errorf("not cut: got %+v", got)
	}
	if got := Secrets("a " + Redacted + " and ghp_A1b2C3d4"); len(got) != 1 {
		t.Errorf("redacted before: got %+v", got)
	}
}

func TestLongValueIsFoundWhole(t *testing.T) {
	for _, name := range []string{"token=", "password="} {
		s := name + strings.Repeat(fakeBody+"-", 40)
		if got := Secrets(s + " end"); len(got) != 1 || got[0].Start != len(name) || got[0].End != len(s) {
			t.Errorf("%s: got %+v", name, got)
		}
	}
}

func TestOverlappingSecretsAreMerged(t *testing.T) {
	s := "https://user:ghp_" + fakeBody + "@github.com"
	if got := Secrets(s); len(got) != 1 || s[got[0].Start:got[0].End] != "ghp_"+fakeBody {
		t.Errorf("got %+v", got)
	}
}

func FuzzRedact(f *testing.F) {
	for _, c := range secretCases {
		f.Add(c.before + c.secret + c.after)
	}
	f.Add("tskey-tskey-eyJ.eyJ.password=://:@\\u0\\")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for _, p := range Secrets(s) {
			if p.Start < last || p.End <= p.Start || p.End > len(s) || p.Rule == "" {
				t.Fatalf("%q: span %+v after %d", s, p, last)
			}
			last = p.End
		}
		once := Redact(s)
		if twice := Redact(once); twice != once {
			t.Fatalf("%q became %q", once, twice)
		}
		if o := RedactOriginal(s); len(o) < len(s) && !strings.Contains(o, Redacted) {
			t.Fatalf("%q lost text: %q", s, o)
		}
	})
}

func TestPasswordLookalikesAreNotFound(t *testing.T) {
	for _, s := range []string{
		"db_password: !vault |", "password: '$2b$12$invalidhashtopreventtiming'", "p, | arm | pass | $/task |", "the fill pass. Future work: `cv2.fitEllipse`",
		`Found in a single pass: "65-case suite" (77)`, "in one pass. A handoff is **point-in-time2**: make it", "the craft pass), `docs/0037-b2-pass/index.md`",
		"Password string `json:\"password\" validate:\"required,min=8\"`",
		"postgres://user:p%40ssw%24rd@host/db", `password = "hardcoded_password_123"`, "token in 1Password, `~/.secrets/github-mcp`",
		"curl -s x; date -u +%Y-%m-%dT%H:%M:%SZ",
		`Authorization: "Bearer eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJzdWIiOiIxMjM0NTY3ODkwIn0."`,
	} {
		if got := Secrets(s); len(got) > 0 {
			t.Errorf("%q: %+v", s, got)
		}
	}
}

func TestElidedSecretIsFound(t *testing.T) {
	const cut = "a zone gh" + "p_Zq7Rk2Vw9Xt4Nb6Mc1Hd8Jf3Ls5Pg0YaEuT…"
	if got := Secrets(cut + " (lesson)"); len(got) != 1 || cut[got[0].Start:got[0].Start+4] != "ghp_" {
		t.Errorf("got %+v", got)
	}
	if got := Secrets("set token=abc123de… in the shell"); len(got) > 0 {
		t.Errorf("an example is %+v", got)
	}
}

// maskSecrets replaces what SecretsInLine finds by stars.
func maskSecrets(line string) string {
	for _, p := range SecretsInLine(line) {
		line = line[:p.Start] + strings.Repeat("*", p.End-p.Start) + line[p.End:]
	}
	return line
}

func TestSecretsInLineResolvesEscapes(t *testing.T) {
	for name, c := range map[string]struct{ line, secret string }{
		"plain":            {`{"lesson":"push with S now"}`, "ghp_" + fakeBody},
		"letter":           {`{"lesson":"push with S now"}`, `\u0067hp_` + fakeBody},
		"middle":           {`{"lesson":"push with S now"}`, `ghp_A1b2C3d4\u0045\u0035f6G7h8I9j0K1`},
		"after line break": {`{"lesson":"push\nS now"}`, "ghp_" + fakeBody},
		"no width":         {`{"lesson":"push with S now"}`, `ghp_A1b2C3d4\u200bE5f6G7h8I9j0K1`},
		"tag characters":   {`{"lesson":"push with S now"}`, `ghp_A1b2C3d4\udb40\udc41E5f6G7h8I9j0K1`},
		"unknown member":   {`{"pass\u0077ord":"S"}`, `hunter2!pass`},
		"slash":            {`{"password":"S","a":1}`, `hunter2\/pass!`},
		"JSON in JSON":     {`{"lesson":"{\"password\":\"S\"}"}`, "hunter2!pass"},
		"PEM":              {`{"a":"S."}`, `-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n-----END PRIVATE KEY-----`},
		"after an emoji":   {`{"a":"\ud83d\ude00 \ud83d S"}`, `\u0067hp_` + fakeBody},
		"after bad bytes":  {"{\"a\":\"\xff\xed\xa0\xbd S\"}", `\u0067hp_` + fakeBody},
		"cut summary":      {`{"task_summary":"` + strings.Repeat("word ", 37) + `S"}`, "ghp_A1b2C3d4E5f"},
		"unsound line":     {`{"a":"S`, `\u0067hp_` + fakeBody},
	} {
		line, want := strings.Replace(
			c.line,
			"S",
			c.secret,
			1,
		), strings.Replace(
			c.line,
			"S",
			strings.Repeat("*", len(c.secret)),
			1,
		)
		if got := maskSecrets(line); got != want {
			t.Errorf("%s: %s\n got %s\nwant %s", name, line, got, want)
		}
	}
}

func FuzzSecretsInLine(f *testing.F) {
	f.Add(`{"lesson":"\u0067hp_` + fakeBody + `"}`)
	f.Add(`{"a\\":["-----BEGIN PRIVATE KEY-----\nMIIE","\ud83d\ude00",{"token=":"\/A1b2C3d4E5f6"}]}`)
	f.Add(`{"a":"` + strings.Repeat("x", 185) + `ghp_A1b2C3d4E5f"}`)
	f.Fuzz(func(t *testing.T, line string) {
		spans := SecretsInLine(line)
		end := 0
		for _, p := range spans {
			if p.Start < end || p.End <= p.Start || p.End > len(line) || p.Rule == "" {
				t.Fatalf("%q: span %+v after %d", line, p, end)
			}
			end = p.End
		}
		if v, err := jstext.Parse(line); err == nil && len(spans) == 0 && holdsSecret(v) {
			t.Fatalf("%q: a string of it holds a secret", line)
		}
	})
}

// holdsSecret reports whether a string or key in v contains a secret.
func holdsSecret(v jstext.Value) bool {
	if len(Secrets(v.Str())) > 0 {
		return true
	}
	for i := range v.Len() {
		if len(Secrets(v.Key(i))) > 0 || holdsSecret(v.At(i)) {
			return true
		}
	}
	return false
}

func TestQuotesAroundASecretStay(t *testing.T) {
	for _, quotes := range []string{"“”", "„“", "«»", "「」", "‚‘"} {
		marks := []rune(quotes)
		text := string(marks[0]) + "The api key is k8Kq2LmV9xT4vRb8NcD3" + string(marks[1]) + "."
		if got, want := Redact(text), string(marks[0])+"The api key is [REDACTED]"+string(marks[1])+"."; got != want {
			t.Errorf("%s becomes %s", text, got)
		}
	}
}
