package views

import (
	"cmp"
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Planned is a plan that a person is asked about.
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

// maxSpread is up to how many changes the dialog shows whole. Of more, each takes
// one line.
const maxSpread = 40

// Dialog returns the dialog in a room of w cells.
func (v Confirm) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog(v.Title(), w, dialogWide)
	v.rows(&d, l, w)
	d.Head = v.changed(l.Theme, w)
	if v.Asks() {
		d.Head = append(d.Head, append(wrapped(l.Theme.Danger, "! "+l.Mask.whole(v.Plan.Asks), w), "")...)
	}
	v.after(&d, l.Theme, w)
	return d
}

// changed says that the plan is another one than was shown.
func (v Planned) changed(t theme.Theme, w int) []string {
	if !v.Changed {
		return nil
	}
	return append(wrapped(t.Warn, "! The list changed from "+strconv.Itoa(v.Was)+" to "+strconv.Itoa(len(v.Plan.Changes))+
		": look again. The next yes only acknowledges this.", w), "")
}

// after adds what will be different after a plan, the way back, and what may go wrong.
func (v Planned) after(d *Dialog, t theme.Theme, w int) {
	d.Foot = append(d.Foot, blank)
	for _, n := range v.Plan.Notes {
		d.Foot = append(d.Foot, wrapped(t.Info, safe.Line(n), w))
	}
	if !v.Pending {
		d.Foot = append(d.Foot, v.wayBack(t, w))
	}
	if v.Warn != "" {
		d.Foot = append(d.Foot, wrapped(t.Warn, "! "+safe.Line(v.Warn), w))
	}
	if v.Failed != "" {
		d.Foot = append(d.Foot, wrapped(t.Danger, "! "+safe.Line(v.Failed), w))
	}
	d.Foot = append(d.Foot, blank)
}

// Asks reports whether the plan needs a decision against a warning.
func (v Planned) Asks() bool { return v.Plan.Asks != "" && !v.Plan.Order.Anyway }

// wayBack says how a plan can be undone, and when it cannot.
func (v Planned) wayBack(t theme.Theme, w int) []string {
	switch {
	case len(v.Plan.Changes) == 0:
		return wrapped(t.Dim, "Nothing would change.", w)
	case v.Plan.Final:
		return wrapped(t.Danger, "! This cannot be undone: no copy of the old text is kept.", w)
	}
	return wrapped(t.Dim, "Reversible: u, or History (U). 1 undo step.", w)
}

// Title returns what the plan does, in few words: "Delete 6".
func (v Planned) Title() string {
	p := &v.Plan
	do := string(p.Order.Do)
	if do == "" {
		do = "change"
	}
	n := 0
	for i := range p.Changes {
		if !p.Changes[i].Companion {
			n++
		}
	}
	if p.Order.Do == memory.Merge {
		n = max(n, len(p.Order.IDs))
	}
	return strings.ToUpper(do[:1]) + safe.Line(do[1:]) + " " + strconv.Itoa(n)
}

// rows lists the changes, and below them what was spared.
func (v Planned) rows(d *Dialog, l Look, w int) {
	changes, kept := v.Plan.Changes, v.Plan.Kept
	if len(changes)+len(kept) <= maxSpread {
		d.SetLines(v.spread(l, w))
		return
	}
	mixed := mixedKinds(changes)
	n := len(changes)
	d.Rows = n + min(len(kept), 1)*2 + len(kept)
	d.Row = func(i int) string {
		switch {
		case i < n:
			return changeRow(l, &changes[i], mixed, w)
		case i == n:
			return ""
		case i == n+1:
			return l.Theme.Strong.Render(keptTitle(kept))
		}
		return keptRow(l, &kept[i-n-2], w)
	}
}

// spread lists changes with their reasons and differences below them.
func (v Planned) spread(l Look, w int) []string {
	var lines []string
	mixed := mixedKinds(v.Plan.Changes)
	for i := range v.Plan.Changes {
		c := &v.Plan.Changes[i]
		lines = append(lines, changeRow(l, c, mixed, w))
		if c.Do == memory.Editing || c.Do == memory.Adding {
			for _, line := range DiffOf(*c, l.Reveal).Lines(l.Theme, max(w-4, 1)) {
				lines = append(lines, "    "+line)
			}
		}
	}
	if len(v.Plan.Kept) > 0 {
		lines = append(lines, "", l.Theme.Strong.Render(keptTitle(v.Plan.Kept)))
	}
	for i := range v.Plan.Kept {
		lines = append(lines, keptRow(l, &v.Plan.Kept[i], w))
	}
	return lines
}

func keptTitle(kept []memory.Kept) string {
	return "Kept although they match: " + strconv.Itoa(len(kept))
}

// mixedKinds reports whether the changes are not all of one kind.
func mixedKinds(changes []memory.Change) bool {
	for i := range changes {
		if changes[i].Do != changes[0].Do {
			return true
		}
	}
	return false
}

// changeRow is one change in one line: outcome, count, age, title, and at the right
// end the reason.
func changeRow(l Look, c *memory.Change, kind bool, w int) string {
	head := ""
	if kind {
		head = l.Theme.Accent.Render(Cell(c.Do.String(), 7))
	}
	if c.Companion {
		head = l.Theme.Info.Render("along: ") + head
	}
	return lessonRow(l, head, &c.Record, c.Why, w)
}

// lessonRow is a record in one line of w cells, with a remark at its right end where
// there is room for it.
func lessonRow(l Look, head string, r *memory.Record, why string, w int) string {
	t, v := l.Theme, RecordTable{Now: l.Now}
	age := "-"
	if !l.Now.IsZero() {
		age = v.age(r)
	}
	letter := t.OK
	if r.Outcome == memory.Failed {
		letter = t.Danger
	}
	line := head + letter.Render(v.outcome(r)) + t.Dim.Render(Right(v.rel(r), 5)+Right(age, 6)) + "  "
	if r.Outcome == "" && (r.Kind != "" || r.Scope != "" || r.File != "") { // no lesson
		line = head + t.Dim.Render(Cell(cmp.Or(safe.Line(clip(r.Kind, maxKind)), safe.Line(clip(r.Scope, maxKind))), maxKind)+Right(age, 6)) + "  "
	}
	room := w - Width(line)
	if r.Title == "" && r.Problem != nil && r.Problem.What == why {
		why = "" // it is where the title would be
	}
	if why = safe.Line(clip(why, w)); why != "" && room >= 30 {
		why = fit(why, room/2)
		name := Cell(rowTitle(l, r, room-Width(why)-2), room-Width(why)-2)
		return line + name + "  " + t.Dim.Render(why)
	}
	return line + rowTitle(l, r, room)
}

// rowTitle is the title of a record, or what is wrong where there is none.
func rowTitle(l Look, r *memory.Record, w int) string {
	text, style := titleOf(r, w, l.Reveal), l.Theme.Text
	switch {
	case text == "" && r.Problem != nil:
		text, style = safe.Line(clip(r.Problem.What, w)), l.Theme.Danger
	case text == "":
		text, style = "("+field(r, memory.InID, 0, string(r.ID), 40, l.Reveal)+")", l.Theme.Dim
	}
	return style.Render(fit(text, max(w, 0)))
}

// keptRow is a record that was spared: its outcome, the reason, and its title.
func keptRow(l Look, k *memory.Kept, w int) string {
	why := safe.Line(clip(k.Why, w))
	line := OutcomeLetter(k.Record.Outcome) + "  " + Cell(why, min(max(Width(why), 12), max(w/2, 1))) + "  "
	return l.Theme.Dim.Render(line) + rowTitle(l, &k.Record, w-Width(line))
}
