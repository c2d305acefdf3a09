package arbiter

import (
	"strings"

	"winnow/core/form"
	"winnow/core/jstext"
	"winnow/core/memory"
)

const formHead = `# A lesson of Arbiter. Change the values below, save and leave the editor.
#   signature    what it is about, at most 200 bytes
#   lesson_text  what was learnt, at most 4096 bytes; \n is a line break
#   hit_count    how often it was put before a message
`

// newHead is what the form of a new lesson says as well, and endHead ends every head.
const (
	newHead = `#   scope        tenant and agent that it is for, as acme/scout; empty: the first tenant's own
`
	endHead = `# When nothing is changed nothing is written.
`
)

const noForm = `# This is no row whose fields could be edited.
# Edit the raw form or delete it.
`

// formFields returns the fields of a row as a form shows them. A new lesson has a scope
// as well.
func formFields(stored string) ([]form.Field, error) {
	r := row{nil, nil, "", "", "", int64(0), nil, nil, nil}
	if stored != "" {
		var err error
		if r, err = decodeRow(stored); err != nil {
			return nil, err
		}
	}
	fields := []form.Field{
		{Name: "signature", Value: jstext.StringValue(wellFormed(r.text(colSignature))), Sets: form.Title},
		{Name: "lesson_text", Value: jstext.StringValue(wellFormed(r.text(colText))), Sets: form.Body},
		{Name: "hit_count", Value: jstext.NumberValue(float64(r.number(colHits))), Sets: form.Count},
	}
	if stored == "" {
		fields = append(fields, form.Field{Name: "scope", Value: jstext.StringValue(""), Sets: form.Scope})
	}
	return fields, nil
}

// Form implements [system.Composer].
func (s *Store) Form(stored string) string {
	fields, err := formFields(stored)
	switch {
	case err != nil:
		return noForm
	case stored == "":
		return form.Write(formHead+newHead+endHead, fields)
	}
	return form.Write(formHead+endHead, fields)
}

// ParseForm implements [system.Composer].
func (s *Store) ParseForm(stored, text string) (memory.Edit, error) {
	fields, err := formFields(stored)
	if err != nil {
		return memory.Edit{}, notValid("row", err.Error())
	}
	return form.Read(wellFormed(strings.TrimPrefix(text, "\ufeff")), fields)
}
