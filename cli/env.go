// Package cli is the command line: one file a command. A command reads its
// arguments, asks the library and prints; it decides nothing about memories.
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
	Now     func() time.Time
	Zone    *time.Location
	Lookup  func(name string) (string, bool)
	Version string

	// Task makes a task text of the bytes of an argument or of the input.
	Task func([]byte) string
	// Encode makes UTF-8 of a stored text, in which lone surrogates may stand.
	Encode func(string) string
	// Redact masks the secrets in a text.
	Redact func(string) string

	// Home is the home of the user, "" when there is none.
	Home string
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
}
