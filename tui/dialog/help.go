package dialog

import (
	"strings"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
)

// Help is the dialog that lists the keys of a page, and runs the one chosen.
type Help struct {
	state
	keys   keymap.Map
	all    []views.HelpKey
	view   views.Help
	filter textline.Line
}

// NewHelp returns the dialog. Place names the page in the title, and legend explains its letters and
// signs.
func NewHelp(k keymap.Map, place string, keys []views.HelpKey, legend []string) *Help {
	search := views.Search{Title: "Keys: " + place, Prompt: k.Lessons.Filter.Help().Key}
	return &Help{keys: k, all: keys, view: views.Help{Search: search, Keys: keys, Legend: legend}}
}

// Form implements Dialog.
func (h *Help) Form() Form {
	v, g := &h.view, h.keys.Global
	run := Action{Binding: keymap.As(h.keys.Text.Accept, "do it"), Do: h.run}
	f := Form{Keys: h.keys, View: v.Dialog, List: &List{Len: len(v.Keys), Cursor: &v.Cursor, Again: h.run}}
	if v.Typing {
		all := Action{Binding: keymap.As(h.keys.Text.Cancel, "all keys"), Do: thenStay(h.showAll)}
		f.Typed = &Typed{Line: &h.filter, Changed: h.narrow, Accept: run, Cancel: all}
		return f
	}
	leave := closes
	if v.Query != "" {
		leave = thenStay(h.showAll)
	}
	f.Actions = []Action{
		run, {Binding: h.keys.Lessons.Filter, Do: thenStay(func() { v.Typing = true })}, {Binding: keymap.As(g.Back, "close"), Do: leave},
		{Binding: g.Help, Do: closes, Hidden: true}, {Binding: g.Quit, Do: closes, Hidden: true},
	}
	return f
}

// showAll clears the filter.
func (h *Help) showAll() {
	h.view.Typing = false
	h.filter.Set("")
	h.narrow()
}

// run closes the dialog and presses the key of the chosen binding.
func (h *Help) run() result {
	if h.view.Cursor >= len(h.view.Keys) {
		return result{}
	}
	return closing(msg.Press(h.view.Keys[h.view.Cursor].Binding.Keys()[0]))
}

// narrow lists the bindings that contain all words of the filter.
func (h *Help) narrow() {
	v := &h.view
	v.Query, v.Cursor, v.Keys = h.filter.Text(), 0, nil
	for _, b := range h.all {
		if hasWords(strings.Join(b.Binding.Keys(), " ")+" "+b.Binding.Help().Key+" "+views.OffText(b.Binding, b.Off), v.Query) {
			v.Keys = append(v.Keys, b)
		}
	}
}
