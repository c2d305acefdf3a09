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
	"winnow/core/memory"
	"winnow/core/session"
)

// Limits of the queue.
const (
	MostQueued  = 500
	KeepQueued  = 7 * 24 * time.Hour
	mostEntry   = 64 << 10 // bytes
	mostLearnt  = 1 << 20  // bytes of the list of learnt sessions, about 20,000 of them
	queueFolder = "queue"
	learntName  = "learnt"
	entryEnd    = ".json"
)

// Queue keeps the sessions that hooks reported as over until they are learnt from, in a small file
// each. It also knows which sessions were learnt from. It is safe for use by several processes.
type Queue struct{ dir string }

// OpenQueue returns the queue in the folder of the quarantine. The folder is created when something
// is first put into the queue.
func OpenQueue(dir string) *Queue { return &Queue{dir: dir} }

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
	data, err := json.Marshal(Queued{Head: h, At: now.UTC()})
	if err != nil || len(data) > mostEntry || h.ID == "" || h.System == "" {
		return fmt.Errorf("queue session %.80q: its head cannot be kept", h.ID)
	}
	unlock, err := lock(ctx, q.dir, queueFolder)
	if err != nil {
		return err
	}
	defer unlock()
	name := keyOf(h.System, h.ID) + entryEnd
	if names, err := q.names(); err != nil {
		return err
	} else if len(names) >= MostQueued && !slices.Contains(names, name) {
		return &memory.Problem{
			Code: "queue-full", What: fmt.Sprintf("queue session %s: %d sessions are already waiting", h.ID, len(names)),
			Hint: "learn from them: winnow learn --queue",
		}
	}
	if err := atomicfile.Rewrite(atomicfile.OS(), filepath.Join(q.dir, queueFolder, name), append(data, '\n')); err != nil {
		return fmt.Errorf("queue session %s: %w", h.ID, err)
	}
	return nil
}

// names returns the names of the entries.
func (q *Queue) names() (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(q.dir, queueFolder))
	if err = cmp.Or(atomicfile.NoFolder(q.dir), err); err != nil && !os.IsNotExist(err) {
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
	for _, name := range names[:min(len(names), 2*MostQueued)] {
		s, err := atomicfile.Look(atomicfile.OS(), filepath.Join(q.dir, queueFolder, name))
		if err != nil || !s.There {
			continue
		}
		e := Queued{name: name, data: s.Data}
		if len(s.Data) > mostEntry || json.Unmarshal(s.Data, &e) != nil || name != keyOf(e.Head.System, e.Head.ID)+entryEnd || now.Sub(e.At) > KeepQueued {
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
	unlock, err := lock(ctx, q.dir, queueFolder)
	if err != nil {
		return err
	}
	defer unlock()
	path := filepath.Join(q.dir, queueFolder, e.name)
	s, err := atomicfile.Look(atomicfile.OS(), path)
	if err == nil && s.There && bytes.Equal(s.Data, e.data) {
		err = os.Remove(path)
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
	s, err := atomicfile.Look(atomicfile.OS(), filepath.Join(q.dir, learntName))
	if err = cmp.Or(atomicfile.NoFolder(q.dir), err); err != nil {
		return nil, fmt.Errorf("read which sessions were learnt from: %w", err)
	}
	all := map[string]Done{}
	for line := range bytes.Lines(s.Data) {
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

// NoteLearnt records that a session was learnt from. It is durable if there is no error.
func (q *Queue) NoteLearnt(ctx context.Context, s *session.Session, now time.Time) error {
	unlock, err := lock(ctx, q.dir, queueFolder)
	if err != nil {
		return err
	}
	defer unlock()
	line := fmt.Sprintf("%s %d %d", keyOf(s.System, s.ID), len(s.Steps), now.Unix())
	if err := atomicfile.AppendBounded(atomicfile.OS(), filepath.Join(q.dir, learntName), mostLearnt, true, line); err != nil {
		return fmt.Errorf("note that a session was learnt from: %w", err)
	}
	return nil
}
