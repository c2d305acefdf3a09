package dialog

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/safe"
)

// Paths finds stores at paths that a person types.
type Paths interface {
	// Complete returns whole paths that begin with typed, in the form a person types them. Folders
	// end in a slash.
	Complete(ctx context.Context, typed string) []string
	// FindAt returns the stores at a typed path. The error says why there are none.
	FindAt(ctx context.Context, typed string) (memory.Survey, error)
}

// OpenPath is the dialog that asks for the path of a store, and completes it.
type OpenPath struct {
	state
	keys  keymap.Map
	ctx   context.Context
	paths Paths
	line  textline.Line
	view  views.OpenPath
	asked string // the text for which completions were last requested
}

// NewOpenPath returns the dialog with an initial text.
func NewOpenPath(ctx context.Context, k keymap.Map, paths Paths, text string) *OpenPath {
	d := &OpenPath{ctx: ctx, keys: k, paths: paths, asked: "-"}
	d.view.Cursor = -1
	d.line.Set(text)
	return d
}

// Form implements Dialog.
func (d *OpenPath) Form() Form {
	d.view.Query = d.line.Text()
	return Form{
		Keys: d.keys, View: d.view.Dialog, After: d.complete,
		List: &List{Len: len(d.view.Paths), Cursor: &d.view.Cursor, Again: d.open},
		Typed: &Typed{
			Line: &d.line, Changed: d.changed, Complete: d.completePath,
			Accept: Action{Binding: keymap.As(d.keys.Text.Accept, "open"), Do: d.open},
			Cancel: Action{Binding: keymap.As(d.keys.Text.Cancel, "close"), Do: closes},
		},
	}
}

// changed drops the offered paths that do not begin with the new text. A person who types faster
// than a folder is read thus never completes to a path that does not match.
func (d *OpenPath) changed() {
	d.view.Wrong, d.view.Cursor = "", -1
	d.view.Paths = slices.DeleteFunc(
		slices.Clone(d.view.Paths),
		func(p string) bool { return !strings.HasPrefix(p, d.line.Text()) },
	)
}

// complete requests completions if the text changed since the last request.
func (d *OpenPath) complete() tea.Cmd {
	text := d.line.Text()
	if text == d.asked {
		return nil
	}
	d.asked = text
	ctx, paths := d.ctx, d.paths
	return func() tea.Msg {
		list := paths.Complete(ctx, text)
		return Delivery{To: d, Do: func() tea.Cmd {
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
func (d *OpenPath) completePath() {
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
func (d *OpenPath) open() result {
	path := strings.TrimSpace(d.line.Text())
	if d.view.Cursor >= 0 {
		path = d.view.Paths[d.view.Cursor]
	}
	if path == "" || d.view.Busy {
		return result{}
	}
	d.view.Busy, d.view.Wrong = true, ""
	ctx, paths := d.ctx, d.paths
	return result{cmd: func() tea.Msg {
		found, err := paths.FindAt(ctx, path)
		return Delivery{To: d, Do: func() tea.Cmd {
			if d.view.Busy = false; err != nil {
				d.view.Wrong = views.Capital(err.Error()) + "."
				return nil
			}
			return msg.Emit(msg.Opened{Survey: found})
		}}
	}}
}
