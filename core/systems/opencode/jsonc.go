package opencode

import (
	"errors"
	"strings"

	"winnow/core/jstext"
)

// parseSettings returns the value of a settings file: JSON with comments and commas
// before a closing bracket.
func parseSettings(text string) (jstext.Value, error) {
	plain, err := withoutComments(strings.TrimPrefix(text, "\ufeff"))
	if err != nil {
		return jstext.Value{}, err
	}
	return jstext.Parse(plain)
}

var errOpenComment = errors.New("a comment is not closed")

// withoutComments returns the text as JSON of the same length: comments and commas that
// nothing follows are spaces.
func withoutComments(text string) (string, error) {
	out := []byte(text)
	comma := -1         // the last one behind a value, while only space follows it
	before := byte('[') // the last character that is no space
	for i := 0; i < len(out); {
		end, space := i+1, false
		switch c := out[i]; {
		case c == '"':
			end = stringEnd(out, i)
		case c == '/' && i+1 < len(out) && (out[i+1] == '/' || out[i+1] == '*'):
			if end = commentEnd(out, i); end < 0 {
				return "", errOpenComment
			}
			blank(out[i:end])
			space = true
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			space = true
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
		}
		if !space {
			comma = -1
			if out[i] == ',' && before != '[' && before != '{' && before != ',' && before != ':' {
				comma = i
			}
			before = out[i]
		}
		i = end
	}
	return string(out), nil
}

// stringEnd returns the offset behind the string that begins at i.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"', '\n':
			return i + 1
		}
	}
	return len(text)
}

// commentEnd returns the offset behind the comment that begins at i, or -1.
func commentEnd(text []byte, i int) int {
	if text[i+1] == '/' {
		for i < len(text) && text[i] != '\n' {
			i++
		}
		return i
	}
	at := strings.Index(string(text[i+2:]), "*/")
	if at < 0 {
		return -1
	}
	return i + 2 + at + 2
}

// blank replaces all but line ends, so that an offset stays on its line.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
