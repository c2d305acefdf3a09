package vectortest

import (
	"slices"
	"testing"

	"winnow/core/jstext"
)

func valueOf(t *testing.T, text string) Value {
	t.Helper()
	v, err := jstext.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return Value{v}
}

func TestTextsAreReadInBothSpellings(t *testing.T) {
	v := valueOf(t, `["a",{"$utf16":[55357,56832]},{"$utf16":[55357]},5]`)
	want := []string{"a", "\U0001F600", "\xed\xa0\xbd", ""}
	if got := v.Texts(); !slices.Equal(got, want) {
		t.Errorf("got %+q, want %+q", got, want)
	}
	if got := v.Resolved().AppendJSON(nil); string(got) != `["a","😀","\ud83d",5]` {
		t.Errorf("resolved %s", got)
	}
}

func TestFilesAreReadInBothSpellings(t *testing.T) {
	v := valueOf(t, `{"text":"a\n","raw":{"$b64":"/wA="},"none":null}`)
	for key, want := range map[string]string{"text": "a\n", "raw": "\xff\x00", "none": "", "missing": ""} {
		if got := v.Member(key).File(t); string(got) != want {
			t.Errorf("%s: %q", key, got)
		}
	}
	if !v.Has("none") || v.Has("missing") || !v.Member("none").IsNull() || !v.Member("missing").IsNull() {
		t.Error("null and missing are confused")
	}
}

func TestVectorsAreFoundFromAPackage(t *testing.T) {
	n := 0
	Each(t, "lower", func(t *testing.T, v Vector) {
		if n++; v.Name == "" || v.Input.IsNull() || v.Want.IsNull() {
			t.Errorf("vector %+v", v)
		}
	})
	if n == 0 {
		t.Error("none was run")
	}
}
