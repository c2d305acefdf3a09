package share

import (
	"reflect"
	"strings"
	"testing"

	"winnow/core/memory"
)

func TestMachinesWithTheSameTextShareOneFile(t *testing.T) {
	unix, windows := "Tabs,\nof four.", "Tabs,\r\nof four."
	a, err := FromTexts("s", memory.Edit{Body: &unix})
	if err != nil {
		t.Fatal(err)
	}
	b, err := FromTexts("s", memory.Edit{Body: &windows})
	if err != nil || !a.equal(b) || a.ID != TextID(unix) {
		t.Error(a, b, err)
	}
	name, other := "tabs", "Something else."
	c, err := FromTexts("s", memory.Edit{Name: &name, Title: &name, Body: &other})
	if err != nil || c.ID != "tabs" || c.Title() != "tabs" || a.Title() != "Tabs," {
		t.Error(c, err)
	}
}

func TestNamesThatDoNotHoldEverywhereAreNotShared(t *testing.T) {
	text := "x"
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "a.b", "-a", "a b", "ä", "a\x00", "com1", "NUL", "Aux", strings.Repeat("a", 81)} {
		if _, err := FromTexts("s", memory.Edit{Name: &name, Body: &text}); err == nil {
			t.Errorf("%q is shared", name)
		}
	}
	for _, name := range []string{"a", "Build_2-x", strings.Repeat("a", 80)} {
		if _, err := FromTexts("s", memory.Edit{Name: &name, Body: &text}); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// FuzzTexts holds what a share has of a text to what made it, and to what it is audited as.
func FuzzTexts(f *testing.F) {
	f.Add("tabs", "The title", "project", "Text\r\nof two lines", byte(7))
	f.Add("", "", "", "\xed\xa0\xbd \u2028 \x00", byte(4))
	f.Fuzz(func(t *testing.T, name, title, kind, body string, has byte) {
		var e memory.Edit
		for i, field := range []struct{ to, text any }{{&e.Name, &name}, {&e.Title, &title}, {&e.Body, &body}} {
			if has&(1<<i) != 0 {
				reflect.ValueOf(field.to).Elem().Set(reflect.ValueOf(field.text))
			}
		}
		if kind != "" {
			e.Kind = &kind
		}
		l, err := FromTexts("s", e)
		if err != nil {
			return
		}
		back, err := ReadLesson(Lessons+Name(l.ID)+".json", l.Bytes())
		if err != nil || !back.equal(l) {
			t.Fatalf("%v\n%s", err, l.Bytes())
		}
		again, err := back.Texts()
		if err != nil || !strings.Contains(l.AsLesson().Line(Count{}), `"lesson":`) {
			t.Fatal(err)
		}
		if same, err := FromTexts("s", again); err != nil || !same.equal(l) {
			t.Errorf("%v\n%s\n%s", err, l.Bytes(), same.Bytes())
		}
	})
}

// FuzzHostileTexts takes files that anybody wrote: what is taken of them is what they say.
func FuzzHostileTexts(f *testing.F) {
	f.Add([]byte(`{"fields":{"name":"x","text":"a","title":"b"},"id":"x","kind":"user","system":"s"}`))
	f.Add([]byte(`{"fields":{"name":"../x","text":"\ud800"},"id":"../x","kind":"","system":"s"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := readLesson(string(data))
		if err != nil {
			return
		}
		e, err := l.Texts()
		if l.AsLesson().ID != l.ID {
			t.Error("another id")
		}
		if err != nil {
			return
		}
		if e.Name != nil && (*e.Name != l.ID || strings.ContainsAny(l.ID, `/\.`) || len(l.ID) > 80) {
			t.Errorf("%q is a name", l.ID)
		}
	})
}
