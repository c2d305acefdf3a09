package detect

import (
	"testing"

	"winnow/core/jstext"
	"winnow/core/vectortest"
)

func TestOriginalAgreesWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "redact", func(t *testing.T, v vectortest.Vector) {
		if got, want := RedactOriginal(v.Input.Member("text").Text()), v.Want.Member("text").Text(); got != want {
			t.Errorf("got %+q, want %+q", got, want)
		}
	})
}

func TestPayloadAgreesWithVectors(t *testing.T) {
	vectortest.Each(t, "karnevil9", "journal_redact", func(t *testing.T, v vectortest.Vector) {
		payload, err := jstext.Parse(v.Input.Member("payload_json").Text())
		if err != nil {
			t.Fatal(err)
		}
		got, want := redactPayload(payload).AppendJSON(nil), v.Want.Member("payload_json").Text()
		if string(got) != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}
