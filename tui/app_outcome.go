package tui

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/memory"
	"winnow/tui/msg"
	"winnow/tui/page"
	"winnow/views"
)

// onRefused says why there is no plan or why it was not applied. If the order contains typed text,
// it offers to edit that again.
func (a *App) onRefused(s pendingChange, err error) tea.Cmd {
	typed := typedIn(s.order)
	switch {
	case errors.Is(err, memory.ErrNothing):
		return a.say(nothingText(s.order.Do))
	case typed != "" && s.gen == a.store.gen:
		a.changes.quitting = false
		return a.push(newMistake(a.cfg.Keys, err, editAgain(s.order, a.cfg.Editor.Kept())))
	}
	return a.failed(s, err)
}

// failed shows why an order was not carried out, and what to do next. It names the store if another
// one is open by now.
func (a *App) failed(s pendingChange, err error) tea.Cmd {
	a.changes.quitting = false
	op := string(s.order.Do) + page.When(s.gen != a.store.gen, " in "+string(s.store))
	return a.fail(msg.Failed{Op: op, Err: err})
}

// unchangedText returns the text for a plan that does nothing.
func unchangedText(p memory.Plan) string {
	switch {
	case len(p.Kept) > 0 && p.Kept[0].Why != "":
		return p.What + ": " + p.Kept[0].Why
	case p.Order.Do == memory.Restore:
		return p.What + ": it is already like that"
	}
	return p.What
}

func nothingText(do memory.Act) string {
	return cmp.Or(
		map[memory.Act]string{memory.Undo: "Nothing to undo", memory.Redo: "Nothing to redo"}[do],
		"Nothing to do",
	)
}

// onApplied reports the result of applying a plan. If another store is open by now, it reports only
// failures.
func (a *App) onApplied(s pendingChange, p memory.Plan, r memory.Result, err error) tea.Cmd {
	c := &a.changes
	a.ended()
	c.ended = a.cfg.Now()
	late := s.gen != a.store.gen
	var cmd tea.Cmd
	switch {
	case errors.Is(err, memory.ErrConflict) && !late:
		c.quitting = false
		if typed := typedIn(p.Order); typed != "" && withoutLineEnd(typed) == withoutLineEnd(c.draft.Text) {
			c.conflict = c.draft
		}
		cmd = a.push(newConflict(a.cfg.Keys, p, r))
	case errors.Is(err, memory.ErrAsks) && !late:
		cmd = a.onChange(msg.Order{Order: p.Order}) // plan again, and ask about the new warning
	case err != nil:
		cmd = a.onRefused(s, err)
	case !late:
		done := msg.Changed{Do: p.Order.Do, IDs: changedBy(p), Only: p.Order.Only, Made: madeBy(p)}
		cmd = tea.Batch(a.say(a.doneToast(p, r)), a.broadcast(done))
		if typedIn(p.Order) != "" || p.Order.Do == memory.AddOne {
			c.conflict = draft{}
			cmd = tea.Batch(cmd, a.cfg.Editor.RemoveKept())
		}
	}
	return tea.Batch(cmd, a.proceed())
}

// changedBy returns the records that a plan was asked to change and those that it changes.
func changedBy(p memory.Plan) []memory.ID {
	ids := append([]memory.ID(nil), p.Order.IDs...)
	for i := range p.Changes {
		ids = append(ids, p.Changes[i].ID)
	}
	return ids
}

// madeBy returns the record that a plan added or merged, or "". The person wants to see it next.
func madeBy(p memory.Plan) memory.ID {
	made := map[memory.Act]memory.ChangeKind{memory.AddOne: memory.Adding, memory.Merge: memory.Editing}[p.Order.Do]
	for i := range p.Changes {
		if made != 0 && p.Changes[i].Do == made {
			return p.Changes[i].ID
		}
	}
	return ""
}

// doneToast returns the toast for an applied plan: what was done, and how to undo it.
func (a *App) doneToast(p memory.Plan, r memory.Result) string {
	what, several := a.named(p)
	sentences := []string{what}
	k := a.keys
	switch {
	case r.Entry == "" && len(p.Changes) > 0:
		sentences[0] = "Nothing to do any more"
	case r.Entry == "" || p.Final:
	case p.Order.Do == memory.Undo:
		sentences[0] += " - " + k.Redo.Help().Key + " to redo"
	default:
		sentences[0] += " - " + k.Undo.Help().Key + " to undo" + page.When(several, ", one at a time")
	}
	fates := map[memory.Fate]int{}
	for _, c := range r.Changes {
		fates[c.Fate]++
	}
	for _, n := range []struct {
		number int
		text   string
	}{
		{p.Replaced, "secrets replaced in your text: %d"},
		{fates[memory.Gone], "%d already done by another writer"},
		{fates[memory.Merged], "%d merged with changes of another writer"},
		{r.Adopted, "%d saved by another writer meanwhile, and kept"},
	} {
		if n.number > 0 {
			sentences = append(sentences, fmt.Sprintf(n.text, n.number))
		}
	}
	if n := len(p.Changes) - p.Asked(); n > 0 && r.Entry != "" {
		sentences = append(sentences, fmt.Sprintf("%d more changed with it", n))
	}
	sentences = append(sentences, r.Notes...)
	if p.Order.Do == memory.Redact && r.Entry != "" {
		sentences = append(sentences, a.unreachedText())
	}
	return strings.Join(slices.DeleteFunc(sentences, func(s string) bool { return s == "" }), "; ")
}

// together is how soon one change must follow another for a toast to name the records of both.
const together = 3 * time.Second

// said are the records that changes of one kind named in quick succession.
type said struct {
	do    memory.Act
	names []string
	at    time.Time
}

// named says what a plan did to which records. Single changes of the same kind in quick succession are named
// together, because each toast replaces the one before: it then reports several.
func (a *App) named(p memory.Plan) (what string, several bool) {
	last := a.changes.said
	a.changes.said = said{}
	what = p.Named(a.store.snap.Noun, func(c *memory.Change) string {
		title := a.titleOf(c)
		if p.Asked() > 1 || title == "" {
			return title
		}
		now := a.cfg.Now()
		if last.do != p.Order.Do || now.Sub(last.at) > together {
			last = said{do: p.Order.Do}
		}
		const most = 3 // the latest
		names := append(last.names, title)
		names = names[max(len(names)-most, 0):]
		a.changes.said = said{do: p.Order.Do, names: names, at: now}
		before := names[:len(names)-1]
		several = len(before) > 0
		return page.When(several, strings.Join(before, ", ")+" and ") + title
	})
	if what == p.What { // it names none
		a.changes.said, several = said{}, false
	}
	return what, several
}

// titleOf returns the title of the record of a change, or "".
func (a *App) titleOf(c *memory.Change) string {
	r := c.Record
	if r.Title == "" {
		if known := a.recordOf(c.ID); known != nil {
			r = *known
		}
	}
	return views.QuotedTitle(a.theme, &r, a.reveal)
}

// unreachedText names the places that a redaction does not reach and that may still hold the secrets.
func (a *App) unreachedText() string {
	return page.When(
		len(a.cfg.Uncovered) > 0,
		"not covered: "+strings.Join(a.cfg.Uncovered, ", ")+" (winnow audit . --history)",
	)
}
