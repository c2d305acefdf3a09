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
	Path   string // as shown: relative or with ~ where that is shorter
	Why    string // "KARNEVIL9_MEMORY_PATH", "found below ./agents"
	Exists bool
	// Name is what its system calls it, where a path alone does not tell: "MEMORY.md",
	// "auto memory", "sessions". May be empty.
	Name string
	// Project is the absolute path of the folder that it belongs to; empty for one that
	// holds for all of them.
	Project string
	// ByPath is set when the path alone tells a person which store this is: the name and
	// the project add nothing.
	ByPath bool
}

// Kind returns what a store is of: its system, and behind a slash what that calls it. What a person chose
// for the list of one holds for all of its kind.
func (p Place) Kind() string {
	if p.Name == "" {
		return string(p.System)
	}
	return string(p.System) + "/" + p.Name
}

// Looked is one place where stores were looked for.
type Looked struct {
	Where string // path, or name of an environment variable
	Found int    // stores found there
	Note  string // "does not exist", "not set", "permission denied"
}

// Survey is the result of looking for stores: those found, best first, and where
// was looked, for the screen that says that nothing was found.
type Survey struct {
	Places []Place
	Looked []Looked
}

// Found adds a place, unless its store is among those found before.
func (s *Survey) Found(p Place) {
	if !slices.ContainsFunc(s.Places, func(o Place) bool { return o.Store == p.Store }) {
		s.Places = append(s.Places, p)
	}
}

// Look notes where was looked, how many stores were found there, and what kept it from
// being more.
func (s *Survey) Look(where string, found int, note string) {
	s.Looked = append(s.Looked, Looked{Where: where, Found: found, Note: note})
}

// GitState says what git knows of a store's file.
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

// WatchMode says how changes of a store reach us.
type WatchMode uint8

// The modes.
const (
	WatchOff  WatchMode = iota // not watched
	WatchLive                  // told by the operating system
	WatchPoll                  // looked at every 2 s, since the file system tells nothing
)

// Size is how long a text is for a model.
type Size struct {
	Bytes                 int
	TokensLow, TokensHigh int // bounds of an estimate
}

// Usage is how full a part of a store is, as its system counts it.
type Usage struct {
	Name        string // "MEMORY.md", "index lines"
	Used, Limit int
	// Text is how the system itself says it, in the words of its prompt: "67% —
	// 1,474/2,200 chars". Empty where it says nothing.
	Text string
}

// Scope is a part of a store.
type Scope struct {
	Name    string // as in [Record.Scope]
	Records int
	Note    string // may be empty
}

// Running is an agent that runs now and uses a store.
type Running struct {
	PID     int // 0 when it is not known
	Session string
	Folder  string // where it works; may be empty
	State   string // in the system's word: "busy"; may be empty
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

// AppendNew appends what a list does not have yet, each once.
func AppendNew[T comparable](list []T, more ...T) []T {
	for _, v := range more {
		if !slices.Contains(list, v) {
			list = append(list, v)
		}
	}
	return list
}

// Snapshot is one state of a store, or the beginning of a large one. Nobody changes it
// after it was handed over; Records of an earlier snapshot may be shared.
type Snapshot struct {
	Place   Place
	TakenAt time.Time
	Seq     int // rises with each snapshot of one Follow

	// Records are the records in the order of the store. A store that is too large to be
	// held whole has only the first of them here, and is read-only.
	Records []Record
	// Total is the number of records in the store: lines that are not blank.
	Total int
	// Aside is how many of those are not counted as Noun, because they are of another kind
	// and only shown. They are the last ones.
	Aside int
	// Partial is set while the rest of this state is still being read. Total is
	// then what has been counted so far.
	Partial bool

	// Held is how many records an agent would hold after loading now, Cap the
	// number it keeps, LoadCap the number it reads. Unused of the held were never
	// recalled.
	Held, Cap, LoadCap, Unused int

	// Noun is what the records are called.
	Noun Noun
	// Described says how they are shown.
	Described Description
	// Scopes are the parts of the store, in the order in which the system reads them;
	// nil where it has none.
	Scopes []Scope
	Usage  []Usage
	// Start is what the store adds to every session from its beginning, whatever the
	// task is.
	Start Size
	// Running are the agents that use the store now.
	Running []Running
	// Facts are of the store as a whole, in order.
	Facts []Fact

	Health []Health
	// Problem is set when the store itself cannot be read: missing, a folder,
	// unreadable. Records is then empty.
	Problem *Problem

	Size    int64
	Mode    fs.FileMode
	ModTime time.Time // last write by anybody; zero when the file is missing
	Git     GitState
	Watch   WatchMode
	// Dated is set when an edit leaves the date of a record as it is, unless the person
	// says that the text was checked.
	Dated bool
	// ReadOnly says why nothing can be changed here; empty when it can.
	ReadOnly string
	// Findings are what the audit says of the records and of the file, worst first.
	// They come after the records: Audited says that they are there.
	Findings []Finding
	Audited  bool
	// Unread says what of the store the audit did not look at: "3 of 11 sessions".
	Unread []string
	// Uncovered says what no finding can be expected from: "free pages of the database".
	Uncovered []string
	// Undone are our changes that another writer undid and that await a decision.
	Undone []Undone
	// Reapplied is how many of our changes were done again since the store was
	// followed, as was decided for good. It never falls while one Follow lasts.
	Reapplied int
	// Writer tells who seems to be writing: "pid 4711 holds journal.lock", or empty.
	Writer string
}

// Counted is how many records of the store count as what its Noun says.
func (s *Snapshot) Counted() int { return s.Total - s.Aside }
