package jsonl

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	"winnow/core/detect"
	"winnow/core/lesson"
	"winnow/core/memory"
)

const fullForm = `{
  "task_summary": "x",
  "lesson": "y",
  "outcome": "failed",
  "tool_names": ["a","b"],
  "relevance_count": 3
}
`

const fullLine = `{"lesson_id":"a","task_summary":"x","outcome":"failed","lesson":"y","tool_names":["a", "b"],"relevance_count":3.0}`

func TestAFormShowsTheFieldsThatCanBeEdited(t *testing.T) {
	form := Form(fullLine)
	head, object, _ := strings.Cut(form, "{")
	if "{"+object != fullForm {
		t.Errorf("form %s", form)
	}
	for _, l := range strings.Split(strings.TrimSpace(head), "\n") {
		if !strings.HasPrefix(l, "#") {
			t.Errorf("line %q is no comment", l)
		}
	}
	if form := Form("{oops"); strings.Contains(form, "{") || !strings.HasPrefix(form, "#") {
		t.Errorf("of a damaged line: %s", form)
	}
}

func TestAFormOfWhatCannotBeSeenSpellsItOut(t *testing.T) {
	form := Form(
		`{"task_summary":"a\u202eb\u200b\u00a0\u001b[31m\ud83d \ud83d\ude00é\u2028\ue000","lesson":"# vim: set exrc:","tool_names":["\udb40\udc41"]}`,
	)
	for _, r := range form {
		if r != '\n' && (!unicode.IsPrint(r) || detect.IsHidden(r)) {
			t.Errorf("%U stands in the form", r)
		}
	}
	for _, want := range []string{`\u202e`, `\u200b`, `\u00a0`, `\u001b[31m`, `\ud83d 😀é\u2028\ue000`, `\udb40\udc41`, `vim\u003a set`} {
		if !strings.Contains(form, want) {
			t.Errorf("%s does not stand in\n%s", want, form)
		}
	}
}

func TestOnlyWhatWasChangedIsInTheEdit(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     memory.Edit
	}{
		{"", "", memory.Edit{}},
		{`"x"`, `"\u0078"`, memory.Edit{}},
		{`"lesson": "y"`, `"lesson" :"z"`, memory.Edit{Body: ptr("z")}},
		{`"failed"`, `"succeeded"`, memory.Edit{Outcome: ptr("succeeded")}},
		{`["a","b"]`, "[\n]", memory.Edit{Tools: &[]string{}}},
		{`: 3`, `: 1e1`, memory.Edit{Count: ptr(10)}},
		{`: 3`, `: 3.0`, memory.Edit{}},
		{`"x"`, `"\ud83d\n"`, memory.Edit{Title: ptr("\xed\xa0\xbd\n")}},
		{"{\n", "\n  # more\n\n{\r\n", memory.Edit{}},
	} {
		form := "\ufeff# head\n" + strings.Replace(fullForm, c.old, c.new, 1)
		got, err := ParseForm(fullLine, form)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s to %s: %+v, %v", c.old, c.new, got, err)
		}
	}
}

func TestAMistakeInAFormNamesItsLine(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"y",`, `"y"`, "line 5: "},
		{`"y"`, `"y`, "line 4: "},
		{`"y"`, `5`, "line 4: lesson is not a text"},
		{`"failed"`, `"maybe"`, `line 5: outcome cannot be "maybe"`},
		{`"failed"`, `null`, "line 5: outcome is not a text"},
		{`["a","b"]`, `"a"`, "line 6: tool_names is not a list of texts"},
		{`["a","b"]`, `["a",1]`, "line 6: tool_names is not a list of texts"},
		{`: 3`, `: -3`, "line 7: relevance_count is not a whole number"},
		{`: 3`, `: 0.5`, "line 7: relevance_count is not a whole number"},
		{`: 3`, `: 9007199254740994`, "line 7: relevance_count is not a whole number"},
		{`: 3`, `: "3"`, "line 7: relevance_count is not a whole number"},
		{`"lesson"`, `"less\u001bon"`, `line 4: "less\u001bon" is not a field`},
		{`"lesson"`, `"outcome"`, "line 5: outcome appears twice"},
		{`  "outcome": "failed",` + "\n", "", "line 7: outcome is missing"},
		{fullForm, "", "line 2: there is nothing here"},
		{fullForm, "[]", "line 2: this is a JSON array"},
		{"}\n", "} x\n", "line 8: "},
	} {
		_, err := ParseForm(fullLine, "# head\n"+strings.Replace(fullForm, c.old, c.new, 1))
		if problemCode(err) != codeBadForm || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s to %s: %v, want %s", c.old, c.new, err, c.want)
		}
	}
	if _, err := ParseForm("{oops", fullForm); problemCode(err) != codeNotEditable {
		t.Errorf("of a damaged line: %v", err)
	}
}

func TestTheFormOfANewLessonIsFilledIn(t *testing.T) {
	form := Form("")
	if e, err := ParseForm("", form); err != nil || !reflect.DeepEqual(e, memory.Edit{}) {
		t.Errorf("unchanged: %+v, %v", e, err)
	}
	e, err := ParseForm("", strings.Replace(form, `"lesson": ""`, `"lesson": "new"`, 1))
	if err != nil {
		t.Fatal(err)
	}
	if line, err := Compose("", e, Stamp{ID: "n", Now: noon}); err != nil || lesson.Record(line, 1).Body != "new" {
		t.Errorf("%s, %v", line, err)
	}
}

func FuzzFormReadBackChangesNothing(f *testing.F) {
	for _, s := range append(oddFiles, fullLine, lineB, `{"task_summary":"vim: \u202e\udfff","outcome":5,"tool_names":{"a":1},"relevance_count":1e300}`) {
		f.Add(s, fullForm)
	}
	f.Fuzz(func(t *testing.T, stored, form string) {
		if strings.Contains(stored, "\n") {
			return
		}
		e, err := ParseForm(stored, Form(stored))
		if _, ok := openObject(stored); ok || stored == "" {
			if err != nil || !reflect.DeepEqual(e, memory.Edit{}) {
				t.Errorf("%q: %+v, %v", stored, e, err)
			}
		} else if problemCode(err) == "" {
			t.Errorf("%q: %+v, %v", stored, e, err)
		}
		if e, err = ParseForm(stored, form); err != nil {
			if problemCode(err) == "" {
				t.Errorf("%q: %v", form, err)
			}
			return
		}
		line, err := Compose(stored, e, Stamp{ID: "n", Now: noon})
		if err != nil {
			return
		}
		if again, err := ParseForm(line, form); err != nil || !reflect.DeepEqual(again, memory.Edit{}) {
			t.Errorf("%q set in %q gives %q, and read again %+v, %v", form, stored, line, again, err)
		}
	})
}
