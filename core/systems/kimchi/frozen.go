package kimchi

import (
	"fmt"
	"time"

	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/memory"
	"winnow/core/quietread"
)

// Stored implements [system.Frozen].
func (s *Store) Stored() (string, error) {
	f := s.read()
	switch {
	case f.Problem != nil && f.Problem.Code == quietread.CodeMissing:
		return "", nil
	case f.Problem != nil:
		return "", fmt.Errorf("read %s: %w", s.path, f.Problem)
	case f.Cut:
		return "", fmt.Errorf("read %s: %w", s.path, memory.ErrNotFound)
	}
	return f.Text, nil
}

// Frozen implements [system.Frozen]: what a session got that started when the file held
// earlier. The other file must not have changed since.
func (s *Store) Frozen(g memory.Got, now memory.Recall, earlier string) memory.Got {
	l, _ := s.d.limits(s.path)
	mine := s.sideOf(s.path, filestore.File{Text: earlier}, l)
	sides := []side{mine}
	if path := sibling(s.path); path != "" {
		other := s.look(path, l)
		if at := other.state.ModTime; !at.IsZero() && !at.Before(g.At.Add(-startGrain)) {
			return g
		}
		if sides = append(sides, other); isUser(s.path) {
			sides[0], sides[1] = sides[1], sides[0]
		}
	}
	g.Unknown = ""
	if b := together(sides); b.Text != "" {
		g.Blocks = []memory.Block{b}
	}
	g.Differs = compare.Differences(g.Blocks, []memory.Block{now.Prompt})
	return g
}

// startGrain is how well the start of a session is known.
const startGrain = time.Second
