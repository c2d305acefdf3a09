package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"winnow/cli/output"
	"winnow/core/memory"
)

// addOrEdit is one call of add or edit, with its flags: fields, a line, or a form.
type addOrEdit struct {
	change
	sets      []string
	when      string // short for a value of sets
	raw, form string
	verified  bool        // of edit
	ids       []string    // of edit
	edit      memory.Edit // described by sets

	kind, scope, name string // of add
	input             bool   // read records from standard input
}

// fromInput reports whether the text comes from standard input.
func (f *addOrEdit) fromInput() bool {
	return f.input || f.isSet("raw") && f.raw == "-" || f.form == "-"
}

func (f *addOrEdit) writes() choice {
	return choice{writes: true, dryRun: f.dryRun, inputTaken: f.fromInput()}
}

func (f *addOrEdit) flags(more ...flag) []flag {
	return append(
		append(f.change.flags(), more...),
		f.allowFlag(),
		setFlag(&f.sets),
		whenFlag(&f.when),
		flag{
			to:   &f.form,
			name: "form",
			help: "read the editor form from `FILE` instead of opening the editor; - is standard input",
		},
	)
}

func (p *program) add() command {
	f := addOrEdit{change: p.changing()}
	return command{
		use: "add [-]", short: "Add a record by hand",
		long: `Adds a record at the end of a store: from --set, from a form in the editor, or with - from
JSON objects on standard input, one after the other, with the same fields as --set. If one
of them is wrong, none is added.

--kind, --scope and --name set what the record is in its system, the part of the store it
belongs to, and its name, if the system lets a person choose one. With - they apply to
objects that do not set these fields.

The record gets its own id and date. Its texts are redacted and checked as in edit.`,
		examples: []string{
			"winnow add", "winnow add --set task_summary='Deploy the docs' --set lesson='Needs a token.'",
			"winnow add --json - < lessons.jsonl", "winnow add --store SYSTEM --name deploys --set body='With make.'",
		},
		exclusive: [][]string{{"set", "form"}, {"when", "form"}},
		flags: f.flags(
			flag{to: &f.kind, name: "kind", help: "add a record of this `KIND`"},
			flag{to: &f.scope, name: "scope", help: "add it to part `NAME` of the store"},
			flag{to: &f.name, name: "name", help: "name it `NAME`"}),
		check: f.checkAdd, on: f.writes, run: f.runAdd,
	}
}

func (f *addOrEdit) checkAdd(args []string) (err error) {
	f.input = len(args) == 1 && args[0] == "-"
	f.sets = withWhen(f.sets, f.when)
	f.edit, err = parseSets(f.op, f.sets)
	return cmp.Or(refuse(
		refusal{
			len(args) > 0 && !f.input,
			"give the fields with --set, or - to read JSON from standard input",
			fmt.Sprintf("add: unexpected argument %q", append(args, "")[0]),
		},
		refusal{
			f.input && (len(f.sets) > 0 || f.form != ""),
			"leave out one of them",
			"add: the record is given twice",
		},
		refusal{
			!f.input && len(f.sets) == 0 && f.kind+f.scope+f.name != "",
			"give the text with --set, or leave them out: the form has them",
			"add: --kind, --scope and --name go with --set or -",
		},
	), err)
}

func (f *addOrEdit) runAdd(ctx context.Context, _ []string) (err error) {
	f.complete(&f.edit)
	o := memory.Order{Do: memory.AddOne, Edit: f.edit}
	switch {
	case f.input:
		return f.addAll(ctx)
	case f.form != "":
		if o.Form, err = f.readForm(ctx, f.form); err != nil {
			return err
		}
	case len(f.sets) == 0:
		return f.inEditor(ctx, o, "")
	}
	return f.carryOut(ctx, o)
}

// complete sets kind, scope and name in an edit that lacks them.
func (f *addOrEdit) complete(edit *memory.Edit) {
	for value, to := range map[*string]**string{&f.kind: &edit.Kind, &f.scope: &edit.Scope, &f.name: &edit.Name} {
		if *value != "" && *to == nil {
			*to = value
		}
	}
}

// addAll adds the records from standard input.
func (f *addOrEdit) addAll(ctx context.Context) error {
	raw, err := f.Env.input(ctx, "lessons")
	if err != nil {
		return err
	}
	edits, err := readRecords(raw)
	if err != nil {
		return err
	}
	return f.carryOut(ctx, output.Each(edits, func(edit *memory.Edit) memory.Order {
		f.complete(edit)
		return memory.Order{Do: memory.AddOne, Edit: *edit}
	})...)
}

func (p *program) edit() command {
	f := addOrEdit{change: p.changing()}
	return command{
		use: "edit ID", short: "Edit a record by field or in your editor",
		long: `Sets fields of a record, replaces its stored line, or opens its fields in your editor.
Only the bytes of a changed value are replaced; an unchanged form writes nothing. The editor
is $VISUAL, $EDITOR or, on a terminal, vi.

tool_names takes a JSON array or comma-separated names. outcome is succeeded or failed. Typed
text is redacted. It is refused with status 6 if it contains hidden text or imitates a prompt;
--allow, with the words of the message, stores it anyway. title is an alias of task_summary,
and body of lesson. Where a system derives a record's age from the date of its file, an edit
keeps that date; --verified renews it. After a mistake, a refusal or a conflict your text
stays, without its secrets, in the file that the message names; --form reads it from there.`,
		examples: []string{
			"winnow edit 7f3c", "winnow edit 7f3c --set lesson='Retry after 2 s.' --set relevance_count=3",
			"winnow show --raw :41 | sed s/staging/production/ | winnow edit :41 --raw -",
		},
		offer:     p.offerIDs,
		exclusive: [][]string{{"set", "raw", "form"}, {"when", "raw", "form"}},
		flags: f.flags(
			flag{to: &f.verified, name: "verified", help: "mark the record verified: its age starts again"},
			flag{to: &f.raw, name: "raw", help: "replace the stored line with `LINE`; - reads it from standard input"}),
		check: f.checkEdit, on: f.writesRecord, run: f.runEdit,
	}
}

func (f *addOrEdit) checkEdit(args []string) (err error) {
	f.sets = withWhen(f.sets, f.when)
	f.edit, err = parseSets(f.op, f.sets)
	f.ids = args
	return cmp.Or(
		refuse(refusal{len(args) != 1 || args[0] == "", "see the ids: winnow list", "edit: which record?"}),
		err,
	)
}

// writesRecord is writes for the store that holds the record.
func (f *addOrEdit) writesRecord() choice {
	c := f.writes()
	c.holds = f.holding(func(context.Context) ([]string, error) { return f.ids, nil })
	return c
}

func (f *addOrEdit) runEdit(ctx context.Context, args []string) error {
	found, err := f.records(ctx, &selection{names: args})
	if err != nil {
		return err
	}
	if len(found) != 1 { // standard input named none, or several
		return usage("name one record", "edit: which record?")
	}
	r := &found[0]
	o := memory.Order{Do: memory.EditOne, IDs: []memory.ID{r.ID}, Edit: f.edit, Verified: f.verified}
	switch {
	case f.isSet("raw"):
		o.Edit.Raw, err = f.rawLine(ctx, f.raw)
	case f.form != "":
		o.Form, err = f.readForm(ctx, f.form)
	case len(f.sets) == 0:
		if !r.RawCut() {
			o.Base = []string{r.Raw}
		}
		return f.inEditor(ctx, o, r.ID)
	}
	if err != nil {
		return err
	}
	return f.carryOut(ctx, o)
}

// rawLine returns the whole stored form. The plan removes the line end that show --raw adds.
func (c *change) rawLine(ctx context.Context, line string) (*string, error) {
	if line == "-" {
		raw, err := c.input(ctx, "line")
		if err != nil {
			return nil, err
		}
		line = string(raw)
	}
	return &line, nil
}

// readForm reads a form from a file or from standard input.
func (c *change) readForm(ctx context.Context, path string) (string, error) {
	if path == "-" {
		raw, err := c.input(ctx, "form")
		return typed(raw), err
	}
	raw, err := os.ReadFile(c.Absolute(path))
	if err != nil {
		return "", failed(
			exitFailure,
			"name the file from the earlier message, or - for standard input",
			"%s: read form: %w",
			c.op,
			err,
		)
	}
	return typed(raw), nil
}

// inEditor lets the person fill in the form of a record, or of a new one if id is empty, and
// carries the order out. The text is kept until it is stored.
func (c *change) inEditor(ctx context.Context, o memory.Order, id memory.ID) error {
	// vi needs a terminal, but the user's own editor may open a window.
	if c.editor() == nil && (!c.InTTY || !c.OutTTY && !c.ErrTTY) {
		return usage(
			"name one in EDITOR, or give the fields with --set",
			"%s: there is no terminal for the editor vi",
			c.op,
		)
	}
	form, err := c.Library.Form(ctx, c.place.Store, id)
	if err != nil {
		return c.failed(err)
	}
	draft, err := c.Draft("lesson", form)
	if err != nil {
		return c.failed(err)
	}
	if o.Form, err = draft.Read(draft.Run()); err != nil {
		err = failed(exitFailure, "VISUAL or EDITOR names the editor", "%s: %w", c.op, err)
		if draft.Untouched() {
			return errors.Join(err, draft.Done())
		}
		return c.keepDraft(draft, id, err)
	}
	if o.Form == form {
		c.printNothing("nothing was changed in the editor")
		return draft.Done()
	}
	if err := c.carryOut(ctx, o); err != nil {
		return c.keepDraft(draft, id, err)
	}
	if c.dryRun {
		c.notef("your text is kept in %s", draft.Path())
		return draft.Keep()
	}
	return draft.Done()
}

// keepDraft adds to an error where the editor's text is, and how to continue with it.
func (c *change) keepDraft(draft *Draft, id memory.ID, err error) error {
	if keepErr := draft.Keep(); keepErr != nil {
		err = errors.Join(err, keepErr)
	}
	f := *asFailure(err)
	again := "winnow " + c.op + c.named() + " --form " + memory.ShellPath(draft.Path()) +
		output.When(id != "", " "+idWord(string(id)))
	f.more = append(slices.Clip(f.more), "your text is kept in "+draft.Path(), "to continue with it: "+again)
	return &f
}

// editable are the fields that can be set, by the store's names for them. The last two are synonyms
// of the first two.
func editable() []string {
	return []string{
		"task_summary",
		"lesson",
		"outcome",
		"tool_names",
		"relevance_count",
		"when",
		"kind",
		"scope",
		"name",
		"title",
		"body",
	}
}

// fieldOf returns a pointer to a field of an edit: a **string, **[]string or **int, or nil for a
// field that cannot be set.
func fieldOf(edit *memory.Edit, name string) any {
	return map[string]any{
		"task_summary": &edit.Title, "title": &edit.Title, "lesson": &edit.Body, "body": &edit.Body,
		"outcome": &edit.Outcome, "when": &edit.When,
		"tool_names": &edit.Tools, "relevance_count": &edit.Count, "kind": &edit.Kind, "scope": &edit.Scope,
		"name": &edit.Name,
	}[name]
}

// whenFlag is --when.
func whenFlag(to *string) flag {
	return flag{
		to: to, name: "when", help: "tell it at this `MOMENT`: task, always, command: PREFIX, file: GLOB, error: TEXT",
		offer: offerOf("task", "always", "command:", "file:", "error:"),
	}
}

// withWhen returns the values of --set with that of --when.
func withWhen(sets []string, when string) []string {
	if when == "" {
		return sets
	}
	return append(slices.Clip(sets), "when="+when)
}

// setFlag is --set.
func setFlag(to *[]string) flag {
	return flag{
		to: to, name: "set", help: "set a field, as `FIELD=VALUE`: " + strings.Join(editable(), ", ") +
			"; may be repeated",
		offer: offerOf(output.Each(editable(), func(name *string) string { return *name + "=" })...),
	}
}

// parseSets returns the edit described by values of --set.
func parseSets(op string, list []string) (edit memory.Edit, _ error) {
	seen := map[any]bool{nil: false}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		to := fieldOf(&edit, name)
		if err := refuse(
			refusal{!ok, "write it as --set lesson='new text'", op + ": --set " + s + " has no ="},
			refusal{seen[to], "give it once", op + ": " + name + " is set twice"},
		); err != nil {
			return edit, err
		}
		seen[to] = to != nil
		if err := setField(&edit, name, typed([]byte(value))); err != nil {
			return edit, usage(valueHint(name), "%s: %w", op, err)
		}
	}
	return edit, nil
}

// setField sets a field of an edit to a value from the command line.
func setField(edit *memory.Edit, name, value string) error {
	switch to := fieldOf(edit, name).(type) {
	case **string:
		*to = &value
	case **[]string:
		tools, err := toolNames(value)
		*to = &tools
		return err
	case **int:
		n, err := strconv.Atoi(value)
		if err != nil {
			return fmt.Errorf("relevance_count %s: want an integer of 0 or more", value)
		}
		*to = &n
	default:
		return unknownField(name)
	}
	return checkEdit(edit)
}

func unknownField(name string) error { return fmt.Errorf("%s is not a field that can be set", name) }

// checkEdit refuses values that no record can have.
func checkEdit(edit *memory.Edit) error {
	if edit.Count != nil && *edit.Count < 0 {
		return fmt.Errorf("relevance_count %d: want an integer of 0 or more", *edit.Count)
	}
	if edit.Outcome != nil {
		return checkOutcome(*edit.Outcome)
	}
	if edit.When != nil {
		_, err := memory.ParseWhen(*edit.When)
		return err
	}
	return nil
}

func checkOutcome(value string) error {
	if value == string(memory.Succeeded) || value == string(memory.Failed) {
		return nil
	}
	return fmt.Errorf("outcome cannot be %q", value)
}

// valueHint says which values a field accepts, or which fields there are.
func valueHint(name string) string {
	return cmp.Or(map[string]string{
		"outcome": "use succeeded or failed", "when": memory.WhenForms, "relevance_count": "give an integer, 0 or more",
		"tool_names": `give names with commas between them, or a JSON array: ["read-file","shell-exec"]`,
	}[name], "the fields are "+strings.Join(editable(), ", "))
}

// toolNames parses a JSON array of names, or names separated by commas.
func toolNames(value string) ([]string, error) {
	tools := []string{}
	if strings.HasPrefix(strings.TrimSpace(value), "[") {
		if err := json.Unmarshal([]byte(value), &tools); err != nil {
			return nil, errors.New("tool_names is not a JSON array of names")
		}
		return tools, nil
	}
	for name := range strings.SplitSeq(value, ",") {
		if name = strings.TrimSpace(name); name != "" {
			tools = append(tools, name)
		}
	}
	return tools, nil
}

// readRecords reads one or more records: JSON objects, one after another.
func readRecords(raw []byte) ([]memory.Edit, error) {
	var list []memory.Edit
	fields := strings.Join(editable(), ", ")
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		var one json.RawMessage
		err := dec.Decode(&one)
		switch {
		case errors.Is(err, io.EOF) && len(list) > 0:
			return list, nil
		case errors.Is(err, io.EOF):
			return nil, usage("give an object of "+fields, "add: there is no record on standard input")
		case err != nil:
			return nil, usage(
				"give an object of "+fields,
				"add: record %d is not JSON, and nothing was added: %w",
				len(list)+1,
				err,
			)
		}
		edit, err := readRecord(one)
		if err != nil {
			return nil, usage(
				"the fields are "+fields,
				"add: record %d is wrong, and nothing was added: %w",
				len(list)+1,
				err,
			)
		}
		list = append(list, edit)
	}
}

// readRecord reads the fields of a JSON object. Field names are case-sensitive, and null is not a
// value.
func readRecord(raw []byte) (edit memory.Edit, _ error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(raw, &values); err != nil || values == nil {
		return edit, errors.New("it is not an object")
	}
	seen := map[any]bool{}
	for name, value := range values {
		to := fieldOf(&edit, name)
		switch {
		case to == nil:
			return edit, unknownField(name)
		case string(value) == "null":
			return edit, fmt.Errorf("%s is null", name)
		case seen[to]:
			return edit, errors.New("title means task_summary, and body lesson: one is set twice")
		}
		seen[to] = true
		wrong := &json.UnmarshalTypeError{}
		if err := json.Unmarshal(value, to); errors.As(err, &wrong) {
			return edit, fmt.Errorf("%s cannot be a %s", name, wrong.Value)
		} else if err != nil {
			return edit, err
		}
	}
	return edit, checkEdit(&edit)
}
