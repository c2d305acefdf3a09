package overlay

import (
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/tui/textline"
	"winnow/views"
	"winnow/views/theme"
)

// Help lists the bindings of a place, and runs one.
type Help struct {
	pointer
	keys   keymap.Map
	place  string
	legend []string
	all    []views.HelpKey
	shown  []views.HelpKey
	cursor int
	filter textline.Line
	typing bool
}

// NewHelp returns the overlay for the bindings that are active in a place, those that are
// off with their reasons, and the legend of its letters and signs.
func NewHelp(k keymap.Map, place string, active []keymap.Binding, off []keymap.Off, legend []string) *Help {
	h := &Help{keys: k, place: place, legend: legend}
	for _, b := range active {
		if b.Enabled() {
			h.all = append(h.all, views.HelpKey{Binding: b})
		}
	}
	for _, o := range off {
		for _, b := range o.Bindings {
			h.all = append(h.all, views.HelpKey{Binding: b, Off: o.Why})
		}
	}
	h.shown = h.all
	return h
}

// Update implements Dialog.
func (h *Help) Update(m tea.Msg) (tea.Cmd, bool) {
	k, isKey := m.(tea.KeyPressMsg)
	switch {
	case !isKey:
		if s, ok := h.spot(m); ok && s.Row >= 0 {
			return h.click(s.Row)
		}
		h.onPointer(m)
	case key.Matches(k, h.keys.Text.Accept):
		return h.run()
	case key.Matches(k, h.keys.Global.Back):
		return nil, h.back()
	case h.typing && h.filter.Update(h.keys.Text, k):
		h.narrow()
	case h.typing && k.Text != "": // the filter is full
	case key.Matches(k, h.keys.Global.Help, h.keys.Global.Quit):
		return nil, false
	case key.Matches(k, h.keys.Lessons.Filter):
		h.typing = true
	default:
		h.cursor = moved(h.keys.Move, k, h.cursor, len(h.shown))
	}
	return nil, true
}

// click goes to a binding; a second click runs it.
func (h *Help) click(row int) (tea.Cmd, bool) {
	if row == h.cursor {
		return h.run()
	}
	h.cursor = row
	return nil, true
}

func (h *Help) onPointer(m tea.Msg) {
	switch m := m.(type) {
	case msg.Wheel:
		h.cursor = clamp(h.cursor+m.Lines, len(h.shown))
	case tea.PasteMsg:
		if h.typing && h.filter.Update(h.keys.Text, m) {
			h.narrow()
		}
	}
}

// back takes the filter away, or closes.
func (h *Help) back() (open bool) {
	if !h.typing && h.filter.Text() == "" {
		return false
	}
	h.typing = false
	h.filter.Set("")
	h.narrow()
	return true
}

// run closes the overlay and presses the key of the chosen binding.
func (h *Help) run() (tea.Cmd, bool) {
	if h.cursor >= len(h.shown) {
		return nil, true
	}
	return msg.Emit(msg.Press(h.shown[h.cursor].Binding.Keys()[0])), false
}

func (h *Help) narrow() {
	h.shown, h.cursor = nil, 0
	want := strings.Fields(strings.ToLower(h.filter.Text()))
	for _, b := range h.all {
		text := strings.ToLower(strings.Join(b.Binding.Keys(), " ") + " " + b.Binding.Help().Key + " " + views.OffText(b.Binding, b.Off))
		if containsAll(text, want) {
			h.shown = append(h.shown, b)
		}
	}
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// Render implements Dialog.
func (h *Help) Render(t theme.Theme, w, height int) string {
	v := views.Help{
		Place: h.place, Keys: h.shown, Cursor: h.cursor, Filter: h.filter.Text(), Typing: h.typing,
		Legend: h.legend,
	}
	h.shows(v, t, w, height)
	return v.Render(t, w, height)
}

// Keys implements Dialog.
func (h *Help) Keys() []keymap.Binding {
	do, choose := keymap.Named(h.keys.Text.Accept, "Enter", "do it"), keymap.Named(h.keys.Text.Older, "up/down", "choose")
	if h.typing {
		return []keymap.Binding{do, choose, keymap.Named(h.keys.Text.Cancel, "Esc", "all keys")}
	}
	return []keymap.Binding{do, choose, h.keys.Lessons.Filter, keymap.Named(h.keys.Global.Back, "Esc", "close")}
}

// moved returns where a key of a list of n rows moves the cursor to.
func moved(k keymap.Move, m tea.KeyPressMsg, at, n int) int {
	const page = 10
	for _, step := range []struct {
		binding keymap.Binding
		by      int
	}{
		{k.Up, -1}, {k.Down, +1}, {k.PageUp, -page}, {k.PageDown, +page},
		{k.HalfUp, -page / 2}, {k.HalfDown, +page / 2}, {k.Top, -n}, {k.Bottom, +n},
	} {
		if key.Matches(m, step.binding) {
			return clamp(at+step.by, n)
		}
	}
	return at
}

func clamp(i, n int) int { return max(0, min(i, n-1)) }
