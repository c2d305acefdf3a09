package detect

import (
	"encoding/base64"
	"slices"
	"testing"
)

func TestTextSetFindsEveryEncoding(t *testing.T) {
	const secret = "s3cr3t/pass?of-mine"
	for name, spelled := range map[string]string{
		"plain":            secret,
		"JSON":             `s3cr3t\/pass?of\u002dmine`,
		"percent":          "s3cr3t%2Fpass%3fof-mine",
		"no width":         "s3cr3t/\u200bpass?of-mine",
		"colour":           "s3cr3t/\x1b[31mpass\x1b[0m?of-mine",
		"wrapped":          "s3cr3t/pa\n    ss?of-mine",
		"in a quotation":   "s3cr3t/pa\r\n> ss?of-mine",
		"in a comment":     "s3cr3t/pa\\\n  # ss?of-mine",
		"in two strings":   "s3cr3t/pa\" +\n  \"ss?of-mine",
		"wrapped in JSON":  `s3cr3t/pa\n  ss?of-mine`,
		"base64":           base64.StdEncoding.EncodeToString([]byte(secret)),
		"base64 after one": base64.RawStdEncoding.EncodeToString([]byte("x" + secret)),
		"base64 after two": base64.URLEncoding.EncodeToString([]byte("xy" + secret + "z")),
	} {
		s := "é a " + spelled + " b, " + spelled + " c"
		n := len("é a ")
		m := n + len(spelled) + len(" b, ")
		want := []Span{{Start: n, End: n + len(spelled)}, {Start: m, End: m + len(spelled)}}
		if got := NewTextSet([]string{"", secret}).Find(s); !slices.Equal(got, want) {
			t.Errorf("%s: %q: got %v, want %v", name, s, got, want)
		}
	}
}

func FuzzTextSet(f *testing.F) {
	f.Add("A\\\n# B\" +\n \"C", "ABC")
	f.Add("a %41\\u0041\x1b[0m\u200b QUJD", "A")
	f.Fuzz(func(t *testing.T, text, of string) {
		end := 0
		for _, p := range NewTextSet([]string{of}).Find(text) {
			if p.Start < end || p.End <= p.Start || p.End > len(text) {
				t.Fatalf("%q in %q: %v after %d", of, text, p, end)
			}
			end = p.End
		}
	})
}

func TestOnlyRandomSecretsAreSearchedForElsewhere(t *testing.T) {
	for text, want := range map[string]bool{
		"ghp_" + fakeBody: true, "k8Kq2LmV9xT4": true, "7f3a9c0d2e4b6185a1c3e5f708192a3b": true,
		"3f2b8c1e-5a77-4c0e-9d0b-2f6a1b7c9e10": true, "Zq7Rk2Vw9Xt4": true,
		"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B": true,
		"password": false, "hunter2!pass": false, "1234567890123": false, "v2.13.4-beta1": false,
		"gpt-4o-2024-08-06": false, "claude-3-5-sonnet-20241022": false,
		"Uint8ClampedArray": false, "Float32Array": false, "app/src2/login3.tsx": false, "scram-sha-256": false,
		"python3.11.4-slim": false, "ResNet50V2Large": false,
		"2026-11-28T21:00:00Z": false, "user42@corp.example": false, "#d1fae5": false, "C07RKQ2M4ZT": false,
		"SLACK_BOT_TOKEN2": false, "index-8Kq2.js": false,
	} {
		if got := Random(text); got != want {
			t.Errorf("%q is random: %t", text, got)
		}
	}
}
