package jsontext

import (
	"encoding/json"
	"strings"
	"testing"
)

const hostile = "a\x1b]52;c;ZXZpbA==\a b\u202ec\u200bd\tcol\nrow"

func TestJSONKeepsEveryCharacter(t *testing.T) {
	for _, s := range []string{"", hostile, "\"\\/<>&", "\u2028\u2029\ufeff", "\U000e0041", "日本 é 🙂", "\x7f\u009b"} {
		raw, err := json.Marshal(Text(s))
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal(raw, &back); err != nil || back != s {
			t.Errorf("%q became %s, which is %q (%v)", s, raw, back, err)
		}
	}
	for s, want := range map[string]string{
		"a\xed\xa0\xbd": `"a\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd": `"\ude00\ud83d"`, "\xff\xc3": "\"\uFFFD\uFFFD\"",
	} {
		if raw, err := json.Marshal(Text(s)); err != nil || string(raw) != want {
			t.Errorf("%q became %s (%v), want %s", s, raw, err, want)
		}
	}
}

func FuzzJSONText(f *testing.F) {
	f.Add(hostile)
	f.Add("\xed\xa0\xbd\U000e0041\u2028")
	f.Fuzz(func(t *testing.T, s string) {
		raw, err := json.Marshal(Text(s))
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		var back string
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%q became %s: %v", s, raw, err)
		}
		if strings.ToValidUTF8(s, "") == s && back != s {
			t.Fatalf("%q became %q", s, back)
		}
	})
}
