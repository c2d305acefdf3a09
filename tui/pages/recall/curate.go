package recall

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
)

// delete asks to delete the chosen record, in the form last read.
func (p *Page) delete() tea.Cmd {
	id := p.target()
	records := p.snap.Records
	i := slices.IndexFunc(records, func(r memory.Record) bool { return r.ID == id })
	if i < 0 { // not among the records loaded, so the form is unknown
		return msg.Emit(msg.Order{Order: memory.Order{Do: memory.Delete, IDs: []memory.ID{id}}, Ask: true})
	}
	return msg.Emit(msg.OrderOf(memory.Delete, []*memory.Record{&records[i]}))
}
