package sqlite

import (
	"context"
	"database/sql"
	"math"
	"slices"
	"strconv"
	"strings"

	"winnow/core/memory"
)

// Limits on reading all texts of a database.
const (
	atOnce   = 8 << 20  // bytes read from one state of the database
	mostText = 16 << 20 // bytes of one value
	mostCols = 200      // columns of a table
)

// Cell is a text in a database.
type Cell struct {
	Owner         string // the value of the owner column; empty in a table without one
	Table, Column string
	Text          string
	Cut           bool // Text is only its beginning
}

// Reading says which texts of a database to read.
type Reading struct {
	// Owners are read one after the other, each from all tables; the rows of other owners follow.
	Owners []string
	// Wanted reports whether to read the rows of an owner, including the empty owner. Nil reads
	// all.
	Wanted func(owner memory.ID) bool
	// Owner returns the column that names the owner of a row, or "" for a table without one.
	Owner func(table string, columns []string) string
	// OwnerOf returns the owner for a value of a table's owner column. If it is nil, the value is
	// the owner. If it is set, no index is used: all rows are read in table order.
	OwnerOf func(table, value string) string
	// Skip leaves out a column.
	Skip func(table, column string) bool
	// Last is a table that repeats the others, so it is read after them.
	Last string
}

// Texts calls fn with the texts of a database, owner by owner. It reads them in parts; each part
// comes from one state of the database. The errors are those of [Look], or that of fn.
func Texts(ctx context.Context, path string, o Reading, fn func(Cell) error) error {
	r := textReader{Reading: o}
	if err := Look(ctx, path, func(db *sql.DB) error { return r.begin(ctx, db) }); err != nil {
		return err
	}
	for at := (progress{}); !at.done; {
		var cells []Cell
		var next progress
		err := Look(ctx, path, func(db *sql.DB) (err error) {
			cells, next, err = r.part(ctx, db, at)
			return err
		})
		if err != nil {
			return err
		}
		for _, c := range cells {
			if err := fn(c); err != nil {
				return err
			}
		}
		at = next
	}
	return nil
}

// progress is how far the texts have been read.
type progress struct {
	owner, table int
	after        int64 // the row read last
	begun, done  bool
}

// table is one of the tables of a database.
type table struct {
	name    string
	columns []string // that are read
	owner   string   // the column that names the owner
	indexed bool     // by owner
	plain   bool     // its rows have no row numbers
}

type textReader struct {
	Reading
	owners []string // the listed ones, and then those that only rows name
	tables []table
}

// begin finds the tables and the other owners.
func (r *textReader) begin(ctx context.Context, db *sql.DB) error {
	r.tables, r.owners = nil, slices.Clone(r.Owners)
	known := map[string]bool{"": true}
	for _, o := range r.Owners {
		known[o] = true
	}
	names, err := Column(
		ctx,
		db,
		`SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
		AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name = ?, name LIMIT 1000`,
		r.Last,
	)
	if err != nil {
		return err
	}
	for _, name := range names {
		t, err := r.table(ctx, db, name)
		if err != nil {
			return err
		}
		if len(t.columns) == 0 {
			continue
		}
		r.tables = append(r.tables, t)
		if !t.indexed {
			continue
		}
		owners, err := Column(ctx, db, "SELECT DISTINCT "+quoted(t.owner)+" FROM "+quoted(name))
		if err != nil {
			return err
		}
		for _, o := range owners {
			if !known[o] {
				known[o] = true
				r.owners = append(r.owners, o)
			}
		}
	}
	return nil
}

// table looks at one table.
func (r *textReader) table(ctx context.Context, db *sql.DB, name string) (table, error) {
	all, err := Column(ctx, db, "SELECT name FROM pragma_table_info(?) LIMIT ?", name, mostCols)
	if err != nil {
		return table{}, err
	}
	t := table{name: name, owner: r.Owner(name, all)}
	for _, c := range all {
		if !r.Skip(name, c) {
			t.columns = append(t.columns, c)
		}
	}
	if _, err := Column(ctx, db, "SELECT rowid FROM "+quoted(name)+" LIMIT 0"); err != nil {
		t.plain = true
		return t, ctx.Err()
	}
	if t.owner == "" || r.OwnerOf != nil {
		return t, nil
	}
	first, err := Column(ctx, db, `SELECT c.name FROM pragma_index_list(?) i, pragma_index_info(i.name) c
		WHERE c.seqno = 0 AND i.partial = 0`, name)
	t.indexed = slices.Contains(first, t.owner)
	return t, err
}

// part continues from a place until enough is read.
func (r *textReader) part(ctx context.Context, db *sql.DB, at progress) (cells []Cell, next progress, err error) {
	for size := 0; at.owner <= len(r.owners); {
		rest, owner := at.owner == len(r.owners), ""
		if !rest {
			owner = r.owners[at.owner]
		}
		if at.table >= len(r.tables) || r.Wanted != nil && !r.Wanted(memory.ID(owner)) {
			at = progress{owner: at.owner + 1}
			continue
		}
		t := &r.tables[at.table]
		more := false
		if rest || t.indexed {
			if size >= atOnce {
				return cells, at, nil
			}
			got, last, err := r.rows(ctx, db, t, owner, rest, at)
			if err != nil {
				return nil, at, err
			}
			for _, c := range got {
				size += len(c.Text)
			}
			cells, more = append(cells, got...), last.begun
			at.after, at.begun = last.after, true
		}
		if !more {
			at = progress{owner: at.owner, table: at.table + 1}
		}
	}
	at.done = true
	return cells, at, nil
}

// rows reads the next rows of a table: those of an owner or, if rest is set, those of owners that
// no index knows. If there may be more, last has begun.
func (r *textReader) rows(
	ctx context.Context,
	db *sql.DB,
	t *table,
	owner string,
	rest bool,
	at progress,
) (cells []Cell, last progress, err error) {
	query, args := t.query(owner, rest, at)
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, last, err
	}
	defer rows.Close()
	values := make([]sql.RawBytes, len(t.columns))
	var of sql.NullString
	to := []any{&last.after, &of}
	for i := range values {
		to = append(to, &values[i])
	}
	n, size := 0, 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(to...); err != nil {
			return nil, last, err
		}
		owner := of.String
		if r.OwnerOf != nil && of.Valid {
			owner = r.OwnerOf(t.name, owner)
		}
		if r.Wanted != nil && of.Valid && !r.Wanted(memory.ID(owner)) {
			continue
		}
		for i, v := range values {
			if len(v) > 0 {
				text := string(v[:min(len(v), mostText)])
				cells = append(
					cells,
					Cell{Owner: owner, Table: t.name, Column: t.columns[i], Text: text, Cut: len(v) > mostText},
				)
				size += len(text)
			}
		}
		if size >= atOnce && !t.plain {
			last.begun = true
			return cells, last, nil
		}
	}
	last.begun = n == mostRows && !t.plain
	return cells, last, rows.Err()
}

// mostRows is the number of rows that a query returns.
const mostRows = 2000

// query returns the SQL for the next rows of a table. It skips numbers, since they are not texts.
func (t *table) query(owner string, rest bool, at progress) (string, []any) {
	var q strings.Builder
	row := "rowid"
	if t.plain {
		row = "0"
	}
	q.WriteString("SELECT " + row + ", " + orNull(t.owner))
	for _, c := range t.columns {
		n := quoted(c)
		q.WriteString(", CASE WHEN typeof(" + n + ") IN ('text','blob') THEN substr(CAST(" + n + " AS BLOB),1,?1) END")
	}
	q.WriteString(" FROM " + quoted(t.name))
	args := []any{mostText + 1}
	if t.plain {
		return q.String(), args
	}
	if args = append(args, at.after); !at.begun {
		args[1] = int64(math.MinInt64)
	}
	// Sort by row number alone: a row can be large.
	q.WriteString(" WHERE rowid IN (SELECT rowid FROM " + quoted(t.name) + " WHERE rowid > ?2")
	switch {
	case !rest:
		q.WriteString(" AND " + quoted(t.owner) + " = ?3")
		args = append(args, owner)
	case t.indexed:
		q.WriteString(" AND " + quoted(t.owner) + " IS NULL")
	}
	return q.String() + " ORDER BY rowid LIMIT " + strconv.Itoa(mostRows) + ") ORDER BY rowid", args
}

func orNull(column string) string {
	if column == "" {
		return "NULL"
	}
	return quoted(column)
}

// quoted returns a name as it stands in a query.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
