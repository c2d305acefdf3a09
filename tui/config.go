package tui

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/activity"
	"winnow/core/config"
	"winnow/core/memory"
	"winnow/keymap"
	"winnow/tui/dialog"
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
	// Apply makes the changes of a plan. With memory.ErrConflict the result says what
	// stands in the way. With any error nothing was changed.
	Apply(ctx context.Context, p memory.Plan) (memory.Result, error)
	// History returns what was done to a store.
	History(ctx context.Context, id memory.StoreID) (memory.History, error)
	// Form returns the fields of a record as a text for an editor, and for the empty
	// id those of a new one.
	Form(ctx context.Context, store memory.StoreID, id memory.ID) (string, error)
}

// Finder looks for stores while there is none, and at paths that are typed.
type Finder interface {
	dialog.Paths
	// Find looks where it was looked at the start, and returns the store to open; none where a person
	// chooses.
	Find(ctx context.Context) (memory.Survey, memory.StoreID)
}

// Sessions is what the root needs from the core to show what agents did.
type Sessions interface {
	// SessionsOf sums up the newest sessions of a store's project. With an error some are missing.
	SessionsOf(ctx context.Context, id memory.StoreID) ([]memory.SessionSummary, error)
	// SessionSummary sums up the session with an id, a system and a colon before it.
	SessionSummary(ctx context.Context, id string) (memory.SessionSummary, error)
}

// Plots is what the root needs from the core to show what happened.
type Plots interface {
	Timeline(ctx context.Context, id memory.StoreID, record memory.ID) (activity.Timeline, error)
	Activity(ctx context.Context, id memory.StoreID) (activity.Store, error)
}

// Auditor is what the root needs from the core to keep decisions on findings.
type Auditor interface {
	// Ignore saves decisions to ignore findings, and takes back those on the
	// fingerprints of remove. Followed stores deliver a state that has them.
	Ignore(ctx context.Context, add []memory.Ignore, remove []string) error
}

// Reporter writes a report of an audit in a form of msg.ReportForms, with secrets masked.
// A path that is not absolute is below the folder that the program was started in. It
// returns the file that was written. A file that is there is replaced only when replace
// is set; else the error is fs.ErrExist.
type Reporter func(ctx context.Context, form string, a memory.Audit, path string, replace bool) (written string, err error)

// Editor edits a text in the user's editor, and keeps what was typed until it is
// stored or given up.
type Editor interface {
	// Edit returns a command that gives the terminal away, and delivers
	// done(text, err) in the end.
	Edit(text string, done func(text string, err error) tea.Msg) tea.Cmd
	// Kept returns the file in which the text that was typed last is, or "".
	Kept() string
	// RemoveKept returns a command that removes that file.
	RemoveKept() tea.Cmd
}

// Config says what the program shows and what it works with.
type Config struct {
	Keys  keymap.Map
	Theme theme.Options
	// Pages are the screens, in the order of their tabs.
	Pages []page.Page
	// Recall is the position in Pages of the page that takes msg.Recall, and Lessons of
	// the one that takes msg.Lesson. Stores is that of the list of stores, 0 for none.
	Recall, Lessons, Stores int
	// First is the position of the page that is shown first.
	First int

	Follower Follower
	// Curator changes stores. When it is nil they can only be looked at.
	Curator Curator
	// Editor is the user's.
	Editor Editor
	// Auditor keeps decisions on findings.
	Auditor Auditor
	// Report writes reports.
	Report Reporter
	// Uncovered says what an audit on the screen does not look at, and a redaction does
	// not reach: "git history".
	Uncovered []string
	// Library reads records of all stores, for the search over them. When it is nil, there
	// is none.
	Library dialog.Library
	// Finder looks for stores. When it is nil, what was found is all there is.
	Finder Finder
	// Demo returns the command that shows the demo and comes back; it may be nil.
	Demo func() tea.Cmd
	// Setups are commands that put Winnow into the agents of this machine, and what those are called.
	Setups []views.Setup
	// Sessions reads the sessions of agents. When it is nil, none are shown.
	Sessions Sessions
	// Plots tells what happened to records and in stores.
	Plots Plots
	// Names are what systems are called.
	Names map[memory.SystemID]string
	// Mask hides the secrets of a text that comes without their places; it may be nil.
	Mask views.Mask
	// ReadOnly refuses all changes, whatever a store allows.
	ReadOnly bool
	// Survey is what was found; the switcher offers its places. When it is empty
	// the search still runs, and msg.Found brings its result.
	Survey memory.Survey
	// Store is opened first. When it is empty, a screen says where was looked.
	Store memory.StoreID

	// State is how the screens were left, and Save keeps how they are left now; it may be nil.
	State config.State
	Save  func(ctx context.Context, before, now config.State) error
	// Settings are those of config.toml, and Notice says what is wrong with them, or nothing.
	Settings config.Config
	Notice   string
	// Tour is shown in the place of messages while there are none.
	Tour []Step

	// Clip copies a text: it returns the sequence that gives it to the terminal, if that takes any, and
	// says which way it went. When it is nil, that is Clip.
	Clip func(text string) (sequence, way string, err error)

	// Now is asked in commands and updates only, never to draw.
	Now func() time.Time
	// NoMouse leaves the mouse to the terminal until a key turns it on.
	NoMouse bool
}
