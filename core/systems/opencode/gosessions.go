package opencode

import "winnow/core/memory"

// The archived Go program of the same name keeps other tables: sessions in place of
// session. Of its messages nothing is known well enough to say how a session ended.

var goColumns = []string{"id", "parent_session_id", "title", "message_count", "prompt_tokens", "completion_tokens", "cost", "created_at", "updated_at"}

// goSessionOf returns the session that a row of the archived program says.
func goSessionOf(r row, names []string) session {
	s := session{
		id: r.text("id"), row: r.number(rowID), parent: r.text("parent_session_id"), title: r.text("title"), version: "the archived Go program",
		created: milliseconds(r.number("created_at")), updated: milliseconds(r.number("updated_at")),
		messages: int(r.number("message_count")), stored: r.stored(names),
	}
	if s.id == "" {
		s.problem = oddRow()
	}
	return s
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
