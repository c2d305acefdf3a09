package memory

// Hook is what an agent tells its hook.
type Hook struct {
	Agent  SystemID // empty when it is not known
	Event  string   // in the agent's word: "UserPromptSubmit"
	Source string   // of the start of a session: "startup", "compact"
	// Session names the session; Transcript is the path of its file, and Folder where it works.
	// Each may be empty.
	Session, Transcript, Folder string
	Prompt                      string // what the person asks for
}

// The most that a hook gives an agent in one go.
const (
	MostServed      = 3
	MostServedBytes = 2 << 10
)
