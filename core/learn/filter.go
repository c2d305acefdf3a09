package learn

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"winnow/core/memory"
	"winnow/core/session"
)

// Filtered passes a session's proposals through an external program. run sends it a proposal as
// JSON and returns the answer. An empty answer drops the proposal; any other may rewrite its title,
// outcome, body and tools. If the program fails, the proposal stays unchanged, with a note.
func Filtered(
	s *session.Session,
	drafts []Proposal,
	run func(proposal []byte) ([]byte, error),
) (kept []Proposal, skipped []string) {
	given := newGiven(s.Given)
	for _, p := range drafts {
		next := p
		dropped, err := next.rewrite(run)
		switch {
		case err != nil:
			next = p
			next.Notes = append(next.Notes, "the filter failed: "+fitted(err.Error(), titleUnits))
		case dropped:
			skipped = append(skipped, p.Origin.Rule+": the filter dropped it")
			continue
		case given.covers(&next) || hasFrame(&next):
			skipped = append(skipped, p.Origin.Rule+": the filtered text repeats what the session was given")
			continue
		case next.Words() != p.Words():
			next.Notes = append(next.Notes, "the filter rewrote it")
		}
		kept = append(kept, next)
	}
	return kept, skipped
}

// rewrite applies a filter's answer. An empty answer drops the proposal.
func (p *Proposal) rewrite(run func(proposal []byte) ([]byte, error)) (dropped bool, err error) {
	question, err := json.Marshal(p)
	if err != nil {
		return false, err
	}
	answer, err := run(question)
	if err != nil || len(bytes.TrimSpace(answer)) == 0 {
		return true, err
	}
	next := struct { // the fields that the filter may rewrite
		Title, Outcome, Body string
		Tools                []string
	}{p.Title, p.Outcome, p.Body, slices.Clone(p.Tools)}
	if err := json.Unmarshal(answer, &next); err != nil {
		return false, errors.New("its answer is not the JSON of a proposal")
	}
	p.Title, p.Outcome, p.Body, p.Tools = next.Title, next.Outcome, next.Body, next.Tools
	p.polish()
	switch memory.Outcome(p.Outcome) {
	case memory.Succeeded, memory.Failed:
	default:
		return false, errors.New("its answer has an outcome that is neither succeeded nor failed")
	}
	if p.Title == "" || p.Body == "" {
		return false, errors.New("its answer has an empty title or body")
	}
	return false, nil
}
