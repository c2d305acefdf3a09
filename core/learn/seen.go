package learn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/approvals"
	"winnow/core/memory"
	"winnow/core/statefile"
)

const (
	seenFolder = "seen" // has a file for each store
	titleShown = 80     // units of a title to keep
	goneFor    = 7 * 24 * time.Hour
	// MostSeen is the maximum number of records of a store that are compared with what was seen.
	MostSeen = 5000
)

// Sight is what was known about a record when it was seen. Its only text is the redacted beginning
// of the title.
type Sight struct {
	ID     string    `json:"id"` // redacted
	Digest string    `json:"digest"`
	Title  string    `json:"title"`
	Count  int       `json:"count,omitempty"`
	Gone   time.Time `json:"gone,omitzero"` // when it was first missing
	// Own is set when a person removed it through Winnow; it is kept in case they bring it back.
	Own bool `json:"own,omitempty"`
	// Waits is set when a decision about it was undone: it waits for a new decision, even if nobody
	// changed it. Digest is then empty for a new record.
	Waits bool `json:"waits,omitempty"`
}

// Seen is what a person saw of one store.
type Seen struct {
	Store   memory.StoreID    `json:"store"`
	Records map[string]*Sight `json:"records"` // nil for a store that was never looked at
	By      string            `json:"by"`      // a digest that only the right key produces

	file statefile.File
	text []byte // of the file, as it was read or saved
}

// Seen returns what was seen of a store. Name is that of the store's history folder. An unreadable
// file counts as missing: then everything in the store counts as seen.
func (q *Quarantine) Seen(id memory.StoreID, name string) (*Seen, error) {
	file := statefile.File{Path: filepath.Join(q.dir, seenFolder, name), Lock: filepath.Join(q.dir, boxName+".lock")}
	text, err := file.Read()
	if err != nil {
		return nil, fmt.Errorf("read what was seen of %s: %w", id, err)
	}
	seen := &Seen{Store: id, file: file, text: text}
	var was Seen
	if json.Unmarshal(text, &was) == nil {
		seen.Records, seen.By = was.Records, was.By
		maps.DeleteFunc(seen.Records, func(_ string, s *Sight) bool { return s == nil })
	}
	return seen, nil
}

// Stale reports whether another process saved the file since it was read.
func (s *Seen) Stale() bool {
	text, err := s.file.Read()
	return err != nil || !bytes.Equal(text, s.text)
}

// Save writes what was seen. The quarantine must be locked.
func (s *Seen) Save() error {
	text, err := json.Marshal(s)
	if err == nil {
		err = s.file.Write(text)
	}
	if err != nil {
		return fmt.Errorf("note what was seen of %s: %w", s.Store, err)
	}
	s.text = text
	return nil
}

// Difference is a record that differs from what was seen.
type Difference struct {
	Kind   memory.EntryKind
	ID     string // of the entry
	Key    string // the record's key in what was seen
	Record memory.Record
	Before *Sight // nil for a new one
	// Unapproved is set for a record that no agent is given until a person approves it.
	Unapproved bool
	Rejected   time.Time // when its words were rejected; zero if they were not
}

// Look compares a store with what was seen of it.
type Look struct {
	Verdicts *approvals.Decisions
	Now      time.Time
	Store    string // as the approvals call it
	// Approving is set for a store that serves only what was approved.
	Approving bool
	// Past returns what the store's history says. It is called only when needed.
	Past func() Past
}

// Past is what a person did with the records of a store, through Winnow.
type Past struct {
	Left    map[approvals.Words]bool // they left records that say this
	Removed map[memory.ID]bool       // they removed these records, which are not back since
	Deleted map[approvals.Words]bool // they deleted records that said this
}

// Compare returns the records that differ from what was seen, and reports whether s must be saved.
// At the first look everything counts as seen, and so does what a person did through Winnow.
// Missing records are reported for a week.
func (l *Look) Compare(s *Seen, records []memory.Record) (found []Difference, save bool) {
	by := l.Verdicts.Digest("seen")
	first := s.Records == nil || s.By != by // with another key nothing can be compared
	if first {
		s.Records, s.By, save = map[string]*Sight{}, by, true
	}
	here, inStore, moved := l.compareKeys(s, records)
	for i := range records {
		r := &records[i]
		key, digest := l.Key(r), l.digest(r)
		was := s.Records[key]
		d := Difference{Key: key, Record: *r, Before: was}
		at, rejected := l.Verdicts.Rejected(WordsOf(r))
		switch {
		case rejected:
			d.Kind, d.Rejected = memory.BackRecord, at
		case l.Approving && !l.Verdicts.Approved(l.Store, WordsOf(r)):
			d.Kind, d.Unapproved = l.unapprovedKind(r), true
		case was != nil && was.Digest == digest && was.Gone.IsZero():
			continue
		case first || was == nil && moved[digest] || l.isLeft(was, digest, r):
			s.Records[key], save = l.Sight(r), true
			continue
		default:
			d.Kind = l.kindOf(was, r)
		}
		d.ID = l.entryID(s.Store, d.Kind, key+digest)
		found = append(found, d)
	}
	gone, changed := l.compareGone(s, here, inStore)
	return append(found, gone...), save || changed
}

// compareKeys returns the keys and the digests of the records of a store, and the digests of what was seen at keys that
// no record has now, without what a person removed.
func (l *Look) compareKeys(s *Seen, records []memory.Record) (here, inStore, moved map[string]bool) {
	here, inStore, moved = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range records {
		here[l.Key(&records[i])], inStore[l.digest(&records[i])] = true, true
	}
	for key, was := range s.Records {
		if !here[key] && !was.Own {
			moved[was.Digest] = true
		}
	}
	return here, inStore, moved
}

// isLeft reports whether a record is as a person left it through Winnow, where was is how it was seen, if it was.
func (l *Look) isLeft(was *Sight, digest string, r *memory.Record) bool {
	if (was == nil || !was.Waits) && l.Past().Left[WordsOf(r)] {
		return true
	}
	return was != nil && was.Own && was.Digest == digest && !l.Past().Deleted[WordsOf(r)]
}

// kindOf returns how a record differs from what was seen of it.
func (l *Look) kindOf(was *Sight, r *memory.Record) memory.EntryKind {
	switch {
	case (was == nil || was.Own) && l.Past().Deleted[WordsOf(r)]:
		return memory.BackRecord
	case was != nil && was.Gone.IsZero() && was.Digest != "":
		return memory.ChangedRecord
	}
	return memory.NewRecord
}

// compareGone returns the records that were seen and are missing, and forgets those that are missing for long or that
// the store has elsewhere. Here has the keys of the records of the store, and inStore their digests.
func (l *Look) compareGone(s *Seen, here, inStore map[string]bool) (found []Difference, save bool) {
	for _, key := range slices.Sorted(maps.Keys(s.Records)) {
		was := s.Records[key]
		switch {
		case here[key]:
			continue
		case was.Gone.IsZero():
			was.Gone, was.Own, save = l.Now, l.Past().Removed[memory.ID(was.ID)], true
		}
		if age := l.Now.Sub(was.Gone); was.Digest == "" || age > keepFor ||
			!was.Own && (inStore[was.Digest] || age > goneFor) {
			delete(s.Records, key)
			save = true
		} else if !was.Own {
			found = append(found, Difference{
				Kind: memory.GoneRecord, ID: l.entryID(s.Store, memory.GoneRecord, key+was.Digest), Key: key,
				Record: memory.Record{ID: memory.ID(was.ID), Title: was.Title, Count: memory.Count{N: was.Count}},
				Before: was,
			})
		}
	}
	return found, save
}

// unapprovedKind returns what a record is that is not approved.
func (l *Look) unapprovedKind(r *memory.Record) memory.EntryKind {
	if l.Verdicts.Doubted(l.Store, WordsOf(r)) {
		return memory.DoubtedRecord
	}
	if l.Past().Deleted[WordsOf(r)] {
		return memory.BackRecord
	}
	return memory.NewRecord
}

// Key returns a record's key in what was seen. A record without an id is identified by its content.
func (l *Look) Key(r *memory.Record) string {
	if r.ID.IsLine() {
		return l.digest(r)
	}
	return l.Verdicts.Digest("id\x00" + string(r.ID))
}

// RecordKey returns what the book of approvals knows a record by.
func RecordKey(d *approvals.Decisions, r *memory.Record) string { return (&Look{Verdicts: d}).Key(r) }

// Sight returns what to keep of a record that was seen.
func (l *Look) Sight(r *memory.Record) *Sight {
	return &Sight{
		ID: redactedText(cutTo(string(r.ID)), titleUnits, false), Digest: l.digest(r), Count: r.Count.N,
		Title: redactedText(cutTo(cmp.Or(r.Title, r.Body)), titleShown, false),
	}
}

// cutTo returns the part of a text that is searched for secrets.
func cutTo(text string) string { return text[:min(len(text), mostText)] }

// digest returns a digest of what a record says, without counts and dates of recalls.
func (l *Look) digest(r *memory.Record) string {
	texts := append([]string{r.Title, string(r.Outcome), r.Body}, r.Tools...)
	if when := memory.SameWhen(r.When); when != "" { // what was seen before there were moments is still seen
		texts = append(texts, "when\x00"+when)
	}
	return l.Verdicts.Digest(fmt.Sprintf("%q", texts))
}

// entryID returns the short ID of an entry.
func (l *Look) entryID(store memory.StoreID, kind memory.EntryKind, what string) string {
	const length = 6
	return "r" + l.Verdicts.Digest("entry\x00" + string(store) + "\x00" + kind.String() + "\x00" + what)[:length]
}

// WordsOf returns what a person decides about a record.
func WordsOf(r *memory.Record) approvals.Words {
	return approvals.Words{
		Title: r.Title, Outcome: string(r.Outcome), Body: r.Body, When: memory.SameWhen(r.When),
	}
}
