package cli

import (
	"context"

	"github.com/spf13/cobra"

	"winnow/core/memory"
)

func (e Env) add(all *flags) *cobra.Command {
	var f typedFlags
	c := &cobra.Command{
		Use:   "add [-]",
		Short: "add a record by hand",
		Long: `Adds a record at the end of a store: of the fields that --set gives, of the form that
is filled in in the editor, or with - of JSON on standard input, where each object
has fields as --set has them. Several objects, one behind the other, are several
records.

--kind, --scope and --name are --set of these fields: what the record is among those of
its system, the part of the store that it is for, and the name that it gets, where the
system lets a person choose it. With - they are for objects that do not say.

The record gets an id and a date of its own. Its texts are redacted and checked as
those of edit are.`,
		Example: examples(
			"winnow add",
			"winnow add --set task_summary='Deploy the docs' --set lesson='Needs a token.'",
			"winnow add --json - < lessons.jsonl",
			"winnow add --store handbook --name deploys --set body='With make.'"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := onlyOne(c, "set", "form"); err != nil {
				return err
			}
			input := len(args) == 1 && args[0] == "-"
			switch {
			case len(args) > 0 && !input:
				return usage("give the fields with --set, or - to read JSON from standard input", "add: unexpected argument %q", args[0])
			case input && (len(f.sets) > 0 || f.form != ""):
				return usage("leave out one of them", "add: the record is given twice")
			case !input && len(f.sets) == 0 && f.kind+f.scope+f.name != "":
				return usage("give the text with --set, or leave them out: the form has them", "add: --kind, --scope and --name go with --set or -")
			}
			return e.runAdd(c.Context(), all, &f, input)
		},
	}
	c.Flags().StringVar(&f.kind, "kind", "", "make it a record of that `KIND`")
	c.Flags().StringVar(&f.scope, "scope", "", "add it to the part `NAME` of the store")
	c.Flags().StringVar(&f.name, "name", "", "call it `NAME`")
	f.declare(c)
	return c
}

// sorted sets kind, scope and name in an edit that does not say.
func (f *typedFlags) sorted(edit *memory.Edit) {
	for _, one := range []struct {
		value string
		to    **string
	}{{f.kind, &edit.Kind}, {f.scope, &edit.Scope}, {f.name, &edit.Name}} {
		if one.value != "" && *one.to == nil {
			*one.to = &one.value
		}
	}
}

func (e Env) runAdd(ctx context.Context, all *flags, f *typedFlags, input bool) error {
	edit, err := e.edits("add", f.sets)
	if err != nil {
		return err
	}
	c, err := e.change(ctx, "add", all, &f.changeFlags, input || f.fromInput())
	if err != nil {
		return err
	}
	f.sorted(&edit)
	o := memory.Order{Do: memory.AddOne, Edit: edit}
	switch {
	case input:
		return c.addAll(ctx, f)
	case f.form != "":
		if o.Form, err = c.readForm(ctx, f.form); err != nil {
			return err
		}
	case len(f.sets) == 0:
		return c.inEditor(ctx, o, "")
	}
	return c.carry(ctx, o)
}

// addAll adds the records of standard input.
func (c *change) addAll(ctx context.Context, f *typedFlags) error {
	raw, err := c.input(ctx, "lessons")
	if err != nil {
		return err
	}
	edits, err := readLessons(raw)
	if err != nil {
		return err
	}
	orders := make([]memory.Order, 0, len(edits))
	for _, edit := range edits {
		f.sorted(&edit)
		orders = append(orders, memory.Order{Do: memory.AddOne, Edit: edit})
	}
	return c.carry(ctx, orders...)
}
