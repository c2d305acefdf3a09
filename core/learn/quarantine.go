package learn

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"winnow/core/approvals"
	"winnow/core/atomicfile"
	"winnow/core/memory"
	"winnow/core/statefile"
)

// Limits of the quarantine.
const (
	MostWaiting = 200
	keepFor     = 90 * 24 * time.Hour
	mostDecided = 50       // decisions that can be undone
	mostBox     = 32 << 20 // bytes of its file

	boxName = "proposals"
)

// Waiting is a proposal in the quarantine.
type Waiting struct {
	Proposal
	Later time.Time `json:"later,omitzero"` // the time until which a person postponed it
	// Again says that it was rejected before, and how it came back.
	Again string `json:"again,omitempty"`
	// Witnesses are other untainted sessions that proposed the same.
	Witnesses []memory.Origin `json:"witnesses,omitempty"`
	// Asked is set when a person undid its automatic approval; from then on a person decides.
	Asked bool `json:"asked,omitempty"`
	// Mark is set while it is being approved. After a crash between writing the store and the
	// quarantine it is still there, and the store shows how far the approval came.
	Mark *Mark `json:"mark,omitempty"`
}

// Mark says what an approval is about to write.
type Mark struct {
	Store  memory.StoreID  `json:"store"`
	Record memory.ID       `json:"record"`
	Digest string          `json:"digest"` // keyed, of the stored form
	Words  string          `json:"words"`  // keyed, of the words as approved
	Do     memory.InboxAct `json:"do"`
}

// Decision is the result of one order of a person, or of an automatic approval.
type Decision struct {
	At    time.Time       `json:"at"`
	Do    memory.InboxAct `json:"do"`
	Auto  bool            `json:"auto,omitempty"`
	Allow []string        `json:"allow,omitempty"` // rules of findings that were overridden
	// Why is the reason of a rejection; empty for none.
	Why     memory.RejectionReason `json:"why,omitempty"`
	Decided []Decided              `json:"decided"`
}

// Decided is one entry of a decision.
type Decided struct {
	ID string `json:"id"` // of the entry
	// Waiting is the proposal as it waited; nil for a record.
	Waiting *Waiting       `json:"waiting,omitempty"`
	Store   memory.StoreID `json:"store,omitempty"`
	// Key is the record's key in what was seen of the store. Seen is what was known about the
	// record before; nil for nothing.
	Key  string `json:"key,omitempty"`
	Seen *Sight `json:"seen,omitempty"`
	// Entries are entries of the store's history, oldest first; newest first for an undone decision.
	Entries []memory.EntryID `json:"entries,omitempty"`
	// Rejected is set when the words were rejected before.
	Rejected bool `json:"rejected,omitempty"`
}

// arrival is a proposal that was accepted into the quarantine.
type arrival struct {
	Source  string    `json:"source"`
	Session string    `json:"session,omitempty"`
	At      time.Time `json:"at"`
}

// Desk is what is known about the person's visits.
type Desk struct {
	Last    time.Time            `json:"last,omitzero"`   // when the inbox was last looked at
	Before  time.Time            `json:"before,omitzero"` // the end of the previous visit
	Dropped int                  `json:"dropped,omitempty"`
	Later   map[string]time.Time `json:"later,omitempty"` // until when each record is postponed, by entry
	On      map[string]time.Time `json:"on,omitempty"`    // when a rule was switched on again, by rule
}

// line is one line of the file. One of its fields is set.
type line struct {
	Proposal *Waiting      `json:"proposal,omitempty"`
	Decision *Decision     `json:"decision,omitempty"`
	Undone   *Decision     `json:"undone,omitempty"`
	Arrival  *arrival      `json:"arrival,omitempty"`
	Judged   *RuleDecision `json:"judged,omitempty"`
	Desk     *Desk         `json:"desk,omitempty"`
}

// Box is the content of the quarantine.
type Box struct {
	Waiting       []Waiting      // oldest first
	Decisions     []Decision     // oldest first
	Undone        []Decision     // most recently undone last; the entries of each decision are ordered likewise
	RuleDecisions []RuleDecision // oldest first
	Desk          Desk
	// Damaged are unreadable lines. They are kept.
	Damaged  [][]byte
	arrivals []arrival

	q *Quarantine
}

// Quarantine keeps proposals until a person decides. It is outside every agent's store, and safe
// for use by several processes.
type Quarantine struct {
	dir    string
	random io.Reader
	Book   *approvals.Book
}

// Open returns the quarantine in a folder. The folder is created when something is first written.
func Open(dir string, random io.Reader) *Quarantine {
	return &Quarantine{dir: dir, random: random, Book: approvals.Open(dir, random)}
}

// Look returns the content of the quarantine, without locking it.
func (q *Quarantine) Look() (*Box, error) {
	if err := memory.NoPlace(q.dir, "the inbox"); err != nil {
		return nil, fmt.Errorf("read the inbox: %w", err)
	}
	data, err := q.file().Read()
	if err != nil {
		return nil, fmt.Errorf("read the inbox: %w", err)
	}
	b := parseBox(data)
	b.q = q
	return b, nil
}

// Enter locks the quarantine and returns its content, without anything beyond the age and size
// limits.
func (q *Quarantine) Enter(ctx context.Context, now time.Time) (b *Box, leave func(), err error) {
	return q.enter(ctx, now, statefile.ForChange)
}

// Glance is like Enter, but waits only shortly for another process; see [statefile.IsBusy].
func (q *Quarantine) Glance(ctx context.Context, now time.Time) (b *Box, leave func(), err error) {
	return q.enter(ctx, now, statefile.ForLook)
}

func (q *Quarantine) enter(ctx context.Context, now time.Time, wait time.Duration) (b *Box, leave func(), err error) {
	if leave, err = hold(ctx, q.dir, q.file(), wait); err != nil {
		return nil, nil, err
	}
	if b, err = q.Look(); err != nil {
		leave()
		return nil, nil, err
	}
	b.dropOld(now)
	return b, leave, nil
}

// file returns the file of the quarantine.
func (q *Quarantine) file() statefile.File {
	return statefile.File{Path: filepath.Join(q.dir, boxName), Most: mostBox}
}

// hold locks a file in the folder of the quarantine.
func hold(ctx context.Context, dir string, f statefile.File, wait time.Duration) (release func(), err error) {
	if err := memory.NoPlace(dir, "the inbox"); err != nil {
		return nil, err
	}
	if release, err = f.Hold(ctx, wait); err != nil {
		err = fmt.Errorf("lock the %s: %w", filepath.Base(f.Path), err)
	}
	return release, err
}

// Save writes the content of the box in one step. The lock must be held.
func (b *Box) Save() error {
	if err := b.q.file().Write(b.bytes()); err != nil {
		return fmt.Errorf("write the inbox: %w", err)
	}
	return nil
}

// Forget removes proposals, decisions, and what was seen of stores. Approvals and rejections stay.
// Names are additional files of the folder to remove.
func (q *Quarantine) Forget(ctx context.Context, names ...string) error {
	if _, err := os.Lstat(q.dir); q.dir != "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	leave, err := hold(ctx, q.dir, q.file(), statefile.ForChange)
	if err != nil {
		return err
	}
	defer leave()
	release, err := hold(ctx, q.dir, OpenQueue(q.dir).learnt(), statefile.ForChange)
	if err != nil {
		return err
	}
	defer release()
	for _, name := range append(names, boxName, seenFolder) {
		err = cmp.Or(err, os.RemoveAll(filepath.Join(q.dir, name)))
	}
	if err != nil {
		return fmt.Errorf("empty the inbox: %w", err)
	}
	return nil
}

// parseBox reads the file of the quarantine. It keeps lines that it does not understand.
func parseBox(data []byte) *Box {
	b := &Box{Desk: Desk{Later: map[string]time.Time{}}}
	for text := range bytes.Lines(data) {
		text = bytes.TrimSpace(text)
		var l line
		if json.Unmarshal(text, &l) != nil {
			l = line{}
		}
		switch {
		case len(text) == 0:
		case l.Proposal != nil && l.Proposal.ID != "":
			b.Waiting = append(b.Waiting, *l.Proposal)
		case l.Decision != nil:
			b.Decisions = append(b.Decisions, *l.Decision)
		case l.Undone != nil && len(l.Undone.Decided) > 0:
			b.Undone = append(b.Undone, *l.Undone)
		case l.Judged != nil:
			b.RuleDecisions = append(b.RuleDecisions, *l.Judged)
		case l.Arrival != nil:
			b.arrivals = append(b.arrivals, *l.Arrival)
		case l.Desk != nil:
			b.Desk = *l.Desk
			b.Desk.Later = maps.Collect(maps.All(l.Desk.Later)) // never nil
		default:
			b.Damaged = append(b.Damaged, bytes.Clone(text))
		}
	}
	return b
}

// bytes returns the content of the quarantine's file.
func (b *Box) bytes() []byte {
	var out bytes.Buffer
	add := func(l line) {
		text, err := json.Marshal(l)
		if err == nil { // fails only for dates past the year 9999, which tidy drops
			out.Write(append(text, '\n'))
		}
	}
	for _, text := range b.Damaged {
		out.Write(append(text, '\n'))
	}
	add(line{Desk: &b.Desk})
	for i := range b.arrivals {
		add(line{Arrival: &b.arrivals[i]})
	}
	for i := range b.RuleDecisions {
		add(line{Judged: &b.RuleDecisions[i]})
	}
	for i := range b.Waiting {
		add(line{Proposal: &b.Waiting[i]})
	}
	for i := range b.Decisions {
		add(line{Decision: &b.Decisions[i]})
	}
	for i := range b.Undone {
		add(line{Undone: &b.Undone[i]})
	}
	return out.Bytes()
}

// dropOld drops what is beyond the age and size limits, oldest first. A proposal that is being
// approved stays.
func (b *Box) dropOld(now time.Time) {
	over := len(b.Waiting) - MostWaiting
	b.Waiting = slices.DeleteFunc(b.Waiting, func(w Waiting) bool {
		drops := w.Mark == nil && (over > 0 || now.Sub(w.Arrived) > keepFor)
		if drops {
			over--
			b.Desk.Dropped++
		}
		return drops
	})
	b.Decisions = b.Decisions[max(0, len(b.Decisions)-mostDecided):]
	b.Undone = b.Undone[max(0, len(b.Undone)-mostDecided):]
	b.arrivals = slices.DeleteFunc(b.arrivals, func(a arrival) bool { return now.Sub(a.At) > keepFor })
	maps.DeleteFunc(b.Desk.Later, func(_ string, until time.Time) bool { return until.Before(now) })
}

// Find returns the proposal with an ID, or nil.
func (b *Box) Find(id string) *Waiting {
	i := slices.IndexFunc(b.Waiting, func(w Waiting) bool { return w.ID == id })
	if i < 0 {
		return nil
	}
	return &b.Waiting[i]
}

// Remove removes the proposal with an ID.
func (b *Box) Remove(id string) {
	b.Waiting = slices.DeleteFunc(b.Waiting, func(w Waiting) bool { return w.ID == id })
}

// newID returns a short ID that no proposal has.
func (b *Box) newID() (string, error) {
	const letters, length = "abcdefghjkmnpqrstuvwxyz23456789", 5
	for {
		var raw [length]byte
		if _, err := io.ReadFull(b.q.random, raw[1:]); err != nil {
			return "", atomicfile.NoRandomness(err)
		}
		raw[0] = 'p'
		for i, c := range raw[1:] {
			raw[i+1] = letters[int(c)%len(letters)]
		}
		if id := string(raw[:]); b.Find(id) == nil {
			return id, nil
		}
	}
}

// WatchPaths returns the paths that change when a proposal or a queued session is added or removed.
func (q *Quarantine) WatchPaths() []string {
	if q.dir == "" {
		return nil
	}
	return []string{filepath.Join(q.dir, boxName), filepath.Join(q.dir, queueFolder) + string(filepath.Separator)}
}

// Path returns the path of the box's file.
func (b *Box) Path() string { return filepath.Join(b.q.dir, boxName) }

// Book returns the approvals and rejections.
func (b *Box) Book() *approvals.Book { return b.q.Book }
