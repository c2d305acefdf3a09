package learn

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/atomicfile"
	"winnow/core/detect"
	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/statefile"
)

// Limits of the queue.
const (
	mostQueued  = 500
	keepQueued  = 7 * 24 * time.Hour
	mostEntry   = 64 << 10 // bytes
	mostLearnt  = 1 << 20  // bytes of the list of learnt sessions, about 20,000 of them
	queueFolder = "queue"
	learntName  = "learnt"
	entryEnd    = ".json"

	distilledName = "distilled"
)

// Queue keeps the sessions that hooks reported as over until they are learnt from, in a small file
// each. It also knows which sessions were learnt from. It is safe for use by several processes.
type Queue struct{ dir string }

// OpenQueue returns the queue in the folder of the quarantine. The folder is created when something
// is first put into the queue.
func OpenQueue(dir string) *Queue { return &Queue{dir: dir} }

// entry returns the file of a queued session.
func (q *Queue) entry(name string) statefile.File {
	return statefile.File{Path: filepath.Join(q.dir, queueFolder, name), Lock: q.learnt().Lock}
}

// learnt returns the list of learnt sessions. Its lock is that of the whole queue.
func (q *Queue) learnt() statefile.File { return q.list(learntName) }

// distilled returns the list of sessions that the program of [learn] distil was given.
func (q *Queue) distilled() statefile.File { return q.list(distilledName) }

func (q *Queue) list(name string) statefile.File {
	return statefile.File{Path: filepath.Join(q.dir, name), Lock: filepath.Join(q.dir, queueFolder+".lock")}
}

// Queued is a session in the queue.
type Queued struct {
	Head session.Head `json:"head"`
	At   time.Time    `json:"at"` // when it was last put there

	name string
	data []byte
}

// keyOf returns a name for a session that does not reveal its id.
func keyOf(system memory.SystemID, id string) string {
	return atomicfile.Digest([]byte(string(system) + "\x00" + id))[:32]
}

// Put puts a session into the queue. If it is there already, its head is replaced.
func (q *Queue) Put(ctx context.Context, h session.Head, now time.Time) error {
	if id := detect.Redact(h.ID); id != h.ID { // it would be found by no other name
		return fmt.Errorf("queue session %.80q: its name holds what looks like a secret", id)
	}
	h.Path, h.Folder = detect.Redact(h.Path), detect.Redact(h.Folder)
	data, err := json.Marshal(Queued{Head: h, At: now.UTC()})
	if err != nil || len(data) > mostEntry || h.ID == "" || h.System == "" {
		return fmt.Errorf("queue session %.80q: its head cannot be kept", h.ID)
	}
	unlock, err := hold(ctx, q.dir, q.learnt(), statefile.ForChange)
	if err != nil {
		return err
	}
	defer unlock()
	name := keyOf(h.System, h.ID) + entryEnd
	if names, err := q.names(); err != nil {
		return err
	} else if len(names) >= mostQueued && !slices.Contains(names, name) {
		return &memory.Problem{
			Code: "queue-full",
			What: fmt.Sprintf("queue session %s: %d sessions are already waiting", h.ID, len(names)),
			Hint: "learn from them: winnow learn --queue",
		}
	}
	if err := q.entry(name).Write(append(data, '\n')); err != nil {
		return fmt.Errorf("queue session %s: %w", h.ID, err)
	}
	return nil
}

// names returns the names of the entries.
func (q *Queue) names() (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(q.dir, queueFolder))
	if err = cmp.Or(memory.NoPlace(q.dir, "the inbox"), err); err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("read the queue: %w", err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), entryEnd) && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Len returns the number of sessions in the queue.
func (q *Queue) Len() int {
	names, _ := q.names() // an unreadable queue has nothing to learn from
	return len(names)
}

// List returns the queued sessions, oldest first. It leaves out entries that are too old or
// invalid; with tidy it also removes them from the queue.
func (q *Queue) List(ctx context.Context, now time.Time, tidy bool) (all []Queued, _ error) {
	names, err := q.names()
	if err != nil {
		return nil, err
	}
	for _, name := range names[:min(len(names), 2*mostQueued)] {
		data, err := q.entry(name).Read()
		if err != nil || data == nil {
			continue
		}
		e := Queued{name: name, data: data}
		valid := len(data) <= mostEntry && json.Unmarshal(data, &e) == nil &&
			name == keyOf(e.Head.System, e.Head.ID)+entryEnd
		if !valid || now.Sub(e.At) > keepQueued {
			if tidy {
				err = q.Drop(ctx, &e)
			}
			if err != nil {
				return nil, err
			}
			continue
		}
		all = append(all, e)
	}
	slices.SortStableFunc(all, func(a, b Queued) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.name, b.name)) })
	return all, nil
}

// Drop removes a session from the queue, unless it was put there again after it was listed.
func (q *Queue) Drop(ctx context.Context, e *Queued) error {
	unlock, err := hold(ctx, q.dir, q.learnt(), statefile.ForChange)
	if err != nil {
		return err
	}
	defer unlock()
	file := q.entry(e.name)
	data, err := file.Read()
	if err == nil && data != nil && bytes.Equal(data, e.data) {
		err = os.Remove(file.Path)
	}
	if err != nil {
		return fmt.Errorf("remove a session from the queue: %w", err)
	}
	return nil
}

// Done says when a session was learnt from, and how many steps it had then.
type Done struct {
	Steps int
	At    time.Time
}

// Learnt returns a function that says whether a session was learnt from.
func (q *Queue) Learnt() (func(memory.SystemID, string) (Done, bool), error) {
	return q.done(q.learnt())
}

// Distilled returns a function that says whether the program of [learn] distil was given a session.
func (q *Queue) Distilled() (func(memory.SystemID, string) (Done, bool), error) {
	return q.done(q.distilled())
}

// done returns a function that says whether a list names a session.
func (q *Queue) done(file statefile.File) (func(memory.SystemID, string) (Done, bool), error) {
	err := memory.NoPlace(q.dir, "the inbox")
	var list []byte
	if err == nil {
		list, err = file.Read()
	}
	if err != nil {
		return nil, fmt.Errorf("read which sessions were learnt from: %w", err)
	}
	all := map[string]Done{}
	for line := range bytes.Lines(list) {
		var (
			key   string
			steps int
			at    int64
		)
		if _, err := fmt.Sscan(string(line), &key, &steps, &at); err == nil { // otherwise a crash cut it off
			all[key] = Done{Steps: steps, At: time.Unix(at, 0)}
		}
	}
	return func(system memory.SystemID, id string) (Done, bool) {
		d, ok := all[keyOf(system, id)]
		return d, ok
	}, nil
}

// NoteLearnt records that sessions were learnt from. It is durable if there is no error.
func (q *Queue) NoteLearnt(ctx context.Context, now time.Time, traces ...*Trace) error {
	return q.note(ctx, q.learnt(), now, traces...)
}

// NoteDistilled records that the program of [learn] distil was given sessions. It is durable if there is no error.
func (q *Queue) NoteDistilled(ctx context.Context, now time.Time, traces ...*Trace) error {
	return q.note(ctx, q.distilled(), now, traces...)
}

func (q *Queue) note(ctx context.Context, file statefile.File, now time.Time, traces ...*Trace) error {
	unlock, err := hold(ctx, q.dir, q.learnt(), statefile.ForChange)
	if err != nil {
		return err
	}
	defer unlock()
	var lines []string
	for _, t := range traces {
		lines = append(lines, fmt.Sprintf("%s %d %d", keyOf(t.Agent, t.ID), t.Steps, now.Unix()))
	}
	if err := file.Append(mostLearnt, true, lines...); err != nil {
		return fmt.Errorf("note that a session was learnt from: %w", err)
	}
	return nil
}
