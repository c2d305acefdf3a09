package arbiter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"winnow/core/memory"
)

const formHead = `# A lesson of Arbiter. Change the values below, save and leave the editor.
#   signature    what it is about, at most 200 bytes
#   lesson_text  what was learnt, at most 4096 bytes; \n is a line break
#   hit_count    how often it was put before a message
# When nothing is changed nothing is written.
`

// newHead is what the form of a new lesson says as well.
const newHead = `#   scope        tenant and agent that it is for, as acme/scout; empty: the first tenant's own
`

const noForm = `# This is no row whose fields could be edited.
# Edit the raw form or delete it.
`

// formFields are those of a form.
type formFields struct {
	Signature *string `json:"signature"`
	Text      *string `json:"lesson_text"`
	Hits      *int    `json:"hit_count"`
	Scope     *string `json:"scope"` // of a new lesson, or of one that is given to another
}

// Form implements [system.Composer].
func (s *Store) Form(stored string) string {
	r := row{nil, nil, "", "", "", int64(0), nil, nil, nil}
	if stored != "" {
		var err error
		if r, err = decodeRow(stored); err != nil {
			return noForm
		}
	}
	var b strings.Builder
	head, scope := formHead, ""
	if stored == "" {
		before, last, _ := strings.Cut(formHead, "# When")
		head, scope = before+newHead+"# When"+last, ",\n  \"scope\": \"\""
	}
	b.WriteString(head)
	fmt.Fprintf(&b, "{\n  \"signature\": %s,\n  \"lesson_text\": %s,\n  \"hit_count\": %d%s\n}\n",
		visible(r.text(colSignature)), visible(r.text(colText)), r.number(colHits), scope)
	return b.String()
}

// visible returns a text as JSON in which every character can be seen. What is not ASCII
// and no letter or sign that shows is escaped, and so is what an editor could take for an
// instruction to itself.
func visible(text string) string {
	var plain bytes.Buffer
	encodeValue(&plain, wellFormed(text))
	var b strings.Builder
	for _, r := range plain.String() {
		if r == ':' && instructs(b.String()) || r >= 0x80 && !shows(r) {
			for _, u := range utf16Units(r) {
				fmt.Fprintf(&b, `\u%04x`, u)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// instructs reports whether a colon after the text would make an editor read its line.
func instructs(before string) bool {
	for _, word := range [...]string{"vi", "vim", "ex", "-*-", "Local Variables"} {
		if strings.HasSuffix(before, word) {
			return true
		}
	}
	return false
}

// ParseForm implements [system.Composer].
func (s *Store) ParseForm(stored, form string) (memory.Edit, error) {
	var b strings.Builder
	for line := range strings.Lines(form) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			line = "\n"
		}
		b.WriteString(line)
	}
	var f formFields
	d := json.NewDecoder(strings.NewReader(b.String()))
	d.DisallowUnknownFields()
	if err := d.Decode(&f); err != nil {
		return memory.Edit{}, formProblem(b.String(), err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return memory.Edit{}, formProblem(b.String()[:d.InputOffset()], errors.New("more follows"))
	}
	r := row{nil, nil, "", "", "", int64(0), nil, nil, nil}
	if stored != "" {
		var err error
		if r, err = decodeRow(stored); err != nil {
			return memory.Edit{}, notValid("row", err.Error())
		}
	}
	var e memory.Edit
	if f.Signature != nil && *f.Signature != wellFormed(r.text(colSignature)) {
		e.Title = f.Signature
	}
	if f.Text != nil && *f.Text != wellFormed(r.text(colText)) {
		e.Body = f.Text
	}
	if f.Hits != nil && int64(*f.Hits) != r.number(colHits) {
		e.Count = f.Hits
	}
	if f.Scope != nil && *f.Scope != "" {
		e.Scope = f.Scope
	}
	return e, nil
}

// formProblem names the line at which a form cannot be read.
func formProblem(text string, err error) *memory.Problem {
	at := int64(len(text))
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typed):
		at = typed.Offset
	}
	line := 1 + strings.Count(text[:min(int(at), len(text))], "\n")
	return &memory.Problem{
		Code: "form", What: fmt.Sprintf("Line %d of the form cannot be read: %v.", line, err),
		Hint: "keep the quotes, the commas and the names of the fields",
	}
}
