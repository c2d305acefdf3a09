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
	"io/fs"
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
	Load(ctx context.Context, id memory.StoreID) (memory.Snapshot, error)
	// Summary returns the counts and the health of a store. Records may be nil.
	Summary(ctx context.Context, id memory.StoreID) (memory.Snapshot, error)
	// Recall returns what the store's system would recall for t.
	Recall(ctx context.Context, id memory.StoreID, t memory.Task) (memory.Recall, error)
	// Each calls fn with every record of the stores, one at a time. Those that cannot be
	// read are returned.
	Each(ctx context.Context, stores []memory.StoreID, fn func(memory.StoreID, *memory.Record) error) ([]memory.Unread, error)
	// Tally returns how many findings of a store count. It reads all of it.
	Tally(ctx context.Context, id memory.StoreID) (memory.Tally, error)
	// Kin returns what other stores of the same project say nearly like the records of a
	// store, or contrary to them.
	Kin(ctx context.Context, id memory.StoreID) (map[memory.ID][]memory.Kin, error)
	// Systems returns the systems that are known.
	Systems() []memory.SystemInfo

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

// Auditing is what the commands around an audit need from the core.
type Auditing interface {
	// Audit looks for what o asks for. in is what "-" stands for. tell may be called
	// from several goroutines at once. When ctx ends the audit is Stopped, and what was
	// found is in it.
	Audit(ctx context.Context, o memory.AuditOrder, in io.Reader, tell func(memory.Progress)) (memory.Audit, error)
	// Fix redacts every open secret of an audit that can be.
	Fix(ctx context.Context, a memory.Audit) (memory.Fixed, error)
	// AuditRules returns all rules that an audit goes by.
	AuditRules() []memory.AuditRule

	// Ignored returns what a person decided on this machine is no matter.
	Ignored(ctx context.Context) ([]memory.Ignore, error)
	// Ignore adds decisions, and takes back those with the fingerprints of remove.
	Ignore(ctx context.Context, add []memory.Ignore, remove []string) error

	// Share makes a copy of a store for others, and audits it. It writes nothing.
	Share(ctx context.Context, id memory.StoreID, o memory.ShareOrder) (memory.Shared, error)

	// WriteFile writes a file that is not of a store. One that is there already is
	// fs.ErrExist unless replace is set; then its mode stays.
	WriteFile(ctx context.Context, path string, data []byte, replace bool, perm fs.FileMode) error
	// RemoveFile removes a file that holds was, and nothing else.
	RemoveFile(ctx context.Context, path string, was []byte) error
	// HooksDir returns the folder that git runs hooks from in the repository around dir.
	HooksDir(ctx context.Context, dir string) (string, error)
}

// Env is everything that a command knows of the world.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	// InTTY, OutTTY and ErrTTY say which of them are terminals.
	InTTY, OutTTY, ErrTTY bool
	// Width is the number of columns of the terminal Out, 0 when it is none.
	Width int

	Library  Library
	Auditing Auditing
	// ReadOnly returns the library as one that changes nothing, for --readonly.
	ReadOnly func() Library
	// Dir is the working folder, absolute; "" when it is not known.
	Dir     string
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
	// Across returns, by store and record, the records of the other stores that say nearly
	// the same, or the contrary. Nil compares nothing.
	Across func(map[memory.StoreID][]memory.Record) map[memory.StoreID]map[memory.ID][]memory.Kin
	// EncodeBaseline and DecodeBaseline write and read the decisions in a baseline file.
	EncodeBaseline func([]memory.Ignore) []byte
	DecodeBaseline func([]byte) ([]memory.Ignore, error)

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
