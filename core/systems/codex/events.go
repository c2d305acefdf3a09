package codex

import (
	"cmp"
	"fmt"
	"strings"

	"winnow/core/session"
)

// quietEvents are the event types that add nothing to a session.
var quietEvents = []string{
	"agent_message", "agent_reasoning", "agent_reasoning_raw_content", "agent_reasoning_section_break", "token_count",
	"sub_agent_activity", "context_compacted",
	"entered_review_mode", "exited_review_mode", "thread_goal_updated", "thread_settings_applied",
	"thread_name_updated", "thread_queue_changed", "image_generation_begin", "image_generation_end",
	"session_configured", "environment_connected", "environment_disconnected", "mcp_startup_update",
	"mcp_startup_complete", "mcp_tool_call_begin", "web_search_begin",
	"exec_command_begin", "exec_command_output_delta", "terminal_interaction", "exec_approval_request",
	"request_permissions", "request_user_input", "dynamic_tool_call_request",
	"dynamic_tool_call_response", "elicitation_request", "elicitation_abandoned", "apply_patch_approval_request",
	"guardian_assessment", "guardian_warning", "deprecation_notice", "stream_error", "warning",
	"patch_apply_begin", "patch_apply_updated", "turn_diff", "plan_update", "plan_delta", "shutdown_complete",
	"raw_response_item", "raw_response_completed", "item_started", "hook_started", "hook_completed",
	"background_event", "undo_started", "undo_completed", "model_reroute", "model_verification",
	"skills_update_available", "get_history_entry_response",
}

// event reads an event, which is what the Codex screen showed.
func (r *reader) event(p *payload) {
	switch kind := strings.ReplaceAll(p.Type, ".", "_"); kind {
	case "user_message":
		if message := session.Text(p.Message); !isInjected(message) {
			t := r.requestTurn()
			t.typed = append(t.typed, session.Cut(message))
		}
	case "task_started", "turn_started":
		t := r.turn()
		if t.ended || t.begun || !r.marked && t.answered {
			t = r.begin()
		}
		t.begun, r.marked = true, true
	case "task_complete", "turn_complete", "turn_completed":
		t := r.turn()
		t.ended, r.marked = true, true
		t.failure = cmp.Or(p.Error.Message, t.failure)
	case "turn_aborted":
		t := r.turn()
		t.ended, r.marked = true, true
		switch p.Reason {
		case "review_ended":
		case "budget_limited":
			t.failure = "budget limited"
		default:
			t.aborted = true
		}
	case "error":
		r.turn().failure = cmp.Or(session.Text(p.Message), "error")
	case "thread_rolled_back":
		r.rollBack(p.NumTurns)
	case "web_search_end":
		r.s.AddTaint("web: web_search")
	case "item_completed":
		r.completed(p)
	default:
		r.toolEvent(kind, p)
	}
}

// toolEvent reads an event about how a call ended.
func (r *reader) toolEvent(kind string, p *payload) {
	known := r.calls[p.CallID] != nil
	switch kind {
	case "mcp_tool_call_end":
		s := r.call(p.CallID)
		if !known {
			s.Tool, s.Arguments = "mcp__"+p.Invocation.Server+"__"+p.Invocation.Tool, arguments(p.Invocation.Arguments)
		}
		r.recordServer(s, p.Invocation.Server)
		status, message := outcomeOfMCP(p.Result)
		endStep(s, status, "tool error", message)
	case "patch_apply_end":
		s := r.call(p.CallID)
		s.Tool = cmp.Or(s.Tool, "apply_patch")
		switch {
		case p.Status == "declined":
			endStep(s, session.Declined, "", "")
		case p.Success != nil && !*p.Success || p.Status == "failed":
			endStep(s, session.Error, "patch does not apply", p.Stderr)
		default:
			endStep(s, session.OK, "", "")
		}
	case "exec_command_end":
		if p.ExitCode != nil && known {
			var ended result
			ended.recordExit(*p.ExitCode)
			endStep(r.calls[p.CallID], ended.status, ended.kind, p.Aggregated)
		}
	case "view_image_tool_call":
	default:
		if !strings.HasPrefix(kind, "collab_") && !strings.HasPrefix(kind, "realtime_") {
			r.unknown("event_msg ", kind, quietEvents)
		}
	}
}

// isInjected reports whether Codex inserted the message itself.
func isInjected(message string) bool {
	source, isRequest := sourceOf("user", "", message)
	return source != "" || !isRequest
}

// quietThings are the types of completed items that add nothing to a session.
var quietThings = []string{
	"AgentMessage", "Reasoning", "Plan", "Sleep", "ContextCompaction", "EnteredReviewMode", "ExitedReviewMode",
	"SubAgentActivity", "CollabAgentToolCall", "ImageGeneration",
	"DynamicToolCall", "FunctionCallOutput", "AsyncUserInputQuestion",
}

// completed reads a completed item. Newer versions use items for what older ones put in events.
func (r *reader) completed(p *payload) {
	it := &p.Item
	s := r.calls[it.ID]
	switch it.Type {
	case "UserMessage":
		t := r.requestTurn()
		t.typed = append(t.typed, session.Cut(session.Text(it.Content)))
	case "HookPrompt":
		r.addGiven("hook", session.Text(it.Fragments))
	case "CommandExecution":
		for _, c := range it.Commands {
			if c.Type == "read" {
				r.s.AddFile(r.root, c.Path)
			}
		}
		if s != nil {
			r.recordEnd(s, it)
		}
	case "FileChange":
		if s != nil {
			r.recordEnd(s, it)
		}
	case "McpToolCall":
		if s != nil {
			r.recordServer(s, it.Server)
			r.recordEnd(s, it)
		}
	case "WebSearch", "Extension": // a search is an Extension
		r.s.AddTaint("web: web_search")
	case "ImageView":
		r.s.AddFile(r.root, it.Path)
	default:
		r.unknown("item_completed ", it.Type, quietThings)
	}
}

// recordEnd records how a call ended, according to its item. A command that was interrupted has no
// result.
func (r *reader) recordEnd(s *session.Step, it *item) {
	kind := map[string]string{
		"CommandExecution": "failed", "FileChange": "patch does not apply", "McpToolCall": "tool error",
	}[it.Type]
	if it.ExitCode != nil {
		kind = fmt.Sprintf("exit %d", *it.ExitCode)
	}
	switch {
	case it.Status == "declined":
		endStep(s, session.Declined, "", "")
	case it.Status == "failed" && r.turn().aborted:
	case it.Status == "failed":
		endStep(s, session.Error, kind, cmp.Or(it.Output, it.Stderr, it.Error.Message))
	case it.Status == "completed":
		endStep(s, session.OK, "", it.Output)
	}
}
