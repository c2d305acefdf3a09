package views

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/safe"
	"winnow/views/theme"
)

// Guard is the dialog about changes that another writer undid.
type Guard struct {
	Undone []memory.Undone // those by the agent's own rules are last
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
		mine, theirs := undoneSides(u)
		what := UndoneWords(u.Kind) + ", " + strconv.Itoa(u.Times) + "x: "
		d.Head = []string{l.Theme.Warn.Render("! "+what) + rowTitle(l, &u.Record, w-Width(what)-2), ""}
		d.SetLines(versus(l, mine, theirs, w))
		return d
	}
	d.Head = append(wrapped(l.Theme.Warn, "! "+v.what(l), w), "")
	d.SetLines(v.rows(l, w))
	d.Foot = append(d.Foot, wrapped(l.Theme.Dim, "An agent that loads the file once and rewrites all of it does this. "+
		"It can happen again until that process ends. Redoing your change keeps what the agent added.", w), blank)
	d.Cursor = v.RowOf(v.Cursor)
	return d
}

// what says in a sentence what happened.
func (v Guard) what(l Look) string {
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
		at = " at " + last.In(l.Now.Location()).Format("15:04:05")
	}
	switch {
	case n == 0:
		return "The agent's own rules took " + count(len(v.Undone), "lesson") + " away" + at
	case secrets > 0:
		return "A redacted secret is back in " + count(secrets, "record") + at
	case unsure == n:
		return "It is unclear whether these changes were undone"
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

// rows lists the changes; RowOf returns the row of each.
func (v Guard) rows(l Look, w int) []string {
	var lines []string
	rest := len(v.Undone) - v.byRule()
	for i := range v.Undone {
		if i == rest {
			if i > 0 {
				lines = append(lines, "")
			}
			lines = append(lines, l.Theme.Strong.Render(fit("By the agent's own rules, not against you", w)))
		}
		lines = append(lines, v.row(l, i, w))
	}
	return lines
}

// RowOf returns the row of a change.
func (v Guard) RowOf(i int) int {
	rest := len(v.Undone) - v.byRule()
	switch {
	case i < rest:
		return i
	case rest == 0:
		return i + 1
	}
	return i + 2
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
		return "unclear"
	}
	return k.String()
}

func (v Guard) row(l Look, i, w int) string {
	const words = 20
	u := &v.Undone[i]
	cursor, box := "  ", "[ ] "
	if i == v.Cursor {
		cursor = "> "
	}
	if v.Picked[u.ID] {
		box = "[x] "
	}
	times := strconv.Itoa(u.Times) + "x"
	if u.Always {
		times += " always"
	}
	room := max(w-6-words-4, 0)
	line := cursor + box + Cell(UndoneWords(u.Kind), words) + OutcomeLetter(u.Record.Outcome) + "   "
	name := Cell(rowTitle(l, &u.Record, room-Width(times)-2), room-Width(times)-2)
	style := l.Theme.Text
	if i == v.Cursor {
		style = l.Theme.Selection
	}
	return style.Render(Cell(line, w-room)) + " " + name + " " + l.Theme.Dim.Render(times)
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
func versus(l Look, mine, theirs Side, w int) []string {
	t, d := l.Theme, Diff{Was: mine, Now: theirs, Reveal: l.Reveal, Columns: w >= sideBySide}
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

// Conflict is the dialog for a change that collides with another writer's. Nothing was
// changed yet.
type Conflict struct {
	Change memory.Change
	Theirs memory.Applied
	At, Of int // At of Of conflicts is shown, from 1
}

// Dialog returns the dialog in a room of w cells.
func (v Conflict) Dialog(l Look, w, _ int) Dialog {
	mine, theirs := Side{}, Side{v.Theirs.TheirRecord, v.Theirs.Theirs}
	switch v.Change.Do {
	case memory.Adding:
		mine = Side{v.Change.Record, v.Change.After}
	case memory.Editing:
		mine = Side{v.Change.Edited, v.Change.After}
	case memory.Pinning, memory.Unpinning:
		mine = Side{v.Change.Record, v.Change.Before}
	}
	title := "Conflict"
	if v.Of > 1 {
		title += " " + strconv.Itoa(v.At) + " of " + strconv.Itoa(v.Of)
	}
	d, w := newDialog(title, w, dialogWider)
	d.SetLines(versus(l, mine, theirs, w))
	why := cmp.Or(safe.Line(v.Theirs.Why), "another writer changed it too")
	d.Head = append([]string{rowTitle(l, &v.Change.Record, w)},
		wrapped(l.Theme.Warn, "! "+sentence(why)+". Nothing was changed yet.", w)...)
	d.Head, d.Foot = append(d.Head, ""), [][]string{blank}
	return d
}

// sentence returns text that is safe with a capital letter where it begins with a small
// one.
func sentence(text string) string {
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return strings.ToUpper(text[:1]) + text[1:]
	}
	return text
}

// Banner is the line over a page that says what another writer undid.
type Banner struct {
	Undone  int    // changes
	Secrets int    // records in which a redacted secret is back
	Unsure  int    // changes of which nobody can tell
	Key     string // shows them
}

// Render returns a line of exactly w cells.
func (v Banner) Render(t theme.Theme, w int) string {
	if v.Undone+v.Secrets+v.Unsure < 1 {
		return pad(w)
	}
	look := " - " + safe.Line(v.Key) + " to look"
	texts := v.texts()
	for _, text := range texts {
		if text += look; Width(text) <= w {
			return t.Warn.Render(Cell(text, w))
		}
	}
	return t.Warn.Render(Cell(texts[len(texts)-1], w))
}

// texts says it in ever fewer words.
func (v Banner) texts() []string {
	n := " " + strconv.Itoa(v.Undone)
	were := n + " of your changes were undone by another writer"
	if v.Undone == 1 {
		were = n + " of your changes was undone by another writer"
	}
	secrets := " A redacted secret is back in " + count(v.Secrets, "record")
	switch {
	case v.Secrets > 0 && v.Undone > 0:
		return []string{secrets + "," + were, secrets + "," + n + " undone", " secrets back," + n + " undone"}
	case v.Secrets > 0:
		return []string{secrets, " Redacted secrets are back", " secrets back"}
	case v.Undone == 0:
		changes := " It is unclear whether " + count(v.Unsure, "change")
		return []string{changes + " of yours is undone", changes + " is undone", " unclear"}
	}
	return []string{were, n + " undone by another writer", n + " undone"}
}
