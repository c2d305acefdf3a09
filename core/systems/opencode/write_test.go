package opencode

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"
)

// written is a database that a test makes, as OpenCode would.
type written struct {
	t  testing.TB
	db *sql.DB
}

func (w *written) do(query string, args ...any) {
	w.t.Helper()
	if _, err := w.db.Exec(query, args...); err != nil {
		w.t.Fatalf("%s: %v", query, err)
	}
}

// write opens the database at path for a test, which may be new.
func write(t testing.TB, path string, fn func(*written)) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	w := &written{t, db}
	w.do("PRAGMA synchronous=OFF")
	fn(w)
}

// newDatabase makes a database with the tables of 1.18 that matter.
func newDatabase(t testing.TB, path string, fn func(*written)) {
	t.Helper()
	write(t, path, func(w *written) {
		for _, q := range []string{
			`CREATE TABLE migration(id TEXT PRIMARY KEY, time_completed INTEGER NOT NULL)`,
			`INSERT INTO migration VALUES('` + newest118 + `', 1)`,
			`CREATE TABLE project(id TEXT PRIMARY KEY, worktree TEXT NOT NULL, vcs TEXT, time_created INTEGER, time_updated INTEGER, sandboxes TEXT)`,
			`CREATE TABLE session(title TEXT NOT NULL, id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, directory TEXT NOT NULL,
				version TEXT, share_url TEXT, revert TEXT, summary_diffs TEXT, time_created INTEGER, time_updated INTEGER, time_archived INTEGER)`,
			`CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER, time_updated INTEGER, data TEXT NOT NULL)`,
			`CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER, time_updated INTEGER, data TEXT NOT NULL)`,
			`CREATE INDEX message_session ON message(session_id, time_created, id)`,
			`CREATE INDEX part_message ON part(message_id, id)`,
			`CREATE INDEX part_session ON part(session_id)`,
		} {
			w.do(q)
		}
		fn(w)
	})
}

// session adds a session with messages, each with its parts.
func (w *written) session(id, dir string, updated int, messages ...messageJSON) {
	w.t.Helper()
	w.do(
		"INSERT INTO session(id,project_id,directory,title,version,time_created,time_updated) VALUES(?,'p',?,?,'1.18.33',1795220000000,?)",
		id,
		dir,
		"Title of "+id,
		updated,
	)
	for i, m := range messages {
		mid := fmt.Sprintf("msg_%s_%03d", id, i)
		w.do("INSERT INTO message VALUES(?,?,?,?,?)", mid, id, i+1, i+1, m.data)
		for k, p := range m.parts {
			w.do("INSERT INTO part VALUES(?,?,?,1,1,?)", fmt.Sprintf("prt_%s_%03d_%03d", id, i, k), mid, id, p)
		}
	}
}

// messageJSON is a message with its parts, as JSON.
type messageJSON struct {
	data  string
	parts []string
}
