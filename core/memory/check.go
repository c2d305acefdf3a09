package memory

// Check looks at a text of a product that is in no store: a reply of its model, an
// exchange that was recorded.
type Check struct {
	Name  string // one word: "writ"
	Short string // for the help: "parse the /lesson writs of a reply"
	Long  string // what text it wants, and what it says of it
	// Run returns what it says, in order. It does no IO.
	Run func(text string) []Remark
}

// Remark is one thing that a check says.
type Remark struct {
	Line  int // from 1; 0 for the whole
	Level Level
	What  string // one sentence; may quote the text
	Next  string // may be empty
}

// SystemInfo names a system that is known.
type SystemInfo struct {
	ID   SystemID
	Name string // for a person: "Claude Code"
}
