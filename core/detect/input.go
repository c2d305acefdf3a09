package detect

import "winnow/core/memory"

// CheckInput returns the places in a text that must not be stored without asking, in order: flags above
// low severity, every character that Marks takes for hidden or for a delimiter, and whole lines
// that would become headings. It guards text that a person types and text that is extracted. It
// allows plain line breaks, and half a character, which an agent leaves where it cuts a text.
func CheckInput(text string) []memory.Trace {
	var out []memory.Trace
	for _, t := range Flags(text) {
		if r, _ := Rule(t.Rule); r.Severity > memory.Low {
			out = append(out, t)
		}
	}
	found := len(out)
	by := coverage{traces: out}
	for _, m := range Marks(text) {
		t := memory.Trace{Start: m.Start, End: m.End}
		switch m.Kind {
		case memory.MarkHidden:
			t.Rule = RuleHidden
		case memory.MarkDelimiter:
			t.Rule = RuleDelimiter
		case memory.MarkHeading:
			t.Rule = RuleBreakoutHeading
			t.End += lineLen(text[m.End:])
		}
		switch last := len(out) - 1; {
		case t.Rule == "" || StartsWithLoneSurrogate(text[m.Start:]):
		case m.Kind != memory.MarkHeading && by.covers(t):
		case last >= found && t.Rule == RuleHidden && out[last].Rule == t.Rule && out[last].End == t.Start:
			out[last].End = t.End
		default:
			out = append(out, t)
		}
	}
	return sortTraces(out)
}

// coverage answers which places overlap some traces. Places must be asked about in order.
type coverage struct {
	traces []memory.Trace // sorted
	end    int            // the furthest end of the traces that begin before the last place asked about
}

func (c *coverage) covers(t memory.Trace) bool {
	for len(c.traces) > 0 && c.traces[0].Start <= t.Start {
		c.end = max(c.end, c.traces[0].End)
		c.traces = c.traces[1:]
	}
	return t.End <= c.end
}

// lineLen returns the length of the line at the start of s.
func lineLen(s string) int {
	for i, r := range s {
		if isLineBreak(r) {
			return i
		}
	}
	return len(s)
}
