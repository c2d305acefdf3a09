package output

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
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
		"a\xed\xa0\xbd": "\"a\uFFFD\"", "\xed\xb8\x80\xed\xa0\xbd": "\"\uFFFD\uFFFD\"", "\xff\xc3": "\"\uFFFD\uFFFD\"",
	} {
		if raw, err := json.Marshal(Text(s)); err != nil || string(raw) != want {
			t.Errorf("%q became %s (%v), want %s", s, raw, err, want)
		}
	}
}

// pairs are the escapes of whole characters beyond the first 65,536, and of a backslash.
var (
	pairs      = regexp.MustCompile(`\\\\|\\ud[89ab]..\\ud[c-f]..`)
	loneEscape = regexp.MustCompile(`\\ud[89a-f]..`)
)

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
		if lone := loneEscape.FindString(pairs.ReplaceAllString(string(raw), "")); lone != "" {
			t.Fatalf("%q became %s with half a pair, %s", s, raw, lone)
		}
		if strings.ToValidUTF8(s, "") == s && back != s {
			t.Fatalf("%q became %q", s, back)
		}
	})
}

func TestListsAreWrittenOneByOneAsAWhole(t *testing.T) {
	type inner struct {
		Name string   `json:"name"`
		List []string `json:"list"`
	}
	type outer struct {
		Empty []string `json:"empty"`
		Runs  []inner  `json:"runs"`
	}
	for n := range 4 {
		items := []string{"a", "[]", "c"}[:min(n, 3)]
		whole := outer{[]string{}, []inner{{"[]", items}}}
		var got strings.Builder
		o := New(&got, 0, false)
		want := o.indented(whole, "")
		whole.Runs[0].List = []string{}
		o.JSONList(whole, len(items), func(i int) any { return items[i] })
		if err := o.Close(); err != nil || got.String() != string(want) {
			t.Errorf("it is\n%s(%v), want\n%s", got.String(), err, want)
		}
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	o := New(full{}, 0, false)
	o.JSONList(struct{ List []int }{[]int{}}, 1, func(int) any { return 1 })
	if err := o.Close(); !errors.Is(err, errFull) {
		t.Errorf("it is %v", err)
	}
	o = New(io.Discard, 0, false)
	o.JSONList(struct{ List []int }{[]int{}}, 1, func(int) any { return func() {} })
	if o.Close() == nil {
		t.Error("a function was written as JSON")
	}
}

var errFull = errors.New("full")

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
