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
}

// The limits on what a hook gives an agent at a time.
const (
	MostServed      = 3
	MostServedBytes = 2 << 10
)
