package transcript

import "strings"

// notPrompts are how texts begin that Claude Code puts into the mouth of the person.
var notPrompts = []string{
	"<command-name>", "<command-message>", "<local-command-", "<system-reminder>", "<bash-", "<task-notification>",
	"<user-prompt-submit-hook>", interrupted,
}

const (
	interrupted = "[Request interrupted"
	refused     = "The user doesn't want to proceed with this tool use"
	refusedUse  = "User rejected tool use"
)

// user takes a line of the person, or with the results of tools.
func (r *teller) user(e *entry) {
	var content []byte
	object(e.message, func(key, value []byte) bool {
		if string(key) == "content" {
			content = value
		}
		return true
	})
	if len(content) > 0 && content[0] == '"' {
		r.said(e, text(content))
		return
	}
	results, texts := false, []string(nil)
	array(content, func(value []byte) bool {
		b := blockOf(value)
		switch {
		case is(b.kind, "tool_result"):
			results = true
			r.result(e, &b)
		case is(b.kind, "text") && len(texts) < 100:
			texts = append(texts, text(b.text))
		}
		return true
	})
	if e.side {
		return
	}
	if results {
		r.last = Open
	}
	said := ""
	for _, t := range texts {
		if strings.HasPrefix(t, interrupted) {
			r.last = Interrupted
			return
		}
		if said == "" && !results && prompt(t) {
			said = t
		}
	}
	if said != "" {
		r.said(e, said)
	}
}

// said takes what stands as text of the person.
func (r *teller) said(e *entry, t string) {
	kind := ""
	object(e.origin, func(key, value []byte) bool {
		if string(key) == "kind" {
			kind = text(value)
		}
		return true
	})
	switch {
	case e.side:
	case strings.HasPrefix(t, interrupted):
		r.last = Interrupted
	case e.meta, e.compact, kind != "" && kind != "human":
	case prompt(t):
		r.Prompts++
		if r.Task == "" {
			r.Task = cut(strings.TrimSpace(t), mostText)
		}
		r.turn++
		r.last = Open
	case r.command == "":
		r.command = commandOf(t)
	}
}

// prompt reports whether a text is one that a person wrote.
func prompt(t string) bool {
	t = strings.TrimSpace(t)
	for _, p := range notPrompts {
		if strings.HasPrefix(t, p) {
			return false
		}
	}
	return t != ""
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

func blockOf(value []byte) block {
	var b block
	object(value, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			b.kind = value
		case "text":
			b.text = value
		case "id":
			b.id = value
		case "tool_use_id":
			b.of = value
		case "name":
			b.name = value
		case "input":
			b.input = value
		case "content":
			b.content = value
		case "is_error":
			b.failed = yes(value)
		}
		return true
	})
	return b
}

// assistant takes a line of the model: one block of a message.
func (r *teller) assistant(e *entry) {
	var content, stop []byte
	object(e.message, func(key, value []byte) bool {
		switch string(key) {
		case "content":
			content = value
		case "stop_reason":
			stop = value
		}
		return true
	})
	if !e.side {
		r.last = Open
	}
	if e.apiError {
		r.APIErrors++
		if !e.side {
			r.last = Broken
		}
		return
	}
	array(content, func(value []byte) bool {
		if b := blockOf(value); is(b.kind, "tool_use") {
			r.use(e, &b)
		}
		return true
	})
	if !e.side && is(stop, "end_turn") {
		r.last = Finished
		r.turn++
	}
}

// use takes a use of a tool.
func (r *teller) use(e *entry, b *block) {
	tool := r.named(text(b.name))
	u := use{tool: tool, turn: r.turn, side: e.side}
	if !e.side {
		r.Used++
		if len(r.Tools) < mostTools {
			r.Tools = append(r.Tools, tool)
		}
	}
	switch tool {
	case "Write", "Edit", "MultiEdit":
		u.writes = r.writes(e, tool, b.input)
	case "Task", "Agent":
		u.agent = r.started(e, b.input)
	}
	if id := text(b.id); id != "" && len(r.awaited) < mostAwaited {
		r.awaited[id] = u
	}
}

// named returns one copy of each name, so that a line is not kept for it.
func (r *teller) named(name string) string {
	if n, ok := r.names[name]; ok {
		return n
	}
	name = cut(name, 200)
	if len(r.names) < mostTools {
		r.names[name] = name
	}
	return name
}

// result takes what a tool returned.
func (r *teller) result(e *entry, b *block) {
	id := text(b.of)
	u, awaited := r.awaited[id]
	delete(r.awaited, id)
	if u.agent > 0 {
		r.Agents[u.agent-1].ID = resultAgent(e.result)
	}
	for _, w := range u.writes {
		r.written(&r.Writes[w-1], e.result, b.failed)
	}
	if !b.failed || e.side || awaited && u.side {
		return
	}
	f := Failure{Tool: u.tool, At: e.at, Text: resultText(b.content)}
	f.Rejected = is(e.result, refusedUse) || strings.HasPrefix(f.Text, refused)
	if len(r.Failures) == mostFailures {
		r.skipped++
		return
	}
	r.Failures = append(r.Failures, f)
}

// resultText returns the text of a result: a string, or the texts of blocks.
func resultText(content []byte) string {
	if len(content) > 0 && content[0] == '"' {
		return cut(text(content), mostError)
	}
	var out []string
	array(content, func(value []byte) bool {
		if b := blockOf(value); is(b.kind, "text") {
			out = append(out, cut(text(b.text), mostError))
		}
		return len(out) < 10
	})
	return cut(strings.Join(out, "\n"), mostError)
}

func resultAgent(result []byte) string {
	id := ""
	object(result, func(key, value []byte) bool {
		if string(key) == "agentId" {
			id = cut(text(value), 200)
		}
		return true
	})
	return id
}
