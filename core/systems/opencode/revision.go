package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"

	"winnow/core/sqlite"
)

// maxDigest is how many bytes of the newest sessions of a page are read to notice edits in place. Older
// sessions are compared by lengths and times: real databases have gigabytes.
const maxDigest = 8 << 20

// rowsContent tells whether a session has changed.
type rowsContent struct {
	rows   int // messages and parts
	bytes  int64
	digest uint64 // of their data; 0 beyond the first maxDigest bytes of a page
}

// readContents sets the content of the sessions of the page. at is the index of each id.
func (p *page) readContents(ctx context.Context, db *sql.DB, in string, ids []any, at map[string]int) error {
	updated := "time_updated"
	if p.schema.shape == shapeOther {
		updated = "0" // it may have no such column
	}
	for _, table := range [...]string{"message", "part"} {
		err := sqlite.Each(ctx, db, func(rows *sql.Rows) error {
			var id string
			var n int
			var bytes, latest sql.NullInt64
			err := rows.Scan(&id, &n, &bytes, &latest)
			s := &p.sessions[at[id]]
			s.content.rows, s.content.bytes = s.content.rows+n, s.content.bytes+bytes.Int64
			s.latest = max(s.latest, latest.Int64)
			return err
		}, "SELECT session_id, count(*), sum(octet_length(data)), max("+updated+") FROM "+table+" WHERE session_id IN "+in+" GROUP BY session_id", ids...)
		if err != nil {
			return err
		}
	}
	newest, size := 0, int64(0)
	for newest < len(p.sessions) && size+p.sessions[newest].content.bytes <= maxDigest {
		size += p.sessions[newest].content.bytes
		newest++
	}
	for _, table := range [...]string{"message", "part"} {
		err := sqlite.Each(ctx, db, func(rows *sql.Rows) error {
			var id string
			var row int64
			var data sql.RawBytes
			err := rows.Scan(&id, &row, &data)
			sum := fnv.New64a()
			fmt.Fprint(sum, table, row, ":")
			_, _ = sum.Write(data) // a hash takes everything, and data needs no copy
			p.sessions[at[id]].content.digest += sum.Sum64()
			return err
		}, "SELECT session_id, rowid, data FROM "+table+" WHERE session_id IN "+marks(newest), ids[:newest]...)
		if err != nil {
			return err
		}
	}
	return nil
}
