package views

import (
	"strings"

	"winnow/views/theme"
)

// jsonColours colours a safe line of JSON: names, texts, and numbers and words. In any other line
// it only highlights the matches.
func jsonColours(t theme.Theme, line string, match Spans) string {
	if trimmed := strings.TrimLeft(line, " "); trimmed == "" || trimmed[0] != '{' && trimmed[0] != '[' {
		return highlight(t, line, t.Text, spansOf(match, line, false))
	}
	var b strings.Builder
	for line != "" {
		n := jsonToken(line)
		style := t.Dim
		switch rest := strings.TrimLeft(line[n:], " "); {
		case line[0] == '"' && strings.HasPrefix(rest, ":"):
			style = t.Info
		case line[0] == '"':
			style = t.OK
		case strings.IndexByte("{}[],: ", line[0]) < 0:
			style = t.Warn
		}
		b.WriteString(highlight(t, line[:n], style, spansOf(match, line[:n], false)))
		line = line[n:]
	}
	return b.String()
}

// jsonToken returns the length of the token at the start of a line: a text, a sign including blanks
// before it, or a number or word.
func jsonToken(line string) int {
	const signs = "{}[],: "
	switch {
	case line[0] == '"':
		for i := 1; i < len(line); i++ {
			switch line[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(line)
	case strings.IndexByte(signs, line[0]) >= 0:
		return len(line) - len(strings.TrimLeft(line, signs))
	}
	if i := strings.IndexAny(line, signs+`"`); i > 0 {
		return i
	}
	return len(line)
}
