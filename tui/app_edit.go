package tui

import (
	"cmp"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// A draft is an edit in the user's editor: the request, with the text typed last.
type draft struct {
	msg.Edit
	gen  int    // the generation of the store
	form string // the text as it was before the edit
}

func (a *App) onEdit(m msg.Edit) tea.Cmd {
	if form := a.formOf(m); form != nil {
		return a.push(form)
	}
	d := draft{Edit: m, gen: a.store.gen}
	if m.Text != "" {
		return a.edit(a.resume(d))
	}
	if last := a.changes.conflict; last.Text != "" && last.sameText(d) {
		last.Verified = d.Verified
		return a.edit(last) // it keeps its base, so the conflict is detected and shown again
	}
	r := a.recordOf(m.ID)
	if r != nil {
		if why := cannotEdit(r, m.Raw); why != "" {
			return a.say(why)
		}
		d.Base = r.Raw
	}
	if m.Raw {
		if r == nil {
			return a.say("Nothing to edit: the record is not loaded")
		}
		d.form, d.Text = r.Raw, r.Raw
		return a.edit(d)
	}
	ctx, curator, store := a.ctx, a.cfg.Curator, a.store.id
	return readCmd(
		a,
		"edit",
		func() (string, error) { return curator.Form(ctx, store, m.ID) },
		func(a *App, form string) tea.Cmd {
			d.form, d.Text = form, form
			return a.edit(d)
		},
	)
}

// sameText reports whether two drafts edit the same text.
func (d draft) sameText(other draft) bool {
	return d.gen == other.gen && d.ID == other.ID && d.Raw == other.Raw
}

// formOf returns the dialog that edits a lesson or a new one. It returns nil if the text must be
// edited in the user's editor: a stored line, a record whose texts the dialog cannot hold or whose
// secrets it would reveal, and a text that was already typed in the editor.
func (a *App) formOf(m msg.Edit) dialog {
	r, last := a.recordOf(m.ID), a.changes.conflict
	if m.ID == "" {
		r = &memory.Record{Outcome: memory.Succeeded}
	}
	switch {
	case r == nil || m.Raw || m.Verified || m.Text != "" || !a.store.snap.Described.ByLine ||
		cannotEdit(r, false) != "":
	case last.Text != "" && last.gen == a.store.gen && last.ID == m.ID:
	case len(r.Secrets) > 0: // also while they are shown: e opens the same thing for the same record
	default:
		if form := newEdit(a.cfg.Keys, *r, a.store.snap.Noun, m.Fields, a.cfg.Editor); form != nil {
			return form
		}
	}
	return nil
}

// cannotEdit returns why a record cannot be edited here, or "". If raw is set, the stored line is
// edited.
func cannotEdit(r *memory.Record, raw bool) string {
	return cmp.Or(page.When(r.Fixed != "", "Nothing changed: "+r.Fixed),
		page.When(r.RawCut(), "This line is too long to edit here: open the file in an editor"),
		page.When(r.Problem != nil && !raw, "This record is damaged: E edits its stored line"))
}

// resume returns d with the original text and the base of the last draft, if that edits the same
// text.
func (a *App) resume(d draft) draft {
	if last := a.changes.draft; last.sameText(d) {
		d.form, d.Base = last.form, cmp.Or(d.Base, last.Base)
	}
	return d
}

// edit returns the command that writes the text to a file and opens the editor on it.
func (a *App) edit(d draft) tea.Cmd {
	editor := a.cfg.Editor
	return func() tea.Msg {
		return editor.Edit(d.Text, func(text string, err error) tea.Msg {
			d.Text = text
			return rootFunc(func(a *App) tea.Cmd { return a.onTyped(d, err) })
		})()
	}
}

// onTyped orders the change that was typed, unless the text is the same as before. An edit that only
// verifies a record may leave its text the same.
func (a *App) onTyped(d draft, err error) tea.Cmd {
	switch {
	case err != nil:
		return a.fail(
			msg.Failed{Op: "Nothing changed", Err: fmt.Errorf("%w; set EDITOR or VISUAL to your editor", err)},
		)
	case d.gen != a.store.gen:
		return a.fail(msg.Failed{Op: "edit", Err: errOtherStore})
	case strings.TrimSpace(d.Text) == "":
		return tea.Batch(a.say("Nothing changed: the text is empty"), a.cfg.Editor.RemoveKept())
	case withoutLineEnd(d.Text) == withoutLineEnd(d.form) && !d.Verified:
		return tea.Batch(a.say("Nothing changed: the text is the same"), a.cfg.Editor.RemoveKept())
	}
	a.changes.draft = d
	return a.onChange(msg.Order{Order: d.order()})
}

// onLeftToThem forgets what was typed, because the person chose the other writer's version.
func (a *App) onLeftToThem() tea.Cmd {
	cmd := a.say("Kept the other writer's version")
	if a.changes.conflict.Text != "" {
		cmd = tea.Batch(cmd, a.cfg.Editor.RemoveKept())
	}
	a.changes.conflict = draft{}
	return cmd
}

// withoutLineEnd returns text without the line end that editors add.
func withoutLineEnd(text string) string { return strings.TrimRight(text, "\r\n") }

// order returns the order that stores what was typed.
func (d draft) order() memory.Order {
	o := memory.Order{Do: memory.EditOne, Form: d.Text, Verified: d.Verified}
	if d.Raw {
		line := withoutLineEnd(d.Text)
		o.Form, o.Edit.Raw = "", &line
	}
	if d.ID == "" {
		o.Do = memory.AddOne
		return o
	}
	o.IDs = []memory.ID{d.ID}
	if d.Base != "" {
		o.Base = []string{d.Base}
	}
	return o
}
