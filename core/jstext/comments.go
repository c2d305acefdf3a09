package jstext

import (
	"errors"
	"regexp"
	"strings"
	"sync"
)

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

// WithoutComments returns the text as JSON of the same length: comments and trailing commas become
// spaces.
func WithoutComments(text string) (_ string, err error) {
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
