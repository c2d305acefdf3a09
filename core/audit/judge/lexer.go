package judge

import (
	"strings"

	"winnow/core/jstext"
)

// token is a string in a line of JSON.
type token struct {
	start, end int    // of its source between the quotes
	key        bool   // it names a member
	path       string // the keys above it, separated by dots; only those that are plain words
}

// maxDepth is how deep a line may nest to count as sound here: each level is scanned again.
const maxDepth = 64

// tokens calls fn with the strings of a line in order. It reports whether the line is one JSON
// text that does not nest too deep.
func tokens(line string, fn func(token)) bool {
	text := strings.TrimLeft(line, " \t\r\n")
	return tokensIn(strings.TrimRight(text, " \t\r\n"), len(line)-len(text), "", 1, fn)
}

// sound reports whether a line is one JSON text that does not nest too deep.
func sound(line string) bool {
	if strings.Count(line, "[")+strings.Count(line, "{") >= maxDepth {
		return tokens(line, func(token) {})
	}
	_, err := jstext.Scan(line, func(jstext.Part) bool { return true })
	return err == nil
}

// tokensIn is tokens for a value without space around it, at an offset of the line and below
// some keys.
func tokensIn(value string, at int, path string, depth int, fn func(token)) bool {
	sound := true
	kind, err := jstext.Scan(value, func(p jstext.Part) bool {
		below := path
		if n := len(p.Key); n > 0 {
			fn(token{start: at + p.KeyAt + 1, end: at + p.KeyAt + n - 1, key: true, path: path})
			if name := p.Key[1 : n-1]; word(name) {
				below = strings.TrimPrefix(path+"."+name, ".")
			}
		}
		sound = depth < maxDepth && tokensIn(p.Value, at+p.At, below, depth+1, fn)
		return sound
	})
	if kind == jstext.String && err == nil {
		fn(token{start: at + 1, end: at + len(value) - 1, path: path})
	}
	return sound && err == nil
}

// word reports whether a key is one that a person would write: a short name.
func word(s string) bool {
	const signs = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$"
	return s != "" && len(s) <= 40 && strings.Trim(s, signs) == ""
}
