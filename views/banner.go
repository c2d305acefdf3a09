package views

import (
	"strconv"

	"winnow/views/safe"
	"winnow/views/theme"
)

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
