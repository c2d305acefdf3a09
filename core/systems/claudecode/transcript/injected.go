package transcript

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"winnow/core/session"
)

// How says why a text was injected.
type How string

// The reasons.
const (
	Instructions How = "instructions" // at the start of the session, or changed since
	Nested       How = "nested"       // with a file that was read: a rule, or a CLAUDE.md below
	Recalled     How = "recalled"     // a memory that a model chose
)

// Piece is the text that a session got from one file.
type Piece struct {
	How     How
	Path    string // absolute, as recorded
	Type    string // in Claude Code's word: User, Project, Local, Managed, AutoMem; may be empty
	Content string
	// Removed is set if the session was told that the file is now empty or gone. Content is empty
	// then.
	Removed bool
	// Differs is set if Claude Code noted that the text differs from the file.
	Differs bool
}

// Injection is what a session got of instructions and memories, as far as its transcript records
// it. The frame around the texts is not recorded.
type Injection struct {
	Header
	// Pieces are in the order of the transcript.
	Pieces []Piece
	// Unknown is a sentence that says why the initial instructions are not known. It is empty if
	// they are. Pieces of other kinds can be present either way.
	Unknown string
}

// What is kept from one transcript.
const (
	mostPieces  = 10_000
	mostContent = 64 << 20 // bytes of all pieces
)

// Injected returns what the session of a transcript got. It skips the lines of subagents. It reads
// the file in pieces and holds no more than what it returns. The error is the context's, or a
// *memory.Problem.
func Injected(ctx context.Context, path string) (Injection, error) {
	var r injectionReader
	err := lines(ctx, path, r.line)
	switch {
	case err != nil || r.recorded:
	case r.Version == "":
		r.Unknown = "The instructions are not recorded in this transcript, nor the version of Claude Code."
	default:
		r.Unknown = fmt.Sprintf(
			"The instructions are not recorded: Claude Code %s did not write them into this transcript.",
			r.Version,
		)
	}
	return r.Injection, err
}

// injectionReader collects what is injected.
type injectionReader struct {
	Injection
	recorded bool // the initial instructions are recorded
	kept     int  // bytes
}

// line reads a transcript line. Most lines, including the longest, hold no attachment.
func (r *injectionReader) line(b []byte) (more bool) {
	if r.Folder != "" && !bytes.Contains(b, []byte(`"attachment"`)) {
		return true
	}
	var l line
	if !session.Decode(b, &l) || l.IsSidechain {
		return true
	}
	if r.Folder == "" {
		r.Header = l.header()
	}
	r.recorded = r.recorded || l.Attachment.Type == "instructions"
	for _, p := range l.Attachment.pieces() {
		if len(r.Pieces) < mostPieces && r.kept+len(p.Content) <= mostContent {
			r.kept += len(p.Content)
			r.Pieces = append(r.Pieces, p)
		}
	}
	return true
}

// attachment is what was sent along with a message.
type attachment struct {
	Type, Path, HookEvent, CommandMode       string
	Content, Prompt                          json.RawMessage
	Origin                                   origin
	SystemPrompt, AddedBlocks                json.RawMessage
	Files, Added, Changed, Removed, Memories []json.RawMessage
}

// pieces returns the texts of the files in an attachment.
func (a *attachment) pieces() (all []Piece) {
	switch a.Type {
	case "instructions":
		for _, b := range slices.Concat(a.Files, a.Added, a.Changed) {
			all = append(all, pieceOf(Instructions, b))
		}
		for _, b := range a.Removed {
			all = append(all, Piece{How: Instructions, Path: pieceOf(Instructions, b).Path, Removed: true})
		}
	case "nested_memory":
		p := pieceOf(Nested, a.Content)
		if json.Unmarshal(a.Content, &p.Content) == nil || p.Path == "" {
			p.Path = a.Path
		}
		all = append(all, p)
	case "relevant_memories":
		for _, b := range a.Memories {
			all = append(all, pieceOf(Recalled, b))
		}
	}
	return slices.DeleteFunc(all, func(p Piece) bool { return p.Path == "" })
}

// pieceOf returns the piece for a file, which is an object or only a path.
func pieceOf(how How, b json.RawMessage) Piece {
	var file struct {
		Path, Type, Content    string
		ContentDiffersFromDisk bool
	}
	if !session.Decode(b, &file) || file.Path == "" {
		session.Decode(b, &file.Path)
	}
	return Piece{
		How:     how,
		Path:    file.Path,
		Type:    file.Type,
		Content: file.Content,
		Differs: file.ContentDiffersFromDisk,
	}
}

// Received returns the last text of each file that the session got: first its instructions in their
// latest state, without removed ones, and then what came with messages, even if the session was
// compacted since.
func (in *Injection) Received() []Piece {
	var others []Piece
	for _, p := range in.Pieces {
		if p.How != Instructions && !p.Removed {
			others = append(others, p)
		}
	}
	first := slices.DeleteFunc(last(in.Pieces), func(p Piece) bool { return p.How != Instructions || p.Removed })
	return append(first, last(others)...)
}

// last returns the last piece of each file, in the order in which the files first appeared.
func last(pieces []Piece) (out []Piece) {
	at := map[string]int{}
	for _, p := range pieces {
		i, known := at[p.Path]
		if !known {
			i = len(out)
			at[p.Path] = i
			out = append(out, p)
		}
		p.Type = cmp.Or(p.Type, out[i].Type)
		out[i] = p
	}
	return out
}
