package views

import (
	"strconv"
	"time"

	"winnow/core/memory"
	"winnow/views/theme"
)

// Guard is the data of the dialog about changes that another writer undid.
type Guard struct {
	Undone []memory.Undone // those by the agent's own rules are last
	Picked func(i int) bool
	Cursor int
	// Compare shows the two forms of the change at the cursor side by side.
	Compare bool
	Offset  int // in the comparison
	Focus   int // 0 do mine again, 1 keep theirs, 2 always, 3 cancel
	Reveal  bool
	Now     time.Time
}

// guardWide is how wide the dialog likes to be: two texts stand side by side in it.
const guardWide = 98

// Render returns a box of at most w by h cells.
func (v Guard) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner, h).render(t, box, h)
}

// Last returns the largest Offset that shows more, in a box of w by h cells.
func (v Guard) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner, h).last(h)
}

func (v Guard) sheet(t theme.Theme, w, h int) sheet {
	s := sheet{title: "Changed underneath you"}
	if v.Compare && v.Cursor < len(v.Undone) {
		return v.compared(t, s, w)
	}
	s.head = append(wrapped(t.Warn, "! "+v.what(), w), "")
	s = s.ofLines(v.rows(t, w))
	s.foot = [][]string{blank}
	s.foot = append(s.foot, wrapped(t.Dim, "An agent that loads the file once and rewrites all of it does this. "+
		"It can happen again until that process ends. Doing yours again keeps what the agent added.", w))
	s.foot = append(s.foot, blank)
	s = s.buttons(t, v.Focus, w, v.names(w)...)
	_, rows := s.fitted(h)
	s.first = max(v.line()-rows/2, 0)
	return s
}

func (v Guard) names(w int) []string {
	if w < 60 {
		return []string{"Mine (a)", "Theirs (t)", "Always (w)", "Later"}
	}
	return []string{"Do mine again (a)", "Keep theirs (t)", "Always (w)", "Later (Esc)"}
}

// what says in a sentence what happened.
func (v Guard) what() string {
	n, secrets, unsure := len(v.Undone)-v.byRule(), 0, 0
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
	at := ""
	if !last.IsZero() {
		at = " at " + last.In(v.Now.Location()).Format("15:04:05")
	}
	switch {
	case n == 0:
		return "The agent's own rules took " + count(len(v.Undone), "lesson") + " away" + at
	case secrets > 0:
		return "A redacted secret is back in " + count(secrets, "record") + at
	case unsure == n:
		return "Nobody can tell whether these changes were undone"
	case n == 1:
		return "1 of your changes was undone by another writer" + at
	}
	return strconv.Itoa(n) + " of your changes were undone by another writer" + at
}

func (v Guard) byRule() int {
	n := 0
	for _, u := range v.Undone {
		if u.Kind.ByRule() {
			n++
		}
	}
	return n
}

// rows lists the changes; line returns where the cursor stands in them.
func (v Guard) rows(t theme.Theme, w int) []string {
	var lines []string
	rest := len(v.Undone) - v.byRule()
	for i := range v.Undone {
		if i == rest {
			if i > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, t.Strong.Render(fit("By the agent's own rules, not against you", w)))
		}
		lines = append(lines, v.row(t, i, w))
	}
	return lines
}

func (v Guard) line() int {
	rest := len(v.Undone) - v.byRule()
	switch {
	case v.Cursor < rest:
		return v.Cursor
	case rest == 0:
		return v.Cursor + 1
	}
	return v.Cursor + 2
}

// UndoneWords says what another writer did to a change.
func UndoneWords(k memory.UndoneKind) string {
	switch k {
	case memory.CameBack:
		return "came back"
	case memory.Reverted:
		return "edit reverted"
	case memory.Dropped:
		return "dropped"
	case memory.Conflict:
		return "edited by both"
	case memory.Evicted:
		return "evicted: full store"
	case memory.PrunedAway:
		return "pruned: too old"
	case memory.SecretBack:
		return "secret is back"
	case memory.CannotTell:
		return "cannot tell"
	}
	return k.String()
}

func (v Guard) row(t theme.Theme, i, w int) string {
	const words = 20
	u := &v.Undone[i]
	cursor, box := "  ", "[ ] "
	if i == v.Cursor {
		cursor = "> "
	}
	if v.Picked != nil && v.Picked(i) {
		box = "[x] "
	}
	times := strconv.Itoa(u.Times) + "x"
	if u.Always {
		times += " always"
	}
	room := max(w-6-words-4, 0)
	line := cursor + box + Cell(UndoneWords(u.Kind), words) + OutcomeLetter(u.Record.Outcome) + "   "
	name := Cell(rowTitle(t, &u.Record, room-Width(times)-2, v.Reveal), room-Width(times)-2)
	if i == v.Cursor {
		return t.Selection.Render(Cell(line, w-room)) + " " + name + " " + t.Dim.Render(times)
	}
	return t.Text.Render(Cell(line, w-room)) + " " + name + " " + t.Dim.Render(times)
}

// compared shows mine and theirs of one change.
func (v Guard) compared(t theme.Theme, s sheet, w int) sheet {
	u := &v.Undone[v.Cursor]
	mine, theirs := undoneSides(u)
	said := UndoneWords(u.Kind) + ", " + strconv.Itoa(u.Times) + "x: "
	s.head = []string{t.Warn.Render("! "+said) + rowTitle(t, &u.Record, w-Width(said)-2, v.Reveal), ""}
	s = s.ofLines(versus(t, mine, theirs, v.Reveal, w))
	s.first = v.Offset
	s.foot = [][]string{blank}
	return s.buttons(t, v.Focus, w, "Mine (m)", "Theirs (t)", "Back (Esc)")
}

// undoneSides returns what should stand, and what does.
func undoneSides(u *memory.Undone) (mine, theirs Side) {
	switch {
	case u.Theirs == "":
		return Side{u.Record, u.Mine}, Side{}
	case u.Mine == "":
		return Side{}, Side{u.Record, u.Theirs}
	}
	return Side{u.MyRecord, u.Mine}, Side{u.Record, u.Theirs}
}

// versus shows two forms of a record: side by side where there is room.
func versus(t theme.Theme, mine, theirs Side, reveal bool, w int) []string {
	d := Diff{Was: mine, Now: theirs, Reveal: reveal, Columns: w >= sideBySide}
	left, right := "- mine", "+ theirs"
	if mine.none() {
		left = "- mine: it is gone"
	}
	if theirs.none() {
		right = "+ theirs: it is gone"
	}
	var head []string
	if d.Columns {
		head = zipped(t, []string{t.Strong.Render(left)}, []string{t.Strong.Render(right)}, halfOf(w))
	} else {
		head = append(wrapped(t.Strong, left, w), wrapped(t.Strong, right, w)...)
	}
	return append(head, d.Lines(t, w)...)
}
