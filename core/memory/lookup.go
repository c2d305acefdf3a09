package memory

import (
	"fmt"
	"slices"
	"strings"
)

// Named is something that a person can name by an id.
type Named struct {
	ID string
	// Also are other spellings that mean the same: the id as it is printed, the id of an entry's record.
	Also []string
	// Shown is how a list of candidates spells the id. If it is empty, it is ID.
	Shown string
}

// Lookup finds what a person means by a name. In this order it is
//
//  1. what has exactly this id,
//  2. what has exactly this as another spelling,
//  3. the only one with an id or a spelling that begins with the name,
//  4. the only one with an id whose last part, after a colon or slash, is the name, or
//  5. begins with it.
//
// Candidates are offered one at a time. Those with the same ID are the same thing.
type Lookup struct {
	name string
	best fit
	seen map[string]bool // the ids that fit best
	more []string        // how the first of them are shown
}

// fit is how well a candidate fits a name.
type fit uint8

const (
	fitsNot fit = iota
	beginsLastPart
	isLastPart
	begins
	isSpelling
	isID
)

// NewLookup returns a lookup of a name that nothing was offered to yet.
func NewLookup(name string) *Lookup { return &Lookup{name: name} }

// Offer offers a candidate. It reports whether the candidate fits as well as the best so far, or better:
// if Err is nil in the end, the last one of these was meant.
func (l *Lookup) Offer(n Named) bool {
	f := l.fitOf(n)
	if f == fitsNot || f < l.best {
		return false
	}
	if f > l.best {
		l.best, l.seen, l.more = f, map[string]bool{}, nil
	}
	if !l.seen[n.ID] {
		l.seen[n.ID] = true
		if n.Shown == "" {
			n.Shown = n.ID
		}
		if len(l.more) < shownCandidates {
			l.more = append(l.more, n.Shown)
		}
	}
	return true
}

func (l *Lookup) fitOf(n Named) fit {
	starts := func(id string) bool { return strings.HasPrefix(id, l.name) }
	last := n.ID[strings.LastIndexAny(n.ID, ":/")+1:]
	switch {
	case l.name == "":
		return fitsNot
	case n.ID == l.name:
		return isID
	case slices.Contains(n.Also, l.name):
		return isSpelling
	case starts(n.ID) || slices.ContainsFunc(n.Also, starts):
		return begins
	case last == l.name:
		return isLastPart
	case starts(last):
		return beginsLastPart
	}
	return fitsNot
}

// Err returns nil if the name means one of the candidates. Otherwise it wraps [ErrNotFound], or is an
// [*UnclearError] if several fit equally well.
func (l *Lookup) Err() error {
	switch len(l.seen) {
	case 0:
		return fmt.Errorf("%s: %w", l.name, ErrNotFound)
	case 1:
		return nil
	}
	return &UnclearError{
		Name:  l.name,
		Whole: l.best == isSpelling || l.best == isLastPart,
		Count: len(l.seen),
		Shown: l.more,
	}
}

// shownCandidates is the number of candidates that an UnclearError lists.
const shownCandidates = 5

// UnclearError says that a name fits several ids.
type UnclearError struct {
	Name  string
	Whole bool // the name is a whole spelling of all of them; otherwise they begin with it
	Count int
	Shown []string // the first of them
}

// Error says how many ids the name fits.
func (e *UnclearError) Error() string {
	if e.Whole {
		return fmt.Sprintf("%s: this names %d of them", e.Name, e.Count)
	}
	return fmt.Sprintf("%s: %d ids begin with this", e.Name, e.Count)
}

// Find returns the index of what a name means among the candidates, as [Lookup] finds it. The error is
// that of [Lookup.Err].
func Find(name string, candidates []Named) (int, error) {
	l, at := NewLookup(name), -1
	for i := range candidates {
		if l.Offer(candidates[i]) {
			at = i
		}
	}
	return at, l.Err()
}
