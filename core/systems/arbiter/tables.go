package arbiter

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/memory"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// The kinds of records that are not lessons.
const (
	kindEntry = "memory entry"
	kindPad   = "scratchpad"
)

// shownText is the number of bytes read of a content.
const shownText = 64 << 10

// other is a table whose rows are shown but not changed.
type other struct {
	table, kind, prefix string
	columns             []string
	fixed               string
}

// entriesTable describes the structured memory.
func entriesTable() other {
	return other{
		table: tableEntries, kind: kindEntry, prefix: "memory#",
		columns: []string{
			"id", "tenant_id", "type", "title", "content", "source", "tags", "status", "created_at", "updated_at",
			"valid_from", "valid_to",
		},
		fixed: "Entries of the structured memory have a history and relations of their own; change them with Arbiter's /mem.",
	}
}

// padsTable describes the scratchpads.
func padsTable() other {
	return other{
		table: tablePads, kind: kindPad, prefix: "scratchpad#",
		columns: []string{"id", "tenant_id", "scope_key", "content", "updated_at"},
		fixed:   "Agents append to a scratchpad while they run; change it with Arbiter itself.",
	}
}

// readOther reads rows of a table that is not changed.
func (p *page) readOther(ctx context.Context, db sqlite.Querier, t other, skip, most int) error {
	var q strings.Builder
	q.WriteString("SELECT ")
	for _, c := range t.columns {
		if !slices.Contains(p.schema.tables[t.table], c) {
			q.WriteString("NULL,")
			continue
		}
		fmt.Fprintf(
			&q,
			"iif(octet_length(%s)>%d,'',iif(typeof(%s)='text',substr(%s,1,%d),%s)),",
			c,
			256*shownText,
			c,
			c,
			shownText,
			c,
		)
	}
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		if p.bytes >= mostBytes {
			return nil
		}
		values := make([]any, len(t.columns))
		length, err := scanRow(rows, values)
		p.add(p.schema.otherRecord(&t, values, encodeRow(t.columns, values), length))
		return err
	}, q.String()+" coalesce(octet_length(content),0) FROM "+t.table+" ORDER BY id LIMIT ? OFFSET ?", most, skip)
}

// otherRecord returns the record of a row. length is the length of its content.
func (s *schema) otherRecord(t *other, values []any, stored string, length int) memory.Record {
	text := func(column string) string { return wellFormed(textOf(values[slices.Index(t.columns, column)])) }
	number := func(column string) int64 {
		n, _ := values[slices.Index(t.columns, column)].(int64)
		return n
	}
	r := memory.Record{
		ID:    memory.ID(t.prefix + fmt.Sprint(values[0])),
		Kind:  t.kind,
		Raw:   stored,
		Body:  text("content"),
		Fixed: t.fixed,
	}
	agent := ""
	if t.kind == kindEntry {
		r.Title, r.Created = text("title"), moment(number("created_at"))
		r.Facts = []memory.Fact{
			{Name: "type", Text: text("type")},
			{Name: "status", Text: text("status")},
			{Name: "source", Text: text("source")},
			{Name: "tags", Text: text("tags")},
		}
		if to := number("valid_to"); to != 0 {
			r.Facts = append(r.Facts, memory.Fact{Name: "valid to", Text: moment(to).Text})
			r.Notes = append(r.Notes, "It was retired: agents do not read it any more.")
			r.Flags |= memory.FlagUnseen
		}
		if text("status") == "proposed" {
			r.Notes = append(r.Notes, "It is proposed and awaits a person's review.")
		}
	} else {
		agent = text("scope_key")
		if r.Title = "Scratchpad of " + agent; agent == "" {
			r.Title = "Shared scratchpad"
		}
	}
	r.Facts = append(r.Facts, memory.Fact{Name: "updated", Text: moment(number("updated_at")).Text})
	r.Scope = strings.TrimSuffix(wellFormed(s.scope(number("tenant_id"), agent)), "/")
	if length > shownText {
		r.RawLen = max(length, len(stored)+1)
	}
	annotate.Mark(&r)
	return r
}

var _ system.Texter = (*store)(nil)

// Texts implements [system.Texter]. It passes on the texts of all tables; those of lessons, memory
// entries and scratchpads belong to their records. It never reads keys, their hashes, or the search
// index.
func (s *store) Texts(ctx context.Context, want func(memory.ID) bool, fn func(system.Text) error) error {
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
		Wanted:  want,
		Skip:    unreadColumn,
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

// number assigns lines to the records of a table, after the lines already assigned.
func (s *schema) number(ctx context.Context, db sqlite.Querier, table, prefix string, lines map[string]int) error {
	if !s.has(table) {
		return nil
	}
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var id any
		err := rows.Scan(&id)
		lines[prefix+fmt.Sprint(id)] = len(lines) + 1
		return err
	}, "SELECT id FROM "+table+" ORDER BY id")
}

// unreadColumn reports whether a column is not read: hashes of keys, IDs, and the tables of the
// search index, which repeats the entries.
func unreadColumn(table, column string) bool {
	return strings.HasPrefix(table, tableEntries+"_fts") || column == "id" || strings.HasSuffix(column, "_id") ||
		strings.HasSuffix(column, "_hash") || column == "sha256"
}
