package opencode

import (
	"errors"
	"regexp"
	"strings"
	"sync"

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

var (
	errOpenComment = errors.New("a comment is not closed")

	commentOrText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*["\n]?|//[^\n]*|/\*.*?\*/|/\*`)
	})
	commaOrText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*["\n]?|[\[{,:][ \t\r\n]*,|,[ \t\r\n]*[}\]]`)
	})
)

// withoutComments returns the text as JSON of the same length: comments and commas that
// nothing follows are spaces.
func withoutComments(text string) (string, error) {
	out := []byte(text)
	for _, at := range commentOrText().FindAllIndex(out, -1) {
		switch {
		case out[at[0]] == '"':
		case at[1]-at[0] == 2 && out[at[0]+1] == '*':
			return "", errOpenComment
		default:
			blank(out[at[0]:at[1]])
		}
	}
	for _, at := range commaOrText().FindAllIndex(out, -1) {
		if last := out[at[1]-1]; out[at[0]] == ',' && (last == '}' || last == ']') {
			out[at[0]] = ' '
		}
	}
	return string(out), nil
}

// blank replaces all but line ends, so that an offset stays on its line.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}
