package lesson

import (
	"fmt"

	"winnow/core/jstext"
	"winnow/core/memory"
)

// Codes of the problems that records and stores can have.
const (
	CodeNullLine    = "null-line"
	codeNoText      = "no-text"
	CodeOddOutcome  = "odd-outcome"
	codeNoTools     = "no-tools"
	codeUnprintable = "unprintable-field"
	codeOddDate     = "odd-date"
	CodeDamaged     = "damaged"
	CodeNotLesson   = "not-a-lesson"
	CodeTooLong     = "too-long"
)

// stopProblem returns the problem of an agent that cannot go on.
func stopProblem(code, because, hint string) *memory.Problem {
	return &memory.Problem{
		Code: code,
		What: "the agent would stop here, because " + because,
		Hint: hint,
	}
}

func nullLine() *memory.Problem {
	return stopProblem(CodeNullLine, "one of the lines it loads is null",
		"winnow repair drops the line that says null")
}

// UnprintableField returns the problem of a lesson in which a field that agents print cannot be
// converted to text.
func UnprintableField(key string) *memory.Problem {
	return stopProblem(codeUnprintable, key+" of a lesson cannot be read as text",
		"winnow repair gives "+key+" a plain value, or drops the line")
}

func noText(l *Lesson, key string) *memory.Problem {
	return stopProblem(codeNoText, fmt.Sprintf("%s has no text in %s", positionText(l), key),
		"winnow repair gives it a text there, or drops the line")
}

func oddOutcome(l *Lesson) *memory.Problem {
	return stopProblem(
		CodeOddOutcome,
		fmt.Sprintf("%s has an outcome that is not a text and a prompt needs one", positionText(l)),
		"winnow repair gives it one; an outcome is \"succeeded\" or \"failed\"",
	)
}

func noTools(l *Lesson) *memory.Problem {
	return stopProblem(codeNoTools, fmt.Sprintf("%s has no list of tools and the search names tools", positionText(l)),
		"search without tools, as the agent's own planner does")
}

func oddSortDate(l *Lesson) *memory.Problem {
	return stopProblem(
		codeOddDate,
		fmt.Sprintf("it sorts by date and %s of %s is not a text", KeyCreated, positionText(l)),
		"winnow repair turns it into text",
	)
}

// positionText describes a lesson's position in a sentence.
func positionText(l *Lesson) string {
	if l.Line > 0 {
		return fmt.Sprintf("the lesson in line %d", l.Line)
	}
	return "an added lesson"
}

func damaged(err error) *memory.Problem {
	return &memory.Problem{
		Code: CodeDamaged,
		What: "this line is not JSON: " + err.Error(),
		Hint: "the agent skips it, and loses it at its next save; mend it: winnow edit ID --raw; or drop it: winnow repair",
	}
}

func notLesson(k jstext.Kind) *memory.Problem {
	return &memory.Problem{
		Code: CodeNotLesson,
		What: fmt.Sprintf("this line is a JSON %s, not a lesson", k),
		Hint: "the agent drops it when it loads the store",
	}
}
