// Package sqlite reads and changes SQLite databases that belong to other programs.
//
// Reading leaves no trace. The driver sees one file that is never written: the pages of the
// database, overlaid with the committed pages of its write-ahead log, or with the pages that a
// rollback journal would restore. So no lock is taken, no -wal or -shm file is created, and nothing
// is written on close. The formats are described in https://sqlite.org/fileformat2.html and
// https://sqlite.org/walformat.html.
package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	driver "modernc.org/sqlite"
	"modernc.org/sqlite/vfs"

	"winnow/core/memory"
	"winnow/core/quietread"
)

// longest is the pause before the last try to read an undisturbed state. All pauses together are
// about twice as long.
const longest = 256 * time.Millisecond

// closing is held while files of a database are closed. If locks belong to a process rather than an
// open file, closing any file drops the locks of a [Change] in the same process.
var closing sync.RWMutex

// reading keeps out any [Change] that would lose its locks through it, until end is called.
func reading() (end func()) {
	if driver.OFDLockingEnabled() {
		return func() {}
	}
	closing.RLock()
	return closing.RUnlock
}

// changing is the counterpart of [reading] for a change. If locks can belong to the open file,
// closing a file in another goroutine does not drop them.
func changing() (end func()) {
	if _, err := driver.OFDLocking(true); err == nil && driver.OFDLockingEnabled() {
		return func() {}
	}
	closing.Lock()
	return closing.Unlock
}

// Look runs fn on a read-only view of the database at path: the state that was committed last. It
// leaves no trace. It works where nothing can be written, beside a live writer, and on what a crash
// left behind. A link is followed.
//
// If the files changed so that fn may have seen parts of two states, fn is run again from the
// beginning, so fn must allow that. After half a second of this the error is a *memory.Problem with
// the code "busy". A missing, invalid or damaged database is also a *memory.Problem. Otherwise the
// error is that of fn or ctx. Queries of fn must be closed when it returns.
func Look(ctx context.Context, path string, fn func(*sql.DB) error) error {
	for pause := time.Millisecond; ; pause *= 2 {
		settled, err := readOnce(ctx, path, fn)
		if settled || ctx.Err() != nil {
			return asProblem(ctx, err)
		}
		if pause > longest {
			return neverStill()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// readOnce runs fn once. It reports whether fn saw a single state of the database, or could not be run.
func readOnce(ctx context.Context, path string, fn func(*sql.DB) error) (settled bool, err error) {
	if err := ctx.Err(); err != nil {
		return true, err
	}
	defer reading()()
	v, err := open(ctx, path)
	if err != nil {
		return true, err
	}
	defer v.close()
	err = queryView(v, fn)
	return v.isConsistent(ctx), err
}

// queryView runs fn on a database whose file is v. Each view has its own file system, which disappears
// with it, since a common one would be shared state.
func queryView(v *view, fn func(*sql.DB) error) (err error) {
	name, files, err := vfs.New(v)
	if err != nil {
		return fmt.Errorf("look at %s: %w", v.path, err)
	}
	defer func() {
		if e := files.Close(); e != nil && err == nil {
			err = fmt.Errorf("look at %s: %w", v.path, e)
		}
	}()
	// Immutable avoids locks, journals and checks for changes, which the view does not need.
	db, err := sql.Open("sqlite", "file:"+viewName+"?immutable=1&mode=ro&_defensive=1&vfs="+name+
		"&_pragma=query_only(1)&_pragma=trusted_schema(0)&_pragma=temp_store(2)&_pragma=cell_size_check(1)")
	if err != nil {
		return fmt.Errorf("look at %s: %w", v.path, err)
	}
	defer db.Close() // nothing was written
	return fn(db)
}

// Layout describes the files of a database on disk.
type Layout struct {
	// Logged is the number of pages of the last committed state that are only in the write-ahead
	// log.
	Logged int
	// Unfinished is the number of pages that a rollback journal restores: a transaction is being
	// written, or was interrupted. Readers see the state before it.
	Unfinished int
}

// Inspect returns the layout of the database at path without reading its content. Its errors are
// those of [Look].
func Inspect(ctx context.Context, path string) (l Layout, _ error) {
	defer reading()()
	v, err := open(ctx, path)
	if err != nil {
		return Layout{}, asProblem(ctx, err)
	}
	defer v.close()
	if v.wal != nil {
		l.Logged = len(v.wal.frames)
	}
	if v.journal != nil {
		l.Unfinished = len(v.journal.pages)
	}
	return l, nil
}

// realPath returns the path that SQLite uses for a database, with links resolved: its log and journal
// lie beside the file itself.
func realPath(path string) (string, error) {
	to, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", quietread.Problem(err)
	}
	return to, nil
}

func neverStill() *memory.Problem {
	return &memory.Problem{
		Code: "busy",
		What: "Another program rewrites this database so often that no state of it could be read.",
		Hint: "try again in a moment",
	}
}

// Querier is a database or a transaction.
type Querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Each calls fn for each row of a query, until fn returns an error.
func Each(ctx context.Context, db Querier, fn func(*sql.Rows) error, query string, args ...any) error {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Column returns the texts in the only column of a query.
func Column(ctx context.Context, db Querier, query string, args ...any) (all []string, err error) {
	err = Each(ctx, db, func(rows *sql.Rows) error {
		var text sql.NullString
		err := rows.Scan(&text)
		all = append(all, text.String)
		return err
	}, query, args...)
	return all, err
}
