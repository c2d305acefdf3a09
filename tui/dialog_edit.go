package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// editDialog is the dialog that edits the title, text and outcome of a lesson. A record without an ID is
// a new one.
type editDialog struct {
	dialogState
	keys    keymap.Map
	editor  Editor
	record  memory.Record
	noun    memory.Noun
	lines   [2]page.TextLine
	outcome int // index in outcomes, or -1 if the record has another outcome
	wrong   string
	leaving leaving
}

// The fields of editDialog.
const (
	onTitle = iota
	onText
	onOutcome
	editFields
)

func outcomes() []string { return []string{string(memory.Succeeded), string(memory.Failed)} }

// newEdit returns the dialog for a record. Typed are texts typed earlier, which replace those of
// the record. newEdit returns nil if a text field cannot hold one of the texts unchanged.
func newEdit(k keymap.Map, r memory.Record, noun memory.Noun, typed memory.Edit, editor Editor) *editDialog {
	d := &editDialog{
		keys:    k,
		editor:  editor,
		record:  r,
		noun:    noun,
		outcome: slices.Index(outcomes(), string(r.Outcome)),
	}
	for i, texts := range [][2]*string{{&r.Title, typed.Title}, {&r.Body, typed.Body}} {
		d.lines[i].Many = true
		for _, text := range texts {
			if text == nil {
				continue
			}
			if d.lines[i].Set(*text); d.lines[i].Text() != *text {
				return nil
			}
		}
	}
	if typed.Outcome != nil {
		d.outcome = slices.Index(outcomes(), *typed.Outcome)
	}
	return d
}

// form implements dialog.
func (d *editDialog) form() dialogForm {
	on := d.keys.Dialog
	save := dialogAction{Binding: keymap.As(on.Confirm, "save"), Label: named("Save", d.keys.Text.Accept), Do: d.save}
	choice := views.Field{Name: "Outcome", Choices: outcomes(), Chosen: d.outcome}
	view := views.Editing{Record: &d.record, Noun: d.noun}
	view.Wrong, view.Focus = d.wrong, d.focus
	for i, name := range []string{"Title", "Text"} {
		view.Fields = append(view.Fields, views.Field{Name: name, Text: d.lines[i].Text(), Before: d.lines[i].Before()})
	}
	view.Fields = append(view.Fields, choice)
	f := dialogForm{
		Keys: d.keys, View: view.Dialog, Fields: editFields,
		Buttons: []dialogAction{{Binding: on.Cancel, Label: named("Cancel", on.Cancel), Do: d.cancel}, save},
		Click: func(l views.Look, w, h int, s views.DialogCell) {
			if i := choice.ChoiceAt(s.X); i >= 0 && s.Row == view.Dialog(l, w, h).Rows-1 {
				d.outcome = i
			}
		},
	}
	if d.focus < len(d.lines) {
		f.Typed = newTyped(d.keys, &d.lines[d.focus], save)
		f.Typed.Changed = func() { d.wrong, d.leaving.asked = "", false }
		f.Typed.Cancel.Do = d.cancel
		f.Typed.Also = dialogAction{Binding: keymap.As(d.keys.Recall.Editor, "text in $EDITOR"), Do: d.openEditor}
		return f
	}
	other := thenStay(func() { d.outcome = (d.outcome + 1) % len(outcomes()) })
	f.Actions = []dialogAction{
		{Binding: keymap.Both(on.Right, on.Left, "outcome"), Do: other},
		{Binding: on.Pick, Do: other, Hidden: true},
		{Binding: on.Left, Do: other, Hidden: true},
	}
	return f
}

// cancel leaves the record as it is. It asks first if something was typed.
func (d *editDialog) cancel() formResult {
	typed := d.lines[onTitle].Text() != d.record.Title || d.lines[onText].Text() != d.record.Body
	return d.leaving.leave(d.keys, typed, &d.wrong)
}

// openEditor opens the text field, without the other fields, in the user's editor.
func (d *editDialog) openEditor() formResult {
	line := &d.lines[onText]
	return formResult{cmd: func() tea.Msg {
		return d.editor.Edit(line.Text(), func(text string, err error) tea.Msg {
			return delivery{To: d, Do: func() tea.Cmd { return d.takeText(line, text, err) }}
		})()
	}}
}

// takeText puts a non-empty text from the editor into line, and removes the editor's file. If the
// editor failed or line cannot hold the text, line keeps its old text and the file stays.
func (d *editDialog) takeText(line *page.TextLine, text string, err error) tea.Cmd {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	before := line.Text()
	switch {
	case err != nil:
		d.wrong = err.Error()
		return nil
	case text == "":
		d.wrong = "The text from the editor is empty: nothing was taken."
	default:
		if line.Set(text); line.Text() != text {
			line.Set(before)
			d.wrong = "The text from the editor is too long or has control characters: " +
				d.keys.Curate.EditRaw.Help().Key + " edits the line as stored."
			return nil
		}
		d.wrong = ""
	}
	return d.editor.RemoveKept()
}

// save orders the fields that differ from the record, or a new record.
func (d *editDialog) save() formResult {
	title, text := d.lines[onTitle].Text(), d.lines[onText].Text()
	if d.record.ID == "" {
		return d.add(title, text)
	}
	o := memory.Order{Do: memory.EditOne, IDs: []memory.ID{d.record.ID}, Base: []string{d.record.Raw}}
	if title != d.record.Title {
		o.Edit.Title = &title
	}
	if text != d.record.Body {
		o.Edit.Body = &text
	}
	if d.outcome >= 0 && outcomes()[d.outcome] != string(d.record.Outcome) {
		o.Edit.Outcome = &outcomes()[d.outcome]
	}
	if typedIn(o) == "" && o.Edit == (memory.Edit{}) {
		return closing(msg.Toast{Text: "Nothing changed: the text is the same"})
	}
	return closing(msg.Order{Order: o})
}

func (d *editDialog) add(title, text string) formResult {
	if title == "" || text == "" {
		d.wrong = "A new " + d.noun.OrRecord().One + " needs a title and a text."
		return formResult{}
	}
	e := memory.Edit{Title: &title, Body: &text, Outcome: &outcomes()[max(d.outcome, 0)]}
	return closing(msg.Order{Order: memory.Order{Do: memory.AddOne, Edit: e}})
}
