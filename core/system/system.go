// Package system declares what a memory system must do for the rest of the
// program. Implementations live below core/systems, one folder each, and are
// named only in core/systems/all.
package system

import (
	"context"

	"winnow/core/memory"
)

// System reads one store of one product.
//
// Implementations are safe for concurrent use and write nothing: no lock, no
// temporary file, no access time where the system allows that.
type System interface {
	// Info describes the store. It does no IO.
	Info() Info

	// List calls fn once for each record, in the order of the store, on the
	// goroutine that called List. A record that cannot be decoded is passed with
	// Problem set and does not end the listing. List stops and returns the error
	// when fn or the storage fails, or when ctx is done.
	List(ctx context.Context, fn func(memory.Record) error) error
}

// Info is static information about an opened store.
type Info struct {
	System memory.SystemID
	Name   string // of the system, for the user: "KarnEvil9"
	Place  memory.Place
}

// Snapshotter is implemented by a System that can show a state of its store in
// bounded memory, beginning before all of it is read.
type Snapshotter interface {
	// Snapshot reads the part of the store that w selects. It calls emit with a
	// partial snapshot as soon as the first records are there, if reading takes
	// long, and returns the whole. A store that cannot be read yields a snapshot
	// with Problem set and no error; the error is that of ctx.
	Snapshot(ctx context.Context, w memory.Window, emit func(memory.Snapshot)) (memory.Snapshot, error)
}

// Recaller is implemented by a System whose recall can be computed here.
type Recaller interface {
	// Recall computes what the system would recall for t now, from the store as
	// it stands. It has no side effect.
	Recall(ctx context.Context, t memory.Task) (memory.Recall, error)
}

// Watched is implemented by a System whose store can change while it is open.
type Watched interface {
	// WatchPaths returns the files whose change means that the store changed. They
	// need not exist.
	WatchPaths() []string
}

// Env is what a Finder may know about the machine. It is a value so that tests
// can make one.
type Env struct {
	Home   string
	Dir    string // working folder, absolute
	Lookup func(name string) (string, bool)
}

// Kind is a product that Winnow knows how to find and open.
type Kind struct {
	ID   memory.SystemID
	Name string
	// Find looks where the product keeps its stores, without opening them.
	Find func(ctx context.Context, env Env) memory.Survey
	// FindBelow looks for stores below the folder root.
	FindBelow func(ctx context.Context, root string) memory.Survey
	// Open opens the store at path, which need not exist.
	Open func(path string) (System, error)
	// Forms are how its memories lie in files.
	Forms []Form
}
