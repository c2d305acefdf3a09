package transcript

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"winnow/core/filestore"
	"winnow/core/session"
)

// End is how a session ended, according to its transcript.
type End string

// The ends.
const (
	Finished End = "finished" // the model gave its final answer
	// Answered is the end of a session whose last line is a text, and no call waits: before 2.1.60 the model's final
	// answer was seldom marked as one. If nothing follows it, it was that.
	Answered    End = "answered"
	Interrupted End = "interrupted" // by the person
	Broken      End = "api error"   // the last answer is an error of the service
	Open        End = "open"        // something is awaited: it runs, or crashed
	Unused      End = "unused"      // nobody asked for anything
)

// Summary is a session as described by its transcript. Its state is not set, since the transcript
// does not say whether the session is running.
type Summary struct {
	session.Session
	Title     string // may be empty
	Failed    int    // tool uses whose result is an error
	Rejected  int    // tool uses that the person did not allow
	Pending   int    // tool uses of the last turn without a result
	APIErrors int    // answers that are service errors, and retries
	End       End
	Closed    bool     // Claude Code noted that it closed the session, and nothing came after that
	Subagents []string // the transcripts of subagents that it started; at most 1,000
	Writes    []*Write // to memories, in order; at most 1,000
	Reads     []string // files that were read, each once; at most 1,000
}

// Write is a change that the model made to a memory.
type Write struct {
	Path    string
	Tool    string // "Write", "Edit"
	At      time.Time
	Side    bool // by a subagent whose lines are in this transcript
	Created bool // the file was new
	// Failed is set if it was not done, and Pending if that is unknown.
	Failed, Pending bool
}

// Session returns what the transcript in a file says about its session. As memories count
// instruction files and rules, files in a folder memory below projects, files in the folders of
// subagents' memories, and files below folders. It reads the file in pieces. The error is the
// context's, or a *memory.Problem.
func Session(ctx context.Context, file string, folders ...string) (Summary, error) {
	r := sessionReader{awaited: map[string]toolUse{}, summaries: map[string]string{}, last: Unused}
	r.Path, r.Subagent = file, strings.HasPrefix(filepath.Base(file), "agent-")
	for _, f := range folders {
		r.folders = append(r.folders, strings.TrimSuffix(filepath.ToSlash(filepath.Clean(f)), "/")+"/")
	}
	if err := lines(ctx, file, r.line); err != nil {
		return r.Summary, err
	}
	r.finish()
	r.Subagents = subagents(file)
	return r.Summary, nil
}

// Limits of what is kept.
const (
	mostSubagents = 1000
	mostWrites    = 1000
	mostReads     = 1000
	mostText      = 64 << 10
	mostAwaited   = 10_000
	mostSummaries = 1000
)

// toolUse is a tool use that waits for its result.
type toolUse struct {
	turn  int
	write *Write // nil if it writes no memory
	side  bool
	step  *session.Step // nil for a subagent's use
}

// sessionReader builds a summary from lines.
type sessionReader struct {
	Summary
	steps       session.Steps
	folders     []string
	awaited     map[string]toolUse
	turn        int    // rises with each prompt and each end of a turn
	last        End    // what the last line of the main chain says
	command     string // the first command that was typed
	customTitle string
	modelTitle  string
	summaries   map[string]string // by the line that they are of
	summary     string            // the last; own is set for one of a line of this transcript
	own         bool
}

// line reads a transcript line.
func (r *sessionReader) line(b []byte) (more bool) {
	var l line
	if !r.DecodeLine(withoutData(b), &l) {
		return true
	}
	r.dates(&l)
	if s, ok := r.summaries[l.UUID]; ok && l.UUID != "" {
		r.summary, r.own = s, true
	}
	switch l.Type {
	case "user":
		r.user(&l)
	case "assistant":
		r.assistant(&l)
	case "system":
		r.system(&l)
	case "attachment":
		r.attachment(&l)
	case "api-request-shape", "api-request-blob":
		r.request(&l)
	case "last-prompt":
		r.Closed = true
	case "custom-title":
		r.customTitle = cut(cmp.Or(l.CustomTitle, l.Title), mostText)
	case "ai-title":
		r.modelTitle = cut(l.AITitle, mostText)
	case "summary":
		r.addSummary(l.LeafUUID, cut(l.Summary, mostText))
	default:
		r.unknown(l.Type, ignoredLines)
	}
	return true
}

// dates reads the first and the last date, and what the first line that names a folder says.
func (r *sessionReader) dates(l *line) {
	if r.Folder == "" {
		r.Folder, r.ID, r.Version = l.Cwd, l.SessionID, l.Version
	}
	at := l.at()
	if r.Began.IsZero() {
		r.Began = at
	}
	if at.After(r.Ended) {
		r.Ended = at
	}
}

// addSummary records a summary. A transcript can also hold the summaries of other sessions, so the
// summary of one of this transcript's own lines wins.
func (r *sessionReader) addSummary(leaf, summary string) {
	if !r.own {
		r.summary = summary
	}
	if len(r.summaries) < mostSummaries {
		r.summaries[leaf] = summary
	}
}

func (r *sessionReader) system(l *line) {
	switch l.Subtype {
	case "api_error":
		if r.main(l) {
			r.APIErrors++
		}
	case "turn_duration", "stop_hook_summary":
		if r.main(l) && (r.last == Open || r.last == Answered) && r.waiting() == 0 {
			r.last = Finished
		}
	case "compact_boundary":
		r.Closed = false // Claude Code repeats its notes before it continues
	default:
		r.unknown(l.Subtype, ignoredNotices)
	}
}

// main reports whether a line belongs to the session itself, not to one of its subagents.
func (r *sessionReader) main(l *line) bool { return r.Subagent || !l.IsSidechain }

// waiting returns the number of this turn's tool uses without a result.
func (r *sessionReader) waiting() (n int) {
	for _, u := range r.awaited {
		if u.turn == r.turn && !u.side {
			n++
		}
	}
	return n
}

// finish sets what is known only at the end.
func (r *sessionReader) finish() {
	if r.End = r.last; r.End == Open {
		r.Pending = r.waiting()
	}
	r.Task = cmp.Or(r.Task, r.command)
	r.Steps = r.steps.Latest()
	r.Title = cmp.Or(r.customTitle, r.modelTitle, r.summary)
}

// subagents returns the transcripts of subagents beside a session's file.
func subagents(file string) (paths []string) {
	dir := filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents")
	entries, _, _ := filestore.Names(dir, mostSubagents) // most sessions have no such folder
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "agent-") && strings.HasSuffix(e.Name(), ".jsonl") && e.Type().IsRegular() {
			paths = append(paths, filepath.Join(dir, e.Name()))
		}
	}
	return paths
}

// memoryFolder matches files in folders of rules and memories.
var memoryFolder = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`/projects/[^/]+/memory/|/(?:agent-memory|agent-memory-local|\.claude/rules)/`)
})

// cut returns at most n bytes of s, without a partial character at the end.
func cut(s string, n int) string { return strings.ToValidUTF8(s[:min(len(s), n)], "") }
