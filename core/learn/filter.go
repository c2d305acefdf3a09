package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"winnow/core/memory"
	"winnow/core/session"
)

// Filtered passes proposals of a session through an outside program: run gives it a proposal as JSON
// and returns what it answered. An empty answer drops the proposal, and another one rewrites its title,
// outcome, body and tools, as far as it has them. A program that fails leaves the proposal as it is, with
// a note.
func Filtered(s *session.Session, drafts []Proposal, run func(proposal []byte) ([]byte, error)) (kept []Proposal, skipped []string) {
	given := newGiven(s.Given)
	for _, p := range drafts {
		question, err := json.Marshal(p)
		var answer []byte
		if err == nil {
			answer, err = run(question)
		}
		if answer = bytes.TrimSpace(answer); err == nil && len(answer) == 0 {
			skipped = append(skipped, p.Origin.Rule+": the filter dropped it")
			continue
		}
		next := p
		if err == nil {
			err = next.rewrite(answer)
		}
		if err != nil {
			p.Notes = append(p.Notes, "the filter failed: "+fit(err.Error(), titleUnits))
			kept = append(kept, p)
			continue
		}
		if given.covers(&next) || framed(&next) {
			skipped = append(skipped, p.Origin.Rule+": what the filter made of it repeats what the session was given")
			continue
		}
		if next.Words() != p.Words() {
			next.Notes = append(next.Notes, "the filter rewrote it")
		}
		kept = append(kept, next)
	}
	return kept, skipped
}

// rewrite takes the answer of a filter.
func (p *Proposal) rewrite(answer []byte) error {
	next := struct { // of what it may rewrite
		Title, Outcome, Body string
		Tools                []string
	}{p.Title, p.Outcome, p.Body, slices.Clone(p.Tools)}
	if err := json.Unmarshal(answer, &next); err != nil {
		return errors.New("its answer is not the JSON of a proposal")
	}
	p.Title, p.Outcome, p.Body, p.Tools = next.Title, next.Outcome, next.Body, next.Tools
	p.polish()
	switch memory.Outcome(p.Outcome) {
	case memory.Succeeded, memory.Failed:
	default:
		return errors.New("its answer has an outcome that is neither succeeded nor failed")
	}
	if p.Title == "" || p.Body == "" {
		return errors.New("its answer has an empty title or body")
	}
	return nil
}
