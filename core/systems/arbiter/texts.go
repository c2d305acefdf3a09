package arbiter

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
)

var _ system.Texter = (*Store)(nil)

// Texts implements [system.Texter]: the texts of all tables, those of lessons, memory entries
// and scratchpads by their records. Keys, their hashes and the index for searching are
// never read.
func (s *Store) Texts(ctx context.Context, want func(memory.ID) bool, fn func(system.Text) error) error {
	prefixes := map[string]string{tableLessons: "#", tableEntries: entriesTable().prefix, tablePads: padsTable().prefix}
	var sc schema
	lines := map[string]int{}
	err := sqlite.Look(ctx, s.path, func(db *sql.DB) (err error) {
		clear(lines)
		if sc, err = readSchema(ctx, db); err != nil {
			return err
		}
		for _, table := range [...]string{tableLessons, tableEntries, tablePads} {
			if err := sc.number(ctx, db, table, prefixes[table], lines); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return problem(err)
	}
	o := sqlite.Reading{
		Owner: func(table string, columns []string) string {
			if prefixes[table] != "" && slices.Contains(columns, "id") {
				return "id"
			}
			return ""
		},
		OwnerOf: func(table, value string) string { return prefixes[table] + value },
		Skip:    unreadColumn,
	}
	if want != nil {
		o.Wanted = func(id string) bool { return want(memory.ID(id)) }
	}
	writable := s.canWrite(&sc) == nil
	return sqlite.Texts(ctx, s.path, o, func(c sqlite.Cell) error {
		lesson := c.Table == tableLessons
		return fn(system.Text{
			Record: memory.ID(c.Owner), Line: lines[c.Owner], Field: c.Table + "." + c.Column, Text: c.Text, Cut: c.Cut,
			Reached: lesson && writable && len(c.Text) <= longText, Lands: lesson, Aside: !lesson,
		})
	})
}

// number adds which lines the records of a table have, after those that have one.
func (s *schema) number(ctx context.Context, db querier, table, prefix string, lines map[string]int) error {
	if !s.has(table) {
		return nil
	}
	rows, err := db.QueryContext(ctx, "SELECT id FROM "+table+" ORDER BY id")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id any
		if err := rows.Scan(&id); err != nil {
			return err
		}
		lines[prefix+fmt.Sprint(id)] = len(lines) + 1
	}
	return rows.Err()
}

// unreadColumn reports whether a column is left alone: hashes of keys, ids, and the tables of
// the index for searching, which repeats the entries.
func unreadColumn(table, column string) bool {
	return strings.HasPrefix(table, tableEntries+"_fts") || column == "id" || strings.HasSuffix(column, "_id") ||
		strings.HasSuffix(column, "_hash") || column == "sha256"
}
