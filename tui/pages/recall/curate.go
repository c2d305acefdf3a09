package recall

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/msg"
)

func hasLesson(p *Page) bool {
	return p.view.Ready && p.target() != ""
}

// refused reports whether a key would change a store that cannot be changed. It
// still says why, but is not listed.
func (p *Page) refused(b keymap.Binding) bool {
	c := p.cfg.Keys.Curate
	return p.snap.ReadOnly != "" && (b.Help() == c.Delete.Help() || b.Help() == c.Edit.Help())
}

// delete asks for the removal of the chosen lesson, as it was read last.
func (p *Page) delete() tea.Cmd {
	id := p.target()
	records := p.snap.Records
	i := slices.IndexFunc(records, func(r memory.Record) bool { return r.ID == id })
	if i < 0 { // it stands in another part of a large store
		return msg.Emit(msg.Order{Order: memory.Order{Do: memory.Delete, IDs: []memory.ID{id}}, Ask: true})
	}
	return msg.Emit(msg.OrderOf(memory.Delete, []*memory.Record{&records[i]}))
}

func (p *Page) editLesson() tea.Cmd {
	return msg.Emit(msg.Edit{ID: p.target()})
}
