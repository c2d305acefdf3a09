package kimchi

import (
	"strconv"
	"strings"
)

// front is a file of an agent taken apart: the lines between two that are ---, and what
// comes after.
type front struct {
	is     bool
	fields []field
	body   int // where the text behind begins
}

// field is one line "key: value" of the head of a file.
type field struct {
	key, value string
	start, end int // of the value as it stands in the file
}

// open3 is a line that begins or ends the head of a file.
const open3 = "---"

// fronted takes a file apart. A head that has no end is none.
func fronted(text string) front {
	var f front
	at := 0
	for n := 0; at < len(text); n++ {
		line, _, _ := strings.Cut(text[at:], "\n")
		next := min(at+len(line)+1, len(text))
		bare := strings.TrimRight(line, " \t\r")
		switch {
		case n == 0 && bare != open3:
			return front{}
		case n > 0 && bare == open3:
			f.is, f.body = true, next
			return f
		case n > 0:
			if key, rest, ok := strings.Cut(bare, ":"); ok && key == strings.TrimSpace(key) {
				value := strings.TrimSpace(rest)
				start := at + len(key) + 1 + strings.Index(rest, value)
				f.fields = append(f.fields, field{key, unquoted(value), start, start + len(value)})
			}
		}
		at = next
	}
	return front{}
}

// unquoted returns a value without quotes around it.
func unquoted(value string) string {
	if len(value) >= 2 && value[0] == '"' {
		if text, err := strconv.Unquote(value); err == nil {
			return text
		}
	}
	if len(value) >= 2 && value[0] == '\'' && value[len(value)-1] == '\'' {
		return strings.ReplaceAll(value[1:len(value)-1], "''", "'")
	}
	return value
}

// quoted returns a value as YAML reads it back.
func quoted(value string) string {
	plain := value != "" && strings.TrimSpace(value) == value && !strings.ContainsAny(value[:1], "!&*-?:{}[],#|>@`\"'%") &&
		!strings.Contains(value, ": ") && !strings.Contains(value, " #") && !strings.HasSuffix(value, ":") &&
		!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f })
	if plain {
		return value
	}
	return strconv.Quote(value)
}

// of returns the value of a key, the first where several have it.
func (f front) of(key string) string {
	for _, l := range f.fields {
		if l.key == key {
			return l.value
		}
	}
	return ""
}

// with returns a file with a value set, in its place or as the last line of the head.
func (f front) with(text, key, value string) string {
	for _, l := range f.fields {
		if l.key == key {
			space := ""
			if l.start > 0 && text[l.start-1] == ':' {
				space = " "
			}
			return text[:l.start] + space + quoted(value) + text[l.end:]
		}
	}
	end := strings.LastIndex(text[:f.body], open3)
	return text[:end] + key + ": " + quoted(value) + "\n" + text[end:]
}
