package views

import (
	"cmp"
	"strings"

	"winnow/keymap"
	"winnow/views/theme"
)

// HelpKey is a binding in the help.
type HelpKey struct {
	Binding keymap.Binding
	Group   string // what it is for; those of a group follow each other
	Off     string // why it does nothing now; empty if it works
}

// OffText says what a key does, and why it currently does nothing: "Edit: the store is read-only".
// Without a reason it is just the action.
func OffText(b keymap.Binding, why string) string {
	desc := b.Help().Desc
	return cmp.Or(textIf(why != "", "%s: %s", Capital(desc), why), desc)
}

// legendLines wraps a legend into lines of w cells, below a rule. Each begins with a name, which ends at
// the first tab, or at the first space if there is no tab.
func legendLines(t theme.Theme, legend []string, w int) []string {
	if len(legend) == 0 {
		return nil
	}
	p := paper{t: t, w: w, lines: []string{rule(t, w, "what letters and signs mean")}}
	names, texts, wide := make([]string, len(legend)), make([]string, len(legend)), 0
	for i, l := range legend {
		var tab bool
		if names[i], texts[i], tab = strings.Cut(l, "\t"); !tab {
			names[i], texts[i], _ = strings.Cut(l, " ")
		}
		wide = max(wide, len(names[i]))
	}
	for i, name := range names {
		p.hanging(" "+t.Accent.Render(Cell(t, name, wide))+"  ", t.Text.Render, texts[i])
	}
	return p.lines
}

// RecallLegend explains the signs of the recall screen.
func RecallLegend() []string {
	return []string{
		"Score as the system computes it; where a model chooses, our estimate",
		"Rel times recalled: the more, the higher among equal scores",
		"Tokens at most, models differ",
		"~ noise: a stop word, or inside another word",
		"= same score as the last one recalled, and lost the tie",
		"| marks exact text; <LF>, <ESC>, <U+202E>: invisible characters",
	}
}

// StoresLegend explains the columns of the stores screen.
func StoresLegend() []string {
	return []string{
		"Holds records; of a store with a limit, held by an agent of the most it keeps",
		"Findings the worst of the audit; counted for stores on screen",
		"At start\twhat every session is given: of an agent about so many tokens; of a store its bytes, and Tokens at most",
		"Full how full the fullest part with a limit is",
		"Written who runs now, or when it was written last, by you or others",
		"RO read-only   * the store that is open   -/+ fold",
	}
}
