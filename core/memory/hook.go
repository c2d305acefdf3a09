package memory

// Hook is what an agent passes to its hook.
type Hook struct {
	Agent  SystemID // empty when unknown
	Event  string   // in the agent's word: "UserPromptSubmit"
	Source string   // of the start of a session: "startup", "compact"
	// Session names the session, Transcript is the path of its file, and Folder is where it works.
	// Each may be empty.
	Session, Transcript, Folder string
	Prompt                      string // what the person asks for
	Call                        *ToolCall
}

// ToolCall is a call of a tool as an agent's hook is given it.
type ToolCall struct {
	Tool  string
	Input []byte // JSON, as the tool takes it
	// Over is set after the call. Output is then JSON of what it returned, which may be nil, and Error is what the
	// agent says of a call that failed.
	Over   bool
	Output []byte
	Error  string
	Status CallStatus
}

// CallStatus is what an agent says of how a call ended.
type CallStatus uint8

// The statuses.
const (
	CallUnknown CallStatus = iota
	CallSucceeded
	CallFailed
)

// The limits on what a hook gives an agent at a time.
const (
	MostServed      = 3
	MostServedBytes = 2 << 10
	// MostAlways and MostAlwaysBytes are for what is told at the start of a session.
	MostAlways      = 8
	MostAlwaysBytes = 1 << 10
)
