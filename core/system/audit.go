package system

import (
	"context"

	"winnow/core/memory"
)

// Form describes how a product stores memories in a file. Audits use it for files that are not
// opened as a store: versions in git, staged files, a stream.
type Form struct {
	System memory.SystemID
	Name   string // what the file is: "lesson store", "instruction file"

	// Named reports whether a file has a name that the product uses. The path is relative to what
	// is audited, or absolute, and its elements are separated by /.
	Named func(path string) bool
	// Looks reports whether the beginning of a file (at least 4 KiB, or the whole file if it is
	// shorter) has the form's shape; nil means that the name decides. A file has the form if either
	// function returns true, or with Both set, if both do.
	Looks func(head []byte) bool
	Both  bool

	// Tracked is set for files that an audit reads only if git tracks them, unless a person asks
	// for more. They are not memories, but others get them with the repository.
	Tracked bool

	// Started is set for a program that an agent starts by itself.
	Started bool
	// Given is set for files that an agent is known to read or start, whatever their names end in.
	Given bool

	// Lines is set when each line is a JSON text.
	Lines bool
	// Own returns the places in a line that the product itself wrote for its model, as start and
	// end bytes. Instructions to a model are legitimate there. May be nil.
	Own func(line string) [][2]int
	// Decode returns the record in a line, with its secrets and flags; nil when lines are not
	// records. Line counts from 1.
	Decode func(stored string, line int) memory.Record
	// Database is set for a file of pages: it is read as bytes that contain texts.
	Database bool
	// ByRecord is set for a database whose texts are read record by record, by its store's
	// [Texter]. Versions in git are still read as bytes.
	ByRecord bool
	// Noun is what its records are called; empty means lessons.
	Noun memory.Noun
	// Land renders what a prompt gets from a record, or from a text file, whose record has only a
	// Body. It is nil when nothing reaches a prompt.
	Land func(r *memory.Record) memory.Landed
	// Held is the number of records that an agent holds from such a file; 0 means all.
	Held int
	// Stale reports whether a file is a leftover of an interrupted save or a dead process, such as
	// a temporary file or a lock. It judges by the name alone. May be nil.
	Stale func(path string) bool
}

// Texter is implemented by a Store with more text than its records show, such as the messages of
// sessions.
type Texter interface {
	// Texts calls fn with every text of the store; the texts of one record follow each other. If
	// want is not nil, it selects records by id, and the empty id stands for texts outside any
	// record. The error is a *memory.Problem, or that of fn or ctx.
	Texts(ctx context.Context, want func(memory.ID) bool, fn func(Text) error) error
}

// Text is one text of a store.
type Text struct {
	Record memory.ID // empty for a text outside any record
	Line   int       // of the record in the store, from 1
	Field  string    // where the text is: "part.data"
	Text   string
	Cut    bool // Text is only its beginning
	// Reached is set for a text in a database that redacting its record also redacts.
	Reached bool
	// Lands is set for a text that reaches a prompt as the form's Land says.
	Lands bool
	// Aside is set for a text of a record that is not counted under the form's Noun.
	Aside bool
}
