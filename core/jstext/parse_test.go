package jstext

import (
	"encoding/json"
	"strings"
	"testing"
)

func stringify(t *testing.T, text string) string {
	t.Helper()
	v, err := Parse(text)
	if err != nil {
		t.Fatalf("parse %q: %v", text, err)
	}
	return string(v.AppendJSON(nil))
}

func TestParsedTextIsWrittenBackAsJavaScriptDoes(t *testing.T) {
	for text, want := range map[string]string{
		`{"b":1,"a":2,"b":3}`:                          `{"b":3,"a":2}`,
		`{"b":1,"2":1,"1":1,"a":1,"00":1,"-1":2}`:      `{"1":1,"2":1,"b":1,"a":1,"00":1,"-1":2}`,
		`{"4294967295":1,"4294967294":2,"z":3,"0":4}`:  `{"0":4,"4294967294":2,"4294967295":1,"z":3}`,
		`{"1.5":1,"0":2}`:                              `{"0":2,"1.5":1}`,
		`{"__proto__":{"a":1}}`:                        `{"__proto__":{"a":1}}`,
		`[1.0,1e2,-0,1e21,1e20,0.000001,1e-7,1e999]`:   `[1,100,0,1e+21,100000000000000000000,0.000001,1e-7,null]`,
		`[9007199254740993,-1e-10,123456789012345678]`: `[9007199254740992,-1e-10,123456789012345680]`,
		`"\ud83d\ude00"`:                               `"😀"`,
		`"\uD83D"`:                                     `"\ud83d"`,
		`"\ude00\ud83d"`:                               `"\ude00\ud83d"`,
		`"\u0001\u001F\u007f\/\b\f\n\r\t\"\\"`:         "\"\\u0001\\u001f\x7f/\\b\\f\\n\\r\\t\\\"\\\\\"",
		"\"<>&\u2028\u2029\ufeff\"":                    "\"<>&\u2028\u2029\ufeff\"",
		" \t\r\n[ ] ":                                  `[]`,
		`{"a":[{},[],"",{"x":null}]}`:                  `{"a":[{},[],"",{"x":null}]}`,
		`true`:                                         `true`,
	} {
		if got := stringify(t, text); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestBrokenTextHasItsOffset(t *testing.T) {
	for text, offset := range map[string]int{
		"":              0,
		"  ":            2,
		"{":             1,
		"[1,]":          3,
		`{"a":1,}`:      7,
		`{"a" 1}`:       5,
		`{a:1}`:         1,
		"01":            1,
		"-":             1,
		"1.":            2,
		"1e+":           3,
		`"a`:            2,
		"\"a\nb\"":      2,
		`"\x"`:          2,
		`"\u12g4"`:      5,
		"nul":           0,
		"[1}":           2,
		"1 2":           2,
		"\u00a01":       0,
		"\ufeff{}":      0,
		"[1,2":          4,
		`{"a":"b" "c"}`: 9,
	} {
		_, err := Parse(text)
		if e, ok := err.(*SyntaxError); !ok || e.Offset != offset {
			t.Errorf("%q: got %v, want offset %d", text, err, offset)
		}
	}
}

func TestDeepNestingNeitherOverflowsNorFails(t *testing.T) {
	const depth = 100_000
	text := strings.Repeat("[", depth) + strings.Repeat("]", depth)
	if got := stringify(t, text); got != text {
		t.Fatal("a deep array did not come back")
	}
	if _, err := Parse(strings.Repeat("[", depth)); err == nil {
		t.Fatal("an open array was taken")
	}
	if _, err := Parse(strings.Repeat("[", maxDepth+1)); err == nil || !strings.Contains(err.Error(), "too deep") {
		t.Fatalf("got %v, want the depth refused", err)
	}
	v, _ := Parse(text)
	if v.ToString() != "" {
		t.Fatal("nested empty arrays join to something")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,"\ud83d",{"2":null,"1":true}]}`, lesson, `[1e400,-0.0]`, `"\ude00`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		text = Decode([]byte(text))
		v, err := Parse(text)
		if (err == nil) != json.Valid([]byte(text)) {
			t.Fatalf("parse %q: %v, unlike encoding/json", text, err)
		}
		if err != nil {
			return
		}
		once := string(v.AppendJSON(nil))
		if twice := stringify(t, once); twice != once {
			t.Fatalf("%q became %q", once, twice)
		}
		if same := stringify(t, string(v.AppendIndent(nil, 2))); same != once {
			t.Fatalf("indented: %q became %q", once, same)
		}
	})
}

const lesson = `{"lesson_id":"3f2b8c1e-5a77-4c0e-9d0b-2f6a1b7c9e10","task_summary":"Add a retry with backoff to the upload client and cover it with tests","outcome":"succeeded","lesson":"Completed using read-file, edit-file, run-tests, git-diff. 7 step(s) succeeded. The flaky test waits for the mock clock.","tool_names":["read-file","edit-file","run-tests","git-diff"],"created_at":"2026-03-15T12:00:00.000Z","session_id":"sess-20260315-aa","relevance_count":3,"last_retrieved_at":"2026-03-20T08:15:30.123Z"}`

func BenchmarkParseLesson(b *testing.B) {
	b.SetBytes(int64(len(lesson)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse(lesson); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkStringifyLesson(b *testing.B) {
	v, _ := Parse(lesson)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = v.AppendJSON(buf[:0])
	}
}
