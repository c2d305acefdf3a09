package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"winnow/core/filter"
	"winnow/core/memory"
)

// selection says which records a command is for.
type selection struct {
	names []string // as show takes them; a single dash stands for standard input
	query string
	set   bool // query was given
}

// filterFlag declares --filter for s.
func (s *selection) filterFlag(c *cobra.Command) {
	c.Flags().StringVar(&s.query, "filter", "", "take the records that match `QUERY`, as list does")
}

// read notes what was given on the command line.
func (s *selection) read(c *cobra.Command, names []string) {
	s.names, s.set = names, c.Flags().Changed("filter")
}

// fromInput reports whether the names come from standard input.
func (s *selection) fromInput() bool { return len(s.names) == 1 && s.names[0] == "-" }

// empty reports whether nothing was given.
func (s *selection) empty() bool { return len(s.names) == 0 && !s.set }

// wantSome refuses a selection of nothing, or by two means.
func (s *selection) wantSome(op string) error {
	switch {
	case s.set && len(s.names) > 0:
		return usage("leave out one of them", "%s: records are given twice, by --filter and as %q", op, s.names[0])
	case s.empty():
		return usage("see the ids: winnow list", "%s: which record", op)
	}
	return s.noEmptyName(op)
}

func (s *selection) noEmptyName(op string) error {
	for _, n := range s.names {
		if n == "" {
			return usage("see the ids: winnow list", "%s: an id is empty", op)
		}
	}
	return nil
}

// selected returns the records of s, each once.
func (e Env) selected(ctx context.Context, op string, place memory.Place, s *selection) ([]wanted, error) {
	if s.set {
		return e.matching(ctx, place, s.query)
	}
	names := s.names
	if s.fromInput() {
		var err error
		if names, err = e.names(ctx); err != nil {
			return nil, err
		}
	}
	found, err := e.find(ctx, op, place, names)
	if err != nil {
		return nil, err
	}
	seen := map[memory.ID]bool{}
	once := found[:0]
	for _, w := range found {
		if !seen[w.record.ID] {
			once = append(once, w)
		}
		seen[w.record.ID] = true
	}
	return once, nil
}

// names reads ids from standard input, one a line.
func (e Env) names(ctx context.Context) ([]string, error) {
	raw, err := e.input(ctx, "ids")
	if err != nil {
		return nil, err
	}
	var names []string
	for line := range strings.Lines(string(raw)) {
		if name := strings.TrimRight(line, "\r\n"); name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// input reads all of standard input. What names it in errors.
func (e Env) input(ctx context.Context, what string) ([]byte, error) {
	raw, err := await(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(e.In, maxTask+1)) })
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", what, err)
	}
	if len(raw) > maxTask {
		return nil, usage("shorten it", "read %s: more than %d MiB", what, maxTask>>20)
	}
	return raw, nil
}

// matching returns the records that a filter selects. A word that no record has
// selects nothing: what only looks like it is not what was asked to be changed.
func (e Env) matching(ctx context.Context, place memory.Place, query string) ([]wanted, error) {
	if strings.TrimSpace(query) == "" {
		return nil, usage("see winnow list --help", "the filter is empty")
	}
	snap, err := e.load(ctx, place)
	if err != nil {
		return nil, err
	}
	res, err := filter.Apply(ctx, snap.Records, filter.Query{Text: query}, e.Now())
	if err == nil {
		err = checkTerms(res.Terms)
	}
	if err != nil || loose(res.Terms) {
		return nil, err
	}
	found := make([]wanted, len(res.Index))
	for n, i := range res.Index {
		found[n] = wanted{snap.Records[i], snap.Place}
	}
	return found, nil
}

// checkTerms reports the first term that makes no sense.
func checkTerms(terms []filter.Term) error {
	for _, t := range terms {
		if t.Problem != "" {
			return usage("see winnow list --help", "filter %s:%s: %s", t.Name, t.Text, t.Problem)
		}
	}
	return nil
}

// loose reports whether a word of the filter was matched only by its letters.
func loose(terms []filter.Term) bool {
	for _, t := range terms {
		if t.FuzzyFallback {
			return true
		}
	}
	return false
}

// idsOf returns the ids of records.
func idsOf(found []wanted) []memory.ID {
	ids := make([]memory.ID, 0, len(found))
	for i := range found {
		ids = append(ids, found[i].record.ID)
	}
	return ids
}
