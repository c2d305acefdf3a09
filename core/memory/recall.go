package memory

import "time"

// Mode is the kind of planner call that a prompt is built for.
type Mode string

// The modes of the planner.
const (
	Single  Mode = "single"
	Agentic Mode = "agentic"
)

// Task is a draft task for which to preview recall.
type Task struct {
	Text string
	// Tools are tool names that add 2 to a lesson's score if the lesson used them. The agent's own
	// kernel never passes any.
	Tools []string
	Mode  Mode // Single when empty
	// Without are words to leave out of the search, to see their effect. The agent itself would use
	// them.
	Without []string
	// Scope is the part of the store that the agent works in, one of [Snapshot.Scopes]; empty means
	// the system's own choice.
	Scope string
	// Folder is the absolute path that the session starts in; empty means the store's project.
	// Files are those that the session reads or writes, absolute or relative to Folder; some
	// systems add instructions for them.
	Folder string
	Files  []string
}

// WordState says how a word of the task is treated.
type WordState uint8

// The states. Only Used words score.
const (
	WordUsed     WordState = iota
	WordShort              // at most 3 units long
	WordPast50             // after the 50th word that counts
	WordPast2000           // after the first 2,000 units
	WordLeftOut            // named in Task.Without
)

// Word is one word of a task, in order. Text is the form used for comparison, in lower case.
type Word struct {
	Text  string
	State WordState
}

// MatchKind says how a word matches a record.
type MatchKind uint8

// The kinds. InsideWord and StopWord are noise: they say nothing about the task.
const (
	WholeWord MatchKind = iota
	InsideWord
	StopWord
)

// Match is one scoring word of a hit.
type Match struct {
	Word  string
	Kind  MatchKind
	Times int // how often the task contains the word; each time adds 1
}

// Hit is one record that a task would find.
type Hit struct {
	ID       ID
	Line     int
	Rank     int // from 1, over all hits
	Score    int
	Matches  []Match
	ToolHits []string // tools that added 2 each, with repetition
	Recalled bool     // among those that are injected
	// LostTie is set for a hit that was cut although it scores as much as the last recalled one,
	// because that one is on an earlier line.
	LostTie bool
	Noise   bool // every match is noise
	Count   Count
	Outcome Outcome
	Title   string
	Body    string
	When    string // as in [Record]
	Flags   Flags
	Secrets []Secret
	// Points is the score of a system that calculates in fractions; Score is then its integer part,
	// or 0. Why explains the hit in the system's own terms; may be empty.
	Points float64
	Why    string
	// Kind and Scope are as in [Record].
	Kind, Scope string
}

// MarkKind says what a mark in a block means.
type MarkKind uint8

// The kinds of marks.
const (
	MarkFiltered  MarkKind = iota // a delimiter replaced with [filtered]
	MarkNewline                   // a line break from a record
	MarkHidden                    // an invisible character
	MarkCut                       // a text was cut here; the mark is empty
	MarkSecret                    // to be masked until asked for
	MarkHeading                   // a line break before a heading or delimiter: injection
	MarkDelimiter                 // a delimiter variant that the agent's filter misses
)

// Mark is a notable place in a block: bytes Start to End of its text.
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
	Marks []Mark // sorted by Start
	// Parts are the places of records and files in Text, in order; nil if the block does not
	// consist of them.
	Parts []Part
	// TokensLow and TokensHigh bound an estimate; models count differently.
	TokensLow, TokensHigh int
}

// Part is a piece of a block that comes from one source.
type Part struct {
	Name       string // as it is shown: "project instructions", "memory index"
	ID         ID     // of the record, when it is in the store
	Path       string // of the file, absolute; may be empty
	Start, End int    // bytes of the block's text
	// TokensLow and TokensHigh bound an estimate of this piece.
	TokensLow, TokensHigh int
	// Note says how the piece was changed: "first 200 of 231 lines". May be empty.
	Note string
}

// LastSession is what the last session really received, as far as it is recorded.
type LastSession struct {
	Session string
	At      time.Time
	Running bool   // the session is still running with these blocks
	Source  string // where this was read: "its transcript"
	Blocks  []Block
	// Differs are the texts that would be different for a session started now.
	Differs []Difference
	// Unknown says why it is unknown; empty when Blocks are known.
	Unknown string
}

// Difference is one text that differs between two recalls.
type Difference struct {
	Name     string // of the part
	Path     string
	Was, Now string // empty if missing then or now
}

// Recall is what a system would select for a task and what it would inject. Computing it has no
// side effect.
type Recall struct {
	Task  Task
	Words []Word
	// Used is the number of words that score, WordCap the maximum.
	Used, WordCap int
	// Units is the length of the task text in UTF-16 units, UnitCap the number of them that are
	// read.
	Units, UnitCap int
	// Ignored says which words are not used, as [WordShort]; empty means those of 3 letters or fewer.
	Ignored string

	// Hits are the records found, best first: the recalled ones and at most 50 more.
	Hits []Hit
	// Approving is set when only records that a person approved on this machine are recalled.
	// HeldBack are then the records that would be recalled if a person had approved them.
	Approving bool
	HeldBack  []Hit
	// Found is the number of records that score; Limit is the number that are recalled.
	Found, Limit int
	// Searched is the number of records that were searched.
	Searched int

	// Block is the injected text; Prompt is the whole user prompt that contains it. Both are empty
	// if Stop happens before they are built. If a system injects in several places, Block is the
	// one that depends on the task, or else the first.
	Block  Block
	Prompt Block
	// Also are the other texts that the system injects, in the order in which its model reads them:
	// those present from the start, and those that come with a file it reads.
	Also []Block
	// Estimate is a sentence that is set when a model makes the choice: the hits are then our
	// guess. The texts of the blocks are exact all the same.
	Estimate string
	// LastSession is nil for a system that keeps no record of it.
	LastSession *LastSession

	// Stop is set when the agent would throw at this point; it says why.
	Stop *Problem
	// Empty says why nothing would be recalled; empty when something is.
	Empty string
	// Notes are sentences about where the preview differs from what our stricter engine would do.
	Notes []string
	// Unread is the note in Notes that names what the agent reads but Winnow could not, so that the
	// agent may recall something else. Empty when everything was read.
	Unread string
}
