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
)

// What the quarantine keeps.
const (
	MostWaiting = 200
	KeepFor     = 90 * 24 * time.Hour
	mostDecided = 50       // decisions that can be undone
	mostBox     = 32 << 20 // bytes of its file

	boxName = "proposals"
)

// Waiting is a proposal in the quarantine.
type Waiting struct {
	Proposal
	Later time.Time `json:"later,omitzero"` // until which a person put it off
	// Again says that it was rejected before, and how it came back.
	Again string `json:"again,omitempty"`
	// Witnesses are untainted sessions, other than its own, that proposed the same.
	Witnesses []memory.Origin `json:"witnesses,omitempty"`
	// Asked is set when a person took its automatic approval back: they decide.
	Asked bool `json:"asked,omitempty"`
	// Mark is set while it is being approved: a crash between the store and the quarantine
	// leaves it, and the store tells how far the approval came.
	Mark *Mark `json:"mark,omitempty"`
}

// Mark says what an approval is about to write.
type Mark struct {
	Store  memory.StoreID  `json:"store"`
	Record memory.ID       `json:"record"`
	Digest string          `json:"digest"` // keyed, of the stored form
	Words  string          `json:"words"`  // keyed, of the words as they were approved
	Do     memory.InboxAct `json:"do"`
}

// Decision is what one order of a person, or automatic approval, came to.
type Decision struct {
	At      time.Time       `json:"at"`
	Do      memory.InboxAct `json:"do"`
	Auto    bool            `json:"auto,omitempty"`
	Allow   []string        `json:"allow,omitempty"` // rules of findings that were overruled
	Decided []Decided       `json:"decided"`
}

// Decided is one entry of a decision.
type Decided struct {
	ID string `json:"id"` // of the entry
	// Waiting is the proposal as it waited; nil for a record.
	Waiting *Waiting       `json:"waiting,omitempty"`
	Store   memory.StoreID `json:"store,omitempty"`
	// Key is what a record is called in what was seen of the store, and Seen what was known of it
	// before; nil for nothing.
	Key  string `json:"key,omitempty"`
	Seen *Sight `json:"seen,omitempty"`
	// Entries are those of the history of the store, oldest first; of an undone decision those
	// that took them back, in their order.
	Entries []memory.EntryID `json:"entries,omitempty"`
	// Rejected is set when the words were rejected before.
	Rejected bool `json:"rejected,omitempty"`
}

// arrival is a proposal that was taken.
type arrival struct {
	Source  string    `json:"source"`
	Session string    `json:"session,omitempty"`
	At      time.Time `json:"at"`
}

// Desk is what is known of the person's visits.
type Desk struct {
	Last    time.Time            `json:"last,omitzero"`   // when the inbox was looked at last
	Before  time.Time            `json:"before,omitzero"` // the end of the visit before
	Dropped int                  `json:"dropped,omitempty"`
	Later   map[string]time.Time `json:"later,omitempty"` // records that were put off, by entry
}

// line is one line of the file: one of these.
type line struct {
	Proposal *Waiting  `json:"proposal,omitempty"`
	Decision *Decision `json:"decision,omitempty"`
	Undone   *Decision `json:"undone,omitempty"`
	Arrival  *arrival  `json:"arrival,omitempty"`
	Desk     *Desk     `json:"desk,omitempty"`
}

// Box is what the quarantine holds.
type Box struct {
	Waiting   []Waiting  // oldest first
	Decisions []Decision // oldest first
	Undone    []Decision // the last one last, as are the entries of each
	Desk      Desk
	// Damaged are lines that cannot be read. They stay as they are.
	Damaged  [][]byte
	arrivals []arrival

	q *Quarantine
}

// Quarantine keeps proposals until a person decides. It lies outside every agent's store, and is
// safe for use by several processes.
type Quarantine struct {
	dir    string
	random io.Reader
	Book   *approvals.Book
}

// Open returns the quarantine in a folder, which is made when something is written for the first
// time.
func Open(dir string, random io.Reader) *Quarantine {
	return &Quarantine{dir: dir, random: random, Book: approvals.Open(dir, random)}
}

// Look returns what the quarantine holds, without its lock.
func (q *Quarantine) Look() (*Box, error) {
	s, err := atomicfile.Look(atomicfile.OS(), filepath.Join(q.dir, boxName))
	if err = cmp.Or(atomicfile.NoFolder(q.dir), err); err != nil {
		return nil, fmt.Errorf("read the inbox: %w", err)
	}
	if len(s.Data) > mostBox {
		return nil, &memory.Problem{
			Code: "inbox-too-large", What: "read the inbox: its file " + filepath.Join(q.dir, boxName) + " is larger than 32 MB",
			Hint: "move the file away, or empty the inbox: winnow forget",
		}
	}
	b := parseBox(s.Data)
	b.q = q
	return b, nil
}

// Enter locks the quarantine and returns what it holds. What is too old or too much is dropped.
func (q *Quarantine) Enter(ctx context.Context, now time.Time) (b *Box, leave func(), err error) {
	if leave, err = lock(ctx, q.dir, boxName); err != nil {
		return nil, nil, err
	}
	if b, err = q.Look(); err != nil {
		leave()
		return nil, nil, err
	}
	b.tidy(now)
	return b, leave, nil
}

// lock locks the file or folder with a name in the folder of the quarantine.
func lock(ctx context.Context, dir, name string) (unlock func(), err error) {
	if err = atomicfile.NoFolder(dir); err != nil {
		return nil, err
	}
	if unlock, err = atomicfile.Lock(ctx, filepath.Join(dir, name+".lock")); err != nil {
		err = fmt.Errorf("lock the %s: %w", name, err)
	}
	return unlock, err
}

// Save writes what the box holds, in one step. The lock must be held.
func (b *Box) Save() error {
	if err := atomicfile.Rewrite(atomicfile.OS(), b.Path(), b.bytes()); err != nil {
		return fmt.Errorf("write the inbox: %w", err)
	}
	return nil
}

// Forget removes proposals and decisions, and what was seen of stores. What was approved and rejected
// stays. Names are other files of the folder that go as well.
func (q *Quarantine) Forget(ctx context.Context, names ...string) error {
	if _, err := os.Lstat(q.dir); q.dir != "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	leave, err := lock(ctx, q.dir, boxName)
	if err != nil {
		return err
	}
	defer leave()
	for _, name := range append(names, boxName, seenFolder) {
		err = cmp.Or(err, os.RemoveAll(filepath.Join(q.dir, name)))
	}
	if err != nil {
		return fmt.Errorf("empty the inbox: %w", err)
	}
	return nil
}

// parseBox reads the file of the quarantine. Lines that it does not understand are kept.
func parseBox(data []byte) *Box {
	b := &Box{Desk: Desk{Later: map[string]time.Time{}}}
	for text := range bytes.Lines(data) {
		text = bytes.TrimSpace(text)
		var l line
		err := json.Unmarshal(text, &l)
		switch {
		case len(text) == 0:
		case err == nil && l.Proposal != nil && l.Proposal.ID != "":
			b.Waiting = append(b.Waiting, *l.Proposal)
		case err == nil && l.Decision != nil:
			b.Decisions = append(b.Decisions, *l.Decision)
		case err == nil && l.Undone != nil && len(l.Undone.Decided) > 0:
			b.Undone = append(b.Undone, *l.Undone)
		case err == nil && l.Arrival != nil:
			b.arrivals = append(b.arrivals, *l.Arrival)
		case err == nil && l.Desk != nil:
			b.Desk = *l.Desk
			b.Desk.Later = maps.Collect(maps.All(l.Desk.Later)) // never nil
		default:
			b.Damaged = append(b.Damaged, bytes.Clone(text))
		}
	}
	return b
}

// bytes returns the file of the quarantine.
func (b *Box) bytes() []byte {
	var out bytes.Buffer
	add := func(l line) {
		text, err := json.Marshal(l)
		if err == nil { // but for dates past the year 9999, which tidy drops
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

// tidy drops what is too old or too much, the oldest first. What is being approved stays.
func (b *Box) tidy(now time.Time) {
	over := len(b.Waiting) - MostWaiting
	b.Waiting = slices.DeleteFunc(b.Waiting, func(w Waiting) bool {
		drops := w.Mark == nil && (over > 0 || now.Sub(w.Arrived) > KeepFor)
		if drops {
			over--
			b.Desk.Dropped++
		}
		return drops
	})
	b.Decisions = b.Decisions[max(0, len(b.Decisions)-mostDecided):]
	b.Undone = b.Undone[max(0, len(b.Undone)-mostDecided):]
	b.arrivals = slices.DeleteFunc(b.arrivals, func(a arrival) bool { return now.Sub(a.At) > KeepFor })
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

// Remove takes the proposal with an ID out of the box.
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

// WatchPaths returns what changes when a proposal or a session of the queue comes or goes.
func (q *Quarantine) WatchPaths() []string {
	if q.dir == "" {
		return nil
	}
	return []string{filepath.Join(q.dir, boxName), filepath.Join(q.dir, queueFolder) + string(filepath.Separator)}
}

// Path returns the path of the file that the box was read from.
func (b *Box) Path() string { return filepath.Join(b.q.dir, boxName) }

// Book returns what was approved and rejected.
func (b *Box) Book() *approvals.Book { return b.q.Book }
