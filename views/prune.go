package views

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"winnow/views/theme"
)

// Rules of the prune assistant, in the order of the list.
const (
	PruneOld    = iota // never used and older than Days
	PruneUnused        // never used, any age
	PruneIdle          // used in none of the last Sessions
	PruneAge           // older than Days and not used since
	PruneAgain         // told often, and failed all the same
	PruneStale         // names what is gone
	PruneTwice         // says nearly the same as another
	PruneUnread        // no agent reads it
	PruneRisky         // a secret, or reads like an order
	PruneFailed
	PruneListed // the records that the filter shows
	PruneKeep   // all but the Keep best
)

// Prune is the dialog that deletes records by rule.
type Prune struct {
	Planned
	Rule    int
	Offered []int // the rules that suit the store
	Days    int
	// Sessions is the number of PruneIdle, and Keep that of PruneKeep.
	Sessions, Keep int
	// Listed is how many records the filter shows, or 0 without a filter. Total is the number of
	// all records.
	Listed, Total int
	OnList        bool // the list has the focus
}

// Dialog returns the dialog in a room of w cells.
func (v Prune) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog("Prune", w, dialogWider)
	v.lists(&d, l, w)
	d.Head = append(v.rules(l.Theme, w), d.Head...)
	d.Head = append(d.Head, v.changed(l.Theme, w)...)
	v.addEffects(&d, l, w)
	return d
}

// RuleAt returns the rule at a cell of the dialog in a room of w cells, or -1.
func (v Prune) RuleAt(w int, s DialogCell) int {
	t := theme.Theme{}
	_, w = newDialog("", w, dialogWider)
	for line, rules := range v.ruleLines(t, w) {
		at := ruleLabel
		for _, rule := range rules {
			end := at + Width(v.rule(t, rule))
			if s.Head == line && s.X >= at && s.X < end {
				return rule
			}
			at = end + ruleGap
		}
	}
	return -1
}

// rules returns the lines of the choice of rules.
func (v Prune) rules(t theme.Theme, w int) []string {
	var lines []string
	label := t.Strong.Render(Cell(t, "Rule", ruleLabel))
	for _, rules := range v.ruleLines(t, w) {
		names := make([]string, len(rules))
		for i, rule := range rules {
			names[i] = v.rule(t, rule)
		}
		lines = append(lines, label+strings.Join(names, pad(ruleGap)))
		label = pad(ruleLabel)
	}
	return append(lines, "")
}

// Cells before the rules and between two of them.
const (
	ruleLabel = 7
	ruleGap   = 3
)

// ruleLines returns which rules share a line: as many as fit, in order.
func (v Prune) ruleLines(t theme.Theme, w int) (lines [][]int) {
	used := 0
	for _, rule := range v.Offered {
		wide := ruleGap + Width(v.rule(t, rule))
		if len(lines) == 0 || ruleLabel-ruleGap+used+wide > w {
			lines, used = append(lines, nil), 0
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], rule)
		used += wide
	}
	return lines
}

// rule returns a rule with its choice sign. Without a filter, the rule by filter cannot be chosen.
func (v Prune) rule(t theme.Theme, rule int) string {
	text := [...]string{
		PruneOld:    fmt.Sprintf("never used and older than [%d] days", v.Days),
		PruneUnused: "never used, any age",
		PruneIdle:   fmt.Sprintf("in none of the last [%d] sessions", v.Sessions),
		PruneAge:    fmt.Sprintf("older than [%d] days and not used since", v.Days),
		PruneAgain:  "fired often, failed all the same",
		PruneStale:  "stale",
		PruneTwice:  "twice",
		PruneUnread: "unread",
		PruneRisky:  "secret or orders",
		PruneFailed: "failed only",
		PruneListed: "by current filter",
		PruneKeep:   fmt.Sprintf("keep best [%d] by relevance, then newest", v.Keep),
	}[rule]
	switch {
	case v.Rule == rule:
		return t.Accent.Render("(o) " + text)
	case rule == PruneListed && v.Listed == 0:
		return t.Dim.Render("(-) " + text)
	}
	return t.Text.Render("( ) " + text)
}

// sideBySide is the width from which the removed and the kept records are side by side.
const sideBySide = 68

// lists adds what would be removed, and what is kept although it matches.
func (v Prune) lists(d *Dialog, l Look, w int) {
	t, removed, kept := l.Theme, v.Plan.Changes, v.Plan.Kept
	number := cmp.Or(textIf(v.Pending, "%s", t.Borders.Cut), strconv.Itoa(v.Plan.Deleted()))
	left := textIf(v.OnList, "> ") + fmt.Sprintf("Would remove %s of %d", number, v.Total)
	if w < sideBySide || len(kept) == 0 {
		v.rows(d, l, w)
		d.Head = []string{t.Strong.Render(left)}
		return
	}
	half, spared := w*4/7-2, keptRows(kept)
	d.Head = []string{t.Strong.Render(Cell(t, left, half)) + "  " + t.Strong.Render(keptTitle(kept))}
	d.Rows = max(len(removed), len(spared))
	d.Row = func(i int) string {
		a, b := "", ""
		if i < len(removed) {
			a = lessonRow(l, "", &removed[i].Record, "", half) // the reason is the rule itself
		}
		if i < len(spared) {
			b = spared[i].line(l, w-half-2)
		}
		return Cell(t, a, half) + "  " + b
	}
}
