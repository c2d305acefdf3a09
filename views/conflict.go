package views

import (
	"strconv"
	"strings"

	"winnow/core/memory"
	"winnow/views/safe"
)

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
	why := orText(safe.Line(v.Theirs.Why), "another writer changed it too")
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
