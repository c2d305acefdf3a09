package learn

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/memory"
)

const (
	seenFolder = "seen" // of a file for each store
	titleShown = 80     // units of a title that are kept
	goneFor    = 7 * 24 * time.Hour
	// MostSeen is how many records of a store are compared with what was seen of it.
	MostSeen = 5000
)

// Sight is what was known of a record when it was seen. It holds no text but the beginning of its
// title, redacted.
type Sight struct {
	ID     string    `json:"id"` // redacted
	Digest string    `json:"digest"`
	Title  string    `json:"title"`
	Count  int       `json:"count,omitempty"`
	Gone   time.Time `json:"gone,omitzero"` // since when it is not there any more
	// Own is set when a person took it away, through Winnow: it is kept for when they bring it back.
	Own bool `json:"own,omitempty"`
	// Waits is set when a decision on it was undone: it waits, whoever left it as it is.
	// Digest is then empty for a new one.
	Waits bool `json:"waits,omitempty"`
}

// Seen is what a person saw of one store.
type Seen struct {
	Store   memory.StoreID    `json:"store"`
	Records map[string]*Sight `json:"records"` // nil for a store that was never looked at
	By      string            `json:"by"`      // a digest that only the key of the others makes
	path    string
}

// Seen returns what was seen of a store, whose name is that of its folder of history. A file that
// cannot be read counts as none: then all of the store counts as seen.
func (q *Quarantine) Seen(id memory.StoreID, name string) (*Seen, error) {
	seen := &Seen{Store: id, path: filepath.Join(q.dir, seenFolder, name)}
	s, err := atomicfile.Look(atomicfile.OS(), seen.path)
	if err != nil {
		return nil, fmt.Errorf("read what was seen of %s: %w", id, err)
	}
	var was Seen
	if s.There && json.Unmarshal(s.Data, &was) == nil {
		seen.Records, seen.By = was.Records, was.By
		maps.DeleteFunc(seen.Records, func(_ string, s *Sight) bool { return s == nil })
	}
	return seen, nil
}

// Save writes what was seen. The lock of the quarantine must be held.
func (s *Seen) Save() error {
	text, err := json.Marshal(s)
	if err == nil {
		err = atomicfile.Rewrite(atomicfile.OS(), s.path, text)
	}
	if err != nil {
		return fmt.Errorf("note what was seen of %s: %w", s.Store, err)
	}
	return nil
}

// Difference is a record that is not as it was seen.
type Difference struct {
	Kind   memory.EntryKind
	ID     string // of the entry
	Key    string // of the record in what was seen
	Record memory.Record
	Before *Sight // nil for a new one
	// Unapproved is set for a record that no agent is told before a person approves it.
	Unapproved bool
	Rejected   time.Time // when its words were rejected, zero when they were not
}

// Look tells what of a store is not as it was seen.
type Look struct {
	Verdicts *approvals.Decisions
	Now      time.Time
	// Approving is set for a store that serves only what was approved.
	Approving bool
	// Past returns what the history of the store tells. It is asked for when it is needed.
	Past func() Past
}

// Past is what a person did with the records of a store, through Winnow.
type Past struct {
	Left    map[approvals.Words]bool // they left records that say so
	Removed map[memory.ID]bool       // and they are not back since
	Deleted map[approvals.Words]bool // they deleted records that said so
}

// Compare returns what of the records of a store is not as it was seen, and reports whether what was
// seen has to be saved: at the first look all is seen, and so is what a person did through
// Winnow. What is gone is told for a week.
func (l *Look) Compare(s *Seen, records []memory.Record) (found []Difference, save bool) {
	by := l.Verdicts.Digest("seen")
	first := s.Records == nil || s.By != by // with another key nothing can be compared
	if first {
		s.Records, s.By, save = map[string]*Sight{}, by, true
	}
	here, stands, moved := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range records {
		here[l.Key(&records[i])], stands[l.digest(&records[i])] = true, true
	}
	for key, was := range s.Records {
		moved[was.Digest] = moved[was.Digest] || !here[key] && !was.Own
	}
	for i := range records {
		r := &records[i]
		key, digest := l.Key(r), l.digest(r)
		was := s.Records[key]
		d := Difference{Key: key, Record: *r, Before: was}
		at, rejected := l.Verdicts.Rejected(WordsOf(r))
		switch {
		case rejected:
			d.Kind, d.Rejected = memory.BackRecord, at
		case l.Approving && !l.Verdicts.Approved(WordsOf(r)):
			d.Kind, d.Unapproved = memory.NewRecord, true
		case was != nil && was.Digest == digest && was.Gone.IsZero():
			continue
		case first || was == nil && moved[digest] || (was == nil || !was.Waits) && l.Past().Left[WordsOf(r)],
			was != nil && was.Own && was.Digest == digest && !l.Past().Deleted[WordsOf(r)]:
			s.Records[key], save = l.Sight(r), true
			continue
		case (was == nil || was.Own) && l.Past().Deleted[WordsOf(r)]:
			d.Kind = memory.BackRecord
		case was != nil && was.Gone.IsZero() && was.Digest != "":
			d.Kind = memory.ChangedRecord
		default:
			d.Kind = memory.NewRecord
		}
		d.ID = l.entryID(s.Store, d.Kind, key+digest)
		found = append(found, d)
	}
	for _, key := range slices.Sorted(maps.Keys(s.Records)) {
		was := s.Records[key]
		switch {
		case here[key]:
			continue
		case was.Gone.IsZero():
			was.Gone, was.Own, save = l.Now, l.Past().Removed[memory.ID(was.ID)], true
		}
		if age := l.Now.Sub(was.Gone); was.Digest == "" || age > KeepFor || !was.Own && (stands[was.Digest] || age > goneFor) {
			delete(s.Records, key)
			save = true
		} else if !was.Own {
			found = append(found, Difference{
				Kind: memory.GoneRecord, ID: l.entryID(s.Store, memory.GoneRecord, key+was.Digest), Key: key,
				Record: memory.Record{ID: memory.ID(was.ID), Title: was.Title, Count: memory.Count{N: was.Count}}, Before: was,
			})
		}
	}
	return found, save
}

// Key names a record in what was seen. One without an id of its own is known by what it says.
func (l *Look) Key(r *memory.Record) string {
	if strings.HasPrefix(string(r.ID), "line ") {
		return l.digest(r)
	}
	return l.Verdicts.Digest("id\x00" + string(r.ID))
}

// Sight returns what is kept of a record that was seen.
func (l *Look) Sight(r *memory.Record) *Sight {
	return &Sight{
		ID: redactedText(cutTo(string(r.ID)), titleUnits, false), Digest: l.digest(r), Count: r.Count.N,
		Title: redactedText(cutTo(cmp.Or(r.Title, r.Body)), titleShown, false),
	}
}

// cutTo returns no more of a text than is looked at for secrets.
func cutTo(text string) string { return text[:min(len(text), mostText)] }

// digest returns a digest of what a record says. Counts and dates of recalls are not part of that.
func (l *Look) digest(r *memory.Record) string {
	return l.Verdicts.Digest(fmt.Sprintf("%q", append([]string{r.Title, string(r.Outcome), r.Body}, r.Tools...)))
}

// entryID returns the short ID of an entry.
func (l *Look) entryID(store memory.StoreID, kind memory.EntryKind, what string) string {
	const length = 6
	return "r" + l.Verdicts.Digest("entry\x00" + string(store) + "\x00" + kind.String() + "\x00" + what)[:length]
}

// WordsOf returns the texts of a record that reach a prompt.
func WordsOf(r *memory.Record) approvals.Words {
	return approvals.Words{Title: r.Title, Outcome: string(r.Outcome), Body: r.Body}
}
