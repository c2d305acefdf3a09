package jsonl

import (
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// Unite returns one lesson of several, at least of one: the first, with the highest count, the newest
// dates of creation and use of all, and the tools of all in order, each once; then
// the fields of the edit. What the others have beside that is not claimed over. The
// error is a *memory.Problem, as of Compose.
func Unite(stored []string, e memory.Edit) (string, error) {
	var tools []string
	line := stored[0]
	for _, s := range stored {
		o, ok := openObject(s)
		if !ok {
			return "", notEditable()
		}
		v, _ := o.value(lesson.KeyTools)
		tools = append(tools, lesson.Strings(v)...)
		line, _ = heighten(line, s)
		line = newer(line, &o)
	}
	if tools = lesson.Distinct(tools); e.Tools == nil && len(stored) > 1 && len(tools) > 0 {
		e.Tools = &tools
	}
	return Compose(line, e, Stamp{})
}

// newer returns the line with the date of creation of other where that is later.
func newer(line string, other *object) string {
	t, _ := openObject(line)
	date, there := other.value(lesson.KeyCreated)
	if !there || !lesson.Regular(lesson.Moment(date.Str())) {
		return line
	}
	old, _ := t.value(lesson.KeyCreated)
	json := string(date.AppendJSON(nil))
	later, ok := laterDate(json, string(old.AppendJSON(nil)))
	if !ok && old.Kind() != jstext.Null || ok && later != json {
		return line
	}
	return t.with([]setting{{key: lesson.KeyCreated, json: json}})
}
