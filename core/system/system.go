// Package system declares what a memory system must do for the rest of the
// program. Implementations live below core/systems, one folder each, and are
// named only in core/systems/all.
package system

import (
	"context"
	"io/fs"
	"os"

	"winnow/core/memory"
	"winnow/core/session"
)

// Store reads one store of one product.
//
// Implementations are safe for concurrent use and write nothing: no lock, no
// temporary file, no access time where the system allows that.
type Store interface {
	// Info describes the store. It does no IO.
	Info() Info

	// List calls fn once for each record, in the order of the store, on the
	// goroutine that called List. A record that cannot be decoded is passed with
	// Problem set and does not end the listing. List stops and returns the error
	// when fn or the storage fails, or when ctx is done.
	List(ctx context.Context, fn func(memory.Record) error) error
}

// Info describes an opened store: what it is, and what only some stores can do. A function
// that a store has no use for is nil; none but Asks, Detail, Journal, Verify and Earlier does IO.
type Info struct {
	System memory.SystemID
	Name   string // of the system, for the user: "KarnEvil9"
	Place  memory.Place
	Noun   memory.Noun // what its records are called
	// Described says how its records are shown.
	Described memory.Description
	// Counts is set when records count how often they were recalled.
	Counts bool
	// Copies is set when running agents hold a copy of the records and write it back.
	Copies bool
	// Prose is set when records are free to have headings and fences of their own.
	Prose bool
	// FileDates is set when records have the age of their files. An edit keeps the date of a
	// file unless [Write.Verified] is set.
	FileDates bool

	// Similar returns, for each record, the indexes of those that say nearly the same, or
	// nil.
	Similar func(records []memory.Record) [][]int
	// Asks returns a sentence on why a person should decide before the store is changed now,
	// or nothing.
	Asks func(ctx context.Context) string
	// Companions returns the changes that go with those of a plan, such as the line of an index,
	// each marked Companion, and sentences on them. Records are all of the store.
	Companions func(records []memory.Record, changes []memory.Change) ([]memory.Change, []string)
	// NewID returns the id of the new record that Compose made of e as stored, where stored
	// forms do not hold the ids of their records, as the name of a file is not in it.
	// Records are all of the store. The error is a *memory.Problem, for a name that is not
	// valid or that a record has.
	NewID func(records []memory.Record, stored string, e memory.Edit) (memory.ID, error)
	// Shared returns what other machines get of a record through a share: the edit that makes it there. It is nil
	// for a record that stays here. One with a Name is known by it everywhere, another by its text. The function
	// is nil where records are lessons, or are not shared.
	Shared func(r *memory.Record) *memory.Edit
	// Detail returns a snapshot with what takes too long to be read with it.
	Detail func(ctx context.Context, snap memory.Snapshot) memory.Snapshot
	// Journals are the paths at which the journal of the store's agents can be, and Journal
	// returns a function that says what it tells of a record, each of its texts; nil when
	// there is no journal. It is read when that function is called for the first time. What
	// cannot be read tells nothing.
	Journals []string
	Journal  func(ctx context.Context) func(r *memory.Record) []string
	// Learnt returns what that journal says was ever learnt, the oldest first: the id, the time, the
	// session and the outcome. Without a journal the error is fs.ErrNotExist; with another one
	// lessons may be missing.
	Learnt func(ctx context.Context) ([]memory.Record, error)
	// Verify reads that journal and says whether it holds, as the agents themselves check it. It
	// reads all of it; nothing is returned where there is no journal.
	Verify func(ctx context.Context, env Env) []memory.Health
	// Earlier is for a store of one file whose sessions keep what they were given at their
	// start. It returns g with what the session got when the file held text, and how that
	// differs from now, where it can be told.
	Earlier func(g memory.LastSession, now memory.Recall, text string) memory.LastSession
}

// Snapshotter is implemented by a Store that can show its state in
// bounded memory, beginning before all of it is read.
type Snapshotter interface {
	// Snapshot reads the store, or the beginning of a large one. It calls emit with a
	// partial snapshot as soon as the first records are there, if reading takes
	// long, and returns the whole. A store that cannot be read yields a snapshot
	// with Problem set and no error; the error is that of ctx.
	Snapshot(ctx context.Context, emit func(memory.Snapshot)) (memory.Snapshot, error)
}

// Searcher is implemented by stores that can list some records faster than all of them.
type Searcher interface {
	// Search is [Store.List] of the records that are wanted. Every record is passed to wanted, as
	// List passes it but for what is worked out from its text: Rev, Secrets, and the flags for
	// secrets and for text that acts on a model.
	Search(ctx context.Context, wanted func(*memory.Record) bool, fn func(memory.Record) error) error
}

// Summarizer is implemented by a Store that can describe itself without reading all of it.
type Summarizer interface {
	// Summary returns a snapshot without records: Total, Start, Usage, Running, Scopes,
	// Size and what of Health is told without reading the records. It takes about a
	// millisecond, whatever the store holds. The error is that of ctx.
	Summary(ctx context.Context) (memory.Snapshot, error)
}

// Recaller is implemented by a Store whose recall can be computed here.
type Recaller interface {
	// Recall computes what the system would recall for t now, from the store as
	// it stands. It has no side effect.
	Recall(ctx context.Context, t memory.Task) (memory.Recall, error)
}

// Watched is implemented by a Store that can change while it is open.
type Watched interface {
	// WatchPaths returns the files whose change means that the store changed. They
	// need not exist. A path that ends in a separator is a folder and all that is
	// directly in it.
	WatchPaths() []string
}

// Env is what a Finder may know about the machine. It is a value so that tests
// can make one.
type Env struct {
	Home   string
	Dir    string // working folder, absolute
	Lookup func(name string) (string, bool)
	GOOS   string // the operating system; empty for that of this machine
}

// ThisMachine returns the environment that the program runs in.
func ThisMachine() Env {
	home, _ := os.UserHomeDir() // without one, what lies below it is not found
	dir, _ := os.Getwd()        // without one, there is no project
	return Env{Home: home, Dir: dir, Lookup: os.LookupEnv}
}

// System is a product that Winnow knows how to find and open.
type System struct {
	ID   memory.SystemID
	Name string
	// Variables are those of the environment that say where its stores are, each with what
	// it means.
	Variables []memory.Fact
	// Find looks where the product keeps its stores, without opening them. It costs
	// next to nothing where the product is not installed.
	Find func(ctx context.Context, env Env) memory.Survey
	// StoresIn returns the stores that lie in the folder dir, one of those below a folder
	// that a person named. Entries are what is in it, by name; links are among them and
	// are not followed. It reads no more than the heads of files. May be nil.
	StoresIn func(dir string, entries []fs.DirEntry) []memory.Place
	// Reads reports whether the file or folder that a person named is a store of the
	// product, and returns its place. It reads no more than the head of a file. Nil
	// where any file can be one.
	Reads func(path string) (memory.Place, bool)
	// Open opens the store at path, the path of a [memory.StoreID], which need not
	// exist.
	Open func(path string) (Store, error)
	// Serves returns the places of the stores whose records Winnow's own hook gives to agents
	// that work in env.Dir: the project's first, then those of folders within it, and the
	// person's last. They need not exist. Nil for a system that serves its agents itself.
	Serves func(env Env) []memory.Place
	// Forms are how its memories lie in files.
	Forms []Form
	// Abilities say what can be done with each sort of store that it has.
	Abilities []Ability
	// Sessions returns the sessions that it kept on this machine, in any order, without
	// reading more than the heads of their files; nil where no session can be read. When folder is not
	// empty, those that worked in it or in a folder below it come alone, as far as their heads tell.
	Sessions func(ctx context.Context, env Env, folder string) ([]session.Head, error)
	// Session reads one of them. It leaves no trace. The error is that of ctx, or a
	// *memory.Problem.
	Session func(ctx context.Context, env Env, head session.Head) (session.Session, error)
}

// Approving is implemented by a Store that serves an agent only the records that a person approved
// on this machine.
type Approving interface {
	// UseApprovals sets what tells whether a record was approved. It is called once, before the
	// store is used; without it no record counts as approved.
	UseApprovals(approved func(*memory.Record) bool)
	// Served returns what a task recalls of the approved records, best first. A store that
	// does not exist serves nothing.
	Served(ctx context.Context, task string) ([]Served, error)
}

// Picker is implemented by a Store that finds a few records without what is shown of them.
type Picker interface {
	// Pick returns the records that have the ids and words now, each once, in the order of the store,
	// with no more than their ids, lines and stored forms.
	Pick(ctx context.Context, served []Served) ([]memory.Record, error)
}

// Served is a record that an agent is to be given.
type Served struct {
	ID                   memory.ID
	Score                int
	Title, Outcome, Body string
}

// Committable is implemented by a Store that keeps its file out of git unless the person
// wants it in.
type Committable interface {
	// CommitIf sets what tells whether the person wants it in git. Without it nobody does.
	CommitIf(wanted func() bool)
}

// Exactness says how well a recall can be told.
type Exactness string

// The degrees.
const (
	NoRecall Exactness = "no"
	Exact    Exactness = "exact"
	// Estimated is for a model that chooses: what it is given to choose from is exact.
	Estimated Exactness = "estimate"
)

// Sharing says as what the records of a store can be shared.
type Sharing string

// The forms in a share. Records without one stay on their machine.
const (
	Unshared      Sharing = "no"
	LessonsShared Sharing = "lessons" // field by field, with counts
	TextsShared   Sharing = "texts"   // see [Info.Shared]
)

// Ability is what can be done with one sort of store of a product. A test holds it
// against what the store implements.
type Ability struct {
	Store  string // "auto memory", "sessions"
	Recall Exactness
	Edit   string // "all", or what cannot be edited in a few words; empty for nothing
	Delete string // likewise
	Watch  bool
	// Learn says how its sessions could teach: "from the journal". Empty when they cannot.
	Learn string
	// Share says as what its records can be shared; empty when they cannot.
	Share Sharing
	Note  string // one sentence; may be empty
}
