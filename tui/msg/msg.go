// Package msg holds the messages that cross package borders inside the front
// end. Messages that only one page uses live in that page.
package msg

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"winnow/core/config"
	"winnow/core/memory"
	"winnow/views"
	"winnow/views/theme"
)

// Facts, which the root offers to every page.
type (
	// Snapshot is the state of the open store.
	Snapshot struct{ memory.Snapshot }

	// Theme says that the theme or the masking of secrets changed. It is the first
	// message that a page gets.
	Theme struct {
		theme.Theme
		Reveal bool
		// Mask hides the secrets of a text that comes without their places; nil while they are
		// revealed.
		Mask views.Mask
	}

	// Clock is the time that renders reckon ages from. It comes with each snapshot
	// and once a minute.
	Clock struct{ time.Time }

	// Found is what a search for stores found.
	Found struct{ memory.Survey }
	// Made says that a store was made, so that a search finds more than before.
	Made struct{}
	// Opened is what was found at a path that a person typed, and the store to open: none where
	// there are several.
	Opened struct {
		memory.Survey
		Store memory.StoreID
	}
	// Others are stores beside those that were asked for, to be switched to.
	Others struct{ Places []memory.Place }

	// Recall asks for the recall of a task. The root shows the recall page, and
	// that page takes the text.
	Recall struct{ Text string }

	// Lesson asks for a record. The root shows the lessons page, and that page puts
	// its cursor on it. Quiet says nothing when there is none.
	Lesson struct {
		ID    memory.ID
		Quiet bool
	}

	// View asks for a filter, an order and columns of the list of records. The root shows the lessons
	// page, and that page takes them.
	View struct{ config.View }

	// Columns are the columns of the list of records that the person chose, in their order; nil for the
	// usual ones.
	Columns struct{ Names []string }

	// OpenStore asks the root to open another store. Pages that keep something of
	// the old one forget it.
	OpenStore struct{ Store memory.StoreID }
)

// Requests, which the root answers.
type (
	// Failed reports that a command failed.
	Failed struct {
		Op  string // what was tried, such as "load notes"
		Err error
	}

	// Toast is a sentence that stays until the next key, or 6 s.
	Toast struct{ Text string }

	// Arrived says that there are new records in the store.
	Arrived struct{ Number int }

	// Goto asks for a record of any store. The root opens that store if need be.
	Goto struct {
		Store memory.StoreID
		ID    memory.ID
	}

	// PickViews opens the list of saved views.
	PickViews struct{}

	// PickColumns opens the dialog that chooses among columns. The first Shown of All are those that are
	// shown.
	PickColumns struct {
		All   []string
		Shown int
	}

	// PickStore opens a list of stores. What Then makes of the
	// chosen one is delivered.
	PickStore struct {
		Title string
		// Places are what is offered.
		Places []memory.Place
		Then   func(memory.StoreID) tea.Msg
	}

	// Timeline opens what happened to a record of the open store, and Activity what happened in a
	// store.
	Timeline struct{ ID memory.ID }
	Activity struct{ Store memory.StoreID }

	// OpenEntry opens the history at an entry, and OpenSession a session by its system, a colon and
	// its id.
	OpenEntry   struct{ Entry memory.EntryID }
	OpenSession struct{ ID string }

	// Copy puts Text into the terminal's clipboard. What names it in the toast:
	// "2 lessons". Secrets must have been masked where they are to be.
	Copy struct{ Text, What string }

	// Show makes the page at this position, from 0, the visible one.
	Show struct{ Page int }
)

// Changes, which the root makes.
type (
	// Order asks for a plan. The root applies it at once when it changes one record
	// that is not pinned and can be undone, and otherwise shows it first. Ask has it
	// shown in any case.
	Order struct {
		Order memory.Order
		Ask   bool
	}

	// Apply is a plan that was shown and confirmed.
	Apply struct{ Plan memory.Plan }

	// Preview asks for the plan of the order of the dialog on top, as it is then.
	Preview struct{}

	// Edit opens $EDITOR on a record, or on a new one when ID is empty.
	Edit struct {
		ID memory.ID
		// Fields are texts that were typed into the form before.
		Fields memory.Edit
		Raw    bool // the stored line itself
		// Verified says that the person checked that what the text then says still holds.
		Verified bool
		// Text is what was typed before, after a mistake in it; else "".
		Text string
		// Base is the stored form that Text was made from; else "".
		Base string
		// Kept is the file that holds Text until it is stored; else "".
		Kept string
	}

	// Prune opens the dialog of rules. IDs are the records that a filter shows, or
	// nothing when none is set, and Spare those that rules leave alone, each with the
	// reason.
	Prune struct {
		IDs   []memory.ID
		Spare map[memory.ID]string
	}

	// Merge opens the dialog that makes one record of these, at least two.
	Merge struct{ Records []memory.Record }

	// Changed is a fact for every page: an order of the person was done.
	Changed struct {
		Do   memory.Act
		IDs  []memory.ID // of the records that it changed
		Only []string    // the rules of a Redact; nil for all
		// Made is the record that it made, by adding or merging; else empty.
		Made memory.ID
	}
)

// About findings of the audit. The root opens the dialogs and runs what they decide.
type (
	// Ignore opens the dialog to ignore a finding with a reason, or to count it again.
	Ignore struct{ Finding memory.Finding }

	// Decide keeps decisions on findings, and takes back those on the fingerprints of
	// Remove. What is the toast shown on success.
	Decide struct {
		Add    []memory.Ignore
		Remove []string
		What   string
	}

	// Export opens the dialog that writes a report.
	Export struct{ Audit memory.Audit }

	// Report is a report that is to be written: its form, one of ReportForms, and its
	// file, which is replaced only when Replace is set.
	Report struct {
		Audit   memory.Audit
		Form    string
		Path    string
		Replace bool
	}
)

// ReportForms returns the names of the forms of a report, which are also what the names
// of their files end in.
func ReportForms() []string { return []string{"md", "json", "sarif"} }

// About decisions on the inbox, which its page carries out.
type (
	// Review asks a person about a decision before it is made, or made again after it was
	// refused. The root opens the dialog.
	Review struct {
		Order memory.InboxOrder
		// Titles are those of the entries, when several are decided at once.
		Titles []string
		// Sides are entries that were changed on both sides of a share: the person says which text holds.
		Sides []*memory.InboxEntry
		// Findings refused it, or else Asks says what wants a decision, or Wrong what is wrong
		// with the text of the editor, which is in the file Kept.
		Findings   []memory.Finding
		Asks, Kept string
		Wrong      error
	}

	// Reviewed is what the person said: the order as it is to be carried out, or with Amend
	// one whose text is to be edited again.
	Reviewed struct {
		Order memory.InboxOrder
		Amend bool
	}
)

// Input that the root has made from the mouse. X and Y count from the top left
// cell of the page. They go to the visible page only.
type (
	// Click is a press of the left button. Double is set for the second of two at one place.
	Click struct {
		X, Y   int
		Double bool
	}
	// Drag is the mouse with the left button held, at another place than where that was pressed.
	Drag struct{ X, Y int }

	// Wheel is a turn of the wheel by Lines, downwards when positive.
	Wheel struct{ X, Y, Lines int }
)

// Emit returns a command that delivers m.
func Emit(m tea.Msg) tea.Cmd { return func() tea.Msg { return m } }
