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
	inLine      = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\r\n]+`) })
	commaOrText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)"(?:\\.|[^"\\\n])*["\n]?|[\[{,:][ \t\r\n]*,|,[ \t\r\n]*[}\]]`)
	})
)

// withoutComments returns the text as JSON of the same length: comments and commas that
// nothing follows are spaces.
func withoutComments(text string) (string, error) {
	var err error
	text = commentOrText().ReplaceAllStringFunc(text, func(part string) string {
		switch {
		case part[0] == '"':
			return part
		case part == "/*":
			err = errOpenComment
		}
		return inLine().ReplaceAllStringFunc(part, func(s string) string { return strings.Repeat(" ", len(s)) })
	})
	return commaOrText().ReplaceAllStringFunc(text, func(part string) string {
		if part[0] == ',' && strings.ContainsAny(part[len(part)-1:], "}]") {
			return " " + part[1:]
		}
		return part
	}), err
}
