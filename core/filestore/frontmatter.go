package filestore

import (
	"slices"
	"strconv"
	"strings"
)

// FrontMatter is a parsed file with fields in lines "key: value" between a first line --- and the
// next one. A file without such a header has the zero value.
type FrontMatter struct {
	Is     bool
	Fields []Field
	Body   int // offset of the text after the header
}

// Field is one line of a header.
type Field struct {
	Key, Value string
	items      []string // from the lines below it that begin with a dash
	start, end int      // range of the value in the file
}

// frontLine begins and ends the header.
const frontLine = "---"

// ParseFrontMatter parses a file. A header without an end does not count.
func ParseFrontMatter(text string) FrontMatter {
	var f FrontMatter
	at, next := 0, 0
	for line := range strings.Lines(text) {
		at, next = next, next+len(line)
		bare := strings.TrimRight(line, " \t\r\n")
		switch {
		case at == 0 && bare != frontLine:
			return FrontMatter{}
		case at > 0 && bare == frontLine:
			f.Is, f.Body = true, next
			return f
		case at > 0 && len(f.Fields) > 0 && strings.HasPrefix(strings.TrimSpace(bare), "- "):
			last := &f.Fields[len(f.Fields)-1]
			last.items = append(last.items, unquoted(strings.TrimSpace(strings.TrimSpace(bare)[2:])))
		case at > 0:
			if key, rest, ok := strings.Cut(bare, ":"); ok && key == strings.TrimSpace(key) {
				value := strings.TrimSpace(rest)
				start := at + len(key) + 1 + strings.Index(rest, value)
				f.Fields = append(
					f.Fields,
					Field{Key: key, Value: unquoted(value), start: start, end: start + len(value)},
				)
			}
		}
	}
	return FrontMatter{}
}

// unquoted returns a value without its quotes.
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

// Quoted returns a value so that YAML reads it back unchanged.
func Quoted(value string) string {
	plain := value != "" && strings.TrimSpace(value) == value && !strings.ContainsAny(value[:1], "!&*-?:{}[],#|>@`\"'%") &&
		!strings.Contains(value, ": ") &&
		!strings.Contains(value, " #") &&
		!strings.HasSuffix(value, ":") &&
		!strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f })
	if plain {
		return value
	}
	return strconv.Quote(value)
}

// Value returns the value of a key, the first where several have it.
func (f FrontMatter) Value(key string) string {
	for _, l := range f.Fields {
		if l.Key == key {
			return l.Value
		}
	}
	return ""
}

// List returns the texts of a key: those on lines of their own below it, or those between its commas, with or
// without brackets around them. Commas in braces separate nothing.
func (f FrontMatter) List(key string) (texts []string) {
	i := slices.IndexFunc(f.Fields, func(l Field) bool { return l.Key == key && key != "" })
	if i < 0 {
		return nil
	}
	if items := f.Fields[i].items; len(items) > 0 {
		return items
	}
	value, depth := f.Fields[i].Value, 0
	if strings.HasPrefix(value, "[") && strings.HasSuffix(value, "]") {
		value = value[1 : len(value)-1]
	}
	for part := range strings.FieldsFuncSeq(value, func(r rune) bool {
		depth += map[rune]int{'{': 1, '}': -1}[r]
		return r == ',' && depth <= 0
	}) {
		if part = unquoted(strings.TrimSpace(part)); part != "" {
			texts = append(texts, part)
		}
	}
	return texts
}

// With returns the file text with a value set, in its place or as the last line of the head.
func (f FrontMatter) With(text, key, value string) string {
	for _, l := range f.Fields {
		if l.Key == key {
			space := ""
			if l.start > 0 && text[l.start-1] == ':' {
				space = " "
			}
			return text[:l.start] + space + Quoted(value) + text[l.end:]
		}
	}
	end := strings.LastIndex(text[:f.Body], frontLine)
	return text[:end] + key + ": " + Quoted(value) + "\n" + text[end:]
}
