package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/activity"
	"winnow/core/config"
	"winnow/core/filter"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/page"
	"winnow/views"
	"winnow/views/theme"
)

// Follower is what the root needs from the core: the states of one store.
type Follower interface {
	// Follow delivers the state of the store at once and after every change. The
	// channel keeps only the latest state and is closed when ctx ends.
	Follow(ctx context.Context, id memory.StoreID) <-chan memory.Snapshot
}

// Curator is what the root needs from the core to change a store.
type Curator interface {
	// Plan makes a plan of an order. It changes nothing.
	Plan(ctx context.Context, id memory.StoreID, o memory.Order) (memory.Plan, error)
	// Apply makes the changes of a plan. With memory.ErrConflict, the result says what conflicts.
	// On any error nothing was changed.
	Apply(ctx context.Context, p memory.Plan) (memory.Result, error)
	// History returns what was done to a store.
	History(ctx context.Context, id memory.StoreID) (memory.History, error)
	// Form returns the fields of a record as a text for an editor, or those of a new record if the
	// ID is empty.
	Form(ctx context.Context, store memory.StoreID, id memory.ID) (string, error)
}

// Finder looks for stores while there is none, and at typed paths.
type Finder interface {
	// Complete returns whole paths that begin with typed, in the form a person types them. Folders
	// end in a slash.
	Complete(ctx context.Context, typed string) []string
	// FindAt returns the stores at a typed path. The error says why there are none.
	FindAt(ctx context.Context, typed string) (memory.Survey, error)
	// Find repeats the search made at the start, and returns the store to open, which is empty if a
	// person should choose.
	Find(ctx context.Context) (memory.Survey, memory.StoreID)
}

// Searcher searches the records of stores.
type Searcher interface {
	// Search looks for records that match all terms, in several stores at once. It calls fn with
	// each part of the result as stores are read, and returns the stores that cannot be read.
	Search(
		ctx context.Context,
		stores []memory.StoreID,
		terms []filter.Term,
		fn func(memory.SearchPart) error,
	) ([]memory.Unread, error)
}

// Sessions is what the root needs from the core to show what agents did.
type Sessions interface {
	// SessionsOf sums up the newest sessions of a store's project. On an error some are missing.
	SessionsOf(ctx context.Context, id memory.StoreID) ([]memory.SessionSummary, error)
	// SessionSummary sums up the session with an ID, which is its system, a colon and the system's
	// own ID.
	SessionSummary(ctx context.Context, id string) (memory.SessionSummary, error)
}

// Plots is what the root needs from the core to show what happened.
type Plots interface {
	Timeline(ctx context.Context, id memory.StoreID, record memory.ID) (activity.Timeline, error)
	Activity(ctx context.Context, id memory.StoreID) (activity.Store, error)
}

// Auditor is what the root needs from the core to keep decisions on findings.
type Auditor interface {
	// Ignore saves decisions to ignore findings, and takes back those on the fingerprints in
	// remove. Followed stores then deliver an updated state.
	Ignore(ctx context.Context, add []memory.Ignore, remove []string) error
}

// Reporter writes a report of an audit in one of msg.ReportForms, with secrets masked. A relative
// path is relative to the folder in which the program was started. It returns the file written. An
// existing file is replaced only if replace is set; otherwise the error is fs.ErrExist.
type Reporter func(
	ctx context.Context, form string, a memory.Audit, path string, replace bool,
) (written string, err error)

// Editor edits a text in the user's editor, and keeps what was typed until it is stored or given
// up.
type Editor interface {
	// Edit returns a command that hands over the terminal, and finally delivers done(text, err).
	Edit(text string, done func(text string, err error) tea.Msg) tea.Cmd
	// Kept returns the file that holds the text typed last, or "".
	Kept() string
	// RemoveKept returns a command that removes that file.
	RemoveKept() tea.Cmd
}

// Config says what the program shows and works with.
type Config struct {
	Keys  keymap.Map
	Theme theme.Options
	// Pages are the screens, in the order of their tabs.
	Pages []page.Page
	// Recall is the index in Pages of the page for msg.Recall, and Lessons that of the page for
	// msg.Lesson. Home is that of the page with the stores, if HasHome is set.
	Recall, Lessons, Home int
	HasHome               bool
	// First is the index of the page shown first.
	First int

	Follower Follower
	// Curator changes stores. If it is nil, stores are read-only.
	Curator Curator
	// Editor is the user's editor.
	Editor Editor
	// Auditor keeps decisions on findings.
	Auditor Auditor
	// Report writes reports.
	Report Reporter
	// Uncovered says what an audit on the screen does not cover and a redaction does not reach:
	// "git history".
	Uncovered []string
	// Searcher searches the records of all stores. If it is nil, there is
	// no such search.
	Searcher Searcher
	// Finder looks for stores. If it is nil, only Survey counts.
	Finder Finder
	// Demo returns the command that shows the demo and comes back. May be nil.
	Demo func() tea.Cmd
	// Setups are the commands that set up the agents of this machine, with the agents' names.
	Setups []views.Setup
	// Sessions reads the sessions of agents. If it is nil, none are shown.
	Sessions Sessions
	// Plots tells what happened to records and in stores.
	Plots Plots
	// Names are the display names of systems.
	Names map[memory.SystemID]string
	// Mask hides the secrets in a text whose secret positions are unknown. May be nil.
	Mask views.Mask
	// ReadOnly refuses all changes, even if a store allows them.
	ReadOnly bool
	// Survey is the result of the search for stores; the switcher offers its places. If it is
	// empty, the search is still running, and msg.Found delivers the result.
	Survey memory.Survey
	// Store is opened first. If it is empty, a screen says where Winnow looked.
	Store memory.StoreID

	// State is how the screens were left. Save stores how they are left now; may be nil.
	State config.State
	Save  func(ctx context.Context, before, now config.State) error
	// Settings are those of config.toml. Notice says what is wrong with them, or is "".
	Settings config.Config
	Notice   string
	// SaveView adds a view to config.toml. If it is nil, none can be saved.
	SaveView func(ctx context.Context, name string, v config.View) error
	// Tour is shown in place of messages while there are none.
	Tour []Step

	// Clip copies a text. It returns the escape sequence for the terminal, if there is one, and
	// says where the text went. If it is nil, the function Clip is used.
	Clip func(text string) (sequence, where string, err error)

	// Now is called only in commands and updates, never to draw.
	Now func() time.Time
	// NoMouse leaves the mouse to the terminal until a key turns it on.
	NoMouse bool
}
