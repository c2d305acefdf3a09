package views

import (
	"strconv"
	"strings"
	"time"

	"winnow/core/memory"
	"winnow/views/theme"
)

// The rules of the prune assistant, in the order in which they are listed.
const (
	PruneOld    = iota // never used and older than Days
	PruneUnused        // never used, any age
	PruneFailed
	PruneListed // what the filter shows
	PruneKeep   // all but the best Keep
	PruneRules  // how many rules there are
)

// The places of the prune assistant that Enter and the arrows act on.
const (
	OnCancel = iota
	OnDo
	OnList
)

// Prune is the data of the prune assistant.
type Prune struct {
	Rule       int
	Days, Keep int
	// Listed is how many records the filter shows, 0 when none is set; Total is how
	// many there are.
	Listed, Total int
	Plan          memory.Plan
	Pending       bool // Plan is not yet that of the rule
	// Changed is set when the plan became another one than was shown when it was
	// confirmed; Was is how many changes that had.
	Changed bool
	Was     int
	Warn    string
	Failed  string
	Focus   int
	Offset  int
	Reveal  bool
	Now     time.Time
}

// Render returns a box of at most w by h cells.
func (v Prune) Render(t theme.Theme, w, h int) string {
	box, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner).render(t, box, h)
}

// Last returns the largest Offset that shows more, in a box of w by h cells.
func (v Prune) Last(t theme.Theme, w, h int) int {
	_, inner := sheetWidth(w, guardWide)
	return v.sheet(t, inner).last(h)
}

func (v Prune) sheet(t theme.Theme, w int) sheet {
	s := v.lists(t, w)
	s.title, s.first = "Prune", v.Offset
	s.head = append(v.rules(t, w), s.head...)
	if v.Changed {
		s.head = append(s.head, wrapped(t.Warn, "! list changed: "+strconv.Itoa(v.Was)+" -> "+
			strconv.Itoa(len(v.Plan.Changes))+" - the next yes only takes note", w)...)
	}
	var back []string
	if !v.Pending {
		back = wayBack(t, v.Plan, w)
	}
	s.foot = append(s.foot, afterwards(t, v.Plan, back, w)...)
	s.foot = append(s.foot, warnings(t, v.Warn, v.Failed, w)...)
	do := "Remove " + strconv.Itoa(len(v.Plan.Changes)) + " (y)"
	if v.Pending {
		do = "Remove .. (counting)"
	}
	s.foot = append(s.foot, blank)
	return s.buttons(t, v.Focus, w, "Cancel", do)
}

// rules returns the choice of rules: three lines where they are wide enough.
func (v Prune) rules(t theme.Theme, w int) []string {
	var lines []string
	label := t.Strong.Render(Cell("Rule", ruleLabel))
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
		return [][]int{{PruneOld}, {PruneUnused, PruneFailed, PruneListed}, {PruneKeep}}
	}
	return [][]int{{PruneOld}, {PruneUnused}, {PruneFailed}, {PruneListed}, {PruneKeep}}
}

// rule returns a rule with the sign of a choice.
func (v Prune) rule(t theme.Theme, rule int) string {
	return v.radio(t, rule, [...]string{
		PruneOld:    "never used and older than [" + strconv.Itoa(v.Days) + "] days",
		PruneUnused: "never used, any age",
		PruneFailed: "failed only",
		PruneListed: "by current filter",
		PruneKeep:   "keep best [" + strconv.Itoa(v.Keep) + "] by relevance, then newest",
	}[rule])
}

// radio is a rule with the sign of a choice. There is none by filter while none is
// set.
func (v Prune) radio(t theme.Theme, rule int, text string) string {
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

// lists returns what would go, and what is kept although it matches.
func (v Prune) lists(t theme.Theme, w int) sheet {
	gone, kept := v.Plan.Changes, v.Plan.Kept
	left := "Would remove " + strconv.Itoa(len(gone)) + " of " + strconv.Itoa(v.Total)
	if v.Pending {
		left = "Would remove .. of " + strconv.Itoa(v.Total)
	}
	if v.Focus == OnList {
		left = "> " + left
	}
	if w < sideBySide || len(kept) == 0 {
		c := Confirm{Plan: v.Plan, Reveal: v.Reveal, Now: v.Now}
		s := c.rows(t, w)
		s.head = []string{t.Strong.Render(left)}
		return s
	}
	half := w*4/7 - 2
	cell := func(i int) string {
		a, b := "", ""
		if i < len(gone) {
			a = lessonRow(t, "", &gone[i].Record, "", v.Now, v.Reveal, half) // why is the rule
		}
		if i < len(kept) {
			b = keptRow(t, &kept[i], v.Reveal, w-half-2)
		}
		return Cell(a, half) + "  " + b
	}
	head := t.Strong.Render(Cell(left, half)) + "  " + t.Strong.Render(keptTitle(kept))
	return sheet{head: []string{head}, n: max(len(gone), len(kept)), row: cell}
}
