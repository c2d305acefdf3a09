package tui

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/safe"
)

// openPathDialog is the dialog that asks for the path of a store, and completes it.
type openPathDialog struct {
	dialogState
	keys   keymap.Map
	ctx    context.Context
	finder Finder
	line   page.TextLine
	view   views.OpenPath
	asked  string // the text for which completions were last requested
}

// newOpenPath returns the dialog with an initial text.
func newOpenPath(ctx context.Context, k keymap.Map, finder Finder, text string) *openPathDialog {
	d := &openPathDialog{ctx: ctx, keys: k, finder: finder, asked: "-"}
	d.view.Cursor = -1
	d.line.Set(text)
	return d
}

// form implements dialog.
func (d *openPathDialog) form() dialogForm {
	d.view.Query = d.line.Text()
	return dialogForm{
		Keys: d.keys, View: d.view.Dialog, After: d.complete,
		List: &formList{Len: len(d.view.Paths), Cursor: &d.view.Cursor, Again: d.open},
		Typed: &typedText{
			Line: &d.line, Changed: d.changed, Complete: d.completePath,
			Accept: dialogAction{Binding: keymap.As(d.keys.Text.Accept, "open"), Do: d.open},
			Cancel: dialogAction{Binding: keymap.As(d.keys.Text.Cancel, "close"), Do: closes},
		},
	}
}

// changed drops the offered paths that do not begin with the new text. A person who types faster
// than a folder is read thus never completes to a path that does not match.
func (d *openPathDialog) changed() {
	d.view.Wrong, d.view.Cursor = "", -1
	d.view.Paths = slices.DeleteFunc(
		slices.Clone(d.view.Paths),
		func(p string) bool { return !strings.HasPrefix(p, d.line.Text()) },
	)
}

// complete requests completions if the text changed since the last request.
func (d *openPathDialog) complete() tea.Cmd {
	text := d.line.Text()
	if text == d.asked {
		return nil
	}
	d.asked = text
	ctx, finder := d.ctx, d.finder
	return func() tea.Msg {
		list := finder.Complete(ctx, text)
		return delivery{To: d, Do: func() tea.Cmd {
			if text == d.asked {
				d.view.Paths, d.view.Cursor = list, -1
			}
			return nil
		}}
	}
}

// completePath completes the text to the path at the cursor, or to the common prefix of all offered paths.
// It leaves the text alone if the completion has characters that cannot be typed; such a path can
// only be chosen.
func (d *openPathDialog) completePath() {
	list := d.view.Paths
	if d.view.Cursor >= 0 {
		list = list[d.view.Cursor:][:1]
	}
	if len(list) == 0 {
		return
	}
	least, most := slices.Min(list), slices.Max(list)
	n := 0
	for n < min(len(least), len(most)) && least[n] == most[n] {
		n++
	}
	if begun := least[:safe.RuneStart(least, n)]; safe.Line(begun) == begun && len(begun) > len(d.line.Text()) {
		d.line.Set(begun)
	}
}

// open looks for stores at the path under the cursor, or at the typed path if there is no cursor.
func (d *openPathDialog) open() formResult {
	path := strings.TrimSpace(d.line.Text())
	if d.view.Cursor >= 0 {
		path = d.view.Paths[d.view.Cursor]
	}
	if path == "" || d.view.Busy {
		return formResult{}
	}
	d.view.Busy, d.view.Wrong = true, ""
	ctx, finder := d.ctx, d.finder
	return formResult{cmd: func() tea.Msg {
		found, err := finder.FindAt(ctx, path)
		return delivery{To: d, Do: func() tea.Cmd {
			if d.view.Busy = false; err != nil {
				d.view.Wrong = views.Capital(err.Error()) + "."
				return nil
			}
			return msg.Emit(msg.Opened{Survey: found})
		}}
	}}
}
