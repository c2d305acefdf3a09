package karnevil9

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"winnow/core/git"
	"winnow/core/journal"
	"winnow/core/jstext"
	"winnow/core/lesson"
	"winnow/core/quietread"
	"winnow/core/session"
	"winnow/core/system"
)

// journalVariable names the journal. An empty value counts as set.
const journalVariable = "KARNEVIL9_JOURNAL_PATH"

// journalFiles are the paths of a journal below a working folder: the agent's own default, and the
// one in its .env.example.
var journalFiles = [...]string{"journal/events.jsonl", "data/journal.jsonl"}

// findJournals returns the journals of agents that work in env.Dir or in folder, each with its
// working folder.
func findJournals(env system.Env, folder string) map[string]string {
	found := map[string]string{}
	dirs := git.WithRoot(env.Dir)
	if folder != "" {
		dirs = append(dirs, folder)
	}
	if named := namedJournal(env); named != "" {
		found[named] = env.Dir
	}
	for _, dir := range dirs {
		for _, rel := range journalFiles {
			found[filepath.Join(dir, filepath.FromSlash(rel))] = dir
		}
	}
	return found
}

// namedJournal returns the journal named by the environment, or by .env as the agent reads it.
func namedJournal(env system.Env) string {
	value, set := env.Lookup(journalVariable)
	if !set {
		value, _ = dotenv(env.Dir, journalVariable)
	}
	switch {
	case value == "":
		return ""
	case !filepath.IsAbs(value):
		value = filepath.Join(env.Dir, value)
	}
	return filepath.Clean(value)
}

// sessions implements [system.System.Sessions].
func sessions(ctx context.Context, env system.Env, folder string) ([]session.Head, error) {
	var all []session.Head
	var failed error
	for path, dir := range findJournals(env, folder) {
		heads, err := heads(ctx, path, dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = errors.Join(failed, err)
		}
		all = append(all, heads...)
	}
	slices.SortFunc(all, func(a, b session.Head) int {
		return cmp.Or(b.Changed.Compare(a.Changed), cmp.Compare(a.ID, b.ID))
	})
	return all[:min(len(all), mostHeads)], failed
}

// mostHeads is the number of sessions listed at most.
const mostHeads = 1000

// heads returns the sessions in a journal of agents that work in dir.
func heads(ctx context.Context, path, dir string) ([]session.Head, error) {
	all := map[string]session.Head{}
	subagents := map[string]bool{}
	err := journal.Events(ctx, path, mostJournal, func(line string) {
		id, kind, at := headOf(line)
		h, known := all[id]
		switch {
		case kind == "session.created":
			h = session.Head{System: ID, ID: id, Path: path, Folder: dir}
		case !known:
			return
		case kind == "context.delegation_completed":
			event, _ := jstext.Parse(line) // invalid JSON names no session
			subagents[event.Dig("payload", "subagent_session_id").Str()] = true
		}
		h.Changed = latest(h.Changed, at)
		all[id] = h
	})
	var out []session.Head
	for h := range maps.Values(all) {
		h.Subagent = subagents[h.ID]
		out = append(out, h)
	}
	return out, err
}

// headOf returns the session ID, type and time of an event. It stops reading as soon as it has all
// three, since most of a journal is tool output.
func headOf(line string) (id, kind string, at time.Time) {
	_, _ = jstext.Scan(line, func(p jstext.Part) bool { // invalid JSON: keep what came before the error
		switch p.Name() {
		case "session_id":
			id = jstext.Text(p.Value)
		case "type":
			kind = jstext.Text(p.Value)
		case "timestamp":
			at = session.Time(jstext.Text(p.Value))
		}
		return id == "" || kind == "" || at.IsZero()
	})
	return id, kind, at
}

// readSession implements [system.System.Session].
func readSession(ctx context.Context, _ system.Env, head session.Head) (session.Session, error) {
	r := sessionReader{
		Session: session.Session{Head: head, GivenPartly: true},
		inputs:  map[string]string{},
		open:    map[string]*session.Step{},
		place:   map[string]int{},
		ran:     map[string]bool{},
		failed:  map[string]bool{},
		plainID: jstext.Quoted(head.ID) == `"`+head.ID+`"`,
	}
	if err := journal.Events(ctx, head.Path, mostJournal, r.line); err != nil {
		if ctx.Err() != nil {
			return r.Session, ctx.Err()
		}
		return r.Session, quietread.Problem(err)
	}
	r.finish()
	return r.Session, nil
}

// sessionReader builds a session from the events of a journal.
type sessionReader struct {
	session.Session
	steps  session.Steps
	inputs map[string]string        // by step ID, for the last plan
	open   map[string]*session.Step // steps without a result yet
	plan   jstext.Value             // the last accepted plan that has steps
	engine lesson.Session
	place  map[string]int // step ID -> index in engine.Results
	ran    map[string]bool
	failed map[string]bool // failed steps of the last plan
	// plainID is set if the session ID appears in JSON without escapes.
	plainID bool
	last    string // the type of the last event
	ended   string // the type of the event that ended the session
	asked   bool   // the planner is retrying
}

// line reads one line of the journal.
func (r *sessionReader) line(line string) {
	whole := strings.HasSuffix(line, "}")
	if whole && r.plainID && !strings.Contains(line, r.ID) {
		return // most lines belong to other sessions
	}
	event, err := jstext.Parse(line)
	if err != nil {
		if !r.Began.IsZero() && r.ended == "" {
			r.AddUnknown("a line that is no JSON")
		}
		return
	}
	kind, payload := event.Dig("type").Str(), event.Dig("payload")
	if kind == "context.delegation_completed" && payload.Dig("subagent_session_id").Str() == r.ID {
		r.Subagent = true
	}
	if event.Dig("session_id").Str() != r.ID {
		return
	}
	at := session.Time(event.Dig("timestamp").Str())
	r.Began = cmp.Or(r.Began, at)
	r.Ended, r.Changed = latest(r.Ended, at), latest(r.Changed, at)
	r.last = kind
	family, _, _ := strings.Cut(kind, ".")
	switch family {
	case "session":
		r.session(kind, payload, at)
	case "step":
		r.step(kind, payload, at)
	default:
		r.other(kind, payload, at)
	}
}

// session reads an event about the whole session.
func (r *sessionReader) session(kind string, payload jstext.Value, at time.Time) {
	switch kind {
	case "session.created":
		r.engine.Text = payload.Dig("task_text").Str()
		r.Task = session.Cut(r.engine.Text)
		r.Say(true, at, r.engine.Text)
	case "session.started":
		r.Resumed = r.Resumed || payload.Dig("recovered").Truthy()
	case "session.resumed":
		r.Resumed = true
	case "session.completed", "session.failed", "session.aborted":
		r.ended, r.engine.Now = kind, at
		r.Why = session.Cut(cmp.Or(payload.Dig("reason").Str(), payload.Dig("error").Str()))
	case "session.paused", "session.checkpoint":
	default:
		r.AddUnknown(kind)
	}
}

// step reads an event about one step.
func (r *sessionReader) step(kind string, payload jstext.Value, at time.Time) {
	id := payload.Dig("step_id").Str()
	s := r.open[id]
	if s == nil {
		s = r.steps.Add(
			session.Step{Tool: payload.Dig("tool").Str(), Arguments: r.inputs[id], Status: session.Pending, At: at},
		)
		r.open[id] = s
	}
	switch kind {
	case "step.started":
		return
	case "step.succeeded":
		s.Status = session.OK
		r.result(id, lesson.StepResult{Status: "succeeded"})
	case "step.failed":
		e := payload.Dig("error")
		s.Status, s.Error, s.Kind = session.Error, session.Cut(e.Dig("message").Str()), e.Dig("code").Str()
		r.failed[id] = true
		r.result(id, lesson.StepResult{Status: "failed", Error: e})
	default:
		r.AddUnknown(kind)
		return
	}
	delete(r.open, id)
}

// result keeps the result of a step. It replaces an earlier result of the same step ID, in the same
// position.
func (r *sessionReader) result(id string, result lesson.StepResult) {
	i, known := r.place[id]
	if !known {
		i = len(r.engine.Results)
		r.place[id] = i
		r.engine.Results = append(r.engine.Results, lesson.StepResult{})
	}
	r.engine.Results[i] = result
	r.ran[id] = true
}

// other reads the remaining events. Only families outside [ignored] are reported as unknown.
func (r *sessionReader) other(kind string, payload jstext.Value, at time.Time) {
	family, _, _ := strings.Cut(kind, ".")
	switch {
	case kind == "plan.accepted":
		r.accept(payload.Dig("plan"))
	case kind == "planner.plan_rejected":
		r.asked = payload.Dig("retrying").Truthy()
		r.Why = session.Cut(cmp.Or(payload.Dig("reason").Str(), firstText(payload.Dig("errors"))))
	case kind == "usage.recorded":
		r.Model = cmp.Or(payload.Dig("model").Str(), r.Model)
	case kind == "memory.lesson_extracted":
		r.engine.LessonID, r.engine.Now = payload.Dig("lesson_id").Str(), at
	case !slices.Contains(ignored, family):
		r.AddUnknown(kind)
	}
}

// ignored are the event families that say nothing about how a session went.
var ignored = []string{
	"planner", "plan", "permission", "tool", "policy", "limit", "plugin", "hook", "futility", "usage",
	"context", "scheduler", "swarm",
}

// accept reads an accepted plan. An empty plan means that everything is done.
func (r *sessionReader) accept(plan jstext.Value) {
	steps := plan.Dig("steps")
	if steps.Kind() != jstext.Array || steps.Len() == 0 {
		return
	}
	r.plan, r.Why = plan, ""
	clear(r.ran)
	clear(r.failed)
	r.engine.Plan = &lesson.Plan{ID: plan.Dig("plan_id").Str()}
	clear(r.inputs)
	for i := range steps.Len() {
		step := steps.At(i)
		tool, input := step.Dig("tool_ref", "name").Str(), step.Dig("input")
		r.engine.Plan.Tools = append(r.engine.Plan.Tools, tool)
		r.inputs[step.Dig("step_id").Str()] = session.Cut(string(input.AppendJSON(nil)))
		switch tool {
		case "http-request", "browser":
			r.AddTaint("web: " + tool)
		case "shell-exec":
			r.AddCommand(input.Dig("command").Str())
		case "read-file":
			r.AddFile(r.Folder, input.Dig("path").Str())
		}
	}
}

// skip marks the steps that the agent skipped because a step before them had failed. Only the
// agent's checkpoints say so, not its events.
func (r *sessionReader) skip() {
	steps := r.plan.Dig("steps")
	for i := range steps.Len() {
		id, needs := steps.At(i).Dig("step_id").Str(), steps.At(i).Dig("depends_on")
		for j := range needs.Len() {
			if at, known := r.place[id]; known && !r.ran[id] && r.failed[needs.At(j).Str()] {
				r.engine.Results[at] = lesson.StepResult{Status: "skipped"}
			}
		}
	}
}

// finish sets what is known only at the end.
func (r *sessionReader) finish() {
	r.Steps = r.steps.Latest()
	r.State, r.engine.Status = r.state()
	switch {
	case r.State == session.Succeeded:
		r.Why = ""
	case r.State == session.Unknown:
		r.Why = "The journal has no end for this session, and no running agent holds the journal."
	}
	if r.engine.Status == "failed" {
		r.skip()
	}
	if !r.Resumed && r.ended != "" {
		r.engine.ID = &r.ID
		r.Engine = &r.engine
	}
}

// state returns the state of the session, and the agent's own word for it.
func (r *sessionReader) state() (session.State, string) {
	switch r.ended {
	case "session.completed":
		return session.Succeeded, "completed"
	case "session.failed":
		return session.Failed, "failed"
	case "session.aborted":
		return session.Aborted, "aborted"
	}
	if runs(r.Path, r.Ended) {
		return session.Running, "running"
	}
	if r.last == "planner.plan_rejected" && !r.asked && r.plan.Len() == 0 {
		return session.Failed, "failed" // without a plan the agent ends and writes no event
	}
	return session.Unknown, "running"
}

// runs reports whether the process that holds the journal is alive and took the lock before at, the
// time of the session's last event.
func runs(path string, at time.Time) bool {
	const apart = 2 * time.Second // allowed clock difference between files and events
	h, held := journal.LockHolder(path)
	if !held || !h.Alive() {
		return false
	}
	info, err := os.Lstat(journal.LockPath(path))
	return err == nil && !at.Add(apart).Before(info.ModTime())
}

func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// firstText returns the first element of an array if it is a string, and "" otherwise.
func firstText(v jstext.Value) string {
	if v.Kind() != jstext.Array || v.Len() == 0 {
		return ""
	}
	return v.At(0).Str()
}
