package detect

import (
	"strings"
	"testing"

	"winnow/core/jstext"
)

// maskSecrets returns the line with what InLine finds replaced by stars.
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
		line, want := strings.Replace(c.line, "S", c.secret, 1), strings.Replace(c.line, "S", strings.Repeat("*", len(c.secret)), 1)
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

// holdsSecret reports whether a string or key in v holds a secret.
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
