package transcript

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// End is how a session ended, as far as its transcript tells.
type End string

// The ends.
const (
	Finished    End = "finished"    // its model said its last
	Interrupted End = "interrupted" // by the person
	Broken      End = "api error"   // the last answer is an error of the service
	Open        End = "open"        // something is awaited: it runs, or crashed
	Unused      End = "unused"      // nobody asked for anything
)

// Summary is a session for a person to read.
type Summary struct {
	Header
	Ended   time.Time // the last line with a date
	Task    string    // the first prompt that a person wrote; cut at 64 KiB
	Title   string    // may be empty
	Prompts int       // that a person wrote
	Tools   []string  // those used, in order, with repetition; at most 10,000
	Used    int       // how often tools were used
	// Failures are what went wrong with tools, in order; at most 1,000.
	Failures []Failure
	// Pending is how many uses of tools have no result, of the last turn.
	Pending   int
	End       End
	Compacted int     // how often
	APIErrors int     // answers that are an error of the service, and retries
	Agents    []Agent // at most 1,000
	// Writes are what was written to memories, in order; at most 1,000.
	Writes []Write
	// Torn is set when the last line has no end: it is being written, or was when
	// Claude Code died.
	Torn bool
	// Notes say what was left out.
	Notes []string
}

// Failure is a use of a tool whose result is an error.
type Failure struct {
	Tool string
	At   time.Time
	Text string // what the model got; cut at 4 KiB
	// Rejected is set when the person did not allow it: nothing failed.
	Rejected bool
}

// Rejected returns how many of the failures are rejections by the person.
func (s *Summary) Rejected() int {
	n := 0
	for _, f := range s.Failures {
		if f.Rejected {
			n++
		}
	}
	return n
}

// Agent is a subagent that the session started.
type Agent struct {
	ID   string // may be empty
	Kind string // "Explore"; may be empty
	Task string // may be empty
	File string // of its transcript; empty when there is none
}

// Write is a change of a memory by the model.
type Write struct {
	Path string
	Tool string // "Write", "Edit"
	At   time.Time
	Side bool // by a subagent whose lines stand in the transcript
	// Was and Now are the texts before and after: of the file for a Write, of the edited
	// places for an Edit. Was is empty also when it is not on record. Both are cut at 256 KiB.
	Was, Now string
	Created  bool // the file was new
	// Failed is set when it was not done, and Pending when nobody knows.
	Failed, Pending bool
}

// Session returns a summary of the transcript at path. Memories are instruction files and
// rules, files in a folder memory below projects, in those of agents' memories, and below
// the folders that are named. It reads the whole file in pieces. The error is that of the context, or a
// *memory.Problem.
func Session(ctx context.Context, file string, folders ...string) (Summary, error) {
	r := newTeller(folders)
	w, err := lines(ctx, file, r.line)
	if err != nil {
		return r.Summary, err
	}
	r.Torn = w.torn
	r.Notes = w.notes()
	r.finish()
	r.files(file)
	return r.Summary, nil
}

// limits of what is kept.
const (
	mostTools    = 10_000
	mostFailures = 1000
	mostAgents   = 1000
	mostWrites   = 1000
	mostText     = 64 << 10
	mostError    = 4 << 10
	mostWritten  = 256 << 10
	mostAwaited  = 10_000
	mostTitles   = 1000
)

// use is a use of a tool whose result is awaited.
type use struct {
	tool   string
	turn   int
	writes []int // of Summary.Writes, counted from 1
	agent  int   // of Summary.Agents, counted from 1
	side   bool
}

// teller makes a summary of lines.
type teller struct {
	Summary
	folders []string
	awaited map[string]use
	turn    int    // rises with each prompt and each end of a turn
	last    End    // what the last line of the main chain says
	command string // the first command that was typed
	custom  string
	ai      string
	leaves  map[string]string // summaries by the line that they are of
	summary string            // the last; own is set for one of a line of this transcript
	own     bool
	names   map[string]string
	skipped int
}

func newTeller(folders []string) *teller {
	r := &teller{awaited: map[string]use{}, leaves: map[string]string{}, names: map[string]string{}, last: Unused}
	for _, f := range folders {
		r.folders = append(r.folders, strings.TrimSuffix(filepath.ToSlash(filepath.Clean(f)), "/")+"/")
	}
	return r
}

// entry is a line of a transcript.
type entry struct {
	kind, uuid                             string
	message, result, subtype, origin, leaf []byte
	title                                  []byte
	side, meta, compact, apiError          bool
	at                                     time.Time
	agent                                  []byte
	header                                 Header
}

func entryOf(b []byte) (e entry, whole bool) {
	whole = object(b, func(key, value []byte) bool {
		switch string(key) {
		case "type":
			e.kind = text(value)
		case "uuid":
			e.uuid = text(value)
		case "message":
			e.message = value
		case "toolUseResult":
			e.result = value
		case "subtype":
			e.subtype = value
		case "origin":
			e.origin = value
		case "leafUuid":
			e.leaf = value
		case "customTitle", "aiTitle", "summary", "title":
			e.title = value
		case "agentId":
			e.agent = value
		case "isSidechain":
			e.side = yes(value)
		case "isMeta":
			e.meta = yes(value)
		case "isCompactSummary":
			e.compact = yes(value)
		case "isApiErrorMessage":
			e.apiError = yes(value)
		default:
			return e.header.take(key, value)
		}
		return true
	})
	e.at = e.header.Began
	return e, whole
}

// line takes a line of the transcript and reports whether it is whole.
func (r *teller) line(b []byte) bool {
	e, whole := entryOf(b)
	if !whole {
		return false
	}
	r.header(&e)
	switch e.kind {
	case "user":
		r.user(&e)
	case "assistant":
		r.assistant(&e)
	case "system":
		r.system(&e)
	case "custom-title":
		r.custom = cut(text(e.title), mostText)
	case "ai-title":
		r.ai = cut(text(e.title), mostText)
	case "summary":
		r.titled(text(e.leaf), cut(text(e.title), mostText))
	}
	return true
}

func (r *teller) header(e *entry) {
	h := &r.Header
	if h.Folder == "" && e.header.Folder != "" {
		began := h.Began
		if *h = e.header; !began.IsZero() {
			h.Began = began
		}
	}
	if h.Began.IsZero() {
		h.Began = e.at
	}
	if e.at.After(r.Ended) {
		r.Ended = e.at
	}
	if s, ok := r.leaves[e.uuid]; ok && e.uuid != "" {
		r.summary, r.own = s, true
	}
}

// titled notes a summary. A session once got those of others too, so that one of a line
// of its own wins.
func (r *teller) titled(leaf, summary string) {
	if !r.own {
		r.summary = summary
	}
	if len(r.leaves) < mostTitles {
		r.leaves[leaf] = summary
	}
}

func (r *teller) system(e *entry) {
	switch {
	case e.side:
	case is(e.subtype, "compact_boundary"):
		r.Compacted++
	case is(e.subtype, "api_error"):
		r.APIErrors++
	case is(e.subtype, "turn_duration"), is(e.subtype, "stop_hook_summary"):
		if r.last == Open && r.waiting() == 0 {
			r.last = Finished
		}
	}
}

// waiting returns how many uses of tools of this turn have no result.
func (r *teller) waiting() int {
	n := 0
	for _, u := range r.awaited {
		if u.turn == r.turn && !u.side {
			n++
		}
	}
	return n
}

// finish settles what is known at the end.
func (r *teller) finish() {
	for _, u := range r.awaited {
		for _, w := range u.writes {
			r.Writes[w-1].Pending = true
		}
	}
	r.End = r.last
	if r.End == Open {
		r.Pending = r.waiting()
	}
	if r.Task == "" {
		r.Task = r.command
	}
	for _, t := range []string{r.custom, r.ai, r.summary} {
		if r.Title == "" {
			r.Title = t
		}
	}
	if r.skipped > 0 {
		r.Notes = append(r.Notes, fmt.Sprintf("%d more than fit were left out.", r.skipped))
	}
}

// files adds the transcripts of subagents beside the file.
func (r *teller) files(file string) {
	dir := filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents")
	var names []string
	for e := range entries(dir, mostAgents) {
		if id, is := agentOf(e.Name()); is && e.Type().IsRegular() {
			names = append(names, id)
		}
	}
	slices.Sort(names)
	known := map[string]int{}
	for i, a := range r.Agents {
		if a.ID != "" {
			known[a.ID] = i + 1
		}
	}
	for _, id := range names {
		path := filepath.Join(dir, "agent-"+id+".jsonl")
		if i := known[id]; i > 0 {
			r.Agents[i-1].File = path
		} else if len(r.Agents) < mostAgents {
			r.Agents = append(r.Agents, Agent{ID: id, File: path})
		}
	}
}

func agentOf(name string) (string, bool) {
	id, is := strings.CutPrefix(name, "agent-")
	id, also := strings.CutSuffix(id, ".jsonl")
	return id, is && also && id != ""
}

// remembered reports whether a path is that of an instruction file, or lies in a folder of
// rules or memories.
func (r *teller) remembered(p string) bool {
	p = path.Clean(strings.ReplaceAll(p, `\`, "/"))
	for _, f := range r.folders {
		if strings.HasPrefix(p, f) {
			return true
		}
	}
	switch path.Base(p) {
	case "CLAUDE.md", "CLAUDE.local.md", "AGENTS.md":
		return true
	}
	parts := strings.Split(p, "/")
	for i := 1; i < len(parts)-1; i++ {
		switch parts[i] {
		case "memory":
			if i >= 2 && parts[i-2] == "projects" {
				return true
			}
		case "agent-memory", "agent-memory-local":
			return true
		case "rules":
			if i >= 1 && parts[i-1] == ".claude" {
				return true
			}
		}
	}
	return false
}

// cut returns at most n bytes of s, and no part of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return strings.Clone(s)
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return strings.Clone(s[:n])
}
