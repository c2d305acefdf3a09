package jsonl

import (
	"strings"
	"testing"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
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

func TestRedactedTakesOnlyWhatTheRulesFindThatAreNamed(t *testing.T) {
	key, url := "ghp_"+strings.Repeat("a1B2", 9), "postgres"+"://me:"+"secret99"+"@db.example/x"
	rules := map[string]bool{}
	for _, p := range detect.SecretsInLine(`{"lesson":"` + key + `"}`) {
		rules[p.Rule] = true
	}
	var only []string
	for r := range rules {
		only = append(only, r)
	}
	line := `{"task_summary":"` + url + `","lesson":"` + key + `"}`
	if got, n := Redacted(line, memory.Redaction{Only: only}); got != strings.ReplaceAll(line, key, detect.Redacted) ||
		n != 1 {
		t.Errorf("%s, %d", got, n)
	}
	if got, n := Redacted(line, memory.Redaction{Only: []string{}}); got != line || n != 0 {
		t.Errorf("%s, %d", got, n)
	}
}

func TestRedactedTakesTextsWhereverAndHoweverTheyStand(t *testing.T) {
	const text = "hunter2/pass"
	for stored, want := range map[string]string{
		`{"lesson":"say T!","x":["T",{"T":"aT"}],"n":1.0}`: `{"lesson":"say M!","x":["M",{"M":"aM"}],"n":1.0}`,
		`{"lesson":"hunter2\/pass"}`:                       `{"lesson":"M"}`,
		`{"lesson":"\u0068unter2/p\u0061ss b"}`:            `{"lesson":"M b"}`,
		`{"lesson":"hunter2%2Fpass"}`:                      `{"lesson":"M"}`,
		`{"lesson":"T`:                                     `{"lesson":"M`,
		`{"lesson":"hunter2/pas"}`:                         `{"lesson":"hunter2/pas"}`,
		`{"lesson":"MTM"}`:                                 `{"lesson":"MMM"}`,
		`no JSON: T`:                                       `no JSON: M`,
	} {
		fill := func(s string) string {
			return strings.ReplaceAll(strings.ReplaceAll(s, "T", text), "M", detect.Redacted)
		}
		got, n := Redacted(fill(stored), memory.Redaction{Only: []string{}, Also: []string{text}})
		if got != fill(want) || (n == 0) != (stored == want) {
			t.Errorf("%s\n got %s, %d\nwant %s", stored, got, n, want)
		}
	}
}

func TestATextOverSeveralValuesIsTakenOutOfEach(t *testing.T) {
	const line = `{"task_summary":"a secret","lesson":"stands here"}`
	got, n := Redacted(line, memory.Redaction{Only: []string{}, Also: []string{`secret","lesson":"stands`}})
	if want := `{"task_summary":"a [REDACTED]","[REDACTED]":"[REDACTED] here"}`; got != want || n != 1 {
		t.Errorf("%s, %d", got, n)
	}
}

func TestRedactedComesToAnEnd(t *testing.T) {
	for _, also := range [][]string{
		{"RED"},
		{"[REDACTED]"},
		{"x["},
		{"]]", "[["},
		{"D][", "T[", "E["},
		{""},
		{"a", "[R", "ED]"},
	} {
		got, _ := Redacted(`{"lesson":"xx[aa]]D][REDACTED]a"}`, memory.Redaction{Also: also})
		if len(got) > 400 {
			t.Errorf("%q leaves %s", also, got)
		}
	}
}

func FuzzRedactedTakesTexts(f *testing.F) {
	for _, s := range oddFiles {
		f.Add(s, "lesson")
	}
	f.Add(`{"lesson":"hunter2\/pass \u0068unter2/pass","n":123456}`, "hunter2/pass")
	f.Add(`{"lesson":"a[REDACTED]b"}`, "D]b")
	f.Fuzz(func(t *testing.T, line, text string) {
		if strings.Contains(line, "\n") || text == "" || len(line) > 2000 || strings.ContainsAny(text, "[]REDACT") {
			return
		}
		out, n := Redacted(line, memory.Redaction{Only: []string{}, Also: []string{text}})
		if (n == 0) != (out == line) {
			t.Errorf("%q becomes %q with %d places", line, out, n)
		}
		before, errBefore := jstext.Parse(lesson.Decode(line))
		after, errAfter := jstext.Parse(lesson.Decode(out))
		if errBefore == nil && errAfter != nil {
			t.Errorf("%q becomes %q: %v", line, out, errAfter)
		}
		if errAfter != nil || errBefore != nil || before.Kind() != jstext.Object {
			return
		}
		for _, s := range allStrings(after, nil) {
			if strings.Contains(s, text) {
				t.Errorf("%q becomes %q, which says %q still", line, out, text)
			}
		}
	})
}

// allStrings returns the strings in a value, except keys.
func allStrings(v jstext.Value, to []string) []string {
	if v.Kind() == jstext.String {
		return append(to, v.Str())
	}
	for i := range v.Len() {
		to = allStrings(v.At(i), to)
	}
	return to
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
		if spans := detect.SecretsInLine(out); len(spans) > 0 {
			t.Errorf("%q becomes %q, which holds %+v", line, out, spans)
		}
		_, before := jstext.Parse(lesson.Decode(line))
		if _, after := jstext.Parse(lesson.Decode(out)); before == nil && after != nil {
			t.Errorf("%q becomes %q: %v", line, out, after)
		}
		if (n == 0) != (out == line) || strings.Contains(out, "\n") {
			t.Errorf("%q becomes %q with %d secrets", line, out, n)
		}
	})
}
