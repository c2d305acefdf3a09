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

// Patience is how long a [Change] waits for a lock that another program holds, unless it
// says otherwise.
const Patience = 2 * time.Second

// Change runs fn in one transaction on the database at path, which it has for itself
// from the beginning, and commits it when fn returns nil. It waits for a lock that another
// program holds as long as patience says, and should itself be over in a few milliseconds:
// meanwhile nobody else can write. What is deleted is overwritten by zeros. A link is
// followed; the file keeps its mode.
//
// SQLite makes the files beside the database that it needs, and takes them away when
// nobody else has it open. The error is that of fn, after which nothing was changed, or a
// *memory.Problem, with the code "busy" when another program kept its lock.
func Change(ctx context.Context, path string, patience time.Duration, fn func(*sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	path, err := real(path)
	if err != nil {
		return err
	}
	defer changing()()
	if err := isDatabase(path); err != nil {
		return err
	}
	return worded(ctx, transact(ctx, path, patience, fn))
}

// isDatabase returns a problem for what SQLite must not open: it would wait for a pipe,
// and make a database of an empty file.
func isDatabase(path string) error {
	f, err := quietread.Open(path)
	if err != nil {
		return quietread.Problem(err)
	}
	defer f.Close()
	var head [headSize]byte
	n, _ := f.ReadAt(head[:], 0) // what cannot be read has no magic
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

// writing opens a database for a transaction that begins as one that writes.
func writing(path string, patience time.Duration) (*sql.DB, error) {
	at := url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}
	db, err := sql.Open("sqlite", at.String()+"?mode=rw&_txlock=immediate&_pragma=busy_timeout("+
		strconv.FormatInt(patience.Milliseconds(), 10)+")&_pragma=foreign_keys(1)&_pragma=secure_delete(1)&_pragma=trusted_schema(0)")
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
	defer db.Close() // what was committed stands
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fn(tx); err != nil {
		_ = tx.Rollback() // the error that matters is that of fn
		return err
	}
	return tx.Commit()
}

// Writable returns nil when this user may change the database at path, as far as that can
// be told without doing it, and a *memory.Problem otherwise. SQLite makes files beside a
// database, so its folder matters as well. Nothing is changed.
func Writable(path string) error {
	path, err := real(path)
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

// Flush moves what stands in the write-ahead log of the database at path into the
// database, and empties the log, so that it holds no copy of what was changed. It reports
// whether that was done: another program that reads or writes at that moment, or longer
// than for patience, prevents it. A database without a log is done.
func Flush(ctx context.Context, path string, patience time.Duration) (bool, error) {
	path, err := real(path)
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
	defer db.Close() // the log is empty or not
	var busy, pages, moved int
	err = db.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	return err == nil && busy == 0, worded(ctx, err)
}
