package lesson

import (
	"fmt"
	"strings"
	"time"

	"winnow/core/detect"
	"winnow/core/jstext"
)

// rules say how to make a lesson from a session.
type rules uint8

// The rules.
const (
	// Original behaves like the original engine, byte for byte: it cuts the task and then redacts
	// it, and does not redact the lesson at all.
	Original rules = iota
	// Hardened redacts task and lesson, knows more secrets, and redacts before it cuts, so that no
	// fragment of a key remains.
	Hardened
)

const (
	summaryUnits = 200 // length of a lesson's task summary
	errorsKept   = 3   // error messages quoted in the lesson of a failed session
)

// Session is what a lesson needs of a finished session.
type Session struct {
	LessonID string
	Now      time.Time
	Text     string // the text of the task
	Plan     *Plan  // the last accepted plan that had steps; nil if there was none
	Results  []StepResult
	Status   string
	ID       *string // nil when unknown; then the plan's id is used
}

// Plan is an accepted plan.
type Plan struct {
	ID    string
	Tools []string // one for each step, in order
}

// StepResult is the result of one step.
type StepResult struct {
	Status string
	Error  jstext.Value // null if there was none
}

// Extract returns the lesson of a session as the value to store. It returns false if the session
// leaves none, because it had no plan or is not finished.
func (r rules) Extract(s Session) (jstext.Value, bool) {
	if s.Plan == nil || len(s.Plan.Tools) == 0 {
		return jstext.Value{}, false
	}
	switch s.Status {
	case "created", "planning", "running":
		return jstext.Value{}, false
	}
	outcome := "failed"
	if s.Status == "completed" {
		outcome = "succeeded"
	}
	session := s.Plan.ID
	if s.ID != nil {
		session = *s.ID
	}
	tools := Distinct(s.Plan.Tools)
	names := make([]jstext.Value, len(tools))
	for i, t := range tools {
		names[i] = jstext.StringValue(t)
	}
	text := func(key, s string) jstext.Member {
		return jstext.Member{Key: key, Value: jstext.StringValue(s)}
	}
	return jstext.ObjectValue(
		text(KeyID, s.LessonID),
		text(KeyTitle, r.summary(s.Text)),
		text(KeyOutcome, outcome),
		text(KeyBody, r.lesson(s, outcome, tools)),
		jstext.Member{Key: KeyTools, Value: jstext.ArrayValue(names...)},
		text(KeyCreated, ISO(s.Now)),
		text(KeySession, session),
		jstext.Member{Key: KeyCount, Value: jstext.NumberValue(0)},
	), true
}

// summary returns the beginning of the task text without secrets.
func (r rules) summary(task string) string {
	if r == Original {
		return detect.RedactOriginal(jstext.Slice(task, summaryUnits))
	}
	return jstext.Slice(detect.Redact(task), summaryUnits)
}

// lesson returns the sentence about how the session ended.
func (r rules) lesson(s Session, outcome string, tools []string) string {
	body := sentence(s.Results, outcome, strings.Join(tools, ", "))
	if r == Original {
		return body
	}
	return detect.Redact(body)
}

func sentence(results []StepResult, outcome, tools string) string {
	succeeded, failed := 0, 0
	var messages []string
	for _, res := range results {
		switch {
		case res.Status == "succeeded":
			succeeded++
		case res.Status == "failed":
			failed++
			if res.Error.Truthy() {
				messages = append(messages, message(res.Error))
			}
		}
	}
	switch {
	case outcome == "succeeded":
		return fmt.Sprintf("Completed using %s. %d step(s) succeeded.", tools, succeeded)
	case len(messages) > 0:
		return "Failed: " + strings.Join(messages[:min(len(messages), errorsKept)], "; ")
	}
	return fmt.Sprintf("Failed with %d failed step(s) using %s.", failed, tools)
}

// message returns the message of an error as a JavaScript join would write it: empty if it is
// missing or null.
func message(err jstext.Value) string {
	m, _ := err.Field("message")
	if m.Kind() == jstext.Null {
		return ""
	}
	return m.ToString()
}

// Distinct returns each name once, in order.
func Distinct(names []string) []string {
	var out []string
	seen := map[string]bool{}
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}
