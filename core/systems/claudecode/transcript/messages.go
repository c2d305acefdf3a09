package transcript

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"winnow/core/session"
)

// notPrompts are the beginnings of texts that Claude Code writes in the person's name.
var notPrompts = []string{
	"<command-name>", "<command-message>", "<local-command-", "<system-reminder>", "<bash-", "<task-notification>",
	"<user-prompt-submit-hook>", "<ide_", interrupted,
}

const (
	interrupted = "[Request interrupted"
	refused     = "The user doesn't want to proceed with this tool use"
	refusedUse  = `"User rejected tool use"` // as spelled in JSON
)

// user reads a line from the person, or one with tool results.
func (r *sessionReader) user(l *line) {
	if bytes.HasPrefix(l.Message.Content, []byte{'"'}) {
		r.prompt(l, firstText(l.Message.Content))
		return
	}
	results, stopped, prompt := false, false, ""
	for _, b := range blocksOf(l) {
		switch b.Type {
		case "tool_result":
			results = true
			r.result(l, &b)
		case "text":
			stopped = stopped || strings.HasPrefix(b.Text, interrupted)
			if prompt == "" && isPrompt(b.Text) {
				prompt = b.Text
			}
		default:
			r.unknown(b.Type, ignoredBlocks)
		}
	}
	switch {
	case !r.main(l):
	case stopped:
		r.recordEnd(Interrupted)
	case results:
		r.recordEnd(Open)
	case prompt != "":
		r.prompt(l, prompt)
	}
}

// person reports whether a person wrote the text, as far as the line says.
func (o origin) person() bool { return o.Kind == "" || o.Kind == "human" }

// prompt reads a text in the person's name.
func (r *sessionReader) prompt(l *line, t string) {
	switch {
	case !r.main(l):
	case strings.HasPrefix(t, interrupted):
		r.recordEnd(Interrupted)
	case l.IsMeta, l.IsCompactSummary, !l.Origin.person():
	case isPrompt(t):
		r.Resumed = r.Resumed || r.Closed
		r.AddRequest(t, l.at())
		r.turn++
		r.recordEnd(Open)
	case r.command == "":
		r.command = commandOf(t)
	}
}

// recordEnd records what a line of the main chain says about the end of the session.
func (r *sessionReader) recordEnd(e End) { r.last, r.Closed = e, false }

// isPrompt reports whether a person wrote a text.
func isPrompt(t string) bool {
	t = strings.TrimSpace(t)
	return t != "" && !slices.ContainsFunc(notPrompts, func(p string) bool { return strings.HasPrefix(t, p) })
}

// commandOf returns the command that a text says was typed: "/review 12".
func commandOf(t string) string {
	between := func(begin, end string) string {
		_, rest, _ := strings.Cut(t, begin)
		s, _, found := strings.Cut(rest, end)
		if !found {
			return ""
		}
		return strings.TrimSpace(s)
	}
	name := between("<command-name>", "</command-name>")
	if name == "" {
		return ""
	}
	return cut(strings.TrimSpace(name+" "+between("<command-args>", "</command-args>")), mostText)
}

// block is one part of a message.
type block struct {
	Type, Text, ID, Name string
	ToolUseID            string `json:"tool_use_id"`
	IsError              bool   `json:"is_error"`
	Input, Content       json.RawMessage
}

// blocksOf returns the parts of the message in a line.
func blocksOf(l *line) (all []block) {
	session.Decode(l.Message.Content, &all)
	return all
}

// input holds the members of a tool's input that are read.
type input struct {
	FilePath      string `json:"file_path"`
	Path, Command string
}

// assistant reads a line from the model: one block of a message.
func (r *sessionReader) assistant(l *line) {
	last := Open
	if l.IsAPIErrorMessage {
		r.APIErrors++
		last = Broken
	} else {
		for _, b := range blocksOf(l) {
			switch {
			case b.Type == "tool_use":
				r.readUse(l, &b)
				last = Open
			case b.Type == "text" && strings.TrimSpace(b.Text) != "":
				last = Answered
				r.answer(l, b.Text)
			default:
				r.unknown(b.Type, ignoredBlocks)
			}
		}
	}
	if last == Answered && r.waiting() > 0 {
		last = Open
	}
	if !r.main(l) {
		return
	}
	if name := l.Message.Model; name != "" && name != "<synthetic>" {
		r.Model = cut(name, 200)
	}
	switch {
	case l.IsAPIErrorMessage:
		r.Why = session.Cut(firstText(l.Message.Content))
	case l.Message.StopReason == "end_turn":
		last = Finished
		r.turn++
	}
	r.recordEnd(last)
}

// answer keeps a text of the model.
func (r *sessionReader) answer(l *line, text string) {
	if r.main(l) {
		r.Say(false, l.at(), text)
	}
}

// readUse reads a tool use.
func (r *sessionReader) readUse(l *line, b *block) {
	tool := cut(b.Name, 200)
	u := toolUse{turn: r.turn, side: !r.main(l)}
	if !u.side {
		u.step = r.steps.Add(
			session.Step{Tool: tool, Arguments: session.Cut(string(b.Input)), Status: session.Pending, At: l.at()},
		)
	}
	var in input
	session.Decode(b.Input, &in)
	r.taint(tool, &in)
	switch tool {
	case "Write", "Edit", "MultiEdit":
		if r.isMemory(in.FilePath) && len(r.Writes) < mostWrites {
			u.write = &Write{Path: in.FilePath, Tool: tool, At: l.at(), Side: l.IsSidechain, Pending: true}
			r.Writes = append(r.Writes, u.write)
		}
	}
	if b.ID != "" && len(r.awaited) < mostAwaited {
		r.awaited[b.ID] = u
	}
}

// result reads what a tool returned.
func (r *sessionReader) result(l *line, b *block) {
	u := r.awaited[b.ToolUseID]
	delete(r.awaited, b.ToolUseID)
	if u.write != nil {
		var told struct{ Type string }
		session.Decode(l.ToolUseResult, &told)
		u.write.Pending, u.write.Failed = false, b.IsError
		u.write.Created = !b.IsError && told.Type == "create"
	}
	switch {
	case !r.main(l) || u.side:
	case !b.IsError:
		u.recordEnd(session.OK, firstText(b.Content))
	case string(l.ToolUseResult) == refusedUse || strings.HasPrefix(firstText(b.Content), refused):
		r.Rejected++
		u.recordEnd(session.Declined, "")
	default:
		r.Failed++
		u.recordEnd(session.Error, firstText(b.Content))
	}
	if u.step != nil && strings.HasPrefix(u.step.Tool, ownServer+"__") {
		r.addGiven("mcp winnow", "", session.Texts(b.Content)...)
	}
}

// firstText returns the text of a result: a string, or the first text among its blocks.
func firstText(content json.RawMessage) string { return cmp.Or(session.Texts(content)...) }

// isMemory reports whether a path is an instruction file, or lies in a folder of rules or memories.
func (r *sessionReader) isMemory(p string) bool {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	switch path.Base(p) {
	case "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md":
		return true
	}
	return slices.ContainsFunc(r.folders, func(f string) bool { return strings.HasPrefix(p, f) }) ||
		memoryFolder().MatchString(p)
}
