package jsonl

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"winnow/core/detect"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// editable are the members of a form, in its order.
var editable = [...]string{lesson.KeyTitle, lesson.KeyBody, lesson.KeyOutcome, lesson.KeyTools, lesson.KeyCount}

const formHead = `# A lesson. Change the values below, save and leave the editor.
#   task_summary     what the task was
#   lesson           what was learnt; \n is a line break
#   outcome          "succeeded" or "failed"
#   tool_names       a list of texts: ["read-file","shell-exec"]
#   relevance_count  how often it was recalled, a whole number of 0 or more
# When nothing is changed nothing is written.
`

const newHead = `# A new lesson. Fill in the values below, save and leave the editor.
`

const noForm = `# This line holds no lesson whose fields could be edited.
# Edit the raw line, repair it or delete it.
`

// Form returns the fields of a lesson that can be edited as a text for an editor:
// lines of explanation that begin with #, then a JSON object with one member a line.
// What cannot be seen, and what an editor could take for an instruction, is escaped.
// The empty stored form gives the form of a new lesson; a line that is no lesson
// gives comments only.
func Form(stored string) string {
	shown, ok := formValues(stored)
	if !ok {
		return noForm
	}
	var out strings.Builder
	if stored == "" {
		_, rest, _ := strings.Cut(formHead, "\n")
		out.WriteString(newHead + rest)
	} else {
		out.WriteString(formHead)
	}
	out.WriteString("{\n")
	for i, key := range editable {
		out.WriteString(`  "` + key + `": ` + visible(shown[key]))
		if i+1 < len(editable) {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("}\n")
	return out.String()
}

// formValues returns the values that a form shows, as JSON. It is false for a line
// that has none.
func formValues(stored string) (map[string]string, bool) {
	shown := map[string]string{
		lesson.KeyTitle: `""`, lesson.KeyBody: `""`, lesson.KeyOutcome: `""`, lesson.KeyTools: `[]`, lesson.KeyCount: `0`,
	}
	if stored == "" {
		shown[lesson.KeyOutcome] = quoted(string(memory.Succeeded))
		return shown, true
	}
	o, ok := openObject(stored)
	for key := range shown {
		if v, there := o.value(key); there {
			shown[key] = string(v.AppendJSON(nil))
		}
	}
	return shown, ok
}

// quotedVisibly returns a text as JSON in which every character can be seen.
func quotedVisibly(s string) string { return visible(quoted(sound(s))) }

// visible returns JSON, as JSON.stringify writes it, with every character of its
// strings escaped that cannot be seen or told from others, and with what makes an
// editor read a line as an instruction to itself broken up.
func visible(json string) string {
	var out strings.Builder
	for i := 0; i < len(json); {
		r, n := utf8.DecodeRuneInString(json[i:])
		if r == utf8.RuneError && n == 1 || r != ' ' && !plainToSee(r) || r == ':' && instructs(json[:i]) {
			out.Write(escaped(r))
		} else {
			out.WriteString(json[i : i+n])
		}
		i += n
	}
	return out.String()
}

// plainToSee reports whether a character is shown as what it is, by itself.
func plainToSee(r rune) bool {
	return !detect.Hidden(r) && unicode.IsGraphic(r) && !unicode.Is(unicode.Zs, r) &&
		!unicode.In(r, unicode.Me, unicode.Variation_Selector) && r != utf8.RuneError
}

// escaped returns the escape of a character: \uXXXX, twice beyond the first plane.
func escaped(r rune) []byte {
	const hex = "0123456789abcdef"
	var out []byte
	for _, u := range utf16.Encode([]rune{r}) {
		out = append(out, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
	}
	return out
}

// instructs reports whether a colon after the text makes a line an instruction to
// vi, Vim or Emacs.
func instructs(before string) bool {
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

// ParseForm reads a form back and returns the fields that are not as they stand in
// stored; the zero Edit when nothing was changed. Empty lines and lines that begin
// with # are ignored before the object. The error is a *memory.Problem that names
// the line, says what is wrong there and what is expected.
func ParseForm(stored, form string) (memory.Edit, error) {
	shown, ok := formValues(stored)
	if !ok {
		return memory.Edit{}, notEditable()
	}
	f := formText{text: sound(strings.TrimPrefix(form, "\ufeff"))}
	if p := f.open(); p != nil {
		return memory.Edit{}, p
	}
	if p := f.complete(); p != nil {
		return memory.Edit{}, p
	}
	var e memory.Edit
	for _, key := range editable {
		v, _ := f.object.value(key)
		if string(v.AppendJSON(nil)) == shown[key] {
			continue
		}
		if p := f.read(key, v, &e); p != nil {
			return memory.Edit{}, p
		}
	}
	return e, nil
}

// formText is a form that came back from an editor.
type formText struct {
	text   string
	body   int // where the object begins
	object object
}

// open finds the object and its members.
func (f *formText) open() *memory.Problem {
	for f.body < len(f.text) {
		line, _, _ := strings.Cut(f.text[f.body:], "\n")
		if t := jstext.Trim(line); t != "" && t[0] != '#' {
			break
		}
		f.body = min(f.body+len(line)+1, len(f.text))
	}
	rest := f.text[f.body:]
	if rest == "" {
		return f.wrong(len(f.text), "there is no lesson", "keep the part between { and }; to change nothing leave it as it was")
	}
	v, err := jstext.Parse(rest)
	if syntax, ok := err.(*jstext.SyntaxError); ok {
		return f.wrong(f.body+syntax.Offset, syntax.What,
			`expected is one member a line, as in "outcome": "failed", with a comma at each end but the last; inside a text write " as \" and a line break as \n`)
	}
	if v.Kind() != jstext.Object {
		return f.wrong(f.body, "this is a JSON "+v.Kind().String()+" and not an object", "keep the { and } around the members")
	}
	f.object, _ = openObject(rest)
	return nil
}

// complete checks that each member is there once, and no other.
func (f *formText) complete() *memory.Problem {
	for i, m := range f.object.members {
		switch {
		case !isEditable(m.key):
			return f.wrong(f.body+m.start, shown(m.key)+" is no field that can be edited",
				"the fields are "+strings.Join(editable[:], ", "))
		case f.object.last[m.key] != i:
			return f.wrong(f.body+f.object.members[f.object.last[m.key]].start, m.key+" is there twice", "keep one of them")
		}
	}
	for _, key := range editable {
		if _, ok := f.object.last[key]; !ok {
			return f.wrong(f.body+strings.LastIndexByte(f.text[f.body:], '}'), key+" is missing", "put it back, as it was or with a new value")
		}
	}
	return nil
}

func isEditable(key string) bool {
	for _, e := range editable {
		if e == key {
			return true
		}
	}
	return false
}

// read sets the field of the edit from a value that was changed.
func (f *formText) read(key string, v jstext.Value, e *memory.Edit) *memory.Problem {
	at := f.body + f.object.members[f.object.last[key]].value
	switch key {
	case lesson.KeyTools:
		tools, ok := toolsIn(v)
		if !ok {
			return f.wrong(at, key+" is not a list of texts", `expected is a list as in ["read-file","shell-exec"], or []`)
		}
		e.Tools = &tools
	case lesson.KeyCount:
		n, ok := whole(string(v.AppendJSON(nil)))
		if !ok {
			return f.wrong(at, key+" is not a whole number of 0 or more", "expected is a number as in 0 or 12, without quotes")
		}
		e.Count = &n
	default:
		if v.Kind() != jstext.String {
			return f.wrong(at, key+" is not a text", `expected is a text in quotes, as in "failed"`)
		}
		text := v.Str()
		if key == lesson.KeyOutcome && !goodOutcome(text) {
			return f.wrong(at, key+" cannot be "+shown(text), `expected is "succeeded" or "failed"`)
		}
		*map[string]**string{lesson.KeyTitle: &e.Title, lesson.KeyBody: &e.Body, lesson.KeyOutcome: &e.Outcome}[key] = &text
	}
	return nil
}

func toolsIn(v jstext.Value) ([]string, bool) {
	tools := make([]string, v.Len())
	for i := range tools {
		if v.Kind() != jstext.Array || v.At(i).Kind() != jstext.String {
			return nil, false
		}
		tools[i] = v.At(i).Str()
	}
	return tools, v.Kind() == jstext.Array
}

// wrong returns a problem at a byte of the form.
func (f *formText) wrong(at int, what, expected string) *memory.Problem {
	line := 1 + strings.Count(f.text[:min(at, len(f.text))], "\n")
	return &memory.Problem{Code: CodeBadForm, What: "line " + strconv.Itoa(line) + ": " + what, Hint: expected}
}
