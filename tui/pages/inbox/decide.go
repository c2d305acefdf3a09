package inbox

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
)

type (
	// decided is what became of a decision.
	decided struct {
		order  memory.InboxOrder
		result memory.InboxResult
		err    error
	}

	// formed is the text of an entry for the editor.
	formed struct {
		id, text string
		err      error
	}

	// typed is what came from the editor. Form is the text that means no change.
	typed struct {
		order memory.InboxOrder
		form  string
		err   error
	}

	// told follows what had to be told.
	told struct{}

	// target is a store that the person chose for entries.
	target struct {
		ids []string
		to  memory.StoreID
	}
)

// onAnswer takes what a command or a dialog answered.
func (p *Page) onAnswer(m tea.Msg) tea.Cmd {
	switch m := m.(type) {
	case decided:
		return p.onDecided(m)
	case formed:
		if m.err != nil {
			return msg.Emit(msg.Failed{Op: "edit", Err: errors.New(msg.Reason(m.err))})
		}
		return p.edit(memory.InboxOrder{Do: memory.InboxEdit, IDs: []string{m.id}, Form: m.text}, m.text)
	case typed:
		return p.onTyped(m)
	case told:
		p.telling--
	case target:
		for _, id := range m.ids {
			p.view.To[id] = m.to
		}
	case msg.Reviewed:
		if m.Amend {
			return p.edit(m.Order, "")
		}
		return p.carryOut(m.Order)
	}
	return nil
}

// chosen returns the entries that a key is about: those that are marked, or the one under the
// cursor. Those that are being decided are not among them.
func (p *Page) chosen() []*memory.InboxEntry {
	v := &p.view
	var list []*memory.InboxEntry
	for i, e := range v.Entries {
		if (v.Marked[e.ID] || len(v.Marked) == 0 && i == v.Cursor) && v.Deciding[e.ID] == "" {
			list = append(list, e)
		}
	}
	return list
}

// decide returns what a key does that decides about entries. More than one is asked about first.
func (p *Page) decide(do memory.InboxAct) func() tea.Cmd {
	return func() tea.Cmd {
		waiting := slices.DeleteFunc(p.chosen(), func(e *memory.InboxEntry) bool { return e.Kind == memory.GoneRecord })
		return p.order(do, waiting, len(waiting) > 1)
	}
}

// order orders a decision, or asks first. Entries for which the person chose different stores are
// decided apart.
func (p *Page) order(do memory.InboxAct, entries []*memory.InboxEntry, ask bool) tea.Cmd {
	var orders []memory.InboxOrder
	for _, e := range entries {
		to := p.view.To[e.ID]
		i := slices.IndexFunc(orders, func(o memory.InboxOrder) bool { return o.Store == to })
		if i < 0 {
			i, orders = len(orders), append(orders, memory.InboxOrder{Do: do, Store: to})
		}
		orders[i].IDs = append(orders[i].IDs, e.ID)
	}
	var cmds []tea.Cmd
	for _, o := range orders {
		if !ask {
			cmds = append(cmds, p.carryOut(o))
			continue
		}
		var titles []string
		for _, e := range entries {
			if slices.Contains(o.IDs, e.ID) {
				titles = append(titles, p.view.Named(e))
			}
		}
		cmds = append(cmds, msg.Emit(msg.Review{Order: o, Titles: titles}))
	}
	return tea.Batch(cmds...)
}

// approveClean asks about all entries that nothing speaks against.
func (p *Page) approveClean() tea.Cmd { return p.order(memory.InboxApprove, p.clean(), true) }

func (p *Page) clean() []*memory.InboxEntry {
	return slices.DeleteFunc(slices.Clone(p.view.Entries), func(e *memory.InboxEntry) bool {
		return !e.Clean || e.Kind == memory.GoneRecord || e.Later.After(p.Now) || p.view.Deciding[e.ID] != ""
	})
}

// one decides about the entry under the cursor alone.
func (p *Page) one(do memory.InboxAct) func() tea.Cmd {
	return func() tea.Cmd {
		o := memory.InboxOrder{Do: do, IDs: []string{p.view.Chosen().ID}}
		if do != memory.InboxMerge {
			o.Store = p.view.To[o.IDs[0]]
		}
		return p.carryOut(o)
	}
}

// undo takes the last decision back, after those that are under way.
func (p *Page) undo() tea.Cmd {
	var wait tea.Cmd
	if len(p.orders) > 0 {
		wait = msg.Emit(msg.Toast{Text: "The last decision is undone when it is saved"})
	}
	return tea.Batch(p.carryOut(memory.InboxOrder{Do: memory.InboxUndo}), wait)
}

// doing is what is said of an entry while it is decided.
var doing = map[memory.InboxAct]string{
	memory.InboxApprove: "approving", memory.InboxReject: "rejecting", memory.InboxEdit: "approving", memory.InboxMerge: "merging",
	memory.InboxLater: "putting off", memory.InboxPin: "approving", memory.InboxRestore: "restoring",
}

// carryOut has a decision carried out after those before it, and goes on to the next entry.
func (p *Page) carryOut(o memory.InboxOrder) tea.Cmd {
	v := &p.view
	for _, id := range o.IDs {
		v.Deciding[id] = doing[o.Do]
		delete(v.Marked, id)
	}
	v.Range = -1
	p.orders = append(p.orders, o)
	if e := v.Chosen(); e != nil && v.Deciding[e.ID] != "" {
		p.next()
	}
	if len(p.orders) > 1 {
		return nil
	}
	return p.start()
}

// next goes to the next entry that is not being decided, or else to the last one before.
func (p *Page) next() {
	v := &p.view
	at := func(i int) bool { return v.Deciding[v.Entries[i].ID] == "" }
	for i := v.Cursor + 1; i < len(v.Entries); i++ {
		if at(i) {
			p.list.MoveTo(i)
			return
		}
	}
	for i := v.Cursor - 1; i >= 0; i-- {
		if at(i) {
			p.list.MoveTo(i)
			return
		}
	}
}

// start carries out the first decision.
func (p *Page) start() tea.Cmd {
	ctx, lib, o := p.ctx, p.cfg.Library, p.orders[0]
	return func() tea.Msg {
		r, err := lib.Review(ctx, o)
		return decided{o, r, err}
	}
}

// onDecided takes the entries off the list that were decided, says so, and asks about those that
// were refused.
func (p *Page) onDecided(m decided) tea.Cmd {
	v := &p.view
	p.orders = p.orders[1:]
	for _, id := range m.order.IDs {
		delete(v.Deciding, id)
	}
	left := m.refused()
	if m.err == nil && m.order.Do == memory.InboxUndo {
		p.seek, p.last = p.last, nil
	} else if m.err == nil {
		p.last = slices.DeleteFunc(slices.Clone(m.order.IDs), func(id string) bool { return slices.Contains(left, id) })
		p.show(slices.DeleteFunc(slices.Clone(v.Entries), func(e *memory.InboxEntry) bool { return slices.Contains(p.last, e.ID) }))
	}
	var cmd tea.Cmd
	if len(p.orders) > 0 {
		cmd = p.start()
	} else {
		cmd = p.again()
	}
	return tea.Batch(p.said(m, left), cmd)
}

// refused returns the entries that were left as they were, in the order in which they were named.
func (m *decided) refused() []string {
	return slices.DeleteFunc(slices.Clone(m.order.IDs), func(id string) bool { return m.result.Refused[id] == nil })
}

// said says what became of a decision.
func (p *Page) said(m decided, left []string) tea.Cmd {
	op := "inbox " + string(m.order.Do)
	switch {
	case errors.Is(m.err, memory.ErrNothing):
		return msg.Emit(msg.Toast{Text: "Nothing to undo in the inbox"})
	case m.err != nil:
		return p.tell(msg.Failed{Op: op, Err: errors.New(msg.Reason(m.err))})
	}
	said := m.result.Notes[max(len(m.result.Notes)-1, 0):] // the last is of what was written
	if m.result.What != "" && (len(left) == 0 || len(left) < len(m.order.IDs)) {
		said = append([]string{m.result.What + page.When(m.order.Do != memory.InboxUndo, " - "+p.cfg.Keys.Global.Undo.Help().Key+" to undo")}, said...)
	}
	var toast tea.Cmd
	if len(said) > 0 {
		toast = msg.Emit(msg.Toast{Text: strings.Join(said, "; ")})
	}
	switch {
	case len(left) > 0:
		ask := p.ask(m, left)
		if failed, ok := ask.(msg.Failed); ok {
			failed.Op = strings.Join(append(said, op), "; ")
			return p.tell(failed)
		}
		return tea.Sequence(toast, p.tell(ask))
	case m.order.Form != "":
		return tea.Batch(toast, p.cfg.Editor.RemoveKept())
	}
	return toast
}

// tell has the root told why something was not done before the program may end.
func (p *Page) tell(m tea.Msg) tea.Cmd {
	p.telling++
	return tea.Sequence(msg.Emit(m), msg.Emit(told{}))
}

// ask returns the request to ask about entries that were refused, or why they were when nothing
// helps.
func (p *Page) ask(m decided, left []string) tea.Msg {
	first := m.result.Refused[left[0]]
	r := msg.Review{Order: m.order}
	r.Order.IDs = left
	if m.order.Form != "" {
		r.Kept = p.cfg.Editor.Kept()
	}
	switch {
	case errors.Is(first, memory.ErrFinding) && len(m.result.Findings) > 0:
		r.Findings = m.result.Findings
	case errors.Is(first, memory.ErrAsks):
		r.Asks = first.Error()
	case m.order.Form != "":
		r.Wrong = first
	default:
		return msg.Failed{Err: errors.New("left as it was: " + msg.Reason(first) + page.When(len(left) > 1, fmt.Sprintf(" (and %d more)", len(left)-1)))}
	}
	return r
}

// form has the entry under the cursor edited.
func (p *Page) form() tea.Cmd {
	ctx, lib, id := p.ctx, p.cfg.Library, p.view.Chosen().ID
	return func() tea.Msg {
		text, err := lib.InboxForm(ctx, id)
		return formed{id, text, err}
	}
}

// edit opens the editor on the text of an order. Form is the text that means no change.
func (p *Page) edit(o memory.InboxOrder, form string) tea.Cmd {
	editor := p.cfg.Editor
	return func() tea.Msg {
		return editor.Edit(o.Form, func(text string, err error) tea.Msg {
			o.Form = text
			return typed{o, form, err}
		})()
	}
}

// onTyped carries out what was typed, when it says something else than before.
func (p *Page) onTyped(m typed) tea.Cmd {
	text := strings.TrimSpace(m.order.Form)
	switch {
	case m.err != nil:
		return msg.Emit(msg.Failed{Op: "Nothing changed", Err: fmt.Errorf("%w; set EDITOR or VISUAL to your editor", m.err)})
	case text == "":
		return tea.Batch(msg.Emit(msg.Toast{Text: "Nothing changed: the text is empty"}), p.cfg.Editor.RemoveKept())
	case text == strings.TrimSpace(m.form):
		return tea.Batch(msg.Emit(msg.Toast{Text: "Not approved: the text is the same; a approves it as it is"}), p.cfg.Editor.RemoveKept())
	}
	m.order.Store = p.view.To[m.order.IDs[0]]
	return p.carryOut(m.order)
}

// pick has the person choose where the proposals go.
func (p *Page) pick() tea.Cmd {
	at, named := p.view.Chosen(), []string(nil)
	for _, e := range p.chosen() {
		if e.Kind == memory.Proposal {
			named = append(named, e.ID)
		}
	}
	return msg.Emit(msg.PickStore{Title: "Where would it go?", Places: at.Targets, Then: func(to memory.StoreID) tea.Msg { return target{named, to} }})
}
