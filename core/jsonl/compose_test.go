package jsonl

import (
	"errors"
	"strings"
	"testing"
	"time"

	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

func ptr[T any](v T) *T { return &v }

func problemCode(err error) string {
	var p *memory.Problem
	if !errors.As(err, &p) {
		return ""
	}
	if p.What == "" || p.Hint == "" {
		return "a problem without words"
	}
	return p.Code
}

func TestComposeReplacesOnlyTheBytesOfValues(t *testing.T) {
	title := ptr("né\n\"w\" \xed\xa0\xbd")
	body := ptr("b")
	failed := ptr("failed")
	tools := ptr([]string{"x", "<y>"})
	five := ptr(5)
	const quotedTitle = `"né\n\"w\" \ud83d"`
	for _, c := range []struct {
		name, stored string
		e            memory.Edit
		want         string
	}{
		{"nothing", lineB, memory.Edit{}, lineB},
		{"the same value spelled otherwise", lineB, memory.Edit{Title: ptr("x"), Count: ptr(1)}, lineB},
		{"title", lineB, memory.Edit{Title: title}, strings.Replace(lineB, `"\u0078"`, quotedTitle, 1)},
		{"missing members", `{"a":1 }`, memory.Edit{Title: title, Body: body}, `{"a":1,"task_summary":` + quotedTitle + `,"lesson":"b" }`},
		{"an empty object", ` { } `, memory.Edit{Body: body}, ` {"lesson":"b" } `},
		{"the last of two", `{"lesson":"1","lesson":"2","x":0}`, memory.Edit{Body: body}, `{"lesson":"1","lesson":"b","x":0}`},
		{"an escaped key", `{"le\u0073son" :"1"}`, memory.Edit{Body: body}, `{"le\u0073son" :"b"}`},
		{"all kinds of values", "{\"1\":[{\"}\":\"\\\"\"}],\"__proto__\":{\"lesson\":1},\t\"lesson\":\t{\"a\":[]}\t,\"n\":-1.50E+3}", memory.Edit{Body: body},
			"{\"1\":[{\"}\":\"\\\"\"}],\"__proto__\":{\"lesson\":1},\t\"lesson\":\t\"b\"\t,\"n\":-1.50E+3}"},
		{"all fields", lineA, memory.Edit{Title: body, Body: body, Outcome: failed, Tools: tools, Count: five},
			`{"lesson_id":"a","task_summary":"b","lesson":"b","relevance_count":5,"outcome":"failed","tool_names":["x","<y>"]}`},
		{"a byte order mark", "\ufeff" + lineA + "\u00a0", memory.Edit{Body: body}, "\ufeff" + strings.Replace(lineA, `"y"`, `"b"`, 1) + "\u00a0"},
		{"an odd outcome that stood", `{"lesson":"x","outcome":"odd"}`, memory.Edit{Outcome: ptr("odd")}, `{"lesson":"x","outcome":"odd"}`},
		{"a raw line", lineA, memory.Edit{Raw: ptr("{oops\r\n")}, "{oops"},
		{
			"broken bytes",
			"{\"a\":\"\xff\",\"lesson\":\"\xff\"}",
			memory.Edit{Body: ptr("a\xfe")},
			"{\"a\":\"\xff\",\"lesson\":\"a\ufffd\"}",
		},
	} {
		got, err := Compose(c.stored, c.e, Stamp{})
		if err != nil || got != c.want {
			t.Errorf("%s:\n got %s, %v\nwant %s", c.name, got, err, c.want)
		}
	}
}

func TestComposeRefusesWhatCannotBe(t *testing.T) {
	for _, c := range []struct {
		stored string
		e      memory.Edit
		code   string
	}{
		{"{oops", memory.Edit{Title: ptr("x")}, codeNotEditable},
		{"null", memory.Edit{Title: ptr("x")}, codeNotEditable},
		{lineA, memory.Edit{Outcome: ptr("maybe")}, codeBadOutcome},
		{lineA, memory.Edit{When: ptr("sometimes")}, codeBadWhen},
		{lineA, memory.Edit{Count: ptr(-1)}, codeBadCount},
		{lineA, memory.Edit{Count: ptr(1<<53 + 1)}, codeBadCount},
		{lineA, memory.Edit{Title: ptr(" \u00a0"), Body: ptr("")}, codeEmptyText},
		{"", memory.Edit{}, codeEmptyText},
		{`{"lesson":"x"}`, memory.Edit{Body: ptr("")}, codeEmptyText},
		{lineA, memory.Edit{Body: ptr(strings.Repeat("x", maxLine))}, codeTooBig},
		{lineA, memory.Edit{Raw: ptr("{}\n{}")}, codeLineBreak},
		{lineA, memory.Edit{Raw: ptr("{}\r{}")}, codeLineBreak},
		{lineA, memory.Edit{Raw: ptr(strings.Repeat("x", maxLine+1))}, codeTooBig},
	} {
		if got, err := Compose(c.stored, c.e, Stamp{}); problemCode(err) != c.code {
			t.Errorf("%s, %+v: %q, %v", c.stored, c.e, got, err)
		}
	}
}

func TestANewLessonIsWrittenAsTheOriginalWritesOne(t *testing.T) {
	s := Stamp{ID: "11111111-1111-4111-8111-111111111111", Session: "by hand", Now: noon}
	got, err := Compose("", memory.Edit{Title: ptr("t"), Body: ptr("b")}, s)
	want := `{"lesson_id":"11111111-1111-4111-8111-111111111111","task_summary":"t","outcome":"succeeded","lesson":"b",` +
		`"tool_names":[],"created_at":"2026-03-15T12:00:00.000Z","session_id":"by hand","relevance_count":0}`
	if err != nil || got != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	if saved, _ := lesson.Resave(got); saved != got {
		t.Errorf("an agent makes %s of it", saved)
	}
}

// TestWhatIsComposedIsWhatAnAgentHolds: to an agent, an edit assigns values to members, however the
// line is spelled.
func TestWhatIsComposedIsWhatAnAgentHolds(t *testing.T) {
	for _, stored := range []string{lineA, lineB, lineC, `{"2":1,"lesson":"a","1":2,"lesson":"b","\u0031":3}`,
		`{"__proto__":{"x":1},"relevance_count":1e300}`, ` { "tool_names" : "x" , "lesson":[1.0,{}] } `} {
		e := memory.Edit{Title: ptr("t\u2028"), Body: ptr("\ud7ff"), Tools: ptr([]string{"a"}), Count: ptr(3)}
		got, err := Compose(stored, e, Stamp{})
		if err != nil {
			t.Fatal(err)
		}
		v := parse1(t, stored).With(lesson.KeyTitle, jstext.StringValue(*e.Title)).With(lesson.KeyBody,
			jstext.StringValue(*e.Body)).
			With(lesson.KeyTools, jstext.ArrayValue(jstext.StringValue("a"))).With(lesson.KeyCount,
			jstext.NumberValue(3))
		saved, ok := lesson.Resave(got)
		if want := string(v.AppendJSON(nil)); !ok || saved != want {
			t.Errorf("%s became %s; an agent makes\n%s of it, want\n%s", stored, got, saved, want)
		}
	}
}

func TestUniteTakesTheBestOfAll(t *testing.T) {
	a := `{"lesson_id":"a", "task_summary":"t","lesson":"l","tool_names":["x","y"],"created_at":"2026-03-01T00:00:00.000Z","relevance_count":2.0,"mine":1}`
	b := `{"lesson_id":"b","task_summary":"u","lesson":"m","tool_names":["y","z"],"created_at":"2026-03-02T00:00:00.000Z","relevance_count":7,"last_retrieved_at":"2026-03-05T00:00:00.000Z"}`
	c := `{"lesson_id":"c","task_summary":"v","lesson":"n","tool_names":"odd","created_at":"soon","relevance_count":"9","last_retrieved_at":"2026-03-04T00:00:00.000Z"}`
	got, err := Unite([]string{a, b, c}, memory.Edit{Body: ptr("m")})
	want := `{"lesson_id":"a", "task_summary":"t","lesson":"m","tool_names":["x","y","z"],"created_at":"2026-03-02T00:00:00.000Z","relevance_count":7,"mine":1,"last_retrieved_at":"2026-03-05T00:00:00.000Z"}`
	if err != nil || got != want {
		t.Errorf("got  %s, %v\nwant %s", got, err, want)
	}
	if got, err := Unite([]string{a}, memory.Edit{}); err != nil || got != a {
		t.Errorf("one alone becomes %s, %v", got, err)
	}
	for _, odd := range [][]string{{a, "{oops"}, {"null", a}} {
		if got, err := Unite(odd, memory.Edit{}); problemCode(err) != codeNotEditable {
			t.Errorf("%q: %q, %v", odd, got, err)
		}
	}
}

func TestMendChangesWhatStopsTheAgentAndNoMore(t *testing.T) {
	good := `,"created_at":"2026-03-01T00:00:00.000Z","relevance_count":1}`
	for stored, want := range map[string]string{
		`{"task_summary":5,"lesson":null,"outcome":true` + good:            `{"task_summary":"5","lesson":"","outcome":"succeeded"` + good,
		`{"task_summary":{"a":1.0},"lesson":"l","outcome":"x"` + good:      `{"task_summary":"{\"a\":1}","lesson":"l","outcome":"x"` + good,
		`{"task_summary":"t"` + good:                                       `{"task_summary":"t"` + strings.TrimSuffix(good, "}") + `,"outcome":"failed","lesson":""}`,
		"\u00a0" + `{"task_summary":"t","lesson":"l","outcome":"x"` + good: `{"task_summary":"t","lesson":"l","outcome":"x"` + good,
		`{"task_summary":"t","lesson":"l","outcome":"x"` + good:            "",
		` {"task_summary":"t","lesson":"l","outcome":"x"` + good:           "",
		"null":  "",
		"{oops": "",
		"[]":    "",
		``:      "",
	} {
		got, ok := Mend(stored)
		if ok != (want != "") || ok && got != want {
			t.Errorf("%s\n got %s, %v\nwant %s", stored, got, ok, want)
		}
	}
	for count, want := range map[string]string{`"5"`: "5", "null": "0", `"abc"`: "0", "-1": "0", "0.5": "1", `[3]`: "3",
		"1e300": "9007199254740992", "{}": "0", `{"toString":1}`: "0", "true": "1", `"Infinity"`: "0"} {
		stored := `{"task_summary":"t","lesson":"l","outcome":"x","created_at":"c","relevance_count":` + count + `}`
		got, ok := Mend(stored)
		if !ok || got != strings.Replace(stored, ":"+count+"}", ":"+want+"}", 1) {
			t.Errorf("%s: %s, %v", count, got, ok)
		}
	}
}

// TestAnAgentCanUseWhatWasMended: nothing that the agent does with a mended line stops it.
func TestAnAgentCanUseWhatWasMended(t *testing.T) {
	for _, stored := range []string{`{}`, `{"task_summary":[],"created_at":{"toString":1},"last_retrieved_at":[{"toString":0}]}`,
		`{"created_at":5,"relevance_count":{"toString":1}}`, "\ufeff{\"lesson\":1}\u2028", `{"lesson":1,"lesson":2}`} {
		got, ok := Mend(stored)
		if !ok {
			t.Fatalf("%s is not mended", stored)
		}
		r := lesson.Record(got, 1)
		l := lesson.Load(got+"\n"+got+"\n"+storeOf(make([]int, 120)...), noon, time.UTC)
		if r.Problem != nil || l.Problem() != nil || l.Add(parse1(t, got)) != nil {
			t.Errorf("%s became %s: %v, %v", stored, got, r.Problem, l.Problem())
		}
		if again, more := Mend(got); more {
			t.Errorf("%s is mended once more to %s", got, again)
		}
	}
}

func TestRecalledIsWhatAnAgentSaves(t *testing.T) {
	for _, count := range []string{"1", "1.0", `"5"`, "null", "true", "[3]", `""`, `"abc"`, "{}", "0.5", "1e21"} {
		stored := ` { "lesson_id" : "a","task_summary":"abcd","lesson":"x","created_at":"9","relevance_count" : ` + count + ` }`
		l := lesson.Load(stored, noon, time.UTC)
		hits, p := l.Search("abcd", nil)
		if p != nil || len(hits) != 1 {
			t.Fatal(hits, p)
		}
		l.Commit(hits, noon)
		got, err := Recalled(stored, noon)
		saved, _ := lesson.Resave(got)
		if err != nil || saved+"\n" != string(l.Save()) {
			t.Errorf("count %s: %s, %v\nan agent saves %s", count, got, err, l.Save())
		}
	}
	if got, err := Recalled(`{"a":1}`, noon); err != nil || got != `{"a":1,"relevance_count":null,"last_retrieved_at":"2026-03-15T12:00:00.000Z"}` {
		t.Errorf("without a count: %s, %v", got, err)
	}
	for _, stored := range []string{"null", "{oops", `{"relevance_count":{"toString":1}}`} {
		if got, err := Recalled(stored, noon); problemCode(err) == "" {
			t.Errorf("%s: %s, %v", stored, got, err)
		}
	}
}
