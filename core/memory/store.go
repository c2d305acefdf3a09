package memory

import (
	"io/fs"
	"slices"
	"strconv"
	"time"
)

// Place is a store that exists or could exist, and why we think so.
type Place struct {
	Store  StoreID
	System SystemID
	Path   string // as shown: relative or with ~ if that is shorter
	Why    string // "KARNEVIL9_MEMORY_PATH", "found below ./agents"
	Exists bool
	// Name is the system's name for it, if a path alone does not identify it: "MEMORY.md", "auto
	// memory", "sessions". May be empty.
	Name string
	// Project is the absolute path of the folder that the store belongs to; empty if it applies to
	// all folders.
	Project string
	// Surrounds is set when the store is of the repository around the linked work tree in which the search began:
	// sessions there use that work tree's own.
	Surrounds bool
	// NamedBy is the file of the project that names the store, such as ".env". It is empty when no
	// file names it.
	NamedBy string
	// Personal is set when the person says where the store is: it is in a home folder of its system,
	// or an environment variable names it. Its path may lead anywhere; see system.Reach.
	Personal bool
	// ByPath is set when the path alone tells a person which store this is, and name and project
	// add nothing.
	ByPath bool
}

// Kind returns the kind of store: its system and, after a slash, the system's name for it. List
// settings that a person chose for one store apply to all stores of the same kind.
func (p Place) Kind() string {
	if p.Name == "" {
		return string(p.System)
	}
	return string(p.System) + "/" + p.Name
}

// Looked is one place that was searched for stores.
type Looked struct {
	Where string // path, or name of an environment variable
	Found int    // stores found there
	Note  string // "does not exist", "not set", "permission denied"
}

// Survey is the result of searching for stores: the stores, best first, and the places that were
// searched, which the screen for "nothing found" lists.
type Survey struct {
	Places []Place
	Looked []Looked
}

// Found adds a place unless its store was found before.
func (s *Survey) Found(p Place) {
	if !slices.ContainsFunc(s.Places, func(o Place) bool { return o.Store == p.Store }) {
		s.Places = append(s.Places, p)
	}
}

// Look records that a place was searched, the number of stores found there, and what kept it from
// being more.
func (s *Survey) Look(where string, found int, note string) {
	s.Looked = append(s.Looked, Looked{Where: where, Found: found, Note: note})
}

// GitState says what git knows about a store's file.
type GitState uint8

// The states.
const (
	GitUnknown GitState = iota // no git on this machine, or it did not answer
	GitNone                    // not inside a work tree
	GitIgnored
	GitUntracked
	GitTracked
)

// String returns the word for the state, as it is printed.
func (g GitState) String() string {
	return [...]string{"unknown", "none", "ignored", "untracked", "tracked"}[min(g, GitTracked)]
}

// WatchMode says how changes to a store reach us.
type WatchMode uint8

// The modes.
const (
	WatchOff  WatchMode = iota // not watched
	WatchLive                  // notified by the operating system
	WatchPoll                  // checked every 2 s, because the file system sends no notifications
)

// Size is the length of a text as a model sees it.
type Size struct {
	Bytes                 int
	TokensLow, TokensHigh int // bounds of an estimate
}

// Tokens returns the middle of the estimate.
func (s Size) Tokens() int { return (s.TokensLow + s.TokensHigh) / 2 }

// Usage says how full a part of a store is, as its system counts it.
type Usage struct {
	Name        string // "MEMORY.md", "index lines"
	Used, Limit int
	// Text is the system's own wording, from its prompt: "67% — 1,474/2,200 chars". Empty if it has
	// none.
	Text string
}

// Scope is a part of a store.
type Scope struct {
	Name    string // as in [Record.Scope]
	Records int
	Note    string // may be empty
}

// Running is an agent that is running now and uses a store.
type Running struct {
	PID     int // 0 when unknown
	Session string
	Folder  string // where it works; may be empty
	State   string // the system's own word: "busy"; may be empty
	Since   time.Time
}

// Noun is the word for the records of a store: "lesson", "lessons".
type Noun struct{ One, Many string }

// OrRecord returns n, or "record" when n is empty.
func (n Noun) OrRecord() Noun {
	if n.One == "" {
		return Noun{"record", "records"}
	}
	return n
}

// Count returns a number of records in words.
func (n Noun) Count(c int) string {
	n = n.OrRecord()
	if c == 1 {
		return "1 " + n.One
	}
	return strconv.Itoa(c) + " " + n.Many
}

// Counted returns a number with its noun: "1 line", "2 lines".
func Counted(n int, noun string) string { return Noun{One: noun, Many: noun + "s"}.Count(n) }

// AppendNew appends each value that list does not contain yet.
func AppendNew[T comparable](list []T, more ...T) []T {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// Snapshot is one state of a store, or the beginning of a large one. It must not be changed after
// it was handed over. It may share Records with an earlier snapshot.
type Snapshot struct {
	Place   Place
	TakenAt time.Time
	Seq     int // rises with each snapshot of one Follow

	// Records are in the order of the store. A store that is too large to be held in memory has
	// only its first records here, and is read-only.
	Records []Record
	// Total is the number of records in the store: its non-blank lines.
	Total int
	// Aside is the number of records, the last ones, that are only shown and not counted under
	// Noun, because they are of another kind.
	Aside int
	// Damaged is the number of records that are shown so that they can be mended, and not counted
	// under Noun, because nobody can tell what they say: "damaged lines".
	Damaged int
	// Partial is set while the rest of this state is still being read. Total is then the number
	// counted so far.
	Partial bool

	// Held is the number of records that an agent would hold after loading now, Cap the number it
	// keeps, and LoadCap the number it reads. Unused is how many of the held ones were never
	// recalled.
	Held, Cap, LoadCap, Unused int

	// Noun is what the records are called.
	Noun Noun
	// Described says how they are shown.
	Described Description
	// Scopes are the parts of the store, in the order in which the system reads them; nil if it has
	// none.
	Scopes []Scope
	Usage  []Usage
	// Start is what the store adds to every session at its start, whatever the task.
	Start Size
	// Running are the agents that use the store now.
	Running []Running
	// Facts are facts about the store as a whole, in order.
	Facts []Fact

	Health []Health
	// Problem is set when the store itself cannot be read: missing, a folder, no permission.
	// Records is then empty.
	Problem *Problem

	Size    int64
	Mode    fs.FileMode
	ModTime time.Time // last write by any writer; zero if the file is missing
	Git     GitState
	Watch   WatchMode
	// Dated is set when an edit leaves the date of a record unchanged unless the person says that
	// the text was checked.
	Dated bool
	// ReadOnly says why nothing can be changed here; empty when it can.
	ReadOnly string
	// Findings are the audit's findings in the records and the file, worst first. They arrive after
	// the records; Audited says that they are there.
	Findings []Finding
	Audited  bool
	// Unread names what the audit did not read in the store: "3 of 11 sessions".
	Unread []string
	// Uncovered names what the audit cannot find anything in: "free pages of the database".
	Uncovered []string
	// Undone are our changes that another writer undid and that await a decision.
	Undone []Undone
	// Reapplied is the number of our changes that were redone, by a permanent decision, since the
	// Follow began. It never falls during one Follow.
	Reapplied int
	// Writer says who seems to be writing: "pid 4711 holds journal.lock"; empty if nobody is.
	Writer string
}

// Counted returns the number of records that count under the store's Noun.
func (s *Snapshot) Counted() int { return s.Total - s.Aside - s.Damaged }

// Loaded returns how many records an agent holds of the store: all that count, unless it keeps only some.
func (s *Snapshot) Loaded() int {
	if s.Cap > 0 {
		return s.Held
	}
	return s.Counted()
}
