package views

import (
	"strings"

	"winnow/views/theme"
)

// words returns a row as text to be read aloud: the outcome, the full title, and the other columns
// with their names.
func (v RecordTable) words(t theme.Theme, row int) string {
	r := &v.Records[v.Index[row]]
	_, mark, _ := strings.Cut(v.mark(t, row, true), ">")
	parts := []string{strings.TrimSpace(mark)}
	for _, c := range v.Display.columns() {
		if c.name == "task" {
			parts = append(parts, v.title(t, v.Index[row], maxPath, true))
			continue
		}
		text := strings.Trim(c.cell(v, r), "-")
		says := map[string]string{
			"rel": "recalled ", "used": "used ", "age": "age ", "next": "leaves ", "fired": "fired ",
		}[c.name]
		if c.name == "flags" {
			text = strings.Join(r.Flags.Words(), " ")
		}
		parts = append(parts, textIf(text != "", "%s%s", says, text))
	}
	return joined("  ", parts...)
}
