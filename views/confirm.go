package views

import (
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Confirm is the data of the dialog that shows a plan before it is done.
type Confirm struct {
	Plan memory.Plan
	// Was is how many changes the plan had when it was confirmed or shown first, and
	// Changed is set when it is another plan since: the next press only takes note.
	Was     int
	Changed bool
	Warn    string // one line about other writers; may be empty
	Failed  string // why no plan could be made of the order; may be empty
	Focus   int    // 0 on Cancel, 1 on doing it
	Offset  int    // the first row that is shown
	Reveal  bool
	Mask    Mask
	Now     time.Time
}

// dialogWide is how wide dialogs like to be.
const dialogWide = 78

// maxSpread is up to how many changes the dialog shows whole. Of more, each takes
// one line.
const maxSpread = 40

// Render returns a box of at most w by h cells.
func (v Confirm) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).render(t, box, h)
}

// Last returns the largest Offset that shows more, in a box of w by h cells.
func (v Confirm) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, dialogWide)
	return v.sheet(t, inner).last(h)
}

func (v Confirm) sheet(t theme.Theme, w int) sheet {
	s := v.rows(t, w)
	s.title, s.first = v.Title(), v.Offset
	if v.Changed {
		s.head = append(wrapped(t.Warn, "! list changed: "+strconv.Itoa(v.Was)+" -> "+strconv.Itoa(len(v.Plan.Changes))+
			" - look again; the next yes only takes note", w), "")
	}
	if v.asks() {
		s.head = append(s.head, append(wrapped(t.Danger, "! "+v.Mask.whole(v.Plan.Asks), w), "")...)
	}
	s.foot = append(s.foot, afterwards(t, v.Plan, wayBack(t, v.Plan, w), w)...)
	s.foot = append(append(s.foot, warnings(t, v.Warn, v.Failed, w)...), blank)
	if v.asks() {
		return s.buttons(t, v.Focus, w, "Cancel", "All the same (o)")
	}
	return s.buttons(t, v.Focus, w, "Cancel", v.Title()+" (y)")
}

// asks reports whether the plan wants a decision more than usual.
func (v Confirm) asks() bool { return v.Plan.Asks != "" && !v.Plan.Order.Anyway }

// afterwards returns what will be different after a plan, and the way back.
func afterwards(t theme.Theme, p memory.Plan, back []string, w int) [][]string {
	said := [][]string{blank}
	for _, n := range p.Notes {
		said = append(said, wrapped(t.Info, safe.Line(n), w))
	}
	if back != nil {
		said = append(said, back)
	}
	return said
}

// warnings returns what may go wrong, and what went wrong, each below a sign.
func warnings(t theme.Theme, warn, failed string, w int) [][]string {
	var said [][]string
	if warn != "" {
		said = append(said, wrapped(t.Warn, "! "+safe.Line(warn), w))
	}
	if failed != "" {
		said = append(said, wrapped(t.Danger, "! "+safe.Line(failed), w))
	}
	return said
}

// wayBack says how a plan can be undone, and when it cannot.
func wayBack(t theme.Theme, p memory.Plan, w int) []string {
	switch {
	case len(p.Changes) == 0:
		return wrapped(t.Dim, "Nothing would change.", w)
	case p.Final:
		return wrapped(t.Danger, "! This cannot be undone: no copy of the old text is kept.", w)
	}
	return wrapped(t.Dim, "Reversible: u, or History (U). 1 undo step.", w)
}

// Title returns what the plan does, in few words: "Delete 6".
func (v Confirm) Title() string { return planTitle(v.Plan) }

func planTitle(p memory.Plan) string {
	do := string(p.Order.Do)
	if do == "" {
		do = "change"
	}
	n := 0
	for i := range p.Changes {
		if !p.Changes[i].With {
			n++
		}
	}
	if p.Order.Do == memory.Merge {
		n = max(n, len(p.Order.IDs))
	}
	return strings.ToUpper(do[:1]) + safe.Line(do[1:]) + " " + strconv.Itoa(n)
}

// rows lists the changes, and below them what was spared.
func (v Confirm) rows(t theme.Theme, w int) sheet {
	changes, kept := v.Plan.Changes, v.Plan.Kept
	if len(changes)+len(kept) <= maxSpread {
		return sheet{}.ofLines(v.spread(t, w))
	}
	mixed := mixedKinds(changes)
	n := len(changes)
	return sheet{n: n + min(len(kept), 1)*2 + len(kept), row: func(i int) string {
		switch {
		case i < n:
			return changeRow(t, &changes[i], v.Now, v.Reveal, mixed, w)
		case i == n:
			return ""
		case i == n+1:
			return t.Strong.Render(keptTitle(kept))
		}
		return keptRow(t, &kept[i-n-2], v.Reveal, w)
	}}
}

// spread lists changes with their reasons and differences below them.
func (v Confirm) spread(t theme.Theme, w int) []string {
	var lines []string
	mixed := mixedKinds(v.Plan.Changes)
	for i := range v.Plan.Changes {
		c := &v.Plan.Changes[i]
		lines = append(lines, changeRow(t, c, v.Now, v.Reveal, mixed, w))
		if c.Do == memory.Editing || c.Do == memory.Adding {
			for _, l := range DiffOf(*c, v.Reveal).Lines(t, max(w-4, 1)) {
				lines = append(lines, "    "+l)
			}
		}
	}
	if len(v.Plan.Kept) > 0 {
		lines = append(lines, "", t.Strong.Render(keptTitle(v.Plan.Kept)))
	}
	for i := range v.Plan.Kept {
		lines = append(lines, keptRow(t, &v.Plan.Kept[i], v.Reveal, w))
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
func changeRow(t theme.Theme, c *memory.Change, now time.Time, reveal, kind bool, w int) string {
	head := ""
	if kind {
		head = t.Accent.Render(Cell(c.Do.String(), 7))
	}
	if c.With {
		head = t.Info.Render("along: ") + head
	}
	return lessonRow(t, head, &c.Record, c.Why, now, reveal, w)
}

// lessonRow is a record in one line of w cells, with a remark at its right end where
// there is room for it.
func lessonRow(t theme.Theme, head string, r *memory.Record, why string, now time.Time, reveal bool, w int) string {
	v := LessonTable{Now: now}
	age := "-"
	if !now.IsZero() {
		age = v.age(r)
	}
	letter := t.OK
	if r.Outcome == memory.Failed {
		letter = t.Danger
	}
	line := head + letter.Render(v.outcome(r)) + t.Dim.Render(Right(v.rel(r), 5)+Right(age, 6)) + "  "
	if r.Outcome == "" && (r.Kind != "" || r.Scope != "" || r.File != "") { // no lesson
		line = head + t.Dim.Render(Cell(orText(safe.Line(clip(r.Kind, maxKind)), safe.Line(clip(r.Scope, maxKind))), maxKind)+Right(age, 6)) + "  "
	}
	room := w - Width(line)
	if r.Title == "" && r.Problem != nil && r.Problem.What == why {
		why = "" // it stands where the title would
	}
	if why = safe.Line(clip(why, w)); why != "" && room >= 30 {
		why = fit(why, room/2)
		name := Cell(rowTitle(t, r, room-Width(why)-2, reveal), room-Width(why)-2)
		return line + name + "  " + t.Dim.Render(why)
	}
	return line + rowTitle(t, r, room, reveal)
}

// rowTitle is the title of a record, or what is wrong where there is none.
func rowTitle(t theme.Theme, r *memory.Record, w int, reveal bool) string {
	text, style := title(r, w, reveal), t.Text
	switch {
	case text == "" && r.Problem != nil:
		text, style = safe.Line(clip(r.Problem.What, w)), t.Danger
	case text == "":
		text, style = "("+field(r, memory.InID, 0, string(r.ID), 40, reveal)+")", t.Dim
	}
	return style.Render(fit(text, max(w, 0)))
}

// keptRow is a record that was spared: its outcome, the reason, and its title.
func keptRow(t theme.Theme, k *memory.Kept, reveal bool, w int) string {
	why := safe.Line(clip(k.Why, w))
	line := OutcomeLetter(k.Record.Outcome) + "  " + Cell(why, min(max(Width(why), 12), max(w/2, 1))) + "  "
	return t.Dim.Render(line) + rowTitle(t, &k.Record, w-Width(line), reveal)
}
