// Package cli is the command line: one file a command. A command reads its
// arguments, asks the library and prints; it decides nothing about memories. A
// command that changes a store makes an order of its arguments; the library makes
// a plan of it, which is shown, asked about where that is due, and applied.
//
// What is printed is plain text without colour. Text from a store is printed
// through package views/safe, or as JSON in which every character that cannot be
// seen is escaped; secrets are masked until --reveal. The exceptions print stored
// bytes on purpose, and only where the output is not a terminal: show --raw, and
// recall with --format block or prompt.
package cli

import (
	"context"
	"io"
	"time"

	"winnow/core/memory"
)

// Library is what the commands need from the core.
type Library interface {
	// Find looks where agents keep their stores.
	Find(ctx context.Context) memory.Survey
	// FindIn takes files as they are and looks for stores below folders.
	FindIn(ctx context.Context, paths []string) memory.Survey
	// Load returns the part of a store that w selects.
	Load(ctx context.Context, id memory.StoreID, w memory.Window) (memory.Snapshot, error)
	// Summary returns the counts and the health of a store. Records may be nil.
	Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error)
	// Recall returns what the store's system would recall for t.
	Recall(ctx context.Context, id memory.StoreID, t memory.Task) (memory.Recall, error)

	// Plan makes a plan of an order. It changes nothing.
	Plan(ctx context.Context, id memory.StoreID, o memory.Order) (memory.Plan, error)
	// Apply makes the changes of a plan. With memory.ErrConflict the result says what
	// stands in the way. With any error nothing was changed.
	Apply(ctx context.Context, p memory.Plan) (memory.Result, error)
	// History returns what was done to a store, newest first.
	History(ctx context.Context, id memory.StoreID) (memory.History, error)
	// Purge empties the history of a store.
	Purge(ctx context.Context, id memory.StoreID) error
	// Form returns a record as a text for an editor; for the empty id a new one.
	Form(ctx context.Context, id memory.StoreID, record memory.ID) (string, error)
	// Guard returns what another writer undid and nobody decided yet.
	Guard(ctx context.Context, id memory.StoreID) ([]memory.Undone, error)
	// Follow sends the newest snapshot of a store until ctx ends, and then closes the
	// channel. It does again what the person decided is always to be done again.
	Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot
}

// Env is everything that a command knows of the world.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	// InTTY, OutTTY and ErrTTY say which of them are terminals.
	InTTY, OutTTY, ErrTTY bool
	// Width is the number of columns of the terminal Out, 0 when it is none.
	Width int

	Library Library
	// ReadOnly returns the library as one that changes nothing, for --readonly.
	ReadOnly func() Library
	Now      func() time.Time
	Zone     *time.Location
	Lookup   func(name string) (string, bool)
	Version  string

	// Task makes a task text of the bytes of an argument or of the input.
	Task func([]byte) string
	// Encode makes UTF-8 of a stored text, in which lone surrogates may stand.
	Encode func(string) string
	// Redact masks the secrets in a text.
	Redact func(string) string

	// State is the folder for what the program keeps, "" when there is no place for it.
	State string
	// Setting is what is wrong in the environment, nil when nothing is.
	Setting error
	// Exists reports whether a file or folder is at path.
	Exists func(path string) bool
	// Unpack makes the demo store and returns its path. The caller calls remove in
	// the end, also when it panics.
	Unpack func() (path string, remove func(), err error)
	// Start runs the full-screen program and returns when it ends.
	Start func(context.Context, Screen) error
}

// Screen says what the full-screen program opens, and how it looks.
type Screen struct {
	// Paths are the files and folders that were named. Without any, the program
	// looks where agents keep their stores.
	Paths []string
	// Demo is set when the only path is the demo store: an agent works on it.
	Demo bool
	// Theme is the name of a theme. NoColor and ASCII are set where the
	// environment asks for no colours, and for an encoding without lines.
	Theme          string
	NoColor, ASCII bool
	// Zone is what absolute times are shown in.
	Zone    *time.Location
	NoMouse bool
	// ReadOnly is set when nothing is to be changed, whatever key is pressed.
	ReadOnly bool
}
