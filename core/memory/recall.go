package memory

import "time"

// Mode is the kind of planner call that a prompt is built for.
type Mode string

// The modes of the planner.
const (
	Single  Mode = "single"
	Agentic Mode = "agentic"
)

// Task is a draft task for which recall is previewed.
type Task struct {
	Text string
	// Tools are tool names that count +2 where a lesson used them. The agent's own
	// kernel never passes any.
	Tools []string
	Mode  Mode // Single when empty
	// Without are words to leave out of the search, to see what they cause. The
	// agent itself would use them.
	Without []string
	// Scope is the part of the store that the agent works in, one of [Snapshot.Scopes];
	// empty for the system's own choice.
	Scope string
	// Folder is the absolute path that the session starts in; empty for the store's
	// project. Files are those that it reads or writes, absolute or relative to Folder:
	// some systems add instructions for them.
	Folder string
	Files  []string
}

// WordState says what became of a word of the task.
type WordState uint8

// The states. Only Used words score.
const (
	WordUsed     WordState = iota
	WordShort              // 3 units or fewer
	WordPast50             // past the 50th word that counts
	WordPast2000           // past the first 2,000 units
	WordLeftOut            // named in Task.Without
)

// Word is one word of a task, in order. Text is as it was compared (lower case).
type Word struct {
	Text  string
	State WordState
}

// MatchKind says how a word was found in a record.
type MatchKind uint8

// The kinds. Inside and StopWord are noise: they say nothing about the task.
const (
	WholeWord MatchKind = iota
	InsideWord
	StopWord
)

// Match is one scoring word of a hit.
type Match struct {
	Word  string
	Kind  MatchKind
	Times int // how often the task has the word; each time scores 1
}

// Hit is one record that a task would find.
type Hit struct {
	ID       ID
	Line     int
	Rank     int // from 1, over all hits
	Score    int
	Matches  []Match
	ToolHits []string // tools that scored +2, with repetition
	Recalled bool     // among those that are injected
	// LostTie is set for a hit that was cut though it scores as much as the last
	// recalled one: the earlier line in the file won.
	LostTie bool
	Noise   bool // every match is noise
	Count   Count
	Outcome Outcome
	Title   string
	Body    string
	Flags   Flags
	Secrets []Secret
	// Points is the score of a system that reckons in fractions; Score is then its whole
	// part, or 0. Why says in the system's own terms what the hit is for; may be empty.
	Points float64
	Why    string
	// Kind and Scope are as in [Record].
	Kind, Scope string
}

// MarkKind says what a mark in a block stands for.
type MarkKind uint8

// The kinds of marks.
const (
	MarkFiltered  MarkKind = iota // a delimiter that was replaced by [filtered]
	MarkNewline                   // a line break that came from a record
	MarkHidden                    // a character that cannot be seen
	MarkCut                       // a text was cut here; the mark is empty
	MarkSecret                    // to be masked until asked for
	MarkHeading                   // a line break that starts a heading or a delimiter: injection
	MarkDelimiter                 // a delimiter variant that the agent's filter misses
)

// Mark is a place in a block worth seeing: bytes Start to End of its text.
type Mark struct {
	Kind       MarkKind
	Start, End int
	Note       string
}

// Block is a text that an agent would send to its model, byte for byte.
type Block struct {
	Where string // "user prompt"
	Name  string // "Past Experience"
	Text  string
	Marks []Mark // by Start
	// Parts are where in Text the records and files stand, in order; nil where the block
	// is not made of such.
	Parts []Part
	// TokensLow and TokensHigh bound an estimate; models count differently.
	TokensLow, TokensHigh int
}

// Part is a piece of a block that is of one source.
type Part struct {
	Name       string // as it is shown: "project instructions", "memory index"
	ID         ID     // of the record, when it is in the store
	Path       string // of the file, absolute; may be empty
	Start, End int    // bytes of the block's text
	// TokensLow and TokensHigh bound an estimate of this piece.
	TokensLow, TokensHigh int
	// Note says what was done to it: "first 200 of 231 lines". May be empty.
	Note string
}

// LastSession is what the last session really got, as far as it is on record.
type LastSession struct {
	Session string
	At      time.Time
	Running bool   // the session still runs with these blocks
	Source  string // where this was read: "its transcript"
	Blocks  []Block
	// Differs are the texts that a session would get differently now.
	Differs []Difference
	// Unknown says why nobody can know it; empty when Blocks are known.
	Unknown string
}

// Difference is one text that differs between two recalls.
type Difference struct {
	Name     string // of the part
	Path     string
	Was, Now string // empty for what was, or is, not there
}

// Recall is what a system would select for a task and what it would inject. It
// is computed without side effect.
type Recall struct {
	Task  Task
	Words []Word
	// Used is the number of words that score, WordCap the most that can.
	Used, WordCap int
	// Units is the length of the task text in UTF-16 units, UnitCap how many of
	// them are read.
	Units, UnitCap int

	// Hits are the records found, best first: the recalled and at most 50 more.
	Hits []Hit
	// Approving is set where only what a person approved on this machine is recalled. HeldBack
	// are then the records that would be among the recalled, had a person approved them.
	Approving bool
	HeldBack  []Hit
	// Found is the number of records that score; Limit how many are recalled.
	Found, Limit int
	// Searched is the number of records that were searched.
	Searched int

	// Block is the injected part; Prompt the whole user prompt that holds it. Both
	// are empty when Stop is set at a point before they are built. Where a system injects
	// at several places, Block is the one that depends on the task, or the first.
	Block  Block
	Prompt Block
	// Also are the other texts that the system injects, in the order in which its model
	// reads them: what is there at every start, what comes with a file that is read.
	Also []Block
	// Estimate is set where a model chooses, and says so in a sentence: then the hits
	// are our guess at its choice. The texts of blocks are exact all the same.
	Estimate string
	// LastSession is nil for a system that keeps no record of it.
	LastSession *LastSession

	// Stop is set when the agent would throw here: the sentence says why.
	Stop *Problem
	// Empty says why nothing would be recalled; empty when something is.
	Empty string
	// Notes are sentences on where the shown differs from what our stricter engine
	// would do.
	Notes []string
	// Unread is the one of Notes that says what an agent reads and was not read here, so
	// that it may recall something else; empty when all was read.
	Unread string
}
