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

// Limits of what is read. Single values of hundreds of MB were reported.
const (
	maxRowText  = 4 << 10   // of a text in the row of a session
	maxMessage  = 256 << 10 // of a message
	maxPart     = 1 << 20   // of a part
	maxTask     = 64 << 10  // of the text that a person typed
	maxOutput   = 256 << 10 // of what a tool returned
	maxErrText  = 2 << 10
	firstRows   = 100 // so that the first part is there at once
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

// schemaOf reads the names of tables and columns. Tables of credentials and accounts are never read. The error is a
// *memory.Problem for a database that is not of OpenCode.
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

// updated returns the column of when a message or part was changed last, or what stands for one that may not exist.
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
	"time_created", "time_updated", "time_archived",
}

// selected returns the expressions to select from a session table, and the names of their columns. For
// columns in set it only selects whether they are set.
func (s *schema) selected(wanted []string, set ...string) (list string, names []string) {
	var all []string
	for _, c := range wanted {
		if slices.Contains(s.session, c) {
			names = append(names, c)
			all = append(all, "CASE WHEN typeof("+c+") IN ('text','blob') THEN substr("+c+",1,4096) ELSE "+c+" END")
		}
	}
	for _, c := range set {
		if slices.Contains(s.session, c) {
			names = append(names, c)
			all = append(all, c+" IS NOT NULL")
		}
	}
	return strings.Join(all, ","), names
}

// rowID is the column with the number of a row, which exists whatever its id is.
const rowID = "rowid"

// row is one row, by column.
type row map[string]any

func scanRow(rows *sql.Rows, names []string) (row, error) {
	values := make([]any, len(names))
	to := make([]any, len(names))
	for i := range values {
		to[i] = &values[i]
	}
	if err := rows.Scan(to...); err != nil {
		return nil, err
	}
	r := make(row, len(names))
	for i, n := range names {
		r[n] = values[i]
	}
	return r, nil
}

// text returns the text in a column, and nothing for another value.
func (r row) text(name string) string {
	switch v := r[name].(type) {
	case string:
		return jstext.Decode([]byte(v))
	case []byte:
		return jstext.Decode(v)
	}
	return ""
}

func (r row) number(name string) int64 {
	switch v := r[name].(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

// stored returns the columns that are read as a JSON object.
func (r row) stored(names []string) string {
	var members []jstext.Member
	for _, n := range names {
		if n == rowID {
			continue
		}
		v := jstext.NullValue()
		switch x := r[n].(type) {
		case int64:
			v = jstext.NumberValue(float64(x))
		case float64:
			v = jstext.NumberValue(x)
		case string, []byte:
			v = jstext.StringValue(r.text(n))
		}
		members = append(members, jstext.Member{Key: n, Value: v})
	}
	return string(jstext.ObjectValue(members...).AppendJSON(nil))
}

// sessionOf returns the session in a row.
func sessionOf(r row, names []string) session {
	s := session{
		id: r.text("id"), row: r.number(rowID), project: r.text("project_id"), parent: r.text("parent_id"),
		directory: r.text("directory"), title: r.text("title"), version: r.text("version"), agent: r.text("agent"),
		created: r.number("time_created"), updated: r.number("time_updated"), archived: r.number("time_archived"),
		reverted: r.number("revert") != 0, shared: r.number("share_url") != 0,
	}
	if c, ok := r["cost"].(float64); ok {
		s.cost = c
	}
	for i, n := range [...]string{"tokens_input", "tokens_output", "tokens_reasoning", "tokens_cache_read", "tokens_cache_write"} {
		s.tokens[i] = r.number(n)
	}
	if v, err := jstext.Parse(r.text("model")); err == nil {
		s.model = joinModel(text(v, "providerID"), text(v, "id"))
	}
	s.stored = r.stored(names)
	if s.id == "" {
		s.problem = oddRow()
	}
	return s
}

// page is a part of the sessions of a store, the newest first.
type page struct {
	schema   schema
	sessions []session
	projects map[string]string // work trees by the id of the project
	total    int
	known    map[string]session // with details, by id; may be nil
}

// rows reads the sessions that a clause after the name of the table selects.
func (p *page) rows(ctx context.Context, db *sql.DB, clause string, args ...any) error {
	list, names := p.schema.selected(sessionColumns, "revert", "share_url")
	if !slices.Contains(names, "id") {
		return unknownDatabase()
	}
	names = append([]string{rowID}, names...)
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		r, err := scanRow(rows, names)
		if err == nil {
			p.sessions = append(p.sessions, sessionOf(r, names))
		}
		return err
	}, "SELECT rowid,"+list+" FROM session "+clause, args...)
}

// maxProjects is how many projects are read.
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
