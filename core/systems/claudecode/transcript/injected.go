package transcript

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// How says why a text was injected.
type How string

// The reasons.
const (
	Instructions How = "instructions" // at the start of the session, or changed since
	Nested       How = "nested"       // with a file that was read: a rule, a CLAUDE.md below
	Recalled     How = "recalled"     // a memory that a model chose
)

// Piece is a text that a session got of one file.
type Piece struct {
	How     How
	Path    string // absolute, as it is on record
	Type    string // in Claude Code's word: User, Project, Local, Managed, AutoMem; may be empty
	Content string
	At      time.Time
	// Reason is why the instructions were sent: "session_start". May be empty.
	Reason string
	// Removed is set when the session was told that the file holds no more; Content is
	// empty then.
	Removed bool
	// Differs is set when Claude Code noted that the text is not as in the file.
	Differs bool
	Globs   []string  // of a rule
	ModTime time.Time // of a recalled memory, as it was; zero when it is not on record
}

// Injection is what a session got of instructions and memories, as far as its transcript
// has it. The frame around the texts is not on record.
type Injection struct {
	Session string
	Version string
	Folder  string
	Began   time.Time
	// Pieces are in the order of the transcript.
	Pieces []Piece
	// Unknown says in a sentence why the instructions of the start cannot be told; empty
	// when they can. There may be pieces of other kinds all the same.
	Unknown string
	// Notes say what was left out.
	Notes []string

	forgot []int // numbers of pieces before which the session was compacted
}

// What is kept of one transcript.
const (
	mostPieces  = 10_000
	mostContent = 64 << 20 // bytes of all pieces
)

// Injected returns what the session of a transcript got. Lines of its subagents are
// passed over. It reads the whole file in pieces and holds no more than what it returns.
// The error is that of the context, or a *memory.Problem.
func Injected(ctx context.Context, path string) (Injection, error) {
	var r recorder
	w, err := lines(ctx, path, r.line)
	if err != nil {
		return r.Injection, err
	}
	in := r.Injection
	in.Notes = w.notes()
	if r.dropped > 0 {
		in.Notes = append(in.Notes, fmt.Sprintf("%d injected texts more than fit were left out.", r.dropped))
	}
	if !r.recorded {
		in.Unknown = unknown(in.Version)
	}
	return in, nil
}

func unknown(version string) string {
	if version == "" {
		return "The instructions are not recorded in this transcript, nor the version of Claude Code."
	}
	return fmt.Sprintf("The instructions are not recorded: Claude Code %s did not write them into this transcript.", version)
}

// recorder collects what is injected.
type recorder struct {
	Injection
	recorded bool
	kept     int
	dropped  int
}

// line takes a line of the transcript and reports whether it is whole.
func (r *recorder) line(b []byte) bool {
	var h Header
	var attachment []byte
	var side, compacted bool
	whole := object(b, func(key, value []byte) bool {
		switch string(key) {
		case "attachment":
			attachment = value
		case "isSidechain":
			side = yes(value)
		case "subtype":
			compacted = is(value, "compact_boundary")
		case "timestamp":
			h.Began = moment(value)
		default:
			return r.Folder != "" || h.take(key, value)
		}
		return true
	})
	if !whole || side {
		return whole
	}
	if r.Folder == "" && h.Folder != "" {
		r.Folder, r.Session, r.Version, r.Began = h.Folder, h.Session, h.Version, h.Began
	}
	if compacted {
		r.forgot = append(r.forgot, len(r.Pieces))
	}
	if attachment != nil {
		r.attachment(attachment, h.Began)
	}
	return true
}

// attachment takes what was sent along with a message.
func (r *recorder) attachment(b []byte, at time.Time) {
	m := map[string][]byte{}
	object(b, func(key, value []byte) bool {
		switch k := string(key); k {
		case "type", "files", "added", "changed", "removed", "reason", "path", "content", "memories":
			m[k] = value
		}
		return true
	})
	switch {
	case is(m["type"], "instructions"):
		r.recorded = true
		reason := text(m["reason"])
		for _, k := range []string{"files", "added", "changed"} {
			r.pieces(m[k], Piece{How: Instructions, At: at, Reason: reason})
		}
		r.pieces(m["removed"], Piece{How: Instructions, At: at, Reason: reason, Removed: true})
	case is(m["type"], "nested_memory"):
		p := Piece{How: Nested, At: at, Path: text(m["path"])}
		if len(m["content"]) > 0 && m["content"][0] == '"' {
			p.Content = text(m["content"])
		} else {
			p.read(m["content"])
		}
		r.keep(p)
	case is(m["type"], "relevant_memories"):
		r.pieces(m["memories"], Piece{How: Recalled, At: at})
	}
}

// pieces takes an array of files, each an object or only a path.
func (r *recorder) pieces(b []byte, like Piece) {
	array(b, func(value []byte) bool {
		p := like
		if value[0] == '"' {
			p.Path = text(value)
		} else {
			p.read(value)
		}
		if p.Removed {
			p.Content = ""
		}
		r.keep(p)
		return true
	})
}

func (r *recorder) keep(p Piece) {
	if p.Path == "" {
		return
	}
	if len(r.Pieces) == mostPieces || r.kept+len(p.Content) > mostContent {
		r.dropped++
		return
	}
	r.kept += len(p.Content)
	r.Pieces = append(r.Pieces, p)
}

// read sets what the object of a file says.
func (p *Piece) read(b []byte) {
	object(b, func(key, value []byte) bool {
		switch string(key) {
		case "path":
			p.Path = text(value)
		case "type":
			p.Type = text(value)
		case "content":
			p.Content = text(value)
		case "contentDiffersFromDisk":
			p.Differs = yes(value)
		case "mtimeMs":
			p.ModTime = millis(value)
		case "globs":
			array(value, func(g []byte) bool {
				p.Globs = append(p.Globs, text(g))
				return len(p.Globs) < 1000
			})
		}
		return true
	})
}

// Held returns what the session held at its end, one piece for a file, in the order in
// which they came first: changed files as they are since, removed ones not. What came
// with files that were read, and recalled memories, is gone once the session is
// compacted.
func (in *Injection) Held() []Piece {
	var out []Piece
	at := map[string]int{}
	forgot := in.forgot
	for i, p := range in.Pieces {
		for len(forgot) > 0 && forgot[0] <= i {
			out, forgot = compacted(out, at), forgot[1:]
		}
		k, has := at[p.Path]
		switch {
		case has:
			if p.Type == "" {
				p.Type = out[k].Type
			}
			out[k] = p
		case !p.Removed:
			at[p.Path] = len(out)
			out = append(out, p)
		}
	}
	if len(forgot) > 0 {
		out = compacted(out, at)
	}
	return slices.DeleteFunc(out, func(p Piece) bool { return p.Removed })
}

// compacted drops what a compacted session has no more, and numbers the rest anew.
func compacted(held []Piece, at map[string]int) []Piece {
	held = slices.DeleteFunc(held, func(p Piece) bool { return p.How != Instructions })
	clear(at)
	for i, p := range held {
		at[p.Path] = i
	}
	return held
}
