package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
)

const hostile = "a\x1b]52;c;ZXZpbA==\a b\u202ec\u200bd\tcol\nrow"

// TestQuotedLineThatGoesOnIsNoNewOne: the text of a recall is read line by line.
func TestQuotedLineThatGoesOnIsNoNewOne(t *testing.T) {
	var b bytes.Buffer
	o := New(&b, 14, false)
	o.Lines("| ", Of("one two three four\n\nfive", nil))
	o.Lines("  ", Of("one two three four", nil))
	o.Flush()
	if got, want := b.String(), "| one two\n|>three four\n|\n| five\n  one two\n  three four\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestJSONKeepsEveryCharacter(t *testing.T) {
	for _, s := range []string{"", hostile, "\"\\/<>&", "\u2028\u2029\ufeff", "\U000e0041", "日本 é 🙂", "\x7f\u009b"} {
		raw := Text(s).quoted()
		var back string
		if err := json.Unmarshal(raw, &back); err != nil || back != s {
			t.Errorf("%q became %s, which is %q (%v)", s, raw, back, err)
		}
	}
	for s, want := range map[string]string{
		"a\xed\xa0\xbd": "\"a\uFFFD\"", "\xed\xb8\x80\xed\xa0\xbd": "\"\uFFFD\uFFFD\"", "\xff\xc3": "\"\uFFFD\uFFFD\"",
	} {
		if raw := Text(s).quoted(); string(raw) != want {
			t.Errorf("%q became %s, want %s", s, raw, want)
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
		raw := Text(s).quoted()
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

func TestStructsAreWrittenAsEncodingJSONWritesThem(t *testing.T) {
	type place struct {
		Path string `json:"path"`
		Name string `json:"name,omitempty"`
	}
	type inner struct {
		place
		List  []string   `json:"list"`
		Left  []string   `json:"left,omitempty"`
		Point float64    `json:"point"`
		None  *place     `json:"none"`
		Gone  *place     `json:"gone,omitempty"`
		There *place     `json:"there,omitempty"`
		At    *time.Time `json:"at"`
		Never *time.Time `json:"never"`
		Empty struct{}   `json:"empty"`
	}
	day := time.Date(2026, 3, 14, 15, 9, 26, 535, time.UTC)
	for n := range 4 {
		items := []string{"a", "[]", "<c>"}[:min(n, 3)]
		whole := []inner{{place: place{Path: "/p"}, List: items, Point: 1.5, There: &place{Name: "n"}, At: &day}}
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		var got strings.Builder
		o := New(&got, 0, false)
		o.Event(whole)
		o.JSON(Items{1, func(int) any { return &whole[0] }})
		err := errors.Join(enc.Encode(whole), o.Close())
		enc.SetIndent("", "  ")
		if err = errors.Join(err, enc.Encode(whole)); err != nil || got.String() != want.String() {
			t.Errorf("it is\n%s(%v), want\n%s", got.String(), err, &want)
		}
	}
}

func TestAHostileStringInAStructIsEscapedAndAListIsNeverNull(t *testing.T) {
	type stored struct {
		Text string   `json:"text"`
		List []string `json:"list"`
	}
	var b strings.Builder
	o := New(&b, 0, false)
	o.Event(struct {
		Name   string `json:"name"`
		Answer any    `json:",inline"`
		None   any    `json:",inline"`
	}{"n", stored{Text: "a\x1b\u202e"}, nil})
	if err := o.Close(); err != nil || b.String() != `{"name":"n","text":"a\u001b\u202e","list":[]}`+"\n" {
		t.Errorf("it is %s (%v)", b.String(), err)
	}
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	o := New(full{}, 0, false)
	o.JSON(Object{"a", 1})
	if err := o.Close(); !errors.Is(err, errFull) {
		t.Errorf("it is %v", err)
	}
	o = New(io.Discard, 0, false)
	o.JSON(Object{"a", func() {}})
	if o.Close() == nil {
		t.Error("a function was written as JSON")
	}
}

var errFull = errors.New("full")

// full is an output that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
