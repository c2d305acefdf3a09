package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winnow/core/memory"
)

// count returns how many rows a table has, by Look.
func count(t *testing.T, path, table string) int {
	t.Helper()
	n, err := tryCount(t.Context(), path, table)
	if err != nil {
		t.Fatalf("look at %s: %v", filepath.Base(path), err)
	}
	return n
}

func tryCount(ctx context.Context, path, table string) (n int, err error) {
	err = Look(ctx, path, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n)
	})
	return n, err
}

// direct opens a database as its own program does.
func direct(t testing.TB, path, pragmas string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_txlock=immediate"+pragmas)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func run(t testing.TB, db interface {
	Exec(string, ...any) (sql.Result, error)
}, queries ...string) {
	t.Helper()
	for _, q := range queries {
		if _, err := db.Exec(q); err != nil {
			t.Fatalf("%.60s: %v", q, err)
		}
	}
}

const (
	inWAL  = "&_pragma=journal_mode(wal)"
	filled = "INSERT INTO a(b) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<%d) SELECT printf('%%0500d', i) FROM n"
)

// made returns the path of a database with a table of that many rows.
func made(t testing.TB, pragmas string, rows int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	db := direct(t, path, pragmas)
	run(t, db, "CREATE TABLE a(id INTEGER PRIMARY KEY, b TEXT)", fmt.Sprintf(filled, rows))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// copied returns the path of a copy of a database with the files beside it, as they lie
// there now.
func copied(t testing.TB, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), filepath.Base(path))
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		text, err := os.ReadFile(path + suffix)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to+suffix, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

const stores = "../../testdata/stores/arbiter"

func TestRowsOfACrashedLogAreRead(t *testing.T) {
	live := copied(t, stores+"/live/tenants.db")
	if n := count(t, live, "lessons"); n != 41 {
		t.Errorf("%d lessons, want 41", n)
	}
	if err := os.Remove(live + "-wal"); err != nil {
		t.Fatal(err)
	}
	if n := count(t, live, "lessons"); n != 40 {
		t.Errorf("%d lessons without the log, want 40", n)
	}
	if n := count(t, stores+"/arbiter.db", "lessons"); n != 40 {
		t.Errorf("%d lessons of a store without a log, want 40", n)
	}
}

func TestHalfALogCountsUpToItsLastCommit(t *testing.T) {
	path := made(t, inWAL, 1)
	db := direct(t, path, inWAL)
	var sizes []int64
	for range 5 {
		run(t, db, "INSERT INTO a(b) VALUES('one more')")
		info, err := os.Stat(path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, info.Size())
	}
	for i, size := range sizes {
		for _, cut := range []int64{size, size + 10, size + 24 + 4095} {
			to := copied(t, path)
			if info, _ := os.Stat(to + "-wal"); cut > info.Size() {
				continue
			}
			if err := os.Truncate(to+"-wal", cut); err != nil {
				t.Fatal(err)
			}
			if n := count(t, to, "a"); n != i+2 {
				t.Errorf("%d rows in %d bytes of the log, want %d", n, cut, i+2)
			}
		}
	}
}

func TestUncommittedRowsAreNotRead(t *testing.T) {
	path := made(t, inWAL+"&_pragma=cache_size(2)", 10)
	db := direct(t, path, inWAL+"&_pragma=cache_size(2)")
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	run(t, tx, fmt.Sprintf(filled, 500)) // more than the cache holds
	if info, err := os.Stat(path + "-wal"); err != nil || info.Size() < 4096 {
		t.Fatalf("the log does not hold the rows: %v", err)
	}
	if n := count(t, path, "a"); n != 10 {
		t.Errorf("%d rows, want those that were committed", n)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if n := count(t, path, "a"); n != 510 {
		t.Errorf("%d rows after the commit, want 510", n)
	}
}

func TestHotJournalIsReadAsBeforeIt(t *testing.T) {
	const spilling = "&_pragma=cache_size(2)&_pragma=journal_mode(delete)"
	path := made(t, spilling, 300)
	db := direct(t, path, spilling)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	run(t, tx, "UPDATE a SET b='changed'||substr(b, 8)", fmt.Sprintf(filled, 300))
	crashed := copied(t, path)
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if n := count(t, crashed, "a WHERE b NOT LIKE 'changed%'"); n != 300 {
		t.Errorf("%d rows are as before, want 300", n)
	}
	if n := count(t, crashed, "a"); n != 300 {
		t.Errorf("%d rows, want 300", n)
	}
	l, err := Inspect(t.Context(), crashed)
	if err != nil || l.Unfinished == 0 {
		t.Errorf("layout = %+v, %v; want one that is not finished", l, err)
	}
	if n := count(t, path, "a"); n != 300 {
		t.Errorf("%d rows after the rollback, want 300", n)
	}
}

func TestBlankAndEmptyJournalsMeanNothing(t *testing.T) {
	path := made(t, "&_pragma=journal_mode(persist)", 3)
	if info, err := os.Stat(path + "-journal"); err != nil || info.Size() == 0 {
		t.Fatalf("no journal was left: %v", err)
	}
	if n := count(t, path, "a"); n != 3 {
		t.Errorf("%d rows beside a blank journal, want 3", n)
	}
	if err := os.Truncate(path+"-journal", 0); err != nil {
		t.Fatal(err)
	}
	if n := count(t, path, "a"); n != 3 {
		t.Errorf("%d rows beside an empty journal, want 3", n)
	}
}

// A view is taken while the database is changed in every way; what fn sees is one state.
func TestStateThatChangedMeanwhileIsReadAgain(t *testing.T) {
	for name, c := range map[string]struct {
		pragmas string
		change  []string
	}{
		"checkpoint": {inWAL, []string{"UPDATE a SET b='new'", "PRAGMA wal_checkpoint(PASSIVE)"}},
		"log restarted": {
			inWAL,
			[]string{"UPDATE a SET b='new'", "PRAGMA wal_checkpoint(RESTART)", "UPDATE a SET b='new' WHERE id=1"},
		},
		"log truncated": {inWAL, []string{"UPDATE a SET b='new'", "PRAGMA wal_checkpoint(TRUNCATE)"}},
		"journal":       {"&_pragma=journal_mode(delete)", []string{"UPDATE a SET b='new'"}},
	} {
		t.Run(name, func(t *testing.T) {
			path := made(t, c.pragmas, 2000)
			db := direct(t, path, c.pragmas)
			run(t, db, "UPDATE a SET b='seven' WHERE id=7")
			rounds := 0
			var first, last string
			err := Look(t.Context(), path, func(view *sql.DB) error {
				err := view.QueryRow("SELECT b FROM a WHERE id=1").Scan(&first)
				if rounds++; rounds == 1 {
					run(t, db, c.change...)
				}
				return errors.Join(err, view.QueryRow("SELECT b FROM a WHERE id=2000").Scan(&last))
			})
			if err != nil || first != "new" || last != "new" || rounds != 2 {
				t.Errorf("%d rounds saw %.10q and %.10q, %v; want both new in the second", rounds, first, last, err)
			}
		})
	}
}

func TestCommitWithoutCheckpointDoesNotDisturb(t *testing.T) {
	path := made(t, inWAL, 100)
	aged(t, path)
	db := direct(t, path, inWAL)
	run(t, db, "UPDATE a SET b='seven' WHERE id=7")
	rounds, n := 0, 0
	err := Look(t.Context(), path, func(view *sql.DB) error {
		rounds++
		run(t, db, "INSERT INTO a(b) VALUES('later')")
		return view.QueryRow("SELECT count(*) FROM a").Scan(&n)
	})
	if err != nil || rounds != 1 || n != 100 {
		t.Errorf("%d rounds, %d rows, %v; want the state of the beginning at once", rounds, n, err)
	}
}

// aged sets the date of a file back, so that a change of it is seen by the date.
func aged(t *testing.T, path string) {
	t.Helper()
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
}

func TestDatabaseThatNeverRestsIsBusy(t *testing.T) {
	path := made(t, inWAL, 10)
	db := direct(t, path, inWAL)
	err := Look(t.Context(), path, func(view *sql.DB) error {
		var n int
		err := view.QueryRow("SELECT count(*) FROM a").Scan(&n)
		run(t, db, "UPDATE a SET b=b||'x'", "PRAGMA wal_checkpoint(TRUNCATE)")
		return err
	})
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != "busy" || p.Hint == "" {
		t.Errorf("error = %v, want the problem busy", err)
	}
}

func TestLookEndsWithItsContext(t *testing.T) {
	path := made(t, "", 10)
	ctx, cancel := context.WithCancel(t.Context())
	err := Look(ctx, path, func(view *sql.DB) error {
		cancel()
		var n int
		return view.QueryRowContext(ctx, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n").
			Scan(&n)
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
	if err := Look(ctx, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
}

func TestViewCannotBeWritten(t *testing.T) {
	path := made(t, inWAL, 10)
	before := seen(t, filepath.Dir(path))
	for _, q := range []string{
		"DELETE FROM a", "CREATE TABLE c(d)", "PRAGMA journal_mode=delete", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)",
		"PRAGMA user_version=7",
		"ATTACH '" + path + "2' AS other", "VACUUM INTO '" + path + "3'",
	} {
		_ = Look(t.Context(), path, func(view *sql.DB) error { // most of these are errors
			_, err := view.Exec(q)
			if err == nil && strings.HasPrefix(q, "DELETE") {
				t.Errorf("%s was done", q)
			}
			return err
		})
		if after := seen(t, filepath.Dir(path)); after != before {
			t.Fatalf("%s changed\n%s\nto\n%s", q, before, after)
		}
	}
}

func TestErrorOfTheFunctionIsKept(t *testing.T) {
	path := made(t, "", 1)
	mine := errors.New("mine")
	if err := Look(t.Context(), path, func(*sql.DB) error { return mine }); !errors.Is(err, mine) {
		t.Errorf("error = %v, want mine", err)
	}
	if _, err := tryCount(t.Context(), path, "missing"); err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("error = %v, want one that names the table", err)
	}
}

func TestQueriesCanBeNested(t *testing.T) {
	path := made(t, "", 5)
	err := Look(t.Context(), path, func(view *sql.DB) error {
		rows, err := view.Query("SELECT id FROM a")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id, n int
			if err := errors.Join(rows.Scan(&id),
				view.QueryRow("SELECT count(*) FROM a WHERE id<=?", id).Scan(&n)); err != nil ||
				n != id {
				return fmt.Errorf("row %d: %d, %w", id, n, err)
			}
		}
		return rows.Err()
	})
	if err != nil {
		t.Error(err)
	}
}
