package inbox

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// decided is the result of a decision.
type decided struct {
	order  memory.InboxOrder
	result memory.InboxResult
	err    error
}

// follow returns the command that waits for a change, looks at the inbox, and waits again.
func (p *Page) follow(changes <-chan struct{}) tea.Cmd {
	ctx := p.ctx
	return func() tea.Msg {
		select {
		case _, on := <-changes:
			if on {
				return page.Then(func(p *Page) tea.Cmd { return tea.Batch(p.refresh(), p.follow(changes)) })
			}
		case <-ctx.Done():
		}
		return nil
	}
}

// chosen returns the entries that a key applies to: the marked ones, or the one under the cursor if
// none is marked. It leaves out entries that are being decided.
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

// changedOnBothSides returns the chosen entries that were changed on both sides of a share.
func (p *Page) changedOnBothSides() []*memory.InboxEntry {
	return slices.DeleteFunc(p.chosen(), func(e *memory.InboxEntry) bool { return !e.Both || e.Mine == nil })
}

// decide returns the action that decides about the chosen entries. If there is more than one, it asks
// first.
func (p *Page) decide(do memory.InboxAct) func() tea.Cmd {
	return func() tea.Cmd {
		waiting := slices.DeleteFunc(p.chosen(), func(e *memory.InboxEntry) bool {
			return e.Kind >= memory.GoneRecord
		})
		return p.order(do, waiting, len(waiting) > 1 || do == memory.InboxReject && asksWhy(waiting))
	}
}

// asksWhy reports whether a rejection of entries needs a reason: one of them is a proposal, and no text of others that
// is refused in favour of one's own.
func asksWhy(entries []*memory.InboxEntry) bool {
	return slices.ContainsFunc(entries, func(e *memory.InboxEntry) bool {
		return e.Kind == memory.Proposal && !e.Both && !e.Deletes
	})
}

// order carries out a decision, or asks first. It makes one decision for each store that the person
// chose for some of the entries.
func (p *Page) order(do memory.InboxAct, entries []*memory.InboxEntry, ask bool) tea.Cmd {
	var asks []msg.Review
	for _, e := range entries {
		to := p.view.To[e.ID]
		i := slices.IndexFunc(asks, func(r msg.Review) bool { return r.Order.Store == to })
		if i < 0 {
			ask := msg.Review{Order: memory.InboxOrder{Do: do, Store: to}}
			ask.Why = do == memory.InboxReject && asksWhy(entries)
			i, asks = len(asks), append(asks, ask)
		}
		asks[i].Order.IDs = append(asks[i].Order.IDs, e.ID)
		asks[i].Titles = append(asks[i].Titles, p.view.Named(e))
	}
	var cmds []tea.Cmd
	for _, r := range asks {
		if ask {
			cmds = append(cmds, msg.Emit(r))
		} else {
			cmds = append(cmds, p.carryOut(r.Order))
		}
	}
	return tea.Batch(cmds...)
}

// approveClean asks to approve all clean entries, those without any objection.
func (p *Page) approveClean() tea.Cmd { return p.order(memory.InboxApprove, p.clean(), true) }

func (p *Page) clean() []*memory.InboxEntry {
	return slices.DeleteFunc(slices.Clone(p.view.Entries), func(e *memory.InboxEntry) bool {
		return !e.Clean || e.Kind >= memory.GoneRecord || e.Later.After(p.Now) || p.view.Deciding[e.ID] != ""
	})
}

// decideOne returns the action that decides about only the entry under the cursor.
func (p *Page) decideOne(do memory.InboxAct) func() tea.Cmd {
	return func() tea.Cmd {
		o := memory.InboxOrder{Do: do, IDs: []string{p.view.Chosen().ID}}
		if do != memory.InboxMerge {
			o.Store = p.view.To[o.IDs[0]]
		}
		return p.carryOut(o)
	}
}

// undoOrRedo undoes or redoes the last decision, after those that are running or waiting.
func (p *Page) undoOrRedo(do memory.InboxAct) tea.Cmd {
	var wait tea.Cmd
	if len(p.orders) > 0 {
		wait = msg.Emit(msg.Toast{Text: "The last decision is undone when it is saved"})
	}
	return tea.Batch(p.carryOut(memory.InboxOrder{Do: do}), wait)
}

// doing is the text shown for an entry while it is being decided.
var doing = map[memory.InboxAct]string{
	memory.InboxApprove: "approving",
	memory.InboxReject:  "rejecting",
	memory.InboxEdit:    "approving",
	memory.InboxMerge:   "merging",
	memory.InboxBoth:    "keeping both",
	memory.InboxLater:   "putting off",
	memory.InboxPin:     "approving",
	memory.InboxRestore: "restoring",
}

// carryOut queues a decision, and moves the cursor to the next entry.
func (p *Page) carryOut(o memory.InboxOrder) tea.Cmd {
	v := &p.view
	for _, e := range v.Entries {
		if slices.Contains(o.IDs, e.ID) {
			p.decided[e.ID] = *e
		}
	}
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

// next moves the cursor to the next entry that is not being decided, or else to the nearest one before.
func (p *Page) next() {
	v := &p.view
	to, ok := page.Near(
		len(v.Entries),
		v.Cursor+1,
		func(i int) (int, bool) { return i, v.Deciding[v.Entries[i].ID] == "" },
	)
	if ok {
		p.MoveTo(to)
	}
}

// start carries out the first decision in the queue.
func (p *Page) start() tea.Cmd {
	ctx, lib, o := p.ctx, p.cfg.Library, p.orders[0]
	return func() tea.Msg {
		r, err := lib.Review(ctx, o)
		return page.Then(func(p *Page) tea.Cmd { return p.onDecided(decided{o, r, err}) })
	}
}

// onDecided removes the decided entries from the list, reports the result, asks about entries whose
// decision was refused, and starts the next decision.
func (p *Page) onDecided(m decided) tea.Cmd {
	v := &p.view
	p.orders = p.orders[1:]
	for _, id := range m.order.IDs {
		delete(v.Deciding, id)
	}
	left, name := m.refused(), p.titleOf(append(m.result.IDs, m.order.IDs...))
	var made tea.Cmd
	if p.createsStore(&m, left) {
		made = msg.Emit(msg.Made{})
	}
	if m.err == nil && m.order.Do == memory.InboxUndo {
		p.seek, p.last = p.last, nil
	} else if m.err == nil {
		p.last = slices.DeleteFunc(slices.Clone(m.order.IDs), func(id string) bool { return slices.Contains(left, id) })
		isDecided := func(e *memory.InboxEntry) bool { return slices.Contains(p.last, e.ID) }
		p.show(slices.DeleteFunc(slices.Clone(v.Entries), isDecided))
	}
	var cmd tea.Cmd
	if len(p.orders) > 0 {
		cmd = p.start()
	} else {
		cmd = p.reread()
	}
	m.result.What = withTitle(m.result.What, name)
	return tea.Batch(p.reportResult(m, left), cmd, made)
}

// titleOf returns the title of the only entry of a decision, or "". It also knows those that were decided here
// earlier: an undo brings one back.
func (p *Page) titleOf(ids []string) string {
	if len(ids) != 1 {
		return ""
	}
	e, known := p.decided[ids[0]]
	if !known {
		return ""
	}
	return views.QuotedTitle(p.Theme, &e.Record, p.view.Reveal)
}

// withTitle returns what a decision did with a title in place of "1 proposal".
func withTitle(what, title string) string {
	before, rest, ok := strings.Cut(what, " 1 ")
	if !ok || title == "" {
		return what
	}
	_, after, more := strings.Cut(rest, " ")
	return before + " " + title + page.When(more, " "+after)
}

// createsStore reports whether an approval created a store.
func (p *Page) createsStore(m *decided, left []string) bool {
	approved := []memory.InboxAct{memory.InboxApprove, memory.InboxEdit, memory.InboxPin}
	return m.err == nil && slices.Contains(approved, m.order.Do) &&
		slices.ContainsFunc(m.order.IDs, func(id string) bool {
			e := p.decided[id]
			to := cmp.Or(m.order.Store, e.Target)
			fresh := slices.ContainsFunc(
				e.Targets,
				func(place memory.Place) bool { return place.Store == to && !place.Exists },
			)
			return fresh && !slices.Contains(left, id)
		})
}

// refused returns the entries whose decision was refused, in the order of the decision.
func (m *decided) refused() []string {
	return slices.DeleteFunc(slices.Clone(m.order.IDs), func(id string) bool { return m.result.Refused[id] == nil })
}

// reportResult reports the result of a decision.
func (p *Page) reportResult(m decided, left []string) tea.Cmd {
	op := "inbox " + string(m.order.Do)
	switch {
	case errors.Is(m.err, memory.ErrNothing):
		return msg.Emit(msg.Toast{Text: "Nothing to " + string(m.order.Do) + " in the inbox"})
	case m.err != nil:
		return p.sendToRoot(msg.Failed{Op: op, Err: errors.New(msg.Reason(m.err))})
	}
	sentences := m.result.Notes
	if m.result.What != "" {
		sentences = append(
			[]string{
				m.result.What + page.When(
					m.order.Do != memory.InboxUndo,
					" - "+p.cfg.Keys.Global.Undo.Help().Key+" to undo",
				),
			},
			sentences...)
	}
	var toast tea.Cmd
	if len(sentences) > 0 {
		toast = msg.Emit(msg.Toast{Text: strings.Join(sentences, "; ")})
	}
	switch {
	case len(left) > 0:
		ask := p.ask(m, left)
		if failed, ok := ask.(msg.Failed); ok {
			failed.Op = strings.Join(append(sentences, op), "; ")
			return p.sendToRoot(failed)
		}
		return tea.Sequence(toast, p.sendToRoot(ask))
	case m.order.Form != "":
		return tea.Batch(toast, p.cfg.Editor.RemoveKept())
	}
	return toast
}

// sendToRoot sends a failure or a question to the root. Until it has arrived, the page counts as saving, so
// that the program does not quit before.
func (p *Page) sendToRoot(m tea.Msg) tea.Cmd {
	p.sending++
	return tea.Sequence(msg.Emit(m), msg.Emit(page.Then(func(p *Page) tea.Cmd { p.sending--; return nil })))
}

// ask returns the request to ask about refused entries. If there is nothing to ask, it returns the
// failure.
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
		more := page.When(len(left) > 1, fmt.Sprintf(" (and %d more)", len(left)-1))
		return msg.Failed{Err: errors.New("left as it was: " + msg.Reason(first) + more)}
	}
	return r
}

// form opens the editor on the entry under the cursor.
func (p *Page) form() tea.Cmd {
	ctx, lib, id := p.ctx, p.cfg.Library, p.view.Chosen().ID
	return func() tea.Msg {
		text, err := lib.InboxForm(ctx, id)
		return page.Then(func(p *Page) tea.Cmd {
			if err != nil {
				return msg.Emit(msg.Failed{Op: "edit", Err: errors.New(msg.Reason(err))})
			}
			return p.edit(memory.InboxOrder{Do: memory.InboxEdit, IDs: []string{id}, Form: text}, text)
		})
	}
}

// when asks at which moment the proposal under the cursor is to be told, and approves it for that.
func (p *Page) when() tea.Cmd {
	e := p.view.Chosen()
	o := memory.InboxOrder{Do: memory.InboxEdit, IDs: []string{e.ID}, Store: p.view.To[e.ID]}
	return msg.Emit(msg.When{Name: p.view.Named(e), Text: e.Record.When, Do: func(when string) tea.Cmd {
		o.Edit.When = &when
		return msg.Emit(page.Then(func(p *Page) tea.Cmd { return p.carryOut(o) }))
	}})
}

// edit opens the editor on the text of an order. Form is the text before any change.
func (p *Page) edit(o memory.InboxOrder, form string) tea.Cmd {
	editor := p.cfg.Editor
	return func() tea.Msg {
		return editor.Edit(o.Form, func(text string, err error) tea.Msg {
			o.Form = text
			return page.Then(func(p *Page) tea.Cmd { return p.onTyped(o, form, err) })
		})()
	}
}

// onTyped approves the entry with the typed text, unless that is empty or unchanged.
func (p *Page) onTyped(o memory.InboxOrder, form string, err error) tea.Cmd {
	text := strings.TrimSpace(o.Form)
	switch {
	case err != nil:
		return msg.Emit(
			msg.Failed{Op: "Nothing changed", Err: fmt.Errorf("%w; set EDITOR or VISUAL to your editor", err)},
		)
	case text == "":
		return tea.Batch(msg.Emit(msg.Toast{Text: "Nothing changed: the text is empty"}), p.cfg.Editor.RemoveKept())
	case text == strings.TrimSpace(form):
		return tea.Batch(
			msg.Emit(msg.Toast{Text: "Not approved: the text is the same; a approves it as it is"}),
			p.cfg.Editor.RemoveKept(),
		)
	}
	o.Store = p.view.To[o.IDs[0]]
	return p.carryOut(o)
}

// pick lets the person choose the store for the chosen proposals.
func (p *Page) pick() tea.Cmd {
	at, named := p.view.Chosen(), []string(nil)
	for _, e := range p.chosen() {
		if e.Kind == memory.Proposal {
			named = append(named, e.ID)
		}
	}
	return msg.Emit(
		msg.PickStore{Title: "Where would it go?", Places: at.Targets, Then: func(to memory.StoreID) tea.Msg {
			return page.Then(func(p *Page) tea.Cmd {
				for _, id := range named {
					p.view.To[id] = to
				}
				return nil
			})
		}},
	)
}
