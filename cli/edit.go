package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/memory"
	"winnow/views/safe"
)

// typedFlags say what a person types of a record: fields, a line, or a form.
type typedFlags struct {
	changeFlags
	sets      []string
	raw, form string
	rawGiven  bool
	verified  bool

	kind, scope, name string // of add
}

// fromInput reports whether the text comes from standard input.
func (t *typedFlags) fromInput() bool { return t.rawGiven && t.raw == "-" || t.form == "-" }

func (t *typedFlags) declare(c *cobra.Command) {
	setFlag(c, &t.sets)
	c.Flags().StringVar(&t.form, "form", "", "take the form that an editor would show from `FILE`; - is standard input")
	t.allowFlag(c)
	t.changeFlags.declare(c)
}

func (e Env) edit(all *flags) *cobra.Command {
	var f typedFlags
	c := &cobra.Command{
		Use:   "edit ID",
		Short: "edit a record, by fields or in the editor",
		Long: `Sets fields of a record, replaces its stored line, or opens the fields that can be
edited in the editor. Only the bytes of a value that changes are replaced; a form
that was not changed writes nothing.

tool_names is a JSON array, or names with commas between them. What is typed is
redacted, and refused with status 6 when it holds hidden text or imitates a
prompt; --allow stores it all the same. title is another word for task_summary, and
body for lesson. Where a system reckons the age of a record by the date of its file,
an edit leaves the date as it is; --verified makes it now. After a mistake the text of the editor is
kept in the file that the message names; --form takes it from there.`,
		Example: examples(
			"winnow edit 7f3c",
			"winnow edit 7f3c --set lesson='Retry after 2 s.' --set relevance_count=3",
			"winnow show --raw :41 | sed s/staging/production/ | winnow edit :41 --raw -"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := onlyOne(c, "set", "raw", "form"); err != nil {
				return err
			}
			f.rawGiven = c.Flags().Changed("raw")
			if len(args) != 1 || args[0] == "" {
				return usage("see the ids: winnow list", "edit: which record")
			}
			return e.runEdit(c.Context(), all, &f, args[0])
		},
	}
	c.ValidArgsFunction = e.completeIDs(all)
	c.Flags().BoolVar(&f.verified, "verified", false, "the text was checked and holds: its age begins now")
	c.Flags().StringVar(&f.raw, "raw", "", "replace the stored line by `LINE`; - reads it from standard input")
	f.declare(c)
	return c
}

func (e Env) runEdit(ctx context.Context, all *flags, f *typedFlags, name string) error {
	edit, err := e.edits("edit", f.sets)
	if err != nil {
		return err
	}
	c, err := e.change(ctx, "edit", all, &f.changeFlags, f.fromInput())
	if err != nil {
		return err
	}
	found, err := c.records(ctx, &selection{names: []string{name}})
	if err != nil {
		return err
	}
	r := &found[0].record
	o := memory.Order{Do: memory.EditOne, IDs: []memory.ID{r.ID}, Edit: edit, Verified: f.verified}
	switch {
	case f.rawGiven:
		err = c.rawLine(ctx, f.raw, &o.Edit)
	case f.form != "":
		o.Form, err = c.readForm(ctx, f.form)
	case len(f.sets) == 0:
		if !r.RawCut() {
			o.Base = []string{r.Raw}
		}
		return c.inEditor(ctx, o, r.ID)
	}
	if err != nil {
		return err
	}
	return c.carry(ctx, o)
}

// rawLine sets the whole stored form, without the line end that a pipe adds.
func (c *change) rawLine(ctx context.Context, line string, to *memory.Edit) error {
	raw := []byte(line)
	if line == "-" {
		var err error
		if raw, err = c.input(ctx, "line"); err != nil {
			return err
		}
	}
	for _, end := range []string{"\n", "\r"} {
		if n := len(raw) - 1; n >= 0 && string(raw[n:]) == end {
			raw = raw[:n]
		}
	}
	text := string(raw)
	to.Raw = &text
	return nil
}

// readForm reads a form from a file or from standard input.
func (c *change) readForm(ctx context.Context, path string) (string, error) {
	if path == "-" {
		raw, err := c.input(ctx, "form")
		return c.Task(raw), err
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", &failure{
			code: exitFailure, err: fmt.Errorf("%s: read form: %w", c.op, err), hint: "name the file that the message before named, or - for standard input",
		}
	}
	return c.Task(raw), nil
}

// inEditor lets the person fill in the form of a record, or of a new one for the
// empty id, and carries the order out. The text is kept until it is stored.
func (c *change) inEditor(ctx context.Context, o memory.Order, id memory.ID) error {
	if !c.canEdit() {
		return usage("name one in EDITOR, or give the fields with --set", "%s: there is no terminal for the editor vi", c.op)
	}
	form, err := c.Library.Form(ctx, c.place.Store, id)
	if err != nil {
		return c.failed(err)
	}
	draft, err := c.LessonDraft(form)
	if err != nil {
		return c.failed(err)
	}
	editor := draft.Command()
	editor.Stdout, editor.Stderr = c.Err, c.Err
	if c.OutTTY {
		editor.Stdout = c.Out
	}
	if o.Form, err = draft.Read(editor.Run()); err != nil {
		err = &failure{code: exitFailure, err: fmt.Errorf("%s: %w", c.op, err), hint: "VISUAL or EDITOR names the editor"}
		if saved, unread := draft.Read(nil); unread == nil && saved == form {
			return errors.Join(err, draft.Done()) // nothing was typed
		}
		return c.keep(draft, id, err)
	}
	if o.Form == form {
		if err := draft.Done(); err != nil {
			return err
		}
		return c.nothing("nothing was changed in the editor")
	}
	if err := c.carry(ctx, o); err != nil {
		return c.keep(draft, id, err)
	}
	if c.dryRun {
		fmt.Fprintf(c.Err, "your text is kept in %s\n", safe.Line(draft.Path()))
		return nil
	}
	return draft.Done()
}

// canEdit reports whether an editor can be started: vi wants a terminal, while one
// that the user named may have a window of its own.
func (c *change) canEdit() bool {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if v, _ := c.Lookup(name); strings.TrimSpace(v) != "" {
			return true
		}
	}
	return c.InTTY && (c.OutTTY || c.ErrTTY)
}

// keep adds to an error where the text of the editor is, and how to go on with it.
func (c *change) keep(draft Draft, id memory.ID, err error) error {
	f := *asFailure(err)
	again := "winnow " + c.op
	if id != "" {
		again += " " + quotedWord(string(id))
	}
	again += c.named + " --form " + quotedWord(draft.Path())
	f.more = append(f.more[:len(f.more):len(f.more)], "your text is kept in "+draft.Path(), "to go on with it: "+again)
	return &f
}
