package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// DecodeLine reads a line, which is to hold an object, and counts one that holds none. A nil line is
// one that is too long.
func (s *Session) DecodeLine(line []byte, into any) bool {
	text := bytes.TrimSpace(line)
	switch {
	case line == nil:
		s.AddUnknown("line that is too long")
	case len(text) == 0:
	case text[0] != '{' || !Decode(text, into):
		s.AddUnknown("line that is no JSON")
	default:
		return true
	}
	return false
}

// Decode reads a value of JSON: as much of it as has the types that are expected.
func Decode(b []byte, into any) bool {
	err := json.Unmarshal(b, into)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// Texts returns the texts of a content: a string, a part with a text, or a list of those, of which each
// has one; also of an object that holds such a content.
func Texts(b []byte) []string {
	var whole struct{ Content json.RawMessage }
	if Decode(b, &whole); whole.Content != nil {
		b = whole.Content
	}
	var list []json.RawMessage
	if json.Unmarshal(b, &list) != nil {
		list = []json.RawMessage{b}
	}
	texts := make([]string, len(list))
	for i, value := range list {
		var part struct{ Text string }
		if json.Unmarshal(value, &texts[i]) != nil && Decode(value, &part) {
			texts[i] = part.Text
		}
	}
	return texts
}

// Text is [Texts] as one.
func Text(b []byte) string { return strings.Join(Texts(b), "\n") }

// Time returns the time that a text says, zero for another text.
func Time(text string) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, text)
	return at.UTC()
}
