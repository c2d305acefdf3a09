package system

import (
	"context"

	"winnow/core/memory"
)

// Form is how a product's memories lie in a file, for an audit. It reads files that no
// store is opened on: versions that git holds, what is staged, a stream.
type Form struct {
	System memory.SystemID
	Name   string // of what the file is: "lesson store", "instruction file"

	// Named reports whether a file is called as the product calls it. The path is
	// relative to what is audited, or absolute, with / between its parts.
	Named func(path string) bool
	// Looks reports whether the text that a file begins with, at least its first 4 KiB
	// unless it is shorter, has the shape; nil when the name must do. A file is of the
	// form when either is true, and with Both set when both are.
	Looks func(head []byte) bool
	Both  bool

	// Tracked is set for files that are read only where git tracks them, unless a person
	// asks for more: they are no memories, and others get them with the repository.
	Tracked bool

	// Lines is set when each line is a JSON text of its own.
	Lines bool
	// Own returns the places of a line that the product wrote for its model by itself, each
	// its first byte and the one behind its last: words that act on a model are meant there.
	// May be nil.
	Own func(line string) [][2]int
	// Decode returns the record in a line, with its secrets and flags; nil when lines
	// are no records. Line is from 1.
	Decode func(stored string, line int) memory.Record
	// Database is set for a file of pages: it is read as bytes in which texts stand.
	Database bool
	// ByRecord is set for a database whose texts are read record by record, by the
	// [Texter] that is its store. Versions that git holds are read as bytes.
	ByRecord bool
	// Noun is what its records are called, lessons when it is empty.
	Noun memory.Noun
	// Land renders what a prompt gets of a record, or of a file that is text (the
	// record then has only a Body); nil when it lands nowhere.
	Land func(r *memory.Record) memory.Landed
	// Held is how many records an agent holds of such a file; 0 when it holds all.
	Held int
	// Stale reports whether a file is left over from an interrupted save or a dead
	// process, by its name alone: a temporary file, a lock. May be nil.
	Stale func(path string) bool
}

// Texter is implemented by a Store that holds more text than its records show: the
// messages of sessions.
type Texter interface {
	// Texts calls fn with every text of the store, those of a record one after the other.
	// want, which may be nil for all, says of which records, and with the empty id
	// whether those of none. The error is a *memory.Problem, that of fn or of ctx.
	Texts(ctx context.Context, want func(memory.ID) bool, fn func(Text) error) error
}

// Text is one text of a store.
type Text struct {
	Record memory.ID // empty for a text of no record
	Line   int       // of the record in the store, from 1
	Field  string    // where it stands: "part.data"
	Text   string
	Cut    bool // Text is only its beginning
	// Reached is set for a text in a database that a redaction of its record reaches.
	Reached bool
	// Lands is set for a text that a prompt gets as the form's Land says.
	Lands bool
	// Aside is set for a text of a record that is not counted among those of the form's Noun.
	Aside bool
}
