package transcript

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"winnow/core/session"
)

// notPrompts are how texts begin that Claude Code writes in the name of the person.
var notPrompts = []string{
	"<command-name>", "<command-message>", "<local-command-", "<system-reminder>", "<bash-", "<task-notification>",
	"<user-prompt-submit-hook>", "<ide_", interrupted,
}

const (
	interrupted = "[Request interrupted"
	refused     = "The user doesn't want to proceed with this tool use"
	refusedUse  = "User rejected tool use"
)

// user takes a line of the person, or with the results of tools.
func (r *sessionReader) user(l *line) {
	var content []byte
	read(l.message, wanted{"content", &content})
	if len(content) > 0 && content[0] == '"' {
		r.prompt(l, text(content))
		return
	}
	results, stopped, prompt := false, false, ""
	for value := range elements(content) {
		b := blockOf(value)
		switch kind := text(b.kind); kind {
		case "tool_result":
			results = true
			r.result(l, &b)
		case "text":
			t := text(b.text)
			stopped = stopped || strings.HasPrefix(t, interrupted)
			if prompt == "" && isPrompt(t) {
				prompt = t
			}
		default:
			r.unknown(kind, ignoredBlocks)
		}
	}
	switch {
	case !r.main(l):
	case stopped:
		r.ends(Interrupted)
	case results:
		r.ends(Open)
	case prompt != "":
		r.prompt(l, prompt)
	}
}

// prompt takes a text in the name of the person.
func (r *sessionReader) prompt(l *line, t string) {
	var kind []byte
	read(l.origin, wanted{"kind", &kind})
	switch {
	case !r.main(l):
	case strings.HasPrefix(t, interrupted):
		r.ends(Interrupted)
	case yes(l.meta), yes(l.compactSummary), text(kind) != "" && !is(kind, "human"):
	case isPrompt(t):
		r.Resumed = r.Resumed || r.Closed
		r.AddRequest(t)
		r.turn++
		r.ends(Open)
	case r.command == "":
		r.command = commandOf(t)
	}
}

// ends notes what a line of the main chain says of the end of the session.
func (r *sessionReader) ends(e End) { r.last, r.Closed = e, false }

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

// block is a part of a message.
type block struct {
	kind, text, id, of, name, input, content []byte
	failed                                   bool
}

func blockOf(value []byte) (b block) {
	var failed []byte
	read(value, wanted{"type", &b.kind}, wanted{"text", &b.text}, wanted{"id", &b.id}, wanted{"tool_use_id", &b.of},
		wanted{"name", &b.name}, wanted{"input", &b.input}, wanted{"content", &b.content}, wanted{"is_error", &failed})
	b.failed = yes(failed)
	return b
}

// assistant takes a line of the model: one block of a message.
func (r *sessionReader) assistant(l *line) {
	var content, stop, model, failure []byte
	read(l.message, wanted{"content", &content}, wanted{"stop_reason", &stop}, wanted{"model", &model})
	last := Open
	if yes(l.apiError) {
		r.APIErrors++
		last, failure, content = Broken, content, nil
	}
	for value := range elements(content) {
		if b := blockOf(value); is(b.kind, "tool_use") {
			r.use(l, &b)
		} else {
			r.unknown(text(b.kind), ignoredBlocks)
		}
	}
	if !r.main(l) {
		return
	}
	if name := text(model); name != "" && name != "<synthetic>" {
		r.Model = cut(name, 200)
	}
	switch {
	case yes(l.apiError):
		r.Why = session.Cut(firstText(failure))
	case is(stop, "end_turn"):
		last = Finished
		r.turn++
	}
	r.ends(last)
}

// use takes a use of a tool.
func (r *sessionReader) use(l *line, b *block) {
	tool := cut(text(b.name), 200)
	u := use{turn: r.turn, side: !r.main(l)}
	if !u.side {
		r.Used++
		u.step = r.steps.Add(session.Step{Tool: tool, Arguments: session.Cut(string(b.input)), Status: session.Pending, At: moment(l.at)})
	}
	r.taint(tool, b.input)
	switch tool {
	case "Write", "Edit", "MultiEdit":
		u.write = r.writes(l, tool, b.input)
	case "Task", "Agent":
		u.agent = r.agent(l, b.input)
	}
	if id := text(b.id); id != "" && len(r.awaited) < mostAwaited {
		r.awaited[id] = u
	}
}

// writes notes a change of a memory and returns its place in Writes, counted from 1, or 0.
func (r *sessionReader) writes(l *line, tool string, input []byte) int {
	var file []byte
	read(input, wanted{"file_path", &file})
	w := Write{Path: text(file), Tool: tool, At: moment(l.at), Side: yes(l.side)}
	if !r.isMemory(w.Path) || len(r.Writes) == mostWrites {
		return 0
	}
	r.Writes = append(r.Writes, w)
	return len(r.Writes)
}

// agent notes a subagent and returns its place in Agents, counted from 1, or 0.
func (r *sessionReader) agent(l *line, input []byte) int {
	if yes(l.side) || len(r.Agents) == mostAgents {
		return 0
	}
	var kind, task, prompt []byte
	read(input, wanted{"subagent_type", &kind}, wanted{"description", &task}, wanted{"prompt", &prompt})
	r.Agents = append(r.Agents, Agent{Kind: cut(text(kind), 200), Task: cut(cmp.Or(text(task), text(prompt)), mostError)})
	return len(r.Agents)
}

// result takes what a tool returned.
func (r *sessionReader) result(l *line, b *block) {
	id := text(b.of)
	u := r.awaited[id]
	delete(r.awaited, id)
	var agent, kind []byte
	if u.agent > 0 || u.write > 0 {
		read(l.result, wanted{"agentId", &agent}, wanted{"type", &kind})
	}
	if u.agent > 0 {
		r.Agents[u.agent-1].id = cut(text(agent), 200)
	}
	if u.write > 0 {
		w := &r.Writes[u.write-1]
		w.Failed, w.Created = b.failed, !b.failed && is(kind, "create")
	}
	switch said := firstText(b.content); {
	case !r.main(l) || u.side:
	case !b.failed:
		u.ends(session.OK, "")
	case is(l.result, refusedUse) || strings.HasPrefix(said, refused):
		r.Rejected++
		u.ends(session.Declined, "")
	default:
		r.Failed++
		u.ends(session.Error, said)
	}
	if u.step != nil && strings.HasPrefix(u.step.Tool, ownServer+"__") {
		r.give("mcp winnow", "", texts(b.content)...)
	}
}

// firstText returns the text of a result: a string, or the first text among its blocks.
func firstText(content []byte) string {
	for value := range elements(content) {
		if b := blockOf(value); is(b.kind, "text") && text(b.text) != "" {
			return text(b.text)
		}
	}
	return text(content)
}

// isMemory reports whether a path is that of an instruction file, or lies in a folder of
// rules or memories.
func (r *sessionReader) isMemory(p string) bool {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	switch path.Base(p) {
	case "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md":
		return true
	}
	return slices.ContainsFunc(r.folders, func(f string) bool { return strings.HasPrefix(p, f) }) || memoryFolder().MatchString(p)
}
