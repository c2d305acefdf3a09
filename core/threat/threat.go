// Package threat finds text that acts on the model or the person that reads it:
// instructions addressed to a model, imitated delimiters and roles, commands that give
// secrets or the machine away, what breaks out of the block of a prompt that it is
// rendered into, and characters that a person does not see.
//
// All matchers are by hand and take time linear in the text. A text is first searched
// for keywords in one pass; what is exact is asked only in a window around one. Nothing
// here changes a text.
package threat

import (
	"cmp"
	"slices"

	"winnow/core/memory"
)

// Find returns the places in a text that a rule of the families injection and hidden
// finds, in order. None overlaps another, but an instruction may hold hidden text.
// Shown is set where the place says something else than what is seen: it holds no
// character that cannot be seen.
func Find(text string) []memory.Trace {
	if !Suspicious(text) {
		return nil
	}
	return inOrder(hiddenIn(text))
}

// Suspicious is false for most texts that Find finds nothing in, and never for one
// that it finds something in.
func Suspicious(text string) bool { return markable(text) }

// inOrder sorts traces by place, and of those at one place the longest first.
func inOrder(traces []memory.Trace) []memory.Trace {
	slices.SortStableFunc(traces, func(a, b memory.Trace) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End), cmp.Compare(a.Rule, b.Rule))
	})
	return traces
}

// hiddenIn returns what cannot be seen in a text, and delimiters.
func hiddenIn(text string) []memory.Trace {
	var out []memory.Trace
	for _, m := range Marks(text) {
		last := len(out) - 1
		switch {
		case m.Kind == memory.MarkDelimiter:
			out = append(out, memory.Trace{Start: m.Start, End: m.End, Rule: RuleDelimiter})
		case m.Kind != memory.MarkHidden || Half(text[m.Start:]):
		case last >= 0 && out[last].Rule == RuleHidden && out[last].End == m.Start:
			out[last].End = m.End
		default:
			out = append(out, memory.Trace{Start: m.Start, End: m.End, Rule: RuleHidden})
		}
	}
	return out
}

// Escapes returns the places in a rendered block that come from a record and break out
// of it, in order: bytes of l.Text.
func Escapes(l memory.Landed) []memory.Trace {
	var out []memory.Trace
	for _, p := range l.Parts {
		for _, m := range Marks(l.Text[p.Start:p.End]) {
			if m.Kind == memory.MarkHeading && !l.Prose {
				out = append(out, memory.Trace{Start: p.Start + m.Start, End: p.Start + m.End, Rule: RuleBreakoutHeading})
			}
		}
	}
	return out
}
