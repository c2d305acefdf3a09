package memory

// Source is a file that an agent reads in a folder, or that is there and that it does not read.
type Source struct {
	Path string // absolute
	Kind SourceKind
	When SourceWhen
	// Why is the condition under which it is read, or the reason why it is not: a sentence. It may
	// be empty.
	Why string
	// By is the source that names it; empty for a file that the agent looks for by itself.
	By    string
	Bytes int64 // of the file
	// Encoding is the name of package charset for the encoding: "UTF-8", "UTF-16LE"; empty for a file
	// that was not read.
	Encoding string
	Problem  *Problem
	// Loss says that words were written for the agent which it does not get, and is not told of.
	Loss Loss
	// Sent is how many bytes of the text a session is given if it is not all: 0 for all.
	Sent int64
	// Hint says what a person can do about the loss, as an order: "shorten the file". It may be empty.
	Hint string
	// Patterns are those of the files that it waits for, relative to the folder Base. Matches reports whether one
	// of them matches a path relative to Base; nil without patterns.
	Patterns []string
	Base     string
	Matches  func(rel string) bool
}

// Loss is a way in which an agent silently leaves out what was written for it.
type Loss string

// The ways.
const (
	LossBeside Loss = "beside" // another file is taken instead
	LossCut    Loss = "cut"    // the text is longer than what it takes
	LossLink   Loss = "link"   // a link that it does not follow
	LossImport Loss = "import" // an import that it does not follow
)

// Unfollowed is an import that an agent does not follow.
type Unfollowed struct {
	From    string // the file that names it
	Written string // as it is named there
	To      string // absolute
	Why     string // a sentence
}

// SourceKind says what a source is.
type SourceKind string

// The kinds.
const (
	SourceInstructions SourceKind = "instructions"
	SourceImport       SourceKind = "import"
	SourceRule         SourceKind = "rule"
	SourceMemoryIndex  SourceKind = "memory index"
	SourceMemoryTopic  SourceKind = "memory topic"
	SourceLessons      SourceKind = "lesson store"
	SourceSettings     SourceKind = "settings"
	SourceHook         SourceKind = "hook"
	SourceSkill        SourceKind = "skill"
)

// SourceWhen says when the model of an agent is given the text of a source.
type SourceWhen string

// The occasions.
const (
	AtStart    SourceWhen = "start"  // in every session that starts in the folder
	WithFile   SourceWhen = "file"   // once a file is read that it belongs to
	WhenChosen SourceWhen = "chosen" // when the model, a person or a search chooses it
	Never      SourceWhen = "never"
)

// Words returns the occasion as people read it.
func (w SourceWhen) Words() string {
	switch w {
	case AtStart:
		return "at every start"
	case WithFile:
		return "when a file is read"
	case WhenChosen:
		return "when chosen"
	}
	return "never"
}

// AgentSources is what one agent reads in a folder.
type AgentSources struct {
	System SystemID
	Agent  string // "Claude Code"
	// List is in the order in which the agent takes them; within an occasion the order is exact, as
	// far as it is known.
	List []Source
	// Unfollowed are imports of files that are not in List.
	Unfollowed []Unfollowed
	// Gap says what was not searched, as the rest of a sentence that begins "Not searched:". It is
	// empty if everything was.
	Gap string
	// Note is what is not certain about the answer: a sentence; may be empty.
	Note string
	// Stop is why the agent does not start here; nil if it does.
	Stop *Problem
	// Unused is set if nothing shows that the agent is used on this machine.
	Unused bool
}

// Count returns how many sources are read on an occasion, and how many bytes their files have.
func (a *AgentSources) Count(when SourceWhen) (n int, bytes int64) {
	for i := range a.List {
		if a.List[i].When == when {
			n++
			bytes += a.List[i].Bytes
		}
	}
	return n, bytes
}
