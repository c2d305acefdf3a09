// Package learn makes proposals of finished sessions: lessons that nobody approved yet. What becomes
// of them is decided by a person, in the inbox.
package learn

import (
	"time"

	"winnow/core/approvals"
	"winnow/core/memory"
)

// Proposal is a lesson that nobody approved yet. Its texts are redacted and hold no control
// character but line ends in Body.
type Proposal struct {
	// ID names it in the inbox; empty until it is there.
	ID      string    `json:"id"`
	Arrived time.Time `json:"arrived"`
	// Title, Outcome and Body become task_summary, outcome and lesson.
	Title   string   `json:"title"`
	Outcome string   `json:"outcome"` // "succeeded" or "failed"
	Body    string   `json:"body"`
	Tools   []string `json:"tools,omitempty"`
	// Evidence is what the agent says shows it; may be empty.
	Evidence string `json:"evidence,omitempty"`
	// Origin says where it came from. Nothing that the proposal says changes it.
	Origin memory.Origin `json:"origin"`
	// Notes are sentences for the person who decides.
	Notes []string `json:"notes,omitempty"`
	// LessonID is the lesson_id that it gets in a store of lessons. It is made once, so approving
	// it again after a crash writes no second lesson.
	LessonID string `json:"lesson_id"`
	// Form is the stored form that a share has of it; empty for one that no share brought. Edits is set when
	// it changes the record LessonID of its store, and Both when that was changed here as well.
	Form  string `json:"form,omitempty"`
	Edits bool   `json:"edits,omitempty"`
	Both  bool   `json:"both,omitempty"`
	// Text is set for a note or another record that is no lesson: Form has all of it.
	Text bool `json:"text,omitempty"`
	// Was is what both sides had before, where that is known.
	Was *Said `json:"was,omitempty"`
}

// Said is what a lesson says.
type Said struct {
	approvals.Words
	Tools []string
}

// Words returns the texts of the proposal that reach a prompt.
func (p *Proposal) Words() approvals.Words {
	return approvals.Words{Title: p.Title, Outcome: p.Outcome, Body: p.Body}
}
