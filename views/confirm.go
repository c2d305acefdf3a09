package views

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Planned is a plan that a person must confirm.
type Planned struct {
	Plan    memory.Plan
	Pending bool // Plan is not yet that of what was chosen
	// Changed says that the plan changed since it was shown; the next yes only acknowledges
	// that. Was is how many changes the plan had then.
	Changed bool
	Was     int
	Warn    string // one line about other writers; may be empty
	Failed  string // why there is no plan; may be empty
}

// Confirm is the dialog that shows a plan before it is done.
type Confirm struct{ Planned }

// maxSpread is the largest number of changes shown in full. If there are more, each takes one line.
const maxSpread = 40

// Dialog returns the dialog in a room of w cells.
func (v Confirm) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog(v.Title(), w, dialogWide)
	v.rows(&d, l, w)
	d.Head = v.changed(l.Theme, w)
	if v.Asks() {
		d.Head = append(d.Head, append(wrapped(l.Theme.Danger, "! "+l.Mask.longText(v.Plan.Asks), w), "")...)
	}
	v.addEffects(&d, l, w)
	return d
}

// changed says that the plan differs from the one that was shown.
func (v Planned) changed(t theme.Theme, w int) []string {
	if !v.Changed {
		return nil
	}
	return append(
		wrapped(t.Warn, "! The list changed from "+strconv.Itoa(v.Was)+" to "+strconv.Itoa(len(v.Plan.Changes))+
			": look again. The next yes only acknowledges this.", w),
		"",
	)
}

// addEffects adds the effects of a plan, how to undo it, and what may go wrong.
func (v Planned) addEffects(d *Dialog, l Look, w int) {
	t, k := l.Theme, l.keys().Global
	add := func(style theme.Style, mark, text string) {
		if text != "" {
			d.Foot = append(d.Foot, wrapped(style, mark+safe.Line(text), w))
		}
	}
	d.Foot = append(d.Foot, blank)
	for _, n := range v.Plan.Notes {
		add(t.Info, "", n)
	}
	switch {
	case v.Pending:
	case len(v.Plan.Changes) == 0:
		add(t.Dim, "", "Nothing would change.")
	case v.Plan.Final:
		add(t.Danger, "! ", "This cannot be undone: no copy of the old text is kept.")
	default:
		add(t.Dim, "", "Reversible: "+keyOf(k.Undo)+", or History ("+keyOf(k.History)+"). 1 undo step.")
	}
	add(t.Warn, "! ", v.Warn)
	add(t.Danger, "! ", v.Failed)
	d.Foot = append(d.Foot, blank)
}

// Asks reports whether the plan must be confirmed against a warning.
func (v Planned) Asks() bool { return v.Plan.Asks != "" && !v.Plan.Order.Anyway }

// Title says briefly what the plan does: "Delete 6".
func (v Planned) Title() string {
	return fmt.Sprintf("%s %d", Capital(safe.Line(cmp.Or(string(v.Plan.Order.Do), "change"))), v.Plan.Touched())
}

// rows lists the changes with their differences, followed by the records that were spared. If there
// are many changes, each takes one line.
func (v Planned) rows(d *Dialog, l Look, w int) {
	changes, kept := v.Plan.Changes, v.Plan.Kept
	mixed := slices.ContainsFunc(changes, func(c memory.Change) bool { return c.Do != changes[0].Do })
	n := len(changes)
	spared := keptRows(kept)
	row := func(i int) string {
		switch {
		case i < n:
			return changeRow(l, &changes[i], mixed, w)
		case i == n:
			return ""
		case i == n+1:
			return l.Theme.Strong.Render(keptTitle(kept))
		}
		return spared[i-n-2].line(l, w)
	}
	d.Rows, d.Row = n+min(len(kept), 1)*2+len(spared), row
	if n+len(kept) > maxSpread {
		return
	}
	p := paper{t: l.Theme, w: w}
	for i := range d.Rows {
		p.put(row(i))
		if i < n && changes[i].Do != memory.Deleting {
			p.indented("    ", diffOf(changes[i], l.Reveal).Lines(l.Theme, max(w-4, 1)))
		}
	}
	d.setLines(p.lines)
}

func keptTitle(kept []memory.Kept) string {
	return "Kept although they match: " + strconv.Itoa(len(kept))
}

// changeRow is a change in one line: outcome, count, age, title, and the reason on the right.
func changeRow(l Look, c *memory.Change, kind bool, w int) string {
	head := ""
	if kind {
		head = l.Theme.Accent.Render(Cell(l.Theme, c.Do.String(), 7))
	}
	if c.Companion {
		head = l.Theme.Info.Render("along: ") + head
	}
	return lessonRow(l, head, &c.Record, c.Why, w)
}

// lessonRow is a record in one line of w cells, with a remark on the right if it fits.
func lessonRow(l Look, head string, r *memory.Record, why string, w int) string {
	t, v := l.Theme, RecordTable{Now: l.Now}
	age, letter := "-", t.OK
	if !l.Now.IsZero() {
		age = v.age(r)
	}
	if r.Outcome == memory.Failed {
		letter = t.Danger
	}
	line := head + letter.Render(Cell(t, outcomeText(r, l.Reveal), outcomeCells))
	line += t.Dim.Render(Right(t, v.rel(r), 5)+Right(t, age, 6)) + "  "
	if kind := cmp.Or(r.Kind, r.Scope); r.Outcome == "" && (kind != "" || r.File != "") { // not a lesson
		line = head + t.Dim.Render(Cell(t, safe.Line(clip(kind, maxKind)), maxKind)+Right(t, age, 6)) + "  "
	}
	room := w - Width(line)
	if r.Title == "" && r.Problem != nil && r.Problem.What == why {
		why = "" // it is shown in place of the title
	}
	if why = safe.Line(clip(why, w)); why == "" || room < 30 {
		return line + rowTitle(l, r, room)
	}
	why = reason(t, why, max(room/2, room-leastRowTitle))
	name := Cell(t, rowTitle(l, r, room-Width(why)-2), room-Width(why)-2)
	return line + name + "  " + t.Dim.Render(why)
}

// leastRowTitle is the minimum width of a title next to a reason.
const leastRowTitle = 9

// reason returns a reason in at most w cells. It is cut in the middle, because the number at its
// end matters.
func reason(t theme.Theme, why string, w int) string {
	if Width(why) <= w {
		return why
	}
	return cutMiddle(t, why, w, Width(why))
}

// rowTitle is the title of a record, or its problem if it has no title.
func rowTitle(l Look, r *memory.Record, w int) string {
	text, style := titleOf(r, w, l.Reveal), l.Theme.Text
	switch {
	case text == "" && r.Problem != nil:
		text, style = safe.Line(clip(r.Problem.What, w)), l.Theme.Danger
	case text == "":
		text, style = "("+field(r, memory.InID, 0, string(r.ID), 40, l.Reveal)+")", l.Theme.Dim
	}
	return style.Render(truncate(l.Theme, text, max(w, 0)))
}

// leastKeptTitle is the minimum width of the title of a spared record, whose reason matters more.
const leastKeptTitle = 10

// keptRow is one line about what was spared: a record, or the reason that the records below it share.
type keptRow struct {
	*memory.Kept
	number int // of the records with the reason
	title  bool
}

// keptRows returns the records that were spared by their reasons, in the order in which these occur first. A reason
// of several records is a line of its own above them, so that their titles get its room.
func keptRows(kept []memory.Kept) (rows []keptRow) {
	var reasons []string
	with := map[string][]*memory.Kept{}
	for i := range kept {
		k := &kept[i]
		if len(with[k.Why]) == 0 {
			reasons = append(reasons, k.Why)
		}
		with[k.Why] = append(with[k.Why], k)
	}
	for _, why := range reasons {
		same := with[why]
		if len(same) > 1 {
			rows = append(rows, keptRow{Kept: same[0], number: len(same), title: true})
		}
		for _, k := range same {
			rows = append(rows, keptRow{Kept: k, number: len(same)})
		}
	}
	return rows
}

// line draws the row in w cells.
func (k keptRow) line(l Look, w int) string {
	why := safe.Line(clip(k.Why, w))
	ended := "  " + Cell(l.Theme, outcomeText(&k.Record, l.Reveal), outcomeCells)
	switch {
	case k.title:
		number := " (" + strconv.Itoa(k.number) + ")"
		return l.Theme.Dim.Render(reason(l.Theme, why, w-len(number)) + number)
	case k.number > 1:
		if k.Record.Outcome == "" { // not a lesson
			ended = "  "
		}
		return l.Theme.Dim.Render(ended) + rowTitle(l, &k.Record, w-Width(ended))
	}
	why = reason(l.Theme, why, max(w/2, w-leastKeptTitle-5))
	line := ended[2:] + "  " + Cell(l.Theme, why, max(Width(why), 12)) + "  "
	return l.Theme.Dim.Render(line) + rowTitle(l, &k.Record, w-Width(line))
}
