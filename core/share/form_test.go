package share

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"winnow/core/lesson"
)

const aLine = `{"lesson_id":"3f2a","task_summary":"caf\u00e9 \ud800","outcome":"succeeded","lesson":"é\n\"x\"","tool_names":["b","a"],"created_at":"2026-11-01T00:00:00.000Z","session_id":"s","relevance_count":3,"last_retrieved_at":"2026-11-02T00:00:00.000Z","extra":{"b":1.50,"a":[-0,1e400,{}]},"n":12345678901234567890}`

func TestALessonsFileIsCanonical(t *testing.T) {
	l, c, err := FromLine("karnevil9", aLine)
	if err != nil || c != (Count{3, "2026-11-02T00:00:00.000Z"}) || l.ID != "3f2a" {
		t.Fatal(l, c, err)
	}
	want := `{
 "fields": {
  "created_at": "2026-11-01T00:00:00.000Z",
  "extra": {"a":[-0,1e400,{}],"b":1.50},
  "lesson": "é\n\"x\"",
  "n": 12345678901234567890,
  "outcome": "succeeded",
  "session_id": "s",
  "task_summary": "café \ud800",
  "tool_names": ["b","a"]
 },
 "id": "3f2a",
 "kind": "",
 "system": "karnevil9"
}
`
	if got := string(l.Bytes()); got != want {
		t.Errorf("got\n%s", got)
	}
	again, _, err := FromLine("karnevil9", l.Line(Count{}))
	if err != nil || !again.equal(l) || again.Digest() != l.Digest() {
		t.Error(again, err)
	}
}

// TestALineThatTheAgentWroteComesBackByteForByte takes the forms that it writes.
func TestALineThatTheAgentWroteComesBackByteForByte(t *testing.T) {
	s := lesson.Session{LessonID: "3F2A", Text: "write \"a\"\n\u2028 test", Now: noon, Status: "completed", Plan: &lesson.Plan{Tools: []string{"b", "a"}}, Results: []lesson.StepResult{{Status: "succeeded"}}}
	v, ok := lesson.Original.Extract(s)
	if !ok {
		t.Fatal("no lesson")
	}
	written := string(v.AppendJSON(nil))
	for _, line := range []string{
		written,
		strings.Replace(written, `"relevance_count":0}`, `"relevance_count":7,"last_retrieved_at":"2026-11-02T00:00:00.000Z","z":1}`, 1),
	} {
		l, c, err := FromLine("karnevil9", line)
		if got := l.Line(c); err != nil || got != line {
			t.Errorf("%v\ngot  %s\nwant %s", err, got, line)
		}
	}
}

func TestWhatCannotBeShared(t *testing.T) {
	deep := strings.Repeat("[", 40) + strings.Repeat("]", 40)
	for line, want := range map[string]string{
		"":                                    "unexpected end of text at byte 0",
		"[1]":                                 "not a lesson",
		"null":                                "not a lesson",
		`{"a":1}`:                             "no id",
		`{"lesson_id":5}`:                     "no id",
		"{\"lesson_id\":\"\xff\"}":            "not UTF-8",
		`{"lesson_id":"x","a":` + deep + `}`:  "nested more than 32 deep",
		`{"lesson_id":"x","a":{"b":1,"b":2}}`: `the key "b" comes twice`,
		`{"lesson_id":"` + strings.Repeat("x", 600) + `"}`:               "the id is longer than 512 bytes",
		`{"lesson_id":"x","a":"` + strings.Repeat("x", MaxLesson) + `"}`: "larger than 1 MiB",
	} {
		if _, _, err := FromLine("s", line); fmt.Sprint(err) != want {
			t.Errorf("%.60s: %v, want %s", line, err, want)
		}
	}
}

func TestOddCountsCountNothing(t *testing.T) {
	for _, n := range []string{"null", "-1", "1.5", `"3"`, "01", "1e2", "9007199254740993", "99999999999999999999999"} {
		l, c, err := FromLine("s", `{"lesson_id":"x","relevance_count":`+n+`,"last_retrieved_at":"yesterday"}`)
		if (err == nil) != (n != "01") || c != (Count{}) || len(l.Fields) > 0 && n != "01" {
			t.Errorf("%s: %v %v %v", n, l, c, err)
		}
	}
}

func TestNamesOfFiles(t *testing.T) {
	for id, want := range map[string]string{
		"3f2a-9":                  "3f2a-9",
		"3F2A-9":                  "3f2a-9_",
		"../../etc/passwd":        "etc-passwd_",
		"a/b":                     "a-b_",
		"con":                     "con_",
		"com7":                    "com7_",
		"con-7":                   "con-7",
		".git":                    "git_",
		"Ä":                       "_",
		strings.Repeat("a", 64):   strings.Repeat("a", 64),
		strings.Repeat("a", 65):   strings.Repeat("a", 24) + "_",
		"a_b":                     "a-b_",
		"feedback about tests.md": "feedback-about-tests-md_",
	} {
		got := Name(id)
		if got != want && (!strings.HasSuffix(want, "_") || !strings.HasPrefix(got, want) || len(got) != len(want)+32) {
			t.Errorf("%q: got %s, want %s…", id, got, want)
		}
		if !Known(Lessons + got + ".json") {
			t.Errorf("%s is not known", got)
		}
	}
	if Machine("Laptop") || Machine("") || Machine("../x") || Machine("aux") || !Machine("annas-laptop-7f3a") {
		t.Error("names of machines")
	}
}

func lessonFile(id string) string {
	l := Lesson{ID: id, System: "s", Fields: map[string]string{"a": "1"}}
	return string(l.Bytes())
}

func TestRefusedFilesDoNotStopTheRest(t *testing.T) {
	good := lessonFile("good")
	files := map[string]string{
		"share.toml":         "version = 1\n",
		"README.md":          "\xff",
		"lessons/good.json":  good,
		"lessons/b.json":     `{"id":"b","id":"b","kind":"","system":"s","fields":{}}`,
		"lessons/c.json":     lessonFile("d"),
		"lessons/C.json":     lessonFile("c"),
		"lessons/e.json":     "{\"id\":\"e\xff\"}",
		"lessons/f.json":     `{"id":"f","kind":"","system":"s","fields":{"a":` + strings.Repeat("[", 99) + strings.Repeat("]", 99) + `}}`,
		"lessons/g.json":     `{"id":"g","kind":"","system":"s","fields":{"a":{"b":1,"\u0062":2}}}`,
		"lessons/h.json":     `{"id":"h","kind":"","system":"s","fields":{},"hook":"rm"}`,
		"lessons/i.json":     `{"id":"i","kind":"","system":"s"}`,
		"lessons/j.json":     `{"id":7,"kind":"","system":"s","fields":{}}`,
		"lessons/k.json":     "",
		"lessons/l.json":     strings.Replace(lessonFile("l"), "1", strings.Repeat("1", MaxLesson), 1),
		"lessons/x/y.json":   good,
		"lessons/../z.json":  good,
		"lessons/m.json.exe": good,
		"counts/a.json":      `{"good":{"n":2}}`,
		"counts/me.json":     `{"good":{"n":3,"used":"2026-11-02T00:00:00.000Z"}}`,
		"counts/aux.json":    `{}`,
		"counts/b.json":      `{"good":{"n":-2}}`,
		"counts/c.json":      `{"good":{"n":9007199254740993}}`,
		"counts/d.json":      `{"good":{"n":1,"used":"soon"}}`,
		"counts/e.json":      strings.Repeat(" ", MaxFile+1),
		"tombstones/t.json":  string(Tombstone{ID: "t", System: "s", Who: "anna", When: noon, Digest: "d"}.Bytes()),
		"tombstones/u.json":  `{"id":"u","system":"s","who":"","when":"soon","digest":""}`,
		"tombstones/v.json":  string(Tombstone{ID: "w", When: noon}.Bytes()),
		".gitattributes":     "* filter=evil\n",
	}
	r := NewReader("me")
	for _, path := range slices.Sorted(maps.Keys(files)) {
		r.Add(path, []byte(files[path]))
	}
	r.Refuse("lessons/link.json", "a symbolic link")
	s, err := r.State()
	if err != nil || len(s.Lessons) != 1 || len(s.Tombstones) != 1 || s.Others["good"].N != 2 || s.Own["good"].N != 3 || !s.partial {
		t.Errorf("%v %+v", err, s)
	}
	var got []string
	for _, r := range s.Refused {
		got = append(got, r.String())
	}
	want := `.gitattributes is refused: no file of a share.
counts/aux.json is refused: no name of a machine.
counts/b.json is refused: lesson "good": n: want a whole number.
counts/c.json is refused: lesson "good": n: want a whole number.
counts/d.json is refused: lesson "good": used: want a date.
counts/e.json is refused: larger than 4 MiB.
lessons/../z.json is refused: no file of a share.
lessons/C.json is refused: no file of a share.
lessons/b.json is refused: the key "id" comes twice.
lessons/c.json is refused: the id "d" belongs in lessons/d.json.
lessons/e.json is refused: not UTF-8.
lessons/f.json is refused: field "a": nested more than 32 deep.
lessons/g.json is refused: field "a": the key "b" comes twice.
lessons/h.json is refused: unknown key "hook".
lessons/i.json is refused: fields: not JSON: unexpected end of text at byte 0.
lessons/j.json is refused: id: want a text.
lessons/k.json is refused: not JSON: unexpected end of text at byte 0.
lessons/l.json is refused: larger than 1 MiB.
lessons/link.json is refused: a symbolic link.
lessons/m.json.exe is refused: no file of a share.
lessons/x/y.json is refused: no file of a share.
tombstones/u.json is refused: when: want a date.
tombstones/v.json is refused: the id "w" belongs in tombstones/w.json.`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestRefusalsAreBounded(t *testing.T) {
	r := NewReader("me")
	for i := range 250 {
		r.Add(fmt.Sprintf("lessons/%d.json", i), nil)
	}
	if s, err := r.State(); len(s.Refused) != 100 || s.More != 150 || len(s.names) != 250 || err == nil {
		t.Error(len(s.Refused), s.More, len(s.names), err)
	}
}

func TestSettings(t *testing.T) {
	for text, want := range map[string]string{
		"version = 1\n":                   "",
		"version = 1\nexpiry_days = 30\n": "",
		"":                                "read share.toml: version: want 1",
		"version = 2\nnew = true\n":       "read share.toml: the share has format 2, and this Winnow knows up to 1: update Winnow",
		"version = 1\nhook = \"rm\"\n":    "read share.toml: unknown key hook",
		"version = 1\nexpiry_days = -1\n": "read share.toml: expiry_days: want 1 to 3650",
		"version = \"one\"\n":             "read share.toml: toml: cannot decode TOML string into struct field",
		"\xff":                            "read share.toml: toml: ",
	} {
		_, err := ReadSettings([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	files, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	s, err := ReadSettings(files[SettingsFile])
	if err != nil || s.Expiry() != 180*24*time.Hour || (Settings{}).Expiry() != s.Expiry() {
		t.Error(s, err)
	}
}

func TestADamagedBaseIsNone(t *testing.T) {
	b := baseOf(map[string]entry{"x": {lesson: *of("a=1"), where: away, own: 2, shown: []Count{{N: 1}, {N: 2}}}})
	if _, err := ReadBase(b.Bytes()[:50]); err == nil {
		t.Error("half of it is read")
	}
	for _, older := range []string{`{"entries": {"x": ` + b.lines["x"].text + `}, "format": 1}`, "winnow base 2 " + hashOf(nil) + "\n", "winnow base 4 " + hashOf(nil) + "\n", ""} {
		if b, err := ReadBase([]byte(older)); err == nil || b != nil || err.Error() != "its file has an unknown format" {
			t.Errorf("of %q: %v, %v", older, b, err)
		}
	}
	text := b.lines["x"].text
	for _, change := range []string{`"where":"away"|"where":"up"`, `{"n":2}|{"n":-2}`, `[{"n":1},{"n":2}]|{}`, `"own":2|"own":-2`, "}|", `"id":"x"|"id":7`, `"id":"x"|"id":"y"`, `[{"n":1}|[{"n":1},{"n":1},{"n":1},{"n":1},{"n":1},{"n":1},{"n":1},{"n":1}`} {
		old, new, _ := strings.Cut(change, "|")
		l := line{text: strings.Replace(text, old, new, 1)}
		if _, err := l.entry("x", nil); err == nil {
			t.Errorf("%s is read", change)
		}
	}
}

// FuzzFiles reads any bytes as each file of a share. What is taken is written, and read again, as the same.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(lessonFile("x")))
	f.Add(Tombstone{ID: "x", When: noon}.Bytes())
	f.Add(Counts{"x": {1, "2026-11-02T00:00:00.000Z"}}.Bytes())
	f.Add([]byte(`{"fields":{"":"\ud800\u0000","b":[{"b":1.0,"a":-0}]},"id":"x","kind":"\/","system":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := ReadLesson("lessons/x.json", data); err == nil {
			again, err := ReadLesson("lessons/x.json", l.Bytes())
			if len(l.Bytes()) <= MaxLesson && (err != nil || !again.equal(l) || !bytes.Equal(again.Bytes(), l.Bytes())) {
				t.Errorf("%v\n%s\n%s", err, l.Bytes(), again.Bytes())
			}
		}
		if s, err := ReadTombstone("tombstones/x.json", data); err == nil {
			if again, err := ReadTombstone("tombstones/x.json", s.Bytes()); err != nil || again != s {
				t.Error(s, again, err)
			}
		}
		if c, err := ReadCounts(data); err == nil {
			if again, err := ReadCounts(c.Bytes()); err != nil || !maps.Equal(c, again) {
				t.Error(c, again, err)
			}
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add(aLine)
	f.Add(" {\"lesson_id\":\"a\",\"lesson_id\":\"b\"}\u2028")
	f.Fuzz(func(t *testing.T, line string) {
		l, c, err := FromLine("s", line)
		if err != nil {
			return
		}
		again, n, err := FromLine("s", l.Line(c))
		if err != nil || n != c || !again.equal(l) {
			t.Errorf("%v\n%s\n%s", err, l.Bytes(), again.Bytes())
		}
		if back, err := ReadLesson(Lessons+Name(l.ID)+".json", l.Bytes()); err != nil || !back.equal(l) {
			t.Errorf("%v\n%s", err, l.Bytes())
		}
	})
}

func FuzzBase(f *testing.F) {
	f.Add(baseOf(map[string]entry{"x": {lesson: *of("a=1"), where: away, own: 2, shown: []Count{{N: 1}, {N: 2}}}}).Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := ReadBase(data)
		if err != nil {
			return
		}
		if again, err := ReadBase(b.Bytes()); err != nil || !bytes.Equal(again.Bytes(), b.Bytes()) {
			t.Errorf("%v\n%s", err, b.Bytes())
		}
	})
}

func FuzzSettings(f *testing.F) {
	f.Add([]byte("version = 1\nexpiry_days = 9\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if s, err := ReadSettings(data); err == nil && (s.Version != 1 || s.Expiry() <= 0) {
			t.Error(s)
		}
	})
}
