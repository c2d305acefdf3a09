package opencode

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
)

var _ system.Texter = (*Database)(nil)

// Texts implements [system.Texter]. It passes on everything in the rows, messages, parts, to-dos
// and events of sessions, and then the texts that belong to no session. It never reads credentials.
func (d *Database) Texts(ctx context.Context, want func(memory.ID) bool, fn func(system.Text) error) error {
	var ids []string
	err := sqlite.Look(ctx, d.path, func(db *sql.DB) error {
		ids = nil
		_, err := schemaOf(ctx, db)
		if foreign := (*memory.Problem)(nil); errors.As(err, &foreign) {
			return nil // its texts are passed on as belonging to no session
		}
		if err == nil {
			ids, err = sqlite.Column(ctx, db, "SELECT CAST(id AS TEXT) FROM session ORDER BY rowid DESC")
		}
		return err
	})
	if err != nil {
		return d.fail(err)
	}
	lines := make(map[string]int, len(ids))
	for i, id := range ids {
		lines[id] = i + 1
	}
	o := sqlite.Reading{Owners: ids, Owner: ownerColumn, Wanted: want, Skip: unreadColumn, Last: "event"}
	err = sqlite.Texts(ctx, d.path, o, func(c sqlite.Cell) error {
		return fn(
			system.Text{
				Record: memory.ID(c.Owner),
				Line:   lines[c.Owner],
				Field:  c.Table + "." + c.Column,
				Text:   c.Text,
				Cut:    c.Cut,
			},
		)
	})
	if err != nil {
		return d.fail(err)
	}
	return nil
}

// ownerColumn returns the column that names the session of a row.
func ownerColumn(table string, columns []string) string {
	switch {
	case table == "session" || table == "sessions":
		return "id"
	case slices.Contains(columns, "session_id"):
		return "session_id"
	case slices.Contains(columns, "aggregate_id"):
		return "aggregate_id"
	}
	return ""
}

// unreadColumn reports whether a column is not read: credentials, and row IDs.
func unreadColumn(table, column string) bool {
	switch table {
	case "account",
		"account_state",
		"control_account",
		"credential",
		"session_share",
		"migration",
		"__drizzle_migrations":
		return true
	}
	return column == "id" || strings.HasSuffix(column, "_id")
}
