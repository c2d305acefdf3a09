package overlay

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
	"winnow/views"
	"winnow/views/theme"
)

// History shows what was done to a store, and takes it back to an earlier state.
type History struct {
	facts
	pointer
	scroll
	keys    keymap.Map
	history memory.History
	cursor  int
	change  int
	follow  bool // the changes scroll to the chosen one
}

// NewHistory returns the dialog.
func NewHistory(k keymap.Map, h memory.History) *History { return &History{keys: k, history: h} }

// Update implements Dialog. What is ordered is shown before it is done, but for undo
// and redo.
func (h *History) Update(m tea.Msg) (tea.Cmd, bool) {
	if wheel, ok := m.(msg.Wheel); ok {
		h.to(h.cursor + wheel.Lines)
	}
	if s, ok := h.spot(m); ok && s.Row >= 0 {
		h.to(s.Row)
	}
	k, ok := m.(tea.KeyPressMsg)
	d, g := h.keys.Dialog, h.keys.Global
	switch {
	case !ok:
	case key.Matches(k, d.Cancel, g.History):
		return nil, false
	case key.Matches(k, g.Undo):
		return msg.Emit(msg.Order{Order: memory.Order{Do: memory.Undo}}), false
	case key.Matches(k, g.Redo):
		return msg.Emit(msg.Order{Order: memory.Order{Do: memory.Redo}}), false
	case key.Matches(k, d.Press, d.Restore):
		return h.restore(nil)
	case key.Matches(k, d.RestoreOne):
		return h.restoreOne()
	default:
		h.move(k)
	}
	return nil, true
}

// entry returns the entry at the cursor, or nil.
func (h *History) entry() *memory.Entry {
	if h.cursor >= len(h.history.Entries) {
		return nil
	}
	return &h.history.Entries[h.cursor]
}

// restore orders that the store, or records of it, become as they were after the
// entry.
func (h *History) restore(ids []memory.ID) (tea.Cmd, bool) {
	e := h.entry()
	if e == nil {
		return nil, true
	}
	o := memory.Order{Do: memory.Restore, Entry: e.ID, IDs: ids}
	return msg.Emit(msg.Order{Order: o, Ask: true}), false
}

func (h *History) restoreOne() (tea.Cmd, bool) {
	e := h.entry()
	if e == nil || h.change >= len(e.Changes) {
		return nil, true
	}
	return h.restore([]memory.ID{e.Changes[h.change].ID})
}

// move goes through the entries, and left and right through the changes of one.
func (h *History) move(k tea.KeyPressMsg) {
	d := h.keys.Dialog
	switch {
	case key.Matches(k, d.Up):
		h.to(h.cursor - 1)
	case key.Matches(k, d.Down):
		h.to(h.cursor + 1)
	case key.Matches(k, d.Top):
		h.to(0)
	case key.Matches(k, d.Bottom):
		h.to(len(h.history.Entries))
	case key.Matches(k, d.Left, d.FocusBack):
		h.choose(h.change - 1)
	case key.Matches(k, d.Right, d.Focus):
		h.choose(h.change + 1)
	default:
		h.onKey(d, k)
	}
}

func (h *History) to(entry int) {
	h.cursor = clamp(entry, len(h.history.Entries))
	h.change, h.offset = 0, 0
}

func (h *History) choose(change int) {
	if e := h.entry(); e != nil {
		h.change, h.follow = clamp(change, len(e.Changes)), true
	}
}

// Render implements Dialog.
func (h *History) Render(t theme.Theme, w, height int) string {
	v := views.History{History: h.history, Cursor: h.cursor, Change: h.change, Reveal: h.reveal, Now: h.now}
	if h.follow {
		h.offset, h.follow = v.ChangeLine(t, w), false
	}
	h.drawn(v.Last(t, w, height))
	v.Offset = h.offset
	h.shows(v, t, w, height)
	return v.Render(t, w, height)
}

// Keys implements Dialog.
func (h *History) Keys() []keymap.Binding {
	d, g := h.keys.Dialog, h.keys.Global
	list := []keymap.Binding{keymap.Named(d.Down, "j/k", "entry"), keymap.Named(d.Cancel, "Esc", "close")}
	if e := h.entry(); e != nil {
		list = append(list, keymap.Named(d.Press, "Enter", "restore to here"), d.RestoreOne)
		if len(e.Changes) > 1 {
			list = append(list, keymap.Named(d.Right, "h/l", "record"))
		}
	}
	if h.history.Undo != "" {
		list = append(list, g.Undo)
	}
	if h.history.Redo != "" {
		list = append(list, g.Redo)
	}
	if h.last > 0 {
		list = append(list, d.PageDown, d.PageUp)
	}
	return list
}
