package kimchi

import (
	"time"

	"winnow/core/compare"
	"winnow/core/filestore"
	"winnow/core/memory"
)

// earlier is [system.Info.Earlier]: what a session got that started when the file held
// text. The other file must not have changed since.
func (s *Store) earlier(g memory.Got, now memory.Recall, text string) memory.Got {
	l, _ := s.d.limits(s.path)
	mine := s.sideOf(s.path, filestore.File{Text: text}, l)
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
