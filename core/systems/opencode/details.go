package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"winnow/core/system"

	"winnow/core/sqlite"
)

// details adds what messages and parts tell about the sessions of the page.
func (p *page) details(ctx context.Context, db *sql.DB) error {
	if len(p.sessions) == 0 || p.schema.shape == shapeGo {
		return nil
	}
	at := make(map[string]int, len(p.sessions))
	ids := make([]any, len(p.sessions))
	for i := range p.sessions {
		ids[i], at[p.sessions[i].id] = p.sessions[i].id, i
	}
	if err := p.readContents(ctx, db, marks(len(ids)), ids, at); err != nil {
		return err
	}
	changed := p.unknown()
	if len(changed) == 0 {
		return nil
	}
	ids = ids[:0]
	for _, n := range changed {
		ids = append(ids, p.sessions[n].id)
	}
	in := marks(len(ids))
	messages := make([][]message, len(p.sessions))
	if err := readMessages(ctx, db, in, ids, func(session string, m message) {
		messages[at[session]] = append(messages[at[session]], m)
	}); err != nil {
		return err
	}
	if err := p.readCalls(ctx, db, in, ids, at); err != nil {
		return err
	}
	first := map[string]int{} // the first message of a user, to the place of its session
	for n, list := range messages {
		assume(list)
		for _, m := range list {
			if m.role == "user" {
				first[m.id] = n
				break
			}
		}
	}
	if err := p.readTasks(ctx, db, first); err != nil {
		return err
	}
	for _, n := range changed {
		p.sessions[n].complete(messages[n])
	}
	return nil
}

// unknown returns the places of the sessions whose details have to be read. The others get those
// that are known.
func (p *page) unknown() (places []int) {
	for n := range p.sessions {
		s := &p.sessions[n]
		if p.known != nil {
			if old, is := (*p.known)[s.id]; is && old.row == s.row && old.stored == s.stored && old.content == s.content && old.latest == s.latest {
				*s = old
				continue
			}
		}
		places = append(places, n)
	}
	return places
}

// marks returns a list of n placeholders for a query.
func marks(n int) string { return "(" + strings.TrimSuffix(strings.Repeat("?,", n), ",") + ")" }

// readMessages calls fn for each message of some sessions, ordered by session.
func readMessages(ctx context.Context, db *sql.DB, in string, ids []any, fn func(session string, m message)) error {
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var session, id string
		var created sql.NullInt64
		var data sql.NullString
		err := rows.Scan(&session, &id, &created, &data)
		m := message{id: id, created: created.Int64, large: !data.Valid}
		if data.Valid {
			m = decodeMessage(id, created.Int64, data.String)
		}
		fn(session, m)
		return err
	}, `SELECT session_id, id, time_created, CASE WHEN octet_length(data) <= ? THEN data END
		FROM message WHERE session_id IN `+in+` ORDER BY session_id, time_created, id`, append([]any{maxMessage}, ids...)...)
}

// assume guesses the role of messages that are too large to be read: the user's, since only those hold
// changes of files. A last message without an answer stays without a role.
func assume(list []message) {
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

// readCalls reads the tool calls of some sessions. Only parts with the word "tool" are decoded.
func (p *page) readCalls(ctx context.Context, db *sql.DB, in string, ids []any, at map[string]int) error {
	large := map[int]int{}
	err := sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var session, id, message string
		var data sql.NullString
		err := rows.Scan(&session, &message, &id, &data)
		n := at[session]
		if c, ok := decodeCall(id, message, data.String); ok {
			c.err, c.output = cut(c.err, maxErrText), cut(c.output, maxOutput)
			p.sessions[n].calls = append(p.sessions[n].calls, c)
		} else if !data.Valid {
			large[n]++
		}
		return err
	}, `SELECT session_id, message_id, id, CASE WHEN octet_length(data) <= ?1 THEN data END
		FROM part WHERE session_id IN `+in+` AND (octet_length(data) > ?1 OR instr(data, '"tool"') > 0)`, append([]any{maxPart}, ids...)...)
	for n, count := range large {
		p.sessions[n].cut = append(p.sessions[n].cut,
			fmt.Sprintf("Parts that are larger than 1 MiB and were not read: %d.", count))
	}
	return err
}

// readTasks reads the first user message of each session.
func (p *page) readTasks(ctx context.Context, db *sql.DB, first map[string]int) error {
	if len(first) == 0 {
		return nil
	}
	ids := []any{maxTask * 2}
	for id := range first {
		ids = append(ids, id)
	}
	in := marks(len(first))
	return sqlite.Each(ctx, db, func(rows *sql.Rows) error {
		var message string
		var data sql.NullString
		err := rows.Scan(&message, &data)
		s := &p.sessions[first[message]]
		if s.say(data.String); !data.Valid {
			s.cut = append(s.cut, "A part of the first message is larger than 128 KiB and was not read.")
		}
		return err
	}, "SELECT message_id, CASE WHEN octet_length(data) <= ? THEN data END FROM part WHERE message_id IN "+in+" ORDER BY message_id, id", ids...)
}

// say adds a part of the first user message to the task of the session.
func (s *session) say(data string) {
	said, ok := spoken(data)
	if !ok {
		return
	}
	if s.task != "" {
		said = s.task + "\n" + said
	}
	s.task = cut(said, maxTask)
}

// complete fills in what follows from the messages. The calls and the task must be there.
func (s *session) complete(messages []message) {
	place := make(map[string]int, len(messages))
	for i, m := range messages {
		place[m.id] = i
	}
	slices.SortStableFunc(s.calls, func(a, b call) int {
		return cmp.Or(cmp.Compare(place[a.message], place[b.message]), cmp.Compare(a.id, b.id))
	})
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
	updated := cmp.Or(system.Say(p.schema.shape == shapeOther, "0"), "time_updated") // it may have no such column
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
