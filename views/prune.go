package views

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"winnow/views/theme"
)

// The rules of the prune assistant, in the order in which they are listed.
const (
	PruneOld    = iota // never used and older than Days
	PruneUnused        // never used, any age
	PruneFailed
	PruneListed    // what the filter shows
	PruneKeep      // all but the best Keep
	PruneUnhelpful // recalled often enough, and fewer of the sessions succeeded
	PruneRules     // how many rules there are
)

// Prune is the dialog that removes by rule.
type Prune struct {
	Planned
	Rule       int
	Days, Keep int
	// Listed is how many records the filter shows, 0 when none is set; Total is how
	// many there are.
	Listed, Total int
	OnList        bool // the list has the focus
}

// Dialog returns the dialog in a room of w cells.
func (v Prune) Dialog(l Look, w, _ int) Dialog {
	d, w := newDialog("Prune", w, dialogWider)
	v.lists(&d, l, w)
	d.Head = append(v.rules(l.Theme, w), d.Head...)
	d.Head = append(d.Head, v.changed(l.Theme, w)...)
	v.after(&d, l, w)
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

// rules returns the choice of rules: four lines where they are wide enough.
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

// Columns before the rules, and between two of them.
const (
	ruleLabel = 7
	ruleGap   = 3
)

// ruleLines returns which rules stand in one line.
func (v Prune) ruleLines(t theme.Theme, w int) [][]int {
	wide := ruleLabel - ruleGap
	for _, rule := range []int{PruneUnused, PruneFailed, PruneListed} {
		wide += ruleGap + Width(v.rule(t, rule))
	}
	if w >= wide {
		return [][]int{{PruneOld}, {PruneUnused, PruneFailed, PruneListed}, {PruneKeep}, {PruneUnhelpful}}
	}
	return [][]int{{PruneOld}, {PruneUnused}, {PruneFailed}, {PruneListed}, {PruneKeep}, {PruneUnhelpful}}
}

// rule returns a rule with the sign of a choice. There is none by filter while none is set.
func (v Prune) rule(t theme.Theme, rule int) string {
	text := [...]string{
		PruneOld:    fmt.Sprintf("never used and older than [%d] days", v.Days),
		PruneUnused: "never used, any age",
		PruneFailed: "failed only",
		PruneListed: "by current filter",
		PruneKeep:   fmt.Sprintf("keep best [%d] by relevance, then newest", v.Keep),

		PruneUnhelpful: "recalled and did not help",
	}[rule]
	switch {
	case v.Rule == rule:
		return t.Accent.Render("(o) " + text)
	case rule == PruneListed && v.Listed == 0:
		return t.Dim.Render("(-) " + text)
	}
	return t.Text.Render("( ) " + text)
}

// sideBySide is from which width on what goes and what stays stand beside each other.
const sideBySide = 68

// lists lists what would go, and what is kept although it matches.
func (v Prune) lists(d *Dialog, l Look, w int) {
	t, removed, kept := l.Theme, v.Plan.Changes, v.Plan.Kept
	number := cmp.Or(when(v.Pending, "%s", t.Borders.Cut), strconv.Itoa(len(removed)))
	left := when(v.OnList, "> ") + fmt.Sprintf("Would remove %s of %d", number, v.Total)
	if w < sideBySide || len(kept) == 0 || v.Rule == PruneUnhelpful { // whose reasons are long
		v.rows(d, l, w)
		d.Head = []string{t.Strong.Render(left)}
		return
	}
	half := w*4/7 - 2
	d.Head = []string{t.Strong.Render(Cell(t, left, half)) + "  " + t.Strong.Render(keptTitle(kept))}
	d.Rows = max(len(removed), len(kept))
	d.Row = func(i int) string {
		a, b := "", ""
		if i < len(removed) {
			a = lessonRow(l, "", &removed[i].Record, "", half) // why is the rule
		}
		if i < len(kept) {
			b = keptRow(l, &kept[i], w-half-2)
		}
		return Cell(t, a, half) + "  " + b
	}
}
