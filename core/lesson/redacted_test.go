package lesson

import (
	"strings"
	"testing"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/redact"
)

func TestRedactedTakesOnlyTheBytesOfTheSecret(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for stored, want := range map[string]string{
		`{"lesson": "use K now","n":1.0}`:      `{"lesson": "use [REDACTED] now","n":1.0}`,
		`{"lesson":"K and K"}`:                 `{"lesson":"[REDACTED] and [REDACTED]"}`,
		`{"lesson":"a\nK\n"}`:                  `{"lesson":"a\n[REDACTED]\n"}`,
		`{"tool_names":["K"],"x":{"K":["K"]}}`: `{"tool_names":["[REDACTED]"],"x":{"[REDACTED]":["[REDACTED]"]}}`,
		`{"lesson":"K`:                         `{"lesson":"[REDACTED]`,
		`{"lesson":"nothing"}`:                 `{"lesson":"nothing"}`,
		`K`:                                    `[REDACTED]`,
		"{\"lesson\":\"\xff K\"}":              "{\"lesson\":\"\xff [REDACTED]\"}",
	} {
		got, n := Redacted(strings.ReplaceAll(stored, "K", key), memory.Redaction{})
		if got != want || (n == 0) != (stored == want) {
			t.Errorf("%s\n got %s, %d\nwant %s", stored, got, n, want)
		}
	}
	escaped := `{"lesson":"a \u0067` + key[1:] + ` b"}`
	if got, n := Redacted(escaped, memory.Redaction{}); got != `{"lesson":"a [REDACTED] b"}` || n != 1 {
		t.Errorf("spelled with an escape: %s, %d", got, n)
	}
}

func FuzzRedactedLeavesNoSecret(f *testing.F) {
	key := "ghp_" + strings.Repeat("a1B2", 9)
	for _, s := range append(oddFiles, `{"password":123456789012,"lesson":"`+key+`"}`, `{"password" : {"x":"hunter2!pass"}}`,
		`{"a":"Bearer","b":"`+key+`\u0022"}`, `{"lesson":"https://me:secret99@x.example"}`, `{"a":"-----BEGIN PRIVATE KEY-----\nabc\n"}`) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.Contains(line, "\n") {
			return
		}
		out, n := Redacted(line, memory.Redaction{})
		if spans := redact.InLine(out); len(spans) > 0 {
			t.Errorf("%q becomes %q, which holds %+v", line, out, spans)
		}
		_, before := jstext.Parse(decode(line))
		if _, after := jstext.Parse(decode(out)); before == nil && after != nil {
			t.Errorf("%q becomes %q: %v", line, out, after)
		}
		if (n == 0) != (out == line) || strings.Contains(out, "\n") {
			t.Errorf("%q becomes %q with %d secrets", line, out, n)
		}
	})
}
