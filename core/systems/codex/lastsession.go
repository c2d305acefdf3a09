package codex

import (
	"context"
	"strings"
	"time"

	"winnow/core/annotate"
	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/system"
	"winnow/core/systems/instructions"
)

// lastSession returns what the newest session that started in a folder was given, according to its
// file, and how that differs from what a session there would be given now. It returns nil if there
// was none. With no folder it takes the newest session of all.
func lastSession(
	ctx context.Context, q instructions.Question, _ []memory.Block,
) (*memory.LastSession, []string, error) {
	var head session.Head
	err := eachHead(ctx, q.Env, func(h session.Head) bool {
		if h.Subagent || q.Dir != "" && h.Folder != q.Dir {
			return true
		}
		head = h
		return false
	})
	if err != nil || head.Path == "" {
		return nil, nil, err
	}
	out := &memory.LastSession{Session: head.ID, At: head.Changed, Source: "its session file"}
	given, began, err := givenTo(ctx, head.Path)
	if err != nil {
		out.Unknown = "The session file cannot be read."
		return out, nil, ctx.Err()
	}
	if !began.IsZero() {
		out.At = began
	}
	here := q
	here.Dir = head.Folder
	now := givenIn(ctx, here).Blocks(nil)
	switch q.Store {
	case memoriesName:
		now, given = now[1:], given[1:]
	case globalName:
		now, given = now[:1], given[:1]
	}
	for i := range now {
		now[i].Parts = nil // the session file does not separate the files
	}
	out.Blocks = instructions.Filled(given...)
	out.Differs = compare.Differences(out.Blocks, instructions.Filled(now...))
	return out, nil, ctx.Err()
}

// givenTo returns the instructions and the memories that a session was given, according to its
// file, and when it began.
func givenTo(ctx context.Context, path string) (given []memory.Block, began time.Time, err error) {
	f, in, err := open(path)
	if err != nil {
		return nil, began, err
	}
	defer f.close()
	given = make([]memory.Block, 2)
	lines := 0
	err = quietread.Lines(ctx, in, mostHead, func(b []byte) bool {
		const begin = 40 // lines: everything given comes before the first answer
		lines++
		var l line
		var p payload
		if !session.Decode(b, &l) || !session.Decode(l.Payload, &p) {
			return lines < begin
		}
		if l.Type == "session_meta" && began.IsZero() {
			began = session.Time(l.Timestamp)
		}
		if l.Type == "response_item" && p.Type == "message" {
			for _, text := range session.Texts(p.Content) {
				addGiven(&given[0], &given[1], p.Role, text)
			}
		}
		return lines < begin && p.Role != "assistant"
	})
	return given, began, err
}

// addGiven puts a text of a message into what the session was given, if it is a part of that.
func addGiven(instructions, memories *memory.Block, role, text string) {
	const begin, end = "= MEMORY_SUMMARY BEGINS =", "= MEMORY_SUMMARY ENDS ="
	switch {
	case role == "user":
		if instructions.Text == "" && strings.HasPrefix(text, "# AGENTS.md instructions") {
			*instructions = annotate.Block("first user message", instructionsName, text)
		}
	case role != "developer":
	case memories.Text == "":
		if strings.Contains(text, begin) {
			*memories = annotate.Block("developer message", memoriesName, text)
		}
	case !strings.Contains(memories.Text, end): // this is its next part
		*memories = annotate.Block("developer message", memoriesName, memories.Text+text)
	}
}

// eachHead calls fn with the session files, newest first, until fn returns false.
func eachHead(ctx context.Context, env system.Env, fn func(session.Head) bool) error {
	const most = 300 // files: opening thousands would be noticeable
	for i, path := range files(env) {
		if i == most || ctx.Err() != nil {
			break
		}
		if h, ok := headOf(ctx, path); ok && !fn(h) {
			break
		}
	}
	return ctx.Err()
}
