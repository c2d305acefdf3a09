package session

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
)

// DecodeLine decodes a line, which should contain an object, and counts lines that do not. A nil
// line is one that is too long.
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

// Decode decodes JSON as far as its values have the expected types.
func Decode(b []byte, into any) bool {
	err := json.Unmarshal(b, into)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// Texts returns the texts of a content value: a string, a part with a text, or a list of those. It
// also accepts an object with such a content.
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

// Text is [Texts] joined with line feeds.
func Text(b []byte) string { return strings.Join(Texts(b), "\n") }

// Time parses a time; it returns the zero time for any other text.
func Time(text string) time.Time {
	at, _ := time.Parse(time.RFC3339Nano, text)
	return at.UTC()
}
