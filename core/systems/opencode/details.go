package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"winnow/core/jstext"
	"winnow/core/sqlite"
	"winnow/core/system"
)

// details adds what messages and parts say about the sessions of the page.
func (p *page) details(ctx context.Context, db *sql.DB) error {
	left := int64(maxDigest)
	for i := range p.sessions {
		s := &p.sessions[i]
		if err := s.measure(ctx, db, p.schema.updated(), &left); err != nil {
			return err
		}
		if old, is := p.known[s.id]; is && old.row == s.row && old.stored == s.stored && old.content == s.content &&
			old.latest == s.latest {
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
	err = eachPart(
		ctx,
		db,
		func(message, data string, large bool) { s.part(message == request, data, large) },
		`JOIN message m ON p.message_id = m.id WHERE m.session_id = ?2 AND (m.id = ?3 OR octet_length(p.data) > ?1 OR instr(p.data, '"tool"') > 0)
		ORDER BY m.time_created, m.id, p.id`,
		s.id,
		request,
	)
	s.complete(messages)
	return err
}

// eachPart calls fn for the parts that the SQL after the table name selects. Its arguments count from ?2. A
// part that is too large comes without its data.
func eachPart(
	ctx context.Context,
	db *sql.DB,
	fn func(message, data string, large bool),
	clause string,
	args ...any,
) error {
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var message string
		var data sql.NullString
		err := rows.Scan(&message, &data)
		fn(message, data.String, !data.Valid)
		return err
	}, "SELECT p.message_id, CASE WHEN octet_length(p.data) <= ?1 THEN p.data END FROM part p "+clause, slices.Insert(args, 0, any(maxPart))...)
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

// part reads a part of a message. All parts before it must have been read. request is set for the first
// message of the person, whose texts are the task of the session.
func (s *session) part(request bool, data string, large bool) {
	v, err := jstext.Parse(data)
	said, personal := personText(v)
	switch {
	case large:
		s.large++
	case err != nil:
	case text(v, "type") == "tool":
		c := callOf(v)
		c.err, c.output = cut(c.err, maxErrText), cut(c.output, maxOutput)
		s.calls = append(s.calls, c)
	case request && personal:
		s.task = cut(s.task+system.Say(s.task != "", "\n")+said, maxTask)
	}
}

// complete fills in what follows from the messages, which are in order. Their parts must have been read.
func (s *session) complete(messages []message) {
	var last, assistant message
	large, broken, uncounted := 0, 0, s.tokens == [5]int64{} && s.cost == 0
	for _, m := range messages {
		switch {
		case m.large:
			large++
		case m.broken:
			broken++
		case m.role == "assistant":
			assistant = m
		}
		if s.model == "" || m.role == "assistant" && m.model != "" {
			s.model = m.model
		}
		if uncounted { // the row of the session has no sums
			s.add(&m)
		}
		s.agent, last = cmp.Or(s.agent, m.agent), m
	}
	s.messages, s.last = len(messages), assistant
	s.conclude(last.role == "user")
	s.cut = append(s.cut, system.Notes(
		system.Say(large > 0, fmt.Sprintf("Messages that are larger than 256 KiB and were not read: %d.", large)),
		system.Say(s.large > 0, fmt.Sprintf("Parts that are larger than 1 MiB and were not read: %d.", s.large)),
		system.Say(broken > 0, fmt.Sprintf("Messages that are no JSON object and were passed over: %d.", broken)))...)
}

// cut returns at most limit bytes of a text, without half a character at the end.
func cut(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "")
}
