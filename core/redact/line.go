package redact

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// InLine returns the places in a line of JSON that look like a secret, in order and
// apart from each other: what Find finds in the line as it stands, in the line with
// its escapes resolved, and in each of its strings. A line in which it finds nothing
// has no string in which Find does. The line need not be whole or sound.
func InLine(line string) []Span {
	spans, begun := look(line)
	if strings.IndexByte(line, '\\') >= 0 {
		more, b := look(unescaped(line))
		spans = append(spans, moved(more, line, 0)...)
		begun = begun || b
	}
	if len(spans) == 0 && !begun {
		return nil // no string in it has more to find
	}
	for start := 0; ; {
		i := strings.IndexByte(line[start:], '"')
		if i < 0 {
			return merged(spans)
		}
		start += i + 1
		end := stringEnd(line, start)
		text := line[start:end]
		spans = append(spans, moved(Find(unescaped(text)), text, start)...)
		start = min(end+1, len(line))
	}
}

// stringEnd returns the index of the quote that ends the JSON string whose text
// begins at s[i], or len(s).
func stringEnd(s string, i int) int {
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}

// unescaped returns s with its JSON escapes resolved. What is no escape is kept.
func unescaped(s string) string {
	i := strings.IndexByte(s, '\\')
	if i < 0 {
		return s
	}
	out := append(make([]byte, 0, len(s)), s[:i]...)
	for i < len(s) {
		r, n := resolved(s[i:])
		if n == 0 {
			out, n = append(out, s[i]), 1
		} else {
			out = utf8.AppendRune(out, r)
		}
		i += n
	}
	return string(out)
}

// moved turns spans of the unescaped s into those of s itself, plus offset.
func moved(spans []Span, s string, offset int) []Span {
	i, at := 0, 0 // the same place in s and in the unescaped text
	to := func(place int) int {
		for at < place {
			r, n := resolved(s[i:])
			if n == 0 {
				i, at = i+1, at+1
			} else {
				i, at = i+n, at+utf8.RuneLen(r)
			}
		}
		return offset + i
	}
	spans = merged(spans)
	for k, p := range spans {
		spans[k].Start = to(p.Start)
		spans[k].End = to(p.End)
	}
	return spans
}

// resolved returns the character that the escape stands for with which s begins,
// and the length of the escape, which is 0 when it is none. A surrogate without its
// other half is U+FFFD.
func resolved(s string) (r rune, n int) {
	if len(s) < 2 || s[0] != '\\' {
		return 0, 0
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return rune("\"\\/\b\f\n\r\t"[i]), 2
	}
	r, ok := unit(s)
	if !ok {
		return 0, 0
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := unit(s[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

// unit returns the UTF-16 unit of the \u escape that s begins with.
func unit(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	return rune(n), err == nil
}
