package jstext_test

import (
	"testing"

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

func TestLowerAgreesWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "lower", func(t *testing.T, v vectortest.Vector) {
		if got, want := jstext.Lower(v.Input.Member("text").Text()), v.Want.Member("text").Text(); got != want {
			t.Errorf("got %+q, want %+q", got, want)
		}
	})
}

func TestWrittenJSONAgreesWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "save", func(t *testing.T, v vectortest.Vector) {
		lines := v.Input.Member("lessons_json").Texts()
		if len(lines) > 100 {
			return // some of them are evicted
		}
		var got []byte
		for _, line := range lines {
			value, err := jstext.Parse(line)
			if err != nil {
				t.Fatal(err)
			}
			got = append(value.AppendJSON(got), '\n')
		}
		if want := v.Want.Member("bytes").Text(); string(got) != want {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
