package gemini

import (
	"context"
	"slices"
	"strings"

	"winnow/core/annotate"
	"winnow/core/compare"
	"winnow/core/memory"
	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/systems/instructions"
)

// lastSession returns what the newest session in a folder was given in its first message, according to its file, and
// how that differs from what a session would be given now.
func lastSession(
	ctx context.Context, q instructions.Question, now []memory.Block,
) (*memory.LastSession, []string, error) {
	heads, err := sessions(ctx, q.Env, q.Dir)
	isOther := func(h session.Head) bool { return h.Subagent || q.Dir != "" && h.Folder != q.Dir }
	heads = slices.DeleteFunc(heads, isOther)
	if err != nil || len(heads) == 0 {
		return nil, nil, err
	}
	head := slices.MaxFunc(heads, func(a, b session.Head) int { return a.Changed.Compare(b.Changed) })
	last := &memory.LastSession{Session: head.ID, At: head.Changed, Source: "its session file"}
	if q.Store != asProject {
		last.Unknown = "Gemini CLI does not record its system prompt, in which these files stand."
		return last, nil, nil
	}
	text, known, err := firstOf(ctx, head.Path)
	switch {
	case err != nil:
		return last, nil, err
	case !known:
		last.Unknown = "Its session file does not hold its first message whole."
		return last, nil, nil
	}
	first := now[1]
	first.Parts = nil // the session file does not separate the files
	last.Blocks = instructions.Filled(annotate.Block(firstMessage, asProject, text))
	last.Differs = compare.Differences(last.Blocks, instructions.Filled(first))
	return last, nil, nil
}

// firstOf returns the instructions in the first message of a session. known is false if the file
// does not hold that message.
func firstOf(ctx context.Context, path string) (text string, known bool, err error) {
	f, err := quietread.Open(path)
	if err != nil {
		return "", false, nil
	}
	defer f.Close() // nothing is lost: it was only read
	lines := 0
	err = quietread.Lines(ctx, f, instructions.MostImported, func(b []byte) bool {
		const begin = 20 // lines: the message comes before the first answer
		lines++
		var r record
		session.Decode(b, &r)
		all := append(r.Messages, r.message)
		if r.Set != nil {
			all = append(all, r.Set.Messages...)
		}
		for _, m := range all {
			for _, message := range m.Content {
				if !known && strings.HasPrefix(message, contextBegin) {
					text, known = loadedIn(message), true
				}
			}
		}
		return !known && lines < begin
	})
	if ctx.Err() == nil {
		err = nil // an unreadable file leaves it unknown
	}
	return text, known, err
}

// loadedIn returns the instructions in the first message of a session.
func loadedIn(message string) string {
	const begin, end = "<loaded_context>\n", "</loaded_context>"
	at, last := strings.Index(message, "\n"+begin), strings.LastIndex(message, end)
	if at < 0 || last < at {
		return ""
	}
	return message[at+1 : last+len(end)]
}
