package memory

import (
	"slices"
	"strconv"
	"time"
)

// Home is what the agents of a project read in a folder, and what is wrong with it.
type Home struct {
	Folder  string // absolute
	Project string // the root of the git work tree around it, or the folder itself
	Person  string // the person's home folder
	Outside bool   // the folder is in no project: git does not have it, and no agent reads a file of it
	Agents  []HomeAgent
	// Issues are in the order of the kinds, and within a kind by file and line. Those that a person said are
	// meant so are among them; see [Issue.Open].
	Issues []Issue
	Same   []SharedText
	Files  int // that agents read in the project and in the home folder, each once
	Notes  int // records of the agents' own memories
	// Failing says in a line what failed again and again in the sessions here that were read; empty for nothing.
	Failing string
	// Stage says how far the answer has come: each stage has all that the ones before have.
	Stage HomeStage
	// Doing is a sentence about what is still being done; empty for nothing.
	Doing string
	// NotLooked are sentences on what was not looked at.
	NotLooked []string
	// Moved is set if the memory of a folder that is gone may be this project's.
	Moved bool
}

// CodeMoved is the code of a finding about a memory that may be this project's and that no session reads.
const CodeMoved = "moved-memory"

// HomeStage is a part of the answer that is there.
type HomeStage uint8

// The stages, in their order.
const (
	HomeAgents  HomeStage = iota + 1 // what each agent reads, and what it silently leaves out
	HomeTexts                        // how the texts differ
	HomeHistory                      // what git knows of the names in them
)

// HomeAgent is what one agent reads, and what is wrong with it.
type HomeAgent struct {
	System SystemID
	Agent  string // "Claude Code"
	Start  Size   // the text that every session is given
	// OnRecall is set if it reads nothing at the start, and a task recalls some of its records.
	OnRecall bool
	Files    int // with instructions, of any occasion
	Notes    int // records of its own memory
	LastNote Moment
	// Problems are a few words each, the worst first: "1 secret", "index names 2 lost".
	Problems []HomeWords
	Sources  []HomeSource
	// Gap, Note, Stop and Unused are those of [AgentSources].
	Gap, Note string
	Stop      *Problem
	Unused    bool
}

// Reads reports whether the agent is given anything here.
func (a *HomeAgent) Reads() bool {
	for i := range a.Sources {
		if s := &a.Sources[i]; s.When != Never {
			return true
		}
	}
	return false
}

// SumUnread says of each agent how many of the open issues it silently leaves out. Call it again when issues were
// left out.
func (h *Home) SumUnread() {
	for i := range h.Agents {
		a := &h.Agents[i]
		n := 0
		for j := range h.Issues {
			if is := &h.Issues[j]; is.Open() && is.Kind == SilentlyUnread && slices.Contains(is.Agents, a.Agent) {
				n++
			}
		}
		a.Problems = slices.DeleteFunc(slices.Clone(a.Problems), func(w HomeWords) bool { return w.Sums })
		if n > 0 {
			words := HomeWords{Level: Warn, Sums: true}
			words.Text, words.Short = strconv.Itoa(n)+" silently unread", strconv.Itoa(n)+" unread"
			a.Problems = append(a.Problems, words)
		}
	}
}

// HomeWords are a few words about an agent, and how bad it is.
type HomeWords struct {
	Level Level
	Text  string
	Short string // for a column: "2 not indexed"
	Sums  bool   // it counts issues, which are listed as well
}

// HomeSource is a source with what its text holds.
type HomeSource struct {
	Source
	Start   Size // of the part that every session is given
	Secrets int
	Issues  int  // open ones with a place in it
	Inside  bool // in the project
}

// IssueKind says what is wrong.
type IssueKind string

// The kinds, in the order in which they are listed.
const (
	SilentlyUnread IssueKind = "silently-unread"
	Differ         IssueKind = "difference"
	OnlyOneTold    IssueKind = "only-one-told"
	NoLongerTrue   IssueKind = "no-longer-true"
)

// IssueKinds returns all kinds in the order in which they are listed.
func IssueKinds() []IssueKind {
	return []IssueKind{SilentlyUnread, Differ, OnlyOneTold, NoLongerTrue}
}

// Words returns the kind as the heading of a list.
func (k IssueKind) Words() string {
	switch k {
	case SilentlyUnread:
		return "Silently unread"
	case Differ:
		return "Where they differ"
	case OnlyOneTold:
		return "Only one agent is told"
	}
	return "No longer true"
}

// Issue is one thing that is wrong with what agents read, or that a person should know of it.
type Issue struct {
	Kind   IssueKind
	Level  Level    // Warn for what is wrong, Note for what is worth knowing
	Agents []string // whom it concerns
	// Places are where it is written: the first is the one to look at. A difference has two.
	Places []Spot
	More   int    // places that were counted and not listed
	What   string // one sentence
	// Slots are what differs in each place of a difference, and the name that is gone, with where it is now.
	Slots [2]string
	Mend  *Mend // nil if there is none
	// Next says what a person can do where there is no mend, as an order: "shorten the file". It may be empty.
	Next string
	// Commit is the one in which git lost the name, and At its time; empty for other issues.
	Commit string
	At     time.Time
	// Outside is set if a place is not in the project, but in the files of the person.
	Outside bool
	// Fingerprint is the same until one of the texts changes. [Ignore] names it.
	Fingerprint string
	Ignored     *Ignore // a person said that it is meant so
}

// Open reports whether nobody said that it is meant so.
func (i *Issue) Open() bool { return i.Ignored == nil }

// Fails reports whether it counts as a problem.
func (i *Issue) Fails() bool { return i.Open() && i.Level >= Warn }

// Spot is a place in a file.
type Spot struct {
	File string // absolute
	Line int    // from 1; 0 for the whole file
	Text string // of the statement there; empty for the whole file
}

// Mend is a change of one file that removes an issue.
type Mend struct {
	What string // what it does, as an order: "Import AGENTS.md in CLAUDE.md"
	File string // absolute
	// Line has Old, which becomes New. Without Old, New is added as a line of its own before Line, or at the end
	// if Line is 0.
	Line     int
	Old, New string
	All      bool   // Old is replaced wherever it stands in the file
	Also     []Mend // further changes of the same file that come with it
}

// SharedText says how much of two files is one text.
type SharedText struct {
	A, B string // the files, absolute
	// Same statements are in both; OfA and OfB is how many each has.
	Same, OfA, OfB int
}

// HomeOrder says what to look at.
type HomeOrder struct {
	Folder string // empty for the working folder
	// Agents leaves it at the first stage.
	Agents bool
	// Near leaves out what is below the folder.
	Near bool
	// Failing adds what failed in sessions, which a screen shows: for it they are listed.
	Failing bool
}
