package opencode

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"time"

	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/system"
)

// productName is the name of the product.
const productName = "OpenCode"

// Database is the database of sessions. It is only read, and reading leaves no trace.
type Database struct {
	path string
	m    machine
	now  func() time.Time
	// known are the sessions of the last snapshot. Details of unchanged sessions are not read again:
	// a large database has gigabytes of them.
	known atomic.Pointer[map[string]session]
}

var (
	_ system.Store       = (*Database)(nil)
	_ system.Snapshotter = (*Database)(nil)
	_ system.Summarizer  = (*Database)(nil)
	_ system.Watched     = (*Database)(nil)
)

// Info implements [system.Store].
func (d *Database) Info() system.Info {
	place := memory.Place{Store: memory.StoreID(d.path), System: id, Path: d.path, Name: "sessions"}
	return system.Info{System: id, Name: productName, Place: place, Noun: sessionNoun()}
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
	return d.pages(ctx, maxAll, func(p *page) error {
		for _, r := range p.records(line) {
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

// records returns the records of a page. line is the number of records before the page.
func (p *page) records(line int) []memory.Record {
	all := make([]memory.Record, len(p.sessions))
	for i := range p.sessions {
		all[i] = p.sessions[i].record(line+i+1, p.projects[p.sessions[i].project])
	}
	return all
}

// pages calls fn with the sessions in pages, at most most of them. Each page is one consistent state of the database.
// The first page is passed on even when it is empty.
func (d *Database) pages(ctx context.Context, most int, fn func(*page) error) error {
	after := int64(math.MaxInt64)
	for read := 0; ; {
		limit := min(pageOfRows, most-read)
		if read == 0 {
			limit = min(firstRows, limit)
		}
		p, err := d.page(ctx, after, limit)
		if err != nil {
			return d.fail(err)
		}
		if err := fn(&p); err != nil {
			return err
		}
		read += len(p.sessions)
		if len(p.sessions) < limit || read >= most {
			return nil
		}
		after = p.sessions[len(p.sessions)-1].row
	}
}

// page reads one page.
func (d *Database) page(ctx context.Context, after int64, limit int) (page, error) {
	return pageOf(ctx, d.path, func(db *sql.DB, p *page) error {
		if known := d.known.Load(); known != nil {
			p.known = *known
		}
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM session").Scan(&p.total); err != nil {
			return err
		}
		if err := p.worktrees(ctx, db); err != nil {
			return err
		}
		return p.details(ctx, db)
	}, "WHERE rowid < ? ORDER BY rowid DESC LIMIT ?", after, limit)
}

// fail adds the operation to an error.
func (d *Database) fail(err error) error {
	if p := (*memory.Problem)(nil); errors.As(err, &p) {
		return err
	}
	return fmt.Errorf("list %s: %w", d.path, err)
}

func unknownDatabase() *memory.Problem {
	return &memory.Problem{
		Code: "unknown-schema",
		What: "This is not a database of OpenCode: it has no table of sessions with their messages and parts.",
		Hint: "opencode db path prints where OpenCode keeps its own",
	}
}

// archivedProgram is the problem of a database that belongs to a different product.
func archivedProgram() *memory.Problem {
	return &memory.Problem{
		Code: "other-product",
		What: "This database is of the archived Go program that was called OpenCode as well. Winnow does not show its sessions.",
		Hint: "nothing; the OpenCode of today does not read it",
	}
}

// noDatabase rewords problems that mean more for this database than usual.
var noDatabase = map[string]memory.Problem{quietread.CodeMissing: {
	What: "There are no sessions here yet: the database does not exist.",
	Hint: "it appears when OpenCode is started for the first time",
}}
