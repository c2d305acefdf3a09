package jsonl

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"winnow/core/form"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/memory"
)

// maxLine is the maximum length in bytes of a composed line. Longer lines are not shown in full.
const maxLine = 1 << 20

// Problem codes for what a person typed.
const (
	codeNotEditable = "not-editable"
	codeEmptyText   = "empty-text"
	codeBadOutcome  = "bad-outcome"
	codeBadCount    = "bad-count"
	codeBadWhen     = "bad-when"
	codeBadForm     = form.Code
	codeLineBreak   = "line-break"
	codeTooBig      = "too-big"
)

// Stamp is what a new lesson needs in addition to what a person typed: an id, the session that it
// is attributed to, and the time.
type Stamp struct {
	ID, Session string
	Now         time.Time
}

// Compose returns the stored form with the fields of the edit set. No byte changes except in values
// that differ; a missing member is added at the end. For an empty stored it returns a new lesson as
// the original writes one, using the stamp. A raw edit is the whole line, and is returned without
// its line end.
//
// The error is a *memory.Problem: the form is not a JSON object, both texts are empty, the outcome
// is neither succeeded nor failed and differs from the stored one, the count is not between 0 and
// 2^53, when names no moment, or the line is longer than maxLine.
func Compose(stored string, e memory.Edit, s Stamp) (string, error) {
	if e.Raw != nil {
		return composeRaw(*e.Raw)
	}
	if stored == "" {
		stored, e = newLesson(s), defaults(e)
	}
	o, ok := openObject(stored)
	if !ok {
		return "", notEditable()
	}
	settings, p := settingsOf(&o, e)
	if p != nil {
		return "", p
	}
	line := o.with(settings)
	if len(line) > maxLine {
		return "", tooBig(len(line))
	}
	return line, nil
}

func composeRaw(line string) (string, error) {
	line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
	if i := strings.IndexAny(line, "\r\n"); i >= 0 {
		return "", &memory.Problem{Code: codeLineBreak,
			What: fmt.Sprintf("a record is one line, but there is a line break at byte %d", i),
			Hint: `write a line break inside a text as \n`}
	}
	if len(line) > maxLine {
		return "", tooBig(len(line))
	}
	return line, nil
}

// newLesson returns a lesson without texts, with its members in the original's order.
func newLesson(s Stamp) string {
	text := func(key, val string) jstext.Member {
		return jstext.Member{Key: key, Value: jstext.StringValue(val)}
	}
	v := jstext.ObjectValue(
		text(lesson.KeyID, s.ID), text(lesson.KeyTitle, ""), text(lesson.KeyOutcome, ""), text(lesson.KeyBody, ""),
		jstext.Member{Key: lesson.KeyTools, Value: jstext.ArrayValue()},
		text(lesson.KeyCreated, lesson.ISO(s.Now)), text(lesson.KeySession, s.Session),
		jstext.Member{Key: lesson.KeyCount, Value: jstext.NumberValue(0)})
	return string(v.AppendJSON(nil))
}

// defaults returns the edit with the fields that a new lesson needs.
func defaults(e memory.Edit) memory.Edit {
	empty, succeeded := "", string(memory.Succeeded)
	e.Title, e.Outcome = cmp.Or(e.Title, &empty), cmp.Or(e.Outcome, &succeeded)
	return e
}

// settingsOf returns what the edit changes in the object.
func settingsOf(o *object, e memory.Edit) (out []setting, _ *memory.Problem) {
	set := func(key, json string) {
		if v, ok := o.value(key); json != "" && (!ok || string(v.AppendJSON(nil)) != json) {
			out = append(out, setting{key: key, json: json})
		}
	}
	if e.Title != nil {
		set(lesson.KeyTitle, jstext.Quoted(jsText(*e.Title)))
	}
	if e.Outcome != nil {
		outcome := jsText(*e.Outcome)
		if !goodOutcome(outcome) && !hasOutcome(o, outcome) {
			return nil, badOutcome(outcome)
		}
		set(lesson.KeyOutcome, jstext.Quoted(outcome))
	}
	if e.Body != nil {
		set(lesson.KeyBody, jstext.Quoted(jsText(*e.Body)))
	}
	if e.Tools != nil {
		set(lesson.KeyTools, toolsJSON(*e.Tools))
	}
	if e.Count != nil {
		if !goodCount(*e.Count) {
			return nil, badCount(strconv.Itoa(*e.Count))
		}
		set(lesson.KeyCount, strconv.Itoa(*e.Count))
	}
	if e.When != nil {
		json, p := whenJSON(o, *e.When)
		if p != nil {
			return nil, p
		}
		set(lesson.KeyWhen, json)
	}
	if leavesNoWords(o, e) {
		return nil, &memory.Problem{Code: codeEmptyText,
			What: lesson.KeyTitle + " and " + lesson.KeyBody + " are both empty",
			Hint: "a lesson without words is never recalled: give one of them a text, or delete the lesson"}
	}
	return out, nil
}

// hasOutcome reports whether an object has an outcome already, however odd it is.
func hasOutcome(o *object, outcome string) bool {
	old, _ := o.value(lesson.KeyOutcome)
	return old.Kind() == jstext.String && old.Str() == outcome
}

// goodCount reports whether a count can be stored: JavaScript counts exactly up to 2^53.
func goodCount(n int) bool { return n >= 0 && n <= 1<<53 }

// whenJSON returns a moment as it is stored, or "" if the object needs no member for it.
func whenJSON(o *object, text string) (string, *memory.Problem) {
	w, err := memory.ParseWhen(text)
	if err != nil {
		return "", &memory.Problem{Code: codeBadWhen, What: err.Error(), Hint: memory.WhenForms}
	}
	if _, there := o.value(lesson.KeyWhen); !there && w == (memory.When{}) {
		return "", nil
	}
	return jstext.Quoted(jsText(w.String())), nil
}

// leavesNoWords reports whether an edit of a text leaves both texts blank.
func leavesNoWords(o *object, e memory.Edit) bool {
	if e.Title == nil && e.Body == nil {
		return false
	}
	for _, t := range [...]struct {
		key string
		new *string
	}{{lesson.KeyTitle, e.Title}, {lesson.KeyBody, e.Body}} {
		v, _ := o.value(t.key)
		text := v.Str()
		if t.new != nil {
			text = *t.new
		}
		if !blank(text) {
			return false
		}
	}
	return true
}

func goodOutcome(s string) bool {
	return s == string(memory.Succeeded) || s == string(memory.Failed)
}

func toolsJSON(tools []string) string {
	elements := make([]jstext.Value, len(tools))
	for i, t := range tools {
		elements[i] = jstext.StringValue(jsText(t))
	}
	return string(jstext.ArrayValue(elements...).AppendJSON(nil))
}

// jsText returns typed text as a JavaScript string: invalid bytes become U+FFFD, half characters
// stay.
func jsText(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	return jstext.FromUnits(jstext.Units(s))
}

func notEditable() *memory.Problem {
	return &memory.Problem{Code: codeNotEditable,
		What: "this line is not a lesson with fields to edit",
		Hint: "edit the raw line, repair it or delete it"}
}

func tooBig(n int) *memory.Problem {
	return &memory.Problem{Code: codeTooBig,
		What: fmt.Sprintf("the line would have %d bytes; the limit is %d", n, maxLine),
		Hint: "shorten its texts"}
}

func badOutcome(s string) *memory.Problem {
	return &memory.Problem{Code: codeBadOutcome,
		What: lesson.KeyOutcome + " cannot be " + form.Quote(jsText(s)),
		Hint: `make it "succeeded" or "failed"`}
}

func badCount(json string) *memory.Problem {
	return &memory.Problem{Code: codeBadCount,
		What: lesson.KeyCount + " cannot be " + form.Clip(json),
		Hint: "make it a whole number of 0 or more"}
}

// Unite merges one or more lessons: it returns the first one with the highest count, the newest
// dates of creation and use, and all distinct tools in order, and then applies the edit. Everything
// else in the other lessons is dropped. The error is a *memory.Problem, as for Compose.
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
		line, _ = withHigherCounts(line, s)
		line = withLaterDate(line, &o)
	}
	if tools = lesson.Distinct(tools); e.Tools == nil && len(stored) > 1 && len(tools) > 0 {
		e.Tools = &tools
	}
	return Compose(line, e, Stamp{})
}

// withLaterDate returns the line with other's date of creation if that is later.
func withLaterDate(line string, other *object) string {
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

const formHead = `# A lesson. Change the values below, save and leave the editor.
#   task_summary     what the task was
#   lesson           what was learnt; \n is a line break
#   outcome          "succeeded" or "failed"
#   tool_names       a list of texts: ["read-file","shell-exec"]
#   relevance_count  how often it was recalled, a whole number of 0 or more
#   when             if it is here: task, always, command: PREFIX, file: GLOB or error: TEXT
# If you change nothing, nothing is written.
`

const newHead = `# A new lesson. Fill in the values below, save and leave the editor.
`

const noForm = `# This line is not a lesson with fields to edit.
# Edit the raw line, repair it or delete it.
`

// Form returns the editable fields of a lesson as text for an editor (see package form). An empty
// stored gives the form of a new lesson; a line that is not a lesson gives only comments.
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

// formFields returns the fields that a form shows, or false for a line that has none.
func formFields(stored string) ([]form.Field, bool) {
	none := jstext.StringValue("")
	fields := []form.Field{
		{Name: lesson.KeyTitle, Value: none, Sets: form.Title},
		{Name: lesson.KeyBody, Value: none, Sets: form.Body},
		{Name: lesson.KeyOutcome, Value: none, Sets: form.Outcome},
		{Name: lesson.KeyTools, Value: jstext.ArrayValue(), Sets: form.Tools},
		{Name: lesson.KeyCount, Value: jstext.NumberValue(0), Sets: form.Count},
	}
	if stored == "" {
		fields[2].Value = jstext.StringValue(string(memory.Succeeded))
		return fields, true
	}
	o, ok := openObject(stored)
	if v, there := o.value(lesson.KeyWhen); there {
		fields = append(fields, form.Field{Name: lesson.KeyWhen, Value: v, Sets: form.When})
	}
	for i := range fields {
		if v, there := o.value(fields[i].Name); there {
			fields[i].Value = v
		}
	}
	return fields, ok
}

// ParseForm reads a form back and returns the fields that differ from stored; the zero Edit if
// nothing changed. The error is a *memory.Problem that names the line and says what is wrong and
// what is expected.
func ParseForm(stored, text string) (memory.Edit, error) {
	fields, ok := formFields(stored)
	if !ok {
		return memory.Edit{}, notEditable()
	}
	return form.Read(jsText(strings.TrimPrefix(text, "\ufeff")), fields)
}
