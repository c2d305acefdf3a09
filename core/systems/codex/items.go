package codex

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"winnow/core/session"
)

// quietItems are the types of items the model saw or said that add nothing to a session.
var quietItems = []string{
	"reasoning",
	"ghost_snapshot",
	"compaction",
	"compaction_summary",
	"compaction_trigger",
	"context_compaction",
	"agent_message",
	"other",
}

// callTypes are the types of tool calls.
var callTypes = []string{
	"function_call",
	"custom_tool_call",
	"local_shell_call",
	"tool_search_call",
	"web_search_call",
	"image_generation_call",
	"tool_call",
}

// item reads something that the model saw or said.
func (r *reader) item(p *payload) {
	switch kind := p.Type; {
	case kind == "message" || kind == "" && p.Role != "":
		r.message(p)
	case slices.Contains(callTypes, kind):
		r.readCall(p)
	case strings.HasSuffix(kind, "_output"):
		r.output(p, p.Output)
	case kind == "tool_result":
		r.output(p, p.Result)
	case kind == "" && p.RecordType != "": // {"record_type": "state"}
	case kind == "" && (p.ID != "" || p.Instructions != nil): // the first line in the oldest versions
		r.meta(p)
	default:
		r.unknown("response_item ", kind, quietItems)
	}
}

// message reads a message. Messages with the user role also include what Codex inserts itself.
func (r *reader) message(p *payload) {
	if p.Role == "assistant" {
		t := r.turn()
		t.answered, t.failure = true, ""
		for _, text := range session.Texts(p.Content) {
			if len(t.said) < mostTurns {
				t.said = append(t.said, session.Turn{At: r.at, Text: session.Cut(text)})
			}
		}
		return
	}
	for i, text := range session.Texts(p.Content) {
		kind, hook := "", false
		if i < len(p.Passed.Kinds) {
			kind = p.Passed.Kinds[i]
		}
		if i < len(p.Passed.Parts) {
			hook = p.Passed.Parts[i].Provenance.Hook
		}
		source, isRequest := sourceOf(p.Role, kind, text)
		switch {
		case hook:
			r.addGiven("hook", text)
		case isRequest && strings.TrimSpace(text) != "":
			t := r.requestTurn()
			t.sent = append(t.sent, session.Cut(text))
		case source != "":
			r.addGiven(source, text)
		}
	}
}

// sourceOf returns the source of a message part, or "" if it is not a memory, and whether the
// person typed it. kind is the newer versions' name for it.
func sourceOf(role, kind, text string) (source string, isRequest bool) {
	begins := func(tags ...string) bool {
		return slices.ContainsFunc(tags, func(tag string) bool { return strings.HasPrefix(text, tag) })
	}
	switch {
	case begins("# AGENTS.md instructions", "<user_instructions>", "<INSTRUCTIONS>"):
		return "AGENTS.md", false
	case begins("<hook_prompt", "<hook_context>"):
		return "hook", false
	case role == "developer" || role == "system":
		if begins(
			"<permissions instructions>",
			"<skills_instructions>",
			"<collaboration_mode>",
			"<environment_context>",
		) {
			return "", false
		}
		return "developer message", false
	case kind != "" && kind != "unknown":
		return "", strings.HasPrefix(kind, "user.")
	}
	return "", !begins(
		"<environment_context>",
		"<turn_aborted>",
		"<recommended_plugins>",
		"<subagent_notification>",
		"<skill>",
		"<user_shell_command>",
		"<user_action>",
		"<goal_context>",
		"<codex_internal_context",
	)
}

// readCall reads a tool call.
func (r *reader) readCall(p *payload) {
	s := r.call(cmp.Or(p.CallID, p.ID))
	s.Tool = cmp.Or(p.Name, p.Function.Name, strings.TrimSuffix(p.Type, "_call"))
	if p.Namespace != "" {
		s.Tool = strings.TrimSuffix(p.Namespace, "__") + "__" + p.Name
	}
	s.Arguments = arguments(p.Arguments, p.Input, p.Action)
	if rest, isMCP := strings.CutPrefix(s.Tool, "mcp__"); isMCP {
		server, _, _ := strings.Cut(rest, "__")
		r.recordServer(s, server)
	}
	var in struct {
		Path, Server string
		Session      json.RawMessage `json:"session_id"`
	}
	session.Decode([]byte(s.Arguments), &in)
	switch s.Tool {
	case "web_search":
		r.s.AddTaint("web: web_search")
	case "view_image":
		r.s.AddFile(r.root, in.Path)
	case "read_mcp_resource", "list_mcp_resources", "list_mcp_resource_templates":
		if in.Server != "" {
			r.recordServer(s, in.Server)
		}
	case "write_stdin":
		r.writes[s] = strings.Trim(string(in.Session), `"`)
	case "exec_command", "shell", "shell_command", "local_shell", "container.exec":
		r.s.AddCommand(s.Arguments)
	}
	switch p.Type { // these have no output
	case "web_search_call", "image_generation_call", "local_shell_call":
		if p.Status == "completed" {
			endStep(s, session.OK, "", "")
		} else if p.Status == "incomplete" || p.Status == "failed" {
			endStep(s, session.Error, p.Status, "")
		}
	}
}

// recordServer records which MCP server a call is for.
func (r *reader) recordServer(s *session.Step, server string) {
	r.servers[s] = server
	if server != "winnow" {
		r.s.AddTaint("mcp: " + server)
	}
}

// output reads the output of a tool.
func (r *reader) output(p *payload, value []byte) {
	s := r.calls[p.CallID]
	if p.CallID == "" { // the oldest versions give the name instead
		if t := r.turn(); len(t.steps) > 0 {
			s = t.steps[len(t.steps)-1]
		}
	}
	if s == nil {
		r.s.AddUnknown(p.Type + " without its call")
		return
	}
	r.turn().answered = false
	got := resultOf(session.Text(value))
	if got.background != "" {
		r.background[got.background] = s
	}
	if r.servers[s] == "winnow" {
		r.addGiven("mcp winnow", got.text)
	}
	if s.Status == session.Pending { // an event is more reliable
		endStep(s, got.status, got.kind, got.text)
	}
	if first := r.background[r.writes[s]]; first != nil && first.Status == session.Pending &&
		got.status != session.Pending {
		endStep(first, got.status, got.kind, got.text)
	}
}
