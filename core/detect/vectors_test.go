package detect

import (
	"strings"
	"testing"

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

func TestOriginalAgreesWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "redact", func(t *testing.T, v vectortest.Vector) {
		if got, want := RedactOriginal(v.Input.Member("text").Text()), v.Want.Member("text").Text(); got != want {
			t.Errorf("got %+q, want %+q", got, want)
		}
	})
}

func TestPayloadAgreesWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "journal_redact", func(t *testing.T, v vectortest.Vector) {
		payload, err := jstext.Parse(v.Input.Member("payload_json").Text())
		if err != nil {
			t.Fatal(err)
		}
		got, want := redactPayload(payload).AppendJSON(nil), v.Want.Member("payload_json").Text()
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

// maxDepth limits the nesting of a payload. Deeper values are redacted as a whole.
const maxDepth = 10_000

// redactPayload redacts the payload of an event as the original journal does before it writes it: a
// string under a sensitive key and any string that contains a secret become Redacted; a key
// "__proto__" is dropped.
func redactPayload(v jstext.Value) jstext.Value { return redactPayloadValue(v, 0) }

func redactPayloadValue(v jstext.Value, depth int) jstext.Value {
	if depth > maxDepth {
		return jstext.StringValue(Redacted)
	}
	switch v.Kind() {
	case jstext.String:
		if journalSecret(v.Str()) {
			return jstext.StringValue(Redacted)
		}
	case jstext.Array:
		list := make([]jstext.Value, v.Len())
		for i := range list {
			list[i] = redactPayloadValue(v.At(i), depth+1)
		}
		return jstext.ArrayValue(list...)
	case jstext.Object:
		members := make([]jstext.Member, 0, v.Len())
		for i := range v.Len() {
			key, val := v.Key(i), v.At(i)
			switch {
			case key == "__proto__":
				continue
			case val.Kind() == jstext.String && sensitiveKey(key):
				val = jstext.StringValue(Redacted)
			default:
				val = redactPayloadValue(val, depth+1)
			}
			members = append(members, jstext.Member{Key: key, Value: val})
		}
		return jstext.ObjectValue(members...)
	}
	return v
}

// sensitiveKey reports whether the journal redacts any string under that key.
func sensitiveKey(key string) bool {
	for _, name := range [...]string{"authorization", "password", "secret", "token", "credential"} {
		if len(key) == len(name) && hasPrefixFold(key, name) {
			return true
		}
	}
	for _, name := range [...][2]string{
		{"api", "key"}, {"private", "key"}, {"access", "token"}, {"refresh", "token"},
		{"client", "secret"}, {"connection", "string"}, {"database", "url"},
	} {
		if !hasPrefixFold(key, name[0]) {
			continue
		}
		rest := key[len(name[0]):]
		if rest != "" && (rest[0] == '_' || rest[0] == '-') {
			rest = rest[1:]
		}
		if len(rest) == len(name[1]) && hasPrefixFold(rest, name[1]) {
			return true
		}
	}
	return false
}

// journalSecret reports whether the journal's pattern matches anywhere in s.
func journalSecret(s string) bool {
	for i := range len(s) {
		switch s[i] {
		case 'B', 'g', 's', 'A', 'x', 'e', '-', 'y', 'r', 'p', 'w', 'S', 'n', 'm':
			if matchesJournalSecret(s[i:]) {
				return true
			}
		}
	}
	return containsJournalJWT(s)
}

// matchesJournalSecret reports whether the journal's pattern, except for JSON web tokens, matches
// at the start of s.
func matchesJournalSecret(s string) bool {
	for _, p := range [...]string{
		"ghp_", "gho_", "github_pat_", "sk-", "xoxb-", "xoxp-", "xoxa-", "xoxs-", "sk_live_",
		"sk_test_", "rk_live_", "rk_test_", "pk_live_", "pk_test_", "whsec_",
	} {
		if p[0] == s[0] && strings.HasPrefix(s, p) {
			return true
		}
	}
	for _, p := range [...]struct {
		prefix string
		set    byteClass
		n      int
		then   string
	}{
		{"AKIA", upper | digit, 16, ""}, {"AIza", slug, 35, ""}, {"ya29.", slug, 1, ""},
		{"sbp_", alnum, 40, ""}, {"SG.", slug, 22, "."}, {"AC", lowerHex, 32, ""}, {"sk", lowerHex, 32, ""},
		{"glpat-", slug, 20, ""}, {"npm_", alnum, 36, ""}, {"pypi-", alnum, 36, ""},
	} {
		if end := len(p.prefix) + p.n; p.prefix[0] == s[0] && strings.HasPrefix(s, p.prefix) && len(s) >= end &&
			runEnd(s[:end], len(p.prefix), p.set) == end && strings.HasPrefix(s[end:], p.then) {
			return true
		}
	}
	for _, p := range [...]string{
		"mongodb://", "mongodb+srv://", "postgres://", "postgresql://", "mysql://", "redis://",
	} {
		if p[0] == s[0] && strings.HasPrefix(s, p) && skipNonSpace(s, len(p)) > len(p) {
			return true
		}
	}
	const bearer = "Bearer"
	return strings.HasPrefix(s, bearer) && jstext.Space(s[len(bearer):]) > 0 || matchesJournalKeyHeader(s)
}

// matchesJournalKeyHeader reports whether s begins with the header of a private key.
func matchesJournalKeyHeader(s string) bool {
	rest, ok := strings.CutPrefix(s, "-----BEGIN")
	if !ok {
		return false
	}
	gap := func() bool {
		n := skipSpace(rest, 0)
		rest = rest[n:]
		return n > 0
	}
	if !gap() {
		return false
	}
	for _, kind := range [...]string{"RSA", "EC", "OPENSSH"} {
		if after, ok := strings.CutPrefix(rest, kind); ok {
			rest = after
			if !gap() {
				return false
			}
			break
		}
	}
	rest, ok = strings.CutPrefix(rest, "PRIVATE")
	return ok && gap() && strings.HasPrefix(rest, "KEY")
}

// containsJournalJWT reports whether s contains eyJ[A-Za-z0-9_-]{10,}\. anywhere. It checks each
// run of such letters once, from its first eyJ.
func containsJournalJWT(s string) bool {
	for {
		i := strings.Index(s, "eyJ")
		if i < 0 {
			return false
		}
		end := runEnd(s, i, slug)
		if end < len(s) && s[end] == '.' && end-i >= 13 {
			return true
		}
		s = s[end:]
	}
}

// skipNonSpace returns the index of the first white space from i on, or len(s).
func skipNonSpace(s string, i int) int {
	for i < len(s) && jstext.Space(s[i:]) == 0 {
		i++
	}
	return i
}
