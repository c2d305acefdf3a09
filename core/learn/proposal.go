// Package learn makes proposals from finished sessions: lessons that nobody approved yet. A person
// decides about them in the inbox.
package learn

import (
	"time"

	"winnow/core/approvals"
	"winnow/core/memory"
)

// Proposal is a lesson that nobody approved yet. Its texts are redacted, and contain no control
// characters except line ends in Body.
type Proposal struct {
	// ID identifies it in the inbox; empty until it is there.
	ID      string    `json:"id"`
	Arrived time.Time `json:"arrived"`
	// Title, Outcome and Body become task_summary, outcome and lesson.
	Title   string `json:"title"`
	Outcome string `json:"outcome"` // "succeeded" or "failed"
	Body    string `json:"body"`
	// When is the moment at which it is told, as [memory.ParseWhen] takes it; "" is a task like it.
	When  string   `json:"when,omitempty"`
	Tools []string `json:"tools,omitempty"`
	// Evidence is what the agent gives as evidence; may be empty.
	Evidence string `json:"evidence,omitempty"`
	// Seen is how often sessions met what it is about; zero for one that no rule about failures made.
	Seen memory.Seen `json:"seen,omitzero"`
	// Origin says where it came from. Nothing in the proposal itself can change it.
	Origin memory.Origin `json:"origin"`
	// Others are further untainted sessions that show the same, of which it is made too.
	Others []memory.Origin `json:"-"`
	// Notes are sentences for the person who decides.
	Notes []string `json:"notes,omitempty"`
	// LessonID is the lesson_id that it gets in a lesson store. It is set once, so that approving
	// the proposal again after a crash does not write a second lesson.
	LessonID string `json:"lesson_id"`
	// Form is its stored form in a share; empty for one that did not come through a share. Edits is
	// set when it changes the record LessonID of its store, and Both when that record was changed
	// here as well.
	Form  string `json:"form,omitempty"`
	Edits bool   `json:"edits,omitempty"`
	Both  bool   `json:"both,omitempty"`
	// Deletes is set when others deleted the record LessonID of its store. The texts are those that the
	// record has here.
	Deletes bool `json:"deletes,omitempty"`
	// Was is what both sides had before, if known.
	Was *Said `json:"was,omitempty"`
}

// Said is the content of a lesson.
type Said struct {
	approvals.Words
	Tools []string
}

// Words returns what a verdict about the proposal is about: its texts that reach a prompt and when they do, or
// that a record with these texts is deleted.
func (p *Proposal) Words() approvals.Words {
	if p.Deletes {
		return approvals.Words{Title: "delete\x00" + p.LessonID + "\x00" + p.Title, Outcome: p.Outcome, Body: p.Body}
	}
	return approvals.Words{Title: p.Title, Outcome: p.Outcome, Body: p.Body, When: memory.SameWhen(p.When)}
}
