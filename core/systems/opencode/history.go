package opencode

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"winnow/core/filestore"
	"winnow/core/jstext"
	"winnow/core/memory"
	agents "winnow/core/session"
	"winnow/core/sqlite"
)

// Limits of listing and reading sessions.
const (
	mostHeads    = 1000
	mostMessages = 20_000
)

// heads returns the sessions of the databases, newest first.
func (m machine) heads(ctx context.Context, folder string) (all []agents.Head, failed error) {
	seen := map[string]bool{}
	add := func(s *session, path string) {
		if s.id == "" || s.problem != nil || seen[s.id] {
			return
		}
		seen[s.id] = true
		all = append(all, agents.Head{
			System: id, ID: s.id, Path: path, Folder: s.directory, Changed: moment(s.updated).Time,
			Subagent: s.parent != "",
		})
	}
	for _, path := range m.databases() {
		p, err := newestSessions(ctx, path, folder)
		if err != nil && filestore.Exists(path) {
			failed = errors.Join(failed, err)
		}
		for i := range p.sessions {
			add(&p.sessions[i], path)
		}
	}
	slices.SortStableFunc(all, func(a, b agents.Head) int { return b.Changed.Compare(a.Changed) })
	return all, errors.Join(failed, ctx.Err())
}

// newestSessions returns the newest sessions of a database, without their messages. If folder is
// not empty, it returns only those in that folder.
func newestSessions(ctx context.Context, path, folder string) (page, error) {
	return pageOf(ctx, path, func(*sql.DB, *page) error { return nil }, `WHERE ?1 = '' OR directory = ?1
		OR substr(directory, 1, length(?1) + 1) = ?1 || ?2 ORDER BY time_updated DESC LIMIT ?3`, folder, string(filepath.Separator), mostHeads)
}

// readSession reads one session.
func (m machine) readSession(ctx context.Context, head agents.Head, now time.Time) (agents.Session, error) {
	// What a plugin puts into the system prompt is not recorded.
	r := historyReader{m: m, Session: agents.Session{Head: head, GivenPartly: true}}
	err := r.read(ctx)
	switch {
	case ctx.Err() != nil:
		return r.Session, ctx.Err()
	case err != nil:
		return r.Session, problemOf(err)
	}
	r.finish(now)
	return r.Session, nil
}

// historyReader builds a session from messages and their parts.
type historyReader struct {
	agents.Session
	m        machine
	row      session
	steps    agents.Steps
	messages []message
	root     string // of the project
	said     string // by the person, in one message
}

// read reads the session from the database that its head names.
func (r *historyReader) read(ctx context.Context) error {
	head := r.Head
	_, err := pageOf(ctx, head.Path, func(db *sql.DB, p *page) (err error) {
		*r = historyReader{m: r.m, Session: agents.Session{Head: head, GivenPartly: true}} // this may be called again
		if len(p.sessions) == 0 {
			return noSession()
		}
		r.begin(p.sessions[0])
		if r.messages, err = readMessages(ctx, db, head.ID); err != nil {
			return err
		}
		err = r.each(func(m *message) error {
			read := func(_, data string, large bool) { r.part(m, data, large) }
			return eachPart(ctx, db, read, "WHERE message_id = ?2 ORDER BY id", m.id)
		})
		if err != nil || len(r.Corrections) == 0 || !slices.Contains(p.schema.session, "permission") {
			return err
		}
		// "opencode run" takes one request, and denies its session everything that would ask a
		// person.
		runs, err := sqlite.Column(ctx, db, `SELECT id FROM session WHERE id = ? AND instr(substr(permission, 1, 4096), '"plan_enter"') > 0`, head.ID)
		r.Resumed = r.Resumed || len(runs) > 0
		return err
	}, "WHERE id = ? LIMIT 1", head.ID)
	return err
}

func noSession() *memory.Problem {
	return &memory.Problem{Code: "missing", What: "The session is not there any more."}
}

// begin reads what the session row says.
func (r *historyReader) begin(s session) {
	r.row = s
	r.Version, r.Subagent, r.Folder = s.version, s.parent != "", s.directory
	r.Began = moment(s.created).Time
	if filepath.IsAbs(r.Folder) {
		r.root = r.Folder
		if root, git := r.m.worktree(r.Folder); git {
			r.root = root
		}
	}
}

// each calls parts for each message, in order. parts reads the parts of the message.
func (r *historyReader) each(parts func(*message) error) error {
	r.messages = r.messages[max(0, len(r.messages)-mostMessages):]
	for i := range r.messages {
		m := &r.messages[i]
		switch {
		case m.large:
			r.AddUnknown("a message that is too large")
		case m.broken:
			r.AddUnknown("a message that is no JSON")
		case m.role != "user" && m.role != "assistant":
			r.AddUnknown("message of " + m.role)
		}
		at := moment(m.created).Time
		if m.role == "user" && !r.Ended.IsZero() && at.Sub(r.Ended) >= agents.Quiet {
			r.Resumed = true
		}
		r.extendTo(m.created)
		r.said = ""
		if err := parts(m); err != nil {
			return err
		}
		r.AddRequest(unquoted(r.said), at)
		r.extendTo(m.ended)
	}
	return nil
}

// unquoted returns a request without the quotes that "opencode run" puts around several words.
func unquoted(request string) string {
	request = strings.TrimSpace(request)
	if inner, begins := strings.CutPrefix(request, `"`); begins {
		if inner, ends := strings.CutSuffix(inner, `"`); ends && !strings.Contains(inner, `"`) {
			return inner
		}
	}
	return request
}

// extendTo records that something happened at a time, in milliseconds.
func (r *historyReader) extendTo(at int64) {
	if t := moment(at).Time; at > 0 && t.After(r.Ended) {
		r.Ended = t
	}
}

// ignoredParts are the kinds of parts that say nothing about how a session went.
var ignoredParts = []string{
	"reasoning", "file", "step-start", "step-finish", "patch", "snapshot", "agent", "subtask", "retry", "compaction",
}

// part reads a part of a message.
func (r *historyReader) part(m *message, data string, large bool) {
	if large {
		r.AddUnknown("a part that is too large")
		return
	}
	v, err := jstext.Parse(data)
	switch kind := text(v, "type"); {
	case err != nil:
		r.AddUnknown("a part that is no JSON")
	case kind == "tool":
		r.call(v)
	case kind == "text":
		switch said, ok := personText(v); {
		case ok && m.role == "user":
			r.said += said + "\n"
		case ok && m.role == "assistant":
			r.Say(false, moment(m.created).Time, said)
		}
	case !slices.Contains(ignoredParts, kind):
		r.AddUnknown("part " + kind)
	}
}

// OpenCode's own tools: those that read from the web, those that read files, and the others.
var (
	webTools  = []string{"webfetch", "websearch", "codesearch"}
	fileTools = []string{"read", "grep", "glob", "list"}
	ownTools  = []string{
		"bash", "write", "edit", "multiedit", "patch", "apply_patch", "task", "todowrite", "todoread", "skill",
		"question", "lsp", "batch", "invalid", "plan_enter", "plan_exit",
	}
)

// isRefusal reports whether an error of a call says that the person refused or stopped it.
func isRefusal(err string) bool {
	return strings.Contains(err, "user rejected permission") || strings.Contains(err, "user dismissed") ||
		err == "Tool execution aborted"
}

// call reads a tool call.
func (r *historyReader) call(v jstext.Value) {
	c := callOf(v)
	began := moment(number(v, "state", "time", "start")).Time
	step := agents.Step{Tool: cut(c.tool, 200), Status: agents.Pending, At: began}
	input := v.Dig("state", "input")
	step.Arguments = agents.Cut(string(input.AppendJSON(nil)))
	r.extendTo(number(v, "state", "time", "end"))
	switch output := text(v, "state", "output"); {
	case c.status == "error":
		step.Status, step.Error = agents.Error, agents.Cut(c.err)
		if isRefusal(c.err) {
			step.Status, step.Error = agents.Declined, ""
		}
	case c.status != "completed":
	case c.tool == "invalid":
		step.Tool, step.Status = cut(c.wanted, 200), agents.Error
		step.Error, step.Kind = agents.Cut(output), "unknown tool"
	case c.tool == "bash" && v.Dig("state", "metadata", "exit").Kind() == jstext.Null &&
		strings.Contains(output, "User aborted the command"):
		step.Status = agents.Declined
	case c.failed:
		step.Status, step.Error, step.Kind = agents.Error, agents.Cut(output), "exit "+strconv.FormatInt(c.exit, 10)
	default:
		step.Status = agents.OK
	}
	r.steps.Add(step)
	r.addReads(&c, input, text(v, "state", "output"))
	c.output = ""
	r.row.calls = append(r.row.calls, c)
}

// addReads records what a call read that the person did not write, and the memories that it was given.
func (r *historyReader) addReads(c *call, input jstext.Value, output string) {
	server, _, _ := strings.Cut(c.tool, "_")
	switch {
	case slices.Contains(webTools, c.tool):
		r.AddTaint("web: " + c.tool)
	case c.tool == "bash":
		r.AddCommand(text(input, "command"))
	case slices.Contains(fileTools, c.tool):
		r.AddFile(r.root, text(input, "filePath"))
		r.AddFile(r.root, text(input, "path"))
	case server == "winnow":
		r.AddGiven(agents.Given{Source: "mcp winnow", Text: output})
	case !slices.Contains(ownTools, c.tool):
		r.AddTaint("mcp: " + cut(server, 100))
	}
	if at := strings.LastIndex(c.output, reminderBegin+heading); at >= 0 {
		r.AddGiven(agents.Given{Source: "instructions of a folder", Path: c.loaded[0], Text: c.output[at:]})
	}
}

// finish sets what is known only at the end.
func (r *historyReader) finish(now time.Time) {
	r.Steps = r.steps.Latest()
	r.row.complete(r.messages)
	r.Model = r.row.model
	if r.Ended.After(r.Changed) {
		r.Changed = r.Ended
	}
	pending := r.row.outcome == unsettled || r.row.outcome == noReply
	declined := len(r.Steps) > 0 && r.Steps[len(r.Steps)-1].Status == agents.Declined
	switch refused := pending && r.row.last.completed && declined; {
	case r.row.outcome == empty:
		r.State, r.Why = agents.Unknown, "Nobody asked for anything."
	case r.goesOn(pending && !refused, now):
		r.State = agents.Running
	case refused, r.row.outcome == aborted:
		r.State = agents.Aborted // a turn ends when the person refuses
	case r.row.outcome == failed:
		r.State, r.Why = agents.Failed, agents.Cut(cmp.Or(r.row.last.err, r.row.failure))
	case pending:
		r.State, r.Why = agents.Unknown, "Its last turn has no end, and no process of OpenCode is known that runs it."
	default:
		r.State = agents.Judge(r.Steps)
	}
}

// goesOn reports whether the session is still running: an OpenCode process exists that may run it,
// or nobody can tell. If no turn is pending, the session must also have changed recently.
func (r *historyReader) goesOn(pending bool, now time.Time) bool {
	all := r.m.running()
	known := r.m.holding != nil
	if known {
		all = append(r.m.holding(r.Path, r.Path+"-wal"), all...)
	}
	runs := slices.ContainsFunc(all, func(p memory.Running) bool { return !p.Since.After(r.Ended.Add(time.Second)) })
	if pending {
		return runs && !r.ToldOver(r.Ended)
	}
	return (runs || !known) && !r.Silent(now, r.Ended)
}
