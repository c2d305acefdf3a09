package system

import (
	"slices"

	"winnow/core/memory"
)

// Report returns the lines of a health report that apply, most serious first. If none applies, it
// returns the sentence ok as the only line, or nothing if ok is empty.
func Report(ok string, lines ...memory.Health) []memory.Health {
	lines = slices.DeleteFunc(lines, func(h memory.Health) bool { return h.Code == "" })
	switch {
	case len(lines) == 0 && ok == "":
		return nil
	case len(lines) == 0:
		return []memory.Health{{Code: "ok", Level: memory.Good, What: ok}}
	}
	slices.SortStableFunc(lines, func(a, b memory.Health) int { return int(b.Level) - int(a.Level) })
	return lines
}

// When returns a health line about n things if it applies, and otherwise an empty one.
func When(applies bool, code string, level memory.Level, n int, what, next string) memory.Health {
	if !applies {
		return memory.Health{}
	}
	return memory.Health{Code: code, Level: level, What: what, Next: next, Count: n}
}

// OnLines returns a health line about lines of a store, or an empty one if there are none.
func OnLines(lines []int, code string, level memory.Level, what, next string) memory.Health {
	const most = 20
	h := When(len(lines) > 0, code, level, len(lines), what, next)
	h.Lines = lines[:min(len(lines), most)]
	return h
}

// Say returns the sentence if it applies, and otherwise "".
func Say(applies bool, sentence string) string {
	if !applies {
		return ""
	}
	return sentence
}

// Notes returns the sentences that are not empty.
func Notes(sentences ...string) []string {
	return slices.DeleteFunc(sentences, func(s string) bool { return s == "" })
}

// Facts returns the facts that have a text.
func Facts(facts ...memory.Fact) []memory.Fact {
	return slices.DeleteFunc(facts, func(f memory.Fact) bool { return f.Text == "" })
}

// Refuse returns a problem if it applies, and otherwise nil.
func Refuse(applies bool, code, what, hint string) *memory.Problem {
	if !applies {
		return nil
	}
	return &memory.Problem{Code: code, What: what, Hint: hint}
}

// Changed returns a pointer to now if it differs from was, and otherwise nil: the value for a field
// of [memory.Edit].
func Changed(was, now string) *string {
	if was == now {
		return nil
	}
	return &now
}

// Given returns the text that an edit sets, or "" if it sets none.
func Given(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
