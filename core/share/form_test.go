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
	l, err := FromLine("karnevil9", aLine)
	if err != nil || l.ID != "3f2a" {
		t.Fatal(l, err)
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
	again, err := FromLine("karnevil9", l.Line())
	if err != nil || !again.equal(l) || again.Digest() != l.Digest() {
		t.Error(again, err)
	}
}

// TestALineThatTheAgentWroteComesBackByteForByte takes the forms that it writes.
func TestALineThatTheAgentWroteComesBackByteForByte(t *testing.T) {
	s := lesson.Session{
		LessonID: "3F2A",
		Text:     "write \"a\"\n\u2028 test",
		Now:      noon,
		Status:   "completed",
		Plan:     &lesson.Plan{Tools: []string{"b", "a"}},
		Results:  []lesson.StepResult{{Status: "succeeded"}},
	}
	v, ok := lesson.Original.Extract(s)
	if !ok {
		t.Fatal("no lesson")
	}
	written := string(v.AppendJSON(nil))
	for _, line := range []string{
		written,
		strings.Replace(written, `"relevance_count":0}`, `"relevance_count":0,"z":1}`, 1),
	} {
		l, err := FromLine("karnevil9", line)
		if got := l.Line(); err != nil || got != line {
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
		`{"lesson_id":"x","a":"` + strings.Repeat("x", maxLesson) + `"}`: "larger than 1 MiB",
	} {
		if _, err := FromLine("s", line); fmt.Sprint(err) != want {
			t.Errorf("%.60s: %v, want %s", line, err, want)
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
		got := fileName(id)
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
		"share.toml":        "version = 1\n",
		"README.md":         "\xff",
		"lessons/good.json": good,
		"lessons/b.json":    `{"id":"b","id":"b","kind":"","system":"s","fields":{}}`,
		"lessons/c.json":    lessonFile("d"),
		"lessons/C.json":    lessonFile("c"),
		"lessons/e.json":    "{\"id\":\"e\xff\"}",
		"lessons/f.json": `{"id":"f","kind":"","system":"s","fields":{"a":` + strings.Repeat("[", 99) +
			strings.Repeat("]", 99) + `}}`,
		"lessons/g.json":     `{"id":"g","kind":"","system":"s","fields":{"a":{"b":1,"\u0062":2}}}`,
		"lessons/h.json":     `{"id":"h","kind":"","system":"s","fields":{},"hook":"rm"}`,
		"lessons/i.json":     `{"id":"i","kind":"","system":"s"}`,
		"lessons/j.json":     `{"id":7,"kind":"","system":"s","fields":{}}`,
		"lessons/k.json":     "",
		"lessons/l.json":     strings.Replace(lessonFile("l"), "1", strings.Repeat("1", maxLesson), 1),
		"lessons/x/y.json":   good,
		"lessons/../z.json":  good,
		"lessons/m.json.exe": good,
		"lessons/n.json":     strings.Repeat(" ", MaxFile+1),
		"tombstones/t.json":  string(Tombstone{ID: "t", System: "s", Who: "anna", When: noon, Digest: "d"}.Bytes()),
		"tombstones/u.json":  `{"id":"u","system":"s","who":"","when":"soon","digest":""}`,
		"tombstones/v.json":  string(Tombstone{ID: "w", When: noon}.Bytes()),
		".gitattributes":     "* filter=evil\n",
	}
	r := NewReader()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		r.Add(path, []byte(files[path]))
	}
	r.Refuse("lessons/link.json", "a symbolic link")
	s, err := r.State()
	if err != nil || len(s.Lessons) != 1 || len(s.Tombstones) != 1 {
		t.Errorf("%v %+v", err, s)
	}
	var got []string
	for _, r := range s.Refused {
		got = append(got, r.String())
	}
	want := `.gitattributes is refused: no file of a share.
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
lessons/n.json is refused: larger than 4 MiB.
lessons/x/y.json is refused: no file of a share.
tombstones/u.json is refused: when: want a date.
tombstones/v.json is refused: the id "w" belongs in tombstones/w.json.`
	if strings.Join(got, "\n") != want {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

func TestRefusalsAreBounded(t *testing.T) {
	r := NewReader()
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
		"version = 2\n":                   "",
		"version = 1\nexpiry_days = 30\n": "",
		"":                                "read share.toml: version: want 1 to 2",
		"version = 3\nnew = true\n":       "read share.toml: the share has format 3, and this Winnow knows up to 2: update Winnow",
		"version = 1\nhook = \"rm\"\n":    "read share.toml: unknown key hook",
		"version = 1\nexpiry_days = -1\n": "read share.toml: expiry_days: want 1 to 3650",
		"version = \"one\"\n":             "read share.toml: toml: cannot decode TOML string into struct field",
		"\xff":                            "read share.toml: toml: ",
	} {
		_, err := readSettings([]byte(text))
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	s, err := readSettings(Start()[SettingsFile])
	if err != nil || s.Expiry() != 180*24*time.Hour || (Settings{}).Expiry() != s.Expiry() {
		t.Error(s, err)
	}
}

func TestADamagedBaseIsNone(t *testing.T) {
	b := baseOf(map[string]entry{"x": {lesson: *of("a=1"), where: away, version: "d"}})
	if _, err := ReadBase(b.Bytes()[:50]); err == nil {
		t.Error("half of it is read")
	}
	e := b.entries["x"]
	text := e.text()
	for _, older := range []string{`{"entries": {"x": ` + text + `}, "format": 1}`, "winnow base 4 " + hashOf("") + "\n", "winnow base 6 " + hashOf("") + "\n", ""} {
		if b, err := ReadBase([]byte(older)); err == nil || b != nil ||
			err.Error() != "its file has an unknown format" {
			t.Errorf("of %q: %v, %v", older, b, err)
		}
	}
	for _, change := range []string{`"where":"away"|"where":"up"`, "}|", `"id":"x"|"id":7`, `"id":"x"|"id":"y"`} {
		old, new, _ := strings.Cut(change, "|")
		if _, err := readEntry("x", strings.Replace(text, old, new, 1)); err == nil {
			t.Errorf("%s is read", change)
		}
	}
}

// FuzzFiles reads any bytes as each file of a share. What is taken is written, and read again, as the same.
func FuzzFiles(f *testing.F) {
	f.Add([]byte(lessonFile("x")))
	f.Add(Tombstone{ID: "x", When: noon}.Bytes())
	f.Add([]byte(`{"fields":{"":"\ud800\u0000","b":[{"b":1.0,"a":-0}]},"id":"x","kind":"\/","system":""}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, err := ReadLesson("lessons/x.json", data); err == nil {
			again, err := ReadLesson("lessons/x.json", l.Bytes())
			if len(l.Bytes()) <= maxLesson &&
				(err != nil || !again.equal(l) || !bytes.Equal(again.Bytes(), l.Bytes())) {
				t.Errorf("%v\n%s\n%s", err, l.Bytes(), again.Bytes())
			}
		}
		if s, err := readTombstone("tombstones/x.json", data); err == nil {
			if again, err := readTombstone("tombstones/x.json", s.Bytes()); err != nil || again != s {
				t.Error(s, again, err)
			}
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add(aLine)
	f.Add(" {\"lesson_id\":\"a\",\"lesson_id\":\"b\"}\u2028")
	f.Fuzz(func(t *testing.T, line string) {
		l, err := FromLine("s", line)
		if err != nil {
			return
		}
		again, err := FromLine("s", l.Line())
		if err != nil || !again.equal(l) {
			t.Errorf("%v\n%s\n%s", err, l.Bytes(), again.Bytes())
		}
		if back, err := ReadLesson(Lessons+fileName(l.ID)+".json", l.Bytes()); err != nil || !back.equal(l) {
			t.Errorf("%v\n%s", err, l.Bytes())
		}
	})
}

func FuzzBase(f *testing.F) {
	f.Add(baseOf(map[string]entry{"x": {lesson: *of("a=1"), where: away, version: "d"}}).Bytes())
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
		if s, err := readSettings(data); err == nil && (s.Version < 1 || s.Version > formVersion || s.Expiry() <= 0) {
			t.Error(s)
		}
	})
}

// TestAnOlderShareIsRaised: its settings stay, and its counts are neither read nor changed.
func TestAnOlderShareIsRaised(t *testing.T) {
	r := NewReader()
	r.Add(SettingsFile, []byte("version = 1\nexpiry_days = 30\n"))
	if Known("counts/m.json") {
		t.Error("files of counts are read")
	}
	s, err := r.State()
	if err != nil {
		t.Fatal(err)
	}
	files := Merge(nil, &Here{System: "s", Now: noon}, s).Files(nil)
	if got := fmt.Sprintf("%s", files); got != "map[share.toml:version = 2\nexpiry_days = 30\n]" {
		t.Error(got)
	}
	s.Settings.Version = formVersion
	if files := Merge(nil, &Here{System: "s", Now: noon}, s).Files(nil); len(files) > 0 {
		t.Errorf("%s", files)
	}
}

// TestTheBaseHoldsNoSecret: neither of a lesson that is here alone, nor of one that differs on both sides.
func TestTheBaseHoldsNoSecret(t *testing.T) {
	secret := func(text string) bool { return strings.Contains(text, "987654321") }
	one := Merge(
		nil,
		&Here{System: "s", Now: noon, Held: map[string]Lesson{"x": *of("a=987654321")}, Secret: secret},
		&State{
			Tombstones: map[string]Tombstone{"x": {ID: "x", System: "s", When: noon, Digest: of("a=1").Digest()}},
		},
	)
	base := baseOf(map[string]entry{"x": {lesson: *of("a=987654321 b=1")}})
	two := Merge(
		base,
		&Here{System: "s", Now: noon, Held: map[string]Lesson{"x": *of("a=2 b=1")}, Secret: secret},
		&State{
			Lessons: map[string]Lesson{"x": *of("a=3 b=1")},
		},
	)
	for _, r := range []*Result{one, two} {
		if text := string(r.Base(nil).Bytes()); strings.Contains(text, "987654321") ||
			!strings.Contains(text, "where") {
			t.Errorf("%s", text)
		}
	}
}

// TestARedactionGoesOutThoughTheBaseHoldsNoSecret: the base has a digest of the version with the secret, so that
// removing it here is an edit of this side alone.
func TestARedactionGoesOutThoughTheBaseHoldsNoSecret(t *testing.T) {
	with, without := *of("a=987654321 b=1"), *of("a=0 b=1")
	here := &Here{
		System: "s", Now: noon, Held: map[string]Lesson{"x": with},
		Secret: func(text string) bool { return strings.Contains(text, "987654321") },
	}
	there := &State{Lessons: map[string]Lesson{"x": with}}
	base := read(Merge(nil, here, there))
	here.Held["x"] = without
	if got := told(Merge(base, here, there)); got != "put lessons a=0 b=1" {
		t.Error(got)
	}
}
