package arbiter

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/sqlite"
)

// knownVersion is the schema version that Arbiter writes into a database.
const knownVersion = 1

// schema describes Arbiter's tables in a database.
type schema struct {
	version int64
	tables  map[string][]string // table -> columns, for the tables that are read
	tenants []tenant
}

type tenant struct {
	id       int64
	name     string
	disabled bool
}

// The tables that hold memory.
const (
	tableTenants = "tenants"
	tableLessons = "lessons"
	tableEntries = "memory_entries"
	tablePads    = "agent_scratchpad"
)

// mostTenants is the number of tenants whose names are read.
const mostTenants = 10_000

func (s *schema) has(table string) bool { return len(s.tables[table]) > 0 }

// readSchema returns the schema of a database. The error is a *memory.Problem if there are no
// lessons in it.
func readSchema(ctx context.Context, db sqlite.Querier) (schema, error) {
	s := schema{tables: map[string][]string{}}
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&s.version); err != nil {
		return s, err
	}
	err := sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var table, column string
		err := rows.Scan(&table, &column)
		s.tables[table] = append(s.tables[table], column)
		return err
	}, `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c
		WHERE m.type='table' AND m.name IN ('tenants','lessons','memory_entries','agent_scratchpad') LIMIT 1000`)
	if err != nil {
		return s, err
	}
	for _, needed := range [...]string{"id", "agent_id", "signature", "lesson_text"} {
		if !slices.Contains(s.tables[tableLessons], needed) {
			return s, notArbiter()
		}
	}
	return s, s.readTenants(ctx, db)
}

func (s *schema) readTenants(ctx context.Context, db sqlite.Querier) error {
	if !slices.Contains(s.tables[tableTenants], "name") {
		return nil
	}
	disabled := "0"
	if slices.Contains(s.tables[tableTenants], "disabled") {
		disabled = "disabled<>0"
	}
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var t tenant
		err := rows.Scan(&t.id, &t.name, &t.disabled)
		s.tenants = append(s.tenants, t)
		return err
	}, "SELECT id, substr(CAST(name AS TEXT),1,200), "+disabled+" FROM tenants ORDER BY id LIMIT ?", mostTenants)
}

// schemaDifference says how the schema differs from the known one, or returns "".
func (s *schema) schemaDifference() string {
	if s.version != knownVersion {
		return fmt.Sprintf("the schema has version %d, and %d is known", s.version, knownVersion)
	}
	have := s.tables[tableLessons]
	for _, c := range columns {
		if !slices.Contains(have, c) {
			return fmt.Sprintf("the table lessons has no column %s", c)
		}
	}
	for _, c := range have {
		if !slices.Contains(columns[:], c) {
			return fmt.Sprintf("the table lessons has a column %s that is not known", c)
		}
	}
	if !s.has(tableTenants) {
		return "there is no table of tenants"
	}
	return ""
}

// column returns the SQL for a column of the table lessons, or for its default if the column is
// missing.
func (s *schema) column(name string) string {
	if slices.Contains(s.tables[tableLessons], name) {
		return name
	}
	return "0"
}

// schemaOf reads the schema of the database at path.
func schemaOf(ctx context.Context, path string) (s schema, err error) {
	err = sqlite.Look(ctx, path, func(db *sql.DB) (err error) {
		s, err = readSchema(ctx, db)
		return err
	})
	return s, err
}

func notArbiter() *memory.Problem {
	return &memory.Problem{
		Code: "not-arbiter",
		What: "This database has no lessons of Arbiter: their table is not in it.",
		Hint: "name the tenants.db of Arbiter; a new one has its tables after Arbiter was started once",
	}
}

// scope names the part of the store that belongs to an agent of a tenant: "acme/scout".
func (s *schema) scope(tenantID int64, agent string) string {
	for _, t := range s.tenants {
		if t.id == tenantID && t.name != "" {
			return t.name + "/" + agent
		}
	}
	return fmt.Sprintf("tenant %d/%s", tenantID, agent)
}

// tenantAndAgent returns the tenant and the agent that a scope names.
func (s *schema) tenantAndAgent(scope string) (tenantID int64, agent string, err error) {
	for _, t := range s.tenants {
		if rest, ok := strings.CutPrefix(scope, t.name+"/"); ok && t.name != "" {
			return t.id, rest, nil
		}
	}
	var id int64
	name, agent, ok := strings.Cut(scope, "/")
	if _, e := fmt.Sscanf(name, "tenant %d", &id); ok && e == nil {
		return id, agent, nil
	}
	return 0, "", errors.New("no tenant of that name")
}
