// Package form turns the fields of a record into text for an editor, and that text back into
// fields: lines of explanation that begin with #, then a JSON object with one member a line.
// Invisible characters, and anything that an editor could take for an instruction to itself, are
// escaped, so that a person edits only what is on the screen.
package form

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/memory"
)

// Code is the problem code of a form that cannot be read.
const Code = "bad-form"

// Field is one field of a form with its value, and the part of an edit that it sets.
type Field struct {
	Name  string
	Value jstext.Value
	Sets  Part
}

// Part is a part of a [memory.Edit].
type Part uint8

// The parts.
const (
	Title Part = iota
	Body
	Outcome
	Scope
	Tools
	Count
	When
)

// Write returns a form of the fields below head, which consists of lines that begin with #.
func Write(head string, fields []Field) string {
	var out strings.Builder
	out.WriteString(head + "{\n")
	for i, f := range fields {
		out.WriteString(`  "` + f.Name + `": ` + visible(string(f.Value.AppendJSON(nil))))
		if i+1 < len(fields) {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	return out.String() + "}\n"
}

// visible returns JSON, as written by JSON.stringify, with all invisible and ambiguous characters
// in its strings escaped. It also breaks up anything that an editor would read as an instruction to
// itself.
func visible(json string) string {
	var out strings.Builder
	for i := 0; i < len(json); {
		r, n := utf8.DecodeRuneInString(json[i:])
		if r == utf8.RuneError && n == 1 || r != ' ' && !isVisible(r) || r == ':' && isEditorInstruction(json[:i]) {
			out.Write(escaped(r))
		} else {
			out.WriteString(json[i : i+n])
		}
		i += n
	}
	return out.String()
}

// isVisible reports whether a character is visible and unambiguous on its own.
func isVisible(r rune) bool {
	return !detect.IsHidden(r) && unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) &&
		!unicode.In(r, unicode.Me, unicode.Variation_Selector) && r != utf8.RuneError
}

// escaped returns the escape of a character: \uXXXX, or two of them outside the basic plane.
func escaped(r rune) []byte {
	const hex = "0123456789abcdef"
	var out []byte
	for _, u := range utf16.Encode([]rune{r}) {
		out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	return out
}

// isEditorInstruction reports whether a colon after the text would make the line an instruction to vi, Vim or
// Emacs.
func isEditorInstruction(before string) bool {
	word := strings.ToLower(before[max(0, len(before)-24):])
	word = strings.TrimRight(word, "<=>0123456789")
	for _, w := range [...]string{"vi", "vim", "ex", "variables", "mode", "eval"} {
		if rest, ok := strings.CutSuffix(word, w); ok {
			last, _ := utf8.DecodeLastRuneInString(rest)
			if rest == "" || !unicode.IsLetter(last) {
				return true
			}
		}
	}
	return false
}

// changed is a field whose value differs from the one in the form.
type changed struct {
	Field
	text string
	at   int // of the value in the text
}

// Read returns the edit that sets the fields whose values in the text differ from those shown. The
// text must be a valid JavaScript string. Empty lines and lines that begin with # are ignored
// before the object. The error is a *memory.Problem that names the line and says what is wrong
// there and what is expected.
func Read(text string, shown []Field) (memory.Edit, error) {
	var e memory.Edit
	texts := map[Part]**string{Title: &e.Title, Body: &e.Body, Outcome: &e.Outcome, Scope: &e.Scope, When: &e.When}
	all, err := changes(text, shown)
	for i := range all {
		switch c := &all[i]; c.Sets {
		case Tools:
			e.Tools, err = c.texts()
		case Count:
			e.Count, err = c.count()
		default:
			*texts[c.Sets], err = c.oneText()
		}
		if err != nil {
			return memory.Edit{}, err
		}
	}
	return e, err
}

// changes returns the fields whose values in the text differ from those shown, in the order of the
// fields.
func changes(text string, shown []Field) ([]changed, error) {
	body := skipHead(text)
	rest := text[body:]
	if rest == "" {
		return nil, problem(
			text,
			body,
			"there is nothing here",
			"keep the part between { and }; to change nothing, leave it unchanged",
		)
	}
	found := map[string]changed{}
	var first error
	kind, err := jstext.Scan(rest, func(p jstext.Part) bool {
		name := p.Name()
		_, twice := found[name]
		switch {
		case p.Key == "" || first != nil:
		case !slices.ContainsFunc(shown, func(f Field) bool { return f.Name == name }):
			first = problem(
				text,
				body+p.KeyAt,
				Quote(name)+" is not a field that can be edited",
				"the fields are "+names(shown),
			)
		case twice:
			first = problem(text, body+p.KeyAt, name+" appears twice", "keep one of them")
		}
		v, _ := jstext.Parse(p.Value)
		found[name] = changed{Field{Name: name, Value: v}, text, body + p.At}
		return true
	})
	switch syntax, ok := err.(*jstext.SyntaxError); {
	case ok:
		return nil, problem(
			text,
			body+syntax.Offset,
			syntax.What,
			`expected one member a line, such as "outcome": "failed", with a comma after each except the last; `+
				`inside a text write " as \" and a line break as \n`,
		)
	case kind != jstext.Object:
		return nil, problem(
			text,
			body,
			"this is a JSON "+kind.String()+", not an object",
			"keep the { and } around the members",
		)
	case first != nil:
		return nil, first
	}
	var all []changed
	for _, f := range shown {
		c, ok := found[f.Name]
		if !ok {
			return nil, problem(
				text,
				body+strings.LastIndexByte(rest, '}'),
				f.Name+" is missing",
				"put it back, as it was or with a new value",
			)
		}
		if string(c.Value.AppendJSON(nil)) != string(f.Value.AppendJSON(nil)) {
			c.Sets = f.Sets
			all = append(all, c)
		}
	}
	return all, nil
}

// skipHead returns where the object of a form begins.
func skipHead(text string) int {
	at := 0
	for at < len(text) {
		line, _, _ := strings.Cut(text[at:], "\n")
		if t := jstext.Trim(line); t != "" && t[0] != '#' {
			break
		}
		at = min(at+len(line)+1, len(text))
	}
	return at
}

func names(fields []Field) string {
	all := make([]string, len(fields))
	for i, f := range fields {
		all[i] = f.Name
	}
	return strings.Join(all, ", ")
}

// oneText returns the value as a text. For an outcome it must be one of the two.
func (c *changed) oneText() (*string, error) {
	if c.Value.Kind() != jstext.String {
		return nil, c.problem("is not a text", `expected text in quotes, such as "failed"`)
	}
	text := c.Value.Str()
	if o := memory.Outcome(text); c.Sets == Outcome && o != memory.Succeeded && o != memory.Failed {
		return nil, c.problem("cannot be "+Quote(text), `expected "succeeded" or "failed"`)
	}
	return &text, nil
}

// texts returns the value as a list of texts.
func (c *changed) texts() (*[]string, error) {
	texts := make([]string, c.Value.Len())
	valid := c.Value.Kind() == jstext.Array
	for i := range texts {
		valid = valid && c.Value.At(i).Kind() == jstext.String
		texts[i] = c.Value.At(i).Str()
	}
	if !valid {
		return nil, c.problem("is not a list of texts", `expected a list such as ["read-file","shell-exec"], or []`)
	}
	return &texts, nil
}

// count returns the value as an integer from 0 to 2^53.
func (c *changed) count() (*int, error) {
	n := c.Value.Number()
	if c.Value.Kind() != jstext.Number || n < 0 || n > 1<<53 || n != float64(int(n)) {
		return nil, c.problem("is not a whole number of 0 or more", "expected a number such as 0 or 12, without quotes")
	}
	count := int(n)
	return &count, nil
}

// problem returns a problem with the value.
func (c *changed) problem(what, expected string) error {
	return problem(c.text, c.at, c.Name+" "+what, expected)
}

// problem returns a problem at a byte of the form.
func problem(text string, at int, what, expected string) error {
	line := 1 + strings.Count(text[:min(at, len(text))], "\n")
	return &memory.Problem{Code: Code, What: "line " + strconv.Itoa(line) + ": " + what, Hint: expected}
}

// Quote returns typed text for use in a sentence: quoted, visible and shortened.
func Quote(s string) string { return Clip(visible(jstext.Quoted(s))) }

// Clip shortens a text for use in a sentence.
func Clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
