package opencode

import (
	"context"
	"database/sql"
	"slices"

	"winnow/core/memory"
)

// The archived Go program of the same name keeps other tables: sessions in place of
// session. Of its messages nothing is known well enough to say how a session ended.

var goColumns = []string{"id", "parent_session_id", "title", "message_count", "prompt_tokens", "completion_tokens", "cost", "created_at", "updated_at"}

// goRows reads the sessions of the archived program.
func (p *page) goRows(ctx context.Context, db *sql.DB, after int64, skip, limit int) error {
	list, names := p.schema.selected(goColumns)
	if !slices.Contains(names, "id") {
		return errUnknown
	}
	names = append([]string{rowID}, names...)
	if err := db.QueryRowContext(ctx, "SELECT count(*) FROM sessions").Scan(&p.total); err != nil {
		return err
	}
	return each(ctx, db, func(rows *sql.Rows) error {
		r, err := scanRow(rows, names)
		if err != nil {
			return err
		}
		s := session{
			id: r.text("id"), row: r.number(rowID), parent: r.text("parent_session_id"), title: r.text("title"), version: "the archived Go program",
			created: milliseconds(r.number("created_at")), updated: milliseconds(r.number("updated_at")),
			messages: int(r.number("message_count")), stored: r.stored(names),
		}
		if s.id == "" {
			s.problem = oddRow()
		}
		p.sessions = append(p.sessions, s)
		return nil
	}, "SELECT rowid,"+list+" FROM sessions WHERE rowid < ? ORDER BY rowid DESC LIMIT ? OFFSET ?", after, limit, skip)
}

// milliseconds returns a time in milliseconds that is in seconds when it is too small
// for one of this century otherwise.
func milliseconds(at int64) int64 {
	const year2001 = 978_307_200_000
	if at > 0 && at < year2001 {
		return at * 1000
	}
	return at
}

func oddRow() *memory.Problem {
	return &memory.Problem{
		Code: "odd-session",
		What: "This session has no id that is a text. OpenCode cannot open it.",
		Hint: "look at it with: opencode db \"select * from session\"",
	}
}
