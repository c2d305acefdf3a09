package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"winnow/core/quietread"
)

// Patience is the default time that a [Change] waits for a lock held by another program.
const Patience = 2 * time.Second

// Change runs fn in one transaction on the database at path, and commits it if fn returns nil. The
// transaction locks the database from the start. It waits up to patience for a lock held by another
// program. fn should take only a few milliseconds, since nobody else can write meanwhile. Deleted
// data is overwritten with zeros. A link is followed, and the file keeps its mode.
//
// SQLite creates the files beside the database that it needs, and removes them if nobody else has
// it open. The error is that of fn, in which case nothing was changed, or a *memory.Problem; its
// code is "busy" if another program kept its lock.
func Change(ctx context.Context, path string, patience time.Duration, fn func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path, err := realPath(path)
	if err != nil {
		return err
	}
	defer changing()()
	if err := isDatabase(path); err != nil {
		return err
	}
	return asProblem(ctx, transact(ctx, path, patience, fn))
}

// isDatabase returns a problem for what SQLite must not open: it would wait for a pipe, and turn an
// empty file into a database.
func isDatabase(path string) error {
	f, err := quietread.Open(path)
	if err != nil {
		return quietread.Problem(err)
	}
	defer f.Close()
	var head [headSize]byte
	n, _ := f.ReadAt(head[:], 0) // an unreadable file has no magic
	switch {
	case f.Info.Size() == 0:
		return empty()
	case !strings.HasPrefix(string(head[:n]), magic):
		return notADatabase()
	case pageSize(head[:]) == 0:
		return truncated()
	}
	return nil
}

// writing opens a database for a transaction that begins as a write.
func writing(path string, patience time.Duration) (*sql.DB, error) {
	at := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
	db, err := sql.Open("sqlite", at.String()+"?mode=rw&_txlock=immediate&_pragma=busy_timeout("+
		strconv.FormatInt(
			patience.Milliseconds(),
			10,
		)+")&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=trusted_schema(0)")
	if err != nil {
		return nil, fmt.Errorf("change %s: %w", path, err)
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

func transact(ctx context.Context, path string, patience time.Duration, fn func(*sql.Tx) error) error {
	db, err := writing(path, patience)
	if err != nil {
		return err
	}
	defer db.Close() // what was committed is safe
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		_ = tx.Rollback() // the error of fn is the one that matters
		return err
	}
	return tx.Commit()
}

// Writable returns nil if this user may change the database at path, and a *memory.Problem
// otherwise. It checks what it can without changing anything. SQLite creates files beside a
// database, so the folder matters as well.
func Writable(path string) error {
	path, err := realPath(path)
	if err != nil {
		return err
	}
	defer reading()()
	if err := isDatabase(path); err != nil {
		return err
	}
	if !allowed(path) || !allowed(filepath.Dir(path)) {
		return readOnly()
	}
	return nil
}

// Flush moves the write-ahead log of the database at path into the database and empties the log, so
// that the log holds no copy of what was changed. It reports whether it succeeded: a program that
// is reading or writing for longer than patience prevents it. A database without a log needs
// nothing.
func Flush(ctx context.Context, path string, patience time.Duration) (bool, error) {
	path, err := realPath(path)
	if err != nil {
		return false, err
	}
	if !exists(path + walSuffix) {
		return true, nil
	}
	defer changing()()
	db, err := writing(path, patience)
	if err != nil {
		return false, err
	}
	defer db.Close() // the result is already known
	var busy, pages, moved int
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	return err == nil && busy == 0, asProblem(ctx, err)
}
