package opencode

import (
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"winnow/core/sqlite"
)

// details adds what messages and parts say about the sessions of the page.
func (p *page) details(ctx context.Context, db *sql.DB) error {
	left := int64(maxDigest)
	for i := range p.sessions {
		s := &p.sessions[i]
		if err := s.measure(ctx, db, p.schema.updated(), &left); err != nil {
			return err
		}
		if old, is := p.known[s.id]; is && old.row == s.row && old.stored == s.stored && old.content == s.content && old.latest == s.latest {
			*s = old
			continue
		}
		if err := s.read(ctx, db); err != nil {
			return err
		}
	}
	return nil
}

// maxDigest is how many bytes of the newest sessions of a page are read to notice edits in place. Older
// sessions are compared by lengths and times: real databases have gigabytes.
const maxDigest = 8 << 20

// rowsContent shows whether a session has changed.
type rowsContent struct {
	rows   int // messages and parts
	bytes  int64
	digest uint64 // of their data; 0 beyond the first maxDigest bytes of a page
}

// contents returns the query for columns of all messages and parts of the session ?1.
func contents(columns string) string {
	return "SELECT " + columns + " FROM message WHERE session_id = ?1 UNION ALL SELECT " + columns +
		" FROM part WHERE message_id IN (SELECT id FROM message WHERE session_id = ?1)"
}

// measure sets the content of the session. updated is the column with the time of a row's last
// change. left is the number of bytes that may still be read for a digest.
func (s *session) measure(ctx context.Context, db *sql.DB, updated string, left *int64) error {
	var bytes, latest sql.NullInt64
	err := db.QueryRowContext(ctx, "SELECT count(*), sum(size), max(updated) FROM ("+
		contents("octet_length(data) AS size, "+updated+" AS updated")+")", s.id).Scan(&s.content.rows, &bytes, &latest)
	s.content.bytes, s.latest = bytes.Int64, latest.Int64
	if *left -= bytes.Int64; err != nil || *left < 0 {
		return err
	}
	sum := fnv.New64a()
	err = sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var row int64
		var data sql.RawBytes
		err := rows.Scan(&row, &data)
		fmt.Fprint(sum, row, ":")
		_, _ = sum.Write(data) // a hash never fails, and data needs no copy
		return err
	}, contents("rowid, data"), s.id)
	s.content.digest = sum.Sum64()
	return err
}

// read reads the messages of the session and their parts. It decodes only the parts of the first
// request and those that contain the word "tool".
func (s *session) read(ctx context.Context, db *sql.DB) error {
	messages, err := readMessages(ctx, db, s.id)
	if err != nil {
		return err
	}
	request := firstRequest(messages)
	err = sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var message, id string
		var data sql.NullString
		err := rows.Scan(&message, &id, &data)
		s.part(id, message, request, data.String, !data.Valid)
		return err
	}, `SELECT m.id, p.id, CASE WHEN octet_length(p.data) <= ?1 THEN p.data END FROM message m JOIN part p ON p.message_id = m.id
		WHERE m.session_id = ?2 AND (m.id = ?3 OR octet_length(p.data) > ?1 OR instr(p.data, '"tool"') > 0)
		ORDER BY m.time_created, m.id, p.id`, maxPart, s.id, request)
	s.complete(messages)
	return err
}

// readMessages returns the messages of a session, in order.
func readMessages(ctx context.Context, db *sql.DB, session string) (all []message, err error) {
	err = sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var id string
		var created sql.NullInt64
		var data sql.NullString
		err := rows.Scan(&id, &created, &data)
		m := message{id: id, created: created.Int64, large: !data.Valid}
		if data.Valid {
			m = decodeMessage(id, created.Int64, data.String)
		}
		all = append(all, m)
		return err
	}, `SELECT id, time_created, CASE WHEN octet_length(data) <= ? THEN data END
		FROM message WHERE session_id = ? ORDER BY time_created, id`, maxMessage, session)
	guessRoles(all)
	return all, err
}

// guessRoles guesses the role of messages that are too large to read: the user's, since only those hold
// file changes. A last message without an answer stays without a role.
func guessRoles(list []message) {
	parents := map[string]bool{}
	for _, m := range list {
		parents[m.parent] = true
	}
	for i := range list {
		if list[i].large {
			list[i].role = "user"
			if i == len(list)-1 && !parents[list[i].id] {
				list[i].role = ""
			}
		}
	}
}

// firstRequest returns the ID of the person's first message.
func firstRequest(messages []message) string {
	i := slices.IndexFunc(messages, func(m message) bool { return m.role == "user" })
	if i < 0 {
		return ""
	}
	return messages[i].id
}

// part reads a part of a message. All parts before it must have been read.
func (s *session) part(id, message, request, data string, large bool) {
	c, isCall := decodeCall(id, message, data)
	switch {
	case large:
		s.large++
	case isCall:
		c.err, c.output = cut(c.err, maxErrText), cut(c.output, maxOutput)
		s.calls = append(s.calls, c)
	case message == request:
		s.addToTask(data)
	}
}

// addToTask adds a part of the first user message to the task of the session.
func (s *session) addToTask(data string) {
	text, ok := personText(data)
	if !ok {
		return
	}
	if s.task != "" {
		text = s.task + "\n" + text
	}
	s.task = cut(text, maxTask)
}

// complete fills in what follows from the messages. Their parts must have been read.
func (s *session) complete(messages []message) {
	large, broken := 0, 0
	for _, m := range messages {
		if m.large {
			large++
		}
		if m.broken {
			broken++
		}
	}
	if large > 0 {
		s.cut = append(s.cut, fmt.Sprintf("Messages that are larger than 256 KiB and were not read: %d.", large))
	}
	if s.large > 0 {
		s.cut = append(s.cut, fmt.Sprintf("Parts that are larger than 1 MiB and were not read: %d.", s.large))
	}
	if broken > 0 {
		s.cut = append(s.cut, fmt.Sprintf("Messages that are no JSON object and were passed over: %d.", broken))
	}
	s.conclude(messages)
	s.count(messages)
}

// cut returns at most limit bytes of a text, without half a character at the end.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
