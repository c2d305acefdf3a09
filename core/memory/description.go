package memory

// Description says how to show a store's records and what a draft task for them can have. Systems
// fill it in, so no front end knows a system by name. The zero value suits most: columns and fields
// appear as soon as a record has a value for them.
type Description struct {
	// System is the name of the product: "Claude Code".
	System string
	// Title and Body are the labels of a record's two texts: "Task summary", "Lesson". Empty means
	// "Title" and "Text".
	Title, Body string
	// Arrives says when an empty store gets its first record; may be empty.
	Arrives string
	// Columns are shown even when no record has a value for them: "outcome", "rel",
	// "used", "age", "next", "flags".
	Columns []string
	// Sort is the column by which a newly opened store is sorted, descending; empty means the order
	// of the store.
	Sort string
	// ByLine is set when people know a record by its line rather than by its ID.
	ByLine bool
	// FieldNames are the names that the store's format has for a record's id, title, body, outcome,
	// tools, session, creation, last use and count, in this order; nil if it has none.
	FieldNames []string
	// Evicts is set when agents evict and prune records on their own.
	Evicts bool
	// When is set when the store keeps the moment at which a record is told.
	When  bool
	Draft Draft
	// GivenUnknown says why nobody knows which sessions of the agent were given a record, without a
	// full stop. It is empty when the agent's files say so.
	GivenUnknown string
}

// Draft says what a draft task can have besides its text.
type Draft struct {
	// TextOnly is set when only the text of a task counts: without text nothing is injected, and
	// folder and files make no difference.
	TextOnly bool
	Modes    bool // it has a Mode
	Tools    bool // tool names add to the score
	Without  bool // words can be left out
	// Note says in a sentence how texts are cut on their way to the model; may be empty.
	Note string
}

// Columns returns the columns that a list of records can have beside the title, in their default
// order.
func Columns() []string {
	return []string{"outcome", "rel", "used", "age", "next", "fired", "flags", "kind", "scope"}
}
