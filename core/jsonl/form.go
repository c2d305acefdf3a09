package jsonl

import (
	"strings"

	"winnow/core/form"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

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

// Form returns the fields of a lesson that can be edited as a text for an editor (see
// package form). The empty stored form gives the form of a new lesson; a line that is no
// lesson gives comments only.
func Form(stored string) string {
	fields, ok := formFields(stored)
	if !ok {
		return noForm
	}
	head := formHead
	if stored == "" {
		_, rest, _ := strings.Cut(formHead, "\n")
		head = newHead + rest
	}
	return form.Write(head, fields)
}

// formFields returns the fields that a form shows. It is false for a line that has none.
func formFields(stored string) ([]form.Field, bool) {
	none := jstext.StringValue("")
	fields := []form.Field{
		{Name: lesson.KeyTitle, Value: none, Sets: form.Title}, {Name: lesson.KeyBody, Value: none, Sets: form.Body},
		{Name: lesson.KeyOutcome, Value: none, Sets: form.Outcome},
		{Name: lesson.KeyTools, Value: jstext.ArrayValue(), Sets: form.Tools}, {Name: lesson.KeyCount, Value: jstext.NumberValue(0), Sets: form.Count},
	}
	if stored == "" {
		fields[2].Value = jstext.StringValue(string(memory.Succeeded))
		return fields, true
	}
	o, ok := openObject(stored)
	for i := range fields {
		if v, there := o.value(fields[i].Name); there {
			fields[i].Value = v
		}
	}
	return fields, ok
}

// ParseForm reads a form back and returns the fields that are not as they stand in
// stored; the zero Edit when nothing was changed. The error is a *memory.Problem that
// names the line, says what is wrong there and what is expected.
func ParseForm(stored, text string) (memory.Edit, error) {
	fields, ok := formFields(stored)
	if !ok {
		return memory.Edit{}, notEditable()
	}
	return form.Read(sound(strings.TrimPrefix(text, "\ufeff")), fields)
}
