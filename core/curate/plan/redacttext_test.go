package plan_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf16"

	"winnow/core/curate/plan"
	"winnow/core/detect"
)

// cut returns a text with the secrets replaced as a person would.
func cut(text string, secrets ...string) string {
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, detect.Redacted)
	}
	return text
}

func TestRedactTextTakesTheSecretAndNoOtherByte(t *testing.T) {
	for _, c := range []struct {
		text, want string
		lines      bool
	}{
		{"# a\r\n\r\nuse " + token + "\r\nand " + token + ".", "# a\r\n\r\nuse M\r\nand M.", false},
		{"\x00\xff " + token + " \xc3", "\x00\xff M \xc3", false},
		{"password: " + password + "\nlater " + password, "password: M\nlater M", false},
		{`{"a":"x"}` + "\r\n" + `{"b":"` + token + `"}` + "\n\n" + `{"c":1.0,"b":"\u0067` + token[1:] + `"}`,
			`{"a":"x"}` + "\r\n" + `{"b":"M"}` + "\n\n" + `{"c":1.0,"b":"M"}`, true},
		{"{\n  \"n\": 1e2,\n  \"password\": \"" + password + "\"\n}\n", "{\n  \"n\": 1e2,\n  \"password\": \"M\"\n}\n", false},
		{"nothing at all", "nothing at all", false},
		{"", "", true},
	} {
		got, n := plan.RedactText([]byte(c.text), c.lines, []string{token, password}, detect.Random)
		if want := strings.ReplaceAll(c.want, "M", detect.Redacted); string(got) != want ||
			(n == 0) != (c.text == c.want) {
			t.Errorf("%q becomes\n%q (%d), want\n%q", c.text, got, n, want)
		}
	}
}

func TestAWordThatIsASecretGoesOnlyWhereThatIsSaid(t *testing.T) {
	const word = "Winterstorm!"
	text := "it was a Winterstorm! indeed\nMYSQL_PASSWORD=" + word + "\n"
	spans := detect.Secrets(text)
	if len(spans) != 1 || text[spans[0].Start:spans[0].End] != word {
		t.Fatalf("the rules find %v", spans)
	}
	got, n := plan.RedactText([]byte(text), false, []string{word}, detect.Random)
	if want := "it was a Winterstorm! indeed\nMYSQL_PASSWORD=" + detect.Redacted + "\n"; string(got) != want || n != 1 {
		t.Errorf("%q, %d", got, n)
	}
}

func TestRedactTextLeavesOtherSecrets(t *testing.T) {
	text := "password: " + password + " " + token
	got, n := plan.RedactText([]byte(text), false, []string{token}, detect.Random)
	if string(got) != cut(text, token) || n != 1 {
		t.Errorf("%q, %d", got, n)
	}
}

func TestRedactTextKeepsTheWidthOfCharacters(t *testing.T) {
	wide := func(s string, big bool) []byte {
		var out []byte
		for _, u := range utf16.Encode([]rune(s)) {
			if big {
				out = append(out, byte(u>>8), byte(u))
			} else {
				out = append(out, byte(u), byte(u>>8))
			}
		}
		return out
	}
	for _, big := range []bool{false, true} {
		for _, mark := range []string{"\ufeff", ""} {
			text := mark + "the key 😀 is " + token + "\r\n"
			for _, lines := range []bool{false, true} {
				got, n := plan.RedactText(wide(text, big), lines, []string{token}, detect.Random)
				if want := wide(cut(text, token), big); string(got) != string(want) || n != 1 {
					t.Errorf("%q, %d", got, n)
				}
			}
		}
		half := append(wide("\ufeff"+token, big), 0xD8, 0xD8)
		want := append(wide("\ufeff"+detect.Redacted, big), 0xD8, 0xD8)
		if got, n := plan.RedactText(half, false, []string{token}, detect.Random); string(got) != string(want) ||
			n != 1 {
			t.Errorf("a text with half a character becomes %q", got)
		}
		appended := append([]byte("# Notes\r\n"), wide(token+"\r\nmore\r\n", big)...)
		want = append([]byte("# Notes\r\n"), wide(detect.Redacted+"\r\nmore\r\n", big)...)
		if got, n := plan.RedactText(appended, false, []string{token}, detect.Random); string(got) != string(want) ||
			n != 1 {
			t.Errorf("a text that a shell appended to becomes %q", got)
		}
	}
}

func FuzzRedactTextLeavesNoTextAndKeepsJSON(f *testing.F) {
	f.Add("use "+token+" now", token, false)
	f.Add(`{"a":"`+token+`","n":123456789012}`, "123456789012", true)
	f.Add("\xff\xfea\x00b\x00", "hunter22x", false)
	f.Add("{\n\"password\": 123456789012\n}", "123456789012", false)
	f.Fuzz(func(t *testing.T, text, secret string, lines bool) {
		if len(text) > 2000 || len(secret) > 40 || strings.ContainsAny(secret, "[]REDACT\n") {
			return
		}
		got, n := plan.RedactText([]byte(text), lines, []string{secret}, detect.Random)
		if (n == 0) != (string(got) == text) {
			t.Errorf("%q becomes %q with %d places", text, got, n)
		}
		if !lines && json.Valid([]byte(text)) && !json.Valid(got) {
			t.Errorf("%q becomes %q", text, got)
		}
		if again, n := plan.RedactText(got, lines, []string{secret}, detect.Random); n != 0 {
			t.Errorf("%q becomes %q, and then %q", text, got, again)
		}
	})
}
