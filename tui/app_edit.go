package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/dialog"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// A draft is a text for the user's editor, or one that came from there.
type draft struct {
	gen int
	id  memory.ID // empty for a new record
	raw bool      // the text is the stored form itself
	// verified says that the person checked what the text then says.
	verified bool
	// base is the stored form as it was when the editor was opened first; empty when
	// it is not known, and for a new record.
	base string
	// form is the text that means no change.
	form string
	text string
}

func (a *App) onEdit(m msg.Edit) tea.Cmd {
	if form := a.formOf(m); form != nil {
		return a.push(form)
	}
	if a.cfg.Editor == nil {
		return a.say("No editor here: use winnow edit")
	}
	d := draft{gen: a.store.gen, id: m.ID, raw: m.Raw, verified: m.Verified, base: m.Base, text: m.Text}
	if m.Text != "" {
		return a.edit(a.resume(d))
	}
	if last := a.changes.conflict; last.text != "" && last.gen == d.gen && last.id == d.id && last.raw == d.raw {
		last.verified = d.verified
		return a.edit(last) // with its base: what they made of the record is shown again
	}
	r := a.recordOf(m.ID)
	if r != nil {
		if why := cannotEdit(r, m.Raw); why != "" {
			return a.say(why)
		}
		d.base = r.Raw
	}
	if m.Raw {
		if r == nil {
			return a.say("Nothing to edit: the record is not loaded")
		}
		d.form, d.text = r.Raw, r.Raw
		return a.edit(d)
	}
	ctx, curator, store := a.ctx, a.cfg.Curator, a.store.id
	return func() tea.Msg {
		form, err := curator.Form(ctx, store, d.id)
		d.form, d.text = form, form
		return then(func(a *App) tea.Cmd {
			switch {
			case err != nil:
				return a.fail(msg.Failed{Op: "edit", Err: err})
			case d.gen != a.store.gen:
				return nil
			}
			return a.edit(d)
		})
	}
}

// formOf returns the form of a lesson, or nil for what is edited in an editor: a stored line, a new
// record, one whose texts the form cannot hold or would show secrets of, and a text that was typed
// there before.
func (a *App) formOf(m msg.Edit) dialog.Dialog {
	r, last := a.recordOf(m.ID), a.changes.conflict
	switch {
	case r == nil || m.Raw || m.Verified || m.Text != "" || !a.store.snap.Described.ByLine || cannotEdit(r, false) != "":
	case last.text != "" && last.gen == a.store.gen && last.id == m.ID:
	case len(r.Secrets) > 0 && !a.reveal:
	default:
		var editor dialog.Editor
		if a.cfg.Editor != nil {
			editor = a.cfg.Editor
		}
		if form := dialog.NewEdit(a.cfg.Keys, *r, a.store.snap.Noun, m.Fields, editor); form != nil {
			return form
		}
	}
	return nil
}

// cannotEdit says why a record cannot be edited in this form, or returns nothing.
func cannotEdit(r *memory.Record, raw bool) string {
	return cmp.Or(page.When(r.Fixed != "", "Nothing changed: "+r.Fixed),
		page.When(r.RawCut(), "This line is too long to edit here: open the file in an editor"),
		page.When(r.Problem != nil && !raw, "This record is damaged: E edits its stored line"))
}

// resume returns d with what is known of a text that was typed before.
func (a *App) resume(d draft) draft {
	last := a.changes.draft
	if last.gen != d.gen || last.id != d.id || last.raw != d.raw {
		return d
	}
	d.form, d.base = last.form, cmp.Or(d.base, last.base)
	return d
}

// edit returns the command that opens the editor, for which a file is written.
func (a *App) edit(d draft) tea.Cmd {
	editor := a.cfg.Editor
	return func() tea.Msg {
		open := editor.Edit(d.text, func(text string, err error) tea.Msg {
			d.text = text
			return then(func(a *App) tea.Cmd { return a.onTyped(d, err) })
		})
		return open()
	}
}

// onTyped orders what was typed, when it is something else than before.
func (a *App) onTyped(d draft, err error) tea.Cmd {
	switch {
	case err != nil:
		return a.fail(msg.Failed{Op: "Nothing changed", Err: fmt.Errorf("%w; set EDITOR or VISUAL to your editor", err)})
	case d.gen != a.store.gen:
		return a.fail(msg.Failed{Op: "edit", Err: errOtherStore})
	case strings.TrimSpace(d.text) == "":
		return tea.Batch(a.say("Nothing changed: the text is empty"), a.cfg.Editor.RemoveKept())
	case ended(d.text) == ended(d.form) && !d.verified:
		return tea.Batch(a.say("Nothing changed: the text is the same"), a.cfg.Editor.RemoveKept())
	}
	a.changes.draft = d
	return a.onChange(msg.Order{Order: d.order()})
}

// onLeftToThem forgets what was typed, as the person chose what another writer made of the
// record.
func (a *App) onLeftToThem() tea.Cmd {
	cmd := a.say("Kept the other writer's version")
	if a.changes.conflict.text != "" && a.cfg.Editor != nil {
		cmd = tea.Batch(cmd, a.cfg.Editor.RemoveKept())
	}
	a.changes.conflict = draft{}
	return cmd
}

// ended returns a text without the line end that editors add.
func ended(text string) string { return strings.TrimRight(text, "\r\n") }

// order returns what was typed as an order.
func (d draft) order() memory.Order {
	o := memory.Order{Do: memory.EditOne, Form: d.text, Verified: d.verified}
	if d.raw {
		line := ended(d.text)
		o.Form, o.Edit.Raw = "", &line
	}
	if d.id == "" {
		o.Do = memory.AddOne
		return o
	}
	o.IDs = []memory.ID{d.id}
	if d.base != "" {
		o.Base = []string{d.base}
	}
	return o
}
