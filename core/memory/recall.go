package memory

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
	// TokensLow and TokensHigh bound an estimate; models count differently.
	TokensLow, TokensHigh int
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
	// Found is the number of records that score; Limit how many are recalled.
	Found, Limit int
	// Searched is the number of records that were searched.
	Searched int

	// Block is the injected part; Prompt the whole user prompt that holds it. Both
	// are empty when Stop is set at a point before they are built.
	Block  Block
	Prompt Block

	// Stop is set when the agent would throw here: the sentence says why.
	Stop *Problem
	// Empty says why nothing would be recalled; empty when something is.
	Empty string
	// Notes are sentences on where the shown differs from what our stricter engine
	// would do.
	Notes []string
}
