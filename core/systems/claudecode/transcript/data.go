package transcript

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"winnow/core/memory"
	"winnow/core/session"
	"winnow/core/system"
)

// Kinds of transcript lines that are known and say nothing about how a session went.
var (
	ignoredLines = []string{
		"agent-name", "agent-setting", "api-request", "atis-latch", "bridge-session", "cost-state",
		"file-history-snapshot", "frame-link",
		"mode", "permission-mode", "pr-link", "progress", "queue-operation", "relocated", "result", "started", "tag",
		"tools-used", "worktree-state",
	}
	ignoredNotices = []string{
		"away_summary", "api_refusal", "error", "informational", "local_command", "memory_saved",
		"model_refusal_fallback", "session_start",
	}
	ignoredBlocks = []string{
		"",
		"document",
		"fallback",
		"image",
		"redacted_thinking",
		"server_tool_use",
		"text",
		"thinking",
		"web_search_tool_result",
	}
	ignoredAttachments = []string{
		"agent_listing_delta", "auto_mode", "auto_mode_exit", "batching_reminder_sent", "budget_usd",
		"command_permissions",
		"compact_file_reference", "critical_system_reminder", "date", "date_change", "deferred_tools_delta",
		"diagnostics", "directory",
		"dynamic_skill", "edited_text_file", "environment", "file", "hook_blocking_error", "hook_cancelled",
		"hook_error_during_execution",
		"hook_non_blocking_error", "hook_permission_decision", "hook_stopped_continuation", "hook_system_message",
		"invoked_skills", "mcp_resource",
		"model", "opened_file_in_ide", "output_style", "plan_file_reference", "plan_mode", "plan_mode_exit",
		"plan_mode_reentry",
		"read_truncation_notice", "remote_session_change", "selected_lines_in_ide", "session_context",
		"silent_turn_reminder", "skill_listing",
		"task_reminder", "task_status", "todo_reminder", "token_usage", "total_tokens_reminder", "ultra_effort_enter",
		"ultra_effort_exit",
	}
)

// unknown counts a kind of line, unless it is one of those ignored on purpose.
func (r *sessionReader) unknown(kind string, ignored []string) {
	if !slices.Contains(ignored, kind) {
		r.AddUnknown(kind)
	}
}

// attachment reads what was sent along with a message.
func (r *sessionReader) attachment(l *line) {
	if !r.main(l) {
		return
	}
	switch a := &l.Attachment; a.Type {
	case "instructions", "nested_memory", "relevant_memories":
		for _, p := range a.pieces() {
			r.addGiven(sources[p.How], p.Path, p.Content)
		}
	case "hook_additional_context":
		r.addGiven("hook "+a.HookEvent, "", session.Texts(a.Content)...)
	case "hook_success":
		if a.HookEvent == "SessionStart" || a.HookEvent == "UserPromptSubmit" {
			r.addGiven("hook "+a.HookEvent, "", session.Texts(a.Content)...)
		}
	case "prompt_snapshot":
		r.addGiven("system prompt", "", session.Texts(a.SystemPrompt)...)
	case "mcp_instructions_delta":
		r.addGiven("instructions of MCP servers", "", session.Texts(a.AddedBlocks)...)
	case "queued_command":
		text := strings.TrimSpace(session.Text(a.Prompt))
		if a.CommandMode == "prompt" && a.Origin.person() && isPrompt(text) {
			r.AddRequest(text, l.at())
		}
	default:
		r.unknown(a.Type, ignoredAttachments)
	}
}

// sources are the source names for the texts of files that a session was given.
var sources = map[How]string{Instructions: "CLAUDE.md", Nested: "CLAUDE.md", Recalled: "recalled memory"}

// request reads what a request to the model contained of the system prompt. The rest of the request
// is in other lines.
func (r *sessionReader) request(l *line) {
	r.addGiven("system prompt", "", session.Texts(l.Shape.System)...)
	if l.Message.Role == "system" {
		r.addGiven("system prompt", "", session.Texts(l.Message.Content)...)
	}
}

// addGiven records texts that the session was given.
func (r *sessionReader) addGiven(source, path string, all ...string) {
	for _, t := range all {
		r.AddGiven(session.Given{Source: source, Path: path, Text: t})
	}
}

// ownServer begins the names of the tools of Winnow's own server.
const ownServer = "mcp__winnow"

// taint records what a tool use read that the person did not write, and the files.
func (r *sessionReader) taint(tool string, in *input) {
	switch tool {
	case "WebFetch", "WebSearch":
		r.AddTaint("web: " + tool)
	case "Bash":
		r.AddCommand(in.Command)
		r.opened(in.markdown(tool)...)
	case "Read", "Grep", "Glob":
		r.opened(in.markdown(tool)...)
		if len(r.Reads) < mostReads {
			r.Reads = memory.AppendNew(r.Reads, system.Notes(in.FilePath, in.Path)...)
		}
	default:
		if server, is := strings.CutPrefix(tool, "mcp__"); is && !strings.HasPrefix(tool, ownServer+"__") {
			server, _, _ = strings.Cut(server, "__")
			r.AddTaint("mcp: " + server)
		}
	}
}

// opened records Markdown files that the session read.
func (r *sessionReader) opened(paths ...string) {
	if len(r.Opened) < mostReads {
		r.Opened = memory.AppendNew(r.Opened, paths...)
	}
}

// markdown returns the absolute paths of Markdown files that a use of a tool reads. Those of a command may begin
// with "~/".
func (in *input) markdown(tool string) (paths []string) {
	words := []string{in.FilePath, in.Path}
	if tool == "Bash" {
		words = strings.FieldsFunc(in.Command, func(r rune) bool {
			return strings.ContainsRune(" \t\n'\"`;|&<>()=", r)
		})
	}
	for _, w := range words {
		if strings.HasSuffix(w, ".md") && (filepath.IsAbs(w) || strings.HasPrefix(w, "~/")) {
			paths = append(paths, w)
		}
	}
	return paths
}

// Opened returns the Markdown files that the transcript of a subagent shows as read or given.
func Opened(ctx context.Context, path string) (paths []string, err error) {
	err = lines(ctx, path, func(b []byte) (more bool) {
		if !bytes.Contains(b, []byte(`.md`)) {
			return true
		}
		var l line
		session.Decode(b, &l)
		for _, p := range l.Attachment.pieces() {
			paths = memory.AppendNew(paths, p.Path)
		}
		for _, use := range blocksOf(&l) {
			var in input
			if use.Type == "tool_use" && session.Decode(use.Input, &in) {
				paths = memory.AppendNew(paths, in.markdown(use.Name)...)
			}
		}
		return len(paths) < mostReads
	})
	return paths, err
}

// recordEnd records how a tool use ended.
func (u *toolUse) recordEnd(status session.Status, output string) {
	if u.step == nil {
		return
	}
	u.step.Status = status
	if status == session.OK {
		u.step.Hear(output)
	}
	if status != session.Error {
		return
	}
	line, _, _ := strings.Cut(output, "\n")
	if code, is := strings.CutPrefix(line, "Exit code "); is {
		u.step.Kind = "exit " + cut(strings.TrimSpace(code), 20)
	}
	const begin, end = "<tool_use_error>", "</tool_use_error>"
	if inner, is := strings.CutPrefix(output, begin); is {
		output, u.step.Kind = strings.TrimSuffix(inner, end), "tool use error"
	}
	u.step.Error = session.Cut(output)
}
