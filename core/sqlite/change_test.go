package sqlite

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	driver "modernc.org/sqlite"

	"winnow/core/memory"
)

// The environment makes this test binary another process that uses a database: it does
// what the variable says, and reads a line between two of its queries.
const otherVariable = "WINNOW_TEST_OTHER"

func TestMain(m *testing.M) {
	if path := os.Getenv(otherVariable); path != "" {
		if err := other(path); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// As in the program, where a change is the first that locks.
	if _, err := driver.OFDLocking(true); err != nil && !errors.Is(err, driver.ErrOFDLockingUnavailable) {
		fmt.Println(err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func other(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		if _, err := db.Exec(lines.Text()); err != nil {
			return err
		}
		fmt.Println("done")
	}
	return nil
}

// process is another process that has a database open.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Scanner
}

func start(t *testing.T, path string) *process {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), otherVariable+"="+path)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Skip("no process can be started:", err)
	}
	p := &process{t, cmd, in, bufio.NewScanner(out)}
	t.Cleanup(p.stop)
	return p
}

// does has the process run queries, and returns when they were run.
func (p *process) does(queries ...string) {
	p.t.Helper()
	for _, q := range queries {
		if _, err := io.WriteString(p.in, q+"\n"); err != nil {
			p.t.Fatal(err)
		}
		if !p.out.Scan() || p.out.Text() != "done" {
			p.t.Fatalf("the other process at %s: %q", q, p.out.Text())
		}
	}
}

func (p *process) stop() {
	_ = p.in.Close() // it ends with its input
	_ = p.cmd.Wait() // it may have been stopped before
}

func problem(t *testing.T, err error, want string) {
	t.Helper()
	var p *memory.Problem
	if !errors.As(err, &p) || p.Code != want || p.What == "" || p.Hint == "" {
		t.Errorf("error = %v (%T), want a problem with the code %s, a sentence and a hint", err, err, want)
	}
}

func insert(tx *sql.Tx) error {
	_, err := tx.Exec("INSERT INTO a(b) VALUES('mine')")
	return err
}

func TestRowsOfAnotherProcessAreRead(t *testing.T) {
	path := made(t, inWAL, 10)
	p := start(t, path)
	p.does("INSERT INTO a(b) VALUES('theirs')")
	if n := count(t, path, "a"); n != 11 {
		t.Errorf("%d rows, want 11", n)
	}
	p.does("BEGIN IMMEDIATE", "DELETE FROM a")
	if n := count(t, path, "a"); n != 11 {
		t.Errorf("%d rows in an open transaction, want 11", n)
	}
	before := seen(t, filepath.Dir(path))
	for range 3 {
		count(t, path, "a")
	}
	if after := seen(t, filepath.Dir(path)); after != before {
		t.Errorf("changed\n%s\nto\n%s", before, after)
	}
	p.does("COMMIT", "PRAGMA wal_checkpoint(TRUNCATE)")
	if n := count(t, path, "a"); n != 0 {
		t.Errorf("%d rows at last, want none", n)
	}
}

func TestWriterThatWaitsIsWaitedFor(t *testing.T) {
	path := made(t, inWAL, 1)
	p := start(t, path)
	p.does("BEGIN IMMEDIATE", "INSERT INTO a(b) VALUES('theirs')")
	asked := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		close(asked)
		done <- Change(t.Context(), path, time.Minute, insert)
	}()
	<-asked
	select {
	case err := <-done:
		t.Errorf("the change was made beside another: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	p.does("COMMIT")
	if err := <-done; err != nil {
		t.Error(err)
	}
	if n := count(t, path, "a"); n != 3 {
		t.Errorf("%d rows, want 3", n)
	}
}

func TestWriterThatKeepsItsLockIsASentence(t *testing.T) {
	for _, pragmas := range []string{inWAL, "&_pragma=journal_mode(delete)"} {
		path := made(t, pragmas, 1)
		p := start(t, path)
		p.does("BEGIN IMMEDIATE")
		err := Change(t.Context(), path, 20*time.Millisecond, insert)
		problem(t, err, "busy")
		p.does("COMMIT")
		if n := count(t, path, "a"); n != 1 {
			t.Errorf("%d rows, want 1", n)
		}
	}
}

func TestNothingIsLostBesideAWriterThatNeverRests(t *testing.T) {
	path := made(t, inWAL, 1)
	p := start(t, path)
	const rounds = 20
	var wait sync.WaitGroup
	wait.Add(1)
	go func() {
		defer wait.Done()
		for i := range rounds {
			p.does("INSERT INTO a(b) VALUES('theirs')")
			if i%10 == 9 {
				p.does("PRAGMA wal_checkpoint(RESTART)")
			}
		}
	}()
	for i := range rounds {
		if err := Change(t.Context(), path, Patience, insert); err != nil {
			t.Fatal(err)
		}
		if n := count(t, path, "a WHERE b='mine'"); n != i+1 {
			t.Fatalf("%d rows are mine, want %d", n, i+1)
		}
	}
	wait.Wait()
	if n := count(t, path, "a"); n != 1+2*rounds {
		t.Errorf("%d rows, want %d", n, 1+2*rounds)
	}
	p.does("PRAGMA integrity_check")
}

// Where locks belong to a process, closing a file takes them away from a change that runs
// in another goroutine. The log's own locks are always so.
func TestLooksDoNotTakeTheLocksOfAChange(t *testing.T) {
	if !driver.OFDLockingEnabled() {
		t.Skip("here, looking waits for a change of the same process")
	}
	for _, pragmas := range []string{inWAL, "&_pragma=journal_mode(delete)"} {
		path := made(t, pragmas, 1)
		err := Change(t.Context(), path, Patience, func(tx *sql.Tx) error {
			if err := insert(tx); err != nil {
				return err
			}
			for range 3 {
				v, err := open(t.Context(), path)
				if err != nil {
					return err
				}
				v.isConsistent(t.Context())
				v.close()
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), otherVariable+"="+path)
			cmd.Stdin = strings.NewReader("PRAGMA busy_timeout=0\nBEGIN IMMEDIATE\n")
			if out, err := cmd.Output(); err == nil || !strings.Contains(string(out), "locked") {
				t.Errorf("another process had the lock as well: %s, %v", out, err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestFailedChangeChangesNothing(t *testing.T) {
	path := made(t, inWAL, 1)
	mine := errors.New("mine")
	if err := Change(t.Context(), path, Patience, func(tx *sql.Tx) error {
		return errors.Join(insert(tx), mine)
	}); !errors.Is(
		err,
		mine,
	) {
		t.Errorf("error = %v, want mine", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := Change(ctx, path, Patience, func(tx *sql.Tx) error { cancel(); return insert(tx) }); !errors.Is(
		err,
		context.Canceled,
	) {
		t.Errorf("error = %v, want %v", err, context.Canceled)
	}
	if n := count(t, path, "a"); n != 1 {
		t.Errorf("%d rows, want 1", n)
	}
}

func TestChangeLeavesNoLitterAndKeepsTheMode(t *testing.T) {
	for _, pragmas := range []string{inWAL, "&_pragma=journal_mode(delete)"} {
		path := made(t, pragmas, 1)
		if err := os.Chmod(path, 0o640); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(t.TempDir(), "li?nk #1%.db")
		if err := os.Symlink(path, link); err != nil {
			link = path // a link cannot be made here
		}
		if err := Change(t.Context(), link, Patience, insert); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode() != 0o640 {
			t.Errorf("mode %v, %v; want it kept", info.Mode(), err)
		}
		for _, dir := range []string{filepath.Dir(path), filepath.Dir(link)} {
			if all, err := os.ReadDir(dir); len(all) != 1 {
				t.Errorf("beside it are %v, %v", all, err)
			}
		}
		if n := count(t, link, "a"); n != 2 {
			t.Errorf("%d rows, want 2", n)
		}
	}
}

func TestDatabaseWithAnOddNameIsChanged(t *testing.T) {
	from := made(t, "", 1)
	for _, name := range []string{"a?b.db", "a#b.db", "a%20b.db", "a b.db", "ä&vfs=x.db"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.Rename(from, path); err != nil {
			t.Skip("this name cannot be had here:", err)
		}
		if err := Change(t.Context(), path, Patience, insert); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		from = path
	}
	if n := count(t, from, "a"); n != 6 {
		t.Errorf("%d rows, want 6", n)
	}
}

func TestWhatIsNoDatabaseIsASentence(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string, size int64) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if size > 0 {
			if err := os.Truncate(path, size); err != nil {
				t.Skip("the file system has no room for the size of the file:", err)
			}
		}
		return path
	}
	whole, err := os.ReadFile(made(t, "", 300))
	if err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]string{
		put("text", "not a database at all, but long enough to be taken for one\n", 0): "not-a-database",
		put("empty", "", 0):                         "empty",
		put("begun", "SQLite for", 0):               "truncated",
		put("sparse", "", 5<<30):                    "not-a-database",
		put("head", string(whole[:90]), 0):          "truncated",
		dir:                                         "folder",
		filepath.Join(dir, "missing"):               "missing",
		filepath.Join(put("file", "x", 0), "below"): "missing",
	} {
		_, err := tryCount(t.Context(), path, "a")
		problem(t, err, code)
		if code == "truncated" {
			continue // SQLite says something else of it
		}
		problem(t, Change(t.Context(), path, Patience, insert), code)
	}
	for name, path := range map[string]string{
		"half": put("half", string(whole[:len(whole)/2]), 0),
		"page": put("page", string(whole[:4096]), 0),
	} {
		_, err := tryCount(t.Context(), path, "a")
		t.Logf("%s: %v", name, err)
		problem(t, err, "damaged")
	}
}

func TestSparseDatabaseIsRead(t *testing.T) {
	path := made(t, inWAL, 10)
	if err := os.Truncate(path, 5<<30); err != nil {
		t.Skip("the file system has no room for the size of the file:", err)
	}
	if n := count(t, path, "a"); n != 10 {
		t.Errorf("%d rows, want 10", n)
	}
}

func TestDeletedTextIsOverwritten(t *testing.T) {
	path := made(t, "&_pragma=journal_mode(delete)", 1)
	if err := Change(t.Context(), path, Patience, func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO a(b) VALUES('word-to-forget')")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := Change(t.Context(), path, Patience, func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM a WHERE b LIKE 'word%'")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "word-to-forget") {
		t.Errorf("the deleted text still stands in the file, %v", err)
	}
}
