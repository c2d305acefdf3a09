package arbiter

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/memory"
)

// The kinds of records that are no lessons.
const (
	kindEntry = "memory entry"
	kindPad   = "scratchpad"
)

// shownText is how much is read of a content.
const shownText = 64 << 10

// other is a table whose rows are shown and not changed.
type other struct {
	table, kind, prefix string
	title, body         string
	columns             []string
	fixed               string
}

// entriesTable returns what is read of the structured memory.
func entriesTable() other {
	return other{
		table: tableEntries, kind: kindEntry, prefix: "memory#", title: "title", body: "content",
		columns: []string{
			"id", "tenant_id", "type", "title", "content", "source", "tags", "status", "created_at", "updated_at", "valid_from", "valid_to",
		},
		fixed: "Entries of the structured memory have a history and relations of their own; change them with Arbiter's /mem.",
	}
}

// padsTable returns what is read of the scratchpads.
func padsTable() other {
	return other{
		table: tablePads, kind: kindPad, prefix: "scratchpad#", body: "content",
		columns: []string{"id", "tenant_id", "scope_key", "content", "updated_at"},
		fixed:   "Agents append to a scratchpad while they run; change it with Arbiter itself.",
	}
}

func (p *page) readEntries(ctx context.Context, db querier, skip, most int) error {
	return p.readOther(ctx, db, entriesTable(), skip, most)
}

func (p *page) readPads(ctx context.Context, db querier, skip, most int) error {
	return p.readOther(ctx, db, padsTable(), skip, most)
}

// readOther reads rows of a table that is not changed.
func (p *page) readOther(ctx context.Context, db querier, t other, skip, most int) error {
	var q strings.Builder
	q.WriteString("SELECT ")
	for _, c := range t.columns {
		if !slices.Contains(p.schema.tables[t.table], c) {
			q.WriteString("NULL,")
			continue
		}
		fmt.Fprintf(&q, "iif(octet_length(%s)>%d,'',iif(typeof(%s)='text',substr(%s,1,%d),%s)),", c, 256*shownText, c, c, shownText, c)
	}
	rows, err := db.QueryContext(ctx, q.String()+" coalesce(octet_length("+t.body+"),0) FROM "+t.table+" ORDER BY id LIMIT ? OFFSET ?", most, skip)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() && p.bytes < mostBytes {
		values, length, err := scanOther(rows, len(t.columns))
		if err != nil {
			return err
		}
		stored := t.encode(values)
		id := memory.ID(t.prefix + fmt.Sprint(values[0]))
		p.add(id, stored, func(stored string) memory.Record { return p.schema.otherRecord(&t, id, values, stored, length) })
	}
	return rows.Err()
}

func scanOther(rows *sql.Rows, n int) (values []any, length int, err error) {
	values = make([]any, n)
	to := make([]any, 0, n+1)
	for i := range values {
		to = append(to, &values[i])
	}
	err = rows.Scan(append(to, &length)...)
	for i, v := range values {
		if b, ok := v.([]byte); ok {
			values[i] = blob(b)
		}
	}
	return values, length, err
}

// encode returns the row as a JSON object with its columns in their order.
func (t *other) encode(values []any) string {
	var b bytes.Buffer
	for i, v := range values {
		b.WriteByte("{,"[min(i, 1)])
		b.WriteString(`"` + t.columns[i] + `":`)
		encodeValue(&b, v)
	}
	b.WriteByte('}')
	return b.String()
}

// otherRecord returns the record of a row; length is how long its content is.
func (s *schema) otherRecord(t *other, id memory.ID, values []any, stored string, length int) memory.Record {
	text := func(column string) string {
		switch v := values[slices.Index(t.columns, column)].(type) {
		case nil:
			return ""
		case string:
			return wellFormed(v)
		case blob:
			return wellFormed(string(v))
		default:
			return fmt.Sprint(v)
		}
	}
	number := func(column string) int64 {
		n, _ := values[slices.Index(t.columns, column)].(int64)
		return n
	}
	r := memory.Record{ID: id, Kind: t.kind, Raw: stored, Body: text(t.body), Fixed: t.fixed}
	agent := ""
	if t.kind == kindEntry {
		r.Title, r.Created = text("title"), moment(number("created_at"))
		r.Facts = []memory.Fact{{Name: "type", Text: text("type")}, {Name: "status", Text: text("status")}, {Name: "source", Text: text("source")}, {Name: "tags", Text: text("tags")}}
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
