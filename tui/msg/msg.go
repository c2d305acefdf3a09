// Package msg holds the messages that cross package borders inside the front
// end. Messages that only one page uses live in that page.
package msg

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/theme"
)

// Facts, which the root passes to every page.
type (
	// Snapshot is the state of the open store.
	Snapshot struct{ memory.Snapshot }

	// Theme says that the theme or the masking of secrets changed. It is the first
	// message that a page gets.
	Theme struct {
		theme.Theme
		Reveal bool
		// Mask hides the secrets in a text whose secret positions are unknown. It is nil while
		// secrets are revealed.
		Mask views.Mask
	}

	// Clock is the time from which ages are computed. It comes with each snapshot and once a
	// minute.
	Clock struct{ time.Time }

	// Found is the result of a search for stores.
	Found struct{ memory.Survey }
	// Began is the result of the search with which the program begins. Store is to be opened unless
	// the person has opened another than Was by then; "" shows the list of stores.
	Began struct {
		memory.Survey
		Was, Store memory.StoreID
	}
	// Made says that a store was created, so that a new search finds more.
	Made struct{}
	// Opened is what was found at a path that a person typed, and the store to open, which is empty
	// if there are several.
	Opened struct {
		memory.Survey
		Store memory.StoreID
	}
	// Others are additional stores that the person can switch to.
	Others struct{ Places []memory.Place }

	// Recall asks for the recall of a task. The root shows the recall page, and
	// that page takes the text.
	Recall struct{ Text string }

	// Lesson asks for a record. The root shows the lessons page, and that page moves its cursor to
	// it. If Quiet is set, a missing record is not reported.
	Lesson struct {
		ID    memory.ID
		Quiet bool
	}

	// View asks for a filter, a sort order and columns of the list of records. The root shows the
	// lessons page, and that page applies them.
	View struct{ config.View }

	// OpenStore asks the root to open another store. Pages forget what they keep about the old one.
	OpenStore struct{ Store memory.StoreID }
)

// Requests, which the root answers.
type (
	// Failed reports that a command failed.
	Failed struct {
		Op  string // the operation, such as "load notes"
		Err error
	}

	// Toast is a sentence that is shown until the next key, or for 6 s.
	Toast struct{ Text string }

	// Arrived says that the store has new records.
	Arrived struct{ Number int }

	// Goto asks for a record of any store. The root opens that store if necessary.
	Goto struct {
		Store memory.StoreID
		ID    memory.ID
	}

	// EditAt edits a record of any store. The root opens that store if necessary.
	EditAt struct {
		Store memory.StoreID
		ID    memory.ID
	}

	// SaveView saves a view in config.toml.
	SaveView struct {
		Name string
		config.View
	}

	// PickStore opens a list of stores. The message that Then makes of the chosen store is
	// delivered.
	PickStore struct {
		Title string
		// Places are the stores offered.
		Places []memory.Place
		Then   func(memory.StoreID) tea.Msg
	}

	// Timeline shows what happened to a record of the open store. Activity shows what happened in a
	// store.
	Timeline struct{ ID memory.ID }
	Activity struct{ Store memory.StoreID }

	// OpenEntry opens the history at an entry. OpenSession opens a session, given as its system, a
	// colon and its ID.
	OpenEntry   struct{ Entry memory.EntryID }
	OpenSession struct{ ID string }

	// Copy copies Text to the terminal's clipboard. What names it in the toast: "2 lessons". The
	// sender masks any secrets.
	Copy struct{ Text, What string }

	// Show shows the page at this index.
	Show struct{ Page int }
)

// Changes, which the root makes.
type (
	// Order asks for a plan. If the plan changes a single record that is not pinned, and can be
	// undone, the root applies it at once. Otherwise, or if Ask is set, the root shows it first.
	Order struct {
		Order memory.Order
		Ask   bool
	}

	// Apply applies a plan that was shown and confirmed.
	Apply struct{ Plan memory.Plan }

	// Preview asks for the plan of the top dialog's current order.
	Preview struct{}

	// Edit opens $EDITOR on a record, or on a new one if ID is empty.
	Edit struct {
		ID memory.ID
		// Fields are texts already typed into the form.
		Fields memory.Edit
		Raw    bool // the stored line itself
		// Verified says that the person checked that the resulting text is still true.
		Verified bool
		// Text is what was typed before a mistake in it was found, or "".
		Text string
		// Base is the stored form that Text was made from, or "".
		Base string
		// Kept is the file that holds Text until it is stored, or "".
		Kept string
	}

	// Prune opens the dialog of rules. IDs are the records that a filter shows; it is empty without
	// a filter. Spare are the records that rules leave alone, each with the reason.
	Prune struct {
		IDs   []memory.ID
		Spare map[memory.ID]string
	}

	// Merge opens the dialog that merges these records, at least two.
	Merge struct{ Records []memory.Record }

	// Changed is a fact for every page: an order of the person was carried out.
	Changed struct {
		Do   memory.Act
		IDs  []memory.ID // of the records that it changed
		Only []string    // the rules of a Redact; nil for all
		// Made is the record created by adding or merging, or "".
		Made memory.ID
	}
)

// Audit findings. The root opens the dialogs and carries out their decisions.
type (
	// Ignore opens the dialog to ignore a finding with a reason, or to count it again.
	Ignore struct{ Finding memory.Finding }

	// Decide saves decisions on findings, and takes back those on the fingerprints in Remove. What
	// is the toast shown on success.
	Decide struct {
		Add    []memory.Ignore
		Remove []string
		What   string
	}

	// Export opens the dialog that writes a report.
	Export struct{ Audit memory.Audit }

	// Report is a report to be written: its form, one of ReportForms, and its file. An existing
	// file is replaced only if Replace is set.
	Report struct {
		Audit   memory.Audit
		Form    string
		Path    string
		Replace bool
	}
)

// ReportForms returns the names of the report forms, which are also their file extensions.
func ReportForms() []string { return []string{"md", "json", "sarif"} }

// Decisions on the inbox, which its page carries out.
type (
	// When asks for the moment at which something is told. Text is the one that it has, and Do returns the command
	// that gives it another.
	When struct {
		Name, Text string
		Do         func(when string) tea.Cmd
	}

	// Distil asks whether a program shall be given sessions. Plan finds those, and Give returns the command that gives
	// it them.
	Distil struct {
		Plan func(context.Context) (memory.Distilling, error)
		Give func(memory.Distilling) tea.Cmd
	}

	// Review asks a person about a decision before it is carried out, or again after it was
	// refused. The root opens the dialog.
	Review struct {
		Order memory.InboxOrder
		// Titles are the titles of the entries, if there are several or Why is set.
		Titles []string
		// Why is set to ask for the reason of a rejection.
		Why bool
		// Sides are entries that were changed on both sides of a share. The person decides which
		// text to keep.
		Sides []*memory.InboxEntry
		// Findings are why the decision was refused. Otherwise Asks says what needs a decision, or
		// Wrong says what is wrong with the editor's text, which is in the file Kept.
		Findings   []memory.Finding
		Asks, Kept string
		Wrong      error
	}

	// Reviewed is the person's answer: the order to carry out or, if Amend is set, an order whose
	// text is to be edited again.
	Reviewed struct {
		Order memory.InboxOrder
		Amend bool
	}
)

// Mouse input, prepared by the root for the visible page. X and Y are relative to the page's top
// left cell.
type (
	// Click is a press of the left button. Double is set for the second of two presses at the same
	// place.
	Click struct {
		X, Y   int
		Double bool
	}
	// Drag is a mouse move with the left button held.
	Drag struct{ X, Y int }

	// Wheel is a turn of the wheel by Lines; positive is down.
	Wheel struct{ X, Y, Lines int }
)

// Emit returns a command that delivers m.
func Emit(m tea.Msg) tea.Cmd { return func() tea.Msg { return m } }
