package opencode

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"os"
	"sync"
	"time"

	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// productName is how the product is called.
const productName = "OpenCode"

// Database is the database of sessions. It is only read, in a way that leaves no trace.
type Database struct {
	path string
	m    machine
	now  func() time.Time

	mu    sync.Mutex // guards what follows, which saves work
	known map[string]knownSession
}

// knownSession is a session as it was shown, and what tells that it is the same still.
type knownSession struct {
	stored string
	state  state
	record memory.Record
}

var (
	_ system.Store       = (*Database)(nil)
	_ system.Snapshotter = (*Database)(nil)
	_ system.Summarizer  = (*Database)(nil)
	_ system.Watched     = (*Database)(nil)
)

// Info implements [system.Store].
func (d *Database) Info() system.Info {
	place := memory.Place{Store: memory.StoreID(d.path), System: ID, Path: d.path, Name: "sessions"}
	return system.Info{System: ID, Name: productName, Place: place, Noun: sessionNoun()}
}

func sessionNoun() memory.Noun { return memory.Noun{One: "session", Many: "sessions"} }

// WatchPaths implements [system.Watched]: the database with its log, and the locks.
func (d *Database) WatchPaths() []string {
	return []string{d.path, d.path + "-wal", d.m.locks() + string(os.PathSeparator)}
}

// List implements [system.Store].
func (d *Database) List(ctx context.Context, fn func(memory.Record) error) error {
	if _, err := os.Stat(d.path); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("list %s: %w", d.path, memory.ErrNotFound)
	}
	line := 0
	return d.pages(ctx, 0, maxAll, func(p *page) error {
		for _, r := range d.records(p, line) {
			if err := ctx.Err(); err != nil {
				return err
			}
			line++
			if err := fn(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxAll is more sessions than any store has.
const maxAll = 1 << 40

// records returns the records of a page, and remembers those that will not change:
// of sessions that ended. Line is how many records stand before the page.
func (d *Database) records(p *page, line int) []memory.Record {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.known == nil || len(d.known) > maxSessions {
		d.known = map[string]knownSession{}
	}
	all := make([]memory.Record, len(p.sessions))
	for i := range p.sessions {
		s := &p.sessions[i]
		if k, ok := p.known[i]; ok {
			all[i] = k.record
			all[i].Line = line + i + 1
			continue
		}
		all[i] = s.record(line+i+1, p.projects[s.project])
		all[i].Rev += memory.Revision(fmt.Sprint(p.states[s.id]))
		if s.outcome == finished || s.outcome == aborted || s.outcome == failed {
			d.known[s.id] = knownSession{s.stored, p.states[s.id], all[i]}
		}
	}
	return all
}

// pages reads the sessions in pages of which each is of one state of the database, and
// calls fn for each, the first also when it is empty.
func (d *Database) pages(ctx context.Context, skip, most int, fn func(*page) error) error {
	after := int64(math.MaxInt64)
	for read := 0; ; {
		limit := min(pageOfRows, most-read)
		if read == 0 {
			limit = min(firstRows, limit)
		}
		p, err := d.page(ctx, after, skip, limit)
		if err != nil {
			return d.fail(err)
		}
		if err := fn(p); err != nil {
			return err
		}
		read += len(p.sessions)
		if len(p.sessions) < limit || read >= most {
			return nil
		}
		after, skip = p.sessions[len(p.sessions)-1].row, 0
	}
}

// page reads one page.
func (d *Database) page(ctx context.Context, after int64, skip, limit int) (*page, error) {
	var p *page
	err := sqlite.Look(ctx, d.path, func(db *sql.DB) error {
		p = new(page) // fn may run again
		if err := p.rowsAfter(ctx, db, after, skip, limit); err != nil {
			return err
		}
		if err := p.readStates(ctx, db); err != nil {
			return err
		}
		return p.details(ctx, db, d.unknown(p))
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// state is what tells that a session says the same still.
type state struct {
	messages, parts int
	newest          int64  // when the newest message was made
	bytes           int64  // of messages and parts
	digest          uint64 // of what they say; 0 for one beyond the first maxDigest bytes
}

// maxDigest is how much of the newest sessions of a page is read to see whether they were
// edited in place. Of older ones the lengths have to do: real databases have gigabytes.
const maxDigest = 8 << 20

// readStates reads how many messages and parts the sessions of the page have, how long they
// are and when the newest was made, and of the newest sessions what they say.
func (p *page) readStates(ctx context.Context, db *sql.DB) error {
	if len(p.sessions) == 0 || p.schema.shape == shapeGo {
		return nil
	}
	p.states = make(map[string]state, len(p.sessions))
	ids := make([]any, len(p.sessions))
	for i := range p.sessions {
		ids[i] = p.sessions[i].id
	}
	err := each(ctx, db, func(rows *sql.Rows) error {
		var id string
		var s state
		var newest, bytes sql.NullInt64
		err := rows.Scan(&id, &s.messages, &newest, &bytes)
		s.newest, s.bytes = newest.Int64, bytes.Int64
		p.states[id] = s
		return err
	}, "SELECT session_id, count(*), max(time_created), sum(octet_length(data)) FROM message WHERE session_id IN "+marks(len(ids))+" GROUP BY session_id", ids...)
	if err != nil {
		return err
	}
	err = each(ctx, db, func(rows *sql.Rows) error {
		var id string
		var n int
		var bytes sql.NullInt64
		err := rows.Scan(&id, &n, &bytes)
		s := p.states[id]
		s.parts, s.bytes = n, s.bytes+bytes.Int64
		p.states[id] = s
		return err
	}, "SELECT session_id, count(*), sum(octet_length(data)) FROM part WHERE session_id IN "+marks(len(ids))+" GROUP BY session_id", ids...)
	if err != nil {
		return err
	}
	return p.readDigests(ctx, db)
}

// readDigests reads what the newest sessions of the page say.
func (p *page) readDigests(ctx context.Context, db *sql.DB) error {
	var ids []any
	size := int64(0)
	for i := range p.sessions {
		if size += p.states[p.sessions[i].id].bytes; size > maxDigest {
			break
		}
		ids = append(ids, p.sessions[i].id)
	}
	if len(ids) == 0 {
		return nil
	}
	seed := fnv.New64a()
	for _, table := range [...]string{"message", "part"} {
		err := each(ctx, db, func(rows *sql.Rows) error {
			var id string
			var row int64
			var data sql.RawBytes
			if err := rows.Scan(&id, &row, &data); err != nil {
				return err
			}
			seed.Reset()
			fmt.Fprint(seed, table, row, ":")
			_, _ = seed.Write(data) // a hash takes everything
			s := p.states[id]
			s.digest += seed.Sum64()
			p.states[id] = s
			return nil
		}, "SELECT session_id, rowid, data FROM "+table+" WHERE session_id IN "+marks(len(ids)), ids...)
		if err != nil {
			return err
		}
	}
	return nil
}

// unknown finds the sessions of the page that are known, and returns the places of the
// others.
func (d *Database) unknown(p *page) (wanted []int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p.known = map[int]knownSession{}
	for i := range p.sessions {
		s := &p.sessions[i]
		if k, ok := d.known[s.id]; ok && k.stored == s.stored && k.state == p.states[s.id] {
			p.known[i] = k
			continue
		}
		wanted = append(wanted, i)
	}
	return wanted
}

// fail puts an error in words.
func (d *Database) fail(err error) error {
	var p *memory.Problem
	switch {
	case errors.Is(err, errUnknown):
		return unknownDatabase()
	case errors.As(err, &p):
		return err
	}
	return fmt.Errorf("list %s: %w", d.path, err)
}

func unknownDatabase() *memory.Problem {
	return &memory.Problem{
		Code: "unknown-schema",
		What: "This is a database, but none of OpenCode: it has no table of sessions with their messages and parts.",
		Hint: "opencode db path prints where OpenCode keeps its own",
	}
}

// missingDatabase puts the problem of a file that cannot be opened in the words of
// this store.
func missingDatabase(p *memory.Problem) *memory.Problem {
	if p.Code != quietread.CodeMissing {
		return p
	}
	return &memory.Problem{
		Code: quietread.CodeMissing,
		What: "There are no sessions here yet: the database does not exist.",
		Hint: "it appears when OpenCode is started for the first time",
	}
}
