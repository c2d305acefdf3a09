package jstext

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

// Lone surrogates as they are carried.
const (
	high = "\xed\xa0\xbd" // D83D
	low  = "\xed\xb8\x80" // DE00
)

func TestDecodeReplacesEachMaximalPartOnce(t *testing.T) {
	for in, want := range map[string]string{
		"plain é 😀":            "plain é 😀",
		"\xe2\x82":             "\ufffd",
		"\xf0\x9f\x98":         "\ufffd",
		"\xed\xa0\xbd":         "\ufffd\ufffd\ufffd",
		"\xc0\xaf":             "\ufffd\ufffd",
		"\xf4\x90\x80\x80":     "\ufffd\ufffd\ufffd\ufffd",
		"\xf0\x80a\xff\xe2x":   "\ufffd\ufffda\ufffd\ufffdx",
		"\xef\xbb\xbfx":        "\ufeffx",
		"\xf0\x9f\x98\xe2\x82": "\ufffd\ufffd",
	} {
		if got := Decode([]byte(in)); got != want {
			t.Errorf("%+q: got %+q, want %+q", in, got, want)
		}
	}
}

func TestLengthsAndCutsCountUnits(t *testing.T) {
	const s = "aé東😀" + high + "z"
	if got := Len(s); got != 7 {
		t.Errorf("length %d, want 7", got)
	}
	for n, want := range map[int]string{
		-1: "", 0: "", 1: "a", 3: "aé東", 4: "aé東" + high, 5: "aé東😀", 6: "aé東😀" + high, 7: s, 99: s,
	} {
		if got := Slice(s, n); got != want {
			t.Errorf("first %d: got %+q, want %+q", n, got, want)
		}
	}
}

func TestHalvesFuseWhereTheyMeet(t *testing.T) {
	if got := Concat("a"+high, low+"b"); got != "a😀b" {
		t.Errorf("got %+q", got)
	}
	if got := Concat(low, high, "", low); got != low+"😀" {
		t.Errorf("got %+q", got)
	}
	if got := WellFormed("a" + high + "b" + low); got != "a\ufffdb\ufffd" {
		t.Errorf("got %+q", got)
	}
}

func TestOrderIsByUnits(t *testing.T) {
	rising := []string{"", "A", "a", "é", "\ud7ff", high, "😀", low, "\ue000", "\uffff"}
	for i, a := range rising {
		for j, b := range rising {
			if got := Compare(a, b); got != cmp.Compare(i, j) {
				t.Errorf("%+q and %+q: got %d", a, b, got)
			}
		}
	}
}

func TestSplitKeepsEmptyEnds(t *testing.T) {
	for in, want := range map[string][]string{
		"":                        {""},
		"a":                       {"a"},
		" a\u00a0\ufeff\tb\u2029": {"", "a", "b", ""},
		"a\u0085b\u200bc\u180ed":  {"a\u0085b\u200bc\u180ed"},
		"\u3000":                  {"", ""},
	} {
		if got := Split(in); !slices.Equal(got, want) {
			t.Errorf("%+q: got %+q, want %+q", in, got, want)
		}
	}
	if got := Trim("\ufeff\u00a0 a b \u2028\n"); got != "a b" {
		t.Errorf("trimmed to %+q", got)
	}
	if Trim("\u0085") == "" || Trim("") != "" {
		t.Error("U+0085 is not white space")
	}
}

func TestCoercionsAreThoseOfComparison(t *testing.T) {
	for text, want := range map[string]float64{
		`null`: 0, `true`: 1, `""`: 0, `" 5\u00a0"`: 5, `"5x"`: math.NaN(), `"0x1F"`: 31, `"0b11"`: 3, `"0o17"`: 15,
		`"0x"`: math.NaN(), `"+0x1"`: math.NaN(), `"1_0"`: math.NaN(), `"inf"`: math.NaN(), `"Infinity"`: math.Inf(1),
		`"-Infinity"`: math.Inf(-1), `".5"`: .5, `"5."`: 5, `"1e400"`: math.Inf(1), `[3]`: 3, `[]`: 0,
		`[3,4]`:     math.NaN(),
		`[[["7"]]]`: 7, `{}`: math.NaN(), `[null]`: 0, `-0`: 0, `"0x20000000000001"`: 9007199254740992,
	} {
		v, err := Parse(text)
		if got := v.ToNumber(); err != nil || got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
	for text, want := range map[string]string{
		`[1,[2,null],"x",{}]`: "1,2,,x,[object Object]", `null`: "null", `1e21`: "1e+21", `[true]`: "true", `-0`: "0",
	} {
		if v, _ := Parse(text); v.ToString() != want {
			t.Errorf("%s: got %q", text, v.ToString())
		}
	}
	for text, want := range map[string]bool{`0`: false, `-0`: false, `""`: false, `null`: false, `false`: false, `[]`: true, `"0"`: true, `0.1`: true} {
		if v, _ := Parse(text); v.Truthy() != want {
			t.Errorf("%s: got %v", text, !want)
		}
	}
	if NumberValue(math.NaN()).Truthy() || string(NumberValue(math.Inf(1)).AppendJSON(nil)) != "null" {
		t.Error("what is not finite is null in JSON, and NaN is not true")
	}
}

func TestAssignmentKeepsAndAppendsPlaces(t *testing.T) {
	v, _ := Parse(`{"b":1,"a":2}`)
	w := v.With("b", StringValue("x")).With("c", NullValue()).With("7", Value{kind: Bool, yes: true}).Without("a")
	if got := string(w.AppendJSON(nil)); got != `{"7":true,"b":"x","c":null}` {
		t.Errorf("got %s", got)
	}
	if got := string(v.AppendJSON(nil)); got != `{"b":1,"a":2}` {
		t.Errorf("the old value became %s", got)
	}
}

func TestIndentedAsJavaScriptDoes(t *testing.T) {
	v, _ := Parse(`{"a":[1,{"b":[]}],"c":{}}`)
	const want = "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {}\n}"
	if got := string(v.AppendIndent(nil, 2)); got != want {
		t.Errorf("got %s", got)
	}
}

func TestLocaleOrderIsThatOfTheRootLocale(t *testing.T) {
	rising := strings.Split("_ - , ; : ! ? . ' \" ( ) [ ] { } @ * / \\ & # % ` ^ + < = > | ~ $ 0 9 a A b Z", " ")
	for i := 1; i < len(rising); i++ {
		if LocaleCompare(rising[i-1], rising[i]) != -1 || LocaleCompare(rising[i], rising[i-1]) != 1 {
			t.Errorf("%s is not before %s", rising[i-1], rising[i])
		}
	}
	for _, same := range [][2]string{{"é", "e\u0301"}, {"a\x00", "a"}, {"\ufeff", ""}} {
		if LocaleCompare(same[0], same[1]) != 0 {
			t.Errorf("%+q differs from %+q", same[0], same[1])
		}
	}
	if LocaleCompare("2026-03-15T12:00:00.000Z", "2026-03-15T12:00:00.001Z") != -1 {
		t.Error("dates are out of order")
	}
}

func FuzzStrings(f *testing.F) {
	f.Add("aΣ"+high+low+"İ\xe2\x82", 3)
	f.Fuzz(func(t *testing.T, s string, n int) {
		s = FromUnits(Units(Decode([]byte(s))))
		u := Units(s)
		if FromUnits(u) != s || len(u) != Len(s) || !slices.Equal(u, utf16.Encode([]rune(s))) {
			t.Fatalf("%+q has units %x", s, u)
		}
		n = min(max(n, 0), len(u))
		head, tail := Slice(s, n), FromUnits(u[n:])
		if Len(head) != n || Concat(head, tail) != s || FromUnits(u[:n]) != head {
			t.Fatalf("%+q cut at %d is %+q and %+q", s, n, head, tail)
		}
		if !utf8.ValidString(WellFormed(head)) || !utf8.ValidString(WellFormed(Lower(head))) {
			t.Fatalf("%+q is not well formed", head)
		}
		v, err := Parse(string(AppendQuoted(nil, tail)))
		if err != nil || v.Str() != tail {
			t.Fatalf("%+q came back as %+q, %v", tail, v.Str(), err)
		}
	})
}
