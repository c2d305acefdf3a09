// Package system declares what a memory system provides to the rest of the program. Implementations
// are below core/systems, one folder each, and only core/systems/all names them.
package system

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"winnow/core/memory"
	"winnow/core/session"
)

// Store reads one store of one product.
//
// Implementations are safe for concurrent use and write nothing: no lock, no temporary file, and no
// access time if the operating system allows that.
type Store interface {
	// Info describes the store. It does no IO.
	Info() Info

	// List calls fn once for each record, in the order of the store and on the calling goroutine. A
	// record that cannot be decoded is passed with Problem set and does not end the listing. List
	// stops and returns an error if fn or the storage fails, or if ctx is done.
	List(ctx context.Context, fn func(memory.Record) error) error
}

// Info describes an opened store and holds what only some stores can do. A function is nil if the
// store does not support it. Only Asks, Kept, Detail, Journal, Verify, Learnt and Earlier may do IO.
type Info struct {
	System memory.SystemID
	Name   string // the system's name for people: "KarnEvil9"
	Place  memory.Place
	Noun   memory.Noun // what its records are called
	// Described says how to show its records.
	Described memory.Description
	// Counts is set when records count how often they were recalled.
	Counts bool
	// Copies is set when running agents hold a copy of the records and write that back.
	Copies bool
	// Prose is set when records may have headings and fences of their own.
	Prose bool
	// FileDates is set when a record's age is that of its file. An edit keeps the file's date
	// unless [Write.Verified] is set.
	FileDates bool

	// Similar returns for each record the indexes of the records that say nearly the same, or nil.
	Similar func(records []memory.Record) [][]int
	// Asks returns a sentence on why a person should confirm a change to the store now, or "".
	Asks func(ctx context.Context) string
	// Companions returns the changes that a plan's changes bring along, such as a line of an index,
	// each marked Companion, and sentences about them. Records are all records of the store.
	Companions func(records []memory.Record, changes []memory.Change) ([]memory.Change, []string)
	// NewID returns the id of a new record that Compose made from e. It is for stores whose stored
	// forms do not contain the id, for example because the id is a file name. Records are all
	// records of the store. The error is a *memory.Problem: the name is invalid or taken.
	NewID func(records []memory.Record, stored string, e memory.Edit) (memory.ID, error)
	// Kept returns the folders outside of the project in which the product itself keeps records of the
	// store, by its own rules or the person's settings. It is nil if there is none.
	Kept func() []string
	// Stays reports whether a record is kept by the path of the project and not in the project, so that
	// it stays behind when the project is moved. It is nil if no record does.
	Stays func(r *memory.Record) bool
	// Chosen reports whether a model reads the record only if it chooses to, so that the files of each
	// session show whether it did. It is nil if no record is read so.
	Chosen func(r *memory.Record) bool
	// Instruction reports whether the record is an instruction that people write, which no rule of a
	// prune deletes. It is nil if none is.
	Instruction func(r *memory.Record) bool
	// Detail returns a snapshot completed with what takes too long to read at first.
	Detail func(ctx context.Context, snap memory.Snapshot) memory.Snapshot
	// DetailIsOfStore is set if Detail completes only what is said of the whole store, and nothing of its records.
	DetailIsOfStore bool
	// Journals are the paths where the agents' journal may be. Journal returns a function that
	// lists what the journal says about a record, one text for each entry. It is nil if there is no
	// journal. The first call of that function reads the journal; anything unreadable is left out.
	Journals []string
	Journal  func(ctx context.Context) func(r *memory.Record) []string
	// Learnt returns what the journal says was ever learnt, oldest first: id, time, session and
	// outcome. Without a journal the error is fs.ErrNotExist; any other error means that lessons
	// may be missing.
	Learnt func(ctx context.Context) ([]memory.Record, error)
	// Verify reads the whole journal and says whether it is intact, by the agents' own check. It
	// returns nothing if there is no journal.
	Verify func(ctx context.Context, env Env) []memory.Health
	// Earlier is for a store that is one file, in a system whose sessions keep what they were given
	// at the start. It adds to g what the session got when the file contained text, and how that
	// differs from now, if that can be determined.
	Earlier func(g memory.LastSession, now memory.Recall, text string) memory.LastSession
}

// Snapshotter is implemented by a Store that can show its state in bounded memory, starting before
// everything is read.
type Snapshotter interface {
	// Snapshot reads the store, or the beginning of a large one. If reading takes long, it calls
	// emit with a partial snapshot as soon as it has the first records. It returns the full
	// snapshot. An unreadable store yields a snapshot with Problem set and no error; the only error
	// is that of ctx.
	Snapshot(ctx context.Context, emit func(memory.Snapshot)) (memory.Snapshot, error)
}

// Searcher is implemented by a Store that can list some records faster than all of them.
type Searcher interface {
	// Search is [Store.List] restricted to the records for which wanted returns true. The records
	// passed to wanted lack what is computed from their text: Rev, Secrets, and the flags for
	// secrets and injection.
	Search(ctx context.Context, wanted func(*memory.Record) bool, fn func(memory.Record) error) error
}

// Summarizer is implemented by a Store that can describe itself without reading all of it.
type Summarizer interface {
	// Summary returns a snapshot without records: Total, Start, Usage, Running, Scopes, Size, and
	// the health lines that do not need the records. It takes about a millisecond for a store of
	// any size. The only error is that of ctx.
	Summary(ctx context.Context) (memory.Snapshot, error)
}

// Recaller is implemented by a Store whose recall Winnow can compute.
type Recaller interface {
	// Recall computes what the system would recall for t now, from the current store. It has no
	// side effect.
	Recall(ctx context.Context, t memory.Task) (memory.Recall, error)
}

// Watched is implemented by a Store that can change while it is open.
type Watched interface {
	// WatchPaths returns the files whose change means that the store changed. They need not exist.
	// A path that ends in a separator means a folder and everything directly in it.
	WatchPaths() []string
}

// Env is what a System may know about the machine. It is a value so that tests can make one.
type Env struct {
	Home   string
	Dir    string // working folder, absolute
	Lookup func(name string) (string, bool)
	GOOS   string // the operating system; empty for the one of this machine
	// Alone says that no system asked before has a store of the project around Dir. A file that many
	// agents read, such as AGENTS.md, is a store only then.
	Alone bool
	// Here asks only for the stores of the projects around Dir and of no project. Places of other projects
	// may be missing then.
	Here bool
	// Vars is the environment of the programs that Winnow starts, each variable as NAME=VALUE. Nil
	// is that of this process, whose working folder they then share too.
	Vars []string
}

// Prepare has cmd run in this environment.
func (e Env) Prepare(cmd *exec.Cmd) {
	if e.Vars != nil {
		cmd.Env, cmd.Dir = e.Vars, e.Dir
	}
}

// ThisMachine returns the environment that the program runs in. The working folder has its links
// resolved: agents know a project by its physical path, whatever the shell calls it.
func ThisMachine() Env {
	home, _ := os.UserHomeDir() // without it, nothing below it is found
	if !filepath.IsAbs(home) {
		home = "" // it would be another folder in each working folder
	}
	dir, _ := os.Getwd() // without one, there is no project
	return Env{Home: home, Dir: physical(dir), Lookup: os.LookupEnv}
}

// physical returns a folder with its links resolved, or as it is if that fails.
func physical(dir string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil || dir == "" {
		return dir
	}
	return real
}

// Machine returns the environment of a program that was started in dir with vars. Of two values of
// a variable, the last counts.
func Machine(dir string, vars []string) Env {
	values := make(map[string]string, len(vars))
	for _, kv := range vars {
		name, value, _ := strings.Cut(kv, "=")
		values[name] = value
	}
	home := values["HOME"]
	if runtime.GOOS == "windows" {
		home = values["USERPROFILE"]
	}
	if !filepath.IsAbs(home) {
		home = ""
	}
	lookup := func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	return Env{Home: home, Dir: physical(dir), Lookup: lookup, Vars: vars}
}

// System is a product that Winnow knows how to find and open.
type System struct {
	ID   memory.SystemID
	Name string
	// Variables are the environment variables that say where its stores are, each with its meaning.
	Variables []memory.Fact
	// Find looks where the product keeps its stores, without opening them. It takes next to no time
	// if the product is not installed.
	Find func(ctx context.Context, env Env) memory.Survey
	// StoresIn returns the stores in dir, a folder somewhere below one that a person named. Entries
	// are the contents of dir, by name; links are among them and are not followed. It reads at most
	// the beginning of files. May be nil.
	StoresIn func(dir string, entries []fs.DirEntry) []memory.Place
	// Reads reports whether a file or folder that a person named is a store of the product, and
	// returns its place. It reads at most the beginning of a file. Nil if any file can be one.
	Reads func(path string) (memory.Place, bool)
	// Open opens the store at path, which is [memory.StoreID.Path] and need not exist.
	Open func(path string) (Store, error)
	// Serves returns the stores whose records Winnow's own hook gives to agents that work in
	// env.Dir: first the project's, then those of folders within it, and the person's last. They
	// need not exist. Nil for a system that serves its agents itself.
	Serves func(env Env) []memory.Place
	// Sources says what its agents read in env.Dir, each in the order in which it takes them. It is
	// the one answer to that question: records, recall and audits go by the same files. With below it
	// also searches the folders below; without, it says what needs no search, at once. Nil for a
	// system whose stores, as Find has them, are all that it reads.
	Sources func(ctx context.Context, env Env, below bool) []memory.AgentSources
	// Forms describe how its memories are stored in files.
	Forms []Form
	// Abilities say what can be done with each kind of store that it has.
	Abilities []Ability
	// Sessions returns the sessions that it keeps on this machine, in any order, reading only the
	// beginnings of their files. If folder is not empty, it returns only sessions that worked in or
	// below it, as far as the beginnings tell. Nil if no session can be read.
	Sessions func(ctx context.Context, env Env, folder string) ([]session.Head, error)
	// Session reads one of the sessions, without leaving a trace. The error is that of ctx, or a
	// *memory.Problem.
	Session func(ctx context.Context, env Env, head session.Head) (session.Session, error)
}

// Approving is implemented by a Store that serves agents only records that a person approved on
// this machine.
type Approving interface {
	// UseApprovals sets the function that reports whether a record was approved. It is called once,
	// before the store is used; without it no record counts as approved.
	UseApprovals(approved func(*memory.Record) bool)
	// Served returns the records that a task recalls, best first, of those for which approved returns
	// true. A store that does not exist serves nothing. With an error, such as that of ctx, it returns
	// those of the records that could be read.
	Served(ctx context.Context, task string, approved func(*memory.Record) bool) ([]Served, error)
	// Told returns the records that are told at another moment than with a task, in the order of the store, of
	// those for which approved returns true. Errors are as those of Served.
	Told(ctx context.Context, approved func(*memory.Record) bool) ([]Served, error)
}

// Picker is implemented by a Store that can find a few records without decoding them for display.
type Picker interface {
	// Pick returns the records that currently have the ids and words of served, each once, in the
	// order of the store. Only their ids, lines and stored forms are set.
	Pick(ctx context.Context, served []Served) ([]memory.Record, error)
}

// Served is a record to give to an agent.
type Served struct {
	ID                   memory.ID
	Score                int
	Title, Outcome, Body string
	When                 string // as in [memory.Record]
}

// Committable is implemented by a Store that keeps its file out of git unless the person wants it
// there.
type Committable interface {
	// CommitIf sets the function that reports whether the person wants it in git. Without it the
	// file stays out.
	CommitIf(wanted func() bool)
}

// Exactness says how precisely a recall can be predicted.
type Exactness string

// The degrees.
const (
	NoRecall Exactness = "no"
	Exact    Exactness = "exact"
	// Estimated means that a model chooses. What it is given to choose from is exact.
	Estimated Exactness = "estimate"
)

// Ability says what can be done with one kind of store of a product. A test compares it with what
// the store implements.
type Ability struct {
	Store  string // "auto memory", "sessions"
	Recall Exactness
	Edit   string // "all", or in a few words what cannot be edited; empty for nothing
	Delete string // the same for deleting
	Watch  bool
	// Learn says how Winnow can learn from its sessions: "from the journal". Empty if it cannot.
	Learn string
	// Share says whether its records, which are lessons, can be shared through git.
	Share bool
	Note  string // one sentence; may be empty
}

// SplitName splits the name of one of the systems off a path or an id that a person gave.
func SplitName(systems []System, name string) (memory.SystemID, string) {
	id := memory.StoreID(name)
	for i := range systems {
		if systems[i].ID == id.System() {
			return id.System(), id.Path()
		}
	}
	return "", name
}
