package opencode

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/memory"
	"winnow/core/sqlite"
)

// Limits of what is read. Users have reported single values of hundreds of MB.
const (
	maxRowText  = 4 << 10   // of a text in the row of a session
	maxMessage  = 256 << 10 // of a message
	maxPart     = 1 << 20   // of a part
	maxTask     = 64 << 10  // of the text that a person typed
	maxOutput   = 256 << 10 // of what a tool returned
	maxErrText  = 2 << 10
	firstRows   = 100 // so that the first page appears at once
	pageOfRows  = 400
	maxSessions = 20_000
)

// The shapes of a database.
type shape uint8

const (
	shapeOther shape = iota // without a known list of migrations
	shape13                 // of 1.3
	shape118                // of 1.18, or upgraded by it
)

// schema describes the tables of a database.
type schema struct {
	shape     shape
	migration string // the last one
	session   []string
	has       map[string]bool // tables
}

// newest118 is the last migration of the version that was examined.
const newest118 = "20260622202450_simplify_session_input"

// schemaOf reads the names of tables and columns. It never reads tables of credentials and
// accounts. The error is a *memory.Problem if the database is not OpenCode's.
func schemaOf(ctx context.Context, db *sql.DB) (schema, error) {
	s := schema{has: map[string]bool{}}
	tables, err := sqlite.Column(ctx, db, "SELECT name FROM sqlite_schema WHERE type='table' LIMIT 1000")
	for _, name := range tables {
		s.has[name] = true
	}
	switch {
	case err != nil:
		return s, err
	case s.has["session"] && s.has["message"] && s.has["part"]:
	case s.has["sessions"] && s.has["messages"]:
		return s, archivedProgram()
	default:
		return s, unknownDatabase()
	}
	if s.session, err = sqlite.Column(ctx, db, "SELECT name FROM pragma_table_info('session')"); err != nil {
		return s, err
	}
	return s, s.version(ctx, db)
}

// updated returns the SQL for the time of a message's or part's last change, or for a default if
// the column does not exist.
func (s *schema) updated() string {
	if s.shape == shapeOther {
		return "0"
	}
	return "time_updated"
}

// version finds the last migration.
func (s *schema) version(ctx context.Context, db *sql.DB) error {
	var query string
	switch {
	case s.has["migration"]:
		s.shape, query = shape118, "SELECT max(id) FROM migration"
	case s.has["__drizzle_migrations"]:
		s.shape, query = shape13, "SELECT max(name) FROM __drizzle_migrations"
	default:
		return nil
	}
	var last sql.NullString
	err := db.QueryRowContext(ctx, query).Scan(&last)
	if err != nil && ctx.Err() == nil {
		s.shape = shapeOther // a table of that name with other columns
		return nil
	}
	s.migration = last.String
	return err
}

// sessionColumns are the columns of a session that are read, if they exist. Others can hold large or secret
// values.
var sessionColumns = []string{
	"id", "project_id", "parent_id", "slug", "directory", "title", "version", "agent", "model", "cost",
	"tokens_input", "tokens_output", "tokens_reasoning", "tokens_cache_read", "tokens_cache_write",
	"time_created", "time_updated", "time_archived", "revert", "share_url",
}

// selected returns the expression for a row of the table of sessions as a JSON object.
func (s *schema) selected() string {
	var members []string
	for _, c := range sessionColumns {
		if !slices.Contains(s.session, c) {
			continue
		}
		begin := "substr(CAST(" + c + " AS TEXT),1,4096)"
		value := "CASE WHEN typeof(" + c + ") IN ('text','blob') THEN " + begin + " ELSE " + c + " END"
		if c == "revert" || c == "share_url" {
			value = c + " IS NOT NULL" // all that is needed
		}
		members = append(members, "'"+c+"',"+value)
	}
	return "json_object(" + strings.Join(members, ",") + ")"
}

// sessionOf returns the session in a row. stored holds its columns as JSON.
func sessionOf(row int64, stored string) session {
	v, _ := jstext.Parse(stored) // SQLite made it, so it is valid
	s := session{
		id: text(v, "id"), row: row, project: text(v, "project_id"), parent: text(v, "parent_id"),
		directory: text(v, "directory"), title: text(v, "title"), version: text(v, "version"), agent: text(v, "agent"),
		cost:    v.Dig("cost").Number(),
		created: number(v, "time_created"), updated: number(v, "time_updated"), archived: number(v, "time_archived"),
		reverted: v.Dig("revert").Truthy(), shared: v.Dig("share_url").Truthy(), stored: stored,
	}
	for i, n := range [...]string{
		"tokens_input", "tokens_output", "tokens_reasoning", "tokens_cache_read", "tokens_cache_write",
	} {
		s.tokens[i] = number(v, n)
	}
	if model, err := jstext.Parse(text(v, "model")); err == nil {
		s.model = joinModel(text(model, "providerID"), text(model, "id"))
	}
	if s.id == "" {
		s.problem = oddRow()
	}
	return s
}

// page is a part of a store's sessions, newest first.
type page struct {
	schema   schema
	sessions []session
	projects map[string]string // project ID -> work tree
	total    int
	known    map[string]session // ID -> session with details; may be nil
}

// rows reads the sessions selected by the SQL after the table name.
func (p *page) rows(ctx context.Context, db *sql.DB, clause string, args ...any) error {
	if !slices.Contains(p.schema.session, "id") {
		return unknownDatabase()
	}
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var row int64
		var stored string
		err := rows.Scan(&row, &stored)
		p.sessions = append(p.sessions, sessionOf(row, jstext.DecodeString(stored)))
		return err
	}, "SELECT rowid, "+p.schema.selected()+" FROM session "+clause, args...)
}

// pageOf reads the sessions selected by the SQL after the table name, and what more adds to them. It is
// one consistent state of the database.
func pageOf(
	ctx context.Context, path string, more func(*sql.DB, *page) error, clause string, args ...any,
) (p page, err error) {
	err = sqlite.Look(ctx, path, func(db *sql.DB) (err error) {
		p = page{} // fn may be called again
		if p.schema, err = schemaOf(ctx, db); err != nil {
			return err
		}
		if err = p.rows(ctx, db, clause, args...); err != nil {
			return err
		}
		return more(db, &p)
	})
	return p, err
}

// maxProjects is the number of projects that are read.
const maxProjects = 5_000

// worktrees reads the work trees of the projects.
func (p *page) worktrees(ctx context.Context, db *sql.DB) error {
	p.projects = map[string]string{}
	if !p.schema.has["project"] {
		return nil
	}
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var id, tree string
		err := rows.Scan(&id, &tree)
		p.projects[id] = tree
		return err
	}, "SELECT id, substr(worktree,1,4096) FROM project LIMIT ?", maxProjects)
}

func oddRow() *memory.Problem {
	return &memory.Problem{
		Code: "odd-session",
		What: "This session has no id that is a text. OpenCode cannot open it.",
		Hint: "look at it with: opencode db \"select * from session\"",
	}
}
