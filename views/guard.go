package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Guard is the dialog about changes that another writer undid.
type Guard struct {
	Undone []memory.Undone // those undone by the agent's own rules are last
	Picked map[memory.ID]bool
	Cursor int
	// Compare shows the two forms of the change at the cursor.
	Compare bool
}

// Dialog returns the dialog in a room of w cells.
func (v Guard) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog("Changed underneath you", w, dialogWider)
	d.Foot = [][]string{blank}
	if v.Compare && v.Cursor < len(v.Undone) {
		u := &v.Undone[v.Cursor]
		what := fmt.Sprintf("! %s, %dx: ", undoneWords(u.Kind), u.Times)
		d.Head = []string{l.Theme.Warn.Render(what) + rowTitle(l, &u.Record, w-Width(what)), ""}
		d.setLines(versus(l, undoneSides(u), w))
		return d
	}
	d.Head = append(wrapped(l.Theme.Warn, "! "+v.whatHappened(l), w), "")
	d.setLines(v.rows(l, w))
	d.Foot = append(d.Foot, wrapped(l.Theme.Dim, "An agent that loads the file once and rewrites all of it does this. "+
		"It can happen again until that process ends. Redoing your change keeps what the agent added.", w), blank)
	d.Cursor = v.RowOf(v.Cursor)
	return d
}

// whatHappened says in a sentence what happened.
func (v Guard) whatHappened(l Look) string {
	n, secrets, unsure := v.countOthers(), 0, 0
	var last time.Time
	for _, u := range v.Undone {
		if u.At.After(last) {
			last = u.At
		}
		switch u.Kind {
		case memory.SecretBack:
			secrets++
		case memory.CannotTell:
			unsure++
		}
	}
	at := textIf(!last.IsZero(), " at %s", last.In(l.Now.Location()).Format("15:04:05"))
	if n > 0 && secrets == 0 && unsure == n {
		return "It is unclear whether these changes were undone"
	}
	return cmp.Or(
		textIf(n == 0, "The agent's own rules took %s away", memory.Counted(len(v.Undone), "lesson")),
		textIf(secrets > 0, "A redacted secret is back in %s", memory.Counted(secrets, "record")),
		undoneByOthers(n),
	) + at
}

// undoneByOthers says how many changes another writer undid.
func undoneByOthers(n int) string {
	return strconv.Itoa(n) + " of your changes " + plural(n, "was", "were") + " undone by another writer"
}

// countOthers returns how many changes another writer undid. They come before those that the agent's own
// rules undid.
func (v Guard) countOthers() int {
	if i := slices.IndexFunc(v.Undone, func(u memory.Undone) bool { return u.Kind.ByRule() }); i >= 0 {
		return i
	}
	return len(v.Undone)
}

// rows lists the changes; RowOf returns the row of each.
func (v Guard) rows(l Look, w int) []string {
	p := paper{t: l.Theme, w: w}
	for i := range v.Undone {
		if i == v.countOthers() {
			p.section("By the agent's own rules, not against you")
		}
		p.put(v.row(l, i, w))
	}
	return p.lines
}

// RowOf returns the row of a change. A heading and a blank line precede those undone by rules.
func (v Guard) RowOf(i int) int {
	if mine := v.countOthers(); i >= mine {
		return i + 1 + min(mine, 1)
	}
	return i
}

// undoneWords says what another writer did to a change.
func undoneWords(k memory.UndoneKind) string {
	return [...]string{
		memory.CameBack:   "came back",
		memory.Reverted:   "edit reverted",
		memory.Dropped:    "dropped",
		memory.Conflict:   "edited by both",
		memory.Evicted:    "evicted: full store",
		memory.PrunedAway: "pruned: too old",
		memory.SecretBack: "secret is back",
		memory.CannotTell: "unclear",
	}[min(k, memory.CannotTell)]
}

func (v Guard) row(l Look, i, w int) string {
	const words = 20
	u := &v.Undone[i]
	box := "[ ] "
	if v.Picked[u.ID] {
		box = "[x] "
	}
	times := fmt.Sprintf("%dx", u.Times) + textIf(u.Always, " always")
	room := max(w-6-words-outcomeCells-3, 0)
	line := " " + box + Cell(l.Theme, undoneWords(u.Kind), words) + Cell(l.Theme, outcomeText(&u.Record, l.Reveal), outcomeCells) + "   "
	name := Cell(l.Theme, rowTitle(l, &u.Record, room-Width(times)-2), room-Width(times)-2)
	return rowLine(
		l.Theme,
		theme.Style{},
		i == v.Cursor,
		Cell(l.Theme, line, w-room-1)+" "+name+" "+l.Theme.Dim.Render(times),
		w,
	)
}

// undoneSides returns what the change should be, and what is there now.
func undoneSides(u *memory.Undone) diff {
	switch {
	case u.Theirs == "":
		return diff{Was: side{u.Record, u.Mine}}
	case u.Mine == "":
		return diff{Now: side{u.Record, u.Theirs}}
	}
	return diff{Was: side{u.MyRecord, u.Mine}, Now: side{u.Record, u.Theirs}}
}

// versus compares our form of a record with theirs, side by side if there is room.
func versus(l Look, d diff, w int) []string {
	t, left, right := l.Theme, "- mine", "+ theirs"
	d.Reveal, d.Columns = l.Reveal, w >= sideBySide
	left += textIf(d.Was.none(), ": it is gone")
	right += textIf(d.Now.none(), ": it is gone")
	head := append(wrapped(t.Strong, left, w), wrapped(t.Strong, right, w)...)
	if d.Columns {
		head = zipped(t, []string{t.Strong.Render(left)}, []string{t.Strong.Render(right)}, halfOf(w))
	}
	if d.Before != nil {
		head = append(wrapped(t.Dim, "= what both had before", w), head...)
	}
	return append(head, d.Lines(t, w)...)
}

// Conflict is the dialog for a change that collides with one by another writer. Nothing has been
// changed yet.
type Conflict struct {
	Change memory.Change
	Theirs memory.Applied
	At, Of int // At of Of conflicts is shown, from 1
	// Entry is the inbox entry if both sides of a share changed a lesson; nil for any other
	// conflict.
	Entry *memory.InboxEntry
}

// Dialog returns the dialog in a room of w cells.
func (v Conflict) Dialog(l Look, w, _ int) Dialog {
	c, sides := &v.Change, diff{Now: side{v.Theirs.TheirRecord, v.Theirs.Theirs}}
	switch c.Do {
	case memory.Adding:
		sides.Was = side{c.Record, c.After}
	case memory.Editing:
		sides.Was = side{c.Edited, c.After}
	case memory.Pinning, memory.Unpinning:
		sides.Was = side{c.Record, c.Before}
	}
	d, w := newDialog("Conflict"+textIf(v.Of > 1, " %d of %d", v.At, v.Of), w, dialogWider)
	d.Foot = [][]string{blank}
	why := cmp.Or(safe.Line(v.Theirs.Why), "another writer changed it too")
	if e := v.Entry; e != nil {
		sides.Before, why = e.Was, l.Mask.line(e.Origin.Sender(), maxSender)+" changed it too"
		d.Foot = [][]string{blank, wrapped(l.Theme.Dim, "The next sync sends what you decide: mine as it is, theirs in its place, or both, theirs as a record of its own.", w), blank}
		why += textIf(e.Was == nil, ", and what both had before is not known")
	}
	d.setLines(versus(l, sides, w))
	d.Head = append(
		[]string{rowTitle(l, &c.Record, w)},
		wrapped(l.Theme.Warn, "! "+Capital(why)+". Nothing was changed yet.", w)...,
	)
	d.Head = append(d.Head, "")
	return d
}

// Banner is the line above a page that says what another writer undid.
type Banner struct {
	Undone  int    // changes
	Secrets int    // records with a redacted secret that is back
	Unsure  int    // changes that may or may not be undone
	Key     string // the key that shows them
	Notice  string // shown if there are none
}

// Render returns a line of exactly w cells.
func (v Banner) Render(t theme.Theme, w int) string {
	if v.Undone+v.Secrets+v.Unsure < 1 {
		return t.Warn.Render(Cell(t, " "+safe.Line(v.Notice), w))
	}
	texts := v.texts()
	line := texts[len(texts)-1]
	for _, text := range texts {
		if text += " - " + safe.Line(v.Key) + " to look"; Width(text) < w {
			line = text
			break
		}
	}
	return t.Warn.Render(Cell(t, " "+line, w))
}

// texts returns the message in ever shorter wordings.
func (v Banner) texts() []string {
	undone := fmt.Sprintf("%d undone", v.Undone)
	secrets := "A redacted secret is back in " + memory.Counted(v.Secrets, "record")
	changes := "It is unclear whether " + memory.Counted(v.Unsure, "change")
	are := plural(v.Unsure, " is undone", " are undone")
	switch {
	case v.Secrets > 0 && v.Undone > 0:
		return []string{secrets + ", " + undoneByOthers(v.Undone), secrets + ", " + undone, "secrets back, " + undone}
	case v.Secrets > 0:
		return []string{secrets, "Redacted secrets are back", "secrets back"}
	case v.Undone == 0:
		return []string{changes + " of yours" + are, changes + are, "unclear"}
	}
	return []string{undoneByOthers(v.Undone), undone + " by another writer", undone}
}
