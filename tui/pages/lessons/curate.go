package lessons

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
)

// curateActions returns the keys that change records. Their actions only send requests: the root
// makes the plan, and shows it if necessary. The rarely used keys are separate, to be listed last.
func (p *Page) curateActions() (first, rare page.Actions) {
	k, s, r, unless := p.keys.Curate, &p.shown.snap, p.record(), page.Unless
	one, marked, fixed := p.noun().One, len(p.at.Marked), p.whyFixed()
	readOnly := page.WhyReadOnly(s)
	unwritable := cmp.Or(readOnly, p.whyNoRow())
	// a missing or empty store can also get a record
	begun := s.Problem == nil || s.Problem.Code != "missing" && s.Problem.Code != "empty"
	noMerge := cmp.Or(unwritable, unless(marked >= 2 || r != nil && len(r.Similar) > 0,
		"no similar "+one+" here; mark two or more with "+p.keys.Select.Mark.Help().Key))
	noSecret := cmp.Or(fixed, unless(marked > 0 || r != nil && len(r.Secrets) > 0, "the "+one+" holds no secret"))
	stops := slices.ContainsFunc(
		s.Health,
		func(h memory.Health) bool { return h.Level == memory.Stop || h.Code == "frozen" },
	)
	edit := func(m msg.Edit) func() tea.Cmd { return func() tea.Cmd { return msg.Emit(m) } }
	first = page.Actions{
		{Binding: k.Delete, Off: fixed, Run: p.delete},
		{Binding: k.Edit, Off: fixed, Run: edit(msg.Edit{ID: p.id()})},
		{Binding: k.Redact, Off: noSecret, Run: p.redact},
		{Binding: k.Merge, Off: noMerge, Run: p.merge},
		{
			Binding: k.Pin,
			Off:     unwritable,
			Run:     p.pin,
			Name:    page.When(marked == 0 && r != nil && r.Flags&memory.FlagPinned != 0, "unpin"),
		},
		{Binding: k.Prune, Off: unwritable, Run: p.prune},
		{
			Binding: k.Repair,
			Off:     cmp.Or(readOnly, p.whyNotLoaded(), unless(stops, "nothing here stops the agent")),
			Run:     p.repair,
		},
	}
	rare = page.Actions{
		{Binding: k.EditRaw, Off: fixed, Run: edit(msg.Edit{ID: p.id(), Raw: true})},
		{
			Binding: k.When,
			Off:     cmp.Or(fixed, unless(s.Described.When, "this store keeps no moment")),
			Run:     p.when,
		},
		{
			Binding: k.Verify,
			Off:     cmp.Or(fixed, unless(s.Dated, "an edit here always sets the date")),
			Run:     edit(msg.Edit{ID: p.id(), Verified: true}),
		},
		{Binding: k.Add, Off: cmp.Or(readOnly, page.When(begun, p.whyNotLoaded())), Run: edit(msg.Edit{})},
	}
	return first, rare
}

// whyFixed returns why the chosen records can neither be edited nor deleted, or "".
func (p *Page) whyFixed() string {
	why := cmp.Or(page.WhyReadOnly(&p.shown.snap), p.whyNoRow())
	if why != "" || len(p.at.Marked) > 0 {
		return why
	}
	return p.record().Fixed
}

func (p *Page) delete() tea.Cmd { return p.order(memory.Delete) }

// when asks at which moment the lesson under the cursor is to be told.
func (p *Page) when() tea.Cmd {
	r := p.record()
	return msg.Emit(msg.When{Name: r.Title, Text: r.When, Do: func(when string) tea.Cmd {
		o := memory.Order{Do: memory.EditOne, IDs: []memory.ID{r.ID}, Base: []string{r.Raw}}
		o.Edit.When = &when
		return msg.Emit(msg.Order{Order: o})
	}})
}

func (p *Page) redact() tea.Cmd { return p.order(memory.Redact) }

// repair asks for the change that lets the agent continue: a repair if something stops it, and
// otherwise room in a full store.
func (p *Page) repair() tea.Cmd {
	return msg.Emit(msg.Order{Order: memory.Order{Do: memory.Repair}, Ask: true})
}

// order asks for a change of the chosen records.
func (p *Page) order(do memory.Act) tea.Cmd {
	records, rows := p.shown.snap.Records, p.targets()
	if r := &records[rows[0]]; len(rows) == 1 && r.Fixed != "" {
		return msg.Emit(msg.Toast{Text: "Nothing changed: " + r.Fixed})
	}
	return func() tea.Msg { return msg.OrderOf(do, recordsAt(records, rows)) }
}

// targets returns the marked records in stored order, including those of a range already begun. If
// none is marked, it returns the one under the cursor.
func (p *Page) targets() []int32 {
	if p.at.Range >= 0 {
		p.ToggleRange()
	}
	if len(p.at.Marked) == 0 {
		return []int32{p.shown.result.Index[p.at.Cursor]}
	}
	var list []int32
	for i := range p.shown.snap.Records {
		if p.at.Marked[string(p.shown.snap.Records[i].ID)] {
			list = append(list, int32(i))
		}
	}
	return list
}

func recordsAt(records []memory.Record, rows []int32) []*memory.Record {
	list := make([]*memory.Record, len(rows))
	for i, row := range rows {
		list[i] = &records[row]
	}
	return list
}

// pin pins the chosen records. If all of them are already pinned, it unpins them.
func (p *Page) pin() tea.Cmd {
	records, rows := p.shown.snap.Records, p.targets()
	return func() tea.Msg {
		o := memory.Order{Do: memory.Unpin}
		for _, r := range recordsAt(records, rows) {
			if r.Flags&memory.FlagPinned == 0 {
				o.Do = memory.Pin
			}
			o.IDs = append(o.IDs, r.ID)
		}
		return msg.Order{Order: o}
	}
}

// prune opens the dialog of rules. Rules spare records that arrived since the store was opened,
// because nobody has read them yet.
func (p *Page) prune() tea.Cmd {
	records, rows := p.shown.snap.Records, p.shown.result.Index
	filtered := p.shown.query.Text != ""
	return func() tea.Msg {
		m := msg.Prune{Spare: map[memory.ID]string{}}
		for i := range records {
			if r := &records[i]; r.Flags&memory.FlagNew != 0 {
				m.Spare[r.ID] = "not seen yet"
			}
		}
		if filtered {
			for _, r := range recordsAt(records, rows) {
				m.IDs = append(m.IDs, r.ID)
			}
		}
		return m
	}
}

// merge opens the dialog that merges the marked records. If fewer than two are marked, it merges the
// record under the cursor and those similar to it.
func (p *Page) merge() tea.Cmd {
	records, rows := p.shown.snap.Records, p.targets()
	if len(rows) < 2 {
		rows = p.alike()
	}
	if len(rows) < 2 {
		return msg.Emit(
			msg.Toast{Text: "Mark the lessons to merge with " + p.keys.Select.Mark.Help().Key + ", two or more"},
		)
	}
	const most = 20 // a person cannot choose among more texts
	if len(rows) > most {
		return msg.Emit(msg.Toast{Text: p.noun().Count(len(rows)) + " are marked: at most 20 can be merged at once"})
	}
	var m msg.Merge
	for _, r := range recordsAt(records, rows) {
		if r.RawCut() || r.Problem != nil {
			return msg.Emit(msg.Toast{Text: "Nothing merged: a line among them cannot be read whole"})
		}
		m.Records = append(m.Records, *r)
	}
	return msg.Emit(m)
}

// alike returns the record under the cursor and those similar to it, or nil if there are none.
func (p *Page) alike() []int32 {
	r := p.record()
	if len(r.Similar) == 0 {
		return nil
	}
	rows := []int32{p.shown.result.Index[p.at.Cursor]}
	for i := range p.shown.snap.Records {
		if slices.Contains(r.Similar, p.shown.snap.Records[i].ID) {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// seek moves the cursor to a record, now or once a snapshot lists it.
func (p *Page) seek(id memory.ID) {
	if id == "" {
		return
	}
	p.sought = id
	if row := rowOf(p.shown.snap.Records, p.shown.result.Index, id); row >= 0 {
		p.at.Cursor, p.sought = row, ""
		p.Follow()
	}
}

// show moves the cursor to a record. It clears a filter that hides the record, and says so if the
// record is not found.
func (p *Page) show(id memory.ID) tea.Cmd {
	p.closeDetail()
	p.touched = true
	p.seek(id)
	p.reportMissing = p.sought != ""
	switch {
	case !p.shown.loaded:
		return nil // the cursor moves when the store has been read
	case p.sought == "":
		return nil
	case p.query.Text != "":
		return p.clearFilter()
	}
	p.sought = ""
	return notShown()
}

func notShown() tea.Cmd {
	return msg.Emit(msg.Toast{Text: "That record is not among those shown"})
}
