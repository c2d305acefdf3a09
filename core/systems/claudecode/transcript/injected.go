package transcript

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
	// Removed is set when the session was told that the file holds no more; Content is
	// empty then.
	Removed bool
	// Differs is set when Claude Code noted that the text is not as in the file.
	Differs bool
}

// Injection is what a session got of instructions and memories, as far as its transcript
// has it. The frame around the texts is not on record.
type Injection struct {
	Header
	// Pieces are in the order of the transcript.
	Pieces []Piece
	// Unknown says in a sentence why the instructions of the start are not known; empty
	// when they are. There may be pieces of other kinds all the same.
	Unknown string
}

// What is kept of one transcript.
const (
	mostPieces  = 10_000
	mostContent = 64 << 20 // bytes of all pieces
)

// Injected returns what the session of a transcript got. Lines of its subagents are
// skipped. It reads the file in pieces and holds no more than what it returns. The error
// is that of the context, or a *memory.Problem.
func Injected(ctx context.Context, path string) (Injection, error) {
	var r injectionReader
	err := lines(ctx, path, fileRead, MostRead, r.line)
	switch {
	case err != nil || r.recorded:
	case r.Version == "":
		r.Unknown = "The instructions are not recorded in this transcript, nor the version of Claude Code."
	default:
		r.Unknown = fmt.Sprintf("The instructions are not recorded: Claude Code %s did not write them into this transcript.", r.Version)
	}
	return r.Injection, err
}

// injectionReader collects what is injected.
type injectionReader struct {
	Injection
	lines    lineReader
	recorded bool // the instructions of the start are
	kept     int  // bytes
}

// line takes a line of the transcript.
func (r *injectionReader) line(b []byte) (more bool) {
	if l := &r.lines; l.next(b) && !yes(l.side) {
		l.begin(&r.Header)
		r.attachment(l.attachment)
	}
	return true
}

// attachment takes what was sent along with a message.
func (r *injectionReader) attachment(b []byte) {
	var kind, files, added, changed, removed, path, content, memories []byte
	read(b, wanted{"type", &kind}, wanted{"files", &files}, wanted{"added", &added}, wanted{"changed", &changed}, wanted{"removed", &removed},
		wanted{"path", &path}, wanted{"content", &content}, wanted{"memories", &memories})
	switch {
	case is(kind, "instructions"):
		r.recorded = true
		for _, list := range [...][]byte{files, added, changed} {
			r.pieces(list, Piece{How: Instructions})
		}
		r.pieces(removed, Piece{How: Instructions, Removed: true})
	case is(kind, "nested_memory"):
		p := Piece{How: Nested, Path: text(path), Content: text(content)}
		p.read(content)
		r.keep(p)
	case is(kind, "relevant_memories"):
		r.pieces(memories, Piece{How: Recalled})
	}
}

// pieces takes an array of files, each an object or only a path.
func (r *injectionReader) pieces(b []byte, p Piece) {
	for value := range elements(b) {
		p.Path, p.Content = text(value), ""
		if p.read(value); p.Removed {
			p.Content = ""
		}
		r.keep(p)
	}
}

// keep keeps a piece that names a file, as long as there is room.
func (r *injectionReader) keep(p Piece) {
	if p.Path != "" && len(r.Pieces) < mostPieces && r.kept+len(p.Content) <= mostContent {
		r.kept += len(p.Content)
		r.Pieces = append(r.Pieces, p)
	}
}

// read sets what the object of a file says.
func (p *Piece) read(b []byte) {
	var path, kind, content, differs []byte
	read(b, wanted{"path", &path}, wanted{"type", &kind}, wanted{"content", &content}, wanted{"contentDiffersFromDisk", &differs})
	if path != nil {
		p.Path = text(path)
	}
	if content != nil {
		p.Content = text(content)
	}
	p.Type, p.Differs = text(kind), yes(differs)
}

// Received returns the last text of each file that the session got: its instructions as they
// became, without removed ones, and then what came with messages, also when the session was
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

// last returns the last piece of each file, in the order in which the files came first.
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
