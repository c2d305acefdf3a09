package lesson

import (
	"fmt"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Codes of the problems that records and stores can have.
const (
	CodeNullLine    = "null-line"
	CodeNoText      = "no-text"
	CodeOddOutcome  = "odd-outcome"
	CodeNoTools     = "no-tools"
	CodeUnprintable = "unprintable-field"
	CodeOddDate     = "odd-date"
	CodeDamaged     = "damaged"
	CodeNotLesson   = "not-a-lesson"
	CodeTooLong     = "too-long"
)

// stops returns the problem of an agent that cannot go on.
func stops(code, because, hint string) *memory.Problem {
	return &memory.Problem{
		Code: code,
		What: "the agent would stop here, because " + because,
		Hint: hint,
	}
}

func nullLine() *memory.Problem {
	return stops(CodeNullLine, "one of the lines it loads is null",
		"remove the line that says null, while no agent runs")
}

func unprintableField(key string) *memory.Problem {
	return stops(CodeUnprintable, key+" of a lesson cannot be read as text",
		"give "+key+" a plain value, while no agent runs")
}

func noText(l *Lesson, key string) *memory.Problem {
	return stops(CodeNoText, fmt.Sprintf("%s has no text in %s", place(l), key),
		"give it a text there or remove the line, while no agent runs")
}

func oddOutcome(l *Lesson) *memory.Problem {
	return stops(CodeOddOutcome, fmt.Sprintf("%s has an outcome that is not a text and a prompt needs one", place(l)),
		"make its outcome \"succeeded\" or \"failed\", while no agent runs")
}

func noTools(l *Lesson) *memory.Problem {
	return stops(CodeNoTools, fmt.Sprintf("%s has no list of tools and the search names tools", place(l)),
		"search without tools, as the agent's own planner does")
}

func oddSortDate(l *Lesson) *memory.Problem {
	return stops(CodeOddDate, fmt.Sprintf("it sorts by date and %s of %s is not a text", keyCreated, place(l)),
		"give it a date, while no agent runs")
}

// place names a lesson for a sentence.
func place(l *Lesson) string {
	if l.Line > 0 {
		return fmt.Sprintf("the lesson in line %d", l.Line)
	}
	return "an added lesson"
}

func damaged(err error) *memory.Problem {
	return &memory.Problem{
		Code: CodeDamaged,
		What: "this line is not JSON: " + err.Error(),
		Hint: "the agent skips it, and loses it at its next save; repair it by hand to keep it",
	}
}

func notLesson(k jstext.Kind) *memory.Problem {
	return &memory.Problem{
		Code: CodeNotLesson,
		What: fmt.Sprintf("this line holds a JSON %s and not a lesson", k),
		Hint: "the agent drops it when it loads the store",
	}
}
