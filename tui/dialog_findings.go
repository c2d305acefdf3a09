package tui

import (
	"errors"
	"slices"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
)

// findingsDialog is the dialog that shows what the check found in a typed text. The person can edit the
// text again or overrule the check.
type findingsDialog struct {
	dialogState
	keys  keymap.Map
	plan  memory.Plan
	typed string
}

// newFindings returns the dialog for a plan that has findings. Typed is the text to edit again, or
// "" if it did not come from an editor.
func newFindings(k keymap.Map, p memory.Plan, typed string) *findingsDialog {
	f := &findingsDialog{keys: k, plan: p, typed: typed}
	f.focus = len(f.form().Buttons) - 1
	return f
}

// order implements planDialog.
func (f *findingsDialog) order() memory.Order { return f.plan.Order }

// takePlan implements planDialog. On an error the refused plan stays.
func (f *findingsDialog) takePlan(p memory.Plan, err error) {
	if err == nil {
		f.plan = p
	}
}

// form implements dialog.
func (f *findingsDialog) form() dialogForm {
	d := f.keys.Dialog
	edit := dialogAction{
		Binding: d.Amend,
		Label:   named("Edit again", d.Amend),
		Do:      func() formResult { return closing(editAgain(f.plan.Order, "")) },
	}
	form := dialogForm{
		Keys:  f.keys,
		Masks: true,
		View:  views.Findings{Findings: f.plan.Findings}.Dialog,
		Buttons: []dialogAction{
			edit,
			{
				Binding: keymap.As(d.Overrule, "store it anyway"),
				Label:   named("Store anyway", d.Overrule),
				Do:      f.overrule,
			},
			{Binding: d.Cancel, Label: "Cancel", Do: closes},
		},
	}
	if f.typed == "" {
		edit.Off = "this text did not come from the editor"
		form.Buttons, form.Actions = form.Buttons[1:], []dialogAction{edit}
	}
	return form
}

// overrule repeats the order and allows the rules of the findings.
func (f *findingsDialog) overrule() formResult {
	o := f.plan.Order
	o.Allow = allowing(o.Allow, f.plan.Findings)
	return closing(msg.Order{Order: o})
}

// allowing returns the allowed rules plus the rules of findings, sorted and without duplicates.
func allowing(rules []string, findings []memory.Finding) []string {
	all := slices.Clone(rules)
	for _, f := range findings {
		all = append(all, f.Rule)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// typedIn returns the typed text that an order contains, or "".
func typedIn(o memory.Order) string {
	if o.Edit.Raw != nil {
		return *o.Edit.Raw
	}
	for _, text := range []*string{o.Edit.Title, o.Edit.Body, o.Edit.Outcome} {
		if (o.Do == memory.EditOne || o.Do == memory.AddOne) && text != nil {
			return *text
		}
	}
	return o.Form
}

// editAgain returns the request to continue editing the text of an order. Kept is the file that
// holds the text, or "".
func editAgain(o memory.Order, kept string) msg.Edit {
	e := msg.Edit{Raw: o.Edit.Raw != nil, Verified: o.Verified, Text: typedIn(o), Kept: kept}
	if o.Form == "" && !e.Raw {
		e.Fields, e.Text = o.Edit, ""
	}
	if len(o.IDs) > 0 {
		e.ID = o.IDs[0]
	}
	if len(o.Base) > 0 {
		e.Base = o.Base[0]
	}
	return e
}

// mistakeDialog is the dialog that says what is wrong with an edited text, and which file keeps the text.
type mistakeDialog struct {
	dialogState
	keys keymap.Map
	view views.Mistake
	edit msg.Edit
}

// newMistake returns the dialog for an invalid text. Request e opens the editor on it again.
func newMistake(k keymap.Map, err error, e msg.Edit) *mistakeDialog {
	return &mistakeDialog{keys: k, view: mistake(err, e.Kept), edit: e}
}

// mistake returns the view of an error in a text. Kept is the file that holds the text, or "".
func mistake(err error, kept string) views.Mistake {
	v := views.Mistake{What: err.Error(), Kept: kept}
	var p *memory.Problem
	if errors.As(err, &p) {
		v.Hint = p.Hint
	}
	return v
}

// form implements dialog.
func (m *mistakeDialog) form() dialogForm {
	d, left := m.keys.Dialog, "Nothing was changed; the text was thrown away"
	if m.edit.Kept != "" {
		left = "Nothing was changed; the text is in " + m.edit.Kept
	}
	return dialogForm{Keys: m.keys, View: m.view.Dialog, Buttons: []dialogAction{
		{Binding: d.Amend, Label: named("Edit again", d.Amend), Do: func() formResult { return closing(m.edit) }},
		{
			Binding: keymap.As(d.Cancel, "leave it"),
			Label:   named("Leave it", d.Cancel),
			Do:      func() formResult { return closing(msg.Toast{Text: left}) },
		},
	}}
}
